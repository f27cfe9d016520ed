"""Fits the value and the policy of MAUW to games that were played: stochastic gradient descent (Adagrad).

The loss is a cross entropy: for the value, of the shares of the victory; for the policy, of the shares of the visits
that searches paid to each action. States are taken one by one in a random order that the seed decides; the arithmetic
is in float64 in a fixed order, so that the same samples give the same weights.
"""

from collections.abc import Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.mauw.layout import ACTION_COUNT, MOST_PLAYERS, PLAYERS, STATE_SIZE, Numbers, Reals
from kemu.engines.mauw.policy import EACH, Choices, Floats, gain_policy, list_logits
from kemu.engines.mauw.value import MOST_FACTS, ROWS, UNITS, Weights, list_facts, soften, strength

RATE: Final = 0.03
POLICY_RATE: Final = 0.1
"""The learning rates of the first epoch, of the value and of the policy."""

SLOWER: Final = 0.25
"""Factor of the learning rate after an epoch without gain."""

FIRST_SQUARE: Final = 1.0
"""Initial sums of squared gradients, which keep the first steps small."""


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


def parameters(weights: Weights) -> Parameters:
    """The parameters of the value that begin with some weights."""
    rows, output = weights.rows.astype(np.float64), weights.output.astype(np.float64)
    return Parameters(rows, output, np.full_like(rows, FIRST_SQUARE), np.full_like(output, FIRST_SQUARE))


def policy_parameters(policy: Floats) -> FittedPolicy:
    """The parameters that begin with some policy."""
    return FittedPolicy(policy.astype(np.float64), np.full(policy.shape, FIRST_SQUARE))


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


@no_refcount
def adjust(values: Reals, squares: Reals, at: int | tuple[int, int], slope: float, rate: float) -> None:
    """Changes one parameter against the slope of the loss, by less the more its slopes have been so far (Adagrad)."""
    squares[at] += slope * slope
    values[at] -= rate * slope / np.sqrt(squares[at])


# The value


class Pass(NamedTuple):
    """Memory for one state."""

    state: Numbers
    facts: Numbers  # by seat
    counts: Numbers  # of facts, by seat
    sums: Reals  # by seat and unit
    shares: Reals


@no_refcount
def forward(fitted: Parameters, buffers: Pass) -> None:
    """Writes facts, units and shares of all seats of the state in the buffers."""
    state, facts, counts, sums, shares = buffers
    players = int(state[PLAYERS])
    for seat in range(players):
        counts[seat] = list_facts(state, seat, facts[seat])
        shares[seat] = strength(facts[seat], counts[seat], fitted.rows, fitted.output, sums[seat])
    soften(shares, players)


@no_refcount
def backward(fitted: Parameters, buffers: Pass, seat: int, error: float, rate: float) -> None:
    """Changes the parameters by the error of the share of one seat."""
    sums, facts = buffers.sums, buffers.facts
    for unit in range(UNITS):
        slope = error
        if unit < UNITS - 1:
            if sums[seat, unit] <= 0.0:
                continue
            slope = error * fitted.output[unit]
            adjust(fitted.output, fitted.output_squares, unit, error * sums[seat, unit], rate)
        for at in range(buffers.counts[seat]):
            adjust(fitted.rows, fitted.row_squares, (facts[seat, at], unit), slope, rate)


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


# The policy


class PolicyPass(NamedTuple):
    """Memory for one state."""

    state: Numbers
    choices: Choices  # with their chances
    rows: Numbers  # by action
    targets: Reals


@no_refcount
def write_targets(searched: Searched, sample: int, count: int, buffers: PolicyPass) -> None:
    """Writes the share of the visits of each action."""
    first, last = searched.firsts[sample], searched.firsts[sample + 1]
    total = 0
    for visited in range(first, last):
        total += searched.visits[visited]
    for at in range(count):
        buffers.targets[at] = 0.0
        for visited in range(first, last):
            if searched.actions[visited] == buffers.choices.actions[at]:
                buffers.targets[at] = searched.visits[visited] / total


@compiled
def run_policy_epoch(searched: Searched, order: Numbers, fitted: FittedPolicy, rate: float) -> float:
    """Takes the states in this order, changes the parameters unless the rate is 0, and returns the mean loss."""
    buffers = PolicyPass(
        np.empty(STATE_SIZE, np.int64),
        Choices(np.empty(ACTION_COUNT, np.int64), np.empty(ACTION_COUNT)),
        np.empty((ACTION_COUNT, EACH), np.int64),
        np.empty(ACTION_COUNT),
    )
    chances = buffers.choices.gains
    loss = 0.0
    for sample in order:
        for at in range(STATE_SIZE):
            buffers.state[at] = searched.states[sample, at]
        count = list_logits(buffers.state, fitted.rows, buffers.choices, buffers.rows)
        soften(chances, count)
        write_targets(searched, sample, count, buffers)
        for at in range(count):
            error = chances[at] - buffers.targets[at]
            if buffers.targets[at] > 0.0:
                loss -= buffers.targets[at] * np.log(max(chances[at], 1e-12))
            if rate > 0.0:
                for each in range(EACH):
                    adjust(fitted.rows, fitted.squares, buffers.rows[at, each], error, rate)
    return loss / max(order.shape[0], 1)
