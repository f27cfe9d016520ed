"""How a game is shown in text: one small module for each game, `games/<game>/drawing.py`, gives these names."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from kemu.core.game import AnyGame, Seat


@runtime_checkable
class Drawing(Protocol):
    """The module `drawing` of a game; it draws views, so it cannot show what a seat may not know.

    Whoever shows a view may add the seat's log lines to it as "log", so that what came last can be marked.
    """

    INK: Mapping[str, str]
    """Colours by character, for terminals that have them; a drawing is complete without."""

    def draw(self, game: AnyGame, view: Any) -> str:
        """The view as a picture of at most 80 columns and 18 lines."""

    def tell(self, game: AnyGame, view: Any) -> str:
        """The view in plain sentences, one fact a line, for screen readers and pipes."""

    def explain(self, game: AnyGame, view: Any, action: Any) -> str:
        """What an action does, in a few words; actions with the same words are listed together."""

    def seat_name(self, game: AnyGame, seat: Seat) -> str:
        """What the game calls a seat, such as "Black"."""
