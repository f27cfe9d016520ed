"""The net that predicts how a game of any variant will end: the result, the kind of ending, and the owner of each area.

Each parameter of a pattern has a row of numbers. The sum of the rows of all patterns and of the counts of a position
goes through two layers of clipped units to the *outputs*: logits of a win and of a draw against a loss, and of the
lines, or the Marae, by which a win or a loss comes. The owner of an area follows from its state, the rows of the
patterns around it, and the counts. All of it is in whole numbers, the same on every machine, for the side to move.
"""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import borrowing, compiled
from kemu.engines.moeraki.expected_tiles import SUMS
from kemu.engines.moeraki.kernel import BEGINNER, Numbers
from kemu.engines.moeraki.net_inputs import (
    AREA_CORNERS,
    AREA_COUNT,
    AREA_ENDS,
    AREA_STATES,
    COUNTS,
    EQUAL_CHANCES,
    LEFT,
    write_area_states,
    write_counts,
    write_patterns,
)
from kemu.engines.moeraki.patterns import PATTERN_COUNT, ball_patterns, parameter_count
from kemu.engines.moeraki.transposition import Sides
from kemu.engines.moeraki.weights import load_net_arrays, shipped_file

UNITS: Final = 16  # of the first layer
HIDDEN: Final = 16  # of the second
AREA_SIDES: Final = 3  # who may get an area: the side to move, nobody, the other
ROW: Final = UNITS + AREA_SIDES

# Outputs.
WIN: Final = 0
DRAW: Final = 1  # counts in the beginner's game only
WIN_KINDS: Final = 2  # by tahuna, awa, ara, Marae
LOSS_KINDS: Final = 6
OUTPUTS: Final = 10
KINDS: Final = 4

PHASES: Final = 4
"""The last layers are chosen by variant and by how full the board is."""

# What 1 is in whole numbers: in rows, in weights of the layers, and in units, logits of areas and weights of counts.
ROW_ONE: Final = 1 << 8
WEIGHT_ONE: Final = 1 << 10
UNIT_ONE: Final = 1 << 16
LOGIT_ONE: Final = UNIT_ONE * WEIGHT_ONE

IMPOSSIBLE: Final = -(1 << 40)
"""The logit of what cannot be."""


class Net(NamedTuple):
    """The weights, whole for playing and fractions while they are learned."""

    rows: NDArray[Any]  # by parameter of a pattern
    counts: NDArray[Any]  # by count, what it adds to each unit
    hidden: NDArray[Any]  # by variant and phase, from units and a constant to hidden units
    outputs: NDArray[Any]  # by variant and phase, from hidden units to outputs
    direct: NDArray[Any]  # by variant and phase, from counts to outputs
    area_states: NDArray[Any]  # by phase and state of an area, to its ends
    area_counts: NDArray[Any]  # by variant and phase, from counts to the three sides


SHAPES: Final = {
    "rows": (parameter_count(), ROW),
    "counts": (COUNTS, UNITS),
    "hidden": (3 * PHASES, UNITS + 1, HIDDEN),
    "outputs": (3 * PHASES, HIDDEN, OUTPUTS),
    "direct": (3 * PHASES, COUNTS, OUTPUTS),
    "area_states": (PHASES, AREA_STATES + 1, AREA_ENDS),
    "area_counts": (3 * PHASES, COUNTS, AREA_SIDES),
}
"""By field of a net."""

ONES: Final = dict(zip(SHAPES, (ROW_ONE, UNIT_ONE, WEIGHT_ONE, WEIGHT_ONE, LOGIT_ONE, UNIT_ONE, UNIT_ONE), strict=True))
"""What 1 is in each field."""

POSSIBLE: Final = EQUAL_CHANCES > 0
"""How areas may end, by their state."""

AREA_SIDE: Final = np.array([0, 0, 1, 2, 2], np.int64)
"""Whose area it is by how it ends."""


@lru_cache(maxsize=1)
def shipped_net() -> Net:
    """The net that comes with Kemu."""
    return Net(**load_net_arrays(shipped_file()))


