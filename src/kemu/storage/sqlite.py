"""SQLite: one thread writes and commits what has queued up together, a few threads read.

The file of a database is for its owner alone, for it holds digests of secrets and all hands.
"""

import asyncio
import contextlib
import logging
import os
import sqlite3
import threading
from asyncio import AbstractEventLoop, Future
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Final, NamedTuple, TypeVar

from kemu.core.errors import OptionError
from kemu.storage.database import Database, Row, Transaction, UniqueViolation, complete, unavailable
from kemu.storage.errors import StoreUnavailable
from kemu.storage.journal import Write, append_entries, commits, settle
from kemu.storage.migrations import migration_script
from kemu.storage.statements import Arguments, CompiledStatement

T = TypeVar("T")

log = logging.getLogger(__name__)

BUSY_SECONDS: Final = 30
"""How long a connection waits for a lock that another process holds."""

CHECKPOINT_PAGES: Final = 8000
"""Pages of 4 KiB in the write-ahead log before a checkpoint; most pages are written several times before that."""

READERS: Final = 4

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700

_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files that SQLite keeps beside a database; it gives new ones the mode of the database."""

_REFUSED: Final = (sqlite3.DataError, sqlite3.IntegrityError, ValueError)
"""Errors of one statement or its values, which another one need not have."""

_DAMAGED: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_UNIQUE: Final = (sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY)


class _Task(NamedTuple):
    """A queued transaction and the future of its result."""

    transaction: Transaction[Any]
    done: "Future[Any]"


class SqliteDatabase(Database):
    """A SQLite database that only this process uses."""

    def __init__(self, path: Path) -> None:
        super().__init__("sqlite")
        self._path = path
        self._queue: SimpleQueue[Write | _Task | None] = SimpleQueue()
        self._writer: Thread | None = None
        self._readers = ThreadPoolExecutor(READERS, "sqlite-reader")
        self._reading = threading.local()
        self._connections: list[sqlite3.Connection] = []
        self._loop: AbstractEventLoop | None = None
        self._inode = 0
        self._damaged = False

    async def open(self) -> None:
        self._loop = asyncio.get_running_loop()
        connection = await asyncio.to_thread(_open, self._path)
        self._inode = self._path.stat().st_ino
        self._writer = Thread(target=self._run, args=(connection,), name="sqlite-writer")
        self._writer.start()

    async def close(self) -> None:
        if self._writer is not None:
            self._queue.put(None)
            await asyncio.to_thread(self._writer.join)
        await asyncio.to_thread(self._readers.shutdown)
        for connection in self._connections:
            connection.close()

    def queue(self, write: Write) -> None:
        """Commit appends together with what else has queued up."""
        self._queue.put(write)

    async def transact(self, transaction: Transaction[T]) -> T:
        done: Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put(_Task(transaction, done))
        return await done

    async def query(self, statement: CompiledStatement, arguments: Arguments) -> Sequence[Row]:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._readers, self._read, statement.text, statement.parameters(arguments))

    def _read(self, text: str, parameters: tuple[Any, ...]) -> list[Row]:
        """Run in one of the reading threads, each of which has a connection of its own."""
        connection: sqlite3.Connection | None = getattr(self._reading, "connection", None)
        try:
            if connection is None:
                connection = self._reading.connection = _connect(self._path)
                self._connections.append(connection)
            return connection.execute(text, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            raise self._failure(error) from error

    def _run(self, connection: sqlite3.Connection) -> None:
        """Commit what has queued up until None comes; the work of the writing thread."""
        with contextlib.closing(connection):
            while (first := self._queue.get()) is not None:
                queued = [first, *self._rest()]
                writes = [one for one in queued if isinstance(one, Write)]
                for commit in commits(writes, self._settle, _REFUSED):
                    try:
                        self._commit(connection, append_entries(self.process, commit.writes))
                    except sqlite3.DatabaseError as error:
                        self._failure(error)
                        commit.failure = error
                    except Exception as error:  # whatever it is: the thread continues, and those who wait are answered
                        commit.failure = error
                for task in queued:
                    if isinstance(task, _Task):
                        self._complete(connection, task)

    def _rest(self) -> Iterator[Write | _Task]:
        """Give what else is in the queue, up to None, which stays there."""
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
            result = self._commit(connection, task.transaction)
        except sqlite3.DatabaseError as error:
            failure = self._failure(error)
        except Exception as error:  # raised by the transaction itself
            failure = error
        self._call(complete, task.done, result, failure)

    @property
    def intact(self) -> bool:
        """Whether the file is still where it was opened, and nothing was found damaged in it."""
        try:
            return not self._damaged and self._path.stat().st_ino == self._inode
        except OSError:
            return False

    def _failure(self, error: sqlite3.DatabaseError) -> Exception:
        """Return what to raise instead of an error of the driver; one of a statement or its values stays."""
        if isinstance(error, sqlite3.IntegrityError) and error.sqlite_errorcode in _UNIQUE:
            return UniqueViolation()
        if isinstance(error, _REFUSED):
            return error
        self._damaged |= getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGED
        return unavailable(error)

    def _commit(self, connection: sqlite3.Connection, transaction: Transaction[T]) -> T:
        """Run and commit a transaction, or roll it back and raise."""
        connection.execute("BEGIN IMMEDIATE")
        try:
            result = self._steps(connection, transaction)
            connection.execute("COMMIT")
            return result
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def _steps(self, connection: sqlite3.Connection, transaction: Transaction[T]) -> T:
        try:
            statement, arguments = next(transaction)
            while True:
                compiled = self.compile(statement)
                rows = connection.execute(compiled.text, compiled.parameters(arguments)).fetchall()
                statement, arguments = transaction.send(rows)
        except StopIteration as end:
            result: T = end.value
            return result

    def _settle(self, writes: Sequence[Write], failure: Exception | None) -> None:
        self._call(settle, writes, failure)

    def _call(self, function: Any, *arguments: Any) -> None:
        """Call a function in the event loop."""
        assert self._loop is not None, "the thread starts when there is a loop"
        with contextlib.suppress(RuntimeError):  # the loop was closed, and nobody waits
            self._loop.call_soon_threadsafe(function, *arguments)


def _connect(path: Path) -> sqlite3.Connection:
    """Return a connection in autocommit mode whose commits survive a loss of power."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_SECONDS)
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        f"wal_autocheckpoint = {CHECKPOINT_PAGES}",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def _open(path: Path) -> sqlite3.Connection:
    """Connect and run the migrations that the database lacks. Raises StoreUnavailable, OptionError."""
    _make_private(path)
    with contextlib.ExitStack() as stack:
        try:
            connection = stack.enter_context(contextlib.closing(_connect(path)))
            known = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
            found = connection.execute("SELECT version_num FROM alembic_version").fetchone() if known else None
            if script := migration_script("sqlite", found[0] if found else None):
                connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nCOMMIT;")
        except sqlite3.Error as error:
            raise StoreUnavailable(f"The database cannot be opened: {error}.") from error
        stack.pop_all()
    return connection


