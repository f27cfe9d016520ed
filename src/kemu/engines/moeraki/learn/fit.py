"""Fits the evaluation and the move ordering to games of the search against itself.

Weights of lines and tiles: logistic regression by Newton's method. The evaluation is linear in most of its weights;
what a weight counts in a position is found by the evaluation itself, with all others at nothing, so that it is exactly
what a search adds up.

Worths of patterns: what they say beyond lines and tiles. Each moves the less the more often it has moved (AdaGrad), so
that states that hardly occur stay near nothing.

Ranks of stones: which stone cut off in a search, as a softmax over the empty hollows. A stone is ranked by the state of
the pattern around its hollow, and by the lines through it that it would lengthen or stop; AdaGrad as well.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import Numbers
from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.kernel import barred_by, corners_of
from kemu.engines.moeraki.board.packed import Sides, U
from kemu.engines.moeraki.board.tables import HOLLOW_BIT, MASK_COUNT, MASKS, STONE_COUNT
from kemu.engines.moeraki.value import evaluation
from kemu.engines.moeraki.value.evaluation import FIRST_LINE, RANK_LOGIT, EvaluationContext, Window
from kemu.engines.moeraki.value.expected_tiles import SUMS
from kemu.engines.moeraki.value.patterns import PATTERN_COUNT, ball_patterns, parameter_count
from kemu.engines.words import ZERO, bit, drop_lowest, lowest, popcount

LEARNED: Final = evaluation.ORDER
"""How many of the first weights are learned."""

UNIT: Final = 7 * 15 * 128
"""A weight so large that no division of the evaluation has a rest."""

RIDGE: Final = 1e-4
"""The cost of a change of one logit in a weight, so that what hardly occurs changes little."""

Floats = NDArray[np.float64]


class Samples(NamedTuple):
    """Positions of one variant."""

    features: Floats
    given: Floats  # what all else than these features says, in logits
    target: Floats
    held_out: NDArray[np.bool_]


@compiled
def write_features(columns: Any, masks: Any, weights: Any, found: Any) -> None:
    """Write by position how much each learned weight counts there, times UNIT.

    `columns` are the stones, the Tane, the ball and the variant, `masks` are by ball; the weights to learn must be 0.
    """
    own, other, tanes, ball, variant = columns
    sums, window = np.zeros(SUMS, np.int64), Window(-(1 << 60), 1 << 60)
    for row in range(len(own)):
        sides, left = Sides(own[row], other[row], tanes[row]), STONE_COUNT - popcount(own[row] | other[row])
        context = EvaluationContext(bit(ball[row]), variant[row], masks[ball[row]], weights)
        for number in range(LEARNED):
            weights[number] = UNIT
            score = evaluation.evaluate_lines(sides.own, sides.other, left, context)
            if context.variant != kernel.BEGINNER:
                score = evaluation.evaluate_marae(sides, window, score, context, sums)
            found[row, number] = score
            weights[number] = 0


def features(positions: Mapping[str, NDArray[Any]], weights: Numbers) -> Floats:
    """Return how much each learned weight counts in positions of one variant, by row; see `learner.COLUMNS`."""
    others, found = weights.copy(), np.zeros((len(positions["own"]), LEARNED), np.int64)
    others[:LEARNED] = 0
    columns = tuple(positions[name] for name in ("own", "other", "tanes", "ball", "variant"))
    write_features(columns, MASKS[0], others, found)
    return found / UNIT


def step(samples: Samples, logits: Floats, begin: Floats) -> Floats:
    """Return the weights after one step of Newton's method towards the least loss on the games that are trained on."""
    counted, target, given = (column[~samples.held_out] for column in (samples.features, samples.target, samples.given))
    chance = 1 / (1 + np.exp(-(counted @ logits + given)))
    count = max(len(counted), 1)
    slope = counted.T @ (chance - target) / count + RIDGE * (logits - begin)
    curve = (counted * (chance * (1 - chance))[:, None]).T @ counted / count + RIDGE * np.eye(LEARNED)
    return np.asarray(logits - np.linalg.solve(curve, slope))


_CELLS: Final = np.array(HOLLOW_BIT)

RATE: Final = 0.03
DECAY: Final = 3e-4
"""How far a worth moves with a sample, and back towards nothing."""


@compiled
def _add_stones(own: Any, other: Any, changes: Any, rows: Any) -> None:
    for number in range(len(own)):
        for cell in range(64):
            digit = (own[number] >> U(cell) & U(1)) + U(2) * (other[number] >> U(cell) & U(1))
            if digit != U(0):
                for change in changes[cell]:
                    rows[number, change >> 16] += np.int64(digit) * (change & 65535)


def pattern_parameters(positions: Mapping[str, NDArray[Any]]) -> NDArray[np.uint16]:
    """Return by position and pattern, its parameter for the side to move."""
    found = np.zeros((len(positions["own"]), PATTERN_COUNT), np.uint16)
    for ball in np.unique(positions["ball"]):
        chosen = np.flatnonzero(positions["ball"] == ball)
        patterns = ball_patterns(int(ball))
        rows = np.tile(patterns.empty, (len(chosen), 1))
        _add_stones(positions["own"][chosen], positions["other"][chosen], patterns.changes, rows)
        found[chosen] = patterns.parameters[rows[:, _CELLS]]
    return found


