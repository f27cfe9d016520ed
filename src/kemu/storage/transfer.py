"""Export and import: every match and every study of a store as a line of JSON.

For backups, moves to PostgreSQL and research. Versions that knew no studies wrote lines of matches alone, which are
read as ever.
"""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import asdict

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import AnyGame
from kemu.play.errors import StaleVersion
from kemu.play.events import Entry, decode_entry, encode_entry
from kemu.play.table import Table, evolve, new_table
from kemu.play.terms import Terms
from kemu.storage.journal import Append
from kemu.storage.matches import MatchRow
from kemu.storage.matches import row as match_row
from kemu.storage.store import Store
from kemu.storage.studies import StudyRow


class ExportedMatch(Struct, frozen=True):
    """A line of an export with a match. The record is for people; an import ignores it."""

    match: MatchRow
    entries: list[Entry]
    record: dict[str, Any] | None = None


class StudyHead(Struct, frozen=True, omit_defaults=True):
    """Whose study it is, its times (ms) and the secrets of its links."""

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


class _Line(Struct, frozen=True):
    """What tells a line with a study from one with a match."""

    study: Raw | UnsetType = UNSET


class Transferred(NamedTuple):
    """How many matches and studies an export has written or an import has added, and how many were there before."""

    matches: int = 0
    studies: int = 0
    known: int = 0


NewGame: TypeAlias = Callable[..., AnyGame]
"""Makes a game from its key and its options, as `kemu.game` does."""

_decode = msgspec.json.Decoder(ExportedMatch).decode
_decode_study = msgspec.json.Decoder(ExportedStudy).decode
_decode_line = msgspec.json.Decoder(_Line).decode


class ImportChecks(NamedTuple):
    """What an import knows of the games and studies that it reads."""

    new_game: NewGame
    scheduled: Callable[[Table], bool]  # as in MatchRow
    check_study: Callable[[bytes, Sequence[bytes]], None]  # from document and edits; raises KemuError


class UnreadableLine(NamedTuple):
    """A match that cannot be exported, and why."""

    match: str
    reason: str


async def export_lines(store: Store, new_game: NewGame) -> AsyncIterator[bytes | UnreadableLine]:
    """Every match as a line of JSON, by id; in place of one that cannot be read, its id and the reason."""
    after = ""
    while rows := await store.matches.page(after):
        for found in rows:
            after = found.terms.id
            _, texts = await store.matches.load(after)
            try:
                yield _line(found.terms, texts, new_game)
            except Exception as error:  # whatever is wrong with one match: the others are exported
                yield UnreadableLine(after, f"{type(error).__name__}: {error}")


def _line(terms: Terms, texts: Iterable[bytes], new_game: NewGame) -> bytes:
    entries = [decode_entry(text) for text in texts]
    table = _replay(terms, entries, new_game)
    return msgspec.json.encode(ExportedMatch(match_row(table), entries, table.record().encode())) + b"\n"


async def export_studies(store: Store) -> AsyncIterator[bytes]:
    """Every study as a line of JSON, by id."""
    after = ""
    while rows := await store.studies.page(after):
        for found in rows:
            after = found.id
            edits = [Raw(text) for text in await store.journal.entries(found.id, found.version)]
            head = msgspec.convert(found, StudyHead, from_attributes=True)
            yield msgspec.json.encode(ExportedStudy(head, Raw(found.document.encode()), edits)) + b"\n"


async def import_lines(store: Store, lines: Iterable[bytes], checks: ImportChecks) -> Transferred:
    """Add the matches and studies of exported lines that the store does not have.

    Raises ParseError with the number of a bad line; what the lines before it hold stays.
    """
    done = Transferred()
    for number, line in enumerate(lines, start=1):
        found = _read(number, line, checks)
        if isinstance(found, ExportedStudy):
            added = await _add_study(store, found)
            done = done._replace(studies=done.studies + added, known=done.known + (not added))
        else:
            added = await _add_match(store, *found, checks.scheduled)
            done = done._replace(matches=done.matches + added, known=done.known + (not added))
    return done


async def _add_match(store: Store, entries: Sequence[Entry], table: Table, scheduled: Callable[[Table], bool]) -> bool:
    """Add a match; False if the store has it."""
    match = table.terms.id
    appends = [Append(match, version, encode_entry(entry)) for version, entry in enumerate(entries, start=1)]
    appends[-1] = appends[-1]._replace(row=match_row(table, scheduled(table)))
    try:
        await store.journal.write(appends)
    except StaleVersion:
        return False
    return True


async def _add_study(store: Store, exported: ExportedStudy) -> bool:
    """Add a study, whose versions begin anew; False if the store has it."""
    head = exported.study
    if await store.studies.study(head.id) is not None:
        return False
    appends = [Append(head.id, version, bytes(edit)) for version, edit in enumerate(exported.edits, start=1)]
    if appends:  # before the study is there, so that nobody opens it without them
        with suppress(StaleVersion):  # of an import that was cut short here
            await store.journal.write(appends)
    study = StudyRow(**asdict(head), version=0, document=bytes(exported.document).decode())
    await store.studies.add_study(study)
    return True


def _read(number: int, line: bytes, checks: ImportChecks) -> ExportedStudy | tuple[Sequence[Entry], Table]:
    """The study of an exported line, or the entries and the table of its match."""
    try:
        if _decode_line(line).study is not UNSET:
            study = _decode_study(line)
            checks.check_study(bytes(study.document), [bytes(edit) for edit in study.edits])
            return study
        exported = _decode(line)
        return exported.entries, _replay(exported.match.terms, exported.entries, checks.new_game)
    except msgspec.MsgspecError as error:
        raise ParseError(f"Line {number}: {quote(str(error))}") from None
    except KemuError as error:
        raise ParseError(f"Line {number}: {error}") from None
    except LookupError:  # a seat, an offer or an action that is not there
        raise ParseError(f"Line {number}: the entries of this match do not follow from each other.") from None


def _replay(terms: Terms, entries: Iterable[Entry], new_game: NewGame) -> Table:
    """The table of a match; raises KemuError or LookupError if its entries do not fit its terms."""
    table = new_table(terms, new_game(terms.game, **terms.options))
    for entry in entries:
        table = evolve(table, entry)
    if not table.version:
        raise ParseError("A match has at least one entry.")
    return table
