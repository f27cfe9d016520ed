"""How well a player chose, from 0 to 100, by the formulas of lichess.

An action that loses so many points of expected score has the accuracy of an exponential curve. A game has the mean of
two means: the one that weighs actions by how much the expected score moved around them, and the harmonic one, which a
single bad action pulls down.
"""

from collections.abc import Sequence
from math import exp
from statistics import pstdev
from typing import Final

LEAST_WINDOW, MOST_WINDOW = 2, 8
WINDOWS: Final = 10
"""A window is this part of the game, within the two limits."""

LEAST_WEIGHT_POINTS, MOST_WEIGHT_POINTS = 0.5, 12.0


def action_accuracy(loss: float) -> float:
    """The accuracy of an action that loses so many points of expected score, which are from 0 to 100."""
    if loss <= 0:
        return 100.0
    return min(100.0, max(0.0, 103.1668 * exp(-0.043544 * loss) - 3.1669 + 1))


def game_accuracy(course: Sequence[float], losses: Sequence[tuple[int, float]]) -> float | None:
    """The accuracy of one player in a game, None without an action of theirs.

    Takes the player's expected score in points at every ply, and the ply and the loss of each of their actions.
    """
    if not losses:
        return None
    size = min(MOST_WINDOW, max(LEAST_WINDOW, len(course) // WINDOWS))
    accuracies = [action_accuracy(loss) for _, loss in losses]
    weights = [_weight(course, ply, size) for ply, _ in losses]
    weighted = sum(each * weight for each, weight in zip(accuracies, weights, strict=True)) / sum(weights)
    harmonic = len(accuracies) / sum(1 / max(each, 1.0) for each in accuracies)
    return (weighted + harmonic) / 2


def _weight(course: Sequence[float], ply: int, size: int) -> float:
    """How much the expected score moved in the window that ends after an action."""
    end = min(len(course), max(ply + 2, size))
    return min(MOST_WEIGHT_POINTS, max(LEAST_WEIGHT_POINTS, pstdev(course[max(0, end - size) : end])))
