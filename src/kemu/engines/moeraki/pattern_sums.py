"""What the learned patterns say, kept stone by stone: of the position, and of each stone that may be laid.

The weights of a search are one array, because each array in its context takes time at every call: the weights of lines
and tiles; how many rows there are; for each pattern the row of its state without stones; the changes by each stone; the
rows; and as many ranks. A row is four numbers of 16 bits: what the state is worth to the first side, the one that
placed the ball, when it is to move, on a full board and on an empty one, and the same for the second side. A rank is
two numbers of 16 bits: how promising a stone of the first side looks in the middle of the pattern, and one of the
second.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, inlined, lowest
from kemu.engines.moeraki.expected_tiles import SUMS
from kemu.engines.moeraki.kernel import Numbers, corners_of
from kemu.engines.moeraki.packed import is_starter
from kemu.engines.moeraki.patterns import MOST_PATTERNS, ball_patterns
from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.engines.moeraki.transposition import Sides
from kemu.engines.moeraki.weights import Weights

LARGEST_WORTH: Final = 500
"""57 of these stay within 16 bits."""

LARGEST_RANK: Final = 10_000

# Parts of the weights; the first are those of lines and tiles.
ROW_COUNT: Final = 42
EMPTY_ROWS: Final = ROW_COUNT + 1
CHANGES: Final = EMPTY_ROWS + 64
FIRST_ROW: Final = CHANGES + 64 * MOST_PATTERNS
"""Stands for the cells that are no hollow, and is worth nothing."""

# By ply, after the sums of the evaluation: the row of each pattern, and the sum of these rows.
STATES: Final = SUMS
TOTAL: Final = STATES + 64
RANKS: Final = TOTAL + 1

_BIAS: Final = 0x8000_8000_8000
_HALF: Final = 0x8000
_MASK: Final = 0xFFFF


def weights_with_patterns(weights: Weights, ball_at: int) -> Numbers:
    """The array for games with the ball on this cell."""
    patterns = ball_patterns(ball_at)
    assert len(weights.counted) == ROW_COUNT
    assert np.abs(weights.worths).max(initial=0) <= LARGEST_WORTH
    assert np.abs(weights.ranks).max(initial=0) <= LARGEST_RANK
    late, early = weights.worths.T
    pairs = late + (early << 16)
    rows = pairs[patterns.parameters] + (pairs[patterns.exchanged] << 32)
    ranks = weights.ranks[patterns.parameters] + (weights.ranks[patterns.exchanged] << 16)
    empty = np.where(np.isin(np.arange(64), HOLLOW_BIT), patterns.empty + FIRST_ROW + 1, FIRST_ROW)
    return np.concatenate((weights.counted, [len(rows) + 1], empty, patterns.changes.ravel(), [0], rows, [0], ranks))


@inlined
def lay_in_patterns(before: Numbers, after: Numbers, cell: int, digit: int, weights: Numbers) -> None:
    """Writes the states of the patterns after a stone here; `digit` is 1 for the first side, 2 for the second."""
    for number in range(STATES, RANKS):
        after[number] = before[number]
    total = before[TOTAL]
    for number in range(CHANGES + MOST_PATTERNS * cell, CHANGES + MOST_PATTERNS * (cell + 1)):
        change = weights[number]
        at = STATES + (change >> 16)
        row = after[at] + digit * (change & _MASK)
        total += weights[row] - weights[after[at]]
        after[at] = row
    after[TOTAL] = total


@borrowing
def begin_patterns(sides: Sides, ranks: Numbers, weights: Numbers) -> None:
    """Writes the states of the patterns of a position."""
    total = 0
    for cell in range(64):
        ranks[STATES + cell] = weights[EMPTY_ROWS + cell]
        total += weights[weights[EMPTY_ROWS + cell]]
    ranks[TOTAL] = total
    starter = is_starter(sides.tanes)
    for digit in (1, 2):
        stones = sides.own if (digit == 1) == starter else sides.other
        while stones != ZERO:
            lay_in_patterns(ranks, ranks, lowest(stones), digit, weights)
            stones = drop_lowest(stones)


@borrowing
def pattern_score(sides: Sides, left: int, closed: np.uint64, ranks: Numbers, weights: Numbers) -> int:
    """What the patterns say for the side to move, without those that hold a hollow of a closed area in the middle."""
    total = ranks[TOTAL]
    if closed != ZERO:
        middles = corners_of(closed)
        while middles != ZERO:
            total -= weights[ranks[STATES + lowest(middles)]]
            middles = drop_lowest(middles)
    total += _BIAS
    if not is_starter(sides.tanes):
        total >>= 32
        late, early = (total & _MASK) - _HALF, total >> 16
    else:
        late, early = (total & _MASK) - _HALF, (total >> 16 & _MASK) - _HALF
    return (late * (56 - left) + early * left) // 56


@borrowing
def rank_patterns(sides: Sides, cells: np.uint64, ranks: Numbers, weights: Numbers) -> None:
    """Adds to the rank of each of these cells how promising a stone of the side to move looks there."""
    starter, ahead = is_starter(sides.tanes), weights[ROW_COUNT]
    while cells != ZERO:
        cell = lowest(cells)
        cells = drop_lowest(cells)
        both = weights[ranks[STATES + cell] + ahead] + _HALF
        ranks[cell] += (both & _MASK) - _HALF if starter else both >> 16
