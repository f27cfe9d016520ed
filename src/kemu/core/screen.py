"""How a game is played on a full screen: a game may name a module with these names in its manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from kemu.core.game import AnyGame, Seat


class Place(NamedTuple):
    """Where something stands in a drawing that a person can point at."""

    row: int
    column: int
    width: int
    height: int = 1
    field: bool = False  # whether it has a ground of its own, such as a hollow or a card


class Room(NamedTuple):
    """How large a drawing may be."""

    columns: int
    lines: int


@dataclass(frozen=True)
class Board:
    """A drawing, and by name the places in it that a person can point at."""

    lines: tuple[str, ...]
    places: Mapping[str, Place]


class ScreenView(Protocol):
    """The screen module of a game; like its text module it gets views."""

    INK: Mapping[str, str]
    """Colours by character; the board must be readable without."""

    CHOICES: Mapping[str, Sequence[Any]]
    """For each option that people choose before a match, its values; the first of them is not always the default."""

    def board(self, game: AnyGame, view: Any, room: Room) -> Board:
        """The view as a drawing for this room; for a small room at most 52 columns and 20 lines, which may scroll."""

    def facts(self, game: AnyGame, view: Any, seat: Seat) -> Sequence[str]:
        """What a seat has, each fact in a few words."""

    def now(self, game: AnyGame, view: Any) -> str:
        """Who is to do what, in one sentence."""

    def path(self, game: AnyGame, view: Any, action: Any) -> tuple[str, ...]:
        """The names of the places that a person points at, one after the other, to take this action.

        None at all if nothing on the board stands for it: such actions are listed. So are actions with the same path.
        """
