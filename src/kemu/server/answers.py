"""Every object that travels over HTTP; docs/protocol.md explains each with an example."""

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, field

from kemu.core.game import Seat
from kemu.play.clock import ClockTerms, NoClock
from kemu.play.table import Status
from kemu.play.terms import Standing
from kemu.storage.store import Result

# Answers over HTTP.


class Person(Struct, frozen=True, tag="person", tag_field="kind"):
    """A seat with a person."""

    name: str
    player: str


class BotSeat(Struct, frozen=True, tag="bot", tag_field="kind"):
    """A seat with a bot."""

    name: str
    player: str


class OpenSeat(Struct, frozen=True, tag="open", tag_field="kind"):
    """A seat for whoever comes."""


class MatchAnswer(Struct, frozen=True):
    """A match, as everybody may know it; `mine` and `turn` depend on who asks and when."""

    id: str
    game: str
    options: dict[str, Any]
    status: Status
    seats: list[Person | BotSeat | OpenSeat]
    mine: list[Seat]
    clock: ClockTerms
    public: bool
    rated: bool
    series: Standing
    previous: str | None
    next: str | None
    created: int
    turn: Seat | None
    outcome: Result | None
    grace: int


class Me(Struct, frozen=True):
    """Who asks."""

    id: str
    name: str
    account: bool


class GameAnswer(Struct, frozen=True):
    """A game with the options asked for."""

    key: str
    title: str
    summary: str
    seats: int
    options: dict[str, Any]
    bots: list[str]
    seat_names: list[str]


class Rating(Struct, frozen=True):
    """How strong a player is at a game."""

    game: str
    rating: int
    doubt: int
    matches: int


class PlayerAnswer(Struct, frozen=True):
    """A player with all ratings."""

    id: str
    name: str
    account: bool
    bot: bool
    ratings: list[Rating]


class TokenAnswer(Struct, frozen=True):
    """A token; its secret is shown once."""

    id: str
    label: str


class NewToken(TokenAnswer, frozen=True):
    """A token with its secret."""

    token: str


class Hint(Struct, frozen=True):
    """A suggestion and why: `only`, `wins`, `stops` or `best`."""

    action: str
    reason: str


class Threats(Struct, frozen=True):
    """What wins at once, and what keeps others from it."""

    wins: list[str]
    stops: list[str]


class Step(Struct, frozen=True):
    """One state of a study and how it was reached."""

    actor: Seat | None
    line: str | None
    view: Any
    turn: Seat | None
    actions: list[str]
    outcome: Result | None


class StudyAnswer(Struct, frozen=True):
    """A play shown step by step."""

    options: dict[str, Any]
    steps: list[Step]


class Refusal(Struct, frozen=True):
    """Why something was not done."""

    code: str
    message: str


# Questions over HTTP.

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=30)]
Password: TypeAlias = Annotated[str, Meta(min_length=8, max_length=200)]


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name."""

    name: Name


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password of an account."""

    name: Name
    password: Password


class TokenWish(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made."""

    label: Name


class MySeat(Struct, frozen=True, tag="me", tag_field="kind", forbid_unknown_fields=True):
    """I sit here, or somebody beside me at this screen."""

    name: Name | None = None


class FreeSeat(Struct, frozen=True, tag="open", tag_field="kind", forbid_unknown_fields=True):
    """Whoever comes."""


class BotWish(Struct, frozen=True, tag="bot", tag_field="kind", forbid_unknown_fields=True):
    """A bot of this name."""

    bot: Name


SeatWish: TypeAlias = MySeat | FreeSeat | BotWish


class NewMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be made."""

    game: str
    seats: Annotated[list[SeatWish], Meta(min_length=1, max_length=10)]
    options: dict[str, Any] = field(default_factory=dict)
    toss: bool = False
    clock: ClockTerms = field(default_factory=NoClock)
    public: bool = False
    rated: bool = False
    series: Annotated[int, Meta(ge=1, le=100)] = 1


class Join(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat to take; the first open one if none is named."""

    seat: Annotated[int, Meta(ge=0, le=9)] | None = None


class SeatBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to put on an open seat."""

    bot: Name


class Study(Struct, frozen=True, forbid_unknown_fields=True):
    """A play to be shown."""

    game: str
    options: dict[str, Any] = field(default_factory=dict)
    position: dict[str, Any] | None = None
    actions: Annotated[list[str], Meta(max_length=2000)] = field(default_factory=list)
    seat: Annotated[int, Meta(ge=-2, le=9)] = -2
