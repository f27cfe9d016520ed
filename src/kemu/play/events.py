"""Events and entries. A match is stored as its terms and the list of its entries, nothing else."""

from typing import Literal, TypeAlias

import msgspec
from msgspec import Struct

from kemu.core.game import Seat
from kemu.play.terms import Player

What: TypeAlias = Literal["draw", "takeback", "rematch"]


class Event(Struct, frozen=True, tag_field="event"):
    """One change of a match."""


class Joined(Event, frozen=True, tag="joined"):
    """A player takes a seat."""

    seat: Seat
    player: Player


class Left(Event, frozen=True, tag="left"):
    """A seat becomes open again before the start."""

    seat: Seat


class Started(Event, frozen=True, omit_defaults=True, tag="started"):
    """All seats are taken, the game begins; `timed` if time runs from now on and not from the first action on."""

    timed: bool = False


class Acted(Event, frozen=True, omit_defaults=True, tag="acted"):
    """A seat or the dealer took an action, given by its full text.

    `spent_ms` is the time a bot thought, without the time its question waited; where it is missing, as for people and
    in entries of earlier versions, the clock counts from the action before.
    """

    seat: Seat
    action: str
    spent_ms: int | None = None


class Offered(Event, frozen=True, tag="offered"):
    """A seat offers a draw, asks to take back, or wants to play again."""

    seat: Seat
    what: What


class Accepted(Event, frozen=True, tag="accepted"):
    """One of several whose consent is needed gives it."""

    seat: Seat
    what: What


class Declined(Event, frozen=True, tag="declined"):
    """An offer is refused, or withdrawn by who made it."""

    seat: Seat
    what: What


class Undone(Event, frozen=True, tag="undone"):
    """The last plies are taken back, for this seat."""

    seat: Seat
    plies: int


class Agreed(Event, frozen=True, tag="agreed"):
    """The players agree on a draw."""


class Resigned(Event, frozen=True, tag="resigned"):
    """A seat gives up."""

    seat: Seat


class Flagged(Event, frozen=True, tag="flagged"):
    """A seat has used up its time."""

    seat: Seat


class Claimed(Event, frozen=True, tag="claimed"):
    """A seat claims the win because another, whose turn it is, has left."""

    seat: Seat
    away: Seat


class Replaced(Event, frozen=True, tag="replaced"):
    """A bot takes over a seat."""

    seat: Seat
    player: Player


class Aborted(Event, frozen=True, tag="aborted"):
    """The match is called off before its first action."""

    seat: Seat


class Rematched(Event, frozen=True, tag="rematched"):
    """The players play again, in another match."""

    match: str


AnyEvent: TypeAlias = (
    Joined
    | Left
    | Started
    | Acted
    | Offered
    | Accepted
    | Declined
    | Undone
    | Agreed
    | Resigned
    | Flagged
    | Claimed
    | Replaced
    | Aborted
    | Rematched
)


class Entry(Struct, frozen=True, omit_defaults=True, dict=True):
    """All that one command changed, at one moment; the number of an entry is the version of the match after it.

    An entry fresh from `decide` also carries the tables before and after it, so that `evolve` need not run the rules
    again. They are no fields: they are neither encoded nor compared.
    """

    at: int
    events: list[AnyEvent]
    # Who sent which command, so that a command sent twice is done once.
    by: str = ""
    command: str = ""


encode_entry = msgspec.json.Encoder().encode
decode_entry = msgspec.json.Decoder(Entry).decode
