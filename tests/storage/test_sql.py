"""What only the SQL stores do: their format, owners of matches, notifications, failures, one query for many lookups."""

import asyncio
import re
import sqlite3
import stat
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock

import asyncpg
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from kemu.play.commands import Join
from kemu.storage.errors import StoreUnavailable
from kemu.storage.executor import Lookups, Row
from kemu.storage.postgres_executor import ANNOUNCED
from kemu.storage.rows import PlayerRow, RatingRow
from kemu.storage.schema import metadata
from kemu.storage.session_statements import SessionStatements
from kemu.storage.sql import SqlStore
from kemu.storage.statements import Database, Statement, Statements
from kemu.storage.store import Append, Rating, Store
from kemu.storage.study_statements import StudyStatements
from tests.loops import on_a_loop
from tests.storage.stores import EMPTY, TAMA, MakeStore, a_table, opened, run, save, save_open, save_running

DATABASES: tuple[Database, ...] = ("sqlite", "postgresql")
SQL = pytest.mark.parametrize("make", ["sqlite", "postgres"], indirect=True)
SQLITE = pytest.mark.parametrize("make", ["sqlite"], indirect=True)
POSTGRES = pytest.mark.parametrize("make", ["postgres"], indirect=True)


def url_of(make: MakeStore, tmp_path: Path, postgres: str) -> str:
    """The address of the database under test, for SQLAlchemy."""
    shared = make().shared
    return (
        postgres.replace("postgresql", "postgresql+asyncpg", 1) if shared else f"sqlite+aiosqlite:///{sqlite(tmp_path)}"
    )


def sqlite(tmp_path: Path) -> Path:
    """The file of the SQLite database under test."""
    return tmp_path / "kemu.sqlite"


async def execute(url: str, *statements: str) -> list[Row]:
    """Run SQL beside the store; gives the rows of the last statement if it reads."""
    engine = create_async_engine(url)
    async with engine.begin() as connection:
        for statement in statements:
            done = await connection.execute(text(statement))
        rows: list[Row] = list(done.all()) if done.returns_rows else []
    await engine.dispose()
    return rows


# The format of the database.


@SQL
def test_a_match_is_stored_in_the_format_of_earlier_versions(make: MakeStore, tmp_path: Path, postgres: str) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await save_running(store, a_table(clock=True))
            chosen = 'SELECT id, game, host, status, public, rated, created, tended, owner, "row" FROM matches'
            ((*columns, owner, document),) = await execute(url_of(make, tmp_path, postgres), chosen)
            assert columns == ["m1", "mu-torere", "h", "running", True, False, 1, True]
            assert owner == store.process
            assert document == (
                '{"terms":{"id":"m1","game":"mu-torere","options":{},"host":"h","created":1,'
                '"clock":{"kind":"game","seconds":60,"increment":0},"public":true,"rated":false,'
                '"series":{"to":1,"game":1,"wins":[]},"previous":null},"status":"running",'
                '"players":[{"id":"h","name":"Hine","kind":"person"},{"id":"t","name":"Tama","kind":"person"}],'
                '"outcome":null,"next":null}'
            )

    on_a_loop(main())


TABLES_OF_THE_SECOND = {
    *("matches", "entries", "sitters", "players", "tokens", "ratings", "rated", "processes", "secrets"),
}
SECOND_SCHEMA = (
    *(f"DROP TABLE {table}" for table in metadata.tables if table not in TABLES_OF_THE_SECOND),
    "ALTER TABLE tokens DROP COLUMN scope",
    "INSERT INTO secrets (name, value) VALUES ('cookies', 'key')",
    "UPDATE alembic_version SET version_num = '0002'",
)
FIRST_SCHEMA = (
    *SECOND_SCHEMA,
    "DROP INDEX matches_hosted",
    "ALTER TABLE matches DROP COLUMN host",
    "UPDATE alembic_version SET version_num = '0001'",
)


