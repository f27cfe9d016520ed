"""What the learned evaluation is given of a position: the states of its patterns, closed areas, Tane and starter."""

from typing import Final

import numpy as np

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, lowest, popcount
from kemu.engines.moeraki.evaluation import closed_areas, hands_of
from kemu.engines.moeraki.expected_tiles import area_kind, best_tane_gain, sum_diagonals
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.packed import is_starter
from kemu.engines.moeraki.patterns import MOST_PATTERNS, PATTERN_COUNT, BallPatterns, Rows
from kemu.engines.moeraki.tables import AREAS, CORNERS
from kemu.engines.moeraki.transposition import Sides

CLOSED_ROWS: Final = 75
"""Kinds of areas closed by a Tane: of three kinds, with 0 to 4 stones of either side."""

# The other inputs.
STARTER_INPUT: Final = 0  # 1 if the side to move placed the ball, else -1
OWN_HAND_INPUT: Final = 1  # 1 if the side to move has its Tane in hand
OTHER_HAND_INPUT: Final = 2
GAIN_INPUT: Final = 3  # what the best placements of the Tane in hand gain, in 16ths of a tile
INPUTS: Final = 4


@borrowing
def write_rows(own: np.uint64, other: np.uint64, patterns: BallPatterns, rows: Rows) -> None:
    """Writes by pattern the row of its state, with the stones of the side to move as the first side."""
    for number in range(PATTERN_COUNT + 1):
        rows[number] = patterns.empty[number]
    for side in (1, 2):
        stones = own if side == 1 else other
        while stones != ZERO:
            cell = lowest(stones)
            stones = drop_lowest(stones)
            for number in range(MOST_PATTERNS):
                rows[patterns.patterns[cell, number]] += side * patterns.steps[cell, number]


@borrowing
def closed_row(area: int, own: np.uint64, other: np.uint64, ball: np.uint64) -> int:
    """Which of the CLOSED_ROWS an area is, from the side to move."""
    corners = CORNERS[area]
    kind = area_kind(area, corners, ball)
    return 25 * kind + 5 * popcount(corners & own) + popcount(corners & other)


@borrowing
def write_inputs(sides: Sides, variant: int, ball: np.uint64, sums: Numbers, inputs: Numbers) -> np.uint64:
    """Writes the other inputs; returns the closed areas. `sums` is written to."""
    closed, hands = closed_areas(sides.tanes) & AREAS, hands_of(sides, variant)
    inputs[STARTER_INPUT] = 1 if is_starter(sides.tanes) else -1
    inputs[OWN_HAND_INPUT], inputs[OTHER_HAND_INPUT] = hands & 1, hands >> 1
    inputs[GAIN_INPUT] = 0
    if hands != 0:
        sum_diagonals(sides.own, sides.other, ball, closed, sums)
        inputs[GAIN_INPUT] = best_tane_gain(hands, sums) // 8
    return closed
