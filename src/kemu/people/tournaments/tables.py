"""Tables of three to six players over rounds: who meets as many others as possible, at every seat about as often."""

from collections.abc import Sequence
from itertools import combinations, permutations
from typing import Final

from kemu.people.tournaments.history import History
from kemu.people.tournaments.values import FULL_POINTS, LARGEST_TABLE, SMALLEST_TABLE

PREFERRED_TABLE: Final = 4
"""The size of tables where the number of players leaves a choice."""

SWEEPS: Final = 20
"""How often all exchanges between tables are tried at most."""


def table_sizes(count: int) -> list[int]:
    """Return the sizes of the tables for a number of players from 3 on: nearly equal, 3 to 6, 4 if possible."""
    number = max(1, round(count / PREFERRED_TABLE))
    while count / number > LARGEST_TABLE:
        number += 1
    while number > 1 and count / number < SMALLEST_TABLE:
        number -= 1
    return [count // number + (place < count % number) for place in range(number)]


def place_players(players: Sequence[str], past: History) -> list[tuple[str, ...]]:
    """Return the tables of the next round, each in the order of its seats.

    Players are exchanged between tables for as long as that lessens how often the same ones meet.
    """
    tables: list[list[str]] = []
    start, turned = 0, _turned(players, past)
    for size in table_sizes(len(players)):
        tables.append(turned[start : start + size])
        start += size
    for _ in range(SWEEPS):
        if not _sweep(tables, past):
            break
    return [_seated(table, past) for table in tables]


def points_of_places(places: Sequence[int]) -> tuple[int, ...]:
    """Return the points of each seat from its place, 1 is the best; who share a place share the points."""
    last = len(places) - 1
    points = []
    for place in places:
        tied = places.count(place)
        worth = sum(FULL_POINTS * (last - (place - 1 + after)) for after in range(tied))
        points.append(worth // (last * tied))
    return tuple(points)


def _turned(players: Sequence[str], past: History) -> list[str]:
    """Return the players dealt out so that neighbours of the round before do not begin beside each other."""
    number = len(table_sizes(len(players)))
    step = 1 + max((count for count in past.met.values()), default=0) % max(1, number)
    return [player for start in range(step) for player in players[start::step]]


def _sweep(tables: list[list[str]], past: History) -> bool:
    """Exchange the players of two tables where that lessens meetings; return whether anything was exchanged."""
    changed = False
    for one, other in combinations(tables, 2):
        for first in range(len(one)):
            for second in range(len(other)):
                before = _meetings(one, past) + _meetings(other, past)
                one[first], other[second] = other[second], one[first]
                if _meetings(one, past) + _meetings(other, past) < before:
                    changed = True
                else:
                    one[first], other[second] = other[second], one[first]
    return changed


def _meetings(table: Sequence[str], past: History) -> int:
    """Return how bad a table is: the squares of how often its players have met will have grown by so much."""
    return sum(2 * past.meetings(*pair) + 1 for pair in combinations(table, 2) if past.meetings(*pair))


def _seated(table: Sequence[str], past: History) -> tuple[str, ...]:
    """Return the players of a table in the order of seats that they had least often."""

    def cost(seated: Sequence[str]) -> int:
        return sum(past.seats[player, seat] ** 2 for seat, player in enumerate(seated))

    return min(permutations(table), key=cost)
