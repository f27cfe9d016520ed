"""How a game is shown in text: each game names a module with these names in its manifest."""

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from kemu.core.game import AnyGame, Seat


@runtime_checkable
class TextView(Protocol):
    """The text module of a game; it gets views, so it cannot show what a seat may not know.

    Whoever shows a view may add the seat's log lines to it as "log", so that the last action can be marked.
    """

    INK: Mapping[str, str]
    """Colours by character, for terminals that have them; the drawing must be readable without."""

    def draw(self, game: AnyGame, view: Any) -> str:
        """The view as a drawing of at most 80 columns and 18 lines."""

    def tell(self, game: AnyGame, view: Any) -> str:
        """The view in plain sentences, one fact a line, for screen readers and pipes."""

    def explain(self, game: AnyGame, view: Any, action: Any) -> str:
        """What an action does, in a few words; actions with the same words are listed together."""

    def seat_name(self, game: AnyGame, seat: Seat) -> str:
        """What the game calls a seat, such as "Black"."""
