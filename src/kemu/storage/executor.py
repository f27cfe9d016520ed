"""What the executors for SQLite and PostgreSQL have in common.

A transaction is a generator: it yields a statement with its arguments, is sent the rows, and returns its result. It
does no input or output, so that the thread of SQLite and the event loop of PostgreSQL run the same one.
"""

import asyncio
import logging
import re
from asyncio import Future
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from kemu.play.errors import StaleVersion
from kemu.storage.errors import StoreUnavailable
from kemu.storage.rows import MatchRow, RatingRow
from kemu.storage.statements import Arguments, Statement, Statements
from kemu.storage.store import STALE, Append, Rating, StoreJournal, expected_versions

log = logging.getLogger(__name__)

T = TypeVar("T")
Row: TypeAlias = Sequence[Any]
Transaction: TypeAlias = Generator[tuple[Statement, Arguments], Sequence[Row], T]


_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class UniqueViolation(Exception):
    """A unique column has the value already."""


class StatementRefused(Exception):
    """The database answers, but does not accept a statement or its values."""


def storable(*values: str | None) -> bool:
    """Whether a database can hold these texts; no row has one that it cannot hold."""
    return all(value is None or ("\0" not in value and not _SURROGATE.search(value)) for value in values)


class Executor(StoreJournal, Protocol):
    """Runs statements on one database. Its methods raise StoreUnavailable when the database fails."""

    @property
    def statements(self) -> Statements:
        """The statements for this database."""

    async def open(self) -> None:
        """Connect to a database that has all migrations."""

    async def close(self) -> None:
        """Commit what is queued and disconnect."""

    async def fetch(self, statement: Statement, arguments: Arguments) -> Sequence[Row]:
        """The rows of a statement that reads."""

    async def transact(self, transaction: Transaction[T]) -> T:
        """Run and commit a transaction; returns its result. Nothing is saved if it raises. Raises UniqueViolation."""


# Group commit.


class Write(NamedTuple):
    """Queued appends, the version that each of their matches must have, and the future of who waits for them."""

    appends: Sequence[Append]
    expected: dict[str, int]
    done: "Future[None]"


Settle: TypeAlias = Callable[[Sequence[Write], Exception | None], None]


def queue_write(appends: Sequence[Append], queue: Callable[[Write], None]) -> "Future[None]":
    """Put appends into a queue and return the future of their commit; it has failed if their versions have a gap."""
    done: Future[None] = asyncio.get_running_loop().create_future()
    expected = expected_versions(appends)
    if expected is None:
        done.set_exception(StaleVersion(STALE))
    else:
        queue(Write(appends, expected, done))
    return done


def settle(writes: Sequence[Write], failure: Exception | None) -> None:
    """Complete the futures of writes that were committed, or that failed."""
    for write in writes:
        if write.done.cancelled():
            continue
        if failure is None:
            write.done.set_result(None)
        else:
            write.done.set_exception(failure)


class StaleMatches(Exception):
    """Some matches of a commit were not at the expected version."""

    def __init__(self, matches: frozenset[str]) -> None:
        super().__init__(f"{len(matches)} matches have gone on.")
        self.matches = matches


class Commit:
    """Writes to be committed in one transaction; who runs it sets `failure` if it was not committed."""

    def __init__(self, writes: Sequence[Write]) -> None:
        self.writes = writes
        self.failure: Exception | None = None


