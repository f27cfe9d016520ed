"""A process that chooses for bots: one JSON question a line comes in, one answer a line goes out.

Bots may think for seconds and may crash or hang; here they hold up nobody, and the server can end them.
"""

import importlib
import json
import sys
from functools import lru_cache
from time import perf_counter
from typing import Any

from kemu.core.bot import Bot, TimedBot
from kemu.core.game import AnyGame
from kemu.games import game as make_game


@lru_cache(maxsize=64)
def _bot(source: str, name: str, key: str, options: str) -> tuple[AnyGame, Bot]:
    game = make_game(key, **json.loads(options))
    return game, importlib.import_module(source).bot(name, game)


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """The action that the bot chooses and the milliseconds it took, or the threats of the position.

    A bot that has a limit is charged no more than that: what it takes beyond is the fault of the machine.
    """
    if question["want"] == "threats":
        return _threats(question)
    game, bot = _bot(question["source"], question["bot"], question["game"], json.dumps(question["options"]))
    actions = [game.parse(text) for text in question["actions"]]
    view, log, limit = question["view"], question["log"], question["limit_ms"]
    begin = perf_counter()
    if limit is not None and isinstance(bot, TimedBot):
        chosen = bot.choose_within(view, log, actions, limit)
    else:
        chosen = bot.choose(view, log, actions)
    spent = round(1000 * (perf_counter() - begin))
    return {"action": game.format(chosen), "spent_ms": spent if limit is None else min(spent, limit)}


def _threats(question: dict[str, Any]) -> dict[str, Any]:
    from kemu.bots.threats import threats

    game = make_game(question["game"], **question["options"])
    found = threats(game, question["view"])
    return {"wins": [game.format(each) for each in found.wins], "stops": [game.format(each) for each in found.stops]}


def main() -> None:
    """Answer until the server closes the pipe."""
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps(answer(json.loads(line))) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
