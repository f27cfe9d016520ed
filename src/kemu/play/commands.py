"""What a seat may ask of its table; the same objects travel over the wire."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from kemu.play.events import What

Id: TypeAlias = Annotated[str, Meta(min_length=1, max_length=40)]
"""The client's own name for a command: sent twice, done once."""


class Command(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """One wish of one seat."""

    id: Id


class Act(Command, frozen=True, tag="act"):
    """Take an action; `version` is the one the seat was looking at."""

    version: int
    action: str


class Offer(Command, frozen=True, tag="offer"):
    """Offer a draw, ask to take back, ask for another game."""

    what: What


class Accept(Command, frozen=True, tag="accept"):
    """Agree to an offer."""

    what: What


class Decline(Command, frozen=True, tag="decline"):
    """Refuse an offer, or withdraw it."""

    what: What


class Resign(Command, frozen=True, tag="resign"):
    """Give up."""


class Abort(Command, frozen=True, tag="abort"):
    """Call the match off before its first action."""


class Claim(Command, frozen=True, tag="claim"):
    """Win, or have a bot play on, because somebody has left."""

    what: Literal["win", "bot"]


AnyCommand: TypeAlias = Act | Offer | Accept | Decline | Resign | Abort | Claim
