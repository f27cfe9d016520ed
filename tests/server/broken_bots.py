"""Bots that go wrong in every way, for the server to survive."""

import os
import threading
from collections.abc import Sequence
from typing import Any, TypeVar, cast

from kemu.core.bot import Bot
from kemu.core.game import AnyGame

A = TypeVar("A")


class Broken:
    """A bot that does what its name says instead of choosing."""

    def __init__(self, name: str) -> None:
        self.name = name

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """Go wrong."""
        if self.name == "crash":
            raise RuntimeError("a bug")
        if self.name == "exit":
            os._exit(1)
        if self.name == "hang":
            threading.Event().wait()
        return cast("A", "nonsense")


def bots(game: AnyGame) -> tuple[str, ...]:
    """All of them, and one that works."""
    return ("crash", "exit", "hang", "nonsense", "random")


def default_bot(game: AnyGame) -> str:
    """The one that works."""
    return "random"


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """The bot of this name."""
    from kemu.bots.generic import RandomBot

    return RandomBot(game, seed) if name == "random" else Broken(name)