def commits(writes: Sequence[Write], answer: Settle) -> Iterator[Commit]:
    """Divide queued writes into commits, and answer them by what became of each commit.

    A match is in a commit once. Stale writes fail, and the others of their commit go into the next. When the database
    refuses a commit, its writes are committed one by one, so that one bad write fails alone.
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
        if isinstance(commit.failure, StaleMatches):
            stale = commit.failure.matches
            answer([write for write in first if not stale.isdisjoint(write.expected)], StaleVersion(STALE))
            later = [write for write in first if stale.isdisjoint(write.expected)] + later
        elif isinstance(commit.failure, StatementRefused) and len(first) > 1:
            alone, later = True, [*first, *later]
        elif commit.failure is not None:
            log.warning("commit failed", exc_info=commit.failure)
            answer(first, unavailable(commit.failure))
        else:
            answer(first, None)
        writes = later


def append_entries(statements: Statements, process: str, writes: Sequence[Write]) -> Transaction[None]:
    """Insert the entries of writes and save the rows of their matches. Raises StaleMatches.

    All processes insert in the order of the match ids, so that they never wait for each other in a circle.
    """
    given = [
        (match, write.expected[match], version, entry.decode())
        for write in writes
        for match, version, entry, *_ in write.appends
    ]
    given.sort(key=itemgetter(0))
    inserted = yield statements.insert_entries, given
    if len(inserted) < len(given):
        missing = {(match, version) for match, _, version, _ in given}.difference(map(tuple, inserted))
        raise StaleMatches(frozenset(match for match, _ in missing))
    rows = {match: row for write in writes for match, _, _, row, _ in write.appends if row is not None}
    if not rows:
        return
    ratings = {append.match: append.rating for write in writes for append in write.appends if append.rating is not None}
    if ratings:
        yield from save_ratings(statements, ratings)
    yield statements.upsert_matches, [_match_values(rows[match], process) for match in sorted(rows)]
    if changed := sorted({(match,) for match, expected, _, _ in given if expected and match in rows}):
        yield statements.delete_sitters, changed
    if sitters := [(match, player) for match in sorted(rows) for player in sorted(rows[match].person_ids)]:
        yield statements.insert_sitters, sitters


def save_ratings(statements: Statements, rated: Mapping[str, Rating]) -> Transaction[int]:
    """Save how matches, by id, change the ratings; those that were rated before change none. Returns how many did.

    The players and their ratings are locked in one order, so that processes never wait for each other in a circle.
    """
    new: list[Rating] = []
    for match, rating in sorted(rated.items()):
        if (yield statements.mark_rated, {"match": match}):
            new.append(rating)
    places = sorted({(player, rating.game) for rating in new for player in rating.players})
    if not places:
        return len(new)
    yield statements.lock_players, [(player,) for player in sorted({player for player, _ in places})]
    found = yield statements.lock_ratings, places
    known = {(row.player, row.game): row for row in (RatingRow(*values) for values in found)}
    changed: dict[tuple[str, str], RatingRow] = {}
    for rating in new:
        before = {player: known[player, rating.game] for player in rating.players if (player, rating.game) in known}
        after = {(row.player, row.game): row for row in rating.update(before)}
        known |= after
        changed |= after
    if changed:
        rows = [changed[place] for place in sorted(changed)]
        yield statements.upsert_ratings, [(row.player, row.game, row.mu, row.sigma, row.matches) for row in rows]
    return len(new)


def _match_values(row: MatchRow, process: str) -> tuple[Any, ...]:
    """A row of the list of `Statements.upsert_matches`."""
    terms = row.terms
    searched = (terms.id, terms.game, terms.host, row.status, terms.public, terms.rated, terms.created)
    return (*searched, row.scheduled, process, row.encode())


def unavailable(error: Exception) -> StoreUnavailable:
    """The error that is raised instead of one of a database driver."""
    return StoreUnavailable(f"The database is unavailable: {type(error).__name__}.")


# Lookups.


_Waiting: TypeAlias = tuple[tuple[Any, ...], "Future[list[Row]]"]
"""A key, and the future of its rows."""


class Lookups:
    """Runs the lookups among the statements. Keys asked for while a query runs share the next query."""

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._waiting: dict[Statement, list[_Waiting]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def find(self, statement: Statement, *key: Any) -> list[Row]:
        """The rows for one key, without their number. Raises StoreUnavailable."""
        if not storable(*(part for part in key if isinstance(part, str))):
            return []
        loop = asyncio.get_running_loop()
        found: Future[list[Row]] = loop.create_future()
        waiting = self._waiting.get(statement)
        if waiting is None:
            self._waiting[statement] = [(key, found)]
            task = loop.create_task(self._run(statement))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            waiting.append((key, found))
        return await found

    async def _run(self, statement: Statement) -> None:
        """Query until nobody waits."""
        try:
            while waiting := self._waiting[statement]:
                self._waiting[statement] = []
                await self._query(statement, waiting)
        finally:
            del self._waiting[statement]

    async def _query(self, statement: Statement, waiting: Sequence[_Waiting]) -> None:
        answers: list[list[Row]] = [[] for _ in waiting]
        try:
            for row in await self._executor.fetch(statement, [key for key, _ in waiting]):
                answers[row[0]].append(row[1:])
        except Exception as error:  # those who wait get it, or ask again one by one if one of them may be the cause
            if len(waiting) > 1 and not isinstance(error, StoreUnavailable):
                for each in waiting:
                    await self._query(statement, [each])
                return
            for _, found in waiting:
                if not found.done():
                    found.set_exception(error)
            return
        for (_, found), answer in zip(waiting, answers, strict=True):
            if not found.done():
                found.set_result(answer)
