"""Runs statements on PostgreSQL and carries notifications between the processes that use it.

One connection writes: appends that arrive during a commit go into the next one together. The same transaction announces
them with NOTIFY, by match and version. One connection listens. A pool reads and runs the other transactions.
"""

import asyncio
import logging
from asyncio import Future
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

import asyncpg

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
from kemu.storage.store import Append, Appended, Received

log = logging.getLogger(__name__)

T = TypeVar("T")

CHANNEL: Final = "kemu"

ANNOUNCED: Final = 200
"""Appends in one notification, which PostgreSQL limits to 8000 bytes."""

TIMEOUT_SECONDS: Final = 5.0
"""How long a database that does not answer is waited for."""

RETRY_SECONDS: Final = 0.5
"""The pause before listening again after the connection was lost."""

READERS: Final = 8

_APPENDED: Final = "saved"
"""The first word of a notification of appends; processes of the version before understand it too."""

_PLANNER: Final = {"enable_hashjoin": "off", "enable_mergejoin": "off"}
"""All joins are lookups by key; without statistics of a new table PostgreSQL would read the whole table instead."""

_UNAVAILABLE: Final = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InsufficientResourcesError,
    asyncpg.InvalidTransactionStateError,  # the database is read-only
    asyncpg.ObjectNotInPrerequisiteStateError,  # the database accepts no connections
    asyncpg.OperatorInterventionError,
    asyncpg.PostgresConnectionError,
    asyncpg.TransactionRollbackError,
)
"""Errors of a database that cannot be reached, is stopping, or asks to try again."""


_REFUSED: Final = (
    ValueError,  # an argument that the driver cannot encode
    asyncpg.DataError,
    asyncpg.IntegrityConstraintViolationError,
    asyncpg.ProgramLimitExceededError,
)
"""Errors of one statement or its values, which another one need not have."""


class PostgresExecutor:
    """An Executor and Notifications for a PostgreSQL database that many processes may use."""

    def __init__(self, url: str, process: str) -> None:
        self.statements = Statements("postgresql")
        self._url = url
        self._process = process
        self._writes: list[Write] = []
        self._texts: list[str] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._tasks: list[asyncio.Task[None]] = []
        self._readers: Any = None
        self._writer: Any = None
        self._appended: Appended = lambda match, version: None
        self._received: Received = lambda process, text: None
        self._resumed: Callable[[], None] = lambda: None

    async def open(self) -> None:
        self._readers = await self._pool(READERS)
        self._writer = await self._pool(1)
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._listen())]

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._tasks:
            writer, listener = self._tasks
            listener.cancel()
            await asyncio.gather(writer, listener, return_exceptions=True)
        for pool in (self._readers, self._writer):
            if pool is not None:
                await pool.close()

    def write(self, appends: Sequence[Append]) -> "Future[None]":
        done = queue_write(appends, self._writes.append)
        self._wake.set()
        return done

    def publish(self, text: str) -> None:
        self._texts.append(text)
        self._wake.set()

    def subscribe(self, appended: Appended, received: Received, resumed: Callable[[], None]) -> None:
        self._appended, self._received, self._resumed = appended, received, resumed

    async def fetch(self, statement: Statement, arguments: Arguments) -> Sequence[Row]:
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                rows: Sequence[Row] = await self._readers.fetch(statement.text, *statement.parameters(arguments))
        except _REFUSED as error:
            raise StatementRefused from error
        except _UNAVAILABLE as error:
            raise unavailable(error) from error
        return rows

    async def transact(self, transaction: Transaction[T]) -> T:
        try:
            return await _transact(self._readers, transaction)
        except asyncpg.UniqueViolationError as error:
            raise UniqueViolation from error
        except _UNAVAILABLE as error:
            raise unavailable(error) from error

    async def _run(self) -> None:
        """Commit and publish what has queued up until the store is closed."""
        while not self._closing or self._writes:
            await self._wake.wait()
            self._wake.clear()
            writes, self._writes = self._writes, []
            texts, self._texts = self._texts, []
            for commit in commits(writes, settle):
                try:
                    await _transact(self._writer, self._append(commit.writes))
                except _REFUSED as error:
                    commit.failure = StatementRefused()
                    commit.failure.__cause__ = error
                except Exception as error:  # whatever it is: writing goes on, and those who wait are answered
                    commit.failure = error
            if texts:
                await self._publish(texts)

    def _append(self, writes: Sequence[Write]) -> Transaction[None]:
        yield from append_entries(self.statements, self._process, writes)
        yield self._notify(_announcements(append for write in writes for append in write.appends))

    def _notify(self, texts: Iterable[str]) -> tuple[Statement, Arguments]:
        return self.statements.notify, [(CHANNEL, f"{self._process} {text}") for text in texts]

    async def _publish(self, texts: Sequence[str]) -> None:
        statement, arguments = self._notify(texts)
        try:
            await self._writer.fetch(statement.text, *statement.parameters(arguments))
        except Exception as error:
            log.warning("publishing failed", exc_info=error)

    async def _listen(self) -> None:
        """Receive notifications, and connect again whenever the connection is lost."""
        while True:
            try:
                await self._listen_once()
            except Exception as error:
                log.warning("not listening", exc_info=error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen_once(self) -> None:
        connection = await asyncpg.connect(self._url, timeout=TIMEOUT_SECONDS)
        lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        try:
            await connection.add_listener(CHANNEL, self._notified)
            self._resumed()
            await lost.wait()
        finally:
            connection.terminate()

    def _notified(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        """Pass a notification of another process on."""
        process, text = str(payload).split(" ", 1)
        if process == self._process:
            return
        word, *appends = text.split(" ")
        if word != _APPENDED:
            self._received(process, text)
            return
        for append in appends:
            match, version = append.split(":")
            self._appended(match, int(version))

    async def _pool(self, size: int) -> Any:
        return await asyncpg.create_pool(
            self._url,
            min_size=0,
            max_size=size,
            reset=_keep_session,
            timeout=TIMEOUT_SECONDS,
            command_timeout=TIMEOUT_SECONDS,
            server_settings=_PLANNER,
        )


async def _keep_session(connection: Any) -> None:
    """Replace asyncpg's reset of a connection that goes back to the pool, a round trip that we have no use for."""


async def _transact(pool: Any, transaction: Transaction[T]) -> T:
    """Run and commit a transaction on a connection of a pool, or roll it back and raise."""
    async with pool.acquire() as connection, connection.transaction():
        try:
            statement, arguments = next(transaction)
            while True:
                rows = await connection.fetch(statement.text, *statement.parameters(arguments))
                statement, arguments = transaction.send(rows)
        except StopIteration as end:
            result: T = end.value
            return result


def _announcements(appends: Iterable[Append]) -> list[str]:
    """Texts that name match and version of each append."""
    words = [f"{append.match}:{append.version}" for append in appends]
    return [" ".join((_APPENDED, *words[start : start + ANNOUNCED])) for start in range(0, len(words), ANNOUNCED)]
