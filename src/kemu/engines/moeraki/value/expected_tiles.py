"""The tiles to expect if each empty hollow goes to either side with equal chance, and what a Tane would do to them."""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.moeraki.board import packed, tables
from kemu.engines.moeraki.board.kernel import areas_around, barred, corner_counts, full_tiles
from kemu.engines.words import ZERO, drop_lowest, has_bit, lowest, popcount, rotate

LACKING_0, LACKING_1, LACKING_2, LACKING_3 = tables.LACKING

# Which sides have their Tane in hand: one of these, their sum, or 0.
OWN_HAND, OTHER_HAND = 1, 2

# The parts of the sums: by number of area the tiles expected before it along its two diagonals, those expected on it,
# and the sixteenths of the chance of each side to place a Tane there; then those expected on each whole diagonal, by
# direction.
SECOND, HERE, OWN_CHANCE, OTHER_CHANCE, DIAGONALS = range(64, 384, 64)
CROSSING, SUMS = DIAGONALS + 16, DIAGONALS + 32

# Eighths of a tile by own stones and those of the other at a beach; a semi-beach brings the same on average.
ONE_TO_NONE: Final = int(tables.EXPECTED_TILES[0, 1, 0])
TWO_TO_NONE: Final = int(tables.EXPECTED_TILES[0, 2, 0])
TWO_TO_ONE: Final = int(tables.EXPECTED_TILES[0, 2, 1])
ONE_AT_BALL: Final = int(tables.EXPECTED_TILES[1, 1, 0])
CERTAIN: Final = int(tables.EXPECTED_TILES[0, 3, 0])


class StoneCounts(NamedTuple):
    """The areas by how many stones of one side lie around them."""

    none: np.uint64
    one: np.uint64
    two: np.uint64
    more: np.uint64


@inlined
def count_stones(own: np.uint64) -> StoneCounts:
    """Return how many of these stones lie around each area."""
    odd, several, more = corner_counts(own)
    return StoneCounts(~(odd | several), odd & ~several, several & ~more, more)


@inlined
def areas_at(ball: np.uint64) -> np.uint64:
    """Return the beaches that touch the ball."""
    return areas_around(ball) & tables.BEACHES


@inlined
def likely_tiles(own: StoneCounts, other: StoneCounts, usual: np.uint64, at_ball: np.uint64) -> int:
    """Return the eighths of tiles that one side may expect where it has more stones than the other."""
    certain = popcount(own.more & usual) + popcount((own.two | own.more) & at_ball)
    ahead = TWO_TO_NONE * popcount(own.two & other.none & usual) + TWO_TO_ONE * popcount(own.two & other.one & usual)
    begun = own.one & other.none
    return CERTAIN * certain + ahead + ONE_TO_NONE * popcount(begun & usual) + ONE_AT_BALL * popcount(begun & at_ball)


@no_refcount
def expected_lead(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64) -> int:
    """Return what `expected_tiles` returns, for all areas at once: faster where they are many."""
    mine, theirs = count_stones(own), count_stones(other)
    at_ball = areas_at(ball)
    usual, at_ball = areas & ~at_ball, areas & at_ball
    return likely_tiles(mine, theirs, usual, at_ball) - likely_tiles(theirs, mine, usual, at_ball)


@no_refcount
def area_kind(area: int, corners: np.uint64, ball: np.uint64) -> int:
    """Return the first index of `EXPECTED_TILES` for an area: 0 a beach, 1 a beach at the ball, 2 a semi-beach."""
    if has_bit(tables.SEMI_BEACHES, area):
        return 2
    return 1 if corners & ball != ZERO else 0


@no_refcount
def expected_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64) -> int:
    """Return the eighths of tiles in some areas that the side to move may expect beyond those of the other."""
    total = 0
    while areas != ZERO:
        area = lowest(areas)
        corners = tables.CORNERS[area]
        total += tables.EXPECTED_TILES[
            area_kind(area, corners, ball), popcount(corners & own), popcount(corners & other)
        ]
        areas = drop_lowest(areas)
    return total


