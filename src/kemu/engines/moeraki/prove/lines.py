"""Who completes a line from a position, with proof: won, lost or drawn in the beginner's game, and its certificates.

Boards are those of the kernel. A certificate is written for `certify/verify.py`; the search and this writer may be
wrong without harm, since nothing counts as proved before the verifier has accepted it.
"""

import time
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.compiled import plain_tuple
from kemu.engines.moeraki.board.kernel import winning
from kemu.engines.moeraki.board.packed import U
from kemu.engines.moeraki.board.tables import DEEPEST, HOLLOWS, LINES, MASKS, NAMED_BIT, bits
from kemu.engines.moeraki.prove import pairing, proof_number, threats
from kemu.engines.moeraki.prove.control import new_control
from kemu.engines.moeraki.prove.proof_number import NEVER, ProofContext, prove_line
from kemu.engines.moeraki.prove.threats import ThreatContext

ALL: Final = int(HOLLOWS)

# Rows of the tables, each a power of two: for searches of all positions, of quiet stones and of threats.
LARGE_ROWS: Final = (1 << 20, 1 << 18, 1 << 18)
SMALL_ROWS: Final = (1 << 14, 1 << 14, 1 << 14)

SMALL_NODES: Final = 128_000
"""Searches of at most this many nodes use the small tables, which fit into the caches of a processor."""

THREATS: Final = 200
"""Nodes of the threat search for one question; with more of them the search above it hardly moves."""

GUESSES: Final = 20
"""The same where its answer is only a guess of how far a proof is: before a position is searched itself."""

QUIET_SHARE: Final = 3
"""Nodes of the search over all stones for each node of the one over stones that threaten."""

LEAF_TRIES: Final = 20_000
FIRST_NODES: Final = 2_000
STEP_NODES: Final = 200_000
"""Nodes after which a search looks at the clock."""

Result = Literal["won", "lost", "drawn"]


class Board(NamedTuple):
    """A position: the stones of the side to move and of the other, as boards of the kernel."""

    own: int
    other: int


class Verdict(NamedTuple):
    """Result of a search for the side to move, `None` if nothing was found, and its cost."""

    result: Result | None
    stone: int | None  # the bit of a stone that wins, or after which the other side does not; None if not known
    nodes: int


class Limit:
    """When a search by one prover must end: a budget that begins now."""

    def __init__(self, prover: "LineProver", budget: Budget) -> None:
        self._prover = prover
        self._nodes = None if budget.nodes is None else prover.nodes + budget.nodes
        self._end = None if budget.ms is None else time.perf_counter() + budget.ms / 1000

    @property
    def met(self) -> bool:
        """Whether the budget is used up."""
        if self._nodes is not None and self._prover.nodes >= self._nodes:
            return True
        return self._end is not None and time.perf_counter() >= self._end


class _Tables(NamedTuple):
    """The fields that the compiled searches take, with tables of one size."""

    threats: Any
    quiet: Any
    every: Any