def _make_private(path: Path) -> None:
    """Create a database file and its folder for their owner alone, or take the rights of others from files that exist.

    A folder that exists stays as it is: it may hold other things. Windows has other means, which the user's folder has.
    """
    if not path.parent.exists():
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if os.name != "posix":
        return
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE))
    for end in _BESIDE:
        file = path.with_name(path.name + end)
        if file.exists() and file.stat().st_mode & 0o077:
            file.chmod(FILE_MODE)
            log.warning("others could read the database; now only its owner can", extra={"reason": f"file{end}"})


def lock_file(path: Path) -> sqlite3.Connection:
    """Lock a database for one server until the connection is closed or the process ends. Raises OptionError.

    The lock is an exclusive transaction on an empty database beside it: SQLite knows how to lock files on every system,
    the system releases the lock when the process dies, and others can still read the database itself.
    """
    beside = path.with_name(f"{path.name}.lock")
    beside.touch(mode=FILE_MODE)
    connection = sqlite3.connect(beside, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        connection.close()
        raise OptionError(f"Another Kemu server uses {path}; stop it, or give another --database.") from None
    return connection


def backup_file(source: Path, copy: Path) -> None:
    """Copy a database that may be in use, as it is at one moment; the copy appears when it is complete.

    Raises OptionError if there is no database, and StoreUnavailable if it cannot be read or the copy not be written.
    """
    if not source.is_file():
        raise OptionError(f"There is no database {source}.")
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=FILE_MODE)
    try:
        with contextlib.closing(sqlite3.connect(source)) as given, contextlib.closing(sqlite3.connect(part)) as made:
            given.backup(made)  # in one step: one of several begins anew whenever another process has written
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise StoreUnavailable(f"{source} cannot be copied: {error}.") from None
    part.replace(copy)
