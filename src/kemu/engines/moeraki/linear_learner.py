"""Learns the weights of the evaluation: logistic regression on the results of games of the search against itself.

The evaluation is linear in most of its weights. What a weight counts in a position is found by the evaluation itself,
with all others at nothing, so that it is exactly what a search adds up. Not learned are the weights of the move
ordering and the hundredths of what a Tane would gain, which stand in a product with the weights of tiles.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.compiled import borrowing, popcount
from kemu.engines.learning import Epoch
from kemu.engines.moeraki import evaluation, kernel
from kemu.engines.moeraki.evaluation import EvaluationContext, evaluate_lines, evaluate_marae
from kemu.engines.moeraki.expected_tiles import SUMS
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.search import Searcher
from kemu.engines.moeraki.selfplay import BatchPlan, play_games
from kemu.engines.moeraki.tables import MASKS
from kemu.engines.moeraki.transposition import Sides, Window
from kemu.games.moeraki.options import VARIANTS

LEARNED: Final = evaluation.HAND + 2
"""So many of the first weights are learned."""

UNIT: Final = 7 * 128_000
"""A weight so large that no division of the evaluation has a rest."""

LOGIT: Final = 600
"""The score that makes a win e times as likely as a loss."""

RIDGE: Final = 1e-4
"""What a change of one logit in a weight costs, so that what hardly occurs changes little."""

HELD_OUT: Final = 8
"""One game of so many is not trained on."""

Floats = NDArray[np.float64]


class _Samples(NamedTuple):
    """Positions of one variant."""

    features: Floats
    result: Floats
    held_out: NDArray[np.bool_]


@borrowing
def write_features(
    sides: tuple[np.uint64, np.uint64, int], at: tuple[np.uint64, int], arrays: tuple[Any, Any, Any, Any]
) -> None:
    """Writes how much each learned weight counts in a position, times UNIT.

    `at` is the board with the ball alone and the variant; `arrays` are the masks for this ball, weights of which those
    to learn are 0, one for the sums of the evaluation, and the one to write to.
    """
    own, other, tanes = sides
    ball, variant = at
    masks, weights, sums, found = arrays
    context, left = EvaluationContext(ball, variant, masks, weights), 56 - popcount(own | other)
    for number in range(LEARNED):
        weights[number] = UNIT
        score = evaluate_lines(own, other, left, context)
        if variant != kernel.BEGINNER:
            score = evaluate_marae(Sides(own, other, tanes), Window(-(1 << 60), 1 << 60), score, context, sums)
        found[number] = score
        weights[number] = 0


def features(positions: Mapping[str, NDArray[Any]], weights: Numbers) -> Floats:
    """How much each learned weight counts in positions of one variant, a row for each; see `selfplay.COLUMNS`."""
    others = weights.copy()
    others[:LEARNED] = 0
    sums, found = np.zeros(SUMS, np.int64), np.zeros((len(positions["own"]), LEARNED), np.int64)
    columns = (positions[name] for name in ("own", "other", "tanes", "ball", "variant"))
    for row, (own, other, tanes, ball, variant) in zip(found, zip(*columns, strict=True), strict=True):
        at = (np.uint64(1 << int(ball)), int(variant))
        write_features((own, other, int(tanes)), at, (MASKS[0, ball], others, sums, row))
    return found / UNIT


@dataclass(frozen=True)
class LinearLearner:
    """The learner of Moeraki-Kemu; its weights are an array `weights` with a row for each variant."""

    batch_games: int = 100
    nodes: int = 1_000  # for each action of self-play
    test_nodes: int = 2_000  # for each action of a bot with given weights
    options: Sequence[Mapping[str, Any]] = ({"variant": "basic"}, {"variant": "master"})
    opening_actions: Sequence[int] = (5, 6, 7, 8, 9)  # the ball and four to eight stones

    def weights_in_use(self) -> bytes:
        """The weights of `evaluation`."""
        return dump_arrays({"weights": np.array(evaluation.WEIGHTS)})

    def untrained_weights(self) -> bytes:
        """Nothing counts: a search sees no more than wins and the end of the game."""
        weights = np.array(evaluation.WEIGHTS)
        weights[:, :LEARNED] = 0
        return dump_arrays({"weights": weights})

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """The quiet positions of some games, see `selfplay`."""
        plan = BatchPlan(self.batch_games, self.nodes, seed)
        return dump_arrays(play_games(tuple(load_arrays(weights)["weights"]), plan))

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """Each epoch is a step of Newton's method for each variant; nothing is random, so that no seed is used."""
        whole = load_arrays(weights)["weights"]
        parts = _by_variant([load_arrays(each) for each in samples], whole)
        logits = [row[:LEARNED] / LOGIT for row in whole]
        begin = list(logits)
        for number in range(1, epochs + 1):
            logits = [_step(part, *both) for part, both in zip(parts, zip(logits, begin, strict=True), strict=True)]
            whole[:, :LEARNED] = np.rint(np.array(logits) * LOGIT)
            losses = [_loss(parts, whole, held_out) for held_out in (False, True)]
            yield Epoch(number, losses[0], losses[1], dump_arrays({"weights": whole}))

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """The search with these weights."""
        return WeightedBot(game, load_arrays(weights)["weights"], seed, Budget(nodes=self.test_nodes))


class WeightedBot:
    """Searches with weights of its own."""

    name: Final = "weighted"

    def __init__(self, game: AnyGame, weights: Numbers, seed: int, budget: Budget) -> None:
        rules: Any = game
        self._game = game
        self._searcher = Searcher(rules, weights[VARIANTS.index(rules.variant)])
        self._source = random.Random(seed)
        self._budget = budget

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The action that the search finds best."""
        if len(actions) == 1:
            return actions[0]
        state = self._game.decode(view["position"])
        return self._searcher.search(state, self._budget, seed=self._source.getrandbits(32)).action


def _by_variant(batches: Sequence[Mapping[str, NDArray[Any]]], weights: Numbers) -> list[_Samples]:
    """The positions of all batches, those of each variant apart."""
    joined = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
    found = []
    for variant, row in enumerate(weights):
        positions = {name: column[joined["variant"] == variant] for name, column in joined.items()}
        held_out = positions["game"] % HELD_OUT == HELD_OUT - 1
        found.append(_Samples(features(positions, row), positions["result"], held_out))
    return found


def _step(samples: _Samples, logits: Floats, begin: Floats) -> Floats:
    """The weights after one step of Newton's method towards the least loss."""
    counted = samples.features[~samples.held_out]
    chance = 1 / (1 + np.exp(-counted @ logits))
    count = max(len(counted), 1)
    slope = counted.T @ (chance - samples.result[~samples.held_out]) / count + RIDGE * (logits - begin)
    curve = (counted * (chance * (1 - chance))[:, None]).T @ counted / count + RIDGE * np.eye(LEARNED)
    return logits - np.linalg.solve(curve, slope)


def _loss(parts: Sequence[_Samples], weights: Numbers, held_out: bool) -> float:
    """The mean cross entropy of results on games that were held out, or on those that were not."""
    losses = []
    for samples, row in zip(parts, weights, strict=True):
        chosen = samples.held_out == held_out
        score = samples.features[chosen] @ (row[:LEARNED] / LOGIT)
        losses.append(np.logaddexp(0, score) - samples.result[chosen] * score)
    return float(np.concatenate(losses).mean())
