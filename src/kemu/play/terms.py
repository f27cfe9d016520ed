"""Terms of a match: players, series and clock.

All times are whole milliseconds of the server's clock, the only one that counts.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.core.game import Seat

SECOND_MS: Final = 1000
HOUR_MS: Final = 60 * 60 * SECOND_MS
DAY_MS: Final = 24 * HOUR_MS


class NoClock(Struct, frozen=True, tag="none", tag_field="kind", forbid_unknown_fields=True):
    """Time is not counted."""


class GameClock(Struct, frozen=True, tag="game", tag_field="kind", forbid_unknown_fields=True):
    """A stock of seconds for the game, and some more for each turn taken."""

    seconds: Annotated[int, Meta(ge=1, le=7 * 24 * 60 * 60)]
    increment: Annotated[int, Meta(ge=0, le=60 * 60)] = 0


class DayClock(Struct, frozen=True, tag="days", tag_field="kind", forbid_unknown_fields=True):
    """Correspondence clock: days for each turn."""

    days: Annotated[int, Meta(ge=1, le=30)]


class BankClock(Struct, frozen=True, tag="bank", tag_field="kind", forbid_unknown_fields=True):
    """Correspondence clock: a stock of hours for the game and some more for each turn, never more than at first."""

    hours: Annotated[int, Meta(ge=1, le=1000)]
    increment: Annotated[int, Meta(ge=1, le=240)]


ClockTerms: TypeAlias = NoClock | GameClock | DayClock | BankClock


def is_correspondence(terms: ClockTerms) -> bool:
    """Return whether nobody has to stay at the board: players come back within hours or days."""
    return isinstance(terms, DayClock | BankClock)


class Clock(Struct, frozen=True):
    """The time each seat had left at the moment `since`, and whose turn counts from then on.

    While it is `paused`, the time of that seat stands still: its player is on vacation.
    """

    terms: ClockTerms
    left: tuple[int, ...]
    running: Seat | None = None
    since: int = 0
    paused: bool = False

    def run(self, seat: Seat | None, at: int, spent_ms: int | None = None, *, paused: bool = False) -> "Clock":
        """Return the clock when this seat's turn counts from `at` on; when a turn ends its seat gets increment or days.

        The seat whose time ran has used `spent_ms`; without it, all the time since it began to run.
        """
        if type(self.terms) is NoClock:
            return self
        left = list(self.left)
        if self.running is not None:
            left[self.running] -= self._used(at) if spent_ms is None else spent_ms
            if seat != self.running:
                left[self.running] = _after_turn(self.terms, left[self.running])
        return replace(self, left=tuple(left), running=seat, since=at, paused=paused)

    def remaining(self, at: int) -> list[int]:
        """Return the time left of each seat now, at least 0."""
        left = list(self.left)
        if self.running is not None:
            left[self.running] -= self._used(at)
        return [max(0, time) for time in left]

    @property
    def deadline(self) -> int | None:
        """When the running time is used up; None while no time runs."""
        return None if self.running is None or self.paused else self.since + self.left[self.running]

    @property
    def reminder(self) -> int | None:
        """When a player who has not moved is reminded of the deadline; None for clocks that are watched anyway.

        That is when a quarter of the time is left with which the turn began, but at most a day.
        """
        deadline = self.deadline
        if deadline is None or not is_correspondence(self.terms):
            return None
        return deadline - min(DAY_MS, (deadline - self.since) // 4)

    def _used(self, at: int) -> int:
        return 0 if self.paused else at - self.since


LEAST_RATED_SECONDS: Final = 60
LEAST_RATED_SECONDS_WITH_INCREMENT: Final = 30


def fit_for_rating(terms: ClockTerms) -> bool:
    """Return whether a rated match may have this clock.

    Without one the loser could wait for ever; with little time rating is lost to the way of messages or a slow machine.
    """
    if not isinstance(terms, GameClock):
        return is_correspondence(terms)
    least = LEAST_RATED_SECONDS_WITH_INCREMENT if terms.increment else LEAST_RATED_SECONDS
    return terms.seconds >= least


def new_clock(terms: ClockTerms, seats: int) -> Clock:
    """Return a clock that does not run yet, with the full time for each seat."""
    return Clock(terms, (_stock(terms),) * seats)


def _after_turn(terms: ClockTerms, left: int) -> int:
    match terms:
        case GameClock(increment=increment):
            return left + increment * SECOND_MS
        case BankClock(increment=increment):
            return min(left + increment * HOUR_MS, _stock(terms))
        case _:
            return _stock(terms)


def _stock(terms: ClockTerms) -> int:
    match terms:
        case GameClock(seconds=seconds):
            return seconds * SECOND_MS
        case DayClock(days=days):
            return days * DAY_MS
        case BankClock(hours=hours):
            return hours * HOUR_MS
        case _:
            return 0


LONGEST_SERIES: Final = 100


class Player(Struct, frozen=True):
    """The occupant of a seat; several seats may have the same player, each with a name."""

    id: str
    name: str
    kind: Literal["person", "bot"] = "person"


class Series(Struct, frozen=True):
    """How a series stands: first to win `to` games; `game` is the number of this game, `wins` belongs to its seats."""

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
        """Return the series once this game has ended: a win for each winner of the game, for nobody after a draw."""
        wins = tuple(won + (seat in winners) for seat, won in enumerate(self.wins))
        return Series(self.to, self.game, wins)


def new_series(to: int, seats: int) -> Series:
    """Return a series before its first game, or OptionError if it has no sensible length."""
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
    tournament: str | None = None  # the tournament that made it, and that makes the games after it
