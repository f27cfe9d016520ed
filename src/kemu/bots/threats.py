"""What wins at once and what must be stopped, for learners: by the engine of a game, else by its rules."""

from typing import Any

from kemu.bots.registry import engine_player
from kemu.core.game import AnyGame
from kemu.engines.analysis import ThreatAnalysis
from kemu.engines.whole_turns import search_turns


def threats(game: AnyGame, view: Any) -> ThreatAnalysis[Any]:
    """The wins and the proved defences of the seat whose turn it is; nothing in games with secrets."""
    if "position" not in view:
        return ThreatAnalysis()
    state = game.decode(view["position"])
    player = engine_player(game)
    return player.threats(game, state) if player and player.threats else search_turns(game, state)
