"""Notices as every store keeps them."""

from kemu.people.notices import Notice, SavedNotice
from kemu.storage.notices import MOST_KEPT
from kemu.storage.store import Store
from tests.storage.stores import MakeStore, run

TURN = Notice(kind="your-turn", about="m1", game="mauw", names=("Tama",), deadline=90)
WON = Notice(kind="finished", about="m1", game="mauw", names=("Tama",), result="won", rating=1512, change=-8)


def test_the_newest_notice_of_a_subject_stands_and_is_read_as_it_was_told(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        assert await store.notices.tell("h", TURN, 5)
        assert not await store.notices.tell("h", WON, 6)
        assert await store.notices.tell("h", Notice(kind="challenge", about="c1"), 7)
        assert await store.notices.tell("t", TURN, 8)
        latest = await store.notices.latest("h")
        assert [notice.about for notice in latest] == ["c1", "m1"]
        assert latest[1] == SavedNotice(
            kind="finished", about="m1", game="mauw", names=("Tama",), result="won", rating=1512, change=-8,
            at=6, seen=False,
        )  # fmt: skip

    run(make, work)


def test_what_was_seen_alerts_again(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.notices.tell("h", TURN, 5)
        assert await store.notices.see("h", "m1")
        assert not await store.notices.see("h", "m1")
        assert (await store.notices.latest("h"))[0].seen
        assert await store.notices.tell("h", TURN, 6)
        assert not (await store.notices.latest("h"))[0].seen

    run(make, work)


def test_everything_up_to_a_time_is_seen_and_only_of_one_player(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for at, about in ((5, "m1"), (6, "m2"), (7, "m3")):
            await store.notices.tell("h", Notice(kind="your-turn", about=about), at)
        await store.notices.tell("t", TURN, 5)
        assert await store.notices.see_all("h", 6)
        assert not await store.notices.see_all("h", 6)
        assert [notice.seen for notice in await store.notices.latest("h")] == [False, True, True]
        assert [notice.seen for notice in await store.notices.latest("t")] == [False]

    run(make, work)


def test_old_notices_are_deleted(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await store.notices.tell("h", TURN, 5)
        await store.notices.tell("h", Notice(kind="challenge", about="c1"), 6)
        await store.notices.prune_notices(6)
        assert [notice.about for notice in await store.notices.latest("h")] == ["c1"]

    run(make, work)


def test_nobody_is_kept_more_notices_than_there_is_room_for(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for number in range(MOST_KEPT + 20):
            await store.notices.tell("h", Notice(kind="challenge", about=f"c{number}"), number)
        await store.notices.tell("t", Notice(kind="challenge", about="c0"), 0)
        assert await store.notices.see("h", f"c{MOST_KEPT + 19}")
        assert await store.notices.see("h", "c20")
        assert not await store.notices.see("h", "c19")
        assert await store.notices.see("t", "c0")

    run(make, work)
