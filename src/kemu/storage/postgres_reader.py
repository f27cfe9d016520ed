"""Entries that other processes saved, read from PostgreSQL: many tables that fall behind at once are one query."""

import asyncio
import logging
from asyncio import Future
from typing import Any, Final, NamedTuple

import asyncpg

from kemu.storage.errors import StoreAway

TIMEOUT: Final = 10.0
"""Seconds after which a database that does not answer is taken for away."""

_ENTRIES: Final = """
SELECT wanted.number, entries.entry
FROM unnest($1::text[], $2::int[]) WITH ORDINALITY AS wanted (match, after, number)
JOIN entries ON entries.match = wanted.match AND entries.version > wanted.after
ORDER BY wanted.number, entries.version"""

_ROWS: Final = "SELECT id, row FROM matches WHERE id = ANY($1::text[])"

log = logging.getLogger(__name__)


class Found(NamedTuple):
    """A match as far as it was asked for; without a row if that was not, or if there is no such match."""

    row: str | None
    entries: list[bytes]


class _Wanted(NamedTuple):
    match: str
    after: int
    row: bool
    found: "Future[Found]"


class PostgresReader:
    """One connection that reads; it comes back by itself."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._wanted: list[_Wanted] = []
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Start reading."""
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        """End the connection."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def read(self, match: str, after: int, *, row: bool = False) -> Found:
        """The entries of a match after a version, and its row if that is wanted too."""
        found: Future[Found] = asyncio.get_running_loop().create_future()
        self._wanted.append(_Wanted(match, after, row, found))
        self._wake.set()
        return await found

    async def _run(self) -> None:
        connection: Any = None
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                wanted, self._wanted = self._wanted, []
                try:
                    if connection is None or connection.is_closed():
                        connection = await asyncpg.connect(self._url, timeout=TIMEOUT, command_timeout=TIMEOUT)
                    await _read(connection, wanted)
                except Exception as error:  # whatever it is: the reader goes on, and nobody waits in vain
                    log.warning("reading failed", exc_info=error)
                    _fail(wanted, StoreAway(f"The database is away: {type(error).__name__}."))
                    if connection is not None:
                        connection.terminate()
        finally:
            if connection is not None:
                connection.terminate()


async def _read(connection: Any, wanted: list[_Wanted]) -> None:
    with_row = [one.match for one in wanted if one.row]
    rows = dict(await connection.fetch(_ROWS, with_row)) if with_row else {}
    found: list[list[bytes]] = [[] for _ in wanted]
    for number, entry in await connection.fetch(_ENTRIES, [one.match for one in wanted], [one.after for one in wanted]):
        found[number - 1].append(entry.encode())
    for one, entries in zip(wanted, found, strict=True):
        if not one.found.done():
            one.found.set_result(Found(rows.get(one.match) if one.row else None, entries))


def _fail(wanted: list[_Wanted], error: Exception) -> None:
    for one in wanted:
        if not one.found.done():
            one.found.set_exception(error)
