"""The search of MAUW: from the view and the log of one seat to its best actions; it never meets a state."""

import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from kemu.core.errors import ParseError
from kemu.engines.analysis import Analysis, Budget, Line
from kemu.engines.mauw import kernel, layout, tree
from kemu.engines.mauw.knowledge import Knowledge, know
from kemu.engines.mauw.sight import View, some_state
from kemu.engines.mauw.tables import CARDS, Numbers
from kemu.engines.mauw.translation import kernel_state, rules_action
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import Action

SETTINGS: Final = {
    tree.EXPLORATION: 1.0,
    tree.SHARPNESS: 10.0,
    tree.NOISE: 10.0,
    tree.MARGIN_SHARE: 0.3,
    tree.MARGIN_SCALE: 40.0,
    tree.HORIZON: 1000.0,
    tree.URGENCY: 0.05,
}
"""Chosen by matches of two players at 300 to 500 playouts: less exploration and playouts without gains were worse;
the noise and the share of the margin made no difference that some hundred games could show."""

MOST_NODES: Final = 1 << 18
LONGEST_PV: Final = 12

FORCED: Final = 100
"""So many playouts are enough for the value of the only legal action."""

FIRST_ROUND: Final = 32
LONGEST_ROUND: Final = 0.02
"""Seconds until the next look at the clock."""


class Searcher:
    """Finds actions for any seat of one game; it keeps nothing from one search to the next but its memory."""

    def __init__(self, game: Mauw) -> None:
        self.game = game
        self._settings = np.array([SETTINGS[each] for each in range(len(SETTINGS))])
        self._nodes = np.empty((tree.ROWS, 1), np.int64)
        self._totals = np.empty(1)
        # The compiled code is there from the start, so that the clock of the first search measures the search.
        nothing = Knowledge(np.ones(1), np.zeros((1, 1, CARDS), np.int64), np.zeros((1, 1, game.players), np.int64))
        self._play(kernel_state(game.initial()), nothing, 1, 0, np.uint64(0))

    def search(self, view: View, log: Sequence[str], budget: Budget, lines: int = 1, seed: int = 0) -> Analysis[Action]:
        """The best actions of the seat whose view this is; with a budget of nodes, which are playouts, it repeats."""
        begin = time.perf_counter()
        start = self._start(view)
        known = know(self.game, view, log)
        choices = kernel.legal(start, np.zeros(layout.ACTION_COUNT, np.int64))
        if choices == 1:
            budget = Budget(nodes=min(FORCED, budget.nodes or FORCED))
        playouts = self._grow(start, known, budget, begin, seed)
        found = [self._line(child) for child in self._ranked(0)[:lines]]
        return Analysis(tuple(found), playouts, round(1000 * (time.perf_counter() - begin)))

    def _start(self, view: View) -> Numbers:
        """What the seat sees, as a state of the kernel without the hidden cards."""
        seat = view["seat"]
        if view["to_act"] != seat or seat is None:
            raise ParseError("The search takes the view of the seat that is to act.")
        start = kernel_state(some_state(self.game, view))
        for other in range(self.game.players):
            if other != seat:
                start[layout.HELD + CARDS * other : layout.HELD + CARDS * (other + 1)] = 0
                start[layout.SIZES + other] = start[layout.KINDS + other] = 0
        start[layout.PILE : layout.PILE + CARDS] = 0
        return start

    def _grow(self, start: Numbers, known: Knowledge, budget: Budget, begin: float, seed: int) -> int:
        """Grows a new tree until the budget is spent; the number of playouts."""
        most = min(MOST_NODES, budget.nodes + 1) if budget.nodes else MOST_NODES
        if self._totals.shape[0] < most:
            self._nodes, self._totals = np.empty((tree.ROWS, most), np.int64), np.empty(most)
        self._nodes[:, 0] = (tree.NONE, tree.NONE, 0, 0, 0)
        stream = np.uint64((seed * 0x9E3779B97F4A7C15 + 1) % (1 << 64))
        used, done, rest = 1, 0, budget.nodes or FIRST_ROUND
        first = time.perf_counter()
        while rest:
            used, stream = self._play(start, known, used, rest, stream)
            done += rest
            now = time.perf_counter()
            rest = 0 if budget.ms is None else _next_round(done / (now - first), begin + budget.ms / 1000 - now)
        return done

    def _play(
        self, start: Numbers, known: Knowledge, used: int, playouts: int, stream: np.uint64
    ) -> tuple[int, np.uint64]:
        """Grows the tree, of which some nodes are used, by some playouts."""
        used, stream = tree.grow(
            start,
            known.chances,
            known.held,
            known.cards,
            self._nodes,
            self._totals,
            used,
            self._settings,
            playouts,
            stream,
        )
        return used, np.uint64(stream)

    def _ranked(self, node: int) -> list[int]:
        """The children of a node, the most visited one first."""
        children = []
        child = int(self._nodes[tree.FIRST, node])
        while child != tree.NONE:
            children.append(child)
            child = int(self._nodes[tree.NEXT, child])
        return sorted(children, key=lambda each: (-self._nodes[tree.VISITS, each], -self._totals[each]))

    def _line(self, child: int) -> Line[Action]:
        """What the tree says of an action; the draws between actions are left out of its line."""
        value = 2 * self._totals[child] / self._nodes[tree.VISITS, child] - 1
        pv = [child]
        while len(pv) < LONGEST_PV and (following := self._ranked(pv[-1])):
            pv.append(following[0])
        actions = tuple(rules_action(int(self._nodes[tree.ACTION, node])) for node in pv)
        return Line(actions[0], round(float(value), 4), actions)


def _next_round(rate: float, left: float) -> int:
    """How many more playouts until the next look at the clock, none when no time is left."""
    return max(1, int(rate * min(left, LONGEST_ROUND))) if left > 0 else 0
