"""Fits the worth of patterns: what they say beyond lines and tiles, by stochastic gradient descent.

Each worth begins with what it is and moves the less the more often it has moved (AdaGrad), so that states that hardly
occur stay near nothing.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import borrowing, compiled
from kemu.engines.moeraki.kernel import barred, corners_of
from kemu.engines.moeraki.packed import U, other_tane, own_tane
from kemu.engines.moeraki.patterns import PATTERN_COUNT, ball_patterns, parameter_count
from kemu.engines.moeraki.tables import HOLLOW_BIT

Floats = NDArray[np.float64]

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


@borrowing
def _closed_hollows(tanes: int) -> np.uint64:
    """The hollows around the areas that are closed by the Tane of both sides."""
    return corners_of(barred(U(own_tane(tanes)), U(other_tane(tanes))))


def pattern_parameters(positions: Mapping[str, NDArray[Any]]) -> NDArray[np.uint16]:
    """By position and pattern, its parameter for the side to move."""
    found = np.zeros((len(positions["own"]), PATTERN_COUNT), np.uint16)
    for ball in np.unique(positions["ball"]):
        chosen = np.flatnonzero(positions["ball"] == ball)
        patterns = ball_patterns(int(ball))
        rows = np.tile(patterns.empty, (len(chosen), 1))
        _add_stones(positions["own"][chosen], positions["other"][chosen], patterns.changes, rows)
        found[chosen] = patterns.parameters[rows[:, _CELLS]]
    return found


def open_parameters(parameters: NDArray[np.uint16], tanes: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The parameters with `parameter_count()` in the place of those in the middle of which areas are closed."""
    closed = np.array([_closed_hollows(int(each)) for each in tanes], np.uint64)
    found = parameters.copy()
    found[closed[:, None] >> _CELLS.astype(np.uint64) & U(1) == U(1)] = parameter_count()
    return found


def pattern_logits(parameters: NDArray[np.uint16], left: NDArray[np.int64], worths: Floats) -> Floats:
    """What worths in logits say of positions with so many hollows left; the last of them must be nothing."""
    late, early = (column[parameters].sum(axis=1) for column in worths.T)
    return np.asarray((late * (56 - left) + early * left) / 56)


@compiled
def descend(parameters: Any, left: Any, given: Any, target: Any, worths: Any, squares: Any) -> None:
    """Moves the worths of patterns, in logits, by each position in turn.

    `given` is what all else says of it; `squares` are the sums of the squares of all gradients before.
    """
    last = len(worths) - 1
    for number in range(len(left)):
        share = left[number] / 56
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
