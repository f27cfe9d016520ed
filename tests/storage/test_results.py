"""Results and profiles in every store: matches are counted once, names are found by their beginnings."""

from kemu.people.results import PEOPLE, Result
from kemu.play.commands import Resign
from kemu.storage.players import PlayerRow
from kemu.storage.profiles import AccountName, ProfileRow
from kemu.storage.store import Store
from tests.storage.stores import MakeStore, a_table, run, save_command, save_running


def test_a_finished_match_is_counted_once(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for match in ("m1", "m2"):
            await save_command(store, await save_running(store, a_table(match)), Resign("r"))
        assert await store.matches.pending("count", 5) == ["m1", "m2"]
        one = [Result("h", "t", "mauw", won=1), Result("h", PEOPLE, "mauw", won=1), Result("h", "bot:3", "mauw")]
        assert await store.results.add("m1", one)
        assert not await store.results.add("m1", one)
        assert await store.results.add("m2", [Result("h", "t", "mauw", lost=1, rated=1)])
        assert await store.results.between("h", "t") == [Result("h", "t", "mauw", 1, 0, 1, 1)]
        assert await store.results.general("h") == [Result("h", "bot:3", "mauw"), Result("h", PEOPLE, "mauw", 1)]
        assert await store.results.general("t") == []

    run(make, work)


def test_accounts_are_found_by_the_beginnings_of_their_names(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for number, name in enumerate(("Hine", "hinemoa", "Hīkina", "Tama", "Zoë", "Ábel")):
            await store.players.save_player(PlayerRow(str(number), name, account=True, password="hash"))
        await store.players.save_player(PlayerRow("g", "Hinewai"))
        assert await store.profiles.named("HINE") == [AccountName("0", "Hine"), AccountName("1", "hinemoa")]
        assert await store.profiles.named("hine", limit=1) == [AccountName("0", "Hine")]
        assert await store.profiles.named("hī") == [AccountName("2", "Hīkina")]
        assert await store.profiles.named("hinewai") == []
        assert await store.profiles.named("%") == []

    run(make, work)


def test_a_profile_keeps_since_when_the_account_exists(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        profiles = store.profiles
        assert await profiles.profile("h") == ProfileRow("h")
        await profiles.save_profile(ProfileRow("h", quiet=True))
        await profiles.begin_profile("h", 5)
        assert await profiles.profile("h") == ProfileRow("h", 5, quiet=True)
        await profiles.save_profile(ProfileRow("h", hidden=True))
        assert await profiles.profile("h") == ProfileRow("h", 5, hidden=True)

    run(make, work)
