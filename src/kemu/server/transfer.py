"""`kemu export`, `kemu import` and `kemu backup`: between a database and a file.

An export has lines of JSON, for moves to PostgreSQL and research: one for every match and every study, then the tables
of players, some rows in each line. Earlier versions wrote no players, or matches alone; their files are still read.
"""

import asyncio
import hashlib
import json
import os
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, structs
from sqlalchemy.engine import make_url

from kemu.bots.arena import Job, Played, Setting, jobs, read_results
from kemu.core.document import quote
from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.record import replay
from kemu.games import game
from kemu.play.commands import Acted, AnyEvent, Entry, Joined, Started, decode_entry, encode_entry
from kemu.play.errors import StaleVersion
from kemu.play.local import bots_as_players
from kemu.play.table import Table, evolve, new_table
from kemu.play.terms import Terms, new_series
from kemu.server.runtime import open_store
from kemu.server.settings import Settings, read_settings
from kemu.storage.carried import TABLES, Values, read_rows
from kemu.storage.journal import Append
from kemu.storage.matches import MatchRow, is_scheduled
from kemu.storage.matches import row as match_row
from kemu.storage.ratings import RatedMatch
from kemu.storage.sqlite import FILE_MODE, backup_file
from kemu.storage.store import Store
from kemu.storage.studies import StudyRow
from kemu.studies import edits
from kemu.studies.edits import SharedStudy

ARENA_PREFIX: Final = "a-"
"""Of the ids of matches that were games of an arena."""

ID_DIGITS: Final = 16


LINES_AT_ONCE: Final = 100
"""How many matches are loaded or saved together."""

ROWS_AT_ONCE: Final = 500
"""How many rows of a table are in a line."""

NO_CHANGE: Final = RatedMatch("", "", "rapid", (), lambda known, met: [])
"""The rating of a match whose change is in the ratings of the export."""


class ExportedMatch(Struct, frozen=True):
    """A line of an export with a match. The record is for people; an import ignores it.

    `counted` says that the ratings of the same export contain this match; an import does not rate it again.
    """

    match: MatchRow
    entries: list[Entry]
    record: dict[str, Any] | None = None
    counted: bool | UnsetType = UNSET


class StudyHead(Struct, frozen=True, omit_defaults=True):
    """The id, owner and name of a study, its times (ms) and the secrets of its links."""

    id: str
    owner: str
    name: str
    created: int
    changed: int
    read_key: str | None = None
    write_key: str | None = None


class ExportedStudy(Struct, frozen=True):
    """A line of an export with a study: its document as it was saved, and the edits since then."""

    study: StudyHead
    document: Raw
    edits: list[Raw]


class ExportedRows(Struct, frozen=True):
    """A line of an export with rows of one of the tables of players."""

    table: str
    rows: list[Values]


class ReadMatch(NamedTuple):
    """A match of an exported line, replayed."""

    entries: Sequence[Entry]
    table: Table
    counted: bool


class Transferred(NamedTuple):
    """How many matches and studies an export has written or an import has added, and how many were there before.

    `players` are accounts and guests; those that were there before are not counted.
    """

    matches: int = 0
    studies: int = 0
    known: int = 0
    players: int = 0


class UnreadableLine(NamedTuple):
    """A match that cannot be exported, and why."""

    match: str
    reason: str


# Files.


def export_file(
    path: Path, database: str | None, studies: bool = True, players: bool = True
) -> tuple[Transferred, list[UnreadableLine]]:
    """Write all matches, and studies and players unless they are left out, to a file.

    The file appears when it is complete. Returns how many were written, and the matches that were skipped.
    """
    return asyncio.run(_export(path, _settings(database), studies, players))


def backup_database(path: Path, database: str | None) -> None:
    """Copy the SQLite database of a server, which may be running. Raises OptionError for any other database."""
    url = make_url(_settings(database).database_url)
    if url.get_backend_name() != "sqlite" or not url.database:
        raise OptionError("kemu backup copies SQLite; use pg_dump for PostgreSQL.")
    backup_file(Path(url.database), path)


def import_file(path: Path, database: str | None) -> Transferred:
    """Add the matches and studies of an export, or the games of a file of arena results. Raises ParseError."""
    return asyncio.run(_import(path, _settings(database)))


def _settings(database: str | None) -> Settings:
    settings = read_settings()
    return settings if database is None else structs.replace(settings, database=database)