@no_refcount
def sum_diagonals(own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, sums: Numbers) -> int:
    """Write the sums along the diagonals, and return what `expected_tiles` does for all areas that are not closed."""
    for number in range(DIAGONALS, SUMS):
        sums[number] = 0
    total = 0
    for number in range(tables.AREA_COUNT):
        at, first = tables.AREA_ROWS[number, 0], DIAGONALS + tables.AREA_ROWS[number, 1]
        second = CROSSING + tables.AREA_ROWS[number, 2]
        sums[number], sums[SECOND + number] = sums[first], sums[second]
        sums[HERE + number], sums[OWN_CHANCE + number], sums[OTHER_CHANCE + number] = 0, 0, 0
        if not has_bit(closed, at):
            corners = tables.CORNERS[at]
            kind = area_kind(at, corners, ball)
            mine, theirs = popcount(corners & own), popcount(corners & other)
            expected = tables.EXPECTED_TILES[kind, mine, theirs]
            sums[HERE + number] = expected
            sums[OWN_CHANCE + number] = tables.TANE_CHANCES[kind, mine, theirs]
            sums[OTHER_CHANCE + number] = tables.TANE_CHANCES[kind, theirs, mine]
            sums[first] += expected
            sums[second] += expected
            total += expected
    return total


@no_refcount
def best_tane_gain(hands: int, sums: Numbers) -> int:
    """Return what the best placements of the Tane still in hand gain for the side to move, in 128ths of a tile.

    `sums` are those of `sum_diagonals`. A placement counts by the chance that a full tile comes to lie there, and
    costs this tile.
    """
    mine, theirs = 0, 0
    for number in range(tables.AREA_COUNT):
        own_chance, other_chance = sums[OWN_CHANCE + number], sums[OTHER_CHANCE + number]
        if own_chance | other_chance != 0:
            a, b, here = sums[number], sums[SECOND + number], sums[HERE + number]
            c = sums[DIAGONALS + tables.AREA_ROWS[number, 1]] - a - here
            d = sums[CROSSING + tables.AREA_ROWS[number, 2]] - b - here
            mine = max(mine, own_chance * (-min(min(a, b), min(c, d)) - 8))
            theirs = max(theirs, other_chance * (max(max(a, b), max(c, d)) - 8))
    return (mine if hands & OWN_HAND else 0) - (theirs if hands & OTHER_HAND else 0)


@no_refcount
def rank_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, ranks: Numbers) -> None:
    """Add to the rank of each empty hollow what a stone there gains or saves in tiles to expect."""
    rest = tables.AREAS & ~closed
    while rest != ZERO:
        area = lowest(rest)
        corners = tables.CORNERS[area]
        rest = drop_lowest(rest)
        cells = corners & ~(own | other | ball)
        if cells == ZERO:
            continue
        kind = area_kind(area, corners, ball)
        mine, theirs = popcount(corners & own), popcount(corners & other)
        gain = tables.EXPECTED_TILES[kind, mine + 1, theirs] - tables.EXPECTED_TILES[kind, mine, theirs + 1]
        while cells != ZERO:
            ranks[lowest(cells)] += gain
            cells = drop_lowest(cells)


@no_refcount
def completing(occupied: np.uint64) -> np.uint64:
    """Return the empty hollows that are the last ones of an area."""
    a, b = ~(occupied | LACKING_0), ~(rotate(occupied, tables.ALONG_U) | LACKING_1)
    c, d = ~(rotate(occupied, tables.ALONG_V) | LACKING_2), ~(rotate(occupied, tables.ALONG_BOTH) | LACKING_3)
    one = tables.AREAS & ~((a & b) | (c & d) | ((a | b) & (c | d)))
    return (
        (one & a) | rotate(one & b, tables.BACK_U) | rotate(one & c, tables.BACK_V) | rotate(one & d, tables.BACK_BOTH)
    )


@no_refcount
def tane_gain(own: np.uint64, other: np.uint64, ball: np.uint64, tane: np.uint64, opposing: np.uint64) -> int:
    """Return the eighths of tiles to expect that these stones gain by their Tane; `opposing` is the other one."""
    before, after = barred(ZERO, opposing), barred(tane, opposing)
    return expected_tiles(own, other, ball, before & ~after) - expected_tiles(own, other, ball, after & ~before)


@no_refcount
def best_placement(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64, opposing: np.uint64) -> int:
    """Return the Tane of these stones on one of some areas that gains most in tiles to expect, 0 if none gains."""
    best, tane = 0, 0
    while areas != ZERO:
        area = lowest(areas)
        areas = drop_lowest(areas)
        for direction in range(4):
            placed = packed.pack_tane(area, direction)
            gain = tane_gain(own, other, ball, packed.U(placed), opposing)
            if gain > best:
                best, tane = gain, placed
    return tane


@no_refcount
def placement_after(own: np.uint64, other: np.uint64, opposing: int, cell: int, ball: np.uint64) -> int:
    """Return the best Tane that these stones can place after a stone of either side here, 0 if none gains."""
    areas = full_tiles(own, other, ball, cell, barred(ZERO, packed.U(opposing)))
    return best_placement(own, other, ball, areas, packed.U(opposing))
