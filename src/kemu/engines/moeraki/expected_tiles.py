"""The tiles to expect if each empty hollow goes to either side with equal chance, and what a Tane would do to them."""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, has_bit, inlined, lowest, popcount, rotate
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.packed import other_chance, own_chance, pack_chances
from kemu.engines.moeraki.tables import (
    ALONG_BOTH,
    ALONG_U,
    ALONG_V,
    AREA_ROWS,
    AREAS,
    BEACHES,
    CORNERS,
    EXPECTED_TILES,
    LACKING,
    SEMI_BEACHES,
    TANE_CHANCES,
)

LACKING_0, LACKING_1, LACKING_2, LACKING_3 = LACKING

# Which sides have their Tane in hand: one of these, their sum, or 0.
OWN_HAND: Final = 1
OTHER_HAND: Final = 2

# The parts of the sums: by number of area the tiles expected before it along its two diagonals, those expected on it,
# and both chances to place a Tane there (see `packed`); then those expected on each whole diagonal, by direction.
AREA_COUNT: Final = AREA_ROWS.shape[0]
SECOND: Final = 64
HERE: Final = 128
CHANCES: Final = 192
DIAGONALS: Final = 256
CROSSING: Final = 272
SUMS: Final = 288


# Eighths of a tile by own stones and those of the other at a beach; a semi-beach brings the same on average.
ONE_TO_NONE: Final = int(EXPECTED_TILES[0, 1, 0])
TWO_TO_NONE: Final = int(EXPECTED_TILES[0, 2, 0])
TWO_TO_ONE: Final = int(EXPECTED_TILES[0, 2, 1])
ONE_AT_BALL: Final = int(EXPECTED_TILES[1, 1, 0])
CERTAIN: Final = int(EXPECTED_TILES[0, 3, 0])


class StoneCounts(NamedTuple):
    """The areas by how many stones of one side lie around them."""

    none: np.uint64
    one: np.uint64
    two: np.uint64
    more: np.uint64


@inlined
def count_stones(own: np.uint64) -> StoneCounts:
    """How many of these stones lie around each area."""
    a, b = own & ~LACKING_0, rotate(own, ALONG_U) & ~LACKING_1
    c, d = rotate(own, ALONG_V) & ~LACKING_2, rotate(own, ALONG_BOTH) & ~LACKING_3
    odd = a ^ b ^ c ^ d
    several = (a & b) | (c & d) | ((a | b) & (c | d))
    more = (a & b & (c | d)) | (c & d & (a | b))
    return StoneCounts(~(odd | several), odd & ~several, several & ~more, more)


@inlined
def areas_at(ball: np.uint64) -> np.uint64:
    """The beaches that touch the ball."""
    return (ball | rotate(ball, ALONG_U) | rotate(ball, ALONG_V) | rotate(ball, ALONG_BOTH)) & BEACHES


@inlined
def likely_tiles(own: StoneCounts, other: StoneCounts, usual: np.uint64, at_ball: np.uint64) -> int:
    """The eighths of tiles that one side may expect where it has more stones than the other."""
    certain = popcount(own.more & usual) + popcount((own.two | own.more) & at_ball)
    ahead = TWO_TO_NONE * popcount(own.two & other.none & usual) + TWO_TO_ONE * popcount(own.two & other.one & usual)
    begun = own.one & other.none
    return CERTAIN * certain + ahead + ONE_TO_NONE * popcount(begun & usual) + ONE_AT_BALL * popcount(begun & at_ball)


@borrowing
def expected_lead(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64) -> int:
    """What `expected_tiles` returns, for all areas at once: faster where they are many."""
    mine, theirs = count_stones(own), count_stones(other)
    at_ball = areas_at(ball)
    usual, at_ball = areas & ~at_ball, areas & at_ball
    return likely_tiles(mine, theirs, usual, at_ball) - likely_tiles(theirs, mine, usual, at_ball)


@borrowing
def area_kind(area: int, corners: np.uint64, ball: np.uint64) -> int:
    """The first index of `EXPECTED_TILES` for an area: 0 a beach, 1 a beach at the ball, 2 a semi-beach."""
    if has_bit(SEMI_BEACHES, area):
        return 2
    return 1 if corners & ball != ZERO else 0


@borrowing
def expected_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64) -> int:
    """The eighths of tiles in some areas that the side to move may expect beyond those of the other."""
    total = 0
    while areas != ZERO:
        area = lowest(areas)
        corners = CORNERS[area]
        total += EXPECTED_TILES[area_kind(area, corners, ball), popcount(corners & own), popcount(corners & other)]
        areas = drop_lowest(areas)
    return total


@borrowing
def sum_diagonals(own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, sums: Numbers) -> int:
    """Writes the sums along the diagonals; returns what `expected_tiles` does for all areas that are not closed."""
    for number in range(DIAGONALS, SUMS):
        sums[number] = 0
    total = 0
    for number in range(AREA_COUNT):
        at, first, second = AREA_ROWS[number, 0], DIAGONALS + AREA_ROWS[number, 1], CROSSING + AREA_ROWS[number, 2]
        sums[number], sums[SECOND + number] = sums[first], sums[second]
        sums[HERE + number], sums[CHANCES + number] = 0, 0
        if not has_bit(closed, at):
            corners = CORNERS[at]
            kind = area_kind(at, corners, ball)
            mine, theirs = popcount(corners & own), popcount(corners & other)
            expected = EXPECTED_TILES[kind, mine, theirs]
            sums[HERE + number] = expected
            chances = TANE_CHANCES[kind, mine, theirs], TANE_CHANCES[kind, theirs, mine]
            sums[CHANCES + number] = pack_chances(chances[0], chances[1])
            sums[first] += expected
            sums[second] += expected
            total += expected
    return total


@borrowing
def best_tane_gain(hands: int, sums: Numbers) -> int:
    """What the best placements of the Tane still in hand gain for the side to move, in 128ths of a tile.

    `sums` are those of `sum_diagonals`. A placement counts by the chance that a full tile comes to lie there, and
    costs this tile.
    """
    mine, theirs = 0, 0
    for number in range(AREA_COUNT):
        chances = sums[CHANCES + number]
        if chances != 0:
            a, b, here = sums[number], sums[SECOND + number], sums[HERE + number]
            c = sums[DIAGONALS + AREA_ROWS[number, 1]] - a - here
            d = sums[CROSSING + AREA_ROWS[number, 2]] - b - here
            mine = max(mine, own_chance(chances) * (-min(min(a, b), min(c, d)) - 8))
            theirs = max(theirs, other_chance(chances) * (max(max(a, b), max(c, d)) - 8))
    return (mine if hands & OWN_HAND else 0) - (theirs if hands & OTHER_HAND else 0)


@borrowing
def rank_tiles(
    own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, weight: int, ranks: Numbers
) -> None:
    """Adds to the rank of each empty hollow what a stone there gains or saves in tiles to expect, times a weight."""
    rest = AREAS & ~closed
    while rest != ZERO:
        area = lowest(rest)
        corners = CORNERS[area]
        rest = drop_lowest(rest)
        cells = corners & ~(own | other | ball)
        if cells == ZERO:
            continue
        kind = area_kind(area, corners, ball)
        mine, theirs = popcount(corners & own), popcount(corners & other)
        gain = weight * (EXPECTED_TILES[kind, mine + 1, theirs] - EXPECTED_TILES[kind, mine, theirs + 1])
        while cells != ZERO:
            ranks[lowest(cells)] += gain
            cells = drop_lowest(cells)
