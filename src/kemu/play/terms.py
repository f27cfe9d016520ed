"""What is agreed before a match, and who sits at it."""

from collections.abc import Sequence
from typing import Any, Final, Literal

from msgspec import Struct, field

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.core.game import Seat
from kemu.play.clock import ClockTerms, NoClock

LONGEST_SERIES: Final = 100


class Player(Struct, frozen=True):
    """Who sits at a seat; several seats may have the same player, each with a name."""

    id: str
    name: str
    kind: Literal["person", "bot"] = "person"


class Series(Struct, frozen=True):
    """How a series stands before a game: first to win `to` games; `wins` belongs to the seats of this game."""

    to: int
    game: int
    wins: tuple[int, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats whose players have won the series; several if they shared its last game."""
        return tuple(seat for seat, won in enumerate(self.wins) if won >= self.to)

    @property
    def decided(self) -> bool:
        """Whether no further game belongs to it; a series to 1 is a single game."""
        return self.to == 1 or bool(self.winners)

    def after(self, winners: Sequence[Seat]) -> "Series":
        """The series with one more game played; every winner of the game has won it, and after a draw nobody."""
        wins = tuple(won + (seat in winners) for seat, won in enumerate(self.wins))
        return Series(self.to, self.game + 1, wins)


def new_series(to: int, seats: int) -> Series:
    """A series before its first game, or OptionError if it has no sensible length."""
    if type(to) is not int or not 1 <= to <= LONGEST_SERIES:
        raise OptionError(f"The length of a series is a whole number from 1 to {LONGEST_SERIES}, not {quote(to)}.")
    return Series(to, 1, (0,) * seats)


class Terms(Struct, frozen=True):
    """A match before its first entry."""

    id: str
    game: str
    options: dict[str, Any]
    host: str
    created: int
    clock: ClockTerms = field(default_factory=NoClock)
    public: bool = False
    rated: bool = False
    series: Series = Series(1, 1, ())
    previous: str | None = None
