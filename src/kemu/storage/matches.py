"""Matches without their entries, and the processes that own the scheduled ones: rows, statements and methods."""

from collections.abc import Container, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace
from sqlalchemy import (
    BigInteger,
    Select,
    bindparam,
    case,
    delete,
    false,
    func,
    literal_column,
    select,
    union_all,
    update,
)

from kemu.core.game import SPECTATOR, Outcome
from kemu.play.table import Status, Table
from kemu.play.terms import NoClock, Player, Series, Terms
from kemu.storage.database import Aggregate, Row, Transaction, transaction
from kemu.storage.errors import UnknownMatch
from kemu.storage.schema import entries, matches, pending, processes, sitters
from kemu.storage.statements import TEXT, Compiler, columns_of, insert_all, on_rows, page, plain, upsert, whole

NO_LIMIT_MS: Final = 2**63 - 1
"""A time after all others, the greatest that the column `created` can hold."""


CLAIMED_AT_ONCE: Final = 100
"""How many matches of dead processes are claimed at once."""

Work: TypeAlias = Literal["explore", "count", "rate", "report"]
"""What jobs do with a match after its end: add it to the explorer and to results, rate it unless that is done, and
report it to its tournament."""


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


def is_scheduled(table: Table) -> bool:
    """Return whether a process must own a match because something in it is due without a command: a clock or a bot."""
    if table.status != "running":
        return False
    return type(table.terms.clock) is not NoClock or any(player and player.kind == "bot" for player in table.players)


def read_row(text: str, scheduled: bool) -> MatchRow:
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
    return {"status": new.status, "scheduled": new.scheduled, "due": new.due, "row": new.row, "owner": owner}


_SAVE_MATCHES: Final = upsert(matches, _changed)


@on_rows({"match": TEXT})
def _delete_sitters(sql: Compiler, given: Any) -> Any:
    """Delete the players of matches."""
    return delete(sitters).where(sitters.c.match.in_(select(given.c.match)))


_INSERT_SITTERS: Final = insert_all(sitters)


@on_rows(columns_of(pending))
def _add_pending(sql: Compiler, given: Any) -> Any:
    """Leave work on matches to jobs, unless they had ended before; it comes before the rows of the matches."""
    over = (matches.c.status == "finished") | (matches.c.status == "aborted")
    ended = select(matches.c.id).where(matches.c.id == given.c.match, over)
    return sql.insert(pending, whole(given).where(~ended.exists())).on_conflict_do_nothing()


_PENDING: Final = plain(
    select(pending.c.match)
    .where(pending.c.work == bindparam("kind"))
    .order_by(pending.c.created, pending.c.match)
    .limit(bindparam("limit"))
)


@on_rows({"created": BigInteger(), "match": TEXT})
def _pending_of(sql: Compiler, given: Any) -> Any:
    """Return the ids of those of some matches that are not rated yet."""
    wanted = (pending.c.work == "rate") & (pending.c.created == given.c.created) & (pending.c.match == given.c.match)
    return select(pending.c.match).join_from(given, pending, wanted)


_END_PENDING: Final = plain(
    delete(pending)
    .where(pending.c.work == bindparam("kind"), pending.c.match == bindparam("of"))
    .where(pending.c.created == select(matches.c.created).where(matches.c.id == bindparam("of")).scalar_subquery())
    .returning(pending.c.match)
)


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
    """Select row and scheduled of the newest matches before a time, up to a limit."""
    chosen = select(matches.c.row, matches.c.scheduled)
    if mine:
        listed: Any = sitters
        chosen = chosen.join_from(sitters, matches, sitters.c.match == matches.c.id)
        chosen = chosen.where(sitters.c.player == bindparam("player"))
    else:
        listed = matches
        chosen = chosen.where(matches.c.public, matches.c.status == bindparam("status"))
    if one_game:
        chosen = chosen.where(listed.c.game == bindparam("game"))
    match = sitters.c.match if mine else matches.c.id
    chosen = chosen.where(listed.c.created < bindparam("before"))
    return chosen.order_by(listed.c.created.desc(), match.desc()).limit(bindparam("limit"))


_NEWEST: Final = {
    (mine, one_game): plain(_newest(mine=mine, one_game=one_game))
    for mine in (False, True)
    for one_game in (False, True)
}
"""By whether they are the matches of a player or else the public ones of a status, and whether of one game only."""

_PAGE: Final = page(matches, matches.c.row, matches.c.scheduled)
_RATED_RUNNING: Final = plain(
    select(matches.c.id)
    .join(sitters, sitters.c.match == matches.c.id)
    .where(sitters.c.player == bindparam("player"), sitters.c.game == bindparam("game"), sitters.c.running)
    .where(matches.c.rated)
)
SAVE_PROCESSES: Final = upsert(processes)
"""Record when processes were alive."""

DELETE_PROCESSES: Final = plain(delete(processes).where(processes.c.seen <= bindparam("until")))
"""Delete the processes that were last alive at a time or before."""

_DELETE_PROCESS: Final = plain(delete(processes).where(processes.c.id == bindparam("process")))
_PROCESSES: Final = plain(select(processes.c.id))
_NEXT_OWNER: Final = plain(
    select(matches.c.owner)
    .where(matches.c.due, matches.c.owner > bindparam("after"))
    .order_by(matches.c.owner)
    .limit(1)
)
_OF_OWNER: Final = select(matches.c.id).where(matches.c.due, matches.c.owner == bindparam("dead"))
_CLAIM: Final = plain(
    update(matches)
    .values(owner=bindparam("process"))
    .where(matches.c.id.in_(_OF_OWNER.limit(bindparam("limit"))), matches.c.owner == bindparam("dead"))
    .returning(matches.c.id)
)


