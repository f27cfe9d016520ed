"""A search under way that grows a tree game by game, between the proofs that all searches begin and end with."""

import time
from collections.abc import Callable
from itertools import pairwise
from math import inf, log

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.moeraki.alphabeta import MARAE_WINS
from kemu.engines.moeraki.evaluation import LARGEST, LOGIT
from kemu.engines.moeraki.kernel import NOBODY
from kemu.engines.moeraki.root import Candidate, Root
from kemu.engines.moeraki.search_tree import NONE, OPEN, WINNER, Path, Tree, back_up_proof, clear, is_spent
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.threats import TOTAL_LIMIT
from kemu.engines.moeraki.workspace import Workspace


class TreeRoot(Root):
    """What searches of this kind have in common; `deepen_all` is theirs."""

    def __init__(self, tree: Tree, workspace: Workspace, state: Words, lines: int, seed: int) -> None:
        super().__init__(workspace, state, lines, seed)
        self.tree = tree
        self.stream = np.uint64(seed)
        self._ms: int | None = None
        self._begin = 0.0

    def run(self, budget: Budget, threads: int) -> None:
        """Searches until the budget is spent or nothing is left to find, on one thread."""
        self._ms, self._begin = budget.ms, time.perf_counter()
        clear(self.tree)
        super().run(budget, 1)

    def spent(self) -> float:
        """The part of the budget that is spent."""
        if self._ms:
            return (time.perf_counter() - self._begin) * 1000 / self._ms
        return self.workspace.nodes / int(self.workspace.counters[TOTAL_LIMIT])

    def is_done(self) -> bool:
        """Whether the budget is spent or the root is decided."""
        return bool(self.tree.proof[0] != OPEN or is_spent(self.workspace.counters))

    def children(self) -> dict[int, int]:
        """The children of the root by their actions; stones that lose to a threat have none."""
        first = int(self.tree.child[0])
        if first == NONE:
            return {}
        return {int(self.tree.action[child]): child for child in range(first, first + int(self.tree.children[0]))}

    def mark_lost(self, child: int) -> None:
        """Notes that the opponent wins after the action of a child of the root, which decides the root if all lose."""
        self.tree.proof[child] = WINNER + 1 - self.seat
        back_up_proof(Path(np.array([0, child]), np.array([1 - self.seat, self.seat])), 1, self.tree)

    def rank_candidates(self, worth: Callable[[int], float]) -> None:
        """Sorts the candidates by what is proved and then by the worth of their children, and gives them scores."""
        children = self.children()

        def place(candidate: Candidate) -> tuple[int, float]:
            child, score = children.get(candidate.action, NONE), candidate.score
            decided = (score == MARAE_WINS) - (score == -MARAE_WINS)
            return decided, worth(child) if child != NONE else -inf

        for candidate in self.candidates:
            candidate.score = self._score(children.get(candidate.action, NONE))
        self.candidates.sort(key=place, reverse=True)
        for before, candidate in pairwise(self.candidates):
            # One that fewer games went through may look better by chance.
            candidate.score = min(candidate.score, before.score)

    def _score(self, child: int) -> int:
        """The score of a child of the root; stones without one are lost."""
        proof = WINNER + 1 - self.seat if child == NONE else int(self.tree.proof[child])
        if proof == WINNER + NOBODY:
            return 0
        if proof != OPEN:
            return MARAE_WINS if proof == WINNER + self.seat else -MARAE_WINS
        mean = (float(self.tree.wins[child]) + 0.5) / (int(self.tree.visits[child]) + 1)
        return max(min(round(LOGIT * log(mean / (1 - mean))), LARGEST), -LARGEST)
