"""Trains the learned evaluation on games of self-play, with JAX (extra `train`).

The network begins as the evaluation that counts lines and tiles. What it learns is added in further channels: for each
state of a pattern as much as its number of occurrences allows, so that rare states keep small weights.
"""

import importlib
import io
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.errors import OptionError
from kemu.engines.moeraki import evaluation, network
from kemu.engines.moeraki.channels import GIVEN, TILES, given_channels
from kemu.engines.moeraki.features import CLOSED_ROWS, INPUTS, position_features
from kemu.engines.moeraki.network import CHANNELS, HIDDEN, LOGIT, PHASE_HOLLOWS, PHASES, SUM_COUNT, WIDTH
from kemu.engines.moeraki.patterns import equal_rows, swapped_rows
from kemu.engines.moeraki.tables import EXPECTED_TILES
from kemu.engines.moeraki.transposition import PROVEN
from kemu.engines.moeraki.weights import SWAPPED_CLOSED, LearnedWeights, dump_weights
from kemu.engines.player import Epoch

Floats = NDArray[np.float32]
Parameters = dict[str, Any]

BATCH: Final = 4096
RESULT_SHARE: Final = 0.5
"""How much of the target is the result of the game; the rest is the score of the search."""

HEAD_RATE: Final = 2e-3
TABLE_RATE: Final = 0.03
MOMENTUM: Final = 0.9
LEAST_COUNT: Final = 1000
"""A state that occurs so often learns half as fast as one that occurs always."""

TESTED_SHARE: Final = 8
"""One of so many batches of games is not trained on."""

GAIN_UNIT: Final = 16
HEADS: Final = 3 * PHASES


class Samples(NamedTuple):
    """Positions with their targets, a row for each."""

    own: NDArray[np.int32]  # the classes of equal rows of the patterns, the side to move first
    other: NDArray[np.int32]  # the same with both sides exchanged
    closed: Floats
    inputs: Floats
    head: NDArray[np.int32]
    target: Floats
    result: Floats

    def part(self, chosen: NDArray[np.int64]) -> "Samples":
        """Some of the positions."""
        return Samples._make(array[chosen] for array in self)


def read_batches(texts: Sequence[str]) -> tuple[Samples, Samples]:
    """The positions of batches of games, each a shard in Base64: those to train on and those to test with."""
    shards = []
    for text in texts:
        with np.load(io.BytesIO(b64decode(text))) as file:
            shards.append({name: file[name] for name in file.files})
    parts = [_samples(shard) for shard in shards]
    tested = [part for number, part in enumerate(parts) if number % TESTED_SHARE == TESTED_SHARE - 1] or parts[:1]
    trained = [part for number, part in enumerate(parts) if number % TESTED_SHARE != TESTED_SHARE - 1]
    return _joined(trained), _joined(tested)


def _joined(parts: Sequence[Samples]) -> Samples:
    return Samples._make(np.concatenate(arrays) for arrays in zip(*parts, strict=True))


def _samples(shard: dict[str, Any]) -> Samples:
    # Leaves of the tree search are never won by threats.
    shard = {name: array[shard["score"] <= PROVEN] for name, array in shard.items()}
    features = position_features(shard)
    classes = np.unique(equal_rows(), return_inverse=True)[1].astype(np.int32)
    left = 56 - np.bitwise_count(shard["stones"]).sum(axis=1).astype(np.int32)
    result = (1 + shard["result"] * np.where(shard["turn"] == 0, 1, -1)) / 2
    searched = 1 / (1 + np.exp(-np.clip(shard["score"] / LOGIT, -30, 30)))
    share = np.where(shard["settled"], RESULT_SHARE, 0)
    unit = np.array([1] * (INPUTS - 1) + [1 / GAIN_UNIT])
    return Samples(
        classes[features.rows],
        classes[swapped_rows()][features.rows],
        features.closed.astype(np.float32),
        (features.inputs * unit).astype(np.float32),
        shard["variant"].astype(np.int32) * PHASES + left // PHASE_HOLLOWS,
        (share * result + (1 - share) * searched).astype(np.float32),
        result.astype(np.float32),
    )