@on_rows({"id": TEXT, "process": TEXT})
def _claim_some(sql: Compiler, given: Any) -> Any:
    """Make a process the owner of those of some matches whose process is dead. Gives their ids."""
    claiming = select(func.max(given.c.process)).scalar_subquery()
    alive = select(processes.c.id).where(processes.c.id == matches.c.owner)
    changed = update(matches).values(owner=claiming).where(matches.c.id.in_(select(given.c.id)), ~alive.exists())
    return changed.returning(matches.c.id)


class Matches(Aggregate):
    """Reads matches, and records which process owns the scheduled ones; the journal writes them."""

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        """Return the row and all entries of a match. Raises UnknownMatch."""
        found = await self._database.find(_match_and_entries, match)
        if not found or found[0][0] != 0:
            raise UnknownMatch("No match has this id.")
        (_, text, scheduled), *later = found
        return read_row(text, scheduled), [entry.encode() for _, entry, _ in later]

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

    async def pending(self, work: Work, limit: int) -> list[str]:
        """Return the ids of at most `limit` finished matches that wait for a job, the oldest first."""
        return [match for (match,) in await self._database.fetch(_PENDING, kind=work, limit=limit)]

    @transaction
    def end_work(self, work: Work, match: str) -> Transaction[bool]:
        """Note that a job has done its work on a match; return False if it was noted before."""
        return (yield from end_pending(work, match))

    async def unrated(self, rows: Sequence[MatchRow]) -> set[str]:
        """Return the ids of those of some matches that are still to be rated."""
        wanted = [(row.terms.created, row.terms.id) for row in rows if row.terms.rated]
        return {match for (match,) in await self._database.change(_pending_of, wanted)} if wanted else set()

    @transaction
    def claim_unowned(self, now: int, silent_since: int, limit: int = CLAIMED_AT_ONCE) -> Transaction[list[str]]:
        """Record that this process was alive at `now` (ms), and make it the owner of due matches without one.

        Due are scheduled matches with a clock or without a person; the others wait until somebody opens them. A match
        has no owner if its process was released or last recorded at `silent_since` or before. Returns the ids of the
        matches that changed owner, at most `limit`.
        """
        yield SAVE_PROCESSES, [(self._database.process, now)]
        yield DELETE_PROCESSES, {"until": silent_since}
        alive = {process for (process,) in (yield _PROCESSES, {})}
        claimed: list[str] = []
        owner = ""
        while len(claimed) < limit and (found := (yield _NEXT_OWNER, {"after": owner})):
            ((owner,),) = found
            if owner not in alive:
                wanted = {"process": self._database.process, "dead": owner, "limit": limit - len(claimed)}
                claimed += [match for (match,) in (yield _CLAIM, wanted)]
        return claimed

    async def claim(self, matches: Sequence[str]) -> list[str]:
        """Make this process the owner of those of some matches whose process is dead; return their ids."""
        wanted = [(match, self._database.process) for match in sorted(matches)]
        return [match for (match,) in await self._database.change(_claim_some, wanted)]

    async def release(self) -> None:
        """Remove this process, so that the others can claim its matches at once."""
        await self._database.change(_DELETE_PROCESS, {"process": self._database.process})


def save_matches(
    rows: Mapping[str, MatchRow], known: Sequence[str], rated: Container[str], process: str
) -> Transaction[None]:
    """Save the rows of matches by id, in one order, and leave work on those that end here to jobs.

    `known` are those that may be stored already, and `rated` those whose ratings are saved with them.
    """
    ended = {match: found.terms for match, found in sorted(rows.items()) if found.status == "finished"}
    if ended:
        work = [(kind, terms.created, match) for match, terms in ended.items() for kind in ("explore", "count")]
        work += [("rate", terms.created, match) for match, terms in ended.items() if terms.rated and match not in rated]
        yield _add_pending, work
    over = {match: found.terms for match, found in sorted(rows.items()) if found.status in ("finished", "aborted")}
    if work := [("report", terms.created, match) for match, terms in over.items() if terms.tournament is not None]:
        yield _add_pending, work
    yield _SAVE_MATCHES, [_values(rows[match], process) for match in sorted(rows)]
    if known:
        yield _delete_sitters, [(match,) for match in known]
    if places := [place for match in sorted(rows) for place in _sitters(rows[match])]:
        yield _INSERT_SITTERS, places


def end_pending(work: Work, match: str) -> Transaction[bool]:
    """Note that a job does its work on a match in this transaction; return False if it is done already."""
    return bool((yield _END_PENDING, {"kind": work, "of": match}))


def _sitters(found: MatchRow) -> list[tuple[Any, ...]]:
    """Return the rows of the persons at the seats of a match."""
    terms = found.terms
    shared = (terms.game, terms.created, found.status == "running", None, None)  # whose turn it is, is saved later
    return [(terms.id, player, *shared) for player in sorted(found.person_ids)]


def _values(found: MatchRow, process: str) -> tuple[Any, ...]:
    """Return the columns of a match; all but `row` and `owner` are there to search by."""
    terms = found.terms
    searched = (terms.id, terms.game, terms.host, found.status, terms.public, terms.rated, terms.created)
    stored = msgspec.json.encode(replace(found, scheduled=False))
    due = found.scheduled and (type(terms.clock) is not NoClock or not found.person_ids)
    return (*searched, found.scheduled, due, process, stored.decode())


def _rows(found: Sequence[Row]) -> list[MatchRow]:
    return [read_row(text, scheduled) for text, scheduled in found]
