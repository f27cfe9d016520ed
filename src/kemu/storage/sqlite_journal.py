"""Durable appends on SQLite: one thread commits whatever has queued up, so that one fsync serves many."""

import asyncio
import contextlib
import sqlite3
from asyncio import AbstractEventLoop, Future
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Final

import msgspec

from kemu.play.errors import StaleVersion
from kemu.storage.errors import StoreAway
from kemu.storage.journal import Write, columns, settle
from kemu.storage.store import Append, MatchRow

# One statement for all entries of a commit: Python's lock is let go and taken back once, not once for each.
_ENTRIES: Final = """
INSERT INTO entries (match, version, entry)
SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]') FROM json_each(?)"""
_ENTRY: Final = "INSERT INTO entries (match, version, entry) VALUES (?, ?, ?)"
_MATCH: Final = """
INSERT INTO matches (id, game, host, status, public, rated, created, tended, owner, row)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET status = excluded.status, tended = excluded.tended, row = excluded.row,
owner = CASE WHEN matches.tended THEN matches.owner ELSE excluded.owner END"""
_UNSEAT: Final = "DELETE FROM sitters WHERE match = ?"
_SEAT: Final = "INSERT INTO sitters (match, player) VALUES (?, ?)"

CHECKPOINT: Final = 8000
"""Pages of 4 KiB in the log before they go to their places; most are written again and again before."""


class SqliteJournal:
    """The one writer of a SQLite database."""

    def __init__(self, path: Path, process: str) -> None:
        self._path = path
        self._process = process
        self._queue: SimpleQueue[Write | None] = SimpleQueue()
        self._thread: Thread | None = None
        self._loop: AbstractEventLoop | None = None

    def open(self) -> None:
        """Start the thread."""
        self._loop = asyncio.get_running_loop()
        self._thread = Thread(target=self._run, name="journal")
        self._thread.start()

    async def close(self) -> None:
        """Commit what is queued and end the thread."""
        if self._thread is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        assert self._loop is not None, "a journal is open when it is written to"
        done: Future[None] = self._loop.create_future()
        self._queue.put(Write(appends, done))
        return done

    def _run(self) -> None:
        connection = connect(self._path)
        try:
            while (first := self._queue.get()) is not None:
                writes: list[Write] = [first]
                while not self._queue.empty():
                    write = self._queue.get()
                    if write is None:
                        self._queue.put(None)
                        break
                    writes.append(write)
                self._commit(connection, writes)
        finally:
            connection.close()

    def _commit(self, connection: sqlite3.Connection, writes: Sequence[Write]) -> None:
        """Make all of these safe together; if one of them is stale, each by itself."""
        assert self._loop is not None, "the thread starts with a loop"
        failures: list[Exception | None] = [None] * len(writes)
        try:
            self._transact(connection, writes)
        except sqlite3.IntegrityError:
            failures = [self._alone(connection, write) for write in writes]
        except Exception as error:  # whatever it is: the thread goes on, and nobody waits in vain
            failures = [StoreAway(f"The database cannot be written to: {error}.")] * len(writes)
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits for an answer
            self._loop.call_soon_threadsafe(settle, writes, failures)

    def _alone(self, connection: sqlite3.Connection, write: Write) -> Exception | None:
        try:
            self._transact(connection, [write])
        except sqlite3.IntegrityError:
            return StaleVersion("The match has gone on since.")
        except Exception as error:
            return StoreAway(f"The database cannot be written to: {error}.")
        return None

    def _transact(self, connection: sqlite3.Connection, writes: Sequence[Write]) -> None:
        appends = [append for write in writes for append in write.appends]
        connection.execute("BEGIN IMMEDIATE")
        try:
            if len(appends) == 1:
                match, version, entry, _ = appends[0]
                connection.execute(_ENTRY, (match, version, entry.decode()))
            else:
                texts = [(match, version, entry.decode()) for match, version, entry, _ in appends]
                connection.execute(_ENTRIES, (msgspec.json.encode(texts).decode(),))
            for append in appends:
                if append.row is not None:
                    self._keep(connection, append.row)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _keep(self, connection: sqlite3.Connection, row: MatchRow) -> None:
        match = row.terms.id
        connection.execute(_MATCH, columns(row, self._process))
        connection.execute(_UNSEAT, (match,))
        connection.executemany(_SEAT, [(match, player) for player in row.people])


def connect(path: Path) -> sqlite3.Connection:
    """A connection whose commits survive a loss of power."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=30)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT}")
    return connection
