"""The leaves of a piece of work and their results, in a database that survives every process that works on them.

A leaf is open until its result is stored, so that a kill of any process loses no more than the leaves in work.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any, Final, NamedTuple

import asyncpg
import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine
from sqlalchemy.schema import CreateTable

from kemu.cluster.errors import LeavesUnavailable
from kemu.core.errors import OptionError

_LEAVES: Final = sa.Table(
    "leaves",
    sa.MetaData(),
    sa.Column("work", sa.Text, primary_key=True),
    sa.Column("leaf", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Float),  # null as long as the leaf is open
    sa.Column("result", sa.Text),  # null if nothing was found
)
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
_INSERTS: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class Progress(NamedTuple):
    """How far a piece of work has come."""

    found: int
    failed: int
    left: int
    seconds: float  # spent on the leaves that are done, added up over all workers


class LeafStore:
    """The leaves in one database; addresses are those of the command line, sqlite:///path or postgresql://host/name.

    OptionError if the address is neither; every method raises LeavesUnavailable if the database cannot be used.
    """

    def __init__(self, address: str) -> None:
        scheme, colon, rest = address.partition(":")
        try:
            self._engine = create_async_engine(f"{_DRIVERS.get(scheme, scheme)}{colon}{rest}", poolclass=sa.NullPool)
        except (SQLAlchemyError, ImportError, ValueError):
            raise OptionError("A database is sqlite:///path or postgresql://host/name.") from None

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                yield connection
        except (OSError, SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
            # The driver's own error is wrapped by SQLAlchemy.
            cause = getattr(error, "orig", None) or error
            reason = str(cause).partition("\n")[0].rstrip(".") or type(cause).__name__
            place = self._engine.url.set(drivername=self._engine.dialect.name).render_as_string(hide_password=True)
            raise LeavesUnavailable(f"The database {place} cannot be used: {reason}.") from error

    async def add(self, work: str, leaves: Iterable[str]) -> None:
        """Adds the leaves of a piece of work that are not stored yet, as open ones."""
        rows = [{"work": work, "leaf": leaf, "place": place} for place, leaf in enumerate(leaves)]
        async with self._transaction() as connection:
            # Another process may add the same at the same time.
            await connection.execute(CreateTable(_LEAVES, if_not_exists=True))
            if rows:
                insert = _INSERTS[self._engine.dialect.name](_LEAVES).on_conflict_do_nothing()
                await connection.execute(insert, rows)

    async def works(self) -> set[str]:
        """The pieces of work that have leaves here."""
        async with self._transaction() as connection:
            return set(await connection.scalars(sa.select(_LEAVES.c.work).distinct()))

    async def open_leaves(self, work: str) -> list[str]:
        """The leaves without a result, in their order."""
        wanted = (_LEAVES.c.work == work) & _LEAVES.c.seconds.is_(None)
        async with self._transaction() as connection:
            return list(await connection.scalars(sa.select(_LEAVES.c.leaf).where(wanted).order_by(_LEAVES.c.place)))

    async def finish(self, work: str, leaf: str, result: str | None, seconds: float) -> None:
        """Stores the result of a leaf; None says that nothing was found."""
        wanted = (_LEAVES.c.work == work) & (_LEAVES.c.leaf == leaf)
        async with self._transaction() as connection:
            await connection.execute(sa.update(_LEAVES).where(wanted).values(result=result, seconds=seconds))

    async def results(self, work: str) -> dict[str, str]:
        """The results found so far, by leaf, in the order of the leaves."""
        wanted = (_LEAVES.c.work == work) & _LEAVES.c.result.is_not(None)
        query = sa.select(_LEAVES.c.leaf, _LEAVES.c.result).where(wanted).order_by(_LEAVES.c.place)
        async with self._transaction() as connection:
            return {row.leaf: row.result for row in await connection.execute(query)}

    async def seconds(self, work: str, leaves: Iterable[str]) -> float:
        """The time spent on some leaves, added up over all workers."""
        wanted = (_LEAVES.c.work == work) & _LEAVES.c.leaf.in_(list(leaves))
        query = sa.select(sa.func.coalesce(sa.func.sum(_LEAVES.c.seconds), 0.0)).where(wanted)
        async with self._transaction() as connection:
            return float(await connection.scalar(query) or 0.0)

    async def progress(self, work: str) -> Progress:
        """How many leaves are found, failed and open."""
        columns = (
            sa.func.count(_LEAVES.c.result),
            sa.func.count(_LEAVES.c.seconds),
            sa.func.count(),
            sa.func.coalesce(sa.func.sum(_LEAVES.c.seconds), 0.0),
        )
        async with self._transaction() as connection:
            row = (await connection.execute(sa.select(*columns).where(_LEAVES.c.work == work))).one()
        found, done, known, seconds = row
        return Progress(found, done - found, known - done, float(seconds))
