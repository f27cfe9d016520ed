"""Defences of Moeraki-Kemu: what stops a win by threats, and the last decision that could have saved a lost game.

Early wins depend on the stones alone, so that the decisions about a Tane change nothing here.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from kemu.core.game import Seat
from kemu.engines.analysis import RescueAnalysis, ThreatAnalysis, ThreatLine
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.kernel import empty_hollows, winning
from kemu.engines.moeraki.board.tables import HOLLOW_AT, bits
from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.quick_choice import open_lines
from kemu.engines.moeraki.search.root import LAST_HOLLOWS, UNLIMITED
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.engines.threats import find_rescue, last_decisions, search_turns
from kemu.games.moeraki.actions import LAYS
from kemu.games.moeraki.board import HOLLOWS, mask, numbers
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import WinningLine

NODES: Final = 200_000
"""Nodes of the threat search for one question; a question that takes more is not answered."""

DELAYS: Final = 4
"""How many own threats in a row are followed that may only put a loss off."""

LAST_TURN: Final = 2
"""With this many hollows left the opponent's next stone ends the game, and the rules alone say how."""


SOLVER_NODES: Final = 1_000_000
"""Nodes that the solver may spend on one state."""


class Unproved(Exception):
    """The threat search gave up."""


class Defence:
    """Finds wins and defences in states of one game; it keeps what the searches found."""

    def __init__(self, game: MoerakiKemu) -> None:
        self._game = game
        self._workspace = Workspace(kernel_rules(game))

    def find(self, state: State) -> ThreatAnalysis[Any]:
        """Return the stones that win at once, and, if the opponent has a win by threats, its lines and what stops it.

        A stone that cannot be shown to stop it is not among them, nor one that only puts the loss off.
        """
        words, seat = kernel_state(self._game, state), state.turn
        if words[kernel.STEP] != kernel.LAY:
            return ThreatAnalysis()
        if len(self._game.actions(state)) <= LAST_TURN:
            return search_turns(self._game, state)
        if self._workspace.ball_at != int(words[kernel.BALL_AT]):
            self._workspace.place_ball(int(words[kernel.BALL_AT]))
        self._workspace.begin(UNLIMITED)
        own, other = np.uint64(words[seat]), np.uint64(words[1 - seat])
        wins = _lays(self._completing(own, other))
        try:
            if not self._attacks(other, own):
                return ThreatAnalysis(wins, lost=False)
            stops = self._stops(own, other, DELAYS)
            found = self._lines(state, other, own)
        except Unproved:
            return ThreatAnalysis(wins)
        return ThreatAnalysis(wins, _lays(stops), found, not stops)

    def _lines(self, state: State, own: np.uint64, other: np.uint64) -> tuple[ThreatLine, ...]:
        """Return the lines that the first side, to move, completes in the end by a win by threats that it has."""
        begun, first = _mask(own), None
        wins = self._completing(own, other)
        while int(wins).bit_count() < (1 if first is None else 2):
            other |= wins  # the only answer
            found = self._workspace.attack(own, other, NODES)
            if found is None:
                raise Unproved
            first = found[0] if first is None else first
            own |= np.uint64(1 << found[0])
            wins = self._completing(own, other)
        state = state._replace(stones=(_mask(own), _mask(other)))
        return tuple(
            _line(line, begun, missing.bit_length() - 1 if first is None else HOLLOW_AT[first])
            for line, missing in open_lines(self._game, state, 0)
        )

    def _stops(self, own: np.uint64, other: np.uint64, delays: int) -> np.uint64:
        """Return the cells where the first side, to move, stops a win by threats that the second has."""
        if self._attacks(own, other):  # an own attack may begin anywhere
            candidates = empty_hollows(own, other, self._workspace.ball)
        else:
            candidates = self._workspace.answers(other, own)
        return np.uint64(sum(1 << cell for cell in bits(int(candidates)) if self._stopped(own, other, cell, delays)))

    def _stopped(self, own: np.uint64, other: np.uint64, cell: int, delays: int) -> bool:
        """Return whether a stone of the first side here is proved to leave the second without a win by threats."""
        mine = own | np.uint64(1 << cell)
        if int(self._completing(own, other)) >> cell & 1:
            return True
        try:
            if self._attacks(other, mine):
                return False
            threatened = self._completing(mine, other)
            if not threatened or int(threatened).bit_count() > 1:
                return True
            return delays > 0 and self._holds(mine, other | threatened, delays - 1)
        except Unproved:
            return False

    def _holds(self, own: np.uint64, other: np.uint64, delays: int) -> bool:
        """Return whether the first side, to move after its threat was answered, wins or can stop the second."""
        if self._attacks(own, other) or not self._attacks(other, own):
            return True
        return bool(self._stops(own, other, delays))

    def _attacks(self, own: np.uint64, other: np.uint64) -> bool:
        """Return whether the first side, to move, wins by threats; raises Unproved if the search gives up."""
        if self._workspace.attack(own, other, NODES) is not None:
            return True
        if self._workspace.control.threats_given_up:
            raise Unproved
        return False

    def _completing(self, own: np.uint64, other: np.uint64) -> np.uint64:
        """Return the empty cells where a stone of the first side would win at once."""
        workspace = self._workspace
        return np.uint64(winning(own, workspace.lines) & empty_hollows(own, other, workspace.ball))

    def rescue(self, states: Sequence[State], seat: Seat) -> RescueAnalysis[Any] | None:
        """Return the last decision before the loss of a seat was proved, None if that is not known."""
        plies = last_decisions(self._game, states, seat)
        outcome = self._game.outcome(states[-1])
        if outcome is not None and outcome.reason == "marae":
            return find_rescue(self._game, states, plies, self._find_in_ending)
        # Early wins depend on the stones alone, so that a Tane decides nothing here.
        lays = [ply for ply in plies if states[ply].ball and states[ply].step is None]
        return find_rescue(self._game, states, lays, self.find)

    def _find_in_ending(self, state: State) -> ThreatAnalysis[Any]:
        """Return the actions that do not lose, if few hollows are left and the state can be solved."""
        if len(HOLLOWS) - state.occupied.bit_count() > LAST_HOLLOWS[VARIANTS.index(self._game.variant)]:
            return ThreatAnalysis()
        self._workspace.begin(SOLVER_NODES)
        values = {
            action: self._value(self._game.apply(state, action), state.turn) for action in self._game.actions(state)
        }
        if None in values.values():
            return ThreatAnalysis()
        safe = tuple(action for action, value in values.items() if value != -1)
        return ThreatAnalysis(stops=safe if len(safe) < len(values) else (), lost=not safe)

    def _value(self, state: State, seat: Seat) -> int | None:
        """Return the exact result of a state for a seat: 1, 0 or -1; None if it takes too long."""
        value = self._workspace.solve(kernel_state(self._game, state))
        return value if value is None or self._game.turn(state) == seat else -value


def _mask(board: np.uint64) -> int:
    """Return a board of the kernel as a set of hollows."""
    return mask(HOLLOW_AT[cell] for cell in bits(int(board)))


def _line(line: WinningLine, stones: int, first: int) -> ThreatLine:
    """Return a line that these stones begin; the next one goes into the hollow `first`."""
    missing = sorted(numbers(line.hollows & ~stones), key=lambda hollow: hollow != first)
    return ThreatLine(HOLLOWS[first].name, _names(numbers(line.hollows)), _names(missing), line.reason)


def _names(hollows: Iterable[int]) -> tuple[str, ...]:
    return tuple(HOLLOWS[hollow].name for hollow in hollows)


def _lays(board: np.uint64) -> tuple[Any, ...]:
    return tuple(LAYS[hollow] for hollow in numbers(_mask(board)))
