"""The compiled part of fitting the net: what it says of a sample in fractions, and the slopes of its losses."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import compiled
from kemu.engines.moeraki.net import (
    AREA_SIDE,
    AREA_SIDES,
    DRAW,
    HIDDEN,
    KINDS,
    LOSS_KINDS,
    OUTPUTS,
    PHASES,
    POSSIBLE,
    UNITS,
    WIN,
    WIN_KINDS,
    Net,
)
from kemu.engines.moeraki.net_inputs import AREA_CORNERS, AREA_COUNT, AREA_ENDS, COUNTS, TILES

ROW_RATE: Final = np.float32(0.0005)
ROW_SPREAD: Final = np.float32(0.3)
AREA_ROW_RATE: Final = np.float32(0.02)
"""How far a row moves with a sample in its units and in its areas."""

ROW_DECAY: Final = np.float32(1e-3)
"""And back towards nothing in its areas."""

SUM_SHARE: Final = np.float32(3.0)
"""What the squared error of the difference of tiles counts beside the cross entropy of each area."""

TILE_WORTHS: Final = TILES.astype(np.float32)
NEVER: Final = np.float32(-1e9)
"""The logit of what cannot be."""

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
    sides: Floats  # what is added in all areas
    side: Floats  # and in one of them
    chances: Floats  # by area and how it ends


@compiled
def add_scaled(total: Floats, factor: np.float32, row: Floats) -> None:
    """Adds a multiple of the first numbers of a row to as many others."""
    for number in range(len(total)):
        total[number] += factor * row[number]


@compiled
def product(row: Floats, column: Floats) -> np.float32:
    """The sum of the products of two rows."""
    total = np.float32(0)
    for number in range(len(row)):
        total += row[number] * column[number]
    return total


@compiled
def clip(number: np.float32) -> np.float32:
    """The nearest number from 0 to 1."""
    return min(max(number, np.float32(0)), np.float32(1))


@compiled
def slope_if_inside(number: np.float32, slope: np.float32) -> np.float32:
    """The slope before clipping, from that after it: nothing where clipping changes the number."""
    return slope if np.float32(0) < number < np.float32(1) else np.float32(0)


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
    units[:], outputs[:], hidden[:] = 0, 0, weights.hidden[bucket, UNITS]
    for pattern in sample.patterns:
        add_scaled(units, np.float32(1), weights.rows[pattern])
    for number in range(COUNTS):
        if sample.counts[number] != 0:
            add_scaled(units, sample.counts[number], weights.counts[number])
            add_scaled(outputs, sample.counts[number], weights.direct[bucket, number])
    for unit in range(UNITS):
        add_scaled(hidden, clip(units[unit]), weights.hidden[bucket, unit])
    for number in range(HIDDEN):
        add_scaled(outputs, clip(hidden[number]), weights.outputs[bucket, number])


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
    for number in range(HIDDEN):
        add_scaled(slopes.outputs[bucket, number], clip(hidden[number]), errors)
        hidden[number] = slope_if_inside(hidden[number], product(weights.outputs[bucket, number], errors))
    add_scaled(slopes.hidden[bucket, UNITS], np.float32(1), hidden)
    for unit in range(UNITS):
        add_scaled(slopes.hidden[bucket, unit], clip(units[unit]), hidden)
        units[unit] = slope_if_inside(units[unit], product(weights.hidden[bucket, unit], hidden))
    for number in range(COUNTS):
        if sample.counts[number] != 0:
            add_scaled(slopes.counts[number], sample.counts[number], units)
            add_scaled(slopes.direct[bucket, number], sample.counts[number], errors)


@compiled
def move_rows(weights: Net, squares: Floats, sample: Sample, units: Floats, rate: np.float32) -> None:
    """Moves the rows of all patterns by the slopes of the units."""
    for pattern in sample.patterns:
        for unit in range(UNITS):
            squares[pattern, unit] += units[unit] * units[unit]
            spread = ROW_SPREAD + np.sqrt(squares[pattern, unit])
            weights.rows[pattern, unit] -= rate * ROW_RATE * units[unit] / spread


@compiled
def forward_areas(weights: Net, sample: Sample, layers: Layers) -> np.float32:
    """Writes how likely areas end in each way; returns the difference of tiles to expect."""
    phase, sides, total = sample.bucket % PHASES, layers.sides, np.float32(0)
    sides[:] = 0
    for number in range(COUNTS):
        add_scaled(sides, sample.counts[number], weights.area_counts[sample.bucket, number])
    for area in range(AREA_COUNT):
        chances, state = layers.chances[area], sample.areas[area]
        layers.side[:] = sides
        for corner in AREA_CORNERS[area]:
            if corner >= 0:
                add_scaled(layers.side, np.float32(1), weights.rows[sample.patterns[corner], UNITS:])
        for end in range(AREA_ENDS):
            possible = POSSIBLE[state, end]
            chances[end] = layers.side[AREA_SIDE[end]] + weights.area_states[phase, state, end] if possible else NEVER
        softmax_part(chances, 0, AREA_ENDS)
        total += product(TILE_WORTHS, chances)
    return total


@compiled
def learn_areas(weights: Net, squares: Floats, sample: Sample, layers: Layers, slopes: Net, rate: np.float32) -> None:
    """Adds the slopes of the weights of areas and moves the rows by them."""
    total, sides = forward_areas(weights, sample, layers), layers.sides
    for area in range(AREA_COUNT):
        total -= TILE_WORTHS[sample.ends[area]]
    sides[:] = 0
    for area in range(AREA_COUNT):
        area_errors(layers.chances[area], sample.ends[area], SUM_SHARE * total)
        add_scaled(slopes.area_states[sample.bucket % PHASES, sample.areas[area]], np.float32(1), layers.chances[area])
        layers.side[:] = 0
        for end in range(AREA_ENDS):
            layers.side[AREA_SIDE[end]] += layers.chances[area, end]
        add_scaled(sides, np.float32(1), layers.side)
        for corner in AREA_CORNERS[area]:
            if corner >= 0:
                pattern = sample.patterns[corner]
                move_area_row(weights.rows[pattern, UNITS:], squares[pattern, UNITS:], layers.side, rate)
    for number in range(COUNTS):
        add_scaled(slopes.area_counts[sample.bucket, number], sample.counts[number], sides)


@compiled
def area_errors(chances: Floats, end: int, total: np.float32) -> None:
    """Makes of the chances of an area's ends the slopes of its losses; `total` is the error in all tiles."""
    tiles = product(TILE_WORTHS, chances)
    for number in range(AREA_ENDS):
        chances[number] += total * chances[number] * (TILE_WORTHS[number] - tiles)
    chances[end] -= np.float32(1)


@compiled
def move_area_row(row: Floats, squares: Floats, slopes: Floats, rate: np.float32) -> None:
    """Moves what a row adds to the sides in an area."""
    for side in range(AREA_SIDES):
        squares[side] += slopes[side] * slopes[side]
        move = slopes[side] + ROW_DECAY * row[side]
        row[side] -= rate * AREA_ROW_RATE * move / (np.float32(1) + np.sqrt(squares[side]))


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
        np.zeros(AREA_SIDES, np.float32),
        np.zeros(AREA_SIDES, np.float32),
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
