"""The tiles to expect if the toss of a coin fills the empty hollows, and what a Tane would do to them."""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, popcount
from kemu.engines.moeraki.kernel import Numbers, U
from kemu.engines.moeraki.tables import AREA_ROWS, AREAS, CORNERS, SEMI_BEACHES, TANE_CHANCES, TILE_HOPES

ZERO: Final = U(0)

# Who has the Tane in hand.
MINE: Final = 1
THEIRS: Final = 2

# The parts of the sums: by number of area what lies before it along its two diagonals, what is expected there, and both
# chances to place a Tane there, 32 × one's own + the other's; then what lies on each whole diagonal of both directions.
AREA_COUNT: Final = AREA_ROWS.shape[0]
SECOND: Final = 64
HERE: Final = 128
CHANCES: Final = 192
DIAGONALS: Final = 256
CROSSING: Final = 272
SUMS: Final = 288


@borrowing
def kind_of(bit: int, corners: np.uint64, ball: np.uint64) -> int:
    """Which table of hopes is an area's: a beach's, that of a beach at the ball, or a semi-beach's."""
    if (SEMI_BEACHES >> U(bit)) & ONE != ZERO:
        return 2
    return 1 if corners & ball != ZERO else 0


@borrowing
def evaluate_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64) -> int:
    """The eighths of tiles in some areas that the side to move may expect beyond those of the other."""
    hope = 0
    while areas != ZERO:
        bit = lowest(areas)
        corners = CORNERS[bit]
        hope += TILE_HOPES[kind_of(bit, corners, ball), popcount(corners & own), popcount(corners & other)]
        areas &= areas - ONE
    return hope


@borrowing
def sum_up(own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, sums: Numbers) -> int:
    """Writes the sums along the diagonals, and says the same as `evaluate_tiles` does."""
    for number in range(DIAGONALS, SUMS):
        sums[number] = 0
    total = 0
    for number in range(AREA_COUNT):
        at, first, second = AREA_ROWS[number, 0], DIAGONALS + AREA_ROWS[number, 1], CROSSING + AREA_ROWS[number, 2]
        sums[number], sums[SECOND + number] = sums[first], sums[second]
        sums[HERE + number], sums[CHANCES + number] = 0, 0
        if (closed >> U(at)) & ONE == ZERO:
            corners = CORNERS[at]
            kind = kind_of(at, corners, ball)
            mine, theirs = popcount(corners & own), popcount(corners & other)
            hope = TILE_HOPES[kind, mine, theirs]
            sums[HERE + number] = hope
            sums[CHANCES + number] = 32 * TANE_CHANCES[kind, mine, theirs] + TANE_CHANCES[kind, theirs, mine]
            sums[first] += hope
            sums[second] += hope
            total += hope
    return total


@borrowing
def evaluate_reach(hands: int, sums: Numbers) -> int:
    """How much more the best use of a Tane still in hand would bring the side to move, in 128ths of a tile.

    A use counts by the chance that a full tile comes to lie there, and costs this tile.
    """
    mine, theirs = 0, 0
    for number in range(AREA_COUNT):
        chances = sums[CHANCES + number]
        if chances != 0:
            a, b, here = sums[number], sums[SECOND + number], sums[HERE + number]
            c = sums[DIAGONALS + AREA_ROWS[number, 1]] - a - here
            d = sums[CROSSING + AREA_ROWS[number, 2]] - b - here
            mine = max(mine, (chances >> 5) * (-min(min(a, b), min(c, d)) - 8))
            theirs = max(theirs, (chances & 31) * (max(max(a, b), max(c, d)) - 8))
    return (mine if hands & MINE else 0) - (theirs if hands & THEIRS else 0)


@borrowing
def rank_tiles(
    own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, worth: int, ranks: Numbers
) -> None:
    """Adds what a stone gains or saves in tiles to expect."""
    rest = AREAS & ~closed
    while rest != ZERO:
        bit = lowest(rest)
        corners = CORNERS[bit]
        rest &= rest - ONE
        cells = corners & ~(own | other | ball)
        if cells == ZERO:
            continue
        kind = kind_of(bit, corners, ball)
        mine, theirs = popcount(corners & own), popcount(corners & other)
        gain = (TILE_HOPES[kind, mine + 1, theirs] - TILE_HOPES[kind, mine, theirs + 1]) * worth
        while cells != ZERO:
            ranks[lowest(cells)] += gain
            cells &= cells - ONE
