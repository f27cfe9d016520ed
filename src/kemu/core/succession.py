"""How one game of a series follows another: for each game a small module, `games/<game>/series.py`, has these names."""

from collections.abc import Mapping
from typing import Any, Protocol

from kemu.core.game import AnyGame, Outcome, Seat


class Succession(Protocol):
    """The module `series` of a game."""

    LENGTHS: Mapping[str, int]
    """The lengths that have a name: how many won games win the series."""

    def following(self, game: AnyGame, state: Any, outcome: Outcome) -> tuple[AnyGame, tuple[Seat, ...]]:
        """The next game with its options, and for each of its seats the seat its player had before.

        The outcome may come from the players instead of the rules, so that the state need not be over.
        """
