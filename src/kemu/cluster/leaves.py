"""The leaves of a piece of work and their results, in a database that survives every process that works on them.

A leaf is open until its result is stored, so that a kill of any process loses no more than the leaves in work.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

_METADATA: Final = sa.MetaData()
_LEAVES: Final = sa.Table(
    "leaves",
    _METADATA,
    sa.Column("work", sa.Text, primary_key=True),
    sa.Column("leaf", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),
    sa.Column("seconds", sa.Float),  # null as long as the leaf is open
    sa.Column("result", sa.Text),  # null if nothing was found
)
_DRIVERS: Final = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class Progress(NamedTuple):
    """How far a piece of work has come."""

    found: int
    failed: int
    left: int
    seconds: float  # spent on the leaves that are done, added up over all workers


class LeafStore:
    """The leaves in one database; addresses are those of the command line, sqlite:///path or postgresql://host/name."""

    def __init__(self, address: str) -> None:
        scheme, colon, rest = address.partition(":")
        self._engine = create_async_engine(f"{_DRIVERS.get(scheme, scheme)}{colon}{rest}", poolclass=sa.NullPool)

    async def add(self, work: str, leaves: Iterable[str]) -> None:
        """Adds the leaves of a piece of work that are not stored yet, as open ones."""
        async with self._engine.begin() as connection:
            await connection.run_sync(_METADATA.create_all)
            known = set(await connection.scalars(sa.select(_LEAVES.c.leaf).where(_LEAVES.c.work == work)))
            new = [
                {"work": work, "leaf": leaf, "place": place} for place, leaf in enumerate(leaves) if leaf not in known
            ]
            if new:
                await connection.execute(sa.insert(_LEAVES), new)

    async def open_leaves(self, work: str) -> list[str]:
        """The leaves without a result, in their order."""
        wanted = (_LEAVES.c.work == work) & _LEAVES.c.seconds.is_(None)
        async with self._engine.connect() as connection:
            return list(await connection.scalars(sa.select(_LEAVES.c.leaf).where(wanted).order_by(_LEAVES.c.place)))

    async def finish(self, work: str, leaf: str, result: str | None, seconds: float) -> None:
        """Stores the result of a leaf; None says that nothing was found."""
        wanted = (_LEAVES.c.work == work) & (_LEAVES.c.leaf == leaf)
        async with self._engine.begin() as connection:
            await connection.execute(sa.update(_LEAVES).where(wanted).values(result=result, seconds=seconds))

    async def results(self, work: str) -> dict[str, str]:
        """The results found so far, by leaf, in the order of the leaves."""
        wanted = (_LEAVES.c.work == work) & _LEAVES.c.result.is_not(None)
        query = sa.select(_LEAVES.c.leaf, _LEAVES.c.result).where(wanted).order_by(_LEAVES.c.place)
        async with self._engine.connect() as connection:
            return {row.leaf: row.result for row in await connection.execute(query)}

    async def seconds(self, work: str, leaves: Iterable[str]) -> float:
        """The time spent on some leaves, added up over all workers."""
        wanted = (_LEAVES.c.work == work) & _LEAVES.c.leaf.in_(list(leaves))
        query = sa.select(sa.func.coalesce(sa.func.sum(_LEAVES.c.seconds), 0.0)).where(wanted)
        async with self._engine.connect() as connection:
            return float(await connection.scalar(query) or 0.0)

    async def progress(self, work: str) -> Progress:
        """How many leaves are found, failed and open."""
        columns = (
            sa.func.count(_LEAVES.c.result),
            sa.func.count(_LEAVES.c.seconds),
            sa.func.count(),
            sa.func.coalesce(sa.func.sum(_LEAVES.c.seconds), 0.0),
        )
        async with self._engine.connect() as connection:
            row = (await connection.execute(sa.select(*columns).where(_LEAVES.c.work == work))).one()
        found, done, known, seconds = row
        return Progress(found, done - found, known - done, float(seconds))
