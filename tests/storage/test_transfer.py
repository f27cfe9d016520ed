"""Export and import carry every match, study and player from one store to another; a backup copies all."""

import asyncio
import json
from itertools import count
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from kemu.bots.arena import Setting, results
from kemu.core.errors import ParseError
from kemu.games import game
from kemu.people.ratings import GameRating
from kemu.play.commands import Act, Resign
from kemu.play.table import evolve, new_table
from kemu.server.finished import match_tallies
from kemu.server.transfer import (
    ExportedMatch,
    export_matches,
    export_players,
    export_studies,
    import_lines,
    is_results,
    match_lines,
)
from kemu.storage.journal import Append
from kemu.storage.players import PlayerRow, TokenRow
from kemu.storage.puzzles import PuzzleAnswerRow, PuzzleRatingRow, PuzzleStandingRow
from kemu.storage.sessions import SessionRow
from kemu.storage.sqlite import backup_file
from kemu.storage.store import Store
from kemu.storage.studies import StudyRow
from tests.loops import on_a_loop
from tests.patience import PATIENCE_SECONDS
from tests.storage.stores import MakeStore, a_table, opened, rated, run, save_command, save_running, temporary


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
            assert await import_lines(other, lines) == (2, 0, 0, 0)
            assert await lines_of(other) == lines
            assert await import_lines(other, lines) == (0, 0, 2, 0)

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
            assert await import_lines(other, lines) == (0, 1, 0, 0)
            assert await other.studies.study("s-1") == replace(STUDY, version=0)
            assert await other.journal.entries("s-1", 0) == [RENAME]
            assert [line async for line in export_studies(other)] == lines
        assert await import_lines(store, lines) == (0, 0, 1, 0)

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
            assert await import_lines(store, match_lines(file)) == (len(played), 0, 0, 0)
            assert await import_lines(store, match_lines(file)) == (0, 0, len(played), 0)
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


async def player_lines(store: Store) -> list[bytes]:
    return [msgspec.json.encode(rows) async for rows in export_players(store)]


async def store_players(store: Store) -> None:
    """Two accounts with all that belongs to them, and a rated match of theirs that counts."""

    def update(known: dict[str, GameRating], met: int) -> list[GameRating]:
        return [GameRating("h", "mauw", "rapid", 1490.5, matches=1), GameRating("t", "mauw", "rapid", 1510, matches=1)]

    for player, name in (("h", "Hine"), ("t", "Tama")):
        await store.players.save_player(PlayerRow(player, name, account=True, password="hash"))
    await store.players.add_token(TokenRow("k", "h", "bot", "0" * 64))
    await store.sessions.add_session(SessionRow("s", "h", "0" * 64, "Firefox", 5, 6))
    await store.sessions.set_codes(PlayerRow("h", "Hine", account=True, password="hash"), ["c" * 64])
    standing = PuzzleStandingRow("h", "mauw", 1500, 90, 1, 1, 1, 1, 5)
    answer = PuzzleAnswerRow("h", "mauw", "p", solved=True, at=5, due=6, card="{}")
    await store.puzzles.answer_puzzle(answer, lambda rows: (standing, PuzzleRatingRow("p", 1500, 90, 1)))
    await save_command(store, await save_running(store, a_table("m1", rated=True)), Resign("r"))
    await store.ratings.rate("m1", rated("m1", "ht", update))


def test_players_are_carried_with_all_that_belongs_to_them(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store_players(store)
        matches = [line async for line in export_matches(store, rated=True) if isinstance(line, bytes)]
        lines = [*matches, *await player_lines(store)]
        async with temporary() as other:
            assert await import_lines(other, lines) == (1, 0, 0, 2)
            assert await player_lines(other) == lines[1:]
            assert await other.matches.pending("rate", 9) == []  # the ratings contain it
            assert await other.ratings.of_player("h") == await store.ratings.of_player("h") != []
            assert await other.ratings.changes("m1") == await store.ratings.changes("m1") != []
            found = await other.players.account("HINE")
            assert found is not None
            assert found.password == "hash"
            assert await other.players.token("k") is not None
            assert await other.sessions.session("s") == await store.sessions.session("s")
            assert await other.sessions.has_code("h", "c" * 64)
            assert len(await other.puzzles.puzzle_answers("h", "mauw")) == 1
        assert await import_lines(store, lines) == (0, 0, 1, 0)

    run(make, work)


def test_a_match_of_an_export_without_ratings_is_rated_again() -> None:
    async def main() -> None:
        async with temporary() as store, temporary() as other:
            await store_players(store)
            await import_lines(other, await lines_of(store))
            assert await other.matches.pending("rate", 9) == ["m1"]

    on_a_loop(main())


def test_ratings_of_an_export_of_earlier_versions_are_carried_over(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        line = {"table": "ratings", "rows": [["h", "mauw", 27, 4, 12]]}
        await import_lines(store, [msgspec.json.encode(line)])
        (found,) = await store.ratings.of_player("h")
        assert (found.pace, found.matches, round(found.deviation)) == ("rapid", 12, 240)
        assert found.rating == pytest.approx(1500 + 2 * 29.477, abs=0.01)

    run(make, work)


def test_an_account_whose_name_is_taken_is_left_out_with_its_tokens(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.players.save_player(PlayerRow("x", "hine", account=True, password="other"))
        async with temporary() as other:
            await store_players(other)
            assert await import_lines(store, await player_lines(other)) == (0, 0, 0, 1)
        found = await store.players.account("Hine")
        assert found is not None
        assert found.id == "x"
        assert await store.players.token("k") is None

    run(make, work)


@pytest.mark.parametrize(
    "line",
    [
        {"table": "matches", "rows": []},
        {"table": "players", "rows": [["h"]]},
        {"table": "players", "rows": [["h" * 41, "Hine", None, None]]},
        {"table": "ratings", "rows": [["h", "mauw", "much", 8, 1]]},
        {"table": "players", "rows": 5},
        {"table": "players", "rows": [["h", "Hi\0ne", None, None]]},
        {"table": "ratings", "rows": [["h", "mauw", 25, 8, 2**31]]},
    ],
)
def test_rows_that_fit_no_table_are_refused_with_their_line(line: dict[str, object]) -> None:
    async def main() -> None:
        async with temporary() as store:
            with pytest.raises(ParseError, match="Line 1:"):
                await import_lines(store, [msgspec.json.encode(line)])

    on_a_loop(main())


def test_a_backup_ends_while_others_write(database_file: Path) -> None:
    copy = database_file.with_name("copy")

    async def main() -> None:
        async with opened(Store(f"sqlite:///{database_file}")) as store:
            await store.studies.add_study(replace(STUDY, document="x" * 2**25))
            async with asyncio.timeout(PATIENCE_SECONDS):
                copying = asyncio.create_task(asyncio.to_thread(backup_file, database_file, copy))
                for number in count():
                    if copying.done():
                        break
                    await save_running(store, a_table(f"m{number}"))
            await copying
        async with opened(Store(f"sqlite:///{copy}")) as copied:
            assert await copied.studies.study(STUDY.id) is not None

    on_a_loop(main())
