"""Every store keeps the same promises: memory, SQLite, PostgreSQL."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TypeAlias

import pytest
from sqlalchemy import text
from sqlalchemy.ext.asyncio import create_async_engine

from kemu.core.errors import OptionError
from kemu.games import game
from kemu.play.clock import GameClock
from kemu.play.commands import Resign
from kemu.play.dealer import Dealer
from kemu.play.decisions import take
from kemu.play.errors import StaleVersion
from kemu.play.events import encode_entry
from kemu.play.table import Table
from kemu.play.terms import Player, Terms
from kemu.storage.errors import NameTaken, UnknownMatch
from kemu.storage.memory import MemoryStore
from kemu.storage.sql import SqlStore
from kemu.storage.store import Append, PlayerRow, Query, RatingRow, Show, Store, TokenRow, row
from tests.loops import on_a_loop

HINE, TAMA = Player("h", "Hine"), Player("t", "Tama")
Make: TypeAlias = Callable[[], Store]
Work: TypeAlias = Callable[[Store], Awaitable[None]]


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    """Makes stores on one and the same database."""
    if request.param == "memory":
        return MemoryStore
    if request.param == "sqlite":
        return lambda: SqlStore(f"sqlite:///{tmp_path}/kemu.sqlite")
    url = request.getfixturevalue("postgres")
    return lambda: SqlStore(url)


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """A store, open for a while."""
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def run(make: Make, work: Work) -> None:
    """Do something with an open store."""

    async def main() -> None:
        async with opened(make()) as store:
            await work(store)

    on_a_loop(main())


def table(
    name: str = "m1", *, created: int = 1, public: bool = True, clock: bool = False, rated: bool = False
) -> Table:
    """A match that has just been made, with Hine at seat 0."""
    terms = Terms(name, "mu-torere", {}, "h", created, public=public, rated=rated)
    if clock:
        terms = Terms(name, "mu-torere", {}, "h", created, GameClock(60), public=public)
    return Table(terms, game("mu-torere"), Dealer())


async def keep(store: Store, kept: Table, *, full: bool = False) -> None:
    """Save a new match."""
    entry = kept.join([(0, HINE), (1, TAMA)] if full else [(0, HINE)], 5)
    await store.journal.write([Append(kept.terms.id, 1, encode_entry(entry), row(kept))])


def test_what_was_written_is_read_again(make: Make) -> None:
    async def work(store: Store) -> None:
        await keep(store, table())
        await store.journal.write([Append("m1", 2, b'{"at":6,"events":[]}')])
        found, entries = await store.matches.load("m1")
        assert found.terms.id == "m1"
        assert found.players == [HINE, None]
        assert entries[1] == b'{"at":6,"events":[]}'
        assert await store.matches.entries("m1", 1) == entries[1:]
        assert await store.matches.entries("m1", 2) == []
        with pytest.raises(UnknownMatch):
            await store.matches.load("m2")

    run(make, work)


def test_a_version_is_taken_once_and_a_stale_append_leaves_nothing(make: Make) -> None:
    async def work(store: Store) -> None:
        await keep(store, table())
        other = table("m2")
        stale = [Append("m1", 1, b"{}"), Append("m2", 1, b"{}", row(other))]
        with pytest.raises(StaleVersion):
            await store.journal.write(stale)
        with pytest.raises(UnknownMatch):
            await store.matches.load("m2")
        assert len(await store.matches.entries("m1", 0)) == 1

    run(make, work)


def test_among_many_at_once_only_the_stale_fail(make: Make) -> None:
    async def work(store: Store) -> None:
        await keep(store, table())
        writes = [store.journal.write([Append("m1", 2, b'{"at":1,"events":[]}')]) for _ in range(3)]
        writes += [store.journal.write([Append(f"x{number}", 1, b"{}")]) for number in range(20)]
        done = await asyncio.gather(*writes, return_exceptions=True)
        assert sum(isinstance(one, StaleVersion) for one in done) == 2
        assert sum(one is None for one in done) == 21
        assert len(await store.matches.entries("m1", 0)) == 2

    run(make, work)


def test_lists_show_what_they_promise_newest_first(make: Make) -> None:
    async def work(store: Store) -> None:
        await keep(store, table("open", created=1))
        await keep(store, table("private", created=2, public=False))
        await keep(store, table("running", created=3), full=True)
        over = table("over", created=4)
        await keep(store, over, full=True)
        entry = take(over, Resign("r"), 0, "h", 9)
        await store.journal.write([Append("over", 2, encode_entry(entry), row(over))])

        async def names(show: Show, player: str = "", game: str | None = None, before: int | None = None) -> list[str]:
            return [found.terms.id for found in await store.matches.rows(Query(show, player, game, before))]

        assert await names("lobby") == ["open"]
        assert await names("live") == ["running"]
        assert await names("finished") == ["over"]
        assert await names("mine", "h") == ["over", "running", "private", "open"]
        assert await names("mine", "t") == ["over", "running"]
        assert await names("mine", "h", before=3) == ["private", "open"]
        assert await names("mine", "h", game="mauw") == []
        limited = await store.matches.rows(Query("mine", "h", limit=1))
        assert [found.terms.id for found in limited] == ["over"]
        assert [found.terms.id for found in await store.matches.every("over", 1)] == ["private"]
        finished = (await store.matches.rows(Query("finished")))[0]
        assert finished.outcome is not None
        assert finished.outcome.reason == "resignation"

    run(make, work)


def test_open_and_running_matches_are_counted_by_who_made_them(make: Make) -> None:
    async def work(store: Store) -> None:
        for name in ("a", "b"):
            await keep(store, table(name))
        kept = table("c")
        await keep(store, kept, full=True)
        assert [await store.matches.hosted(player) for player in ("h", "t")] == [3, 0]
        entry = take(kept, Resign("1"), 0, "h", 6)
        await store.journal.write([Append("c", 2, encode_entry(entry), row(kept))])
        assert await store.matches.hosted("h") == 2

    run(make, work)


def test_who_got_up_is_no_longer_shown_as_sitting(make: Make) -> None:
    async def work(store: Store) -> None:
        left = table()
        await keep(store, left)
        entry = left.leave("h", 6)
        await store.journal.write([Append("m1", 2, encode_entry(entry), row(left))])
        assert await store.matches.rows(Query("mine", "h")) == []

    run(make, work)


def test_players_accounts_and_tokens(make: Make) -> None:
    async def work(store: Store) -> None:
        people = store.people
        assert await people.player("h") is None
        await people.keep(PlayerRow("h", "Hine"))
        await people.keep(PlayerRow("h", "HINE", True, "secret"))
        assert await people.player("h") == PlayerRow("h", "HINE", True, "secret")
        assert await people.account("hine") == PlayerRow("h", "HINE", True, "secret")
        assert await people.account("tama") is None
        with pytest.raises(NameTaken):
            await people.keep(PlayerRow("t", "Hine", True, "other"))
        await people.keep(PlayerRow("t", "Hine"))  # a guest may be called what an account is called
        token = TokenRow("k", "h", "bot", "0" * 64)
        await people.add_token(token)
        assert await people.token("k") == token
        assert await people.token("l") is None
        assert await people.tokens("h") == [token]
        assert not await people.drop_token("t", "k")
        assert await people.drop_token("h", "k")
        assert not await people.drop_token("h", "k")

    run(make, work)


def test_a_match_is_rated_once(make: Make) -> None:
    def better(known: dict[str, RatingRow]) -> list[RatingRow]:
        before = known.get("h", RatingRow("h", "mauw", 25, 8, 0))
        return [RatingRow("h", "mauw", before.mu + 1, before.sigma, before.matches + 1)]

    async def work(store: Store) -> None:
        people = store.people
        assert await people.rate("m1", "mauw", ["h"], better)
        assert not await people.rate("m1", "mauw", ["h"], better)
        assert await people.rate("m2", "mauw", ["h"], better)
        assert await people.ratings(player="h") == [RatingRow("h", "mauw", 27, 8, 2)]
        assert await people.ratings(game="mauw") == [RatingRow("h", "mauw", 27, 8, 2)]
        assert await people.ratings(game="mu-torere") == []

    run(make, work)


def test_finished_rated_matches_wait_to_be_rated(make: Make) -> None:
    async def work(store: Store) -> None:
        over = table("over", rated=True)
        await keep(store, over, full=True)
        assert await store.matches.unrated() == []
        entry = take(over, Resign("r"), 0, "h", 9)
        await store.journal.write([Append("over", 2, encode_entry(entry), row(over))])
        assert await store.matches.unrated() == ["over"]
        await store.people.rate("over", "mu-torere", [], lambda known: [])
        assert await store.matches.unrated() == []

    run(make, work)


def test_the_store_answers(make: Make) -> None:
    async def work(store: Store) -> None:
        await store.check()

    run(make, work)


@pytest.mark.parametrize("make", ["sqlite", "postgres"], indirect=True)
def test_all_is_there_after_closing_and_opening(make: Make) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await keep(store, table())
            secret = await store.people.secret()
        async with opened(make()) as store:
            assert len((await store.matches.load("m1"))[1]) == 1
            assert await store.people.secret() == secret

    on_a_loop(main())


OLD = (
    "DROP INDEX matches_hosted",
    "ALTER TABLE matches DROP COLUMN host",
    "UPDATE alembic_version SET version_num = '0001'",
)


@pytest.mark.parametrize("make", ["sqlite", "postgres"], indirect=True)
def test_a_database_of_the_first_schema_is_brought_up_to_date(make: Make, tmp_path: Path, postgres: str) -> None:
    sqlite = f"sqlite+aiosqlite:///{tmp_path}/kemu.sqlite"
    url = postgres.replace("postgresql", "postgresql+asyncpg", 1) if make().shared else sqlite

    async def main() -> None:
        async with opened(make()) as store:
            await keep(store, table())
        engine = create_async_engine(url)
        async with engine.begin() as connection:
            for statement in OLD:
                await connection.execute(text(statement))
        await engine.dispose()
        async with opened(make()) as store:
            assert await store.matches.hosted("h") == 1

    on_a_loop(main())


@pytest.mark.parametrize("make", ["postgres"], indirect=True)
def test_matches_of_a_dead_process_are_adopted_once_and_those_of_a_living_one_are_not(make: Make) -> None:
    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            assert await first.matches.adopt(1000, 0) == []
            await keep(first, table("tended", clock=True), full=True)
            await keep(first, table("not tended"), full=True)
            assert await second.matches.adopt(1000, 0) == []  # the first lives
            assert await second.matches.adopt(20_000, 5000) == ["tended"]  # it has said nothing for long
            assert await second.matches.adopt(21_000, 6000) == []
            await second.matches.retire()
            assert await first.matches.adopt(22_000, 7000) == ["tended"]

    on_a_loop(main())


@pytest.mark.parametrize("make", ["postgres"], indirect=True)
def test_the_process_where_a_match_begins_to_need_it_tends_it(make: Make) -> None:
    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second, opened(make()) as third:
            for store in (first, second, third):
                await store.matches.adopt(1000, 0)
            kept = table(clock=True)
            await keep(first, kept)
            entry = kept.join([(1, TAMA)], 6)
            await second.journal.write([Append("m1", 2, encode_entry(entry), row(kept))])
            await first.matches.retire()
            assert await third.matches.adopt(1001, 0) == []  # not the first's, who made it
            await second.matches.retire()
            assert await third.matches.adopt(1002, 0) == ["m1"]

    on_a_loop(main())


@pytest.mark.parametrize("make", ["sqlite"], indirect=True)
def test_the_only_process_on_sqlite_adopts_everything_at_once_when_it_starts(make: Make) -> None:
    async def main() -> None:
        async with opened(make()) as store:
            await store.matches.adopt(1000, 0)
            await keep(store, table("tended", clock=True), full=True)
        async with opened(make()) as store:
            assert await store.matches.adopt(1001, 0) == ["tended"]

    on_a_loop(main())


@pytest.mark.parametrize("make", ["postgres"], indirect=True)
def test_processes_hear_of_each_other_but_not_of_themselves(make: Make) -> None:
    async def main() -> None:
        async with opened(make()) as first, opened(make()) as second:
            heard: list[tuple[str, object]] = []
            listening, told = asyncio.Event(), asyncio.Event()

            def saved(match: str, version: int) -> None:
                heard.append((match, version))

            def text(process: str, said: str) -> None:
                if process == second.process:
                    listening.set()
                else:
                    heard.append((process, said))
                    told.set()

            second.news.listen(saved, text)
            await listening.wait()
            await keep(first, table())
            await keep(second, table("own"))
            first.news.tell("hello there")
            await told.wait()
            assert heard == [("m1", 1), (first.process, "hello there")]

    on_a_loop(main())


@pytest.mark.parametrize("url", ["mysql://localhost/kemu", "sqlite://"])
def test_other_databases_are_refused_in_one_sentence(url: str) -> None:
    with pytest.raises(OptionError, match="sqlite:///path or postgresql://"):
        SqlStore(url)
