"""The learner of Moeraki-Kemu's weights: its features are those of the evaluation, and it learns from few games."""

from functools import cache

import numpy as np
import pytest

import kemu
from kemu.engines.arrays import load_arrays
from kemu.engines.capabilities import Learner
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import Sides, is_starter
from kemu.engines.moeraki.board.tables import MASKS
from kemu.engines.moeraki.learn.fit import LEARNED, RankFit, features
from kemu.engines.moeraki.learn.learner import COLUMNS, MoerakiLearner
from kemu.engines.moeraki.value.evaluation import LARGEST, ORDER, EvaluationContext, Window, evaluate
from kemu.engines.moeraki.value.patterns import (
    LARGEST_WORTH,
    RANKS,
    ROW_COUNT,
    load_weights,
    parameter_count,
    shipped_weights,
)

LEARNER: Learner = MoerakiLearner(batch_games=24, nodes=100, test_nodes=50)

ROUNDED = 8
"""The evaluation rounds down each of its parts."""


@cache
def samples(seed: int) -> bytes:
    return LEARNER.play_batch(LEARNER.untrained_weights(), seed)


@pytest.mark.parametrize("variant", [kernel.BASIC, kernel.MASTER])
def test_features_times_weights_are_the_evaluation(variant: int) -> None:
    batch = load_arrays(samples(1))
    positions = {name: batch[name][batch["variant"] == variant] for name in COLUMNS}
    weights = shipped_weights()[variant].counted
    scores = features(positions, weights) @ weights[:LEARNED]
    assert len(scores)
    sums, window = np.zeros(RANKS, np.int64), Window(-(1 << 40), 1 << 40)
    for number, score in enumerate(scores):
        own, other, tanes, ball = (positions[name][number] for name in ("own", "other", "tanes", "ball"))
        context = EvaluationContext(np.uint64(1 << int(ball)), variant, MASKS[0, ball], weights)
        found = evaluate(Sides(own, other, int(tanes)), window, context, sums)
        assert abs(found - max(-LARGEST, min(LARGEST, score))) < ROUNDED


def test_patterns_are_learned_where_tiles_count() -> None:
    *_, last = LEARNER.fit(LEARNER.untrained_weights(), [samples(1)], 1, 0)
    beginner, basic, master = load_weights(last.weights)
    assert not beginner.worths.any()
    for weights in (basic, master):
        assert 0 < np.abs(weights.worths).max() <= LARGEST_WORTH
        assert weights.ranks.any()


def test_a_row_tells_how_its_game_ended() -> None:
    batch = load_arrays(samples(1))
    assert set(batch["variant"]) == {kernel.BASIC, kernel.MASTER}
    assert set(batch["result"]) <= {0.0, 0.5, 1.0}
    for game in set(batch["game"]):
        rows = batch["game"] == game
        of_starter = np.array([is_starter(int(tanes)) for tanes in batch["tanes"][rows]])
        results = np.where(of_starter, batch["result"][rows], 1 - batch["result"][rows])
        assert len(set(results)) == 1, "all rows of a game tell of the same end"


def test_ranks_learn_which_stones_cut_off() -> None:
    batch = load_arrays(samples(1))
    cutoffs = {name: batch[f"cutoff_{name}"] for name in ("own", "other", "ball", "stone")}
    stones = np.uint64(1) << cutoffs["stone"].astype(np.uint64)
    assert not np.any(stones & (cutoffs["own"] | cutoffs["other"]))
    fit = RankFit(cutoffs, np.zeros(parameter_count(), np.int64), np.zeros(ROW_COUNT - ORDER, np.int64))
    everything = np.arange(len(fit))
    first, *_, last = (fit.descend(everything) for _ in range(4))
    assert fit.descend(everything, 0.0) < last < first
    assert fit.ranks.any()
    assert fit.lines.any()


def test_a_batch_depends_on_its_seed_and_its_weights() -> None:
    assert LEARNER.play_batch(LEARNER.untrained_weights(), 1) == samples(1)
    assert samples(2) != samples(1)
    assert LEARNER.play_batch(LEARNER.weights_in_use(), 1) != samples(1)


def test_fitting_explains_the_results_better_and_repeats() -> None:
    batches = [samples(1), samples(2)]
    epochs = list(LEARNER.fit(LEARNER.untrained_weights(), batches, 3, 0))
    assert [epoch.number for epoch in epochs] == [1, 2, 3]
    assert epochs[-1].trained < epochs[0].trained < np.log(2), "no better than a coin"
    assert list(LEARNER.fit(LEARNER.untrained_weights(), batches, 3, 0)) == epochs


def test_a_bot_plays_with_the_weights_that_it_is_given() -> None:
    game = kemu.game("moeraki-kemu", variant="basic")
    state = game.apply(game.initial(), game.parse("@g7"))
    asked = game.view(state, state.turn), ["@g7"], game.actions(state)
    plain, knowing = LEARNER.untrained_weights(), LEARNER.weights_in_use()
    actions = [[LEARNER.bot(game, each, seed).choose(*asked) for seed in range(4)] for each in (plain, knowing)]
    assert actions[0] != actions[1]
    assert actions[1] == [LEARNER.bot(game, knowing, seed).choose(*asked) for seed in range(4)]
    assert LEARNER.bot(game, knowing, 0).choose(*asked[:2], asked[2][:1]) == asked[2][0]
