"""Commands, which `decide` takes, and the events that they cause.

A player's commands are also wire types: the same JSON objects travel over the socket. A match is stored as its terms
and the list of its entries, nothing else.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import Meta, Struct

from kemu.core.game import Seat
from kemu.play.terms import Player

What: TypeAlias = Literal["draw", "takeback", "rematch", "cancel"]


class Event(Struct, frozen=True, tag_field="event"):
    """One change of a match."""

    def shown(self) -> Any:
        """Return the event as everybody may know it; of an action, each seat is shown its own line instead."""
        return self


class SeatEvent(Event, frozen=True):
    """A change that one seat makes or undergoes."""

    seat: Seat


class JoinedEvent(SeatEvent, frozen=True, tag="joined"):
    """A player takes a seat."""

    name: str
    kind: Literal["person", "bot"]


class ReplacedEvent(JoinedEvent, frozen=True, tag="replaced"):
    """A bot takes over a seat."""


class ActedEvent(SeatEvent, frozen=True, tag="acted"):
    """A seat, or the dealer (-1), took an action; `line` is what this viewer may know of it."""

    line: str


class Joined(SeatEvent, frozen=True, tag="joined"):
    """A player takes a seat."""

    player: Player

    def shown(self) -> "MatchEvent":
        """Return the event without the player's id."""
        return JoinedEvent(self.seat, self.player.name, self.player.kind)


class Left(SeatEvent, frozen=True, tag="left"):
    """A seat becomes open again before the start."""


class Started(Event, frozen=True, omit_defaults=True, tag="started"):
    """All seats are taken, the game begins; `timed` if time runs from now on and not from the first action on."""

    timed: bool = False

    def shown(self) -> "MatchEvent":
        """Return the event without `timed`, which the clock shows."""
        return Started()


class Acted(SeatEvent, frozen=True, omit_defaults=True, tag="acted"):
    """A seat or the dealer took an action, given by its full text.

    `spent_ms` is the time a bot thought, without the time its question waited; where it is missing, as for people and
    in entries of earlier versions, the clock counts from the action before.
    """

    action: str
    spent_ms: int | None = None


class OfferEvent(SeatEvent, frozen=True):
    """A change of the offers."""

    what: What


class Offered(OfferEvent, frozen=True, tag="offered"):
    """A seat offers a draw, asks to take back, wants to play again, or proposes to cancel the match."""


class Accepted(OfferEvent, frozen=True, tag="accepted"):
    """A seat agrees to an offer."""


class Declined(OfferEvent, frozen=True, tag="declined"):
    """An offer is refused, or withdrawn by the seat that made it."""


class Undone(SeatEvent, frozen=True, tag="undone"):
    """The last plies are taken back, for this seat."""

    plies: int


class Agreed(Event, frozen=True, tag="agreed"):
    """The players agree on a draw."""


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """A seat resigns."""


class Flagged(SeatEvent, frozen=True, tag="flagged"):
    """A seat has used up its time."""


class Claimed(SeatEvent, frozen=True, tag="claimed"):
    """A seat claims the win because another, whose turn it is, has left."""

    away: Seat


class Replaced(Joined, frozen=True, omit_defaults=True, tag="replaced"):
    """A bot takes over a seat; `gave_up` if its player has lost by that, while the others play on."""

    gave_up: bool = False

    def shown(self) -> "MatchEvent":
        """Return the event without the player's id."""
        return ReplacedEvent(self.seat, self.player.name, self.player.kind)


class Aborted(SeatEvent, frozen=True, tag="aborted"):
    """The match is called off before its first action."""


class Cancelled(Event, frozen=True, tag="cancelled"):
    """The players agree to call the match off; it has no result."""


class Vacation(SeatEvent, frozen=True, tag="vacation"):
    """The player of a seat begins a vacation, during which the time of the seat stands still, or ends it."""

    on: bool


class Stopped(Event, frozen=True, tag="stopped"):
    """The match has become as long as a match may be, and is a draw."""


class Rematched(Event, frozen=True, tag="rematched"):
    """The players play again, in another match."""

    match: str


Ending: TypeAlias = Agreed | Resigned | Flagged | Claimed | Aborted | Cancelled | Stopped
PublicEvent: TypeAlias = Left | Started | Undone | Rematched | Offered | Accepted | Declined | Vacation | Ending
AnyEvent: TypeAlias = Joined | Acted | Replaced | PublicEvent
"""An event as it is stored."""

MatchEvent: TypeAlias = JoinedEvent | ActedEvent | ReplacedEvent | PublicEvent
"""An event as a viewer is shown it."""


class Entry(Struct, frozen=True, omit_defaults=True):
    """All that one command changed, at one moment; the number of an entry is the version of the match after it."""

    at: int
    events: list[AnyEvent]
    # Who sent which command, so that a command sent twice is done once.
    by: str = ""
    command: str = ""


encode_entry = msgspec.json.Encoder().encode
decode_entry = msgspec.json.Decoder(Entry).decode


Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
"""The client's own name for a command: sent twice, done once."""


class Command(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Commands of a player about a seat."""

    id: Id


class Act(Command, frozen=True, tag="act"):
    """Take an action; `version` is the one the player was looking at."""

    version: int
    action: str


class OfferCommand(Command, frozen=True):
    """Commands of a player about an offer."""

    what: What


class Offer(OfferCommand, frozen=True, tag="offer"):
    """Offer a draw, ask to take back, ask for another game, propose to cancel the match."""


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


class SetVacation(NamedTuple):
    """The vacation of a player begins or ends, at all their seats."""

    player: str
    on: bool


class Replace(NamedTuple):
    """The stand-in takes over a seat, such as that of a bot that failed."""

    seat: Seat


class Deal(NamedTuple):
    """Take the chance actions that are due, as after a record that ends at the dealer's turn."""


TableCommand: TypeAlias = SeatCommand | Join | Leave | CheckClock | SetVacation | Replace | Deal
