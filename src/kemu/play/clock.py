"""Time to think: none counted, a stock for the game with an increment, or days for each turn.

All times are whole milliseconds of the server's clock, the only one that counts.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct

from kemu.core.game import Seat

SECOND: Final = 1000
DAY: Final = 24 * 60 * 60 * SECOND


class NoClock(Struct, frozen=True, tag="none", tag_field="kind", forbid_unknown_fields=True):
    """Time is not counted."""


class GameClock(Struct, frozen=True, tag="game", tag_field="kind", forbid_unknown_fields=True):
    """A stock of seconds for the game, and some more for each turn taken."""

    seconds: Annotated[int, Meta(ge=1, le=7 * 24 * 60 * 60)]
    increment: Annotated[int, Meta(ge=0, le=60 * 60)] = 0


class DayClock(Struct, frozen=True, tag="days", tag_field="kind", forbid_unknown_fields=True):
    """So many days for each turn."""

    days: Annotated[int, Meta(ge=1, le=30)]


ClockTerms: TypeAlias = NoClock | GameClock | DayClock


class Clock:
    """The time each seat has left, and whose is running."""

    def __init__(self, terms: ClockTerms, seats: int) -> None:
        self.terms = terms
        self.running: Seat | None = None
        self._since = 0
        self._left = [self._stock()] * seats

    def run(self, seat: Seat | None, at: int) -> None:
        """From now on this seat's time runs; a seat whose turn ends gets what its terms give it back."""
        if isinstance(self.terms, NoClock):
            return
        if self.running is not None:
            self._left[self.running] -= at - self._since
            if seat != self.running:
                self._refill(self.running)
        self.running, self._since = seat, at

    def left(self, at: int) -> list[int]:
        """What each seat has left at this moment, never less than nothing."""
        left = list(self._left)
        if self.running is not None:
            left[self.running] -= at - self._since
        return [max(0, time) for time in left]

    @property
    def deadline(self) -> int | None:
        """When the running time is used up."""
        return None if self.running is None else self._since + self._left[self.running]

    def _refill(self, seat: Seat) -> None:
        if isinstance(self.terms, GameClock):
            self._left[seat] += self.terms.increment * SECOND
        else:
            self._left[seat] = self._stock()

    def _stock(self) -> int:
        match self.terms:
            case GameClock(seconds=seconds):
                return seconds * SECOND
            case DayClock(days=days):
                return days * DAY
            case _:
                return 0
