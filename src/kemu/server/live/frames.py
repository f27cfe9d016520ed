"""Every message on the sockets of matches and studies; docs/protocol.md explains each with an example."""

from typing import Any, Final, Literal, Self, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.play.commands import AnyCommand, Command, Id, MatchEvent, What
from kemu.server.match_answer import MatchAnswer
from kemu.storage.matches import OutcomeAnswer
from kemu.studies.edits import AnyEdit, SavedEdit

# At every document, from the server.


class Done(Struct, frozen=True, tag="done"):
    """The command had been done before."""

    re: Id
    version: int


class Refused(Struct, frozen=True, omit_defaults=True, tag="refused"):
    """The command was not done."""

    code: str
    message: str
    re: Id | UnsetType = UNSET
    reason: str | UnsetType = UNSET
    values: dict[str, Any] | UnsetType = UNSET

    @classmethod
    def by(cls, error: KemuError, re: Id | UnsetType = UNSET) -> Self:
        """Make the frame that tells an error; the rules of a game add their reason and its values."""
        return cls(error.code, str(error), re, error.reason or UNSET, dict(error.values) or UNSET)


# At a match, from the client. The commands that change a match are in play/commands.py.


class Full(Command, frozen=True, tag="full"):
    """Send everything again."""


class Look(Command, frozen=True, tag="look"):
    """Show the match through another of the player's seats."""

    seat: int


class Follow(Command, frozen=True, tag="follow"):
    """Go on with another match on this socket, such as the rematch."""

    match: str


class Ping(Command, frozen=True, tag="ping"):
    """Answer with the server's time."""

    t: int = 0


ClientMessage: TypeAlias = AnyCommand | Full | Look | Follow | Ping
READING: Final = (Full, Look, Follow, Ping)
"""The messages that change nothing."""

decode_message = msgspec.json.Decoder(ClientMessage).decode

# At a match, from the server.


class ClockFrame(Struct, frozen=True, omit_defaults=True):
    """The time each seat had left at a moment, and whose time runs from then on."""

    left: list[int]
    at: int
    running: Seat | None = None


class OfferFrame(Struct, frozen=True):
    """An open offer."""

    seat: Seat
    what: What


class PositionFrame(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The position in one version of a match; `text` and `words` are there if the socket asked for text."""

    version: int
    now: int
    view: Raw
    turn: Seat | None
    actions: list[str] | UnsetType = UNSET
    clock: ClockFrame | UnsetType = UNSET
    offers: list[OfferFrame] | UnsetType = UNSET
    outcome: OutcomeAnswer | UnsetType = UNSET
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    re: Id | UnsetType = UNSET


class EventFrame(PositionFrame, frozen=True, kw_only=True, tag="event"):
    """The next version of a match: its events, and the position after them.

    `match` is there if something in it changed besides `turn`.
    """

    events: list[MatchEvent]
    match: MatchAnswer | UnsetType = UNSET


class FullFrame(PositionFrame, frozen=True, kw_only=True, tag="full"):
    """Everything that a viewer may know."""

    seat: Seat
    match: MatchAnswer
    log: list[tuple[Seat, str]] = field(default_factory=list)


class Resumed(Struct, frozen=True, omit_defaults=True, tag="resumed"):
    """The client has the newest version."""

    version: int
    now: int
    clock: ClockFrame | UnsetType = UNSET


class SeatPresence(Struct, frozen=True, omit_defaults=True):
    """Whether the player of a seat has a socket open; if not, since when."""

    here: bool
    since: int | UnsetType = UNSET


class Presence(Struct, frozen=True, tag="presence"):
    """Which players have a socket open, and how many spectators."""

    seats: list[SeatPresence]
    watching: int


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    re: Id
    t: int
    now: int


Frame: TypeAlias = EventFrame | FullFrame | Resumed | Done | Refused | Presence | Pong

# At a study.

Access: TypeAlias = Literal["read", "write"]


class EditStudy(Struct, frozen=True, forbid_unknown_fields=True):
    """Change the study."""

    id: Id
    edit: AnyEdit


class StudyOpened(Struct, frozen=True, tag="opened"):
    """The socket is open; what follows the version that it was opened with follows, then what comes."""

    version: int
    access: Access


class EditFrame(Struct, frozen=True, omit_defaults=True, tag="edit"):
    """The next version of the study; `re` is there for the client that made it."""

    version: int
    edit: SavedEdit
    re: Id | UnsetType = UNSET


class Reload(Struct, frozen=True, tag="reload"):
    """The versions that the client lacks are not kept; load the study again and open another socket."""

    version: int


class Readers(Struct, frozen=True, tag="here"):
    """How many sockets of this study are open."""

    count: int


StudyFrame: TypeAlias = StudyOpened | EditFrame | Reload | Readers | Done | Refused
decode_edit = msgspec.json.Decoder(EditStudy).decode

encode = msgspec.json.Encoder().encode


def schema(title: str = "the socket of a match", commands: Any = ClientMessage, answers: Any = Frame) -> dict[str, Any]:
    """JSON Schemas of all that travels over a socket; a view is whatever its game shows."""
    (messages, frames), components = msgspec.json.schema_components(
        [commands, answers], schema_hook=lambda kind: {}, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Kemu: {title}",
        "commands": messages,
        "frames": frames,
        "$defs": components,
    }
