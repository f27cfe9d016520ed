"""The search of MAUW: from the view and the log of one seat to its best actions; it is given no state."""

import time
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from kemu.core.errors import ParseError
from kemu.engines.analysis import Analysis, Budget, Comparison, Line
from kemu.engines.mauw import layout, tree
from kemu.engines.mauw.hands import REMEMBERED, Memory, empty_memory, remember
from kemu.engines.mauw.information_set import Pool, Readings
from kemu.engines.mauw.kernel import legal
from kemu.engines.mauw.layout import CARDS, Numbers, kernel_action, kernel_state, rules_action
from kemu.engines.mauw.log import AnyView, CardGiven, Decided, History, LogReader, consistent_state
from kemu.engines.mauw.policy import Floats
from kemu.engines.mauw.tree import Belief, clear_tree, grow, make_belief, make_tree
from kemu.engines.mauw.value import Weights, shipped_nets
from kemu.games.mauw.actions import Action, DiscardHand, PlaceGain
from kemu.games.mauw.rules import Mauw

MOST_NODES: Final = 1 << 19
LONGEST_PV: Final = 12

MOST_COMPARED, ROUNDS = 3, 8
"""Actions that a comparison looks at beside the one it is about, and the rounds of equal playouts for each."""

FORCED_PLAYOUTS: Final = 100
"""Playouts spent on the value of the only legal action."""

FIRST_ROUND: Final = 32
"""Playouts before the first look at the clock."""

LONGEST_ROUND_SECONDS: Final = 0.02
"""Until the next look at the clock."""


def public_state(game: Mauw, view: AnyView) -> Numbers:
    """What a player sees, as a state of the kernel without the hidden cards; ParseError if no state has this view."""
    start = kernel_state(consistent_state(game, view))
    for other in range(game.players):
        if other != view["seat"]:
            start[layout.HELD + CARDS * other : layout.HELD + CARDS * (other + 1)] = 0
            start[layout.SIZES + other] = start[layout.KINDS + other] = 0
    start[layout.PILE : layout.PILE + CARDS] = 0
    return start


def memory_of(history: History, players: int, policy: Floats) -> Memory:
    """Return what a log says of the last decisions of the other seats.

    Where a gain is placed says nothing of the hand, and after a whole hand was discarded nothing before it counts.
    """
    decisions: list[list[list[Any]]] = [[] for _ in range(players)]  # by seat: event, and the cards drawn after it
    for event in history.events:
        if isinstance(event, Decided) and isinstance(event.action, DiscardHand):
            decisions[event.seat].clear()
        elif isinstance(event, Decided) and not isinstance(event.action, PlaceGain):
            decisions[event.seat].append([event, 0])
        elif isinstance(event, CardGiven) and event.seat is not None and decisions[event.seat]:
            decisions[event.seat][-1][1] += 1
    memory = empty_memory()
    for seat, taken in enumerate(decisions):
        last = taken[: -REMEMBERED - 1 : -1]
        memory.counts[seat] = len(last)
        for at, (event, drawn) in enumerate(last):
            memory.drawn[seat, at] = drawn
            remember(memory, at, kernel_state(event.state), kernel_action(event.action), policy)
    return memory


