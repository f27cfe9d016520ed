"""The search of Moeraki-Kemu for states of the reference rules: the best actions, their values and variations."""

import time
from math import tanh
from typing import Final

import numpy as np

from kemu.engines.analysis import Analysis, Budget, Comparison, Line
from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.kernel import winning
from kemu.engines.moeraki.board.packed import NO_STONE, entry_move, entry_score, move_cell
from kemu.engines.moeraki.board.tables import HOLLOW_AT, NAMES, bits
from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state, rules_action
from kemu.engines.moeraki.prove.lines import LineProver
from kemu.engines.moeraki.search.alphabeta import INFINITE, MARAE_WINS, PROVEN, WINS, probe
from kemu.engines.moeraki.search.root import UNLIMITED, Candidate, Root, is_thorough, part_of
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.engines.moeraki.value.patterns import Weights
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

SCALE: Final = 1200.0
"""The evaluation by which values are scaled: at 600 a win is e times as likely as a loss."""

SCORE_ERROR: Final = 150.0
MOVED_SHARE: Final = 0.25
"""Standard error of a score against one searched twenty times as long: at least, and of what its last round moved."""

LONGEST_PV: Final = 24
PV_THREATS: Final = 10_000
"""Nodes of the threat search for each stone of a principal variation."""


class Searcher:
    """Analyses states of one game; it remembers what it found from one state to the next."""

    def __init__(self, game: MoerakiKemu, weights: Weights | None = None) -> None:
        self.game = game
        self.workspace = Workspace(kernel_rules(game), weights=weights)
        self._prover: LineProver | None = None
        self._root: Root | None = None  # the last search that was limited in time

    def search(self, state: State, budget: Budget, lines: int = 1, seed: int = 0, threads: int = 1) -> Analysis[Action]:
        """Return the best actions of a state, found within a budget; only one thread with nodes repeats exactly."""
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

    def compare(self, state: State, budget: Budget, seed: int) -> Comparison[Action]:
        """Return all actions of a state, searched equally deep within one budget, best first, with their errors."""
        words = kernel_state(self.game, state)
        if words[kernel.STEP] == kernel.PLACE:
            root, moved = self._place(words, budget, seed), dict[int, int]()
        else:
            root = Root(self.workspace, words, kernel.ACTION_COUNT, seed)
            self._search_stone(root, budget, 1)
            moved = root.settle()
        lines = tuple(analysis_line(root, candidate) for candidate in root.candidates)
        errors = tuple(
            0.0
            if line.proven
            else (SCORE_ERROR + MOVED_SHARE * moved.get(each.action, 0)) / SCALE * (1 - line.value**2)
            for line, each in zip(lines, root.candidates, strict=True)
        )
        return Comparison(lines, errors)

    def _find_root(self, state: Words, budget: Budget, lines: int, seed: int) -> Root:
        """Return where a search begins: with a budget of time where the last one of the same state has ended."""
        kept = self._root
        if budget.ms and kept and kept.asked == (lines, seed) and np.array_equal(kept.state, state):
            return kept
        root = Root(self.workspace, state, lines, seed)
        self._root = root if budget.ms else None
        return root

    def _search_stone(self, root: Root, budget: Budget, threads: int) -> None:
        """Search a root; in the beginner's game a third of a thorough budget is for proofs."""
        if self.game.variant == "beginner" and is_thorough(budget) and not root.is_ending(True):
            root.prove_stones(self._line_prover(root), part_of(budget, 3))
            budget = part_of(budget, 3, 2)
        root.run(budget, threads)

    def _line_prover(self, root: Root) -> LineProver:
        """Return the prover for the ball of a root."""
        ball = NAMES[int(root.state[kernel.BALL_AT])]
        if self._prover is None or self._prover.ball_name != ball:
            self._prover = LineProver(ball)
        return self._prover

    def _place(self, state: Words, budget: Budget, seed: int) -> Root:
        """Search each way to place the ball that is not the mirror image of another."""
        self._root = None
        root = Root(self.workspace, state, 1, seed)
        kinds = dict[tuple[int, ...], tuple[int, bool]]()
        results, nodes = dict[int, tuple[int, bool]](), 0
        for candidate in root.candidates:
            point = HOLLOWS[HOLLOW_AT[candidate.action - kernel.BALL]]
            kind = tuple(sorted((abs(point.x), abs(point.y))))
            if kind not in kinds:
                after = Root(self.workspace, candidate.state, 1, seed)
                self._search_stone(after, part_of(budget, 3), 1)
                nodes += after.nodes
                kinds[kind] = -after.candidates[0].score, after.verdict == "drawn"
            results[candidate.action] = kinds[kind]
        root.take_results(results, nodes)
        return root


def analysis_line(root: Root, candidate: Candidate) -> Line[Action]:
    """Return the line of the analysis that begins with this action; the search of the root must have ended."""
    pv = tuple(rules_action(action) for action in _principal_variation(root, candidate))
    score = (
        0 if candidate.drawn else min(candidate.score, root.left - WINS) if root.verdict == "lost" else candidate.score
    )
    return Line(pv[0], _value(score), pv, "draw" if candidate.drawn else _proven(root, score))


def _value(score: int) -> float:
    if abs(score) >= MARAE_WINS:
        return 1.0 if score > 0 else -1.0
    return round(tanh(score / SCALE), 4)


def _proven(root: Root, score: int) -> str | None:
    """Return what is certain of a score, counted in stones of the winner."""
    if score > PROVEN:
        return f"win in {(WINS - score + 1) // 2}"
    if score < -PROVEN:
        return f"loss in {(WINS + score) // 2}"
    if not root.solved:
        return None
    if score == 0:
        return "draw"
    return f"{'win' if score > 0 else 'loss'} in {root.left // 2 + root.left % 2 * (score > 0)}"


def _principal_variation(root: Root, candidate: Candidate) -> list[int]:
    """Return the action and how both sides are expected to continue."""
    actions, state = [candidate.action], candidate.state
    root.workspace.begin(UNLIMITED)
    while len(actions) < LONGEST_PV and state[kernel.STEP] != kernel.OVER:
        laying = state[kernel.STEP] == kernel.LAY
        action = _best_stone(root, state) if laying else _best_placement(root, state)
        if action not in root.legal(state):
            break
        actions.append(action)
        state = root.after(state, action)
    return actions


def _best_stone(root: Root, state: Words) -> int:
    """Return the stone that the searches expect in a state, NO_STONE if they have none."""
    workspace = root.workspace
    sides = workspace.sides(state)
    own, other, _ = sides
    if (found := workspace.attack(own, other, PV_THREATS)) is not None:
        return found[0]
    if must := bits(int(winning(other, workspace.lines) & ~(own | other | workspace.ball))):
        return must[0]
    entry = np.uint64(probe(sides, workspace.table))
    return move_cell(entry_move(entry)) if entry else NO_STONE


def _best_placement(root: Root, state: Words) -> int:
    """Return the expected choice of a seat that may place its Tane: the best placement in the table, else KEEP."""

    def score(action: int) -> int:
        after = root.after(state, action)
        if after[kernel.STEP] != kernel.LAY:
            return -INFINITE
        entry = np.uint64(probe(root.workspace.sides(after), root.workspace.table))
        if not entry:
            return -INFINITE
        value = int(entry_score(entry))
        return value if after[kernel.TURN] == state[kernel.TURN] else -value

    return max([kernel.KEEP, *root.legal(state)], key=score)
