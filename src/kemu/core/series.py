"""How one game of a series follows another: a game may name a module with these names in its manifest."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Protocol

from kemu.core.game import AnyGame, Outcome, Seat


class SeriesRules(Protocol):
    """The series module of a game."""

    LENGTHS: Mapping[str, int]
    """The lengths that have a name: how many won games win the series."""

    def following(self, game: AnyGame, state: Any, outcome: Outcome) -> tuple[AnyGame, tuple[Seat, ...]]:
        """The next game with its options, and for each of its seats the seat its player had before.

        The outcome may come from the players instead of the rules, so that the state need not be over.
        """

    def starters(self, game: AnyGame) -> tuple[AnyGame, ...]:
        """The same game once for each seat that may start it, where that is an option; for matches that are fair."""


class SeatsRotate:
    """The series of a game without a series module: the same game again, and every player moves up by one seat."""

    LENGTHS: Mapping[str, int] = MappingProxyType({})

    def following(self, game: AnyGame, state: Any, outcome: Outcome) -> tuple[AnyGame, tuple[Seat, ...]]:
        """The same game; the player of the first seat goes to the last one, so that each starts in turn."""
        return game, (*range(1, game.seats), 0)

    def starters(self, game: AnyGame) -> tuple[AnyGame, ...]:
        """The game itself: who starts is no option."""
        return (game,)
