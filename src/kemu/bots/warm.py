"""Compiles the engines before anybody waits for them: `python -m kemu.bots.warm`; the results stay on the disk."""

from typing import Final

from kemu.bots import bot, bots
from kemu.bots.arena import bot_match
from kemu.bots.engines import capability, threats
from kemu.core.game import AnyGame
from kemu.engines.capabilities import Warmable
from kemu.games import game, game_keys, manifest
from kemu.play.table import Table

ACTIONS: Final = 2
"""The second one differs from the first where a game begins with something special."""


def warm(chosen: AnyGame) -> Table:
    """Return a game after its first actions, by the strongest bot with the least budget."""
    strongest, match = bot(f"{list(bots(chosen))[-1]}@nodes=1", chosen, seed=0), bot_match(chosen, 0)
    for _ in range(ACTIONS):
        match.act_by(strongest)
    table = match.table
    if table.turn is not None:
        threats(chosen, chosen.view(table.state, table.turn))
    return table


def main() -> None:
    """Compile the engine of every game that has one."""
    for key in game_keys():
        if manifest(key).player:
            warm(game(key))
            if engine := capability(game(key), Warmable):
                engine.warm()


if __name__ == "__main__":
    main()
