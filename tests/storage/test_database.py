"""What the databases do: their format, owners of matches, notifications, failures, one query for many lookups."""

import asyncio
import sqlite3
import stat
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import AsyncMock

import asyncpg
import pytest
from sqlalchemy import Column, MetaData, Table, Text, make_url, text

from kemu.people.ratings import GameRating
from kemu.play.commands import Join, Resign
from kemu.storage.database import Row
from kemu.storage.errors import StoreUnavailable
from kemu.storage.journal import Append
from kemu.storage.players import PlayerRow
from kemu.storage.postgres import ANNOUNCED
from kemu.storage.statements import lookup, plain
from kemu.storage.store import Store
from tests.loops import on_a_loop
from tests.storage.stores import (
    EMPTY,
    TAMA,
    MakeStore,
    a_table,
    opened,
    rated,
    run,
    save,
    save_command,
    save_open,
    save_running,
)

SQLITE = pytest.mark.parametrize("make", ["sqlite"], indirect=True)
POSTGRES = pytest.mark.parametrize("make", ["postgres"], indirect=True)


async def execute(store: Store, *statements: str) -> Sequence[Row]:
    """Run SQL on the database of a store; gives the rows of the last statement."""
    rows: Sequence[Row] = ()
    for statement in statements:
        rows = await store.database.change(plain(text(statement)), {})
    return rows


# The format of the database.


def test_a_match_is_stored_in_the_format_of_earlier_versions(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await save_running(store, a_table(clock=True))
            chosen = 'SELECT id, game, host, status, public, rated, created, scheduled, owner, "row" FROM matches'
            ((*columns, owner, document),) = await execute(store, chosen)
            assert columns == ["m1", "mu-torere", "h", "running", True, False, 1, True]
            assert owner == store.process
            assert document == (
                '{"terms":{"id":"m1","game":"mu-torere","options":{},"host":"h","created":1,'
                '"clock":{"kind":"game","seconds":60,"increment":0},"public":true,"rated":false,'
                '"series":{"to":1,"game":1,"wins":[]},"previous":null,"tournament":null},"status":"running",'
                '"players":[{"id":"h","name":"Hine","kind":"person"},{"id":"t","name":"Tama","kind":"person"}],'
                '"outcome":null,"next":null}'
            )

    on_a_loop(main())


def modes(folder: Path) -> dict[str, int]:
    """The permissions of everything in a folder, and of itself."""
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}


def test_a_database_file_and_its_folder_are_for_their_owner_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder = tmp_path / "new"

    async def main() -> None:
        async with opened(Store(f"sqlite:///{folder}/kemu.sqlite")) as store:
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
            async with opened(
                Store(f"sqlite:///{folder}/kemu.sqlite")
            ):  # the folder may be anybody's; the files are ours
                pass
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
    def one_more(known: dict[str, GameRating], met: int = 0) -> list[GameRating]:
        return [
            GameRating(player, "mauw", "rapid", matches=known[player].matches + 1 if player in known else 1)
            for player in "ht"
        ]

    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            for player in "ht":
                await first.players.save_player(PlayerRow(player, player))
            for match in range(8):
                await save_command(
                    first, await save_running(first, a_table(f"{match // 4} {match % 4}", rated=True)), Resign("r")
                )
            matches = [
                (f"{number} {match}", store) for number, store in enumerate((first, second)) for match in range(4)
            ]
            await asyncio.gather(*(store.ratings.rate(match, rated(match, "ht", one_more)) for match, store in matches))
            assert [row.matches for player in "ht" for row in await first.ratings.of_player(player)] == [8, 8]

    on_a_loop(main())


# Notifications.


class Subscriber:
    """Collects the notifications of a store."""

    def __init__(self, store: Store) -> None:
        self.received: list[tuple[str, object]] = []
        self.resumed = asyncio.Event()
        self.text = asyncio.Event()
        store.notifications.on_append.append(self._appended)
        store.notifications.on_text.update(dict.fromkeys(("hello", "end"), self._received))
        store.notifications.on_resume.append(self.resumed.set)

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
                store.journal.entries("m1", 0),
                store.players.save_player(PlayerRow("h", "Hine")),
                store.journal.write([Append("m1", 2, EMPTY)]),
            ]
            done = await asyncio.gather(*attempts, return_exceptions=True)
            assert [type(one) for one in done] == [StoreUnavailable] * len(attempts)
            await execute("ALTER DATABASE {name} ALLOW_CONNECTIONS true")
            await store.journal.write([Append("m1", 2, EMPTY)])
            await store.check()

    on_a_loop(main())


def test_an_append_that_the_database_refuses_is_unavailable(make: MakeStore) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await execute(store, "ALTER TABLE entries RENAME TO moved")
            with pytest.raises(StoreUnavailable):
                await store.journal.write([Append("m1", 1, EMPTY)])
            await execute(store, "ALTER TABLE moved RENAME TO entries")
            await store.journal.write([Append("m1", 1, EMPTY)])

    on_a_loop(main())


@SQLITE
def test_reads_and_transactions_of_a_broken_file_are_unavailable(make: MakeStore, database_file: Path) -> None:
    async def work(store: Store) -> None:
        connection = sqlite3.connect(database_file)
        for table in ("entries", "processes"):
            connection.execute(f"DROP TABLE {table}")
        connection.close()
        with pytest.raises(StoreUnavailable):
            await store.journal.entries("m1", 0)
        with pytest.raises(StoreUnavailable):
            await store.matches.release()

    run(make, work)


# Statements.


def test_lookups_that_come_at_once_are_one_query(make: MakeStore, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        await store.journal.write([Append(f"m{number}", 1, str(number).encode()) for number in range(50)])
        query = AsyncMock(wraps=store.database.query)  # counts the queries
        monkeypatch.setattr(store.database, "query", query)
        wanted = [f"m{number}" for number in range(50)] + ["unknown", "m3"]
        found = await asyncio.gather(*(store.journal.entries(match, 0) for match in wanted))
        assert found == [[str(number).encode()] for number in range(50)] + [[], [b"3"]]
        assert query.await_count == 1
        assert await store.journal.entries("m7", 0) == [b"7"]
        assert query.await_count == 2

    run(make, work)


@SQLITE
def test_a_failed_query_reaches_all_who_wait_for_it(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        statement = lookup(Table("nowhere", MetaData(), Column("id", Text)), "id")
        done = await asyncio.gather(*(store.database.find(statement, key) for key in "ab"), return_exceptions=True)
        assert [type(one) for one in done] == [StoreUnavailable] * 2

    run(make, work)
