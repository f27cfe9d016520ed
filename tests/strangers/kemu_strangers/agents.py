"""A bot that plays any game."""

import random
from collections.abc import Sequence
from typing import Any


class Careful:
    """Takes an action that wins at once in an open game, otherwise any."""

    name = "careful"

    def __init__(self, game: Any, seed: int | None) -> None:
        self._game = game
        self._source = random.Random(seed)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        if "position" in view:
            state = self._game.decode(view["position"])
            for action in actions:
                if self._game.outcome(self._game.apply(state, action)):
                    return action
        return self._source.choice(list(actions))


def broken(game: Any) -> object:
    """Makes no bot."""
    return game


class Cheater:
    """Chooses what is not allowed."""

    name = "cheater"

    def __init__(self, game: Any) -> None:
        pass

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        return "nonsense"


NOTHING = None
