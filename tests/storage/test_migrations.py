"""Databases of earlier versions are opened, brought to the shape of this one, and keep everything."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from sqlalchemy import text

from kemu.core.errors import OptionError
from kemu.games import game
from kemu.play.commands import decode_entry
from kemu.play.table import evolve, new_table
from kemu.storage.migrations import FIRST, MIGRATIONS
from kemu.storage.players import TokenRow
from kemu.storage.postgres import PostgresDatabase
from kemu.storage.schema import metadata
from kemu.storage.statements import DatabaseKind, plain
from kemu.storage.store import TEMPORARY, Store
from tests.loops import on_a_loop
from tests.storage.earlier import Rows, history, rows_of, unpack
from tests.storage.stores import MakeStore, a_table, opened, save_open

DROPPED = {"alembic_version", "old_cookies", "secrets", "rated", "explored"}
"""Tables of earlier versions that hold nothing of a player; what is not in the last two is pending now."""

RENAMED = {"tended": "scheduled"}

REVISIONS = (FIRST, *MIGRATIONS)[:-1]

FILL = {
    "0001": """
        INSERT INTO matches (id, game, status, public, rated, created, tended, row)
        VALUES ('m', 'mu-torere', 'open', true, false, 5, true, '{"terms": {"id": "m", "game": "mu-torere",
        "options": {}, "host": "h", "created": 5}, "status": "open", "players": [], "outcome": null, "next": null}');
        INSERT INTO entries VALUES ('m', 1, '{"at":5,"events":[]}');
        INSERT INTO players VALUES ('h', 'Hine', 'hine', 'hash');
        INSERT INTO tokens (id, player, label, digest) VALUES ('t', 'h', 'bot', 'digest');
        INSERT INTO ratings VALUES ('h', 'mauw', 25, 8, 3);
        INSERT INTO secrets VALUES ('cookies', 'key');
    """,
    "0002": "UPDATE matches SET host = 'h';",
    "0003": """
        INSERT INTO sessions VALUES ('s', 'h', 'digest', 'Firefox', 6, 7, true);
        INSERT INTO recovery_codes VALUES ('h', 'code');
        INSERT INTO old_cookies VALUES ('h', 6);
    """,
    "0004": "INSERT INTO reviews VALUES ('r', '{}', 8);",
    "0005": "INSERT INTO puzzle_answers VALUES ('h', 'mauw', 'p', true, 9, 10, 'card');",
    "0006": """
        INSERT INTO studies VALUES ('x', 'h', 'Openings', 11, 12, 3, 'read', null, '{}');
        INSERT INTO explorer VALUES ('public', 'q', '1-0', 1, 2, 3);
    """,
}
"""By revision, rows for the tables that it added, in the SQL of both databases."""

COLUMNS: dict[DatabaseKind, str] = {
    "sqlite": 'SELECT m.name, i.name, i.type, i."notnull", i.pk FROM sqlite_master m, pragma_table_info(m.name) i '
    "WHERE m.type = 'table' UNION ALL SELECT tbl_name, name, '', 0, 0 FROM sqlite_master WHERE type = 'index'",
    "postgresql": "SELECT table_name, column_name, data_type, is_nullable, character_maximum_length "
    "FROM information_schema.columns WHERE table_schema = 'public' "
    "UNION ALL SELECT tablename, indexname, '', '', 0 FROM pg_indexes WHERE schemaname = 'public'",
}
"""All columns and indexes of a database."""


def kind_of(store: Store) -> DatabaseKind:
    return "postgresql" if isinstance(store.database, PostgresDatabase) else "sqlite"


async def shape(store: Store) -> set[tuple[Any, ...]]:
    """The columns and indexes of a store."""
    found = await store.database.change(plain(text(COLUMNS[kind_of(store)])), {})
    return {tuple(row) for row in found if row[0] != "alembic_version"}


def current(before: Rows) -> Rows:
    """The rows of an earlier version in the columns of now."""
    now: Rows = {}
    for table, rows in before.items():
        if table not in DROPPED:
            renamed = [
                {"scheduled" if name == "tended" else name: value for name, value in row.items()} for row in rows
            ]
            now[table] = [{name: row[name] for name in row if name in metadata.tables[table].c} for row in renamed]
    return now


@pytest.mark.parametrize("revision", ["0001", "0006"])
def test_a_database_of_an_earlier_version_keeps_every_row(revision: str, database_file: Path) -> None:
    unpack(revision, database_file)
    before = rows_of(database_file)

    async def main() -> None:
        async with opened(Store(f"sqlite:///{database_file}")) as store, opened(Store(TEMPORARY)) as fresh:
            assert await shape(store) == await shape(fresh)
            matches = await store.matches.page()
            assert len(matches) == 4
            for row in matches:
                _, entries = await store.matches.load(row.terms.id)
                table = new_table(row.terms, game(row.terms.game, **row.terms.options))
                for entry in entries:
                    table = evolve(table, decode_entry(entry))
                assert (table.status, list(table.players)) == (row.status, row.players)
                assert await store.matches.count_hosted(row.terms.host) >= (row.status != "finished")

    on_a_loop(main())
    after = rows_of(database_file)
    assert DROPPED & after.keys() == {"alembic_version"}
    assert sum(map(len, current(before).values())) > 20
    for table, rows in current(before).items():
        kept = [{name: row[name] for name in before_row} for row, before_row in zip(after[table], rows, strict=True)]
        assert sorted(kept, key=repr) == sorted(rows, key=repr)


@pytest.mark.parametrize("revision", REVISIONS)
def test_every_revision_becomes_the_schema_of_now_and_keeps_its_rows(
    revision: str, make: MakeStore, request: pytest.FixtureRequest
) -> None:
    async def main() -> None:
        filled = "".join(sql for added, sql in FILL.items() if added <= revision)
        if kind_of(make()) == "postgresql":
            connection = await asyncpg.connect(request.getfixturevalue("postgres"))
            await connection.execute(history("postgresql", revision) + filled)
            await connection.close()
        else:
            with closing(sqlite3.connect(request.getfixturevalue("database_file"))) as file:
                file.executescript(history("sqlite", revision) + filled)
        async with opened(make()) as store:
            await check(store)
            migrated = await shape(store)
        url = request.getfixturevalue("shared_cluster").new_database() if kind_of(make()) == "postgresql" else TEMPORARY
        async with opened(Store(url)) as fresh:
            assert migrated == await shape(fresh)

    async def check(store: Store) -> None:
        row, entries = await store.matches.load("m")
        assert (row.terms.host, row.scheduled, entries) == ("h", True, [b'{"at":5,"events":[]}'])
        assert await store.matches.count_hosted("h") == 1
        assert (await store.players.account("hine")) is not None
        assert await store.players.tokens("h") == [TokenRow("t", "h", "bot", "digest", "play")]
        assert [rating.matches for rating in await store.ratings.of_player("h")] == [3]
        assert [session.used for session in await store.sessions.sessions("h")] == [7] * (revision >= "0003")
        assert await store.sessions.has_code("h", "code") == (revision >= "0003")
        assert (await store.reviews.review("r") is not None) == (revision >= "0004")
        assert len(await store.puzzles.puzzle_answers("h", "mauw")) == (revision >= "0005")
        assert [study.read_key for study in await store.studies.studies("h")] == ["read"] * (revision >= "0006")
        assert len(await store.explorer.tallies("q", "public")) == (revision >= "0006")

    on_a_loop(main())


def test_a_store_that_is_opened_again_is_not_migrated_again(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await save_open(store, a_table())
        async with opened(make()) as store:
            assert (await store.matches.load("m1"))[0].terms.id == "m1"

    on_a_loop(main())


def test_a_database_of_a_later_version_is_refused_and_stays_as_it_is(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await store.database.change(plain(text("UPDATE alembic_version SET version_num = '9999'")), {})
        with pytest.raises(OptionError, match="newer version"):
            await make().open()

    on_a_loop(main())


def test_a_migration_that_fails_changes_nothing(database_file: Path) -> None:
    unpack("0006", database_file)
    with closing(sqlite3.connect(database_file)) as file:
        file.execute("DROP TABLE secrets")  # which the last migration drops, after all else
    before = rows_of(database_file)

    async def main() -> None:
        with pytest.raises(Exception, match="secrets"):
            await Store(f"sqlite:///{database_file}").open()

    on_a_loop(main())
    assert rows_of(database_file) == before
