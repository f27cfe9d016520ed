"""The learned evaluation: sums over states of patterns, kept up to date stone by stone, and a small network on them.

All of it is integer arithmetic, so that every machine finds the same scores. The sums are kept for both sides: the
first side is the one to move at ply 1 of the tree search, so that it is to move at odd plies.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import (
    NUMBERS,
    ZERO,
    borrowing,
    drop_lowest,
    lowest,
    popcount,
    tuple_type,
    types,
)
from kemu.engines.moeraki.features import CLOSED_ROWS, INPUTS, closed_row, write_inputs, write_rows
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.patterns import MOST_PATTERNS, PATTERN_COUNT, BallPatterns, Rows
from kemu.engines.moeraki.transposition import Sides

CHANNELS: Final = 12
"""Sums for each side."""

SUM_COUNT: Final = 2 * CHANNELS
WIDTH: Final = SUM_COUNT + INPUTS
HIDDEN: Final = 8
PHASE_HOLLOWS: Final = 4
"""So many numbers of hollows left share one head."""

PHASES: Final = 56 // PHASE_HOLLOWS + 1

# The bits behind the point: of sums and inputs, of the weights on them, of those of the hidden layer.
SUM_BITS: Final = 9
WEIGHT_BITS: Final = 10
HIDDEN_BITS: Final = 9
HIDDEN_LIMIT: Final = 1 << 14

# Where the parts of a head begin.
BIAS: Final = WIDTH
FIRST_LAYER: Final = BIAS + 1
HIDDEN_BIAS: Final = FIRST_LAYER + WIDTH * HIDDEN
SECOND_LAYER: Final = HIDDEN_BIAS + HIDDEN
HEAD: Final = SECOND_LAYER + HIDDEN

LOGIT: Final = 600
"""The score for which a win is e times as likely as a loss."""

LARGEST_SCORE: Final = 15_000

Sums = NDArray[np.int32]
Table = NDArray[np.int16]


class NetworkWeights(NamedTuple):
    """What is learned; no heads at all mean that nothing is."""

    table: Table
    closed: Sums
    heads: Sums


NO_WEIGHTS: Final = NetworkWeights(
    np.zeros((0, SUM_COUNT), np.int16), np.zeros((CLOSED_ROWS, SUM_COUNT), np.int32), np.zeros((0, HEAD), np.int32)
)


class NetworkContext(NamedTuple):
    """The weights, and the states of the patterns and the sums by ply."""

    patterns: BallPatterns
    table: Table  # by row of a pattern, what it adds to the sums
    closed: Sums  # by kind of closed area, what it adds to the sums, the side to move first
    heads: Sums  # by variant and phase, see above
    cells: Numbers  # by ply, the stone that was laid last
    rows: Rows  # by ply, the states of the patterns
    sums: Sums  # by ply
    inputs: Numbers
    layer: Sums  # the inputs of the network and its hidden layer


INTEGERS: Final = types.Array(types.int32, 1, "C")
INTEGER_ROWS: Final = types.Array(types.int32, 2, "C")
SHORT_ROWS: Final = types.Array(types.int16, 2, "C")
BALL_PATTERNS: Final = tuple_type(BallPatterns, INTEGERS, INTEGER_ROWS, INTEGER_ROWS)
NETWORK_CONTEXT: Final = tuple_type(
    NetworkContext,
    BALL_PATTERNS,
    SHORT_ROWS,
    INTEGER_ROWS,
    INTEGER_ROWS,
    NUMBERS,
    INTEGER_ROWS,
    INTEGER_ROWS,
    NUMBERS,
    INTEGERS,
)


def new_context(patterns: BallPatterns, weights: NetworkWeights, plies: int) -> NetworkContext:
    """Weights with new arrays to write to, for so many plies."""
    table, closed, heads = weights
    cells, inputs = np.zeros(plies, np.int64), np.zeros(INPUTS, np.int64)
    rows, sums = np.zeros((plies, PATTERN_COUNT + 1), np.int32), np.zeros((plies, SUM_COUNT), np.int32)
    layer = np.zeros(WIDTH + HIDDEN, np.int32)
    return NetworkContext(patterns, table, closed, heads, cells, rows, sums, inputs, layer)


@borrowing
def set_sums(own: np.uint64, other: np.uint64, ply: int, network: NetworkContext) -> None:
    """Writes states and sums of a position at an odd ply."""
    rows, sums, table = network.rows[ply], network.sums[ply], network.table
    write_rows(own, other, network.patterns, rows)
    for channel in range(SUM_COUNT):
        sums[channel] = 0
    for number in range(PATTERN_COUNT):
        for channel in range(SUM_COUNT):
            sums[channel] += table[rows[number], channel]


@borrowing
def add_stone(ply: int, network: NetworkContext) -> None:
    """Writes the sums at a ply from those of the ply before and the stone laid since."""
    cell, side = network.cells[ply], 1 if ply % 2 == 0 else 2
    patterns, steps = network.patterns.patterns[cell], network.patterns.steps[cell]
    rows, sums, before, table = network.rows[ply - 1], network.sums[ply], network.sums[ply - 1], network.table
    for channel in range(SUM_COUNT):
        sums[channel] = before[channel]
    for number in range(MOST_PATTERNS):
        row = rows[patterns[number]]
        after = row + side * steps[number]
        for channel in range(SUM_COUNT):
            sums[channel] += table[after, channel] - table[row, channel]


@borrowing
def add_rows(ply: int, network: NetworkContext) -> None:
    """Writes the states of the patterns at a ply from those of the ply before and the stone laid since."""
    cell, side = network.cells[ply], 1 if ply % 2 == 0 else 2
    rows, before = network.rows[ply], network.rows[ply - 1]
    patterns, steps = network.patterns.patterns[cell], network.patterns.steps[cell]
    for number in range(PATTERN_COUNT + 1):
        rows[number] = before[number]
    for number in range(MOST_PATTERNS):
        rows[patterns[number]] += side * steps[number]


@borrowing
def run_head(head: Sums, layer: Sums) -> int:
    """The score that a head gives to the inputs in a layer; the rest of the layer is written to."""
    total = head[BIAS]
    for number in range(HIDDEN):
        layer[WIDTH + number] = head[HIDDEN_BIAS + number]
    for at in range(WIDTH):
        value = layer[at]
        total += value * head[at]
        first = FIRST_LAYER + at * HIDDEN
        for number in range(HIDDEN):
            layer[WIDTH + number] += value * head[first + number]
    for number in range(HIDDEN):
        active = min(max(layer[WIDTH + number] >> HIDDEN_BITS, 0), HIDDEN_LIMIT)
        total += active * head[SECOND_LAYER + number]
    return (total * LOGIT) >> (SUM_BITS + WEIGHT_BITS)


@borrowing
def network_score(
    sides: Sides, variant: int, ball: np.uint64, ply: int, scratch: Numbers, network: NetworkContext
) -> int:
    """The score of the position at a ply for the side to move, from the sums of that ply; `scratch` is written to."""
    layer, sums = network.layer, network.sums[ply]
    own, other = (0, CHANNELS) if ply % 2 == 1 else (CHANNELS, 0)
    for channel in range(CHANNELS):
        layer[channel], layer[CHANNELS + channel] = sums[own + channel], sums[other + channel]
    areas = write_inputs(sides, variant, ball, scratch, network.inputs)
    for number in range(INPUTS):
        layer[SUM_COUNT + number] = network.inputs[number] << SUM_BITS
    layer[SUM_COUNT + INPUTS - 1] >>= 4  # the gain of a Tane comes in 16ths
    while areas != ZERO:
        row = closed_row(lowest(areas), sides.own, sides.other, ball)
        areas = drop_lowest(areas)
        for channel in range(SUM_COUNT):
            layer[channel] += network.closed[row, channel]
    left = 56 - popcount(sides.own | sides.other)
    score = run_head(network.heads[variant * PHASES + left // PHASE_HOLLOWS], layer)
    return max(min(score, LARGEST_SCORE), -LARGEST_SCORE)
