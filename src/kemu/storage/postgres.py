"""PostgreSQL, and the notifications that it carries between the processes that use it.

One connection writes: appends that arrive during a commit go into the next one together. The same transaction announces
them with NOTIFY, by document and version. One connection listens. A pool reads and runs the other transactions.
"""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from typing import Any, Final, TypeVar

import asyncpg
from sqlalchemy import func, select

from kemu.storage.database import (
    Database,
    Notifications,
    Row,
    StatementRefused,
    Transaction,
    UniqueViolation,
    unavailable,
)
from kemu.storage.errors import StoreUnavailable
from kemu.storage.journal import Append, Write, append_entries, commits, settle
from kemu.storage.migrations import migration_script
from kemu.storage.statements import TEXT, Arguments, CompiledStatement, Compiler, on_rows

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

MIGRATION_LOCK: Final = 0x6B656D75
"""The key of the advisory lock under which one process migrates while the others wait."""

_APPENDED: Final = "saved"
"""The first word of a notification of appends; processes of the version before understand it too."""

_SESSION: Final = {"enable_hashjoin": "off", "enable_mergejoin": "off", "statement_timeout": "10s"}
"""All joins are lookups by key; without statistics of a new table PostgreSQL would read the whole table instead.

A statement that nobody waits for any more, such as that of a process that was killed, ends by itself.
"""

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


@on_rows({"channel": TEXT, "text": TEXT})
def _send(sql: Compiler, given: Any) -> Any:
    """Send texts on a channel."""
    return select(func.pg_notify(given.c.channel, given.c.text))


class PostgresDatabase(Database, Notifications):
    """A PostgreSQL database that many processes may use."""

    def __init__(self, url: str) -> None:
        Database.__init__(self, "postgresql")
        Notifications.__init__(self)
        self._url = url
        self._writes: list[Write] = []
        self._texts: list[str] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._loops: list[asyncio.Task[None]] = []
        self._readers: Any = None
        self._writer: Any = None

    async def open(self) -> None:
        await self._migrate()
        self._readers = await self._pool(READERS)
        self._writer = await self._pool(1)
        self._loops = [asyncio.create_task(self._run()), asyncio.create_task(self._listen())]

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._loops:
            writer, listener = self._loops
            listener.cancel()
            await asyncio.gather(writer, listener, return_exceptions=True)
        for pool in (self._readers, self._writer):
            if pool is not None:
                await pool.close()

    def queue(self, write: Write) -> None:
        """Commit appends together with what else has queued up."""
        self._writes.append(write)
        self._wake.set()

    def publish(self, text: str) -> None:
        self._texts.append(text)
        self._wake.set()

    async def query(self, statement: CompiledStatement, arguments: Arguments) -> Sequence[Row]:
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
            return await self._transact(self._readers, transaction)
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
            for commit in commits(writes, settle, _REFUSED):
                try:
                    await self._transact(self._writer, self._append(commit.writes))
                except Exception as error:  # whatever it is: writing continues, and those who wait are answered
                    commit.failure = error
            if texts:
                await self._publish(texts)

    def _append(self, writes: Sequence[Write]) -> Transaction[None]:
        yield from append_entries(self.process, writes)
        yield from self._notify(_announcements(append for write in writes for append in write.appends))

    def _notify(self, texts: Sequence[str]) -> Transaction[None]:
        yield _send, [(CHANNEL, f"{self.process} {text}") for text in texts]

    async def _publish(self, texts: Sequence[str]) -> None:
        try:
            await self._transact(self._writer, self._notify(texts))
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
            for resumed in self.on_resume:
                resumed()
            await lost.wait()
        finally:
            connection.terminate()

    def _notified(self, connection: Any, pid: int, channel: str, payload: object) -> None:
        """Pass a notification of another process on."""
        process, text = str(payload).split(" ", 1)
        if process == self.process:
            return
        word, *appends = text.split(" ")
        if word != _APPENDED:
            if word in self.on_text:  # else it is of a newer version
                self.on_text[word](process, text)
            return
        for append in appends:
            match, version = append.split(":")
            for appended in self.on_append:
                appended(match, int(version))

    async def _transact(self, pool: Any, transaction: Transaction[T]) -> T:
        """Run and commit a transaction on a connection of a pool, or roll it back and raise."""
        async with pool.acquire() as connection, connection.transaction():
            try:
                statement, arguments = next(transaction)
                while True:
                    compiled = self.compile(statement)
                    rows = await connection.fetch(compiled.text, *compiled.parameters(arguments))
                    statement, arguments = transaction.send(rows)
            except StopIteration as end:
                result: T = end.value
                return result

    async def _migrate(self) -> None:
        """Run the migrations that the database lacks. Raises StoreUnavailable, OptionError."""
        try:
            connection = await asyncpg.connect(self._url)
            try:
                async with connection.transaction():
                    await connection.execute("SELECT pg_advisory_xact_lock($1)", MIGRATION_LOCK)
                    known = await connection.fetchval("SELECT to_regclass('alembic_version')")
                    revision = await connection.fetchval("SELECT version_num FROM alembic_version") if known else None
                    if script := migration_script("postgresql", revision):
                        await connection.execute(script)
            finally:
                await connection.close()
        except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            reason = str(error).partition("\n")[0].rstrip(".") or type(error).__name__
            raise StoreUnavailable(f"The database cannot be opened: {reason}.") from error

    async def _pool(self, size: int) -> Any:
        return await asyncpg.create_pool(
            self._url,
            min_size=0,
            max_size=size,
            reset=_keep_session,
            timeout=TIMEOUT_SECONDS,
            command_timeout=TIMEOUT_SECONDS,
            server_settings=_SESSION,
        )


async def _keep_session(connection: Any) -> None:
    """Replace asyncpg's reset of a connection that goes back to the pool, a round trip that we have no use for."""


def _announcements(appends: Iterable[Append]) -> list[str]:
    """Return texts that name document and version of each append."""
    words = [f"{append.match}:{append.version}" for append in appends]
    return [" ".join((_APPENDED, *words[start : start + ANNOUNCED])) for start in range(0, len(words), ANNOUNCED)]
