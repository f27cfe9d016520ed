"""`kemu export`, `kemu import` and `kemu backup`: between a database and a file."""

import asyncio
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy.engine import make_url

from kemu.bots.arena import Job, Played, Setting, jobs, read_results
from kemu.core.errors import OptionError, ParseError
from kemu.core.record import replay
from kemu.games import game
from kemu.play.events import Acted, AnyEvent, Entry, Joined, Started
from kemu.play.local import bots_as_players
from kemu.play.table import new_table
from kemu.play.terms import Terms, new_series
from kemu.server.live.matches import is_scheduled
from kemu.server.settings import open_store, read_settings
from kemu.storage.matches import row
from kemu.storage.sqlite import FILE_MODE, backup_file
from kemu.storage.store import Store
from kemu.storage.transfer import (
    ExportedMatch,
    ImportChecks,
    Transferred,
    UnreadableLine,
    export_lines,
    export_studies,
    import_lines,
)
from kemu.studies.edits import SharedStudy, decode_entry

ARENA_PREFIX: Final = "a-"
"""Of the ids of matches that were games of an arena."""

ID_DIGITS: Final = 16


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


def check_study(text: bytes, edits: Sequence[bytes]) -> None:
    """Raise KemuError or MsgspecError unless this is the document of a study and edits of one."""
    try:
        SharedStudy.decode(msgspec.json.decode(text))
    except (LookupError, TypeError):
        raise ParseError("This is no document of a study.") from None
    for edit in edits:
        decode_entry(edit)


def _store(database: str | None) -> Store:
    settings = read_settings()
    return open_store(settings if database is None else replace(settings, database=database))


async def _export(path: Path, store: Store, studies: bool) -> tuple[Transferred, list[UnreadableLine]]:
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    matches, texts, unreadable = 0, 0, []
    await store.open()
    try:
        with open(part, "wb", opener=_open_private) as file:
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


def _open_private(path: str, flags: int) -> int:
    """Open a file for its owner alone: an export has the hands of running matches and the secrets of links."""
    return os.open(path, flags, FILE_MODE)


async def _import(path: Path, store: Store) -> Transferred:
    await store.open()
    try:
        lines = match_lines(path) if is_results(path) else _lines(path)
        return await import_lines(store, lines, ImportChecks(game, is_scheduled, check_study))
    finally:
        await store.close()


def _lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        yield from file


# Games of an arena, as matches between bots: the explorer shows them as games of bots.


def is_results(path: Path) -> bool:
    """Whether a file begins like one of `kemu arena --results`."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        return "entrants" in msgspec.json.decode(first, type=dict[str, msgspec.Raw])
    except msgspec.MsgspecError:
        return False


def match_lines(path: Path) -> Iterator[bytes]:
    """The games of a file of results as lines of an export; the same game always has the same id. Raises ParseError."""
    setting, games = read_results(path)
    by_number = {job.number: job for job in jobs(setting)}
    at = round(path.stat().st_mtime * 1000)
    for played in games:
        if played.number not in by_number:
            raise ParseError(f"{path} has a game {played.number}, which is none of its setting.")
        yield _line(setting, by_number[played.number], played, at)


def _line(setting: Setting, job: Job, played: Played, at: int) -> bytes:
    """A finished match that is in no list, made at a time (ms)."""
    rules, players = game(setting.game, **job.options), bots_as_players(played.seats)
    name = hashlib.sha256(json.dumps([asdict(setting), played.number, played.actions]).encode()).hexdigest()
    terms = Terms(ARENA_PREFIX + name[:ID_DIGITS], rules.key, job.options, "", at, series=new_series(1, rules.seats))
    events: list[AnyEvent] = [Joined(seat, player) for seat, player in enumerate(players)]
    events.append(Started())
    for state, text in zip(replay(rules, played.actions), played.actions, strict=False):
        events.append(Acted(rules.turn(state) or 0, text))  # the import refuses an action after the end
    return msgspec.json.encode(ExportedMatch(row(new_table(terms, rules)), [Entry(at, events)]))
