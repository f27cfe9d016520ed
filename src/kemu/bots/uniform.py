"""The bot that knows only what is legal."""

import random
from collections.abc import Sequence
from typing import Any, Final, TypeVar

from kemu.core.game import AnyGame

A = TypeVar("A")


class Uniform:
    """Takes any legal action, each as likely as the other."""

    name: Final = "random"

    def __init__(self, game: AnyGame, seed: int | None = None) -> None:
        self._source = random.Random(seed)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """Any of the actions."""
        return self._source.choice(actions)
