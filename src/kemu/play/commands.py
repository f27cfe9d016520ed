"""What can be asked of a match: `decide` takes one of these.

A player's commands are also wire types: the same JSON objects travel over the socket.
"""

from collections.abc import Mapping
from typing import Annotated, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from kemu.core.game import Seat
from kemu.play.events import What
from kemu.play.terms import Player

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
"""The client's own name for a command: sent twice, done once."""


class Command(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """What a player asks for a seat."""

    id: Id


class Act(Command, frozen=True, tag="act"):
    """Take an action; `version` is the one the player was looking at."""

    version: int
    action: str


class OfferCommand(Command, frozen=True):
    """What a player asks about an offer."""

    what: What


class Offer(OfferCommand, frozen=True, tag="offer"):
    """Offer a draw, ask to take back, ask for another game."""


class Accept(OfferCommand, frozen=True, tag="accept"):
    """Agree to an offer."""


class Decline(OfferCommand, frozen=True, tag="decline"):
    """Refuse an offer, or withdraw it."""


class Resign(Command, frozen=True, tag="resign"):
    """Give up."""


class Abort(Command, frozen=True, tag="abort"):
    """Call the match off before its first action."""


class Claim(Command, frozen=True, tag="claim"):
    """Win, or have a bot play on, because somebody has left."""

    what: Literal["win", "bot"]


AnyCommand: TypeAlias = Act | Offer | Accept | Decline | Resign | Abort | Claim


class SeatCommand(NamedTuple):
    """A player's command for a seat, and since when each absent seat has been away, in milliseconds.

    `spent_ms` is the time that a bot thought about an action. It is no part of the command itself, so that no client
    can send it.
    """

    seat: Seat
    player: str
    command: AnyCommand
    away: Mapping[Seat, int] = {}
    spent_ms: int | None = None


class Join(NamedTuple):
    """Players take open seats; the match starts when the last seat is taken. Without a seat the first open one."""

    players: tuple[tuple[Seat | None, Player], ...]


class Leave(NamedTuple):
    """A player leaves all seats before the start; a match without people is called off."""

    player: str


class CheckClock(NamedTuple):
    """End the match if the running time is used up."""


class Replace(NamedTuple):
    """The stand-in takes over a seat, such as that of a bot that failed."""

    seat: Seat


class Deal(NamedTuple):
    """Take the chance actions that are due, as after a record that ends at the dealer's turn."""


TableCommand: TypeAlias = SeatCommand | Join | Leave | CheckClock | Replace | Deal
