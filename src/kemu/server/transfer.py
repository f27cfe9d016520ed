"""`kemu export`, `kemu import` and `kemu backup`: between a database and a file."""

import asyncio
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace
from sqlalchemy.engine import make_url

from kemu.core.errors import OptionError, ParseError
from kemu.games import game
from kemu.server.jobs.matches import is_scheduled
from kemu.server.realtime.study_frames import decode_entry
from kemu.server.self_play import is_results, match_lines
from kemu.server.settings import open_store, read_settings
from kemu.storage.sqlite_file import backup_file
from kemu.storage.store import Store
from kemu.storage.transfer import LineReaders, Transferred, UnreadableLine, export_lines, export_studies, import_lines
from kemu.study.edits import SharedStudy


def export_file(path: Path, database: str | None, studies: bool = True) -> tuple[Transferred, list[UnreadableLine]]:
    """Write all matches, and studies unless they are left out, to a file, which appears when it is complete.

    Returns how many, and the matches that were skipped.
    """
    return asyncio.run(_export(path, _store(database), studies))


def backup_database(path: Path, database: str | None) -> None:
    """Copy the SQLite database of a server, which may be running. Raises OptionError for any other database."""
    settings = read_settings()
    url = make_url(database or settings.database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise OptionError("kemu backup copies SQLite; use pg_dump for PostgreSQL.")
    backup_file(Path(url.database), path)


def import_file(path: Path, database: str | None) -> Transferred:
    """Add the matches and studies of an export, or the games of a file of arena results. Raises ParseError."""
    return asyncio.run(_import(path, _store(database)))


def check_study(document: bytes, edits: Sequence[bytes]) -> None:
    """Raise KemuError or MsgspecError unless this is the document of a study and edits of one."""
    try:
        SharedStudy.decode(msgspec.json.decode(document))
    except (LookupError, TypeError):
        raise ParseError("This is no document of a study.") from None
    for edit in edits:
        decode_entry(edit)


def _store(database: str | None) -> Store:
    settings = read_settings()
    return open_store(settings if database is None else replace(settings, database=database))


async def _export(path: Path, store: Store, studies: bool) -> tuple[Transferred, list[UnreadableLine]]:
    part = path.with_name(f"{path.name}.part")
    matches, texts, unreadable = 0, 0, []
    await store.open()
    try:
        with part.open("wb") as file:
            async for line in export_lines(store, game):
                if isinstance(line, UnreadableLine):
                    unreadable.append(line)
                else:
                    file.write(line)
                    matches += 1
            if studies:
                async for text in export_studies(store):
                    file.write(text)
                    texts += 1
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    finally:
        await store.close()
    return Transferred(matches, texts), unreadable


async def _import(path: Path, store: Store) -> Transferred:
    await store.open()
    try:
        lines = match_lines(path) if is_results(path) else _lines(path)
        return await import_lines(store, lines, LineReaders(game, is_scheduled, check_study))
    finally:
        await store.close()


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file
