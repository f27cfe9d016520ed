"""The games that are solved, and the bot that plays by the solution."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar

from kemu.core.bot import Bot
from kemu.core.errors import UnknownGame
from kemu.core.game import AnyGame
from kemu.engines.mu_torere.solver import Progress, Solution, silent, solve
from kemu.games.mu_torere.rules import MuTorere

A = TypeVar("A")


class PerfectMuTorere:
    """Plays Mū tōrere by its solution; among equally good actions it takes any."""

    name: Final = "perfect"

    def __init__(self, game: AnyGame, seed: int | None = None) -> None:
        self._game = game
        self._source = random.Random(seed)

    @cached_property
    def _solution(self) -> Solution:
        return solution(self._game)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """One of the best actions."""
        best = self._solution.best(self._game.decode(view["position"]))
        return self._source.choice([action for action in actions if action in best])


PERFECT: Final[Mapping[str, Callable[[AnyGame, int | None], Bot]]] = {"mu-torere": PerfectMuTorere}
"""By the key of the game."""


def solution(game: AnyGame, progress: Progress = silent) -> Solution:
    """The strong solution of a game that has one; those asked for lately are kept."""
    if not isinstance(game, MuTorere):
        raise UnknownGame(f"{game.key} is not solved; solved is {', '.join(PERFECT)}.")
    return _solved(game, progress)


@lru_cache(maxsize=4)
def _solved(game: MuTorere, progress: Progress) -> Solution:
    return solve(game, progress)
