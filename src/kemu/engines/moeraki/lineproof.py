"""Who completes a line from a position, with proof: won, lost or drawn in the beginner's game, and its certificates.

Boards are those of the kernel. A certificate is written for `kemu.certificates.verify`; the search and this writer
may be wrong without harm, since nothing counts as proved before the verifier has accepted it.
"""

import time
from typing import Final, Literal, NamedTuple

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import holding, pairing, quiet, threats
from kemu.engines.moeraki.tables import HOLLOW_AT, HOLLOW_BIT, HOLLOWS, LINES, MASKS
from kemu.games.moeraki.board import HOLLOW
from kemu.games.moeraki.board import HOLLOWS as POINTS

U = np.uint64
ALL: Final = int(HOLLOWS)
NAMES: Final = {bit: POINTS[number].name for bit, number in HOLLOW_AT.items()}

TABLE_SIZE: Final = 1 << 20
MEMORY_SIZE: Final = 1 << 18
THREATS: Final = 1_000
LEAF_TRIES: Final = 20_000
FIRST_NODES: Final = 2_000
STEP_NODES: Final = 200_000
"""Nodes after which a search that goes on looks at the clock."""

Result = Literal["won", "lost", "drawn"]


class Board(NamedTuple):
    """A position: the stones of the side to move and of the other, as boards of the kernel."""

    own: int
    other: int


class Verdict(NamedTuple):
    """What the search found of a position for the side to move, None if nothing."""

    result: Result | None
    seconds: float
    nodes: int


