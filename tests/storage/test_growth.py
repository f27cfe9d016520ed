"""Work that grows with history: statements read indexes, and what is done to many rows is done in pieces."""

import re
import sqlite3
from importlib import import_module
from pathlib import Path

import asyncpg
import pytest

from kemu.play.commands import Resign
from kemu.storage.matches import Query
from kemu.storage.players import PlayerRow
from kemu.storage.sessions import SessionRow
from kemu.storage.statements import CompiledStatement, Compiler, DatabaseKind, Statement
from kemu.storage.store import Store
from tests.loops import on_a_loop
from tests.storage.stores import MakeStore, a_table, opened, run, save_command, save_running

MODULES = (
    "matches",
    "journal",
    "players",
    "sessions",
    "studies",
    "tournaments",
    "people",
    "ratings",
    "profiles",
    "results",
    "removal",
    "moderation",
    "explorer",
    "puzzles",
    "reviews",
    "notices",
    "push",
    "feeds",
    "turns",
    "plans",
    "challenges",
    "groups",
)

SMALL = {"processes", "challenge_matches", "wanted", "pairs", "given", "json_each", "each", "anon_1", "CONSTANT"}
"""What does not grow: processes, running matches of standing challenges, and the rows that a statement is given."""


def all_statements(kind: DatabaseKind) -> dict[str, CompiledStatement]:
    """Every statement of the store as a database reads it, by module and name."""
    compiler, found = Compiler(kind), {}
    for name in MODULES:
        for key, value in vars(import_module(f"kemu.storage.{name}")).items():
            variants = value if isinstance(value, dict) else {"": value}
            for variant, statement in variants.items():
                if isinstance(statement, Statement):
                    found[f"{name}.{key.strip('_').lower()}{variant}"] = compiler.compile(statement)
    return found


def test_no_statement_reads_a_whole_table_of_sqlite(database_file: Path) -> None:
    async def main() -> None:
        async with opened(Store(f"sqlite:///{database_file}")):
            connection = sqlite3.connect(database_file)
            for name, statement in all_statements("sqlite").items():
                plan = connection.execute(f"EXPLAIN QUERY PLAN {statement.text}", (None,) * len(statement.order))
                steps = [step for *_, step in plan]
                assert {step.split()[1] for step in steps if step.startswith("SCAN ")} <= SMALL, (name, steps)
                sorts = "USE TEMP B-TREE FOR ORDER BY" in steps and "LIMIT" in statement.text
                assert not sorts or name == "players.ratings_of_player", (name, steps)
            connection.close()

    on_a_loop(main())


def test_no_statement_reads_a_whole_table_of_postgresql(postgres: str) -> None:
    async def main() -> None:
        async with opened(Store(postgres)):
            connection = await asyncpg.connect(postgres)
            for means in ("seqscan", "bitmapscan", "hashjoin", "mergejoin"):
                await connection.execute(f"SET enable_{means} = off; SET plan_cache_mode = force_generic_plan")
            for name, statement in all_statements("postgresql").items():
                values = f"({', '.join(['NULL'] * len(statement.order))})" if statement.order else ""
                await connection.execute(f"PREPARE planned AS {statement.text}")
                explained = await connection.fetch(f"EXPLAIN EXECUTE planned {values}")
                await connection.execute("DEALLOCATE planned")
                plan = "\n".join(line for (line,) in explained)
                assert set(re.findall(r"Seq Scan on (\w+)", plan)) <= SMALL, (name, plan)
                sorts = re.search(r"(^|-> +)Sort  \(", plan, re.MULTILINE) and "LIMIT" in statement.text
                assert not sorts or name == "players.ratings_of_player", (name, plan)
            await connection.close()

    on_a_loop(main())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_no_two_statements_have_the_same_text(kind: DatabaseKind) -> None:
    shared = ("players.end_", "removal.delete")  # what removes a player does the same as methods of the aggregates
    own = {name: statement for name, statement in all_statements(kind).items() if not name.startswith(shared)}
    texts = [statement.text for statement in own.values()]
    assert len(set(texts)) == len(texts) > 50


def test_matches_of_dead_processes_are_claimed_in_pieces(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as dead:
            await dead.matches.claim_unowned(1000, 0)
            for number in range(5):
                await save_running(dead, a_table(f"m{number}", clock=True))
        async with opened(make()) as store:
            pieces = [await store.matches.claim_unowned(20_000, 5000, limit=2) for _ in range(4)]
            assert [len(piece) for piece in pieces] == [2, 2, 1, 0]
            assert sorted(match for piece in pieces for match in piece) == ["m0", "m1", "m2", "m3", "m4"]

    on_a_loop(main())


def test_only_a_match_whose_process_is_dead_is_claimed_by_its_id(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as owner, opened(make()) as store:
            await owner.matches.claim_unowned(1000, 0)
            await store.matches.claim_unowned(1000, 0)
            await save_running(owner, a_table("m1", clock=True))
            assert await store.matches.claim(["m1", "m2"]) == []
            await owner.matches.release()
            assert await store.matches.claim(["m1", "m2"]) == ["m1"]
            assert await store.matches.claim(["m1"]) == []

    on_a_loop(main())


def test_sessions_are_pruned_in_pieces(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for number in range(5):
            await store.sessions.add_session(SessionRow(f"s{number}", "nobody", "0" * 64, "Firefox", 1, number))
        await store.players.save_player(PlayerRow("h", "Hine"))
        await store.sessions.add_session(SessionRow("s5", "h", "0" * 64, "Firefox", 1, 1))
        last = ""
        for expected in ("s1", "s3", "s5", ""):
            last = await store.sessions.prune_sessions(0, 4, last, limit=2)
            assert last == expected
        assert [session.id for session in await store.sessions.sessions("nobody")] == ["s4"]
        assert [session.id for session in await store.sessions.sessions("h")] == ["s5"]

    run(make, work)


def test_a_list_of_a_players_matches_follows_their_state(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        running = await save_running(store, a_table("m1", rated=True, created=5))
        await save_running(store, a_table("m2", created=9))
        assert await store.matches.plays_rated("t", "mu-torere")
        assert not await store.matches.plays_rated("t", "mauw")
        listed = await store.matches.rows(Query("mine", "t", "mu-torere"))
        assert [found.terms.id for found in listed] == ["m2", "m1"]
        await save_command(store, running, Resign("r"))
        assert not await store.matches.plays_rated("t", "mu-torere")
        assert await store.matches.rows(Query("mine", "t", "mauw")) == []
        before = await store.matches.rows(Query("mine", "t", before=9))
        assert [found.status for found in before] == ["finished"]

    run(make, work)
