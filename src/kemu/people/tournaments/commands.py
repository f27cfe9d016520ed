"""Commands to a tournament: those of players, which are wire types as well, and those of the server."""

from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from kemu.core.errors import KemuError
from kemu.people.tournaments.values import Entrant
from kemu.play.commands import Id

Number: TypeAlias = Annotated[int, Meta(ge=0, le=10_000)]


class UnknownTournament(KemuError, code="unknown-tournament"):
    """No tournament has this id."""


class TournamentClosed(KemuError, code="tournament-closed"):
    """The tournament is not at a point where this can be done: it has not begun, has begun, or is over."""


class TournamentFull(KemuError, code="tournament-full"):
    """As many take part as may."""


class NotTakingPart(KemuError, code="not-taking-part"):
    """The player does not take part in the tournament, or not in this pairing."""


class EntryRefused(KemuError, code="entry-refused"):
    """The tournament is for others: for accounts, for the members of a group, or for people only."""


class BadTime(KemuError, code="bad-time"):
    """A time that cannot be agreed on, or there is none to agree to."""


class Ask(Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """Commands of a person; `id` is the client's own name for it: sent twice, done once."""

    id: Id


class Enter(Ask, frozen=True, tag="enter"):
    """Take part, from the next round on if the tournament runs, or again after a withdrawal."""


class Withdraw(Ask, frozen=True, tag="withdraw"):
    """Play no more: open games of the round are lost, and nobody is paired with the player any more."""


class ProposeTime(Ask, frozen=True, tag="propose"):
    """Propose a time (ms) for a pairing of one's own, in place of any other."""

    board: Number
    at: Annotated[int, Meta(ge=0, le=2**53)]


class AgreeTime(Ask, frozen=True, tag="agree"):
    """Agree to the time that the other has proposed; `at` is the one that was seen."""

    board: Number
    at: Annotated[int, Meta(ge=0, le=2**53)]


class DropTime(Ask, frozen=True, tag="drop"):
    """Decline a time, or take one's proposal back."""

    board: Number


class Start(Ask, frozen=True, tag="start"):
    """Begin the first round; only the organiser may."""


class End(Ask, frozen=True, tag="end"):
    """Cancel a tournament that has not begun, or end one that runs as it stands; only the organiser may."""


class Remove(Ask, frozen=True, tag="remove"):
    """Withdraw somebody else; only the organiser may."""

    player: Annotated[str, Meta(min_length=1, max_length=40)]


AnyAsk: TypeAlias = Enter | Withdraw | ProposeTime | AgreeTime | DropTime | Start | End | Remove
OF_HOST: Final = (Start, End, Remove)
"""What only the organiser may do."""


class PersonCommand(NamedTuple):
    """A command of a person; `entrant` says who wants to enter."""

    player: str
    ask: AnyAsk
    entrant: Entrant | None = None


class Tick(NamedTuple):
    """Do what is due by time."""


class NoteMade(NamedTuple):
    """These matches are there."""

    matches: tuple[str, ...]


class NoteResult(NamedTuple):
    """A match is over, with these points of its seats; `order` are the seats of the next game of a series."""

    match: str
    points: tuple[int, ...]
    order: tuple[str, ...] = ()


TournamentCommand: TypeAlias = PersonCommand | Tick | NoteMade | NoteResult