class LineProver:
    """Proofs for one hollow of the ball, with tables that serve all positions asked for."""

    def __init__(self, ball: str) -> None:
        self.ball_name = ball
        at = HOLLOW_BIT[HOLLOW[ball]]
        self.ball = U(1 << at)
        self.lines, self.masks = LINES[0, at], MASKS[0, at]
        self.memory = np.zeros((MEMORY_SIZE, 3), np.uint64)
        self.table = np.zeros((TABLE_SIZE, 3), np.uint64)
        self.quiet_table = np.zeros((TABLE_SIZE // 4, 3), np.uint64)
        self.stack = np.zeros(threats.FRAME * threats.DEEPEST, np.uint64)
        self.frames = np.zeros((64 * (holding.DEEPEST + 2), quiet.COLUMNS), np.int64)
        self.rows = pairing.new_rows()
        self.choices = np.zeros((pairing.LEVELS, 40), np.uint64)
        self.ranks = np.zeros((pairing.LEVELS, 40), np.int64)
        self.tries = np.zeros(pairing.COUNTERS, np.int64)
        self.weights = np.zeros(64, np.int64)
        self.counters = np.zeros(threats.COUNTERS, np.int64)
        self.counters[threats.THREAT_LIMIT] = THREATS

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return int(self.counters[threats.NODES] + self.counters[threats.TREE_NODES])

    def empty(self, first: int, second: int) -> int:
        return ALL & ~(first | second | int(self.ball))

    def holes(self, stones: int, empty: int) -> list[int]:
        """The bits of the hollows that complete a line of these stones."""
        return bits(int(threats.winning(U(stones), self.lines)) & empty)

    def pairs(self, keeper: int, other: int, limit: int = LEAF_TRIES) -> list[tuple[int, int]] | None:
        """A pairing against all lines open to the other, None if there is none or it was not found."""
        empty = U(self.empty(keeper, other))
        count = pairing.find_pairing(
            U(keeper), U(other), empty, self.masks, limit, self.rows, self.choices, self.ranks, self.tries
        )
        if count < 0:
            return None
        found = [bits(int(pair)) for pair in self.rows[pairing.LEVELS, :count]]
        return [(pair[0], pair[1]) for pair in found]

    def has_no_pairing(self, keeper: int, other: int) -> bool:
        """Whether an exhaustive search has shown that there is no pairing."""
        empty = U(self.empty(keeper, other))
        return (
            pairing.find_pairing(
                U(keeper), U(other), empty, self.masks, 1 << 40, self.rows, self.choices, self.ranks, self.tries
            )
            == pairing.NONE
        )

    def attack(self, own: int, other: int) -> int | None:
        """The bit of a stone that wins by threats for the first side, to move."""
        self.counters[threats.LIMIT] = self.counters[threats.NODES] + STEP_NODES
        found = threats.attack(U(own), U(other), self.ball, self.lines, self.memory, self.stack, 0, self.counters)
        return found % threats.LENGTH if found > threats.FAILS else None

    def search(self, attacker: int, keeper: int, attacking: bool, nodes: int) -> tuple[int, int, int]:
        """The pn and dn of the attacker's line within a limit, and the bit of the stone that decides."""
        self.counters[threats.TOTAL_LIMIT] = self.nodes + nodes
        holding.search(
            U(attacker), U(keeper), attacking, quiet.NEVER, quiet.NEVER, 0, self.ball, self.lines, self.masks,
            self.memory, self.stack, self.rows, self.choices, self.ranks, self.tries, self.table, self.frames,
            self.weights, self.counters,
        )  # fmt: skip
        row = self.frames[63]
        return int(row[quiet.PN]), int(row[quiet.DN]), int(row[quiet.CELL])

    def quiet_win(self, attacker: int, keeper: int, attacking: bool, nodes: int) -> int | None:
        """The bit of the stone with which the attacker wins by quiet stones that threaten; None if it is not found."""
        self.counters[threats.TOTAL_LIMIT] = self.nodes + nodes
        pn = quiet.prove(
            U(attacker), U(keeper), attacking, quiet.NEVER, quiet.NEVER, 0, self.ball, self.lines,
            self.memory, self.stack, self.quiet_table, self.frames, self.counters,
        )  # fmt: skip
        return int(self.frames[63, quiet.CELL]) if pn == 0 else None

    def prove(self, board: Board, budget: Budget) -> Verdict:
        """Decides a position of the beginner's game in which a stone is to be laid, if the budget is enough."""
        begin, before = time.perf_counter(), self.nodes
        own, other = board
        result: Result | None = "won" if self.attack(own, other) is not None else None
        held = saved = False
        nodes = FIRST_NODES
        while result is None and not self._spent(budget, begin, before):
            if not held:
                pn, dn, _ = self.decide(own, other, True, nodes)
                held = dn == 0
                result = "won" if pn == 0 else result
            if not saved and result is None:
                pn, dn, _ = self.decide(other, own, False, nodes)
                saved = dn == 0
                result = "lost" if pn == 0 else result
            result = "drawn" if held and saved else result
            nodes = min(2 * nodes, STEP_NODES)
        return Verdict(result, time.perf_counter() - begin, self.nodes - before)

    def _spent(self, budget: Budget, begin: float, before: int) -> bool:
        """Whether a budget is used up that began at this time and this number of nodes."""
        if budget.nodes is not None and self.nodes - before >= budget.nodes:
            return True
        return budget.ms is not None and time.perf_counter() - begin >= budget.ms / 1000

    def decide(self, attacker: int, keeper: int, attacking: bool, nodes: int) -> tuple[int, int, int]:
        """Like `search`, for any position: those that need no search are decided at once."""
        empty = self.empty(attacker, keeper)
        mover, waiter = (attacker, keeper) if attacking else (keeper, attacker)
        if not empty:
            return quiet.NEVER, 0, 0
        if self.holes(mover, empty):
            return (0, quiet.NEVER, 0) if attacking else (quiet.NEVER, 0, 0)
        if len(self.holes(waiter, empty)) > 1:
            return (quiet.NEVER, 0, 0) if attacking else (0, quiet.NEVER, 0)
        if self.pairs(keeper, attacker, 2_000) is not None:
            return quiet.NEVER, 0, 0
        if (stone := self.quiet_win(attacker, keeper, attacking, nodes)) is not None:
            return 0, quiet.NEVER, stone
        return self.search(attacker, keeper, attacking, nodes)


def bits(board: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [bit for bit in range(64) if board >> bit & 1]


def names(board: int) -> str:
    """The hollows of a board by their names."""
    return " ".join(sorted(NAMES[bit] for bit in bits(board)))
