"""What the tests of the stores share: an open store, and matches to save in it."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeAlias

from kemu.games import game
from kemu.play.commands import AnyCommand, Join, SeatCommand, TableCommand, encode_entry
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.table import Table, new_table
from kemu.play.terms import GameClock, NoClock, Player, Terms
from kemu.storage.journal import Append
from kemu.storage.matches import row
from kemu.storage.ratings import RatedMatch, RatingUpdate
from kemu.storage.store import TEMPORARY, Store
from tests.loops import on_a_loop

HINE, TAMA = Player("h", "Hine"), Player("t", "Tama")
EMPTY = b'{"at":6,"events":[]}'

MakeStore: TypeAlias = Callable[[], Store]


def temporary() -> AbstractAsyncContextManager[Store]:
    """A new store, open within the block."""
    return opened(Store(TEMPORARY))


@asynccontextmanager
async def opened(store: Store) -> AsyncIterator[Store]:
    """A store, open within the block."""
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def run(make: MakeStore, work: Callable[[Store], Awaitable[None]]) -> None:
    """Do something with an open store."""

    async def main() -> None:
        async with opened(make()) as store:
            await work(store)

    on_a_loop(main())


def a_table(
    match: str = "m1", *, created: int = 1, public: bool = True, clock: bool = False, rated: bool = False
) -> Table:
    """A match of Hine's with open seats."""
    time = GameClock(60) if clock else NoClock()
    return new_table(Terms(match, "mu-torere", {}, "h", created, time, public=public, rated=rated), game("mu-torere"))


async def save(store: Store, table: Table, command: TableCommand) -> Table:
    """Decide and save a command; a match with a clock counts as scheduled once it runs."""
    entry, after = decide(table, command, 5, Dealer(1))
    scheduled = after.status == "running" and not isinstance(after.terms.clock, NoClock)
    await store.journal.write([Append(after.terms.id, after.version, encode_entry(entry), row(after, scheduled))])
    return after


async def save_open(store: Store, table: Table) -> Table:
    """Save a new match with Hine at seat 0."""
    return await save(store, table, Join(((0, HINE),)))


async def save_running(store: Store, table: Table) -> Table:
    """Save a new match of Hine and Tama."""
    return await save(store, table, Join(((0, HINE), (1, TAMA))))


async def save_command(store: Store, table: Table, command: AnyCommand) -> Table:
    """Save a command of Hine's."""
    return await save(store, table, SeatCommand(0, "h", command))


def rated(match: str, players: Sequence[str] = (), update: RatingUpdate = lambda known, met: []) -> RatedMatch:
    """How a match of MAUW changes the ratings of some players."""
    return RatedMatch(match, "mauw", "rapid", players, update)
