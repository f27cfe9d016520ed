"""The bodies of HTTP requests; docs/protocol.md explains each with an example."""

from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Meta, Struct, field

from kemu.play.clock import ClockTerms, NoClock
from kemu.studies.edits import AnyEdit
from kemu.studies.tree import LONGEST_NAME
from kemu.work.tasks import PositionQuestion

Name: TypeAlias = Annotated[str, Meta(min_length=1, max_length=30)]
Password: TypeAlias = Annotated[str, Meta(min_length=8, max_length=200)]


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name."""

    name: Name


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Name and password of an account."""

    name: Name
    password: Password


class TokenRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A token to be made."""

    label: Name
    scope: Literal["play", "read"] = "play"


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The old password of an account and a new one."""

    old: Password
    password: Password


class PasswordRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The password of an account, to confirm who asks."""

    password: Password


class Recovery(Struct, frozen=True, forbid_unknown_fields=True):
    """The name of an account, one of its recovery codes, and a new password."""

    name: Name
    code: Annotated[str, Meta(min_length=1, max_length=60)]
    password: Password


class MySeat(Struct, frozen=True, tag="me", tag_field="kind", forbid_unknown_fields=True):
    """I sit here, or somebody beside me at this screen."""

    name: Name | None = None


class FreeSeat(Struct, frozen=True, tag="open", tag_field="kind", forbid_unknown_fields=True):
    """A seat for the first player who joins."""


class BotRequest(Struct, frozen=True, tag="bot", tag_field="kind", forbid_unknown_fields=True):
    """A bot of this name."""

    bot: Name


SeatRequest: TypeAlias = MySeat | FreeSeat | BotRequest


class NewMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A match to be made."""

    game: str
    seats: Annotated[list[SeatRequest], Meta(min_length=1, max_length=10)]
    options: dict[str, Any] = field(default_factory=dict)
    toss: bool = False
    clock: ClockTerms = field(default_factory=NoClock)
    public: bool = False
    rated: bool = False
    series: Annotated[int, Meta(ge=1, le=100)] = 1


class JoinRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat to take; the first open one if none is named."""

    seat: Annotated[int, Meta(ge=0, le=9)] | None = None


class SeatBot(Struct, frozen=True, forbid_unknown_fields=True):
    """A bot to put on an open seat."""

    bot: Name


class ReplayRequest(PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """Actions to be played from a position and shown step by step.

    `seat` is who sees the steps, -2 for a spectator; with "turn" each step is seen by the seat that is to act in it.
    With `deal` the dealer's turns that follow are dealt at random, until a seat is to act.
    """

    seat: Annotated[int, Meta(ge=-2, le=9)] | Literal["turn"] = -2
    text: bool = False
    positions: bool = False
    deal: bool = False


class ReviewRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A record to be reviewed."""

    record: dict[str, Any]


class RetryRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Another action after so many actions of a record."""

    record: dict[str, Any]
    ply: Annotated[int, Meta(ge=0, le=2000)]
    action: Annotated[str, Meta(max_length=100)]


class GraphRequest(PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """A position to be found in the graph of its game."""


class PuzzleAttempt(Struct, frozen=True, forbid_unknown_fields=True):
    """All actions of the solver from the position of a puzzle on."""

    actions: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(min_length=1, max_length=20)]


class NewStudy(Struct, frozen=True, forbid_unknown_fields=True):
    """A study to be made: an empty one with a name, or the one of a file, in JSON or as text."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] | None = None
    text: str | None = None


class NewChapters(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a file, in JSON or as text, whose chapters are added to a study."""

    text: str


class EditRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a study, the same as over its socket."""

    edit: AnyEdit


class LinksRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Which links a study shall have: one that is there stays, one that is not wanted is revoked."""

    read: bool
    write: bool


class ExplorerRequest(PositionQuestion, frozen=True, forbid_unknown_fields=True):
    """A position, by the actions played from another one, and whose games to look at."""

    scope: Literal["mine", "public", "bots"] = "public"


class PositionsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter, as in the schema of studies."""

    chapter: dict[str, Any]
