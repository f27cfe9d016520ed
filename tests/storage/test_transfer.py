"""Export and import carry every match from one store to another."""

import pytest

from kemu.core.errors import ParseError
from kemu.games import game
from kemu.play.commands import Act
from kemu.play.table import Table
from kemu.storage.memory import MemoryStore
from kemu.storage.transfer import export_lines, import_lines
from tests.loops import on_a_loop
from tests.storage.stores import a_table, save_command, save_running


def unscheduled(table: Table) -> bool:
    """These matches need no owner."""
    return False


async def filled() -> MemoryStore:
    """A store with two matches, one of them begun."""
    store = MemoryStore()
    await save_running(store, a_table("m1"))
    await save_command(store, await save_running(store, a_table("m2")), Act("a", 1, "1-0"))
    return store


async def lines_of(store: MemoryStore) -> list[bytes]:
    lines = [line async for line in export_lines(store, game)]
    return [line for line in lines if isinstance(line, bytes)]


def test_what_is_exported_can_be_imported_and_is_the_same() -> None:
    async def main() -> None:
        lines = await lines_of(await filled())
        other = MemoryStore()
        assert await import_lines(other, lines, game, unscheduled) == (2, 0)
        assert await lines_of(other) == lines
        assert await import_lines(other, lines, game, unscheduled) == (0, 2)

    on_a_loop(main())


def test_an_import_saves_which_matches_are_scheduled() -> None:
    async def main() -> None:
        store = MemoryStore()
        lines = await lines_of(await filled())
        await import_lines(store, lines, game, lambda table: table.terms.id == "m2")
        assert [found.scheduled for found in await store.matches.page()] == [False, True]

    on_a_loop(main())


def test_a_line_has_the_format_of_earlier_versions() -> None:
    lines = on_a_loop(_exported())
    assert lines[1].startswith(b'{"match":{"terms":{"id":"m2","game":"mu-torere","options":{},"host":"h","created":1,')
    assert b'"status":"running","players":[{"id":"h","name":"Hine","kind":"person"},' in lines[1]
    assert b'"outcome":null,"next":null},"entries":[{"at":5,"events":[{"event":"joined","seat":0,' in lines[1]
    assert b'"record":{"kemu":1,"game":"mu-torere","options":{' in lines[1]
    assert b'"actions":["1-0"],"players":["Hine","Tama"]}' in lines[1]


async def _exported() -> list[bytes]:
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
            await import_lines(MemoryStore(), lines, game, unscheduled)

    on_a_loop(main())


def test_a_match_without_entries_is_refused() -> None:
    async def main() -> None:
        line = (await lines_of(await filled()))[0]
        start, end = line.index(b'"entries":['), line.index(b',"record"')
        without = line[:start] + b'"entries":[]' + line[end:]
        with pytest.raises(ParseError, match="Line 1:"):
            await import_lines(MemoryStore(), [without], game, unscheduled)

    on_a_loop(main())