def open_parameters(parameters: NDArray[np.uint16], tanes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Return the parameters with `parameter_count()` in the place of those in the middle of which areas are closed."""
    closed = np.array([corners_of(U(barred_by(int(each)))) for each in tanes], np.uint64)
    found = parameters.copy()
    found[closed[:, None] >> _CELLS.astype(np.uint64) & U(1) == U(1)] = parameter_count()
    return found


def pattern_logits(parameters: NDArray[np.uint16], left: NDArray[np.int64], worths: Floats) -> Floats:
    """Return what worths in logits say of positions with `left` empty hollows; the last of them must be nothing."""
    late, early = (column[parameters].sum(axis=1) for column in worths.T)
    return np.asarray((late * (STONE_COUNT - left) + early * left) / STONE_COUNT)


@compiled
def descend(parameters: Any, left: Any, given: Any, target: Any, worths: Any, squares: Any) -> None:
    """Move the worths of patterns, in logits, by each position in turn.

    `given` is what all else says of it; `squares` are the sums of the squares of all gradients before.
    """
    last = len(worths) - 1
    for number in range(len(left)):
        share = left[number] / STONE_COUNT
        late, early = 0.0, 0.0
        for parameter in parameters[number]:
            late += worths[parameter, 0]
            early += worths[parameter, 1]
        chance = 1 / (1 + np.exp(-(given[number] + late * (1 - share) + early * share)))
        error = chance - target[number]
        for parameter in parameters[number]:
            if parameter != last:
                for phase, slope in ((0, error * (1 - share)), (1, error * share)):
                    squares[parameter, phase] += slope * slope
                    move = slope + DECAY * worths[parameter, phase]
                    worths[parameter, phase] -= RATE * move / (1 + np.sqrt(squares[parameter, phase]))


RANK_RATE: Final = 0.1
RANK_DECAY: Final = 1e-4
LINE_RATE: Final = 0.01
"""How far ranks move with a sample, and back towards nothing."""

LACKING: Final = 8
"""Lines are told apart by what they lack, up to one less."""


@no_refcount
def count_lines(own: Any, other: Any, ball: Any, masks: Any, counts: Any) -> None:
    """Write by cell and by what they lack how many lines that are open to one side a stone there is part of."""
    counts[:] = 0
    for number in range(FIRST_LINE, MASK_COUNT):
        line = masks[number]
        rest = line & ~own
        if line & (other | ball) != ZERO:
            rest = line & ~other
            if line & (own | ball) != ZERO:
                continue
        lacking = min(popcount(rest), LACKING - 1)
        while rest != ZERO:
            counts[lowest(rest), lacking] += 1
            rest = drop_lowest(rest)


@compiled
def descend_ranks(columns: Any, parameters: Any, masks: Any, fitted: Any, rate: float) -> float:
    """Move the ranks by each cutoff in turn, not at all with a rate of 0, and return the mean cross entropy.

    `columns` are the stones, the ball and the stone that cut off; `fitted` the ranks by parameter and by what lines
    lack, in logits, each with the sums of the squares of all gradients before.
    """
    own, other, ball, stone = columns
    ranks, squares, lines, line_squares = fitted
    counts, logits, loss = np.zeros((64, LACKING)), np.zeros(len(_CELLS)), 0.0
    for number in range(len(own)):
        at = U(1) << U(ball[number])
        count_lines(own[number], other[number], at, masks[ball[number]], counts)
        taken = own[number] | other[number] | at
        highest, target = -1e9, 0
        for hollow in range(len(_CELLS)):
            cell = _CELLS[hollow]
            logits[hollow] = -1e9
            if taken >> U(cell) & U(1) == U(0):
                logits[hollow] = ranks[parameters[number, hollow]] + (lines * counts[cell]).sum()
                highest = max(highest, logits[hollow])
            if cell == stone[number]:
                target = hollow
        total = np.exp(logits - highest).sum()
        loss -= logits[target] - highest - np.log(total)
        if rate == 0:
            continue
        for hollow in range(len(_CELLS)):
            slope = np.exp(logits[hollow] - highest) / total - (hollow == target)
            if logits[hollow] > -1e9:
                at_rank = parameters[number, hollow]
                squares[at_rank] += slope * slope
                ranks[at_rank] -= rate * (slope + RANK_DECAY * ranks[at_rank]) / (1 + np.sqrt(squares[at_rank]))
                for lacking in range(2, LACKING):
                    step = slope * counts[_CELLS[hollow], lacking]
                    line_squares[lacking] += step * step
                    lines[lacking] -= LINE_RATE * step / (1 + np.sqrt(line_squares[lacking]))
    return loss / max(len(own), 1)


class RankFit:
    """The ranks of one variant while they are fitted to its cutoffs.

    `cutoffs` are the columns `own`, `other`, `ball` and `stone`; `ranks` and `lines` are those to begin with.
    """

    def __init__(self, cutoffs: Mapping[str, NDArray[Any]], ranks: Numbers, lines: Numbers) -> None:
        self._columns = tuple(cutoffs[name] for name in ("own", "other", "ball", "stone"))
        self._parameters = pattern_parameters(cutoffs)
        by_pattern, by_line = ranks / RANK_LOGIT, lines / RANK_LOGIT
        self._fitted = by_pattern, np.zeros_like(by_pattern), by_line, np.zeros_like(by_line)

    def __len__(self) -> int:
        return len(self._parameters)

    def descend(self, chosen: NDArray[np.int64], rate: float = RANK_RATE) -> float:
        """Go through the chosen cutoffs once, in this order, and return their mean cross entropy on the way."""
        columns = tuple(column[chosen] for column in self._columns)
        return float(descend_ranks(columns, self._parameters[chosen], MASKS[0], self._fitted, rate))

    @property
    def ranks(self) -> Numbers:
        """By parameter, in whole numbers."""
        return np.rint(self._fitted[0] * RANK_LOGIT).astype(np.int64)

    @property
    def lines(self) -> Numbers:
        """By what lines lack, in whole numbers."""
        return np.rint(self._fitted[2] * RANK_LOGIT).astype(np.int64)
