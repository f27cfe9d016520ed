"""The store in SQL: SQLite in a file by default, PostgreSQL by URL."""

from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from typing import Any

from sqlalchemy import delete, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.storage.errors import StoreAway
from kemu.storage.migrate import migrate
from kemu.storage.postgres_journal import PostgresJournal
from kemu.storage.postgres_reader import TIMEOUT, PostgresReader
from kemu.storage.schema import processes
from kemu.storage.sql_matches import SqlMatches
from kemu.storage.sql_people import SqlPeople
from kemu.storage.sqlite_journal import SqliteJournal
from kemu.storage.store import Heard, Journal, News


class SqlStore:
    """Reading and people by SQLAlchemy, appends by the journal of the database."""

    def __init__(self, url: str) -> None:
        try:
            address = make_url(url)
        except ArgumentError:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {quote(url)}.") from None
        self.process = token_hex(8)
        self.shared = address.get_backend_name() == "postgresql"
        self.journal: Journal
        self.news: News
        self._engine: AsyncEngine
        self._parts: SqliteJournal | PostgresJournal
        self._reader: PostgresReader | None = None
        if self.shared:
            plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
            self._engine = create_async_engine(
                address.set(drivername="postgresql+asyncpg"),
                pool_pre_ping=True,
                connect_args={"timeout": TIMEOUT, "command_timeout": TIMEOUT},
            )
            self._reader = PostgresReader(plain)
            self.journal = self.news = self._parts = PostgresJournal(plain, self.process)
        elif address.get_backend_name() == "sqlite" and address.database:
            path = Path(address.database)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._engine = create_async_engine(address.set(drivername="sqlite+aiosqlite"))
            event.listen(self._engine.sync_engine, "connect", _careful)
            self.journal = self._parts = SqliteJournal(path, self.process)
            self.news = _NoNews()
        else:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {address.drivername}.")
        self.matches = SqlMatches(self._engine, self.process, self._reader)
        self.people = SqlPeople(self._engine)

    async def open(self) -> None:
        await migrate(self._engine)
        if isinstance(self._parts, SqliteJournal):  # whatever process was here before is gone
            async with self._engine.begin() as connection:
                await connection.execute(delete(processes))
        self._parts.open()
        if self._reader is not None:
            self._reader.open()

    async def close(self) -> None:
        await self._parts.close()
        if self._reader is not None:
            await self._reader.close()
        await self._engine.dispose()

    async def check(self) -> None:
        try:
            async with self._engine.connect() as connection:
                await connection.execute(text("SELECT 1"))
        except (SQLAlchemyError, OSError) as error:
            raise StoreAway(f"The database is away: {type(error).__name__}.") from None


class _NoNews:
    """One process on SQLite has nobody to tell."""

    def tell(self, text: str) -> None: ...

    def listen(self, saved: Callable[[str, int], None], heard: Heard) -> None: ...


def _careful(connection: Any, record: Any) -> None:
    """Every connection to SQLite waits for the journal's commits and is as durable."""
    for pragma in ("journal_mode = WAL", "synchronous = FULL", "busy_timeout = 30000", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}")
