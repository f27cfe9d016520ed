"""`kemu export`, `kemu import` and `kemu backup`: between a database and a file."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace
from sqlalchemy.engine import make_url

from kemu.core.errors import OptionError
from kemu.games import game
from kemu.server.jobs.matches import is_scheduled
from kemu.server.settings import open_store, read_settings
from kemu.storage.sqlite_file import backup_file
from kemu.storage.store import Store
from kemu.storage.transfer import UnreadableLine, export_lines, import_lines


def export_file(path: Path, database: str | None) -> tuple[int, list[UnreadableLine]]:
    """Write all matches to a file, which appears when it is complete; returns how many, and those that were skipped."""
    return asyncio.run(_export(path, _store(database)))


def backup_database(path: Path, database: str | None) -> None:
    """Copy the SQLite database of a server, which may be running. Raises OptionError for any other database."""
    settings = read_settings()
    url = make_url(database or settings.database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise OptionError("kemu backup copies SQLite; use pg_dump for PostgreSQL.")
    backup_file(Path(url.database), path)


def import_file(path: Path, database: str | None) -> tuple[int, int]:
    """Add the matches of a file; returns how many were added and how many were there."""
    return asyncio.run(_import(path, _store(database)))


def _store(database: str | None) -> Store:
    settings = read_settings()
    return open_store(settings if database is None else replace(settings, database=database))


async def _export(path: Path, store: Store) -> tuple[int, list[UnreadableLine]]:
    part = path.with_name(f"{path.name}.part")
    count, unreadable = 0, []
    await store.open()
    try:
        with part.open("wb") as file:
            async for line in export_lines(store, game):
                if isinstance(line, UnreadableLine):
                    unreadable.append(line)
                else:
                    file.write(line)
                    count += 1
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        await store.close()
    return count, unreadable


async def _import(path: Path, store: Store) -> tuple[int, int]:
    await store.open()
    try:
        return await import_lines(store, _lines(path), game, is_scheduled)
    finally:
        await store.close()


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
