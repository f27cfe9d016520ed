"""The journal: an append-only list of entries for each document, a match or a study.

The number of an entry is the version of its document after it. An append names its version. The journal refuses it
unless the document is at the version before, so any number of processes can serve one document and versions have no
gaps. Appends that arrive while a commit is under way are committed together.
"""

import asyncio
import logging
from asyncio import Future
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import select

from kemu.people.turns import Turn
from kemu.play.errors import StaleVersion
from kemu.storage.challenges import take_challenges
from kemu.storage.database import Database, Transaction, complete, unavailable
from kemu.storage.matches import MatchRow, save_matches
from kemu.storage.ratings import RatedMatch, save_ratings
from kemu.storage.schema import entries
from kemu.storage.statements import INTEGER, TEXT, Compiler, on_rows
from kemu.storage.tournaments import TournamentSave, save_tournaments
from kemu.storage.turns import save_turns

log = logging.getLogger(__name__)

STALE: Final = "The match has gone on since."
"""The sentence of a StaleVersion that the journal raises."""


class Append(NamedTuple):
    """One entry to be saved as this version of a match or study, and the row of the match if that changes.

    If the entry ends a rated match, `rating` is saved in the same transaction, and so is `turn` if the match waits for
    somebody else or for longer. A match whose row changes without it is one of which this is not known. A new match
    takes the challenges that it comes from; it is saved only if all of them are open. An entry of a tournament comes
    with what is searched for of it.
    """

    match: str
    version: int
    entry: bytes
    row: MatchRow | None = None
    rating: RatedMatch | None = None
    turn: Turn | None = None
    challenges: Sequence[str] = ()
    tournament: TournamentSave | None = None


class Write(NamedTuple):
    """Queued appends, the version that each of their documents must have, and the future that tells of their commit."""

    appends: Sequence[Append]
    expected: dict[str, int]
    done: "Future[None]"


Settle: TypeAlias = Callable[[Sequence[Write], Exception | None], None]


@on_rows({"match": TEXT, "expected": INTEGER, "version": INTEGER, "entry": TEXT})
def _insert_entries(sql: Compiler, given: Any) -> Any:
    """Insert entries of documents whose expected version exists. Gives match and version of those inserted.

    An entry whose version exists is not inserted, and version 1 expects 0, which no entry has.
    """
    before = entries.alias("before")
    previous = (before.c.match == given.c.match) & (before.c.version == given.c.expected)
    chosen = select(given.c.match, given.c.version, given.c.entry).join_from(given, before, previous, isouter=True)
    chosen = chosen.where((given.c.expected == 0) | before.c.version.is_not(None))
    inserted = sql.insert(entries, chosen).on_conflict_do_nothing()
    return inserted.returning(entries.c.match, entries.c.version)


@on_rows({"match": TEXT, "after": INTEGER})
def _entries_after(sql: Compiler, given: Any) -> Any:
    """Look up by document and version: entry; by version."""
    newer = (entries.c.match == given.c.match) & (entries.c.version > given.c.after)
    chosen = select(given.c.number, entries.c.entry).join_from(given, entries, newer)
    return chosen.order_by(given.c.number, entries.c.version)


class StoreJournal:
    """Saves and reads the entries of all documents."""

    def __init__(self, database: Database, queue: Callable[[Write], None]) -> None:
        self._database = database
        self._queue = queue

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        """Save all of these or none. The future is done when they are durable.

        It fails with StaleVersion if a document is not at the version before, and with StoreUnavailable if the
        database failed; then it is not known whether they were saved.
        """
        done: Future[None] = asyncio.get_running_loop().create_future()
        expected = _expected_versions(appends)
        if expected is None:
            done.set_exception(StaleVersion(STALE))
        else:
            self._queue(Write(appends, expected, done))
        return done

    async def entries(self, document: str, after: int) -> list[bytes]:
        """Return the entries of a match or study after a version. Raises StoreUnavailable."""
        return [text.encode() for (text,) in await self._database.find(_entries_after, document, after)]