def first_parameters(seed: int) -> Parameters:
    """The network that counts lines and tiles, with small random weights in the channels that learn."""
    dice = np.random.default_rng(seed)
    rows = len(np.unique(equal_rows()))
    linear, bias = np.zeros((HEADS, WIDTH)), np.zeros(HEADS)
    for head in range(HEADS):
        linear[head], bias[head] = _counting_head(head // PHASES, head % PHASES)
    learned = np.concatenate([[0.5], dice.normal(0, 0.4, CHANNELS - GIVEN - 1)])
    linear[:, GIVEN:CHANNELS], linear[:, CHANNELS + GIVEN : SUM_COUNT] = learned, -learned
    closed = np.zeros((CLOSED_ROWS, CHANNELS))
    closed[:, TILES] = -EXPECTED_TILES.ravel() / 8
    parameters = {
        "table": dice.normal(0, 0.01, (rows, CHANNELS - GIVEN)),
        "closed": closed,
        "linear": linear,
        "bias": bias,
        "first": dice.normal(0, 0.2, (HEADS, WIDTH, HIDDEN)),
        "first_bias": np.full((HEADS, HIDDEN), 0.1),
        "second": np.zeros((HEADS, HIDDEN)),
    }
    return {name: array.astype(np.float32) for name, array in parameters.items()}


def _counting_head(variant: int, phase: int) -> tuple[NDArray[np.float64], float]:
    """The weights on all inputs, and the bias, with which the network is the evaluation by lines and tiles."""
    weights = evaluation.WEIGHTS[variant]
    left = min(phase * PHASE_HOLLOWS + PHASE_HOLLOWS // 2, 55)
    empty, full = weights[evaluation.EMPTY : evaluation.FULL], weights[evaluation.FULL : evaluation.TILE]
    lines = (empty * left + full * (56 - left)) / 56
    tile = evaluation.interpolate(weights, evaluation.TILE, 10, min(left, 49))
    hand = evaluation.interpolate(weights, evaluation.HAND, 56, left)
    gain = evaluation.interpolate(weights, evaluation.TANE_GAIN, 15, left) / 100
    found = np.zeros(WIDTH)
    counted = np.array([tile / 2, lines[0], lines[1], *lines[3:7]])
    found[:GIVEN], found[CHANNELS : CHANNELS + GIVEN] = counted, -counted
    found[SUM_COUNT:] = evaluation.interpolate(weights, evaluation.STARTER_BONUS, 20, left), hand, -hand, gain * tile
    return found / LOGIT, lines[evaluation.TEMPO] / LOGIT


def train(texts: Sequence[str], epochs: int, seed: int, report: Callable[[Epoch], None]) -> bytes:
    """The file of weights learned from batches of games; raises OptionError without JAX."""
    try:
        jax, optax = importlib.import_module("jax"), importlib.import_module("optax")
    except ImportError:
        raise OptionError("Training needs JAX and Optax: install kemu[train].") from None
    trained, tested = read_batches(texts)
    parameters = first_parameters(seed)
    logits, step, state = _compiled_steps(jax, optax, parameters, trained, epochs)
    dice = np.random.default_rng(seed)
    for number in range(epochs):
        losses = []
        for chosen in _batches(dice.permutation(len(trained.head))):
            parameters, state, loss = step(parameters, state, trained.part(chosen))
            losses.append(loss)
        score = [logits(parameters, tested.part(chosen)) for chosen in _batches(np.arange(len(tested.head)))]
        found = _cross_entropy(np.concatenate(score), tested.result)
        report(Epoch(number + 1, float(np.mean(losses)), found))
    return dump_weights(quantised({name: np.asarray(array) for name, array in parameters.items()}))


def _batches(order: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Parts of one size, as JAX compiles for each size anew; the last one is shorter."""
    return (order[first : first + BATCH] for first in range(0, len(order), BATCH))


def _cross_entropy(logits: Floats, targets: Floats) -> float:
    return float(np.mean(np.logaddexp(0, logits) - targets * logits))


def _compiled_steps(jax: Any, optax: Any, parameters: Parameters, trained: Samples, epochs: int) -> tuple[Any, ...]:
    """The function for logits, the one for a step of the optimizer, and the optimizer's state."""
    given = jax.numpy.asarray(given_channels()[np.unique(equal_rows())], np.float32)
    counts = np.bincount(np.concatenate([trained.own.ravel(), trained.other.ravel()]), minlength=len(given)) / 2
    scale = jax.numpy.asarray(len(trained.head) / (counts + LEAST_COUNT), np.float32)[:, None]

    def logits(weights: Parameters, samples: Samples) -> Any:
        table = jax.numpy.concatenate([given, weights["table"]], axis=1)
        closed = weights["closed"]
        own = table[samples.own].sum(axis=1) + samples.closed @ closed
        other = table[samples.other].sum(axis=1) + samples.closed @ closed[SWAPPED_CLOSED]
        inputs = jax.numpy.concatenate([own, other, samples.inputs], axis=1)
        first, bias = weights["first"][samples.head], weights["first_bias"][samples.head]
        hidden = jax.nn.relu(jax.numpy.einsum("ni,nih->nh", inputs, first) + bias)
        direct = (inputs * weights["linear"][samples.head]).sum(axis=1) + weights["bias"][samples.head]
        return direct + (hidden * weights["second"][samples.head]).sum(axis=1)

    def loss(weights: Parameters, samples: Samples) -> Any:
        return optax.sigmoid_binary_cross_entropy(logits(weights, samples), samples.target).mean()

    steps = epochs * -(-len(trained.head) // BATCH)
    rates = {
        "table": optax.sgd(optax.cosine_decay_schedule(TABLE_RATE, steps, 0.05), momentum=MOMENTUM),
        "heads": optax.adam(optax.cosine_decay_schedule(HEAD_RATE, steps, 0.05)),
    }
    labels = {name: "table" if name == "table" else "heads" for name in parameters}
    optimizer = optax.multi_transform(rates, labels)

    def step(weights: Parameters, state: Any, samples: Samples) -> tuple[Any, Any, Any]:
        value, gradient = jax.value_and_grad(loss)(weights, samples)
        gradient["table"] = gradient["table"] * scale
        changes, state = optimizer.update(gradient, state, weights)
        return optax.apply_updates(weights, changes), state, value

    return jax.jit(logits), jax.jit(step), optimizer.init(parameters)


def quantised(parameters: Parameters) -> LearnedWeights:
    """The parameters as whole numbers."""

    def whole(array: Any, bits: int) -> NDArray[np.int32]:
        return np.rint(np.asarray(array, np.float64) * (1 << bits)).astype(np.int32)

    table = np.concatenate([given_channels()[np.unique(equal_rows())], parameters["table"]], axis=1)
    sums, weights, hidden = network.SUM_BITS, network.WEIGHT_BITS, network.HIDDEN_BITS
    heads = (
        whole(parameters["linear"], weights),
        whole(parameters["bias"], sums + weights)[:, None],
        whole(parameters["first"], hidden).reshape(HEADS, -1),
        whole(parameters["first_bias"], sums + hidden),
        whole(parameters["second"], weights),
    )
    limits = np.iinfo(np.int16)
    return LearnedWeights(
        np.clip(whole(table, sums), limits.min, limits.max).astype(np.int16),
        whole(parameters["closed"], sums),
        np.concatenate(heads, axis=1),
    )
