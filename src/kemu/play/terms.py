"""What is agreed before a match, and who sits at it."""

from collections.abc import Sequence
from typing import Any, Literal

from msgspec import Struct, field

from kemu.core.game import Seat
from kemu.play.clock import ClockTerms, NoClock


class Player(Struct, frozen=True):
    """Who sits at a seat; several seats may have the same player, each with a name."""

    id: str
    name: str
    kind: Literal["person", "bot"] = "person"


class Standing(Struct, frozen=True):
    """How a series stands before a game: first to win `to` games; `wins` belongs to the seats of this game."""

    to: int = 1
    game: int = 1
    wins: tuple[int, ...] = ()

    @property
    def decided(self) -> bool:
        """Whether there is nothing more to play for."""
        return self.to == 1 or max(self.wins, default=0) >= self.to

    def after(self, winners: Sequence[Seat]) -> "Standing":
        """The standing with one more game played; every winner of the game has won it."""
        wins = tuple(won + (seat in winners) for seat, won in enumerate(self.wins))
        return Standing(self.to, self.game + 1, wins)


class Terms(Struct, frozen=True):
    """A match before anybody has done anything."""

    id: str
    game: str
    options: dict[str, Any]
    host: str
    created: int
    clock: ClockTerms = field(default_factory=NoClock)
    public: bool = False
    rated: bool = False
    series: Standing = field(default_factory=Standing)
    previous: str | None = None
