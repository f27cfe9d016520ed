"""The arrays that the compiled searches work on, and the questions they can be asked about a state."""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import plain_tuple
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import Sides, is_starter
from kemu.engines.moeraki.board.tables import DEEPEST, LINES, MASKS
from kemu.engines.moeraki.prove import endings, proof_number, threats
from kemu.engines.moeraki.prove.control import new_control
from kemu.engines.moeraki.prove.endings import EndgameContext
from kemu.engines.moeraki.prove.pairing import pairing_context
from kemu.engines.moeraki.prove.proof_number import ProofContext, prove_line
from kemu.engines.moeraki.prove.threats import ThreatContext
from kemu.engines.moeraki.search import alphabeta, ordering
from kemu.engines.moeraki.search.alphabeta import TreeContext
from kemu.engines.moeraki.value import patterns
from kemu.engines.moeraki.value.evaluation import EvaluationContext
from kemu.engines.moeraki.value.patterns import Weights, shipped_array, shipped_weights, weights_with_patterns

# Rows of the transposition tables, each a power of two.
TREE_ROWS: Final = 1 << 18
THREAT_ROWS: Final = 1 << 16
PROOF_ROWS: Final = 1 << 17
ENDGAME_ROWS: Final = 1 << 17
ENDING_ROWS: Final = 1 << 18

NO_WEIGHTS: Final = np.zeros(64, np.int64)
"""For proofs that do not weigh hollows."""

ROOT_THREATS: Final = 200_000
THREATS: Final = 1_000
"""Nodes of the threat search for one question, at the root and inside the other searches."""


class Proof(NamedTuple):
    """Proof and disproof numbers of a search: pn is 0 once a win is found, dn is 0 once there is none."""

    pn: int
    dn: int
    plies: int
    stone: int