def _expected_versions(appends: Sequence[Append]) -> dict[str, int] | None:
    """Return the version that each document must have for these appends; None if versions do not follow each other."""
    expected: dict[str, int] = {}
    latest: dict[str, int] = {}
    for match, version, *_ in appends:
        if latest.get(match, version - 1) != version - 1:
            return None
        expected.setdefault(match, version - 1)
        latest[match] = version
    return expected


# Group commit.


def settle(writes: Sequence[Write], failure: Exception | None) -> None:
    """Complete the futures of writes that were committed, or that failed."""
    for write in writes:
        complete(write.done, None, failure)


class StaleDocuments(Exception):
    """Raised when some documents of a commit are not at the expected version."""

    def __init__(self, documents: frozenset[str]) -> None:
        super().__init__(f"{len(documents)} documents have gone on.")
        self.documents = documents


@dataclass
class Commit:
    """Writes to be committed in one transaction; the runner sets `failure` if it was not committed."""

    writes: Sequence[Write]
    failure: Exception | None = None


def commits(writes: Sequence[Write], answer: Settle, refusals: tuple[type[Exception], ...]) -> Iterator[Commit]:
    """Divide queued writes into commits, and answer them by what became of each commit.

    A document is in a commit once. Stale writes fail, and the others of their commit go into the next. When the
    database refuses a commit with one of `refusals`, its writes are committed one by one, so that one bad write fails
    alone.
    """
    alone = False
    while writes:
        first: list[Write] = []
        later: list[Write] = []
        used: set[str] = set()
        for write in writes:
            blocked = not used.isdisjoint(write.expected) or (alone and bool(first))
            (later if blocked else first).append(write)
            used.update(write.expected)
        commit = Commit(first)
        yield commit
        if isinstance(commit.failure, StaleDocuments):
            stale = commit.failure.documents
            answer([write for write in first if not stale.isdisjoint(write.expected)], StaleVersion(STALE))
            later = [write for write in first if stale.isdisjoint(write.expected)] + later
        elif isinstance(commit.failure, refusals) and len(first) > 1:
            alone, later = True, [*first, *later]
        elif commit.failure is not None:
            log.warning("commit failed", exc_info=commit.failure)
            answer(first, unavailable(commit.failure))
        else:
            answer(first, None)
        writes = later


def append_entries(process: str, writes: Sequence[Write]) -> Transaction[None]:
    """Insert the entries of writes and save the rows of their matches. Raises StaleDocuments.

    All processes insert in the order of the ids, so they never wait for each other in a circle.
    """
    given = [
        (match, write.expected[match], version, entry.decode())
        for write in writes
        for match, version, entry, *_ in write.appends
    ]
    given.sort(key=itemgetter(0))
    inserted = yield _insert_entries, given
    if len(inserted) < len(given):
        missing = {(match, version) for match, _, version, _ in given}.difference(map(tuple, inserted))
        raise StaleDocuments(frozenset(match for match, _ in missing))
    appends = [append for write in writes for append in write.appends]
    rows = {append.match: append.row for append in appends if append.row is not None}
    taken = [
        (challenge, append.match, append.row.terms.created)
        for append in appends
        if append.row is not None
        for challenge in append.challenges
    ]
    if taken and (refused := (yield from take_challenges(taken))):
        raise StaleDocuments(frozenset(refused))
    ratings = {append.match: append.rating for append in appends if append.rating is not None}
    if ratings:
        yield from save_ratings([ratings[match] for match in sorted(ratings)])
    if rows:
        known = sorted({match for match, expected, _, _ in given if expected and match in rows})
        yield from save_matches(rows, known, ratings, process)
    yield from save_tournaments([append.tournament for append in appends if append.tournament is not None])
    yield from save_turns({append.match: append.turn for append in appends if append.turn is not None})
