"""The order in which the tree search tries stones, and how much less deep it tries the late ones.

The history has three rows of 64 numbers by cell: one for both sides, and for selective searches one for each.
"""

from typing import Final

import numpy as np

from kemu.engines.arrays import Numbers
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.moeraki.board.packed import Sides, is_starter, move_cell, other_tane, pack_move
from kemu.engines.moeraki.value.expected_tiles import completing, placement_after
from kemu.engines.words import ZERO, bit, drop_lowest, has_bit, lowest

HISTORY_ROWS: Final = 3
HISTORY_LIMIT: Final = 4000
TRIED_FIRST: Final = 1 << 40
WORTH: Final = 64
"""Where the ranks of moves begin, after those of the hollows."""

LARGEST_STEP: Final = 64
STEP_BITS: Final = 7
"""A cutoff moves the history by a step of up to LARGEST_STEP, in parts of 1 << STEP_BITS of the way to its limit."""


@no_refcount
def rank_moves(cells: np.uint64, ranks: Numbers, history: Numbers, first: int, moves: Numbers) -> int:
    """Write the stones to try and their ranks, from WORTH on, in any order, and return how many they are.

    The stone `first` has the highest rank. No two ranks are equal, and one above each is left free.
    """
    count = 0
    while cells != ZERO:
        cell = lowest(cells)
        cells = drop_lowest(cells)
        worth = TRIED_FIRST if cell == first else ranks[cell] * 64 + min(history[cell], HISTORY_LIMIT)
        moves[count], ranks[WORTH + count] = cell, worth * 128 + 2 * (63 - cell)
        count += 1
    return count


@no_refcount
def add_placements(sides: Sides, ball: np.uint64, first: int, count: int, moves: Numbers, ranks: Numbers) -> int:
    """Add to `count` stones each one that could come with a Tane a second time, and return how many moves there are.

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


@inlined
def take_best(number: int, count: int, moves: Numbers, ranks: Numbers) -> int:
    """Exchange the move of this number with the highest ranked from there on, and return that.

    Most positions are decided by their first moves, so that to sort them all would take longer.
    """
    best = number
    for at in range(number + 1, count):
        best = at if ranks[WORTH + at] > ranks[WORTH + best] else best
    move = moves[best]
    moves[best], ranks[WORTH + best] = moves[number], ranks[WORTH + number]
    moves[number] = move
    return move


@inlined
def history_row(sides: Sides, selective: bool) -> int:
    """Return the row of the history for the side to move."""
    return 0 if not selective else 2 if is_starter(sides.tanes) else 1


@no_refcount
def record_cutoff(history: Numbers, moves: Numbers, number: int, depth: int, both_ways: bool) -> None:
    """Note in a row of the history that the move of this number cut off, and if asked that those before did not."""
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


@no_refcount
def late_move_reduction(number: int, depth: int) -> int:
    """Return by how much less deep a move is tried first that comes late in the order."""
    if number < 3 or depth < 2:
        return 0
    return 1 if number < 8 else 2 if number < 20 else 3
