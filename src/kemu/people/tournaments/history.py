"""What earlier rounds say for the pairing of the next one: who met, who began, who sat out, and where."""

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from kemu.people.tournaments.values import Tournament


@dataclass
class History:
    """Counts over the rounds of a tournament, by the ids of the entrants."""

    met: Counter[frozenset[str]] = field(default_factory=Counter)
    balance: Counter[str] = field(default_factory=Counter)  # how often somebody began a pairing more than the other
    began_last: dict[str, bool] = field(default_factory=dict)
    byes: Counter[str] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)

    def meetings(self, one: str, other: str) -> int:
        """Return how often two entrants were paired."""
        return self.met[frozenset((one, other))]

    def first(self, one: str, other: str) -> tuple[str, str]:
        """Return two entrants in the order of seats that balances who begins."""

        def claim(player: str) -> tuple[int, bool]:
            return self.balance[player], self.began_last.get(player, False)

        return (one, other) if claim(one) <= claim(other) else (other, one)


def history(tournament: Tournament) -> History:
    """Return what the rounds so far say; a computer that fills an odd place counts as a bye too."""
    found = History()
    computers = {entrant.id for entrant in tournament.entrants if entrant.bot}
    for each in tournament.rounds:
        found.byes.update(each.byes)
        for pairing in each.pairings:
            players = pairing.players
            found.met.update(frozenset(pair) for pair in combinations(players, 2))
            found.seats.update((player, seat) for seat, player in enumerate(players))
            if len(players) == 2:
                found.balance[players[0]] += 1
                found.balance[players[1]] -= 1
                found.began_last.update({players[0]: True, players[1]: False})
                if computers.intersection(players):
                    found.byes.update(player for player in players if player not in computers)
    return found
