"""The Tane in the tree search: which use of it is worth a try after a stone that completes areas."""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, rotate
from kemu.engines.moeraki.entries import WITH_TANE
from kemu.engines.moeraki.hopes import evaluate_tiles
from kemu.engines.moeraki.kernel import Numbers, U, barred, full_tiles
from kemu.engines.moeraki.tables import AREAS, LACKING

ZERO: Final = U(0)
LACKING_0, LACKING_1, LACKING_2, LACKING_3 = LACKING


@borrowing
def completing(occupied: np.uint64) -> np.uint64:
    """The empty hollows that are the last ones of an area."""
    a, b = ~(occupied | LACKING_0), ~(rotate(occupied, 1) | LACKING_1)
    c, d = ~(rotate(occupied, 14) | LACKING_2), ~(rotate(occupied, 15) | LACKING_3)
    one = AREAS & ~((a & b) | (c & d) | ((a | b) & (c | d)))
    return (one & a) | rotate(one & b, 63) | rotate(one & c, 50) | rotate(one & d, 49)


@borrowing
def gain_of(own: np.uint64, other: np.uint64, ball: np.uint64, tane: np.uint64, other_tane: np.uint64) -> int:
    """The eighths of tiles to expect that these stones gain by their Tane."""
    before, after = barred(ZERO, other_tane), barred(tane, other_tane)
    return evaluate_tiles(own, other, ball, before & ~after) - evaluate_tiles(own, other, ball, after & ~before)


@borrowing
def best_use(own: np.uint64, other: np.uint64, ball: np.uint64, areas: np.uint64, other_tane: np.uint64) -> int:
    """The Tane of these stones on one of some areas that gains most in tiles to expect, 0 if none gains."""
    best, tane = 0, 0
    while areas != ZERO:
        first = 4 * lowest(areas) + 1
        areas &= areas - ONE
        for use in range(first, first + 4):
            gain = gain_of(own, other, ball, U(use), other_tane)
            if gain > best:
                best, tane = gain, use
    return tane


@borrowing
def use_of(own: np.uint64, other: np.uint64, own_tane: int, other_tane: int, cell: int, ball: np.uint64) -> int:
    """The most promising Tane of a side after a stone here, 0 if it has none to place."""
    if own_tane != 0:
        return 0
    due = full_tiles(own, other, ball, cell, barred(ZERO, U(other_tane)))
    return best_use(own, other, ball, due, U(other_tane))


@borrowing
def add_uses(
    own: np.uint64, other: np.uint64, other_tane: int, ball: np.uint64, first: int, count: int, moves: Numbers
) -> int:
    """Puts each stone that could come with a Tane a second time into the list, and says how many they are now."""
    last = completing(own | other | ball)
    for number in range(count):
        moves[64 + number] = moves[number]
    total = 0
    for number in range(count):
        cell = moves[64 + number]
        moves[total] = cell
        total += 1
        if (last >> U(cell)) & ONE != ZERO:
            tane = use_of(own | (ONE << U(cell)), other, 0, other_tane, cell, ball)
            if tane != 0:
                moves[total] = cell + WITH_TANE * tane
                if moves[total] == first:
                    moves[total], moves[total - 1] = moves[total - 1], moves[total]
                total += 1
    return total
