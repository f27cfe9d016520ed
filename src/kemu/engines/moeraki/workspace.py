"""The arrays that the compiled searches work on, and the questions they can be asked about a state."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.compiled import plain_tuple
from kemu.engines.moeraki import alphabeta, endgame, kernel, ordering, pattern_sums, proof_number, threats
from kemu.engines.moeraki.alphabeta import TreeContext
from kemu.engines.moeraki.endgame import EndgameContext
from kemu.engines.moeraki.evaluation import EvaluationContext
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.packed import is_starter, pack_tanes
from kemu.engines.moeraki.pattern_sums import weights_with_patterns
from kemu.engines.moeraki.proof_number import ProofContext
from kemu.engines.moeraki.tables import LINES, MASKS, Words
from kemu.engines.moeraki.threats import ThreatContext
from kemu.engines.moeraki.transposition import Sides
from kemu.engines.moeraki.weights import Weights, shipped_weights

# Rows of the transposition tables, each a power of two.
TREE_ROWS: Final = 1 << 18
THREAT_ROWS: Final = 1 << 16
PROOF_ROWS: Final = 1 << 17
ENDGAME_ROWS: Final = 1 << 17
ENDING_ROWS: Final = 1 << 18

ROOT_THREATS: Final = 200_000
THREATS: Final = 1_000
"""Nodes of the threat search for one question, at the root and inside the other searches."""


@lru_cache(maxsize=18)
def _array_of_shipped(variant: int, ball_at: int) -> Numbers:
    """The array of the weights that come with Kemu for one ball.

    It is kept, because a search with a budget of nodes makes a workspace each time.
    """
    return weights_with_patterns(shipped_weights()[variant], ball_at)


class Proof(NamedTuple):
    """How far a proof-number search has come."""

    pn: int
    dn: int
    plies: int
    stone: int

    @property
    def found(self) -> bool:
        return self.pn == 0

    @property
    def impossible(self) -> bool:
        return self.dn == 0


class Workspace:
    """One thread's arrays for one game; `table`, that of the tree search, may be shared between threads."""

    def __init__(self, rules: Words, table: Words | None = None, weights: Weights | None = None) -> None:
        self.rules = rules
        self._variant = int(rules[kernel.VARIANT])
        self.weights = shipped_weights()[self._variant] if weights is None else weights
        self.table = np.zeros((TREE_ROWS, 4), np.uint64) if table is None else table
        self.counters = np.zeros(threats.COUNTERS, np.int64)
        self._threat_table = np.zeros((THREAT_ROWS, 3), np.uint64)
        self._stack = np.zeros(threats.FRAME * threats.DEEPEST, np.uint64)
        self._proof_table = np.zeros((PROOF_ROWS, 3), np.uint64)
        self._frames = np.zeros((proof_number.FRAME * (proof_number.DEEPEST + 1), proof_number.COLUMNS), np.int64)
        self._moves = np.zeros((alphabeta.DEEPEST, 128), np.int64)
        self._ranks = np.zeros((alphabeta.DEEPEST, pattern_sums.RANKS), np.int64)
        self._history = np.zeros((ordering.HISTORY_ROWS, 64), np.int64)
        self._endgame = EndgameContext(
            rules,
            np.zeros((endgame.DEEPEST, kernel.STATE_WORDS), np.uint64),
            np.zeros((endgame.DEEPEST, kernel.ACTION_COUNT), np.int64),
            self._ranks[0],
            np.zeros((2 * endgame.MOST_HOLLOWS + 2, kernel.ACTION_COUNT), np.int64),
            np.zeros((ENDGAME_ROWS, 4), np.uint64),
            self.counters,
        )
        self._endgame_fields = plain_tuple(self._endgame)
        self.turn_to(kernel.NOWHERE)

    def place_ball(self, ball_at: int) -> None:
        """Empties the tables that depend on the ball and turns to games with the ball on this cell."""
        for array in (self.table, self._threat_table, self._proof_table):
            array[:] = 0
        self.turn_to(ball_at)

    def turn_to(self, ball_at: int) -> None:
        """Makes the contexts of the searches for games with the ball on this cell."""
        self.ball_at = ball_at
        self._endings: Any = None
        eye, cell = int(self.rules[kernel.EYE_OPTION]), ball_at % 64
        self.ball, self.lines = np.uint64(1 << cell), LINES[eye, cell]
        self.threat_context = ThreatContext(self.ball, self.lines, self._threat_table, self._stack, self.counters)
        weights = self._evaluation_weights()
        self.evaluation_context = EvaluationContext(self.ball, self._variant, MASKS[eye, cell], weights)
        contexts = self.threat_context, self.evaluation_context
        tree = TreeContext(*contexts, self.table, self._moves, self._ranks, self._history)
        self._threat_fields, self._tree_fields = plain_tuple(self.threat_context), plain_tuple(tree)
        self._proof_fields = plain_tuple(ProofContext(self.threat_context, self._proof_table, self._frames))

    def _evaluation_weights(self) -> Numbers:
        """The weights of the evaluation for this ball, with those of the patterns where tiles count."""
        if self._variant == kernel.BEGINNER or self.ball_at == kernel.NOWHERE:
            return self.weights.counted
        if self.weights is shipped_weights()[self._variant]:
            return _array_of_shipped(self._variant, self.ball_at)
        return weights_with_patterns(self.weights, self.ball_at)

    def begin(self, nodes: int) -> None:
        """Sets all counters back, for a search of at most so many nodes.

        Where tiles count, the tree search leaves out more and asks the threat search for less, to go deeper.
        """
        self.counters[:] = 0
        self.counters[threats.SELECTIVE] = self._variant != kernel.BEGINNER
        self.counters[threats.THREAT_LIMIT] = THREATS
        self.counters[threats.TOTAL_LIMIT] = nodes
        self._history[:] = 0

    @property
    def nodes(self) -> int:
        """Positions looked at since `begin`."""
        return int(self.counters[threats.NODES] + self.counters[threats.TREE_NODES])

    @property
    def given_up(self) -> bool:
        """Whether the tree search has met its limit or was stopped; its last score means nothing then."""
        return bool(self.counters[threats.GIVEN_UP])

    def sides(self, state: Words) -> Sides:
        """A state that waits for a stone, as the tree search takes it."""
        seat = int(state[kernel.TURN])
        own_tane, other_tane = int(state[kernel.TANES + seat]), int(state[kernel.TANES + 1 - seat])
        tanes = pack_tanes(own_tane, other_tane, seat == int(self.rules[kernel.STARTER]))
        return Sides(np.uint64(state[seat]), np.uint64(state[1 - seat]), tanes)

    def score(self, state: Words, depth: int, alpha: int, beta: int) -> int:
        """The score of a state that waits for a stone, one ply from the root, by the tree search."""
        own, other, tanes = self.sides(state)
        return int(alphabeta.score_position(own, other, tanes, depth, (alpha, beta), self._tree_fields))

    def solve(self, state: Words) -> int | None:
        """The exact result of a state for the seat to act: 1, 0 or -1, None if it takes more than the limit."""
        self._endgame.states[0] = state
        value = endgame.solve_first(self._endgame_fields)
        return None if value == endgame.UNSOLVED else value

    def solve_exactly(self, state: Words) -> int | None:
        """Like `solve`, but in a game without Tane by the solver for such games."""
        if self._variant == kernel.MASTER or state[kernel.STEP] != kernel.LAY:
            return self.solve(state)
        if self._endings is None:
            from kemu.engines.moeraki.lasthollows import Endings

            self._endings = Endings(self.ball_at, self._variant == kernel.BASIC, ENDING_ROWS)
        own, other, tanes = self.sides(state)
        limit = max(0, int(self.counters[threats.TOTAL_LIMIT]) - self.nodes)
        value = self._endings.value(int(own), int(other), is_starter(tanes), limit)
        self.counters[threats.TREE_NODES] += self._endings.nodes
        return None if value is None else int(value)

    def attack(self, own: np.uint64, other: np.uint64, limit: int = ROOT_THREATS) -> tuple[int, int] | None:
        """The cell of a stone that wins by threats for the first side, to move, and the plies it takes."""
        cell, plies = threats.find_win_within(own, other, limit, self._threat_fields)
        return (cell, plies) if plies else None

    def answers(self, own: np.uint64, other: np.uint64) -> np.uint64:
        """The cells where the second side, to move, may answer a win by threats that the first would have."""
        return np.uint64(threats.answers(own, other, self.threat_context))

    def prove(self, attacker: np.uint64, defender: np.uint64, nodes: int) -> Proof:
        """Works on the proof that a side, to move, wins by quiet stones that threaten."""
        limit = self.counters[threats.TOTAL_LIMIT]
        self.counters[threats.TOTAL_LIMIT] = min(limit, self.nodes + nodes)
        numbers = proof_number.prove_win(attacker, defender, self._proof_fields)
        self.counters[threats.TOTAL_LIMIT] = limit
        return Proof(*numbers)
