"""The Tane in the tree search: which placement of it is worth a try after a stone that completes areas."""

import numpy as np

from kemu.engines.compiled import ZERO, bit, borrowing, drop_lowest, has_bit, lowest, rotate
from kemu.engines.moeraki.expected_tiles import expected_tiles
from kemu.engines.moeraki.kernel import Numbers, barred, full_tiles
from kemu.engines.moeraki.ordering import WORTH
from kemu.engines.moeraki.packed import U, other_tane, pack_move, pack_tane
from kemu.engines.moeraki.tables import ALONG_BOTH, ALONG_U, ALONG_V, AREAS, BACK_BOTH, BACK_U, BACK_V, LACKING
from kemu.engines.moeraki.transposition import Sides

LACKING_0, LACKING_1, LACKING_2, LACKING_3 = LACKING


@borrowing
def completing(occupied: np.uint64) -> np.uint64:
    """The empty hollows that are the last ones of an area."""
    a, b = ~(occupied | LACKING_0), ~(rotate(occupied, ALONG_U) | LACKING_1)
    c, d = ~(rotate(occupied, ALONG_V) | LACKING_2), ~(rotate(occupied, ALONG_BOTH) | LACKING_3)
    one = AREAS & ~((a & b) | (c & d) | ((a | b) & (c | d)))
    return (one & a) | rotate(one & b, BACK_U) | rotate(one & c, BACK_V) | rotate(one & d, BACK_BOTH)


@borrowing
def tane_gain(own: np.uint64, other: np.uint64, ball: np.uint64, tane: np.uint64, opposing: np.uint64) -> int:
    """The eighths of tiles to expect that these stones gain by their Tane; `opposing` is that of the other side."""
    before, after = barred(ZERO, opposing), barred(tane, opposing)
    return expected_tiles(own, other, ball, before & ~after) - expected_tiles(own, other, ball, after & ~before)


@borrowing
def best_placement(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64, opposing: np.uint64) -> int:
    """The Tane of these stones on one of some areas that gains most in tiles to expect, 0 if none gains."""
    best, tane = 0, 0
    while areas != ZERO:
        area = lowest(areas)
        areas = drop_lowest(areas)
        for direction in range(4):
            placed = pack_tane(area, direction)
            gain = tane_gain(own, other, ball, U(placed), opposing)
            if gain > best:
                best, tane = gain, placed
    return tane


@borrowing
def placement_after(own: np.uint64, other: np.uint64, opposing: int, cell: int, ball: np.uint64) -> int:
    """The best Tane that these stones can place after a stone of either side here, 0 if there is none that gains."""
    areas = full_tiles(own, other, ball, cell, barred(ZERO, U(opposing)))
    return best_placement(own, other, ball, areas, U(opposing))


@borrowing
def add_placements(sides: Sides, ball: np.uint64, first: int, count: int, moves: Numbers, ranks: Numbers) -> int:
    """Adds to `count` stones each one that could come with a Tane a second time; returns how many moves there are.

    It is ranked next after the stone without Tane, or next before it if it is the move `first`.
    """
    own, other, tanes = sides
    last = completing(own | other | ball)
    total = count
    for number in range(count):
        cell = moves[number]
        if has_bit(last, cell):
            tane = placement_after(own | bit(cell), other, other_tane(tanes), cell, ball)
            if tane != 0:
                moves[total] = pack_move(cell, tane)
                ranks[WORTH + total] = ranks[WORTH + number] + (1 if moves[total] == first else -1)
                total += 1
    return total
