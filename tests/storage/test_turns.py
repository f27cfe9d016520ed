"""For whom running matches wait, as every store keeps it."""

from kemu.people.turns import Turn
from kemu.play.commands import Resign
from kemu.storage.journal import Append
from kemu.storage.store import Store
from tests.storage.stores import EMPTY, MakeStore, a_table, run, save_command, save_running


async def turns(store: Store, player: str) -> list[tuple[str, bool | None, int | None]]:
    found = await store.turns.running(player)
    return sorted((each.row.terms.id, each.mine, each.deadline) for each in found)


def test_a_turn_is_saved_with_the_entry_that_changes_it(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await save_running(store, a_table("m1"))
        await save_running(store, a_table("m2"))
        assert await turns(store, "h") == [("m1", None, None), ("m2", None, None)]
        version = len(await store.journal.entries("m1", 0))
        await store.journal.write([Append("m1", version + 1, EMPTY, turn=Turn("t", 90))])
        assert await turns(store, "h") == [("m1", False, 90), ("m2", None, None)]
        assert await turns(store, "t") == [("m1", True, 90), ("m2", None, None)]
        await store.turns.save({"m1": Turn("h", None), "m2": Turn("t", None)})
        assert await turns(store, "h") == [("m1", True, None), ("m2", False, None)]
        await store.turns.save({})

    run(make, work)


def test_a_match_that_is_over_waits_for_nobody(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        table = await save_running(store, a_table())
        await store.turns.save({"m1": Turn("h", None)})
        await save_command(store, table, Resign("r"))
        assert await turns(store, "h") == await turns(store, "t") == []

    run(make, work)
