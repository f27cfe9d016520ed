"""The last state in which a lost game of Moeraki-Kemu could be saved: by threats, or by solving the last hollows."""

from collections.abc import Sequence
from typing import Any, Final

from kemu.core.game import Seat
from kemu.engines.analysis import RescueAnalysis, ThreatAnalysis
from kemu.engines.moeraki.defence import Defence
from kemu.engines.moeraki.root import LAST_HOLLOWS
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.workspace import Workspace
from kemu.engines.rescue import find_rescue, last_decisions
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

SOLVER_NODES: Final = 1_000_000
"""What the solver may spend on one state."""


def moeraki_rescue(
    game: MoerakiKemu, states: Sequence[State], seat: Seat, defence: Defence
) -> RescueAnalysis[Any] | None:
    """The last decision before the loss of a seat was proved, None if that is not known."""
    plies = last_decisions(game, states, seat)
    outcome = game.outcome(states[-1])
    if outcome is not None and outcome.reason == "marae":
        return find_rescue(game, states, plies, _Ending(game).find)
    # Early wins depend on the stones alone, so that a Tane decides nothing here.
    lays = [ply for ply in plies if states[ply].ball and states[ply].step is None]
    return find_rescue(game, states, lays, defence.find)


class _Ending:
    """Solves states with few hollows left."""

    def __init__(self, game: MoerakiKemu) -> None:
        self._game = game
        self._most = LAST_HOLLOWS[VARIANTS.index(game.variant)]
        self._workspace = Workspace(kernel_rules(game))

    def find(self, state: State) -> ThreatAnalysis[Any]:
        """The actions that do not lose, if the state can be solved."""
        if len(HOLLOWS) - state.occupied.bit_count() > self._most:
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
        """The exact result of a state for a seat: 1, 0 or -1; None if it takes too long."""
        value = self._workspace.solve(kernel_state(self._game, state))
        return value if value is None or self._game.turn(state) == seat else -value
