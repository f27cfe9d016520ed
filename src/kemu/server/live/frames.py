"""A match as clients see it, and all messages on the sockets of matches and studies; see docs/protocol.md."""

from typing import Any, Final, Literal, Self, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, field
from msgspec.structs import asdict

from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR, AnyView, Seat
from kemu.people.greetings import Phrase
from kemu.play.commands import AnyCommand, Command, Id, MatchEvent, What
from kemu.play.decide import CLAIM_GRACE_MS
from kemu.play.table import Status, Table
from kemu.play.terms import ClockTerms, Player, Series
from kemu.storage.matches import MatchRow, OutcomeAnswer, outcome_answer
from kemu.studies.edits import AnyEdit, SavedEdit


class Person(Struct, frozen=True, tag="person", tag_field="kind"):
    """A seat with a person."""

    name: str
    player: str


class BotSeat(Struct, frozen=True, tag="bot", tag_field="kind"):
    """A seat with a bot."""

    name: str
    player: str


class OpenSeat(Struct, frozen=True, tag="open", tag_field="kind"):
    """A seat that nobody has taken."""


AnySeat: TypeAlias = Person | BotSeat | OpenSeat


class MatchAnswer(Struct, frozen=True):
    """A match, as everybody may know it; `mine` and `turn` depend on who asks and when."""

    id: str
    game: str
    options: dict[str, Any]
    status: Status
    seats: list[AnySeat]
    mine: list[Seat]
    clock: ClockTerms
    public: bool
    rated: bool
    series: Series
    previous: str | None
    next: str | None
    tournament: str | None
    created: int
    turn: Seat | None
    outcome: OutcomeAnswer | None
    grace: int


class ListedMatch(MatchAnswer, frozen=True):
    """A match in a list, with its position as a spectator sees it; None before the start, or if it is not at hand."""

    view: AnyView


def match_answer(table: Table, player: str) -> MatchAnswer:
    """Return a match in memory, for this player."""
    return _answer(table, outcome_answer(table.outcome), table.seats(player), table.turn)


def listed_table(table: Table, player: str) -> ListedMatch:
    """Return a match in memory as it is listed for this player."""
    view = table.game.view(table.state, SPECTATOR) if table.started else None
    return ListedMatch(**asdict(match_answer(table, player)), view=view)


def listed_row(row: MatchRow, player: str) -> ListedMatch:
    """Return a stored match as it is listed for this player; whose turn it is, only its table knows."""
    seats = [seat for seat, taken in enumerate(row.players) if taken is not None and taken.id == player]
    return ListedMatch(**asdict(_answer(row, row.outcome, seats, None)), view=row.view or None)


def match_changed(before: Table, after: Table) -> bool:
    """Return whether the answers of a table and of the next one differ in anything but `turn`."""
    return (
        before.players is not after.players
        or before.started is not after.started
        or before.outcome is not after.outcome
        or before.next is not after.next
    )


def _answer(of: Table | MatchRow, outcome: OutcomeAnswer | None, mine: list[Seat], turn: Seat | None) -> MatchAnswer:
    terms = of.terms
    return MatchAnswer(
        id=terms.id,
        game=terms.game,
        options=terms.options,
        status=of.status,
        seats=[_seat(player) for player in of.players],
        mine=mine,
        clock=terms.clock,
        public=terms.public,
        rated=terms.rated,
        series=of.series,
        previous=terms.previous,
        next=of.next,
        tournament=terms.tournament,
        created=terms.created,
        turn=turn,
        outcome=outcome,
        grace=CLAIM_GRACE_MS,
    )


def _seat(player: Player | None) -> AnySeat:
    if player is None:
        return OpenSeat()
    return (BotSeat if player.kind == "bot" else Person)(player.name, player.id)


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
    """Switch this socket to another match, such as the rematch."""

    match: str


class Ping(Command, frozen=True, tag="ping"):
    """Answer with the server's time."""

    t: int = 0


class Greet(Command, frozen=True, tag="greet"):
    """Say one of a few phrases to the other people at the table."""

    phrase: Phrase


ClientMessage: TypeAlias = AnyCommand | Greet | Full | Look | Follow | Ping
READING: Final = (Full, Look, Follow, Ping)
"""The messages that change nothing."""

decode_message = msgspec.json.Decoder(ClientMessage).decode

# At a match, from the server.


class ClockFrame(Struct, frozen=True, omit_defaults=True):
    """The time each seat had left at a moment, whose time runs from then on, and whose players are on vacation.

    The time of a seat whose player is on vacation stands still.
    """

    left: list[int]
    at: int
    running: Seat | None = None
    vacation: list[Seat] = []


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


class Greeting(Struct, frozen=True, omit_defaults=True, tag="greeting"):
    """A phrase that a player has said, for the others at the table who want greetings; with `re` for that player."""

    seat: Seat
    phrase: Phrase
    re: Id | UnsetType = UNSET


class Pong(Struct, frozen=True, tag="pong"):
    """The answer to a ping."""

    re: Id
    t: int
    now: int


Frame: TypeAlias = EventFrame | FullFrame | Resumed | Done | Refused | Presence | Greeting | Pong

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
