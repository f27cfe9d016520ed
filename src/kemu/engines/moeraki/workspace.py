"""The arrays that the compiled searches work on, and the questions they can be asked about a state."""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.moeraki import alphabeta, endgame, hopes, kernel, quiet, threats
from kemu.engines.moeraki.evaluation import WEIGHTS
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.tables import LINES, MASKS, Words

TABLE_SIZE: Final = 1 << 18
MEMORY_SIZE: Final = 1 << 16
PROOFS_SIZE: Final = 1 << 17
ENDINGS_SIZE: Final = 1 << 16
ROOT_THREATS: Final = 200_000
THREATS: Final = 1_000


class Sides(NamedTuple):
    """A state that waits for a stone, as the searches see it: from the side to move."""

    own: np.uint64
    other: np.uint64
    extra: int  # both Tane, and who placed the ball


class Workspace:
    """One thread's memory for one game; `table` may be shared between threads."""

    def __init__(self, rules: Words, table: Words | None = None, weights: Numbers | None = None) -> None:
        self.rules = rules
        self.weights = WEIGHTS[int(rules[kernel.VARIANT])] if weights is None else weights
        self.table = np.zeros((TABLE_SIZE, 4), np.uint64) if table is None else table
        self.memory = np.zeros((MEMORY_SIZE, 3), np.uint64)
        self.proofs = np.zeros((PROOFS_SIZE, 3), np.uint64)
        self.stack = np.zeros(threats.FRAME * threats.DEEPEST, np.uint64)
        self.frames = np.zeros((64 * (quiet.DEEPEST + 1), quiet.COLUMNS), np.int64)
        self.moves = np.zeros((alphabeta.DEEPEST, 128), np.int64)
        self.ranks = np.zeros((alphabeta.DEEPEST, hopes.SUMS), np.int64)
        self.history = np.zeros(64, np.int64)
        self.last_states = np.zeros((endgame.DEEPEST, kernel.STATE_WORDS), np.uint64)
        self.last_actions = np.zeros((endgame.DEEPEST, kernel.ACTION_COUNT), np.int64)
        self.last_table = np.zeros((ENDINGS_SIZE, 4), np.uint64)
        self.counters = np.zeros(threats.COUNTERS, np.int64)
        self.turn_to(kernel.NOWHERE)

    def place_ball(self, at: int) -> None:
        """Forgets everything and turns to games with the ball here."""
        for array in (self.table, self.memory, self.proofs):
            array[:] = 0
        self.turn_to(at)

    def turn_to(self, at: int) -> None:
        """Takes up the lines of games with the ball here."""
        self.ball_at = at
        eye = int(self.rules[kernel.EYE_OPTION])
        self.lines, self.masks = LINES[eye, at % 64], MASKS[eye, at % 64]
        self.ball = np.uint64(1 << at % 64)
        self.setting = np.array([self.ball, self.rules[kernel.VARIANT]], np.uint64)

    def begin(self, nodes: int) -> None:
        """Sets all counters back, for a search of at most so many nodes."""
        self.counters[:] = 0
        self.counters[threats.THREAT_LIMIT] = THREATS
        self.counters[threats.TOTAL_LIMIT] = nodes
        self.history[:] = 0

    @property
    def nodes(self) -> int:
        """Positions looked at since `begin`."""
        return int(self.counters[threats.NODES] + self.counters[threats.TREE_NODES])

    @property
    def given_up(self) -> bool:
        """Whether the tree search has met its limit or was stopped; its last score means nothing then."""
        return bool(self.counters[threats.GIVEN_UP])

    def sides(self, state: Words) -> Sides:
        """A state that waits for a stone, as the searches see it."""
        seat = int(state[kernel.TURN])
        starts = alphabeta.STARTS if seat == int(self.rules[kernel.STARTER]) else 0
        own_tane, other_tane = int(state[kernel.TANES + seat]), int(state[kernel.TANES + 1 - seat])
        extra = own_tane + alphabeta.OTHER_TANE * other_tane + starts
        return Sides(np.uint64(state[seat]), np.uint64(state[1 - seat]), extra)

    def score(self, state: Words, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The score of a state that waits for a stone, by the tree search."""
        own, other, extra = self.sides(state)
        return int(
            alphabeta.search(
                own,
                other,
                extra,
                depth,
                alpha,
                beta,
                ply,
                False,
                self.setting,
                self.lines,
                self.masks,
                self.weights,
                self.memory,
                self.stack,
                self.table,
                self.moves,
                self.ranks,
                self.history,
                self.counters,
            )
        )

    def solve(self, state: Words) -> int | None:
        """The exact result of a state for the seat to act: 1, 0 or -1, None if it takes more than the limit."""
        self.last_states[0] = state
        value = endgame.solve(
            self.last_states,
            0,
            -1,
            1,
            self.rules,
            self.last_table,
            self.last_actions,
            self.ranks[0],
            self.counters,
        )
        return None if value == endgame.UNSOLVED else value

    def attack(self, own: np.uint64, other: np.uint64, limit: int = ROOT_THREATS) -> tuple[int, int] | None:
        """A stone that wins by threats for the first side, to move, and the plies it takes."""
        self.counters[threats.LIMIT] = self.counters[threats.NODES] + limit
        found = threats.attack(own, other, self.ball, self.lines, self.memory, self.stack, 0, self.counters)
        return (found % threats.LENGTH, found // threats.LENGTH) if found > threats.FAILS else None

    def answers(self, own: np.uint64, other: np.uint64) -> np.uint64:
        """The hollows where the second side, to move, may answer a win by threats that the first would have."""
        return np.uint64(threats.answers(own, other, self.ball, self.lines, self.memory, self.stack, self.counters))

    def prove(self, attacker: np.uint64, defender: np.uint64, attacking: bool, nodes: int) -> "Proof":
        """Works on the proof that a side wins by quiet stones that threaten."""
        limit = self.counters[threats.TOTAL_LIMIT]
        self.counters[threats.TOTAL_LIMIT] = min(limit, self.nodes + nodes)
        quiet.prove(
            attacker,
            defender,
            attacking,
            quiet.NEVER,
            quiet.NEVER,
            0,
            self.ball,
            self.lines,
            self.memory,
            self.stack,
            self.proofs,
            self.frames,
            self.counters,
        )
        self.counters[threats.TOTAL_LIMIT] = limit
        row = self.frames[63]
        return Proof(int(row[quiet.PN]), int(row[quiet.DN]), int(row[quiet.PLIES]), int(row[quiet.CELL]))


class Proof(NamedTuple):
    """How far a proof has come."""

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
