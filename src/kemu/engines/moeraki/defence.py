"""Defences of Moeraki-Kemu: the stones after which the opponent has no win by threats, proved by the threat search.

Early wins depend on the stones alone, so that the decisions about a Tane change nothing here.
"""

from typing import Any, Final

import numpy as np

from kemu.engines.analysis import ThreatAnalysis
from kemu.engines.moeraki import kernel, threats
from kemu.engines.moeraki.kernel import empty_hollows
from kemu.engines.moeraki.tables import HOLLOW_AT
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.engines.whole_turns import search_turns
from kemu.games.moeraki.actions import LAYS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

NODES: Final = 200_000
"""Nodes of the threat search for one question; a question that takes more is not answered."""

DELAYS: Final = 4
"""How many own threats in a row are followed that may only put a loss off."""

LAST_HOLLOWS: Final = 2
"""With so few left the opponent's next stone ends the game, and the rules alone say how."""


class Unproved(Exception):
    """The threat search gave up."""


class Defence:
    """Finds wins and defences in states of one game; it keeps what the threat search found."""

    def __init__(self, game: MoerakiKemu) -> None:
        self._game = game
        self._workspace = Workspace(kernel_rules(game))

    def find(self, state: State) -> ThreatAnalysis[Any]:
        """The stones that win at once, and those that stop the opponent's win by threats, if he has one.

        A stone that cannot be shown to stop it is not among them, nor one that only puts the loss off.
        """
        words = kernel_state(self._game, state)
        step, seat = int(words[kernel.STEP]), state.turn
        if step != kernel.LAY:
            return ThreatAnalysis()
        if len(self._game.actions(state)) <= LAST_HOLLOWS:
            return search_turns(self._game, state)
        if self._workspace.ball_at != int(words[kernel.BALL_AT]):
            self._workspace.place_ball(int(words[kernel.BALL_AT]))
        self._workspace.begin(1 << 60)
        own, other = np.uint64(words[seat]), np.uint64(words[1 - seat])
        wins = self._completing(own, other)
        try:
            stops = self._stops(own, other, DELAYS)
        except Unproved:
            stops = np.uint64(0)
        return ThreatAnalysis(_lays(wins), _lays(stops))

    def _stops(self, own: np.uint64, other: np.uint64, delays: int) -> np.uint64:
        """The cells where a stone of the first side, to move, stops a win by threats of the second; none without one.

        Raises Unproved if nobody knows whether there is one.
        """
        if not self._attacks(other, own):
            return np.uint64(0)
        if self._attacks(own, other):  # an own attack may begin anywhere
            candidates = empty_hollows(own, other, self._workspace.ball)
        else:
            candidates = self._workspace.answers(other, own)
        return np.uint64(sum(1 << cell for cell in _cells(candidates) if self._stopped(own, other, cell, delays)))

    def _stopped(self, own: np.uint64, other: np.uint64, cell: int, delays: int) -> bool:
        """Whether a stone of the first side here is proved to leave the second without a win by threats."""
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
        """Whether the first side, to move after its threat was answered, wins by threats or can stop the second."""
        if self._attacks(own, other) or not self._attacks(other, own):
            return True
        return bool(self._stops(own, other, delays))

    def _attacks(self, own: np.uint64, other: np.uint64) -> bool:
        """Whether the first side, to move, wins by threats; raises Unproved if the search gives up."""
        if self._workspace.attack(own, other, NODES) is not None:
            return True
        counters = self._workspace.counters
        if counters[threats.NODES] >= counters[threats.LIMIT]:
            raise Unproved
        return False

    def _completing(self, own: np.uint64, other: np.uint64) -> np.uint64:
        """The empty cells where a stone of the first side would win at once."""
        workspace = self._workspace
        return np.uint64(threats.winning(own, workspace.lines) & empty_hollows(own, other, workspace.ball))


def _cells(board: np.uint64) -> list[int]:
    return [cell for cell in HOLLOW_AT if int(board) >> cell & 1]


def _lays(board: np.uint64) -> tuple[Any, ...]:
    return tuple(LAYS[hollow] for hollow in sorted(HOLLOW_AT[cell] for cell in _cells(board)))
