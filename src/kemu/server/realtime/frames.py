"""Every message on the socket of a match; docs/protocol.md explains each with an example."""

from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from kemu.core.game import Seat
from kemu.play.commands import AnyCommand, Command, Id
from kemu.play.events import What
from kemu.server.match_answer import MatchAnswer, OutcomeAnswer

# From the client. The commands that change a match are in play/commands.py.


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

# Events, as a viewer may know them.


class WireEvent(Struct, frozen=True, tag_field="event"):
    """One event of an entry."""


class JoinedEvent(WireEvent, frozen=True, tag="joined"):
    """A player takes a seat."""

    seat: Seat
    name: str
    kind: Literal["person", "bot"]


class LeftEvent(WireEvent, frozen=True, tag="left"):
    """A seat becomes open again before the start."""

    seat: Seat


class StartedEvent(WireEvent, frozen=True, tag="started"):
    """All seats are taken, the game begins."""


class ActedEvent(WireEvent, frozen=True, tag="acted"):
    """A seat, or the dealer (-1), took an action; `line` is what this viewer may know of it."""

    seat: Seat
    line: str


class OfferedEvent(WireEvent, frozen=True, tag="offered"):
    """A seat offers a draw, asks to take back, or wants to play again."""

    seat: Seat
    what: What


class AcceptedEvent(WireEvent, frozen=True, tag="accepted"):
    """A seat agrees to an offer."""

    seat: Seat
    what: What


class DeclinedEvent(WireEvent, frozen=True, tag="declined"):
    """An offer is refused, or withdrawn by the seat that made it."""

    seat: Seat
    what: What


class UndoneEvent(WireEvent, frozen=True, tag="undone"):
    """The last plies are taken back, for this seat."""

    seat: Seat
    plies: int


class AgreedEvent(WireEvent, frozen=True, tag="agreed"):
    """The players agree on a draw."""


class ResignedEvent(WireEvent, frozen=True, tag="resigned"):
    """A seat resigns."""

    seat: Seat


class FlaggedEvent(WireEvent, frozen=True, tag="flagged"):
    """A seat has used up its time."""

    seat: Seat


class ClaimedEvent(WireEvent, frozen=True, tag="claimed"):
    """A seat claims the win because the seat `away`, whose turn it is, has left."""

    seat: Seat
    away: Seat


class ReplacedEvent(WireEvent, frozen=True, tag="replaced"):
    """A bot takes over a seat."""

    seat: Seat
    name: str
    kind: Literal["person", "bot"]


class AbortedEvent(WireEvent, frozen=True, tag="aborted"):
    """The match is called off."""

    seat: Seat


class RematchedEvent(WireEvent, frozen=True, tag="rematched"):
    """The players play again, in the match of this id."""

    match: str


MatchEvent: TypeAlias = (
    JoinedEvent
    | LeftEvent
    | StartedEvent
    | ActedEvent
    | OfferedEvent
    | AcceptedEvent
    | DeclinedEvent
    | UndoneEvent
    | AgreedEvent
    | ResignedEvent
    | FlaggedEvent
    | ClaimedEvent
    | ReplacedEvent
    | AbortedEvent
    | RematchedEvent
)

# From the server.


class ClockFrame(Struct, frozen=True, omit_defaults=True):
    """The time each seat had left at a moment, and whose time runs from then on."""

    left: list[int]
    at: int
    running: Seat | None = None


class OfferFrame(Struct, frozen=True):
    """An open offer."""

    seat: Seat
    what: What


class EventFrame(Struct, frozen=True, omit_defaults=True, tag="event"):
    """The next version of a match: its events, and the position after them.

    `match` is there if something in it changed besides `turn`; `text` and `words` if the socket asked for text.
    """

    version: int
    now: int
    events: list[MatchEvent]
    view: Raw
    turn: Seat | None
    actions: list[str] | UnsetType = UNSET
    clock: ClockFrame | UnsetType = UNSET
    offers: list[OfferFrame] | UnsetType = UNSET
    outcome: OutcomeAnswer | UnsetType = UNSET
    match: MatchAnswer | UnsetType = UNSET
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    re: Id | UnsetType = UNSET


class FullFrame(Struct, frozen=True, omit_defaults=True, tag="full"):
    """Everything that a viewer may know."""

    version: int
    seat: Seat
    now: int
    match: MatchAnswer
    view: Raw
    turn: Seat | None
    log: list[tuple[Seat, str]] = field(default_factory=list)
    actions: list[str] | UnsetType = UNSET
    clock: ClockFrame | UnsetType = UNSET
    offers: list[OfferFrame] | UnsetType = UNSET
    outcome: OutcomeAnswer | UnsetType = UNSET
    text: str | UnsetType = UNSET
    words: list[str] | UnsetType = UNSET
    re: Id | UnsetType = UNSET


class Resumed(Struct, frozen=True, omit_defaults=True, tag="resumed"):
    """The client has the newest version."""

    version: int
    now: int
    clock: ClockFrame | UnsetType = UNSET


class Done(Struct, frozen=True, tag="done"):
    """The command had been done before."""

    re: Id
    version: int


class Refused(Struct, frozen=True, omit_defaults=True, tag="refused"):
    """The command was not done."""

    code: str
    message: str
    re: Id | UnsetType = UNSET


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
