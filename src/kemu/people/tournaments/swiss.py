"""Pairings of a Swiss: players with equal points meet, nobody twice while that can be avoided.

As in the Dutch system of FIDE the upper half of a group with equal points meets its lower half. What is best is decided
for the whole round at once, in this order: no second meeting, no second bye, nobody begins three times more often than
the other way round, the least differences of points, halves that meet, who begins.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from kemu.people.tournaments.history import History
from kemu.people.tournaments.matching import best_pairs
from kemu.people.tournaments.values import FULL_POINTS

UNEVEN: Final = 2
"""The most by which somebody shall have begun more often than not."""


def swiss_pairs(
    ranking: Sequence[str], points: Mapping[str, int], past: History
) -> tuple[list[tuple[str, str]], str | None]:
    """Return the pairs of the next round in the order of the boards, and who has a bye.

    `ranking` are those who play, the best first; with an odd number of them one has a bye.
    """
    count = len(ranking)
    places = list(ranking) + [""] * (count % 2)
    far = _distances(ranking, points)

    def cost(first: int, second: int) -> tuple[int, ...]:
        one, other = places[first], places[second]
        if not other:  # a bye is for the last of those who had none
            return 0, past.byes[one], 0, (_halves(points[one]) - lowest) ** 2, count - 1 - first, 0
        forced = abs(past.balance[one]) >= UNEVEN and past.balance[one] == past.balance[other]
        gap = (_halves(points[one]) - _halves(points[other])) ** 2
        same = past.balance[one] * past.balance[other] > 0
        return past.meetings(one, other), 0, int(forced), gap, abs(second - first - far[one]), int(same)

    lowest = min((_halves(points[player]) for player in ranking), default=0)
    pairs = [(places[first], places[second]) for first, second in best_pairs(len(places), cost)]
    bye = next((one for one, other in pairs if not other), None)
    return [past.first(one, other) for one, other in pairs if other], bye


def _halves(points: int) -> int:
    """Return points in half games, so that their squares stay small."""
    return 2 * points // FULL_POINTS


def _distances(ranking: Sequence[str], points: Mapping[str, int]) -> dict[str, int]:
    """Return how far below each player the opponent stands if the upper half of a group meets the lower half."""
    sizes: dict[int, int] = {}
    for player in ranking:
        sizes[points[player]] = sizes.get(points[player], 0) + 1
    return {player: max(1, sizes[points[player]] // 2) for player in ranking}
