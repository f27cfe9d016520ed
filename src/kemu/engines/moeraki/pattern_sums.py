"""What the learned patterns add to the evaluation, kept stone by stone.

The weights of a search are one array, because each array in its context takes time at every call: the weights of lines
and tiles, then for each pattern the row of its state without stones, the changes by each stone, and the rows. A row is
four numbers of 16 bits: what the state is worth to the first side, the one that placed the ball, when it is to move, on
a full board and on an empty one, and the same for the second side.
"""

from functools import lru_cache
from importlib.resources import files
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, inlined, lowest
from kemu.engines.moeraki.expected_tiles import SUMS
from kemu.engines.moeraki.kernel import Numbers, corners_of
from kemu.engines.moeraki.packed import is_starter
from kemu.engines.moeraki.patterns import MOST_PATTERNS, ball_patterns
from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.engines.moeraki.transposition import Sides

FILE: Final = "patterns.npz"
"""The worth of each parameter by variant, two columns: on a full board and on an empty one."""

LARGEST_WORTH: Final = 500
"""57 of these stay within 16 bits."""

# Parts of the weights; the first are those of lines and tiles.
EMPTY_ROWS: Final = 42
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


@lru_cache(maxsize=1)
def learned_worths() -> dict[str, NDArray[np.int16]]:
    """The worth of each parameter by variant."""
    with files(__package__).joinpath(FILE).open("rb") as file, np.load(file) as arrays:
        return {name: arrays[name] for name in arrays.files}


def weights_with_patterns(weights: Numbers, worths: NDArray[np.int16], ball_at: int) -> Numbers:
    """The array for games with the ball on this cell: weights of lines and tiles, then those of the patterns."""
    patterns = ball_patterns(ball_at)
    assert len(weights) == EMPTY_ROWS
    assert np.abs(worths).max(initial=0) <= LARGEST_WORTH
    late, early = worths.astype(np.int64).T
    pairs = late + (early << 16)
    rows = pairs[patterns.parameters] + (pairs[patterns.exchanged] << 32)
    empty = np.where(np.isin(np.arange(64), HOLLOW_BIT), patterns.empty + FIRST_ROW + 1, FIRST_ROW)
    return np.concatenate((weights, empty, patterns.changes.ravel(), [0], rows))


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
