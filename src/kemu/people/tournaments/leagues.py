"""Divisions of a correspondence league: by rating at first, then by rise and fall."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

SMALLEST_DIVISION: Final = 4
LARGEST_DIVISION: Final = 10

MOVED: Final = 2
"""How many rise from each division and fall into the next one at the end of a season; one from divisions below six."""


def division_sizes(count: int, wanted: int) -> list[int]:
    """Return the sizes of the divisions for a number of players: about `wanted`, 4 to 10, nearly equal.

    Fewer than four players are one division.
    """
    number = max(1, -(-count // wanted))
    while number > 1 and count // number < SMALLEST_DIVISION:
        number -= 1
    return [count // number + (place < count % number) for place in range(number)]


def first_divisions(players: Sequence[str], ratings: Mapping[str, int], wanted: int) -> list[tuple[str, ...]]:
    """Return the divisions of a first season, the best by rating in the first one."""
    return _cut(sorted(players, key=lambda player: -ratings[player]), wanted)


def next_divisions(
    final: Sequence[Sequence[str]], players: Sequence[str], ratings: Mapping[str, int], wanted: int
) -> list[tuple[str, ...]]:
    """Return the divisions of the next season, in which all play who have not withdrawn, and those who are new.

    `final` are the divisions of the last season, each in the order of its standings. Newcomers enter below everybody
    who stays, by rating.
    """
    order: list[list[str]] = [list(division) for division in final]
    for upper, lower in pairwise(order):
        moved = MOVED if min(len(upper), len(lower)) >= MOVED + SMALLEST_DIVISION else 1
        upper[-moved:], lower[:moved] = lower[:moved], upper[-moved:]
    playing = set(players)
    staying = [player for division in order for player in division if player in playing]
    new = sorted((player for player in players if player not in staying), key=lambda player: -ratings[player])
    return _cut([*staying, *new], wanted)


def league_pairs(divisions: Sequence[Sequence[str]]) -> list[tuple[int, tuple[str, str]]]:
    """Return all pairs of each division, with the number of the division from 0; everybody begins about half of them.

    Both games of a pair are played, so who begins matters only for a series.
    """
    found = []
    for number, division in enumerate(divisions):
        for first, second in combinations(range(len(division)), 2):
            pair = (division[first], division[second])
            found.append((number, pair if (second - first) % 2 else pair[::-1]))
    return found


def _cut(players: Sequence[str], wanted: int) -> list[tuple[str, ...]]:
    divisions, start = [], 0
    for size in division_sizes(len(players), wanted):
        divisions.append(tuple(players[start : start + size]))
        start += size
    return divisions
