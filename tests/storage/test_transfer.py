"""Export and import carry every match and every study from one store to another."""

import json
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kemu.bots.arena import Setting, results
from kemu.core.errors import ParseError
from kemu.games import game
from kemu.play.commands import Act
from kemu.play.table import evolve, new_table
from kemu.server.jobs import match_tallies
from kemu.server.transfer import (
    ExportedMatch,
    export_matches,
    export_studies,
    import_lines,
    is_results,
    match_lines,
)
from kemu.storage.journal import Append
from kemu.storage.store import Store
from kemu.storage.studies import StudyRow
from tests.loops import on_a_loop
from tests.storage.stores import MakeStore, a_table, run, save_command, save_running, temporary


async def exported() -> list[bytes]:
    """The lines of a store with two matches, one of them begun."""
    async with temporary() as store:
        await save_running(store, a_table("m1"))
        await save_command(store, await save_running(store, a_table("m2")), Act("a", 1, "1-0"))
        return await lines_of(store)


async def lines_of(store: Store) -> list[bytes]:
    lines = [line async for line in export_matches(store)]
    return [line for line in lines if isinstance(line, bytes)]


def test_what_is_exported_can_be_imported_and_is_the_same() -> None:
    async def main() -> None:
        lines = await exported()
        async with temporary() as other:
            assert await import_lines(other, lines) == (2, 0, 0)
            assert await lines_of(other) == lines
            assert await import_lines(other, lines) == (0, 0, 2)

    on_a_loop(main())


def test_an_import_saves_which_matches_are_scheduled() -> None:
    async def main() -> None:
        async with temporary() as store:
            await save_running(store, a_table("m1"))
            await save_running(store, a_table("m2", clock=True))
            lines = await lines_of(store)
        async with temporary() as store:
            await import_lines(store, lines)
            assert [found.scheduled for found in await store.matches.page()] == [False, True]

    on_a_loop(main())


def test_a_line_has_the_format_of_earlier_versions() -> None:
    lines = on_a_loop(exported())
    assert lines[1].startswith(b'{"match":{"terms":{"id":"m2","game":"mu-torere","options":{},"host":"h","created":1,')
    assert b'"status":"running","players":[{"id":"h","name":"Hine","kind":"person"},' in lines[1]
    assert b'"outcome":null,"next":null},"entries":[{"at":5,"events":[{"event":"joined","seat":0,' in lines[1]
    assert b'"record":{"kemu":1,"game":"mu-torere","options":{' in lines[1]
    assert b'"actions":["1-0"],"players":["Hine","Tama"]}' in lines[1]


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
        lines = await exported()
        assert change[0] in lines[1]
        lines[1] = lines[1].replace(change[0], change[1])
        async with temporary() as store:
            with pytest.raises(ParseError, match="Line 2:"):
                await import_lines(store, lines)

    on_a_loop(main())


def test_a_match_without_entries_is_refused() -> None:
    async def main() -> None:
        line = (await exported())[0]
        start, end = line.index(b'"entries":['), line.index(b',"record"')
        without = line[:start] + b'"entries":[]' + line[end:]
        async with temporary() as store:
            with pytest.raises(ParseError, match="Line 1:"):
                await import_lines(store, [without])

    on_a_loop(main())


STUDY = StudyRow("s-1", "h", "Openings", 1, 2, 7, None, "secret", '{"name":"Openings","chapters":[]}')
RENAME = b'{"op":"rename","name":"Endings"}'


async def store_study(store: Store) -> None:
    """A study that was saved at version 7, with one edit since."""
    appends = [Append(STUDY.id, version, RENAME) for version in range(1, 9)]
    await store.journal.write(appends)
    await store.studies.add_study(STUDY)


def test_a_study_is_carried_with_its_links_and_the_edits_since_it_was_saved(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store_study(store)
        lines = [line async for line in export_studies(store)]
        async with temporary() as other:
            assert await import_lines(other, lines) == (0, 1, 0)
            assert await other.studies.study("s-1") == replace(STUDY, version=0)
            assert await other.journal.entries("s-1", 0) == [RENAME]
            assert [line async for line in export_studies(other)] == lines
        assert await import_lines(store, lines) == (0, 0, 1)

    run(make, work)


@pytest.mark.parametrize(
    ("before", "after"),
    [('"chapters":[]', '"chapters":[{}]'), ('"op":"rename"', '"op":"sing"'), ('"owner"', '"ower"')],
)
def test_a_line_that_is_no_study_is_refused_with_its_number(before: str, after: str) -> None:
    async def main() -> None:
        async with temporary() as store, temporary() as other:
            await store_study(store)
            (line,) = [line async for line in export_studies(store)]
            assert before.encode() in line
            with pytest.raises(ParseError, match="Line 1:"):
                await import_lines(other, [line.replace(before.encode(), after.encode())])

    on_a_loop(main())


def test_games_of_an_arena_become_matches_of_bots_once(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    setting = Setting("mu-torere", {"arms": 6}, ("random", "1"), 1, seed=3)
    played = list(results(setting, file))
    assert is_results(file)

    async def main() -> None:
        async with temporary() as store:
            assert await import_lines(store, match_lines(file)) == (len(played), 0, 0)
            assert await import_lines(store, match_lines(file)) == (0, 0, len(played))
            assert len(await store.matches.pending("explore", 100)) == len(played)
            records = [json.loads(line)["record"] for line in await lines_of(store)]
        assert sorted(tuple(record["actions"]) for record in records) == sorted(game.actions for game in played)
        assert {tuple(record["players"]) for record in records} == {("random", "1"), ("1", "random")}

    on_a_loop(main())


def test_games_of_an_arena_count_as_games_of_bots_alone(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    list(results(Setting("mu-torere", {"arms": 6}, ("random", "1"), 1, seed=3), file))
    exported = msgspec.json.decode(next(match_lines(file)), type=ExportedMatch)
    table = new_table(exported.match.terms, game("mu-torere", **exported.match.terms.options))
    for entry in exported.entries:
        table = evolve(table, entry)
    assert {tally.scope for tally in match_tallies(table)} == {"bots"}


def test_a_file_of_results_with_a_game_too_many_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "results.jsonl"
    list(results(Setting("mu-torere", {"arms": 6}, ("random", "1"), 1, seed=3), file))
    lines = file.read_text(encoding="utf-8").splitlines()
    extra = json.dumps(json.loads(lines[-1]) | {"number": 9})
    file.write_text("\n".join([*lines, extra, ""]), encoding="utf-8")
    with pytest.raises(ParseError, match="game 9"):
        list(match_lines(file))
    (tmp_path / "export.jsonl").write_text("{}\n", encoding="utf-8")
    (tmp_path / "words.txt").write_text("words", encoding="utf-8")
    assert not any(is_results(tmp_path / name) for name in ("export.jsonl", "words.txt"))
