"""Every message on the socket of a match; docs/protocol.md explains each with an example."""

from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field

from kemu.core.game import Seat
from kemu.play.commands import AnyCommand, Command, Id
from kemu.play.events import What
from kemu.server.answers import MatchAnswer
from kemu.storage.store import Result

# The socket, from the client. What changes a match is in play/commands.py.


class Full(Command, frozen=True, tag="full"):
    """Send me everything again."""


class Look(Command, frozen=True, tag="look"):
    """Let me look through another of my seats."""

    seat: int


class Follow(Command, frozen=True, tag="follow"):
    """Let this socket go on with another match, such as the rematch."""

    match: str


class Ping(Command, frozen=True, tag="ping"):
    """Are you there, and what is the time?"""

    t: int = 0


Wish: TypeAlias = AnyCommand | Full | Look | Follow | Ping
decode_wish = msgspec.json.Decoder(Wish).decode

# The socket, from the server.


class ClockFrame(Struct, frozen=True, omit_defaults=True):
    """The time each seat had left at a moment, and whose runs since then."""

    left: list[int]
    at: int
    running: Seat | None = None


class OfferFrame(Struct, frozen=True):
    """An open offer."""

    seat: Seat
    what: What


class Told(Struct, frozen=True, omit_defaults=True):
    """An event as a seat is told of it."""

    event: str
    seat: int | UnsetType = UNSET
    line: str | UnsetType = UNSET
    what: What | UnsetType = UNSET
    plies: int | UnsetType = UNSET
    away: Seat | UnsetType = UNSET
    name: str | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    match: str | UnsetType = UNSET


class EventFrame(Struct, frozen=True, omit_defaults=True, tag="event"):
    """The next version of a match: what happened and how things stand now."""

    version: int
    now: int
    events: list[Told]
    view: Raw
    turn: Seat | None
    actions: list[str] | UnsetType = UNSET
    clock: ClockFrame | UnsetType = UNSET
    offers: list[OfferFrame] | UnsetType = UNSET
    outcome: Result | UnsetType = UNSET
    re: Id | UnsetType = UNSET


class FullFrame(Struct, frozen=True, omit_defaults=True, tag="full"):
    """Everything a seat may know."""

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
    outcome: Result | UnsetType = UNSET
    re: Id | UnsetType = UNSET


class Resumed(Struct, frozen=True, omit_defaults=True, tag="resumed"):
    """Nothing was missed."""

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


class Here(Struct, frozen=True, omit_defaults=True):
    """Whether somebody sits at a seat's board now."""

    here: bool
    since: int | UnsetType = UNSET


class Presence(Struct, frozen=True, tag="presence"):
    """Who is here."""

    seats: list[Here]
    watching: int


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    re: Id
    t: int
    now: int


Frame: TypeAlias = EventFrame | FullFrame | Resumed | Done | Refused | Presence | Pong
encode = msgspec.json.Encoder().encode


def schema() -> dict[str, Any]:
    """JSON Schemas of all that travels over a socket; a view is whatever its game shows."""
    (commands, frames), components = msgspec.json.schema_components(
        [Wish, Frame], schema_hook=lambda kind: {}, ref_template="#/$defs/{name}"
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Kemu: the socket of a match",
        "commands": commands,
        "frames": frames,
        "$defs": components,
    }