async def _export(
    path: Path, settings: Settings, studies: bool, players: bool
) -> tuple[Transferred, list[UnreadableLine]]:
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    matches, texts, people, unreadable = 0, 0, 0, []
    try:
        async with open_store(settings) as store:
            with open(part, "wb", opener=_open_private) as file:
                async for line in export_matches(store, rated=players):
                    if isinstance(line, UnreadableLine):
                        unreadable.append(line)
                    else:
                        file.write(line)
                        matches += 1
                if studies:
                    async for text in export_studies(store):
                        file.write(text)
                        texts += 1
                if players:
                    async for rows in export_players(store):
                        file.write(msgspec.json.encode(rows) + b"\n")
                        people += len(rows.rows) if rows.table == "players" else 0
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return Transferred(matches, texts, players=people), unreadable


def _open_private(path: str, flags: int) -> int:
    """Open a file for its owner alone: an export has hands of running matches, secrets of links and password hashes."""
    return os.open(path, flags, FILE_MODE)


async def _import(path: Path, settings: Settings) -> Transferred:
    async with open_store(settings) as store:
        if is_results(path):
            return await import_lines(store, match_lines(path))
        with path.open("rb") as file:
            return await import_lines(store, file)


# Lines.


async def export_matches(store: Store, rated: bool = False) -> AsyncIterator[bytes | UnreadableLine]:
    """Yield every match as a line of JSON, by id; in place of one that cannot be read, its id and the reason.

    `rated` says that the ratings are exported too, so that lines tell which matches they contain.
    """
    after = ""
    while rows := await store.matches.page(after, LINES_AT_ONCE):
        after = rows[-1].terms.id
        unrated = await store.matches.unrated(rows) if rated else set()
        loaded = await asyncio.gather(*(store.matches.load(row.terms.id) for row in rows))
        for row, (_, texts) in zip(rows, loaded, strict=True):
            terms = row.terms
            counted = rated and terms.rated and row.status == "finished" and terms.id not in unrated
            try:
                yield _match_line(terms, [decode_entry(text) for text in texts], counted)
            except Exception as error:  # whatever is wrong with one match: the others are exported
                yield UnreadableLine(terms.id, f"{type(error).__name__}: {error}")


def _match_line(terms: Terms, entries: list[Entry], counted: bool) -> bytes:
    table = _replay(terms, entries)
    line = ExportedMatch(match_row(table), entries, table.record().encode(), counted or UNSET)
    return msgspec.json.encode(line) + b"\n"


async def export_players(store: Store) -> AsyncIterator[ExportedRows]:
    """Yield the tables of players, some rows at a time."""
    for table in TABLES:
        after: Values | None = None
        while rows := await store.carried.page(table, after, ROWS_AT_ONCE):
            after = rows[-1]
            yield ExportedRows(table, rows)


async def export_studies(store: Store) -> AsyncIterator[bytes]:
    """Yield every study as a line of JSON, by id."""
    after = ""
    while rows := await store.studies.page(after):
        for found in rows:
            after = found.id
            newer = [Raw(text) for text in await store.journal.entries(found.id, found.version)]
            head = msgspec.convert(found, StudyHead, from_attributes=True)
            yield msgspec.json.encode(ExportedStudy(head, Raw(found.document.encode()), newer)) + b"\n"


async def import_lines(store: Store, lines: Iterable[bytes]) -> Transferred:
    """Add the matches, studies and players of exported lines that the store does not have.

    Raises ParseError with the number of a bad line; what the lines before it hold stays.
    """
    total = Transferred()
    numbered = enumerate(lines, start=1)
    while some := list(islice(numbered, LINES_AT_ONCE)):
        found: list[ReadMatch | ExportedStudy | ExportedRows] = []
        failure: ParseError | None = None
        for number, line in some:
            try:
                found.append(_read(number, line))
            except ParseError as error:
                failure = error
                break
        total = await _add_lines(store, found, total)
        if failure is not None:
            raise failure
    return total


async def _add_lines(
    store: Store, found: Sequence[ReadMatch | ExportedStudy | ExportedRows], total: Transferred
) -> Transferred:
    """Add what some lines hold, matches together in few commits, and return the totals with them."""
    matches, studies, known, players = total
    read = [one for one in found if isinstance(one, ReadMatch)]
    for added in await asyncio.gather(*(_add_match(store, one) for one in read)):
        matches += added
        known += not added
    for one in found:
        if isinstance(one, ExportedStudy):
            added = await _add_study(store, one)
            studies += added
            known += not added
        elif isinstance(one, ExportedRows):
            new = await store.carried.add(one.table, one.rows)
            players += new if one.table == "players" else 0
    return Transferred(matches, studies, known, players)


