"""All matches as JSON lines, out of one store and into another: backup, move to PostgreSQL, study."""

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import AnyGame
from kemu.play.dealer import Dealer
from kemu.play.errors import StaleVersion
from kemu.play.events import Entry, decode_entry, encode_entry
from kemu.play.table import Table
from kemu.storage.store import Append, MatchRow, Store, row


class Line(Struct, frozen=True):
    """One match: its row, everything that happened, and, for readers, its record."""

    match: MatchRow
    entries: list[Entry]
    record: dict[str, Any] | None = None


Make = Callable[..., AnyGame]

_decode = msgspec.json.Decoder(Line).decode


async def export_lines(store: Store, make: Make) -> AsyncIterator[bytes]:
    """Every match, one line each, by id."""
    after = ""
    while rows := await store.matches.every(after):
        for found in rows:
            after = found.terms.id
            _, texts = await store.matches.load(after)
            entries = [decode_entry(text) for text in texts]
            table = _replay(found, entries, make)
            yield msgspec.json.encode(Line(row(table), entries, table.match.record().encode())) + b"\n"


async def import_lines(store: Store, lines: Iterable[bytes], make: Make) -> tuple[int, int]:
    """Add matches that the store does not have; gives how many were added and how many it had. A bad line raises."""
    added = known = 0
    for number, line in enumerate(lines, start=1):
        try:
            read = _decode(line)
            table = _replay(read.match, read.entries, make)
        except msgspec.MsgspecError as error:
            raise ParseError(f"Line {number}: {quote(str(error))}") from None
        except KemuError as error:
            raise ParseError(f"Line {number}: {error}") from None
        except LookupError:  # a seat, an offer or an action that is not there
            raise ParseError(f"Line {number}: the entries of this match do not follow from each other.") from None
        match = read.match.terms.id
        appends = [Append(match, version, encode_entry(entry)) for version, entry in enumerate(read.entries, start=1)]
        appends[-1] = appends[-1]._replace(row=row(table))
        try:
            await store.journal.write(appends)
            added += 1
        except StaleVersion:
            known += 1
    return added, known


def _replay(found: MatchRow, entries: Iterable[Entry], make: Make) -> Table:
    """The table of a match; raises if its entries do not fit its terms."""
    table = Table(found.terms, make(found.terms.game, **found.terms.options), Dealer())
    for entry in entries:
        table.replay(entry)
    if not table.version:
        raise ParseError("A match has at least one entry.")
    return table
