"""Fits the policy of MAUW to how often searches visited each action (Adagrad).

The loss is the cross entropy of the shares of the visits. Like the fit of the value, the arithmetic is in float64 in
a fixed order.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import borrowing, compiled
from kemu.engines.mauw.layout import ACTION_COUNT, STATE_SIZE, Numbers, Reals
from kemu.engines.mauw.policy import EACH, bits_of, list_choices, list_rows, standing_of
from kemu.engines.mauw.weights import Floats

RATE: Final = 0.1
"""The learning rate of the first epoch."""

FIRST_SQUARE: Final = 1.0
"""What the sums of squared gradients begin with, so that the first steps are small."""


class Searched(NamedTuple):
    """States, and how often searches visited their actions."""

    states: NDArray[np.int16]
    firsts: Numbers  # by state: where its actions begin; one more at the end
    actions: NDArray[np.int16]
    visits: NDArray[np.int32]


class FittedPolicy(NamedTuple):
    """A policy that is being fitted, and the sums of its squared gradients."""

    rows: Reals
    squares: Reals


class Pass(NamedTuple):
    """Memory for one state."""

    state: Numbers
    actions: Numbers
    rows: Numbers  # by action
    chances: Reals
    targets: Reals


def policy_parameters(policy: Floats) -> FittedPolicy:
    """The parameters that begin with some policy."""
    return FittedPolicy(policy.astype(np.float64), np.full(policy.shape, FIRST_SQUARE))


@borrowing
def write_chances(fitted: FittedPolicy, buffers: Pass) -> int:
    """Writes the actions of the state in the buffers, their rows and their chances; returns how many they are."""
    state, actions, rows, chances, _ = buffers
    count = list_choices(state, actions)
    standing = standing_of(state)
    top, total = -1e9, 0.0
    for at in range(count):
        list_rows(state, standing, actions[at], bits_of(state, standing.seat, actions[at]), rows[at])
        chances[at] = 0.0
        for each in range(EACH):
            chances[at] += fitted.rows[rows[at, each]]
        top = max(top, chances[at])
    for at in range(count):
        chances[at] = np.exp(chances[at] - top)
        total += chances[at]
    for at in range(count):
        chances[at] /= total
    return count


@borrowing
def write_targets(searched: Searched, sample: int, count: int, buffers: Pass) -> None:
    """Writes the share of the visits of each action."""
    first, last = searched.firsts[sample], searched.firsts[sample + 1]
    total = 0
    for visited in range(first, last):
        total += searched.visits[visited]
    for at in range(count):
        buffers.targets[at] = 0.0
        for visited in range(first, last):
            if searched.actions[visited] == buffers.actions[at]:
                buffers.targets[at] = searched.visits[visited] / total


@compiled
def run_policy_epoch(searched: Searched, order: Numbers, fitted: FittedPolicy, rate: float) -> float:
    """Takes the states in this order, changes the parameters unless the rate is 0, and returns the mean loss."""
    buffers = Pass(
        np.empty(STATE_SIZE, np.int64),
        np.empty(ACTION_COUNT, np.int64),
        np.empty((ACTION_COUNT, EACH), np.int64),
        np.empty(ACTION_COUNT),
        np.empty(ACTION_COUNT),
    )
    loss = 0.0
    for sample in order:
        for at in range(STATE_SIZE):
            buffers.state[at] = searched.states[sample, at]
        count = write_chances(fitted, buffers)
        write_targets(searched, sample, count, buffers)
        for at in range(count):
            error = buffers.chances[at] - buffers.targets[at]
            if buffers.targets[at] > 0.0:
                loss -= buffers.targets[at] * np.log(max(buffers.chances[at], 1e-12))
            if rate > 0.0:
                for each in range(EACH):
                    row = buffers.rows[at, each]
                    fitted.squares[row] += error * error
                    fitted.rows[row] -= rate * error / np.sqrt(fitted.squares[row])
    return loss / max(order.shape[0], 1)
