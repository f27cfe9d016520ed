"""Several games of MAUW in a row: the same players, and another one begins each time."""

from collections.abc import Mapping
from typing import Final

from kemu.core.game import Outcome, Seat
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State

LENGTHS: Final[Mapping[str, int]] = {}


def following(game: Mauw, state: State, outcome: Outcome) -> tuple[Mauw, tuple[Seat, ...]]:
    """The next game and, for each of its seats, the seat that player had: all move up by one, the first goes last."""
    return game, (*range(1, game.players), 0)
