"""A match as clients see it, the same over HTTP and over the socket; docs/protocol.md explains each field."""

from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from kemu.core.game import SPECTATOR, AnyView, Seat
from kemu.play.decide import CLAIM_GRACE_MS
from kemu.play.table import Status, Table
from kemu.play.terms import ClockTerms, Player, Series
from kemu.storage.matches import MatchRow, OutcomeAnswer, outcome_answer


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
        series=terms.series,
        previous=terms.previous,
        next=of.next,
        created=terms.created,
        turn=turn,
        outcome=outcome,
        grace=CLAIM_GRACE_MS,
    )


def _seat(player: Player | None) -> AnySeat:
    if player is None:
        return OpenSeat()
    return (BotSeat if player.kind == "bot" else Person)(player.name, player.id)
