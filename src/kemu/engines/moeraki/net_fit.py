"""Fits the net to positions of games of the search against itself.

The rows of patterns move with each position, the less the more often they have moved (AdaGrad), so that states that
hardly occur stay near nothing; all other weights move with each batch (Adam).
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import compiled
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.kernel import barred, majorities
from kemu.engines.moeraki.net import (
    HIDDEN,
    KINDS,
    LOSS_KINDS,
    ONES,
    OUTPUTS,
    PHASES,
    POSSIBLE,
    SHAPES,
    UNITS,
    WIN_KINDS,
    Net,
    output_chances,
    phase_of,
)
from kemu.engines.moeraki.net_descent import LEAST_CHANCE, UNKNOWN, Samples, learn_batch, write_predictions
from kemu.engines.moeraki.net_inputs import (
    AREA_CELLS,
    AREA_COUNT,
    AREA_ENDS,
    EQUAL_CHANCES,
    LEFT,
    NOBODY,
    OTHER_FULL,
    OTHER_HALF,
    OWN_FULL,
    OWN_HALF,
    SCALES,
    TILES,
    inputs_of,
)
from kemu.engines.moeraki.packed import U, other_tane, own_tane

HELD_OUT: Final = 8
"""One game of so many is not trained on."""

RESULT_SHARE: Final = 0.65
"""How much of the target is the result of the game; the rest is what the search expected, calibrated."""

CLOSEST: Final = 1e-4
"""No expectation counts as nearer to certain."""

NEWTON_STEPS: Final = 8

BATCH: Final = 256
RATE: Final = 0.003
"""How far a weight moves with a batch at first; the rate falls evenly to 0."""

MEMORY: Final = (0.9, 0.999)
"""How much of the means of slopes and of their squares stays with each batch."""


class Losses(NamedTuple):
    """Means over positions: cross entropies, and squared errors in tiles where the Marae decided."""

    result: float
    kind: float  # given who won
    area_ends: float
    area: float
    tiles: float  # of the difference of all tiles


class NetEpoch(NamedTuple):
    """What one pass over all positions came to."""

    number: int  # from 1
    trained: Losses
    held_out: Losses  # on games that were not trained on
    arrays: dict[str, NDArray[Any]]


@compiled
def _write_ends(last: Any, ball: Any, found: Any) -> None:
    """Writes how each area ended on full boards."""
    own, other, tanes = last
    for number in range(len(own)):
        ball_bit = U(1) << U(ball[number])
        mine, mine_full = majorities(own[number], ball_bit)
        theirs, theirs_full = majorities(other[number], ball_bit)
        closed = barred(U(own_tane(tanes[number])), U(other_tane(tanes[number])))
        for area in range(AREA_COUNT):
            at = U(1) << U(AREA_CELLS[area])
            end = NOBODY
            if mine & at & ~closed:
                end = OWN_FULL if mine_full & at else OWN_HALF
            elif theirs & at & ~closed:
                end = OTHER_FULL if theirs_full & at else OTHER_HALF
            found[number, area] = end


def is_held_out(positions: Mapping[str, NDArray[Any]]) -> NDArray[np.bool_]:
    """Which positions are of games that are not trained on."""
    return np.asarray(positions["game"] % HELD_OUT == HELD_OUT - 1)


def _calibrated(positions: Mapping[str, NDArray[Any]], bucket: NDArray[np.int64]) -> NDArray[np.float64]:
    """What the search expected, with logits multiplied so that results are as often as expected in each bucket."""
    expected = np.clip(positions["expected"], CLOSEST, 1 - CLOSEST)
    logits, trained = np.log(expected / (1 - expected)), ~is_held_out(positions)
    for each in np.unique(bucket):
        chosen, slope = trained & (bucket == each), 1.0
        for _ in range(NEWTON_STEPS if chosen.any() else 0):
            chance = 1 / (1 + np.exp(-slope * logits[chosen]))
            curve = (chance * (1 - chance) * logits[chosen] ** 2).sum() + 1
            slope -= ((chance - positions["result"][chosen]) * logits[chosen]).sum() / curve
        logits[bucket == each] *= slope
    return np.asarray(1 / (1 + np.exp(-logits)))


def samples_of(positions: Mapping[str, NDArray[Any]]) -> Samples:
    """What is learned from positions; see `selfplay.COLUMNS`."""
    inputs, result, reason = inputs_of(positions), positions["result"], positions["reason"]
    phases = np.array([phase_of(left) for left in range(57)])
    bucket = positions["variant"] * PHASES + phases[inputs.counts[:, LEFT]]
    target = RESULT_SHARE * result + (1 - RESULT_SHARE) * _calibrated(positions, bucket)
    target = np.stack((target, np.zeros(len(target)), 1 - target), axis=1)
    beginner = positions["variant"] == kernel.BEGINNER
    target[beginner] = np.stack((result == 1, result == 0.5, result == 0), axis=1)[beginner]
    number = np.select([reason <= kernel.ARA, reason == kernel.MARAE], [reason, KINDS - 1], UNKNOWN)
    kind = np.where(number == UNKNOWN, UNKNOWN, number + np.where(result == 1, WIN_KINDS, LOSS_KINDS))
    ends = np.zeros((len(result), AREA_COUNT), np.int64)
    last = tuple(np.ascontiguousarray(positions[name]) for name in ("last_own", "last_other", "last_tanes"))
    _write_ends(last, np.ascontiguousarray(positions["ball"]), ends)
    ends[reason != kernel.MARAE] = UNKNOWN
    counts = (inputs.counts / SCALES).astype(np.float32)
    return Samples(inputs.patterns, counts, inputs.areas, bucket, target.astype(np.float32), kind, ends)


def untrained_net(seed: int = 0) -> Net:
    """A net that has learned nothing: areas end by equal chances."""
    dice = np.random.default_rng(seed)
    sizes = {"counts": 0.3, "hidden": UNITS**-0.5, "outputs": 0.3 * HIDDEN**-0.5}
    arrays = {name: dice.normal(0, sizes.get(name, 0), shape).astype(np.float32) for name, shape in SHAPES.items()}
    arrays["counts"][0] = 0.5
    arrays["hidden"][:, UNITS] = 0
    arrays["area_states"][:] = np.log(np.where(POSSIBLE, EQUAL_CHANCES, 1))
    return Net(**arrays)


def _scale(name: str) -> Any:
    """What weights are multiplied with before they are rounded."""
    one = ONES[name]
    return one / SCALES[:, None] if name in ("counts", "direct", "area_counts") else one


def whole_net(fractions: Net) -> Net:
    """A net in whole numbers."""
    arrays = {name: np.rint(getattr(fractions, name) * _scale(name)).astype(np.int64) for name in SHAPES}
    arrays["rows"] = np.clip(arrays["rows"], -32_000, 32_000).astype(np.int16)
    return Net(**arrays)


def net_in_fractions(whole: Net) -> Net:
    """A net to train further."""
    return Net(**{name: (getattr(whole, name) / _scale(name)).astype(np.float32) for name in SHAPES})


class _Adam:
    """Moves all weights but the rows of patterns."""

    def __init__(self, weights: Net) -> None:
        self._weights = weights
        self.slopes = Net(*(np.zeros_like(array) for array in weights))
        self._means = [np.zeros_like(array) for array in weights[1:]]
        self._squares = [np.zeros_like(array) for array in weights[1:]]
        self._steps = 0

    def step(self, count: int, rate: float) -> None:
        """Moves the weights by the slopes of so many samples, and forgets these slopes."""
        self._steps += 1
        kept, kept_squares = MEMORY
        rate *= float(np.sqrt(1 - kept_squares**self._steps) / (1 - kept**self._steps))
        for array, slope, mean, square in zip(
            self._weights[1:], self.slopes[1:], self._means, self._squares, strict=True
        ):
            slope /= count
            mean += (1 - kept) * (slope - mean)
            square += (1 - kept_squares) * (slope * slope - square)
            array -= rate * mean / (np.sqrt(square) + 1e-8)
            slope[:] = 0


def fit_net(
    arrays: Mapping[str, NDArray[Any]], positions: Mapping[str, NDArray[Any]], epochs: int, seed: int
) -> Iterator[NetEpoch]:
    """Trains a net further, given by its arrays in whole numbers, or a new one if there are none, pass by pass.

    The games of each eighth number are held out. `positions` have the columns of `selfplay.COLUMNS`.
    """
    weights = net_in_fractions(Net(**arrays)) if arrays else untrained_net(seed)
    samples, held_out = samples_of(positions), is_held_out(positions)
    trained, dice = np.flatnonzero(~held_out), np.random.default_rng(seed)
    adam, squares = _Adam(weights), np.zeros_like(weights.rows)
    for number in range(1, epochs + 1):
        order = dice.permutation(trained)
        for first in range(0, len(order), BATCH):
            rate = 1 - (number - 1 + first / len(order)) / epochs
            chosen = order[first : first + BATCH]
            learn_batch(weights, squares, samples, chosen, adam.slopes, np.float32(rate))
            adam.step(len(chosen), RATE * rate)
        whole = whole_net(weights)
        losses = [
            losses_of(weights, samples, chosen) for chosen in (trained[: held_out.sum()], np.flatnonzero(held_out))
        ]
        yield NetEpoch(number, losses[0], losses[1], whole._asdict())


def predictions(
    weights: Net, samples: Samples, chosen: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float32]]:
    """What a net in fractions says of some of the samples: see `output_chances`, and by area how it ends."""
    outputs = np.zeros((len(chosen), OUTPUTS), np.float32)
    areas = np.zeros((len(chosen), AREA_COUNT, AREA_ENDS), np.float32)
    write_predictions(weights, samples, chosen, outputs, areas)
    return output_chances(outputs.astype(np.float64), samples.bucket[chosen] // PHASES), areas


def losses_of(weights: Net, samples: Samples, chosen: NDArray[np.int64]) -> Losses:
    """How well a net in fractions predicts some of the samples."""
    chances, areas = predictions(weights, samples, chosen)
    chances = np.maximum(chances, LEAST_CHANCE)
    result = -(samples.result[chosen] * np.log(chances[:, :3])).sum(axis=1).mean()
    known = np.flatnonzero(samples.kind[chosen] != UNKNOWN)
    kinds = samples.kind[chosen][known]
    of_result = np.where(kinds < LOSS_KINDS, 0, 2)
    kind = -np.log(chances[known, kinds - WIN_KINDS + 3] / chances[known, of_result])
    marae = samples.ends[chosen, 0] != UNKNOWN
    areas, ends = areas[marae], samples.ends[chosen][marae]
    entropy = -np.log(np.maximum(np.take_along_axis(areas, ends[:, :, None], axis=2), LEAST_CHANCE))
    errors = areas @ TILES - TILES[ends]
    squares = (errors**2).mean(), (errors.sum(axis=1) ** 2).mean()
    return Losses(*map(float, (result, kind.mean(), entropy.mean(), *squares)))
