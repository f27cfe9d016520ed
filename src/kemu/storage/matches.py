"""Matches without their entries, and the processes that own the scheduled ones: rows, statements and methods."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace
from sqlalchemy import Select, bindparam, case, delete, false, func, literal_column, select, union_all, update

from kemu.core.game import SPECTATOR, Outcome
from kemu.play.table import Status, Table
from kemu.play.terms import Player, Series, Terms
from kemu.storage.database import Aggregate, Row, Transaction, transaction
from kemu.storage.errors import UnknownMatch
from kemu.storage.schema import entries, matches, processes, rated, sitters
from kemu.storage.statements import TEXT, Compiler, insert_all, on_rows, page, plain, upsert

NO_LIMIT_MS: Final = 2**63 - 1
"""A time after all others, the greatest that the column `created` can hold."""


class OutcomeAnswer(Struct, frozen=True):
    """How a match ended, as it is stored and sent; scores are fractions such as "7/2"."""

    winners: tuple[int, ...]
    reason: str
    scores: tuple[str, ...] | None
    at: tuple[str, ...]


class MatchRow(Struct, frozen=True, omit_defaults=True):
    """A match without its entries; it changes when a seat is taken or left, at the start and at the end.

    `view` is the JSON of the final position as a spectator sees it, so that lists can show it without a replay; missing
    until the end, and for matches that ended before it was stored. `scheduled` says that a process must own the match
    because something in it is due without a command: a clock runs or a bot plays. The server decides it; the store
    keeps it in a column of its own, and the JSON of the column `row` and of exports is without it.
    """

    terms: Terms
    status: Status
    players: list[Player | None]
    outcome: OutcomeAnswer | None
    next: str | None
    view: Raw | UnsetType = UNSET
    scheduled: bool = False

    @property
    def series(self) -> Series:
        """How the series stands: after this match if it is over, else before it."""
        return self.terms.series.after(self.outcome.winners) if self.outcome else self.terms.series

    @property
    def person_ids(self) -> set[str]:
        """The ids of the persons at its seats."""
        return {player.id for player in self.players if player is not None and player.kind == "person"}


def outcome_answer(outcome: Outcome | None) -> OutcomeAnswer | None:
    """Convert an outcome of the rules or of the players; None stays None."""
    return None if outcome is None else msgspec.convert(outcome.encode(), OutcomeAnswer)


def row(table: Table, scheduled: bool = False) -> MatchRow:
    """Convert a table to the row of its match; `scheduled` as in MatchRow."""
    final = UNSET if table.outcome is None else Raw(msgspec.json.encode(table.game.view(table.state, SPECTATOR)))
    outcome = outcome_answer(table.outcome)
    return MatchRow(table.terms, table.status, list(table.players), outcome, table.next, final, scheduled)


def _read_row(text: str, scheduled: bool) -> MatchRow:
    """Return the row of the columns `row` and `scheduled`."""
    return replace(_decode_row(text), scheduled=bool(scheduled))


_decode_row = msgspec.json.Decoder(MatchRow).decode

Show: TypeAlias = Literal["lobby", "mine", "live", "finished"]

STATUS: Final[Mapping[Show, Status]] = {"lobby": "open", "live": "running", "finished": "finished"}
"""The status of the matches in each public list; a player's own matches are listed whatever their status."""


class Query(NamedTuple):
    """Which matches to list, newest first. `player` counts for "mine" only; `before` is a time of creation in ms."""

    show: Show
    player: str = ""
    game: str | None = None
    before: int | None = None
    limit: int = 50


def _changed(new: Any) -> dict[str, Any]:
    """Return what changes of a match. The owner changes only if the match was not scheduled before."""
    owner = case((matches.c.scheduled, matches.c.owner), else_=new.owner)
    return {"status": new.status, "scheduled": new.scheduled, "row": new.row, "owner": owner}


_SAVE_MATCHES: Final = upsert(matches, _changed)


@on_rows({"match": TEXT})
def _delete_sitters(sql: Compiler, given: Any) -> Any:
    """Delete the players of matches."""
    return delete(sitters).where(sitters.c.match.in_(select(given.c.match)))


_INSERT_SITTERS: Final = insert_all(sitters)


@on_rows({"id": TEXT})
def _match_and_entries(sql: Compiler, given: Any) -> Any:
    """Look up by id: version, entry, scheduled; by version. Version 0 is the row of the match."""
    wanted = select(given).cte("wanted")
    found = select(wanted.c.number, literal_column("0").label("version"), matches.c.row, matches.c.scheduled)
    entry = select(wanted.c.number, entries.c.version, entries.c.entry, false())
    both = union_all(
        found.join_from(wanted, matches, matches.c.id == wanted.c.id),
        entry.join_from(wanted, entries, entries.c.match == wanted.c.id),
    )
    return both.order_by("number", "version")


@on_rows({"host": TEXT})
def _hosted(sql: Compiler, given: Any) -> Any:
    """Look up by host: how many matches are open or running; no row if none are."""
    active = (matches.c.status == "open") | (matches.c.status == "running")
    wanted = (matches.c.host == given.c.host) & active
    return select(given.c.number, func.count()).join_from(given, matches, wanted).group_by(given.c.number)


