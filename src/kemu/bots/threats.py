"""What wins, what threatens and how a lost game could have been saved, for learners: by the engine of a game, else by
its rules.
"""

from collections.abc import Sequence
from typing import Any

from kemu.bots.registry import engine_player
from kemu.core.game import AnyGame, Seat
from kemu.core.record import replay
from kemu.engines.analysis import RescueAnalysis, ThreatAnalysis
from kemu.engines.rescue import find_rescue, last_decisions
from kemu.engines.whole_turns import search_turns
from kemu.games import manifest


def threats(game: AnyGame, view: Any) -> ThreatAnalysis[Any]:
    """The wins and the proved defences of the seat whose turn it is; nothing in games with secrets."""
    if "position" not in view:
        return ThreatAnalysis()
    return _analyse(game, game.decode(view["position"]))


def rescue(game: AnyGame, actions: Sequence[str], seat: Seat) -> RescueAnalysis[Any] | None:
    """The last decision by which a seat could still have avoided to lose a game that is over, from its record.

    None if the seat has not lost by the rules, if nothing is proved, and in games with secrets.
    """
    if manifest(game.key).hidden:
        return None
    states = list(replay(game, actions))
    outcome = game.outcome(states[-1])
    if outcome is None or not outcome.winners or seat in outcome.winners:
        return None
    player = engine_player(game)
    if player and player.rescue:
        return player.rescue(game, states, seat)
    return find_rescue(game, states, last_decisions(game, states, seat), lambda state: _analyse(game, state))


def _analyse(game: AnyGame, state: Any) -> ThreatAnalysis[Any]:
    player = engine_player(game)
    return player.threats(game, state) if player and player.threats else search_turns(game, state)
