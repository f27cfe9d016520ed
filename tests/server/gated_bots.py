"""Bots that tell a test what they are asked, and choose when it lets them."""

import os
import socket
from collections.abc import Sequence
from typing import Any, TypeVar

from kemu.core.bot import Bot
from kemu.core.game import AnyGame

A = TypeVar("A")


class Gated:
    """Connects to the port in KEMU_TEST_GATE, names its game, and takes the first action when it is answered."""

    name = "gated"

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """The first action, when the gate opens."""
        with socket.create_connection(("127.0.0.1", int(os.environ["KEMU_TEST_GATE"]))) as gate:
            gate.sendall(self._game.key.encode())
            gate.recv(1)
        return actions[0]


def bots(game: AnyGame) -> tuple[str, ...]:
    """The only one."""
    return ("gated",)


def default_bot(game: AnyGame) -> str:
    """The only one."""
    return "gated"


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """The only one."""
    return Gated(game)
