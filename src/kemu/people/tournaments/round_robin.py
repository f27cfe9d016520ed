"""Pairings of a round robin: everybody meets everybody once, round by round.

Each round is chosen from the pairs that have not met, so that nobody waits for somebody who left, and late entrants
meet everybody too. If nobody comes or goes, the rounds are those of the circle method.
"""

from collections.abc import Sequence

from kemu.people.tournaments.history import History
from kemu.people.tournaments.matching import best_pairs


def round_robin_pairs(players: Sequence[str], past: History) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the pairs of the next round and who has none; no pairs once everybody has met everybody.

    `players` are those who play, always in the same order.
    """
    left = {player: sum(not past.meetings(player, other) for other in players if other != player) for player in players}
    planned = _circle_round(players, past)

    def cost(first: int, second: int) -> tuple[int, ...] | None:
        one, other = players[first], players[second]
        if past.meetings(one, other):
            return None
        return int(frozenset((one, other)) not in planned), 2 * len(players) - left[one] - left[other]

    pairs = [(players[first], players[second]) for first, second in best_pairs(len(players), cost)]
    paired = {player for pair in pairs for player in pair}
    return [past.first(one, other) for one, other in pairs], [player for player in players if player not in paired]


def circle(players: Sequence[str]) -> list[list[tuple[str, str]]]:
    """Return all rounds of the circle method; with an odd number of players each has none in one round."""
    places = [*players, *([""] if len(players) % 2 else [])]
    rounds: list[list[tuple[str, str]]] = []
    for turn in range(len(places) - 1):
        turned = [places[0], *places[1 + turn :], *places[1 : 1 + turn]]
        pairs = [(turned[place], turned[-1 - place]) for place in range(len(turned) // 2)]
        rounds.append([pair for pair in pairs if all(pair)])
    return rounds


def _circle_round(players: Sequence[str], past: History) -> set[frozenset[str]]:
    """Return the round of the circle method in which the most pairs have not met, the first of several."""
    rounds = circle(players)
    fresh = [{frozenset(pair) for pair in pairs if not past.meetings(*pair)} for pairs in rounds]
    return max(fresh, key=len, default=set())
