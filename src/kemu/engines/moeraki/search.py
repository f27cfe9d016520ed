"""The search of Moeraki-Kemu for states of the reference rules."""

import time
from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from kemu.engines.analysis import Analysis, Budget
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.root import Root, is_thorough
from kemu.engines.moeraki.tables import HOLLOW_AT, Words
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.variation import analysis_line
from kemu.engines.moeraki.weights import Weights
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

RootMaker: TypeAlias = Callable[[Workspace, Words, int, int], Root]
"""Makes a root from workspace, state, lines and seed; its class is the kind of search."""


class Searcher:
    """Analyses states of one game; it remembers what it found from one state to the next."""

    def __init__(self, game: MoerakiKemu, weights: Weights | None = None, root: RootMaker = Root) -> None:
        self.game = game
        self.workspace = Workspace(kernel_rules(game), weights=weights)
        self._make_root = root
        self._prover: Any = None
        self._root: Root | None = None  # the last search that was limited in time

    def search(self, state: State, budget: Budget, lines: int = 1, seed: int = 0, threads: int = 1) -> Analysis[Action]:
        """The best actions of a state, found within a budget; only one thread with nodes repeats exactly."""
        begin = time.perf_counter()
        words = kernel_state(self.game, state)
        assert words[kernel.STEP] != kernel.OVER, "a state that is over has no action to find"
        if words[kernel.STEP] == kernel.PLACE:
            root, before = self._place(words, budget, seed), 0
        else:
            root = self._find_root(words, budget, lines, seed)
            before = root.nodes
            self._search_stone(root, budget, threads)
        found = tuple(analysis_line(root, candidate) for candidate in root.candidates[:lines])
        return Analysis(found, root.nodes - before, round(1000 * (time.perf_counter() - begin)), root.depth or None)

    def _find_root(self, state: Words, budget: Budget, lines: int, seed: int) -> Root:
        """Where a search begins: with a budget of time where the last one of the same state has ended."""
        kept = self._root
        if budget.ms and kept and kept.asked == (lines, seed) and np.array_equal(kept.state, state):
            return kept
        root = self._make_root(self.workspace, state, lines, seed)
        self._root = root if budget.ms else None
        return root

    def _search_stone(self, root: Root, budget: Budget, threads: int) -> None:
        """Searches a root; in the beginner's game a third of a thorough budget is for proofs."""
        if self.game.variant == "beginner" and is_thorough(budget) and not root.is_ending(True):
            from kemu.engines.moeraki.sound_stones import prove_stones

            prover = self._line_prover(root)
            before = prover.nodes
            prove_stones(root, prover, _part(budget, 3))
            root.nodes += prover.nodes - before
            budget = Budget(budget.nodes and max(budget.nodes * 2 // 3, 1), budget.ms and max(budget.ms * 2 // 3, 1))
        root.run(budget, threads)

    def _line_prover(self, root: Root) -> Any:
        """The prover for the ball of a root; its code is loaded by the first search that needs it."""
        from kemu.engines.moeraki.lineproof import LineProver

        ball = HOLLOWS[HOLLOW_AT[int(root.state[kernel.BALL_AT])]].name
        if self._prover is None or self._prover.ball_name != ball:
            self._prover = LineProver(ball)
        return self._prover

    def _place(self, state: Words, budget: Budget, seed: int) -> Root:
        """Searches each way to place the ball that is not the mirror image of another."""
        self._root = None
        self.workspace.place_ball(kernel.NOWHERE)
        root = Root(self.workspace, state, 1, seed)
        kinds: dict[tuple[int, ...], tuple[int, bool]] = {}
        for candidate in root.candidates:
            point = HOLLOWS[HOLLOW_AT[candidate.action - kernel.BALL]]
            kind = tuple(sorted((abs(point.x), abs(point.y))))
            if kind not in kinds:
                after = self._make_root(self.workspace, candidate.state, 1, seed)
                self._search_stone(after, _part(budget, 3), 1)
                root.nodes += after.nodes
                kinds[kind] = -after.candidates[0].score, after.verdict == "drawn"
            candidate.score, candidate.drawn = kinds[kind]
        root.candidates.sort(key=lambda candidate: -candidate.score)
        return root


def _part(budget: Budget, parts: int) -> Budget:
    """One of so many equal parts of a budget."""
    return Budget(budget.nodes and max(budget.nodes // parts, 1), budget.ms and max(budget.ms // parts, 1))