class Workspace:
    """One thread's arrays for one game; `table`, that of the tree search, may be shared between threads."""

    def __init__(self, rules: Words, table: Words | None = None, weights: Weights | None = None) -> None:
        self.rules = rules
        self._variant = int(rules[kernel.VARIANT])
        self.weights = shipped_weights()[self._variant] if weights is None else weights
        self.table = np.zeros((TREE_ROWS, 4), np.uint64) if table is None else table
        self.control = new_control()
        self._threat_table = np.zeros((THREAT_ROWS, 3), np.uint64)
        self._stack = np.zeros(threats.FRAME * DEEPEST, np.uint64)
        self._proof_table = np.zeros((PROOF_ROWS, 3), np.uint64)
        self._frames = np.zeros((proof_number.FRAME * DEEPEST, proof_number.COLUMNS), np.int64)
        self._moves = np.zeros((DEEPEST, 128), np.int64)
        self._ranks = np.zeros((DEEPEST, patterns.RANKS), np.int64)
        self._history = np.zeros((ordering.HISTORY_ROWS, 64), np.int64)
        self._endgame = EndgameContext(
            rules,
            np.zeros((DEEPEST, kernel.STATE_WORDS), np.uint64),
            np.zeros((DEEPEST, kernel.ACTION_COUNT), np.int64),
            self._ranks[0],
            np.zeros((2 * endings.MOST_HOLLOWS + 2, kernel.ACTION_COUNT), np.int64),
            np.zeros((ENDGAME_ROWS, 4), np.uint64),
            self.control.counters,
        )
        self._endgame_fields = plain_tuple(self._endgame)
        self.turn_to(kernel.NOWHERE)

    def place_ball(self, ball_at: int) -> None:
        """Empty the tables that depend on the ball and turns to games with the ball on this cell."""
        for array in (self.table, self._threat_table, self._proof_table):
            array[:] = 0
        self.turn_to(ball_at)

    def turn_to(self, ball_at: int) -> None:
        """Make the contexts of the searches for games with the ball on this cell."""
        self.ball_at = ball_at
        self._endings: Any = None
        eye, cell = int(self.rules[kernel.EYE_OPTION]), ball_at % 64
        self.ball, self.lines = np.uint64(1 << cell), LINES[eye, cell]
        self.threat_context = ThreatContext(
            self.ball, self.lines, self._threat_table, self._stack, self.control.counters
        )
        weights = self._evaluation_weights()
        self.evaluation_context = EvaluationContext(self.ball, self._variant, MASKS[eye, cell], weights)
        contexts = self.threat_context, self.evaluation_context
        tree = TreeContext(*contexts, self.table, self._moves, self._ranks, self._history)
        self._threat_fields, self._tree_fields = plain_tuple(self.threat_context), plain_tuple(tree)
        pairing, none = pairing_context(MASKS[eye, cell]), np.zeros((1, 3), np.uint64)
        proof = ProofContext(self.threat_context, pairing, self._proof_table, none, self._frames, NO_WEIGHTS, True)
        self._proof_fields = plain_tuple(proof)

    def _evaluation_weights(self) -> Numbers:
        """Return the weights of the evaluation for this ball, with those of the patterns where tiles count."""
        if self._variant == kernel.BEGINNER or self.ball_at == kernel.NOWHERE:
            return self.weights.counted
        if self.weights is shipped_weights()[self._variant]:
            return shipped_array(self._variant, self.ball_at)
        return weights_with_patterns(self.weights, self.ball_at)

    def begin(self, nodes: int) -> None:
        """Set all counters back, for a search of at most `nodes` positions.

        Where tiles count, the tree search leaves out more and asks the threat search for less, to go deeper.
        """
        self.control.begin(nodes, THREATS, selective=self._variant != kernel.BEGINNER)
        self._history[:] = 0

    def sides(self, state: Words) -> Sides:
        """Return a state that waits for a stone, as the tree search takes it."""
        own, other, tanes = kernel.sides_of(state, self.rules)
        return Sides(np.uint64(own), np.uint64(other), tanes)

    def score(self, state: Words, depth: int, alpha: int, beta: int) -> int:
        """Return the score of a state that waits for a stone, one ply from the root, by the tree search."""
        own, other, tanes = self.sides(state)
        return int(alphabeta.score_position(own, other, tanes, depth, (alpha, beta), self._tree_fields))

    def solve(self, state: Words) -> int | None:
        """Return the exact result of a state for the seat to act: 1, 0 or -1, None if it takes more than the limit."""
        self._endgame.states[0] = state
        value = endings.solve_first(self._endgame_fields)
        return None if value == endings.UNSOLVED else value

    def solve_exactly(self, state: Words) -> int | None:
        """Like `solve`, but in a game without Tane by the solver for such games."""
        if self._variant == kernel.MASTER or state[kernel.STEP] != kernel.LAY:
            return self.solve(state)
        if self._endings is None:
            from kemu.engines.moeraki.prove.lead_endings import Endings

            self._endings = Endings(self.ball_at, self._variant == kernel.BASIC, ENDING_ROWS)
        own, other, tanes = self.sides(state)
        value = self._endings.value(int(own), int(other), is_starter(tanes), max(0, self.control.left))
        self.control.add_nodes(self._endings.nodes)
        return None if value is None else int(value)

    def attack(self, own: np.uint64, other: np.uint64, limit: int = ROOT_THREATS) -> tuple[int, int] | None:
        """Return the cell of a stone that wins by threats for the first side, to move, and the plies it takes."""
        cell, plies = threats.find_win_within(own, other, limit, self._threat_fields)
        return (cell, plies) if plies else None

    def answers(self, own: np.uint64, other: np.uint64) -> np.uint64:
        """Return the cells where the second side, to move, may answer a win by threats that the first would have."""
        return np.uint64(threats.answers(own, other, self.threat_context))

    def prove(self, attacker: np.uint64, defender: np.uint64, nodes: int) -> Proof:
        """Work on the proof that a side, to move, wins by quiet stones that threaten."""
        with self.control.limited(min(nodes, self.control.left)):
            return Proof(*prove_line(attacker, defender, True, self._proof_fields))
