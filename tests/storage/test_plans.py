"""Plans and vacations as every store keeps them."""

import msgspec

from kemu.people.vacation import VacationStock
from kemu.play.plans import Plan
from kemu.storage.plans import PlanRow
from kemu.storage.store import Store
from tests.storage.stores import MakeStore, run

PLAN = Plan(1, 4, {"points": "BBBBWWWW.", "turn": 0}, (("1-0", "8-1"),))
ROW = PlanRow("m", "h", True, "Watch the corner.", msgspec.json.encode(PLAN).decode())


def test_what_a_player_keeps_about_a_match_is_read_as_it_was_saved(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        assert await store.plans.plans("m") == []
        await store.plans.save_plan(ROW)
        await store.plans.save_plan(PlanRow("m", "t"))
        await store.plans.save_plan(PlanRow("n", "h", note="another"))
        found = await store.plans.plans("m")
        assert found == [ROW, PlanRow("m", "t")]
        assert found[0].conditional == PLAN
        assert found[1].conditional is None
        await store.plans.save_plan(PlanRow("m", "h", note="new"))
        assert (await store.plans.plans("m"))[0] == PlanRow("m", "h", note="new")

    run(make, work)


def test_only_the_lines_that_were_read_are_dropped(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.plans.save_plan(ROW)
        await store.plans.drop_plan(PlanRow("m", "h", plan="older"))
        assert await store.plans.plans("m") == [ROW]
        await store.plans.drop_plan(ROW)
        assert await store.plans.plans("m") == [PlanRow("m", "h", True, "Watch the corner.")]

    run(make, work)


def test_vacations_are_found_while_they_last(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        assert await store.plans.vacation("h") is None
        await store.plans.save_vacation("h", VacationStock(7, 5, 5))
        await store.plans.save_vacation("t", VacationStock(7, 5))
        assert await store.plans.vacation("h") == VacationStock(7, 5, 5)
        assert await store.plans.on_vacation() == {"h": VacationStock(7, 5, 5)}
        await store.plans.save_vacation("h", VacationStock(3, 9))
        assert await store.plans.on_vacation() == {}

    run(make, work)
