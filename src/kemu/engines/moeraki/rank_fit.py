"""Fits the move ordering: which stone cut off in a search, as a softmax over the empty hollows.

A stone is ranked by the state of the pattern around its hollow, and by the lines through it that it would lengthen or
stop. Fitted by stochastic gradient descent (AdaGrad), like the worth of patterns.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ZERO, borrowing, compiled, drop_lowest, lowest, popcount
from kemu.engines.moeraki.evaluation import FIRST_LINE
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.packed import U
from kemu.engines.moeraki.pattern_fit import pattern_parameters
from kemu.engines.moeraki.tables import HOLLOW_BIT, MASK_COUNT, MASKS

Floats = NDArray[np.float64]

RANK_LOGIT: Final = 30
"""The difference of ranks that makes a stone e times as likely to cut off."""

RATE: Final = 0.1
DECAY: Final = 1e-4
LINE_RATE: Final = 0.01
"""How far ranks move with a sample, and back towards nothing."""

LACKING: Final = 8
"""Lines are told apart by what they lack, up to one less."""

_CELLS: Final = np.array(HOLLOW_BIT)


@borrowing
def count_lines(own: Any, other: Any, ball: Any, masks: Any, counts: Any) -> None:
    """Writes by cell and by what they lack how many lines that are open to one side a stone there is part of."""
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
    """Moves the ranks by each cutoff in turn, not at all with a rate of 0; returns the mean cross entropy.

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
                ranks[at_rank] -= rate * (slope + DECAY * ranks[at_rank]) / (1 + np.sqrt(squares[at_rank]))
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

    def descend(self, chosen: NDArray[np.int64], rate: float = RATE) -> float:
        """Goes through the chosen cutoffs once, in this order, and returns their mean cross entropy on the way."""
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
