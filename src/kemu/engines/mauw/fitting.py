"""Fits the nets of the learned value to states of games and to who won them: stochastic gradient descent (Adagrad).

The loss is the cross entropy of the shares of the victory. States are taken one by one in a random order that the
seed decides; the arithmetic is in float64 in a fixed order, so that the same samples give the same nets.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import borrowing, compiled
from kemu.engines.mauw.layout import MOST_PLAYERS, PLAYERS, STATE_SIZE, Numbers, Reals
from kemu.engines.mauw.policy import gain_policy
from kemu.engines.mauw.policy_fitting import FittedPolicy
from kemu.engines.mauw.value import MOST_FACTS, ROWS, UNITS, list_facts, soften
from kemu.engines.mauw.weights import Weights

RATE: Final = 0.03
"""The learning rate of the first epoch."""

SLOWER: Final = 0.25
"""What the rate is multiplied by after an epoch without gain."""

FIRST_SQUARE: Final = 1.0
"""What the sums of squared gradients begin with, so that the first steps are small."""


P = TypeVar("P", bound=tuple[Any, ...])


class Samples(NamedTuple):
    """States at the start of a turn, and how the games ended."""

    states: NDArray[np.int16]
    shares: NDArray[np.float32]  # of the victory, by state and seat


class Parameters(NamedTuple):
    """A net that is being fitted, and the sums of its squared gradients."""

    rows: Reals
    output: Reals
    row_squares: Reals
    output_squares: Reals


class Pass(NamedTuple):
    """Memory for one state."""

    state: Numbers
    facts: Numbers  # by seat
    counts: Numbers  # of facts, by seat
    sums: Reals  # by seat and unit
    shares: Reals


def parameters(weights: Weights) -> Parameters:
    """The parameters of the value that begin with some weights."""
    rows, output = weights.rows.astype(np.float64), weights.output.astype(np.float64)
    return Parameters(rows, output, np.full_like(rows, FIRST_SQUARE), np.full_like(output, FIRST_SQUARE))


class Fit(Generic[P]):
    """Parameters that are fitted epoch by epoch; those with the least loss of samples held out are kept.

    After an epoch that did not lower this loss, the next one begins again with what was kept, at a smaller rate:
    weights that have learned from many games would forget much of it at the rate with which others begin.
    """

    def __init__(
        self, run: Callable[[Numbers, P, float], float], start: P, parts: tuple[Numbers, Numbers], rate: float
    ) -> None:
        self._run = run
        self._fitted = start
        self._rate = rate
        self.parts = parts  # the samples that are trained on, and those that are held out
        self.kept = _copied(start)
        self.trained = 0.0  # the loss of the last epoch
        self.least = run(parts[1], start, 0.0)

    def run_epoch(self, source: np.random.Generator) -> None:
        """Takes all samples once."""
        self.trained = self._run(source.permutation(self.parts[0]), self._fitted, self._rate)
        loss = self._run(self.parts[1], self._fitted, 0.0)
        if loss < self.least:
            self.least, self.kept = loss, _copied(self._fitted)
        else:
            self._fitted, self._rate = _copied(self.kept), self._rate * SLOWER


def _copied(parameters: P) -> P:
    arrays: Any = parameters
    copied: P = type(arrays)(*(array.copy() for array in arrays))
    return copied


def fitted_weights(fitted: Parameters, policy: FittedPolicy) -> Weights:
    """The weights that parameters have come to."""
    return Weights(*(array.astype(np.float32) for array in (fitted.rows, fitted.output, policy.rows)))


def random_weights(seed: int) -> Weights:
    """Weights of which nothing is learned yet; every state seems even, and actions are as likely as what they gain."""
    source = np.random.default_rng(seed)
    rows = source.normal(0.0, 0.05, (ROWS, UNITS))
    rows[:, UNITS - 1] = 0.0
    return Weights(rows.astype(np.float32), source.normal(0.0, 0.3, UNITS).astype(np.float32), gain_policy())


@borrowing
def forward(fitted: Parameters, buffers: Pass) -> None:
    """Writes facts, units and shares of all seats of the state in the buffers."""
    state, facts, counts, sums, shares = buffers
    players = int(state[PLAYERS])
    for seat in range(players):
        counts[seat] = list_facts(state, seat, facts[seat])
        for unit in range(UNITS):
            sums[seat, unit] = 0.0
        for at in range(counts[seat]):
            for unit in range(UNITS):
                sums[seat, unit] += fitted.rows[facts[seat, at], unit]
        shares[seat] = sums[seat, UNITS - 1]
        for unit in range(UNITS - 1):
            shares[seat] += fitted.output[unit] * max(sums[seat, unit], 0.0)
    soften(shares, players)


@borrowing
def backward(fitted: Parameters, buffers: Pass, seat: int, error: float, rate: float) -> None:
    """Changes the parameters by the error of the share of one seat."""
    sums, facts = buffers.sums, buffers.facts
    for unit in range(UNITS):
        slope = error
        if unit < UNITS - 1:
            if sums[seat, unit] <= 0.0:
                continue
            slope = error * fitted.output[unit]
            step = error * sums[seat, unit]
            fitted.output_squares[unit] += step * step
            fitted.output[unit] -= rate * step / np.sqrt(fitted.output_squares[unit])
        for at in range(buffers.counts[seat]):
            row = facts[seat, at]
            fitted.row_squares[row, unit] += slope * slope
            fitted.rows[row, unit] -= rate * slope / np.sqrt(fitted.row_squares[row, unit])


@compiled
def run_epoch(samples: Samples, order: Numbers, fitted: Parameters, rate: float) -> float:
    """Takes the samples in this order, changes the parameters unless the rate is 0, and returns the mean loss."""
    buffers = Pass(
        np.empty(STATE_SIZE, np.int64),
        np.empty((MOST_PLAYERS, MOST_FACTS), np.int64),
        np.empty(MOST_PLAYERS, np.int64),
        np.empty((MOST_PLAYERS, UNITS)),
        np.empty(MOST_PLAYERS),
    )
    loss = 0.0
    for sample in order:
        for at in range(STATE_SIZE):
            buffers.state[at] = samples.states[sample, at]
        forward(fitted, buffers)
        for seat in range(buffers.state[PLAYERS]):
            target = samples.shares[sample, seat]
            if target > 0.0:
                loss -= target * np.log(max(buffers.shares[seat], 1e-12))
        if rate > 0.0:
            for seat in range(buffers.state[PLAYERS]):
                error = buffers.shares[seat] - samples.shares[sample, seat]
                backward(fitted, buffers, seat, error, rate)
    return loss / max(order.shape[0], 1)
