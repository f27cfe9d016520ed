"""Export and import carry every match from one store to another."""

import pytest

from kemu.core.errors import ParseError
from kemu.games import game
from kemu.play.commands import Act
from kemu.play.dealer import Dealer
from kemu.play.decisions import take
from kemu.play.events import encode_entry
from kemu.play.table import Table
from kemu.play.terms import Player, Terms
from kemu.storage.memory import MemoryStore
from kemu.storage.store import Append, row
from kemu.storage.transfer import export_lines, import_lines
from tests.loops import on_a_loop


async def filled() -> MemoryStore:
    """A store with two matches, one of them begun."""
    store = MemoryStore()
    for name in ("m1", "m2"):
        table = Table(Terms(name, "mu-torere", {}, "h", 1), game("mu-torere"), Dealer())
        entry = table.join([(0, Player("h", "Hine")), (1, Player("t", "Tama"))], 1)
        await store.write([Append(name, 1, encode_entry(entry), row(table))])
        if name == "m2":
            entry = take(table, Act("a", 1, "1-0"), 0, "h", 2)
            await store.write([Append(name, 2, encode_entry(entry))])
    return store


async def lines_of(store: MemoryStore) -> list[bytes]:
    return [line async for line in export_lines(store, game)]


def test_what_is_exported_can_be_imported_and_is_the_same() -> None:
    async def main() -> None:
        lines = await lines_of(await filled())
        other = MemoryStore()
        assert await import_lines(other, lines, game) == (2, 0)
        assert await lines_of(other) == lines
        assert await import_lines(other, lines, game) == (0, 2)

    on_a_loop(main())


def test_a_line_shows_the_record_to_readers() -> None:
    lines = on_a_loop(_begun())
    assert b'"record":{"kemu":1,"game":"mu-torere","options":{' in lines[1]
    assert b'"actions":["1-0"],"players":["Hine","Tama"]}' in lines[1]


async def _begun() -> list[bytes]:
    return await lines_of(await filled())


@pytest.mark.parametrize(
    "change",
    [
        (b'"1-0"', b'"2-0"'),  # an illegal action
        (b'"game":"mu-torere"', b'"game":"chess"'),
        (b'"entries":[{', b'"entries":[]}{'),
        (b'{"match"', b'{"mat"'),
        (b'"joined","seat":1', b'"joined","seat":9'),
    ],
)
def test_a_bad_line_is_refused_with_its_number(change: tuple[bytes, bytes]) -> None:
    async def main() -> None:
        lines = await lines_of(await filled())
        assert change[0] in lines[1]
        lines[1] = lines[1].replace(change[0], change[1])
        with pytest.raises(ParseError, match="Line 2:"):
            await import_lines(MemoryStore(), lines, game)

    on_a_loop(main())


def test_a_match_without_entries_is_refused() -> None:
    async def main() -> None:
        line = (await lines_of(await filled()))[0]
        start, end = line.index(b'"entries":['), line.index(b',"record"')
        with pytest.raises(ParseError, match="Line 1:"):
            await import_lines(MemoryStore(), [line[:start] + b'"entries":[]' + line[end:]], game)

    on_a_loop(main())
