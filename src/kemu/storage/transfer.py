"""Export and import: every match of a store as a line of JSON, for backups, moves to PostgreSQL and research."""

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import AnyGame
from kemu.play.errors import StaleVersion
from kemu.play.events import Entry, decode_entry, encode_entry
from kemu.play.evolve import evolve
from kemu.play.table import Table, new_table
from kemu.play.terms import Terms
from kemu.storage.rows import MatchDocument, document, row
from kemu.storage.store import Append, Store


class ExportedMatch(Struct, frozen=True):
    """One line of an export. The record is for readers; an import ignores it."""

    match: MatchDocument
    entries: list[Entry]
    record: dict[str, Any] | None = None


NewGame: TypeAlias = Callable[..., AnyGame]
"""Makes a game from its key and its options, as `kemu.game` does."""

_decode = msgspec.json.Decoder(ExportedMatch).decode


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
    return msgspec.json.encode(ExportedMatch(document(table), entries, table.record().encode())) + b"\n"


async def import_lines(
    store: Store, lines: Iterable[bytes], new_game: NewGame, scheduled: Callable[[Table], bool]
) -> tuple[int, int]:
    """Add the matches of exported lines that the store does not have; `scheduled` as in MatchRow.

    Returns how many were added and how many were there. Raises ParseError with the number of a bad line; the matches
    of the lines before it stay.
    """
    added = known = 0
    for number, line in enumerate(lines, start=1):
        entries, table = _read(number, line, new_game)
        match = table.terms.id
        appends = [Append(match, version, encode_entry(entry)) for version, entry in enumerate(entries, start=1)]
        appends[-1] = appends[-1]._replace(row=row(table, scheduled(table)))
        try:
            await store.journal.write(appends)
            added += 1
        except StaleVersion:
            known += 1
    return added, known


def _read(number: int, line: bytes, new_game: NewGame) -> tuple[Sequence[Entry], Table]:
    """The entries and the table of an exported line."""
    try:
        exported = _decode(line)
        return exported.entries, _replay(exported.match.terms, exported.entries, new_game)
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
