"""Durable appends on PostgreSQL, and the news of them for the other processes.

Appends that come while a commit is under way go into the next one together. The same transaction announces them with
NOTIFY: match and version only, so that no secret ever travels on it.
"""

import asyncio
import logging
from asyncio import Future
from collections.abc import Callable, Sequence
from typing import Any, Final

import asyncpg

from kemu.play.errors import StaleVersion
from kemu.storage.errors import StoreAway
from kemu.storage.journal import Write, columns, settle
from kemu.storage.postgres_reader import TIMEOUT
from kemu.storage.store import Append, Heard, MatchRow

log = logging.getLogger(__name__)

CHANNEL: Final = "kemu"
BATCH: Final = 200
"""Appends in one notification, which may have 8000 bytes."""

RETRY: Final = 0.5
"""Seconds between attempts to reach a database that is away."""

AGAIN: Final = "again"
"""What a process hears from itself when it listens anew and may have missed something."""

_SAVED: Final = "saved"
_ENTRIES: Final = """
INSERT INTO entries (match, version, entry) SELECT * FROM unnest($1::text[], $2::int[], $3::text[])
ON CONFLICT DO NOTHING RETURNING match, version"""
_MATCH: Final = """
INSERT INTO matches (id, game, host, status, public, rated, created, tended, owner, row)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, tended = excluded.tended, row = excluded.row,
owner = CASE WHEN matches.tended THEN matches.owner ELSE excluded.owner END"""
_UNSEAT: Final = "DELETE FROM sitters WHERE match = $1"
_SEAT: Final = "INSERT INTO sitters (match, player) VALUES ($1, $2)"
_TELL: Final = "SELECT pg_notify($1, $2)"


class PostgresJournal:
    """One connection that writes and one that listens; both come back by themselves."""

    def __init__(self, url: str, process: str) -> None:
        self._url = url
        self._process = process
        self._writes: list[Write] = []
        self._texts: list[str] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []
        self._saved: Callable[[str, int], None] = lambda match, version: None
        self._heard: Heard = lambda process, text: None

    def open(self) -> None:
        """Start writing and listening."""
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._listen())]

    async def close(self) -> None:
        """Commit what is queued and end both connections."""
        self._closing = True
        self._wake.set()
        if self._tasks:
            writer, listener = self._tasks
            listener.cancel()
            await asyncio.gather(writer, listener, return_exceptions=True)

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._writes.append(Write(appends, done))
        self._wake.set()
        return done

    def tell(self, text: str) -> None:
        self._texts.append(text)
        self._wake.set()

    def listen(self, saved: Callable[[str, int], None], heard: Heard) -> None:
        self._saved, self._heard = saved, heard

    async def _run(self) -> None:
        """Commit whatever has queued up, again and again."""
        connection: Any = None
        while not self._closing or self._writes:
            await self._wake.wait()
            self._wake.clear()
            writes, self._writes = self._writes, []
            texts, self._texts = self._texts, []
            try:
                if connection is None or connection.is_closed():
                    connection = await asyncpg.connect(self._url, timeout=TIMEOUT, command_timeout=TIMEOUT)
                await self._commit(connection, writes, texts)
            except Exception as error:  # whatever it is: the writer goes on, and nobody waits in vain
                log.warning("commit failed", exc_info=error)
                away = StoreAway(f"The database is away: {type(error).__name__}.")
                settle(writes, [away] * len(writes))
                if connection is not None:
                    connection.terminate()
        if connection is not None and not connection.is_closed():
            await connection.close()

    async def _commit(self, connection: Any, writes: Sequence[Write], texts: Sequence[str]) -> None:
        """Make all of these safe together; if one of them is stale, each by itself."""
        failures: list[Exception | None] = [None] * len(writes)
        try:
            await self._transact(connection, writes, texts)
        except StaleVersion:
            for number, write in enumerate(writes):
                try:
                    await self._transact(connection, [write], ())
                except StaleVersion as stale:
                    failures[number] = stale
            await self._transact(connection, [], texts)
        settle(writes, failures)

    async def _transact(self, connection: Any, writes: Sequence[Write], texts: Sequence[str]) -> None:
        appends = [append for write in writes for append in write.appends]
        async with connection.transaction():
            if appends:
                matches, versions, entries, _ = zip(*appends, strict=True)
                kept = await connection.fetch(_ENTRIES, matches, versions, [entry.decode() for entry in entries])
                if len(kept) < len(appends):
                    raise StaleVersion("The match has gone on since.")
            for append in appends:
                if append.row is not None:
                    await self._keep(connection, append.row)
            for text in (*_announcements(appends), *texts):
                await connection.execute(_TELL, CHANNEL, f"{self._process} {text}")

    async def _keep(self, connection: Any, row: MatchRow) -> None:
        match = row.terms.id
        await connection.execute(_MATCH, *columns(row, self._process))
        await connection.execute(_UNSEAT, match)
        await connection.executemany(_SEAT, [(match, player) for player in row.people])

    async def _listen(self) -> None:
        """Hear what other processes saved and said; after a gap, say that anything may have happened."""
        while True:
            try:
                await self._listen_once()
            except Exception as error:
                log.warning("not listening", exc_info=error)
            await asyncio.sleep(RETRY)

    async def _listen_once(self) -> None:
        connection = await asyncpg.connect(self._url, timeout=TIMEOUT)
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        try:
            await connection.add_listener(CHANNEL, self._hear)
            self._heard(self._process, AGAIN)
            await lost.wait()
        finally:
            connection.terminate()

    def _hear(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        process, text = str(payload).split(" ", 1)
        if process == self._process:
            return
        if not text.startswith(_SAVED):
            self._heard(process, text)
            return
        for word in text.split()[1:]:
            match, version = word.split(":")
            self._saved(match, int(version))


def _announcements(appends: Sequence[Append]) -> list[str]:
    """What was saved, in as few texts as fit."""
    words = [f"{append.match}:{append.version}" for append in appends]
    return [" ".join((_SAVED, *words[start : start + BATCH])) for start in range(0, len(words), BATCH)]