@SQL
def test_a_database_of_the_first_schema_is_migrated(make: MakeStore, tmp_path: Path, postgres: str) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await save_open(store, a_table())
        await execute(url_of(make, tmp_path, postgres), *FIRST_SCHEMA)
        async with opened(make()) as store:
            assert await store.matches.count_hosted("h") == 1
            old = await store.sessions.old_cookies()
            assert old is not None
            assert old.key == "key"
            assert old.until - time.time() * 1000 > 364 * 24 * 60 * 60 * 1000
            assert await store.sessions.old_cookie_retired("h") is None
            for at, kept in ((9, 9), (12, 9), (0, 0)):
                await store.sessions.retire_old_cookie("h", at)
                assert await store.sessions.old_cookie_retired("h") == kept

    on_a_loop(main())


def modes(folder: Path) -> dict[str, int]:
    """The permissions of everything in a folder, and of itself."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


def test_a_database_file_and_its_folder_are_for_their_owner_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "new"

    async def main() -> None:
        async with opened(SqlStore(f"sqlite:///{folder}/kemu.sqlite")) as store:
            await save_open(store, a_table())
            assert modes(folder) == {
                "new": 0o700,
                "kemu.sqlite": 0o600,
                "kemu.sqlite-wal": 0o600,
                "kemu.sqlite-shm": 0o600,
            }
            for path in folder.iterdir():
                path.chmod(0o644)
            folder.chmod(0o755)
            caplog.clear()
            SqlStore(f"sqlite:///{folder}/kemu.sqlite")  # the folder may be anybody's; the files are ours
            assert set(modes(folder).values()) == {0o755, 0o600}
            assert [record.levelname for record in caplog.records] == ["WARNING"] * 3

    on_a_loop(main())


# Owners.


@POSTGRES
def test_matches_of_a_silent_process_are_claimed_once_and_those_of_a_live_one_are_not(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            assert await first.matches.claim_unowned(1000, 0) == []
            await save_running(first, a_table("scheduled", clock=True))
            await save_running(first, a_table("not scheduled"))
            assert await second.matches.claim_unowned(1000, 0) == []
            assert await second.matches.claim_unowned(20_000, 5000) == ["scheduled"]
            assert await second.matches.claim_unowned(21_000, 6000) == []
            await second.matches.release()
            assert await first.matches.claim_unowned(22_000, 7000) == ["scheduled"]

    on_a_loop(main())


@POSTGRES
def test_the_process_that_makes_a_match_scheduled_owns_it(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second, opened(make()) as third:
            for store in (first, second, third):
                await store.matches.claim_unowned(1000, 0)
            table = await save_open(first, a_table(clock=True))
            await save(second, table, Join(((1, TAMA),)))
            await first.matches.release()
            assert await third.matches.claim_unowned(1001, 0) == []  # the first made it, the second started it
            await second.matches.release()
            assert await third.matches.claim_unowned(1002, 0) == ["m1"]

    on_a_loop(main())


@SQLITE
def test_the_only_process_on_sqlite_claims_everything_when_it_starts(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await store.matches.claim_unowned(1000, 0)
            await save_running(store, a_table("scheduled", clock=True))
        async with opened(make()) as store:
            await store.reserve()
            assert await store.matches.claim_unowned(1001, 0) == ["scheduled"]

    on_a_loop(main())


# Ratings.


@POSTGRES
def test_first_ratings_of_a_player_at_two_processes_are_both_counted(make: MakeStore) -> None:
    def one_more(known: dict[str, RatingRow]) -> list[RatingRow]:
        return [
            RatingRow(player, "mauw", 25, 8, known[player].matches + 1 if player in known else 1) for player in "ht"
        ]

    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            for player in "ht":
                await first.players.save_player(PlayerRow(player, player))
            rating = Rating("mauw", ["h", "t"], one_more)
            matches = [
                (f"{number} {match}", store) for number, store in enumerate((first, second)) for match in range(4)
            ]
            await asyncio.gather(*(store.players.rate(match, rating) for match, store in matches))
            assert [row.matches for row in await first.players.ratings()] == [8, 8]

    on_a_loop(main())


# Notifications.


class Subscriber:
    """Collects the notifications of a store."""

    def __init__(self, store: Store) -> None:
        self.received: list[tuple[str, object]] = []
        self.resumed = asyncio.Event()
        self.text = asyncio.Event()
        store.notifications.subscribe(self._appended, self._received, self.resumed.set)

    def _appended(self, match: str, version: int) -> None:
        self.received.append((match, version))

    def _received(self, process: str, text: str) -> None:
        self.received.append((process, text))
        self.text.set()


@POSTGRES
def test_a_process_is_notified_of_the_others_but_not_of_itself(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            subscriber = Subscriber(second)
            await subscriber.resumed.wait()
            await save_open(first, a_table())
            await save_open(second, a_table("own"))
            first.notifications.publish("hello there")
            await subscriber.text.wait()
            assert subscriber.received == [("m1", 1), (first.process, "hello there")]

    on_a_loop(main())


@POSTGRES
def test_appends_that_do_not_fit_into_one_notification_are_all_announced(make: MakeStore) -> None:
    count = 2 * ANNOUNCED + 1

    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            subscriber = Subscriber(second)
            await subscriber.resumed.wait()
            await first.journal.write([Append(f"{number:020}", 1, EMPTY) for number in range(count)])
            first.notifications.publish("end")
            await subscriber.text.wait()
            assert subscriber.received[:-1] == [(f"{number:020}", 1) for number in range(count)]

    on_a_loop(main())


# Failures.


@asynccontextmanager
async def maintenance(url: str) -> AsyncIterator[Callable[[str], Awaitable[object]]]:
    """Runs statements in the cluster of a database, from outside; `{name}` in them is the database."""
    name = make_url(url).database
    connection = await asyncpg.connect(url, database="postgres")
    try:
        yield lambda statement: connection.execute(statement.format(name=name))
    finally:
        await connection.close()


DISCONNECT = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '{name}'"


@POSTGRES
def test_a_store_works_again_after_its_connections_were_lost(make: MakeStore, postgres: str) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            subscriber = Subscriber(store)
            await subscriber.resumed.wait()
            await save_open(store, a_table())
            subscriber.resumed.clear()
            async with maintenance(postgres) as execute:
                await execute(DISCONNECT)
            await subscriber.resumed.wait()  # it listens again
            assert len((await store.matches.load("m1"))[1]) == 1
            await store.journal.write([Append("m1", 2, EMPTY)])
            await store.players.save_player(PlayerRow("h", "Hine"))

    on_a_loop(main())


@POSTGRES
def test_a_database_that_accepts_no_connections_is_unavailable_until_it_does(make: MakeStore, postgres: str) -> None:
    async def main() -> None:
        async with opened(make()) as store, maintenance(postgres) as execute:
            await save_open(store, a_table())
            await execute("ALTER DATABASE {name} ALLOW_CONNECTIONS false")
            await execute(DISCONNECT)
            store.notifications.publish("lost")
            attempts: list[Awaitable[object]] = [
                store.check(),
                store.matches.load("m1"),
                store.matches.entries("m1", 0),
                store.players.save_player(PlayerRow("h", "Hine")),
                store.journal.write([Append("m1", 2, EMPTY)]),
            ]
            done = await asyncio.gather(*attempts, return_exceptions=True)
            assert [type(one) for one in done] == [StoreUnavailable] * len(attempts)
            await execute("ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            await store.journal.write([Append("m1", 2, EMPTY)])
            await store.check()

    on_a_loop(main())


@SQL
def test_an_append_that_the_database_refuses_is_unavailable(make: MakeStore, tmp_path: Path, postgres: str) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await execute(url_of(make, tmp_path, postgres), "ALTER TABLE entries RENAME TO moved")
            with pytest.raises(StoreUnavailable):
                await store.journal.write([Append("m1", 1, EMPTY)])
            await execute(url_of(make, tmp_path, postgres), "ALTER TABLE moved RENAME TO entries")
            await store.journal.write([Append("m1", 1, EMPTY)])

    on_a_loop(main())


@SQLITE
def test_reads_and_transactions_of_a_broken_file_are_unavailable(make: MakeStore, tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        connection = sqlite3.connect(sqlite(tmp_path))
        for table in ("entries", "processes"):
            connection.execute(f"DROP TABLE {table}")
        connection.close()
        with pytest.raises(StoreUnavailable):
            await store.matches.entries("m1", 0)
        with pytest.raises(StoreUnavailable):
            await store.matches.release()

    run(make, work)


# Statements.


@SQL
def test_lookups_that_come_at_once_are_one_query(make: MakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store, SqlStore)
        await store.journal.write([Append(f"m{number}", 1, str(number).encode()) for number in range(50)])
        executor = store._executor
        fetch = AsyncMock(wraps=executor.fetch)  # counts the queries
        monkeypatch.setattr(executor, "fetch", fetch)
        lookups = Lookups(executor)
        wanted = [f"m{number}" for number in range(50)] + ["unknown", "m3"]
        statement = executor.statements.entries_after
        found = await asyncio.gather(*(lookups.find(statement, match, 0) for match in wanted))
        assert found == [[(str(number),)] for number in range(50)] + [[], [("3",)]]
        assert fetch.await_count == 1
        assert await lookups.find(statement, "m7", 0) == [("7",)]
        assert fetch.await_count == 2

    run(make, work)


@SQLITE
def test_a_failed_query_reaches_all_who_wait_for_it(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        assert isinstance(store, SqlStore)
        lookups = Lookups(store._executor)
        statement = Statement("SELECT ? FROM nowhere", ("rows",), {})
        done = await asyncio.gather(*(lookups.find(statement, key) for key in "ab"), return_exceptions=True)
        assert [type(one) for one in done] == [StoreUnavailable] * 2

    run(make, work)


def statements_of(statements: Statements) -> dict[str, Statement]:
    """All statements, by name."""
    found: dict[str, Statement] = {}
    names = {**vars(Statements), **vars(type(statements))}
    for name in (name for name in names if not name.startswith("_")):
        value = getattr(statements, name)
        variants = {"": value} if isinstance(value, Statement) else value
        found |= {f"{name}{variant}": statement for variant, statement in variants.items()}
    return found


def all_statements(database: Database) -> dict[str, Statement]:
    """All statements of a database, by name."""
    return {**statements_of(SessionStatements(database)), **statements_of(StudyStatements(database))}


@SQLITE
def test_only_three_statements_read_a_whole_table_of_sqlite(make: MakeStore, tmp_path: Path) -> None:
    async def work(store: Store) -> None:
        connection = sqlite3.connect(sqlite(tmp_path))
        scans: dict[str, list[str]] = {}
        for name, statement in all_statements("sqlite").items():
            if name == "notify":
                continue
            plan = connection.execute(f"EXPLAIN QUERY PLAN {statement.text}", (None,) * len(statement.order))
            scans[name] = [found for (*_, step) in plan for found in re.findall(r"^SCAN (\w+)$", step)]
        connection.close()
        whole = {name: tables for name, tables in scans.items() if set(tables) - {"wanted", "rated", "explored"}}
        assert whole.keys() == {"unrated", "delete_processes", "best_ratings(False, False)"}

    run(make, work)


def test_no_two_statements_have_the_same_text() -> None:
    for database in DATABASES:
        texts = [statement.text for statement in all_statements(database).values()]
        assert len(set(texts)) == len(texts) > 25