def _newest(*, mine: bool, one_game: bool) -> Select[Any]:
    """Row and scheduled of the newest matches before a time, up to a limit."""
    chosen = select(matches.c.row, matches.c.scheduled).where(matches.c.created < bindparam("before"))
    if mine:
        chosen = chosen.join(sitters, sitters.c.match == matches.c.id).where(sitters.c.player == bindparam("player"))
    else:
        chosen = chosen.where(matches.c.public, matches.c.status == bindparam("status"))
    if one_game:
        chosen = chosen.where(matches.c.game == bindparam("game"))
    return chosen.order_by(matches.c.created.desc(), matches.c.id.desc()).limit(bindparam("limit"))


_NEWEST: Final = {
    (mine, one_game): plain(_newest(mine=mine, one_game=one_game))
    for mine in (False, True)
    for one_game in (False, True)
}
"""By whether they are the matches of a player or else the public ones of a status, and whether of one game only."""

_PAGE: Final = page(matches, matches.c.row, matches.c.scheduled)
_UNRATED: Final = plain(
    select(matches.c.id).where(
        matches.c.rated, matches.c.status == "finished", matches.c.id.not_in(select(rated.c.match))
    )
)
_RATED_RUNNING: Final = plain(
    select(matches.c.id)
    .join(sitters, sitters.c.match == matches.c.id)
    .where(sitters.c.player == bindparam("player"), matches.c.game == bindparam("game"))
    .where(matches.c.rated, matches.c.status == "running")
)
SAVE_PROCESSES: Final = upsert(processes)
"""Record when processes were alive."""

DELETE_PROCESSES: Final = plain(delete(processes).where(processes.c.seen <= bindparam("until")))
"""Delete the processes that were last alive at a time or before."""

_DELETE_PROCESS: Final = plain(delete(processes).where(processes.c.id == bindparam("process")))
_CLAIM: Final = plain(
    update(matches)
    .values(owner=bindparam("process"))
    .where(matches.c.scheduled, matches.c.owner.is_(None) | matches.c.owner.not_in(select(processes.c.id)))
    .returning(matches.c.id)
)


class Matches(Aggregate):
    """Reads matches, and records which process owns the scheduled ones; the journal writes them."""

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        """Return the row and all entries of a match. Raises UnknownMatch."""
        found = await self._database.find(_match_and_entries, match)
        if not found or found[0][0] != 0:
            raise UnknownMatch("No match has this id.")
        (_, text, scheduled), *later = found
        return _read_row(text, scheduled), [entry.encode() for _, entry, _ in later]

    async def rows(self, query: Query) -> list[MatchRow]:
        """Return the rows that a query selects."""
        mine = query.show == "mine"
        before = NO_LIMIT_MS if query.before is None else query.before
        arguments: dict[str, Any] = {"before": before, "limit": query.limit}
        arguments |= {"player": query.player} if mine else {"status": STATUS[query.show]}
        if query.game is not None:
            arguments["game"] = query.game
        return _rows(await self._database.fetch(_NEWEST[mine, query.game is not None], **arguments))

    async def count_hosted(self, player: str) -> int:
        """Return the number of open and running matches that this player has made."""
        found = await self._database.find(_hosted, player)
        return int(found[0][0]) if found else 0

    async def plays_rated(self, player: str, game: str) -> bool:
        """Return whether this player sits at a running rated match of a game."""
        return bool(await self._database.fetch(_RATED_RUNNING, player=player, game=game))

    async def page(self, after: str = "", limit: int = 500) -> list[MatchRow]:
        """Return at most `limit` rows by id, of all matches whose id is greater than `after`."""
        return _rows(await self._database.fetch(_PAGE, after=after, limit=limit))

    async def unrated(self) -> list[str]:
        """Return the ids of finished rated matches not rated yet: those of earlier versions, and imported ones."""
        return [match for (match,) in await self._database.fetch(_UNRATED)]

    @transaction
    def claim_unowned(self, now: int, silent_since: int) -> Transaction[list[str]]:
        """Record that this process was alive at `now` (ms), and make it the owner of scheduled matches without one.

        A match has no owner if its process was released or last recorded at `silent_since` or before. Returns the
        ids of the matches that changed owner.
        """
        yield SAVE_PROCESSES, [(self._database.process, now)]
        yield DELETE_PROCESSES, {"until": silent_since}
        claimed = yield _CLAIM, {"process": self._database.process}
        return [match for (match,) in claimed]

    async def release(self) -> None:
        """Remove this process, so that the others can claim its matches at once."""
        await self._database.change(_DELETE_PROCESS, {"process": self._database.process})


def save_matches(rows: Mapping[str, MatchRow], known: Sequence[str], process: str) -> Transaction[None]:
    """Save the rows of matches by id, in one order; `known` are those that may be stored already."""
    yield _SAVE_MATCHES, [_values(rows[match], process) for match in sorted(rows)]
    if known:
        yield _delete_sitters, [(match,) for match in known]
    if places := [(match, player) for match in sorted(rows) for player in sorted(rows[match].person_ids)]:
        yield _INSERT_SITTERS, places


def _values(found: MatchRow, process: str) -> tuple[Any, ...]:
    """Return the columns of a match; all but `row` and `owner` are there to search by."""
    terms = found.terms
    searched = (terms.id, terms.game, terms.host, found.status, terms.public, terms.rated, terms.created)
    stored = msgspec.json.encode(replace(found, scheduled=False))
    return (*searched, found.scheduled, process, stored.decode())


def _rows(found: Sequence[Row]) -> list[MatchRow]:
    return [_read_row(text, scheduled) for text, scheduled in found]