class Searcher:
    """Finds actions for any seat of one game; with a budget of time it continues an earlier search."""

    def __init__(self, game: Mauw, weights: Weights | None = None) -> None:
        self.game = game
        self._weights = weights or shipped_nets()[game.players]
        self._reader, self._readings = LogReader(game), Readings(game)
        self._tree = make_tree(1)
        self._question: Any = None  # what the tree belongs to, if it may grow on
        self._stream = np.uint64(0)  # the state of the random numbers
        # The code is compiled here, so that the clock of the first search measures the search.
        state, memory = kernel_state(game.initial()), empty_memory()
        remember(memory, 0, state, layout.GIVE_IN, self._weights.policy)
        nothing = make_belief(state, {(Pool((0,) * CARDS, (0,) * game.players),): 1.0}, memory)
        grow(nothing, self._tree, self._weights, 0, np.uint64(0), tree.NONE)

    def search(
        self, view: AnyView, log: Sequence[str], budget: Budget, lines: int = 1, seed: int = 0
    ) -> Analysis[Action]:
        """The best actions of the seat whose view and log these are; ParseError if it is not to act.

        With a budget in nodes, which are playouts, the same arguments give the same answer.
        """
        if view["to_act"] != view["seat"] or view["seat"] is None:
            raise ParseError("The search takes the view of the seat that is to act.")
        begin = time.perf_counter()
        start, belief = self._belief(view, log)
        if legal(start, np.zeros(layout.ACTION_COUNT, np.int64)) == 1:
            budget = Budget(nodes=min(FORCED_PLAYOUTS, budget.nodes or FORCED_PLAYOUTS))
        question = None if budget.ms is None else (view, tuple(log), seed)
        if question is None or question != self._question:
            self._clear(budget, seed)
            self._question = question
        playouts = self._grow(belief, budget, begin)
        found = [self._line(child) for child in self._ranked(0)[:lines]]
        return Analysis(tuple(found), playouts, round(1000 * (time.perf_counter() - begin)))

    def compare(
        self, view: AnyView, log: Sequence[str], budget: Budget, action: Action, seed: int
    ) -> Comparison[Action]:
        """Return an action and those that seem the best, of which each got as many playouts as the others.

        The errors are those of the mean of several rounds. Takes a budget in nodes.
        """
        playouts, (_, belief) = budget.nodes or FIRST_ROUND, self._belief(view, log)
        self._question = None
        self._clear(budget, seed)
        self._stream = np.uint64(
            grow(belief, self._tree, self._weights, max(1, playouts // 2), self._stream, tree.NONE)
        )
        ranked = self._ranked(0)
        compared = [int(self._tree.nodes[tree.ACTION, child]) for child in ranked[:MOST_COMPARED]]
        if (taken := kernel_action(action)) not in compared:
            compared.append(taken)
        self._clear(budget, seed + 1)
        each = max(1, playouts // 2 // (ROUNDS * len(compared)))
        means = np.empty((ROUNDS, len(compared)))
        for number in range(ROUNDS):
            for at, one in enumerate(compared):
                before = self._results().get(one, (0, 0.0))
                self._stream = np.uint64(grow(belief, self._tree, self._weights, each, self._stream, one))
                after = self._results()[one]
                means[number, at] = 2 * (after[1] - before[1]) / (after[0] - before[0]) - 1
        errors = np.std(means, axis=0, ddof=1) / np.sqrt(ROUNDS)
        by_action = dict(zip(compared, map(float, errors), strict=True))
        lines = sorted(map(self._line, self._ranked(0)), key=lambda line: -line.value)
        return Comparison(tuple(lines), tuple(by_action[kernel_action(line.action)] for line in lines))

    def _results(self) -> dict[int, tuple[int, float]]:
        """Return by action of the root how often it was tried, and the sum of its rewards."""
        nodes, totals = self._tree.nodes, self._tree.totals
        return {
            int(nodes[tree.ACTION, child]): (int(nodes[tree.VISITS, child]), float(totals[child]))
            for child in self._ranked(0)
        }

    def _belief(self, view: AnyView, log: Sequence[str]) -> tuple[Numbers, Belief]:
        """Return the state without the hidden cards, and what the seat of a view and a log may believe of these."""
        start, history = public_state(self.game, view), self._reader.read(view, log)
        memory = memory_of(history, self.game.players, self._weights.policy)
        return start, make_belief(start, self._readings.weigh(view, history), memory)

    def _clear(self, budget: Budget, seed: int) -> None:
        """Begins a new tree, with room for what the budget may find, and new random numbers."""
        most = min(MOST_NODES, budget.nodes + 1) if budget.nodes else MOST_NODES
        if self._tree.totals.shape[0] < most:
            self._tree = make_tree(most)
        clear_tree(self._tree)
        self._stream = np.uint64((seed * 0x9E3779B97F4A7C15 + 1) % (1 << 64))

    def _grow(self, belief: Belief, budget: Budget, begin: float) -> int:
        """Grows the tree until the budget is spent; the number of playouts."""
        done, rest = 0, budget.nodes or FIRST_ROUND
        first = time.perf_counter()
        while rest:
            self._stream = np.uint64(grow(belief, self._tree, self._weights, rest, self._stream, tree.NONE))
            done += rest
            now = time.perf_counter()
            rest = 0 if budget.ms is None else _next_round(done / (now - first), begin + budget.ms / 1000 - now)
        return done

    def _ranked(self, node: int) -> list[int]:
        """The children of a node, the most visited one first."""
        children = []
        child = int(self._tree.nodes[tree.FIRST_CHILD, node])
        while child != tree.NONE:
            children.append(child)
            child = int(self._tree.nodes[tree.NEXT_SIBLING, child])
        return sorted(children, key=lambda each: (-self._tree.nodes[tree.VISITS, each], -self._tree.totals[each]))

    def _line(self, child: int) -> Line[Action]:
        """The value and the principal variation of a child of the root; draws between actions are not in it."""
        value = 2 * self._tree.totals[child] / self._tree.nodes[tree.VISITS, child] - 1
        pv = [child]
        while len(pv) < LONGEST_PV and (following := self._ranked(pv[-1])):
            pv.append(following[0])
        actions = tuple(rules_action(int(self._tree.nodes[tree.ACTION, node])) for node in pv)
        return Line(actions[0], round(float(value), 4), actions)


def _next_round(rate: float, left: float) -> int:
    """How many more playouts until the next look at the clock, none when no time is left."""
    return max(1, int(rate * min(left, LONGEST_ROUND_SECONDS))) if left > 0 else 0
