"""The compiled part of fitting the net: what it says of a sample in fractions, and the slopes of its losses."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import compiled
from kemu.engines.moeraki.net import (
    AREA_SIDE,
    DRAW,
    HIDDEN,
    KINDS,
    LOSS_KINDS,
    OUTPUTS,
    PHASES,
    POSSIBLE,
    ROW,
    SIDES,
    UNITS,
    WIN,
    WIN_KINDS,
    Net,
)
from kemu.engines.moeraki.net_inputs import AREA_CORNERS, AREA_COUNT, AREA_ENDS, COUNTS, TILES
from kemu.engines.moeraki.patterns import PATTERN_COUNT

ROW_RATE: Final = np.float32(0.0005)
AREA_ROW_RATE: Final = np.float32(0.02)
"""How far a row moves with a sample in its units and in its areas."""

ROW_DECAY: Final = np.float32(1e-3)
"""And back towards nothing in its areas."""

SUM_SHARE: Final = np.float32(1.0)
"""What the squared error of the difference of tiles counts beside the cross entropy of each area."""

UNKNOWN: Final = -1
LEAST_CHANCE: Final = 1e-9

Floats = NDArray[np.float32]


class Samples(NamedTuple):
    """Positions and how their games ended, an element for each."""

    patterns: NDArray[np.int64]
    counts: Floats  # divided by their scales
    areas: NDArray[np.int64]
    bucket: NDArray[np.int64]  # variant and phase
    result: Floats  # win, draw, loss
    kind: NDArray[np.int64]  # output of the kind of ending, UNKNOWN for a draw
    ends: NDArray[np.int64]  # how each area ended, UNKNOWN if the game did not end by the Marae


class Sample(NamedTuple):
    """One of them."""

    patterns: NDArray[np.int64]
    counts: Floats
    areas: NDArray[np.int64]
    bucket: int
    result: Floats
    kind: int
    ends: NDArray[np.int64]


class Layers(NamedTuple):
    """What a net has calculated for one sample."""

    units: Floats  # before they are clipped
    hidden: Floats  # likewise
    outputs: Floats
    chances: Floats  # by area and how it ends


@compiled
def clip(number: np.float32) -> np.float32:
    """The nearest number from 0 to 1."""
    return min(max(number, np.float32(0)), np.float32(1))


@compiled
def inside(number: np.float32) -> bool:
    """Whether clipping does not change a number and what is near it."""
    return np.float32(0) < number < np.float32(1)


@compiled
def softmax_part(numbers: Floats, first: int, count: int) -> None:
    """Makes chances of some logits in their place."""
    most, total = numbers[first], np.float32(0)
    for at in range(first, first + count):
        most = max(most, numbers[at])
    for at in range(first, first + count):
        numbers[at] = np.exp(numbers[at] - most)
        total += numbers[at]
    for at in range(first, first + count):
        numbers[at] /= total


@compiled
def forward_outputs(weights: Net, sample: Sample, layers: Layers) -> None:
    """Writes units, hidden units and outputs."""
    bucket, units, hidden, outputs = sample.bucket, layers.units, layers.hidden, layers.outputs
    units[:] = 0
    for pattern in sample.patterns:
        for unit in range(UNITS):
            units[unit] += weights.rows[pattern, unit]
    outputs[:] = 0
    for number in range(COUNTS):
        count = sample.counts[number]
        if count != 0:
            for unit in range(UNITS):
                units[unit] += count * weights.counts[number, unit]
            for output in range(OUTPUTS):
                outputs[output] += count * weights.direct[bucket, number, output]
    for number in range(HIDDEN):
        hidden[number] = weights.hidden[bucket, UNITS, number]
    for unit in range(UNITS):
        for number in range(HIDDEN):
            hidden[number] += clip(units[unit]) * weights.hidden[bucket, unit, number]
    for number in range(HIDDEN):
        for output in range(OUTPUTS):
            outputs[output] += clip(hidden[number]) * weights.outputs[bucket, number, output]


@compiled
def output_errors(sample: Sample, outputs: Floats) -> None:
    """Makes of the outputs the slopes of the cross entropy of the result and of the kind of ending."""
    result, beginner = sample.result, sample.bucket < PHASES
    most = max(outputs[WIN], np.float32(0))
    win, loss = np.exp(outputs[WIN] - most), np.exp(-most)
    draw = np.exp(outputs[DRAW] - most) if beginner else np.float32(0)
    total = win + draw + loss
    outputs[WIN], outputs[DRAW] = win / total - result[0], draw / total - result[1]
    first = WIN_KINDS if sample.kind < LOSS_KINDS else LOSS_KINDS
    for number in range(WIN_KINDS, OUTPUTS):
        if sample.kind == UNKNOWN or not first <= number < first + KINDS:
            outputs[number] = 0
    if sample.kind != UNKNOWN:
        softmax_part(outputs, first, KINDS - 1 if beginner else KINDS)
        outputs[sample.kind] -= np.float32(1)
        if beginner:
            outputs[first + KINDS - 1] = 0


@compiled
def backward_outputs(weights: Net, sample: Sample, layers: Layers, slopes: Net) -> None:
    """Adds the slopes of all weights but the rows; those of the units are left in their place."""
    bucket, units, hidden, errors = sample.bucket, layers.units, layers.hidden, layers.outputs
    for number in range(COUNTS):
        if sample.counts[number] != 0:
            for output in range(OUTPUTS):
                slopes.direct[bucket, number, output] += sample.counts[number] * errors[output]
    for number in range(HIDDEN):
        slope = np.float32(0)
        for output in range(OUTPUTS):
            slopes.outputs[bucket, number, output] += clip(hidden[number]) * errors[output]
            slope += weights.outputs[bucket, number, output] * errors[output]
        hidden[number] = slope if inside(hidden[number]) else np.float32(0)
        slopes.hidden[bucket, UNITS, number] += hidden[number]
    for unit in range(UNITS):
        slope = np.float32(0)
        for number in range(HIDDEN):
            slopes.hidden[bucket, unit, number] += clip(units[unit]) * hidden[number]
            slope += weights.hidden[bucket, unit, number] * hidden[number]
        units[unit] = slope if inside(units[unit]) else np.float32(0)
    for number in range(COUNTS):
        if sample.counts[number] != 0:
            for unit in range(UNITS):
                slopes.counts[number, unit] += sample.counts[number] * units[unit]


@compiled
def move_rows(weights: Net, squares: Floats, sample: Sample, units: Floats, rate: np.float32) -> None:
    """Moves the rows of all patterns by the slopes of the units."""
    for pattern in sample.patterns:
        for unit in range(UNITS):
            squares[pattern, unit] += units[unit] * units[unit]
            spread = np.float32(0.3) + np.sqrt(squares[pattern, unit])
            weights.rows[pattern, unit] -= rate * ROW_RATE * units[unit] / spread


@compiled
def forward_areas(weights: Net, sample: Sample, layers: Layers) -> np.float32:
    """Writes how likely areas end in each way; returns the difference of tiles to expect."""
    phase, sides, total = sample.bucket % PHASES, layers.units, np.float32(0)
    sides[:SIDES] = 0
    for number in range(COUNTS):
        if sample.counts[number] != 0:
            for side in range(SIDES):
                sides[side] += sample.counts[number] * weights.area_counts[sample.bucket, number, side]
    for area in range(AREA_COUNT):
        chances, state = layers.chances[area], sample.areas[area]
        for end in range(AREA_ENDS):
            chances[end] = np.float32(-1e9)
            if POSSIBLE[state, end]:
                side = AREA_SIDE[end]
                chances[end] = sides[side] + weights.area_states[phase, state, end]
                for corner in AREA_CORNERS[area]:
                    if corner >= 0:
                        chances[end] += weights.rows[sample.patterns[corner], UNITS + side]
        softmax_part(chances, 0, AREA_ENDS)
        for end in range(AREA_ENDS):
            total += TILES[end] * chances[end]
    return total


@compiled
def learn_areas(weights: Net, squares: Floats, sample: Sample, layers: Layers, slopes: Net, rate: np.float32) -> None:
    """Adds the slopes of the weights of areas and moves the rows by them."""
    total, sides = forward_areas(weights, sample, layers), layers.units
    for area in range(AREA_COUNT):
        total -= np.float32(TILES[sample.ends[area]])
    sides[:] = 0  # those of all areas, then those of one
    for area in range(AREA_COUNT):
        chances, state, tiles = layers.chances[area], sample.areas[area], np.float32(0)
        for end in range(AREA_ENDS):
            tiles += np.float32(TILES[end]) * chances[end]
        sides[SIDES : 2 * SIDES] = 0
        for end in range(AREA_ENDS):
            if POSSIBLE[state, end]:
                error = chances[end] + SUM_SHARE * total * chances[end] * (np.float32(TILES[end]) - tiles)
                error -= np.float32(1) if end == sample.ends[area] else np.float32(0)
                slopes.area_states[sample.bucket % PHASES, state, end] += error
                sides[AREA_SIDE[end]] += error
                sides[SIDES + AREA_SIDE[end]] += error
        for corner in AREA_CORNERS[area]:
            if corner >= 0:
                _move_area_row(weights.rows[sample.patterns[corner]], squares[sample.patterns[corner]], sides, rate)
    for number in range(COUNTS):
        if sample.counts[number] != 0:
            for side in range(SIDES):
                slopes.area_counts[sample.bucket, number, side] += sample.counts[number] * sides[side]


@compiled
def _move_area_row(row: Floats, squares: Floats, sides: Floats, rate: np.float32) -> None:
    for side in range(SIDES):
        slope = sides[SIDES + side]
        squares[UNITS + side] += slope * slope
        move = slope + ROW_DECAY * row[UNITS + side]
        row[UNITS + side] -= rate * AREA_ROW_RATE * move / (np.float32(1) + np.sqrt(squares[UNITS + side]))


@compiled
def sample_at(samples: Samples, number: int) -> Sample:
    """One of the samples."""
    return Sample(
        samples.patterns[number],
        samples.counts[number],
        samples.areas[number],
        samples.bucket[number],
        samples.result[number],
        samples.kind[number],
        samples.ends[number],
    )


@compiled
def new_layers() -> Layers:
    """Arrays to calculate in."""
    return Layers(
        np.zeros(UNITS, np.float32),
        np.zeros(HIDDEN, np.float32),
        np.zeros(OUTPUTS, np.float32),
        np.zeros((AREA_COUNT, AREA_ENDS), np.float32),
    )


@compiled
def learn_batch(weights: Net, squares: Any, samples: Samples, chosen: Any, slopes: Net, rate: np.float32) -> None:
    """Adds to the slopes what some samples say, and moves the rows of patterns by each of them in turn.

    `squares` are the sums of the squares of all slopes of rows before; `rate` falls from 1 to 0 while a net learns.
    """
    layers = new_layers()
    for number in chosen:
        sample = sample_at(samples, number)
        forward_outputs(weights, sample, layers)
        output_errors(sample, layers.outputs)
        backward_outputs(weights, sample, layers, slopes)
        move_rows(weights, squares, sample, layers.units, rate)
        if sample.ends[0] != UNKNOWN:
            learn_areas(weights, squares, sample, layers, slopes, rate)


@compiled
def write_predictions(weights: Net, samples: Samples, chosen: Any, outputs: Any, areas: Any) -> None:
    """Writes for each chosen sample its outputs, and how likely areas end in each way."""
    layers = new_layers()
    for at in range(len(chosen)):
        sample = sample_at(samples, chosen[at])
        forward_outputs(weights, sample, layers)
        outputs[at] = layers.outputs
        forward_areas(weights, sample, layers)
        areas[at] = layers.chances
