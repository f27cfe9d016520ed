"""Fits the weights of lines and tiles: logistic regression on the results of games of the search against itself.

The evaluation is linear in most of its weights. What a weight counts in a position is found by the evaluation itself,
with all others at nothing, so that it is exactly what a search adds up. Those of the move ordering are learned by
`rank_fit`.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import borrowing, popcount
from kemu.engines.moeraki import evaluation, kernel
from kemu.engines.moeraki.evaluation import EvaluationContext, evaluate_lines, evaluate_marae
from kemu.engines.moeraki.expected_tiles import SUMS
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.tables import MASKS
from kemu.engines.moeraki.transposition import Sides, Window

LEARNED: Final = evaluation.ORDER
"""So many of the first weights are learned."""

UNIT: Final = 7 * 15 * 128
"""A weight so large that no division of the evaluation has a rest."""

RIDGE: Final = 1e-4
"""What a change of one logit in a weight costs, so that what hardly occurs changes little."""

Floats = NDArray[np.float64]


class Samples(NamedTuple):
    """Positions of one variant."""

    features: Floats
    given: Floats  # what all else than these features says, in logits
    target: Floats
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


def step(samples: Samples, logits: Floats, begin: Floats) -> Floats:
    """The weights after one step of Newton's method towards the least loss on the games that are trained on."""
    counted, target, given = (column[~samples.held_out] for column in (samples.features, samples.target, samples.given))
    chance = 1 / (1 + np.exp(-(counted @ logits + given)))
    count = max(len(counted), 1)
    slope = counted.T @ (chance - target) / count + RIDGE * (logits - begin)
    curve = (counted * (chance * (1 - chance))[:, None]).T @ counted / count + RIDGE * np.eye(LEARNED)
    return np.asarray(logits - np.linalg.solve(curve, slope))