class LineProver:
    """Proofs for one hollow of the ball, with tables that serve all positions asked for."""

    def __init__(self, ball: str, small_nodes: int = SMALL_NODES) -> None:
        """For the ball in the hollow of this name; searches of at most `small_nodes` use the small tables."""
        self.ball_name = ball
        at = NAMED_BIT[ball]
        self.ball = U(1 << at)
        self.lines, self.masks = LINES[0, at], MASKS[0, at]
        self._control = new_control()
        self._control.begin(0, THREATS, GUESSES)
        self._stack = np.zeros(threats.FRAME * DEEPEST, np.uint64)
        self._frames = np.zeros((proof_number.FRAME * DEEPEST, proof_number.COLUMNS), np.int64)
        self._pairing = pairing.pairing_context(self.masks)
        self._pairing_fields = plain_tuple(self._pairing)
        self._small_nodes = small_nodes
        self._small, self._large = self._new_tables(*SMALL_ROWS), self._new_tables(*LARGE_ROWS)
        # The last position that was not decided, and the nodes to continue with.
        self._open: tuple[Board, int] | None = None

    def _new_tables(self, hold_rows: int, quiet_rows: int, threat_rows: int) -> _Tables:
        """Return empty tables of these sizes, for all searches."""
        table, guesses, quiet, wins = (
            np.zeros((rows, 3), np.uint64) for rows in (hold_rows, hold_rows, quiet_rows, threat_rows)
        )
        context = ThreatContext(self.ball, self.lines, wins, self._stack, self._control.counters)
        every = ProofContext(context, self._pairing, table, guesses, self._frames, np.zeros(64, np.int64), False)
        threatening = every._replace(table=quiet, quiet=True)
        return _Tables(*map(plain_tuple, (context, threatening, every)))

    def _tables(self, nodes: int) -> _Tables:
        """Return the tables for a search of `nodes` positions."""
        return self._small if nodes <= self._small_nodes else self._large

    @property
    def nodes(self) -> int:
        """Positions looked at so far."""
        return self._control.nodes

    def empty(self, first: int, second: int) -> int:
        return ALL & ~(first | second | int(self.ball))

    def holes(self, stones: int, empty: int) -> list[int]:
        """Return the bits of the hollows that complete a line of these stones."""
        return bits(int(winning(U(stones), self.lines)) & empty)

    def pairs(self, keeper: int, other: int, limit: int = LEAF_TRIES) -> list[list[int]] | None:
        """Return a pairing against all lines open to the other, None if there is none or it was not found."""
        empty = U(self.empty(keeper, other))
        count = pairing.count_pairs(U(keeper), U(other), empty, limit, self._pairing_fields)
        return None if count < 0 else [bits(int(pair)) for pair in self._pairing.rows[pairing.LEVELS, :count]]

    def attack(self, own: int, other: int) -> int | None:
        """Return the bit of a stone that wins by threats for the first side, to move."""
        cell, plies = threats.find_win_within(U(own), U(other), STEP_NODES, self._tables(FIRST_NODES).threats)
        return int(cell) if plies else None

    def attack_plies(self, own: int, other: int) -> int:
        """Return the plies that the win found by `attack` takes, 0 if none is found."""
        return int(threats.find_win_within(U(own), U(other), STEP_NODES, self._tables(FIRST_NODES).threats)[1])

    def search(self, attacker: int, keeper: int, attacking: bool, nodes: int) -> tuple[int, int, int]:
        """Return the pn and dn of the attacker's line within a limit, and the bit of the stone that decides."""
        with self._control.limited(nodes):
            pn, dn, _, cell = prove_line(U(attacker), U(keeper), attacking, self._tables(nodes).every)
        return int(pn), int(dn), int(cell)

    def quiet_win(self, attacker: int, keeper: int, nodes: int) -> int | None:
        """Return the bit of a stone that wins for the attacker, to move, by quiet stones; None if not found."""
        with self._control.limited(nodes):
            pn, _, _, cell = prove_line(U(attacker), U(keeper), True, self._tables(nodes).quiet)
        return int(cell) if pn == 0 else None

    def prove(self, board: Board, budget: Budget) -> Verdict:
        """Decide a position of the beginner's game in which a stone is to be laid, if the budget is enough.

        A position that was not decided the last time is searched on from there.
        """
        limit, before = Limit(self, budget), self.nodes
        own, other = board
        stone: int | None = self.attack(own, other)
        result: Result | None = None if stone is None else "won"
        # Who is threatened with a win by threats more likely loses than wins, so that question comes first then.
        threatened = result is None and self.attack(other, own) is not None
        held = set[bool]()  # False if the side to move is kept from a loss, True if the other is
        nodes = self._open[1] if self._open and self._open[0] == board else FIRST_NODES
        while result is None and not limit.met:
            for attacking in (not threatened, threatened):
                if result is not None or attacking in held:
                    continue
                pn, dn, found = self.decide(*(board if attacking else board[::-1]), attacking, nodes)
                if pn == 0:
                    result, stone = ("won", found) if attacking else ("lost", None)
                elif dn == 0:
                    held.add(attacking)
                    stone = stone if attacking else found
            result = "drawn" if len(held) == len(board) else result
            nodes = min(2 * nodes, STEP_NODES)
        self._open = (board, nodes) if result is None else None
        return Verdict(result, stone, self.nodes - before)

    def decide(self, attacker: int, keeper: int, attacking: bool, nodes: int) -> tuple[int, int, int | None]:
        """Like `search`, for any position: those that need no search are decided at once."""
        empty = self.empty(attacker, keeper)
        mover, waiter = (attacker, keeper) if attacking else (keeper, attacker)
        if not empty:
            return NEVER, 0, None
        if wins := self.holes(mover, empty):
            return (0, NEVER, wins[0]) if attacking else (NEVER, 0, wins[0])
        if len(self.holes(waiter, empty)) > 1:
            return (NEVER, 0, None) if attacking else (0, NEVER, None)
        if self.pairs(keeper, attacker, 2_000) is not None:
            return NEVER, 0, None
        if attacking and (stone := self.quiet_win(attacker, keeper, nodes // QUIET_SHARE)) is not None:
            return 0, NEVER, stone
        return self.search(attacker, keeper, attacking, nodes)
