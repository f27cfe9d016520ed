"""Training: it begins with the evaluation by lines and tiles, and what it learns is a file that the search can load."""

import importlib.util
import random

import numpy as np
import pytest

from kemu.engines.moeraki.evaluation import WEIGHTS, EvaluationContext, evaluate
from kemu.engines.moeraki.expected_tiles import SUMS
from kemu.engines.moeraki.network import CHANNELS, PHASE_HOLLOWS, network_score, new_context, set_sums
from kemu.engines.moeraki.packed import pack_tanes
from kemu.engines.moeraki.patterns import ball_patterns
from kemu.engines.moeraki.selfplay import play_batch
from kemu.engines.moeraki.tables import HOLLOW_BIT, MASKS
from kemu.engines.moeraki.training import first_parameters, quantised, train
from kemu.engines.moeraki.transposition import Sides, Window
from kemu.engines.moeraki.weights import dump_weights, load_weights
from kemu.engines.player import Epoch
from kemu.games.moeraki import board

NEEDS_JAX = pytest.mark.skipif(importlib.util.find_spec("optax") is None, reason="JAX is not installed")
BASIC = 1


def test_the_first_network_is_the_evaluation_by_lines_and_tiles() -> None:
    parameters = first_parameters(0)
    parameters["table"][:] = 0
    weights = load_weights(dump_weights(quantised(parameters)))
    dice = random.Random(5)
    for _ in range(20):
        ball = dice.choice(board.MOERAKI)
        # In the middle of a phase both have the same weights.
        stones = (56 - PHASE_HOLLOWS // 2 - PHASE_HOLLOWS * dice.randrange(12)) // 2
        cells = dice.sample([bit for bit in HOLLOW_BIT if bit != HOLLOW_BIT[ball]], 2 * stones)
        own, other = (np.uint64(sum(1 << cell for cell in part)) for part in (cells[:stones], cells[stones:]))
        at, sides = np.uint64(1 << HOLLOW_BIT[ball]), Sides(own, other, pack_tanes(0, 0, True))
        context = new_context(ball_patterns(HOLLOW_BIT[ball]), weights, 2)
        set_sums(own, other, 1, context)
        scratch = np.zeros(SUMS, np.int64)
        counted = EvaluationContext(at, BASIC, MASKS[0, HOLLOW_BIT[ball]], WEIGHTS[BASIC])
        expected = evaluate(sides, Window(-30_000, 30_000), counted, scratch)
        found = network_score(sides, BASIC, at, 1, scratch, context)
        assert found == pytest.approx(expected, rel=0.02, abs=60)


@NEEDS_JAX
def test_what_is_learned_can_be_loaded() -> None:
    reports: list[Epoch] = []
    learned = load_weights(train([play_batch("1 3 1"), play_batch("2 3 1")], 1, 0, reports.append))
    assert learned.table.shape[1] == 2 * CHANNELS
    assert learned.heads.any()
    assert [epoch.number for epoch in reports] == [1]
    assert 0 < reports[0].trained < 2