@borrowing
def phase_of(left: int) -> int:
    """The phase of a game with so many empty hollows."""
    return min(left * PHASES // 57, PHASES - 1)


@compiled
def write_outputs(net: Net, patterns: Numbers, counts: Numbers, bucket: int, found: Numbers) -> None:
    """Writes the outputs as logits times LOGIT_ONE."""
    units, hidden = np.zeros(UNITS, np.int64), np.zeros(HIDDEN, np.int64)
    for number in range(PATTERN_COUNT):
        for unit in range(UNITS):
            units[unit] += net.rows[patterns[number], unit] * (UNIT_ONE // ROW_ONE)
    for number in range(COUNTS):
        for unit in range(UNITS):
            units[unit] += counts[number] * net.counts[number, unit]
    for number in range(HIDDEN):
        total = UNIT_ONE * net.hidden[bucket, UNITS, number]
        for unit in range(UNITS):
            total += min(max(units[unit], 0), UNIT_ONE) * net.hidden[bucket, unit, number]
        hidden[number] = min(max(total // WEIGHT_ONE, 0), UNIT_ONE)
    for output in range(OUTPUTS):
        total = 0
        for number in range(HIDDEN):
            total += hidden[number] * net.outputs[bucket, number, output]
        for number in range(COUNTS):
            total += counts[number] * net.direct[bucket, number, output]
        found[output] = total


@compiled
def write_area_logits(net: Net, inputs: tuple[Any, Any, Any], bucket: int, found: NDArray[np.int64]) -> None:
    """Writes by area the logits of its ends times UNIT_ONE, from its patterns, counts and states of areas."""
    patterns, counts, areas = inputs
    everywhere = np.zeros(AREA_SIDES, np.int64)
    for number in range(COUNTS):
        for side in range(AREA_SIDES):
            everywhere[side] += counts[number] * net.area_counts[bucket, number, side]
    for area in range(AREA_COUNT):
        for end in range(AREA_ENDS):
            found[area, end] = IMPOSSIBLE
            if POSSIBLE[areas[area], end]:
                side = AREA_SIDE[end]
                total = everywhere[side] + net.area_states[bucket % PHASES, areas[area], end]
                for corner in AREA_CORNERS[area]:
                    if corner >= 0:
                        total += net.rows[patterns[corner], UNITS + side] * (UNIT_ONE // ROW_ONE)
                found[area, end] = total


@compiled
def _write_logits(net: Net, at: tuple[Any, Any, int, int, int], patterns: Any, outputs: Any, areas: Any) -> None:
    own, other, tanes, ball_at, variant = at
    sides = Sides(own, other, tanes)
    parameters, counts, states = np.zeros(PATTERN_COUNT, np.int64), np.zeros(COUNTS, np.int64), np.zeros(64, np.int64)
    write_patterns(sides, patterns, states, parameters)
    write_counts(sides, ball_at, variant, np.zeros(SUMS, np.int64), counts)
    write_area_states(sides, ball_at, variant, states)
    bucket = variant * PHASES + phase_of(counts[LEFT])
    write_outputs(net, parameters, counts, bucket, outputs)
    write_area_logits(net, (parameters, counts, states), bucket, areas)


class Outlook(NamedTuple):
    """What the net says of a position, for the side to move."""

    win: float
    draw: float
    loss: float
    win_kinds: NDArray[np.float64]  # how likely a win by tahuna, awa, ara and the Marae is; their sum is `win`
    loss_kinds: NDArray[np.float64]
    areas: NDArray[np.float64]  # by area, how likely it ends in each way, if the game ends by the Marae

    @property
    def score(self) -> float:
        """The expected score."""
        return self.win + self.draw / 2


def outlook(net: Net, sides: Sides, ball_at: int, variant: int) -> Outlook:
    """What a net says of a position with the ball on this cell."""
    patterns = ball_patterns(ball_at)
    logits, areas = np.zeros(OUTPUTS, np.int64), np.zeros((AREA_COUNT, AREA_ENDS), np.int64)
    at = (np.uint64(sides.own), np.uint64(sides.other), int(sides.tanes), ball_at, variant)
    _write_logits(net, at, (patterns.empty, patterns.changes, patterns.parameters), logits, areas)
    chances = output_chances(logits[None] / LOGIT_ONE, np.array([variant]))[0]
    win, draw, loss = map(float, chances[:3])
    return Outlook(win, draw, loss, chances[3:7], chances[7:], softmax(areas / UNIT_ONE))


def output_chances(logits: NDArray[np.float64], variant: NDArray[np.int64]) -> NDArray[np.float64]:
    """From the outputs for positions: win, draw, loss, then the four kinds of wins and those of losses."""
    beginner = variant == BEGINNER
    results = np.stack((logits[:, WIN], np.where(beginner, logits[:, DRAW], IMPOSSIBLE), np.zeros(len(logits))), 1)
    kinds = logits[:, WIN_KINDS:].reshape(-1, 2, KINDS).copy()
    kinds[beginner, :, KINDS - 1] = IMPOSSIBLE  # the beginner's game knows no Marae
    results, kinds = softmax(results), softmax(kinds)
    return np.concatenate((results, results[:, :1] * kinds[:, 0], results[:, 2:] * kinds[:, 1]), axis=1)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Chances in the last axis, whose sum is 1."""
    powers = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=-1, keepdims=True))
