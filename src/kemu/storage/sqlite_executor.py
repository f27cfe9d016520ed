"""Runs statements on SQLite: one thread writes and commits what has queued up together, a few threads read."""

import asyncio
import contextlib
import sqlite3
import threading
from asyncio import AbstractEventLoop, Future
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar

from kemu.storage.executor import (
    Row,
    StatementRefused,
    Transaction,
    UniqueViolation,
    Write,
    append_entries,
    commits,
    queue_write,
    settle,
    unavailable,
)
from kemu.storage.statements import Arguments, Statement, Statements
from kemu.storage.store import Append

T = TypeVar("T")

BUSY_SECONDS: Final = 30
"""How long a connection waits for a lock that another process holds."""

CHECKPOINT_PAGES: Final = 8000
"""Pages of 4 KiB in the write-ahead log before a checkpoint; most pages are written several times before that."""

READERS: Final = 4

_UNIQUE: Final = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


class _Task(NamedTuple):
    """A queued transaction and the future of its result."""

    transaction: Transaction[Any]
    done: "Future[Any]"


class SqliteExecutor:
    """An Executor for a SQLite database that only this process uses."""

    def __init__(self, path: Path, process: str) -> None:
        self.statements = Statements("sqlite")
        self._path = path
        self._process = process
        self._queue: SimpleQueue[Write | _Task | None] = SimpleQueue()
        self._writer: Thread | None = None
        self._readers = ThreadPoolExecutor(READERS, "sqlite-reader")
        self._reading = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._loop: AbstractEventLoop | None = None

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer = Thread(target=self._run, args=(_connect(self._path),), name="sqlite-writer")
        self._writer.start()

    async def close(self) -> None:
        if self._writer is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.shutdown)
        for connection in self._connections:
            connection.close()

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        return queue_write(appends, self._queue.put)

    async def transact(self, transaction: Transaction[T]) -> T:
        done: Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Task(transaction, done))
        return await done

    async def fetch(self, statement: Statement, arguments: Arguments) -> Sequence[Row]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._fetch, statement.text, statement.parameters(arguments))

    def _fetch(self, text: str, parameters: tuple[Any, ...]) -> list[Row]:
        """Run in one of the reading threads, each of which has a connection of its own."""
        connection: sqlite3.Connection | None = getattr(self._reading, "connection", None)
        try:
            if connection is None:
                connection = self._reading.connection = _connect(self._path)
                self._connections.append(connection)
            return connection.execute(text, parameters).fetchall()
        except sqlite3.OperationalError as error:
            raise unavailable(error) from error

    def _run(self, connection: sqlite3.Connection) -> None:
        """The writing thread: commit what has queued up until None comes."""
        with contextlib.closing(connection):
            while (first := self._queue.get()) is not None:
                queued = [first, *self._rest()]
                for commit in commits([one for one in queued if isinstance(one, Write)], self._settle):
                    try:
                        _transact(connection, append_entries(self.statements, self._process, commit.writes))
                    except (sqlite3.DataError, sqlite3.IntegrityError, ValueError) as error:
                        commit.failure = StatementRefused()
                        commit.failure.__cause__ = error
                    except Exception as error:  # whatever it is: the thread goes on, and those who wait are answered
                        commit.failure = error
                for task in queued:
                    if isinstance(task, _Task):
                        self._complete(connection, task)

    def _rest(self) -> Iterator[Write | _Task]:
        """What else is in the queue, up to None, which stays there."""
        while not self._queue.empty():
            item = self._queue.get()
            if item is None:
                self._queue.put(None)
                return
            yield item

    def _complete(self, connection: sqlite3.Connection, task: _Task) -> None:
        """Run a transaction in a commit of its own and complete its future."""
        result: Any = None
        failure: Exception | None = None
        try:
            result = _transact(connection, task.transaction)
        except sqlite3.OperationalError as error:
            failure = unavailable(error)
        except sqlite3.IntegrityError as error:
            failure = UniqueViolation() if error.sqlite_errorcode in _UNIQUE else error
        except Exception as error:  # raised by the transaction itself
            failure = error
        self._call(_finish, task.done, result, failure)

    def _settle(self, writes: Sequence[Write], failure: Exception | None) -> None:
        self._call(settle, writes, failure)

    def _call(self, function: Any, *arguments: Any) -> None:
        """Call a function in the event loop."""
        assert self._loop is not None, "the thread starts when there is a loop"
        with contextlib.suppress(RuntimeError):  # the loop was closed, and nobody waits
            self._loop.call_soon_threadsafe(function, *arguments)


def _finish(done: "Future[Any]", result: Any, failure: Exception | None) -> None:
    if done.cancelled():
        return
    if failure is None:
        done.set_result(result)
    else:
        done.set_exception(failure)


def _transact(connection: sqlite3.Connection, transaction: Transaction[T]) -> T:
    """Run and commit a transaction, or roll it back and raise."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = _steps(connection, transaction)
        connection.execute("COMMIT")
        return result
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _steps(connection: sqlite3.Connection, transaction: Transaction[T]) -> T:
    try:
        statement, arguments = next(transaction)
        while True:
            rows = connection.execute(statement.text, statement.parameters(arguments)).fetchall()
            statement, arguments = transaction.send(rows)
    except StopIteration as end:
        result: T = end.value
        return result


def _connect(path: Path) -> sqlite3.Connection:
    """A connection in autocommit mode whose commits survive a loss of power."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection
