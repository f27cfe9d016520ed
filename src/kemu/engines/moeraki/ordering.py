"""The order in which the tree search tries stones, and how much less deep it tries the late ones.

The history has three rows of 64 numbers by cell: one for both sides, and for thorough searches one for each.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, inlined, lowest
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.packed import is_starter, move_cell
from kemu.engines.moeraki.transposition import Sides

HISTORY_ROWS: Final = 3
HISTORY_LIMIT: Final = 4000
TRIED_FIRST: Final = 1 << 40
LARGEST_STEP: Final = 64
STEP_BITS: Final = 7
"""A cutoff moves the history by a step of up to LARGEST_STEP, in parts of 1 << STEP_BITS of the way to its limit."""


@borrowing
def order_stones(cells: np.uint64, ranks: Numbers, history: Numbers, first: int, moves: Numbers) -> int:
    """Writes the stones to try, the most promising first and `first` before all; returns how many they are."""
    count = 0
    while cells != ZERO:
        cell = lowest(cells)
        cells = drop_lowest(cells)
        worth = TRIED_FIRST if cell == first else ranks[cell] * 64 + min(history[cell], HISTORY_LIMIT)
        at = count
        while at > 0 and ranks[64 + at - 1] < worth:
            moves[at], ranks[64 + at] = moves[at - 1], ranks[64 + at - 1]
            at -= 1
        moves[at], ranks[64 + at] = cell, worth
        count += 1
    return count


@inlined
def history_row(sides: Sides, thorough: bool) -> int:
    """The row of the history for the side to move."""
    return 0 if not thorough else 2 if is_starter(sides.tanes) else 1


@borrowing
def record_cutoff(history: Numbers, moves: Numbers, number: int, depth: int, both_ways: bool) -> None:
    """Notes in a row of the history that the move of this number cut off, and if asked that those before did not."""
    step = max(depth, 0) * max(depth, 0) + 1
    cell = move_cell(moves[number])
    if not both_ways:
        history[cell] += step
        return
    step = min(step, LARGEST_STEP)
    history[cell] += (HISTORY_LIMIT - history[cell]) * step >> STEP_BITS
    for earlier in range(number):
        cell = move_cell(moves[earlier])
        history[cell] -= (HISTORY_LIMIT + history[cell]) * step >> STEP_BITS


@borrowing
def late_move_reduction(number: int, depth: int) -> int:
    """By how much less deep a move is tried first that comes late in the order."""
    if number < 3 or depth < 2:
        return 0
    return 1 if number < 8 else 2 if number < 20 else 3
