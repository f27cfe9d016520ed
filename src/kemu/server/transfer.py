"""`kemu export` and `kemu import`: matches between a database and a file."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from kemu.games import game
from kemu.server.jobs.matches import is_scheduled
from kemu.server.settings import open_store, read_settings
from kemu.storage.store import Store
from kemu.storage.transfer import export_lines, import_lines


def export_file(path: Path, database: str | None) -> int:
    """Write all matches to a file; returns how many."""
    return asyncio.run(_export(path, _store(database)))


def import_file(path: Path, database: str | None) -> tuple[int, int]:
    """Add the matches of a file; returns how many were added and how many were there."""
    return asyncio.run(_import(path, _store(database)))


def _store(database: str | None) -> Store:
    settings = read_settings()
    return open_store(settings if database is None else replace(settings, database=database))


async def _export(path: Path, store: Store) -> int:
    count = 0
    await store.open()
    try:
        with path.open("wb") as file:
            async for line in export_lines(store, game):
                file.write(line)
                count += 1
    finally:
        await store.close()
    return count


async def _import(path: Path, store: Store) -> tuple[int, int]:
    await store.open()
    try:
        return await import_lines(store, _lines(path), game, is_scheduled)
    finally:
        await store.close()


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
