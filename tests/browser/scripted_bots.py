"""Bots that follow a script, whatever their level, so that who ignores them loses: for walks through a lost match."""

from collections.abc import Sequence
from typing import Any, Final, TypeVar

from kemu.bots import bots as bots
from kemu.bots import default_bot as default_bot
from kemu.core.bot import Bot
from kemu.core.game import AnyGame

A = TypeVar("A")

SCRIPTS: Final = {"moeraki-kemu": ("i11", "k9", "j10"), "mu-torere": ("8-1", "1-0", "7-8")}
"""The first of these that is possible is taken."""


class Scripted:
    """Takes the first action of its script that is possible, else the first of all."""

    name = "scripted"

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """An action by the script."""
        texts = [self._game.format(action) for action in actions]
        wanted = next((text for text in SCRIPTS.get(self._game.key, ()) if text in texts), texts[0])
        return actions[texts.index(wanted)]


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """The scripted bot, under any name."""
    return Scripted(game)
