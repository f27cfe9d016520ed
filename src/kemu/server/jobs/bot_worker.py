"""A process that chooses for bots: one JSON question a line comes in, one answer a line goes out.

Bots may think for seconds and may crash or hang; here they hold up nobody, and the server can end them.
"""

import importlib
import json
import sys
from functools import lru_cache
from typing import Any

from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.games import game as make_game


@lru_cache(maxsize=64)
def _bot(source: str, name: str, key: str, options: str) -> tuple[AnyGame, Bot]:
    game = make_game(key, **json.loads(options))
    return game, importlib.import_module(source).bot(name, game)


def answer(question: dict[str, Any]) -> str:
    """The text of the action that the bot chooses."""
    game, bot = _bot(question["source"], question["bot"], question["game"], json.dumps(question["options"]))
    actions = [game.parse(text) for text in question["actions"]]
    return game.format(bot.choose(question["view"], question["log"], actions))


def main() -> None:
    """Answer until the server closes the pipe."""
    for line in sys.stdin.buffer:
        sys.stdout.write(json.dumps({"action": answer(json.loads(line))}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