async def _add_match(store: Store, read: ReadMatch) -> bool:
    """Add a match; return False if the store has it."""
    match, table = read.table.terms.id, read.table
    appends = [Append(match, version, encode_entry(entry)) for version, entry in enumerate(read.entries, start=1)]
    rating = NO_CHANGE if read.counted else None
    appends[-1] = appends[-1]._replace(row=match_row(table, is_scheduled(table)), rating=rating)
    try:
        await store.journal.write(appends)
    except StaleVersion:
        return False
    return True


async def _add_study(store: Store, exported: ExportedStudy) -> bool:
    """Add a study, whose versions begin anew; return False if the store has it."""
    head = exported.study
    if await store.studies.study(head.id) is not None:
        return False
    appends = [Append(head.id, version, bytes(edit)) for version, edit in enumerate(exported.edits, start=1)]
    if appends:  # before the study is there, so that nobody opens it without them
        with suppress(StaleVersion):  # of an import that was cut short here
            await store.journal.write(appends)
    study = StudyRow(**structs.asdict(head), version=0, document=bytes(exported.document).decode())
    await store.studies.add_study(study)
    return True


def _read(number: int, line: bytes) -> ReadMatch | ExportedStudy | ExportedRows:
    """Return what an exported line holds, checked."""
    try:
        parts = msgspec.json.decode(line, type=dict[str, Raw])
        if "study" in parts:
            return _read_study(line)
        if "table" in parts:
            found = msgspec.json.decode(line, type=ExportedRows)
            return ExportedRows(found.table, read_rows(found.table, found.rows))
        exported = msgspec.json.decode(line, type=ExportedMatch)
        return ReadMatch(exported.entries, _replay(exported.match.terms, exported.entries), exported.counted is True)
    except msgspec.MsgspecError as error:
        raise ParseError(f"Line {number}: {quote(str(error))}") from None
    except KemuError as error:
        raise ParseError(f"Line {number}: {error}") from None
    except LookupError:  # a seat, an offer, an action or a table that is not there
        raise ParseError(f"Line {number}: this is no table of players, and no match that can be replayed.") from None


def _read_study(line: bytes) -> ExportedStudy:
    """Decode a study and check its document and edits. Raises KemuError or MsgspecError."""
    exported = msgspec.json.decode(line, type=ExportedStudy)
    try:
        SharedStudy.decode(msgspec.json.decode(exported.document))
    except (LookupError, TypeError):
        raise ParseError("This is no document of a study.") from None
    for edit in exported.edits:
        edits.decode_entry(bytes(edit))
    return exported


def _replay(terms: Terms, entries: Iterable[Entry]) -> Table:
    """Return the table of a match; raises KemuError or LookupError if its entries do not fit its terms."""
    table = new_table(terms, game(terms.game, **terms.options))
    for entry in entries:
        table = evolve(table, entry)
    if not table.version:
        raise ParseError("A match has at least one entry.")
    return table


# Games of an arena, as matches between bots: the explorer shows them as games of bots.


def is_results(path: Path) -> bool:
    """Return whether a file begins like one of `kemu arena --results`."""
    with path.open("rb") as file:
        first = file.readline()
    try:
        return "entrants" in msgspec.json.decode(first, type=dict[str, Raw])
    except msgspec.MsgspecError:
        return False


def match_lines(path: Path) -> Iterator[bytes]:
    """Yield the games of a file of results as lines of an export; the same game always has the same id.

    Raises ParseError.
    """
    setting, games = read_results(path)
    by_number = {job.number: job for job in jobs(setting)}
    at = round(path.stat().st_mtime * 1000)
    for played in games:
        if played.number not in by_number:
            raise ParseError(f"{path} has a game {played.number}, which is none of its setting.")
        yield _arena_line(setting, by_number[played.number], played, at)


def _arena_line(setting: Setting, job: Job, played: Played, at: int) -> bytes:
    """Return the line of a finished match that is in no list, made at a time (ms)."""
    rules, players = game(setting.game, **job.options), bots_as_players(played.seats)
    name = hashlib.sha256(json.dumps([asdict(setting), played.number, played.actions]).encode()).hexdigest()
    terms = Terms(ARENA_PREFIX + name[:ID_DIGITS], rules.key, job.options, "", at, series=new_series(1, rules.seats))
    events: list[AnyEvent] = [Joined(seat, player) for seat, player in enumerate(players)]
    events.append(Started())
    for state, text in zip(replay(rules, played.actions), played.actions, strict=False):
        events.append(Acted(rules.turn(state) or 0, text))  # the import refuses an action after the end
    return msgspec.json.encode(ExportedMatch(match_row(new_table(terms, rules)), [Entry(at, events)]))
