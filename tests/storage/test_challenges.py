"""Challenges in every store: lists, what takes them, and that of two servers only one does."""

import asyncio
from collections.abc import Collection
from typing import Any

import pytest
from msgspec.structs import replace

from kemu.people.challenges import Challenge, ChallengeLimit, Variant
from kemu.play.commands import Join, Resign, encode_entry
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.errors import StaleVersion
from kemu.play.terms import GameClock
from kemu.storage.challenges import OpenChallenge, Page
from kemu.storage.journal import Append
from kemu.storage.matches import row
from kemu.storage.people import RelationRow
from kemu.storage.store import Store
from tests.loops import on_a_loop
from tests.storage.stores import HINE, TAMA, MakeStore, a_table, opened, run, save_command

LATER = 1000


def made(name: str, player: str = "h", created: int = 1, **fields: Any) -> Challenge:
    usual: dict[str, Any] = {
        "name": player.upper(),
        "account": True,
        "game": "mu-torere",
        "variants": (Variant({}, True),),
        "clocks": (GameClock(60),),
        "stake": "casual",
    }
    return Challenge(id=name, player=player, created=created, **(usual | fields))


async def add(store: Store, challenge: Challenge, targets: Collection[str] = (), **fields: Any) -> None:
    found = OpenChallenge(challenge, fields.get("expires", LATER), max(1, challenge.standing))
    await store.challenges.add(found, targets, leased=fields.get("leased", False))


async def take(store: Store, match: str, *challenges: str, created: int = 5) -> None:
    """Save a match that takes challenges."""
    table = a_table(match, created=created)
    entry, after = decide(table, Join(((0, HINE), (1, TAMA))), created, Dealer(1))
    append = Append(match, after.version, encode_entry(entry), row(after), challenges=challenges)
    await store.journal.write([append])


def names(found: list[OpenChallenge]) -> list[str]:
    return [each.challenge.id for each in found]


def test_lists_are_by_age_and_leave_out_whom_a_block_keeps_apart(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        challenges = store.challenges
        for name, player, created in (("a", "h", 1), ("b", "m", 2), ("c", "h", 2), ("d", "t", 3)):
            await add(store, made(name, player, created))
        await add(store, made("e", "h", 4, game="mauw"))
        await add(store, made("f", "h", 5), expires=20)
        assert names(await challenges.to_anyone("t", 10)) == ["f", "e", "c", "b", "a"]
        assert names(await challenges.to_anyone("t", 20)) == ["e", "c", "b", "a"], "what has expired is gone"
        assert names(await challenges.to_anyone("t", 20, "mauw")) == ["e"]
        assert names(await challenges.to_anyone("t", 20, page=Page(limit=2))) == ["e", "c"]
        assert names(await challenges.to_anyone("t", 20, page=Page(2, "c"))) == ["b", "a"]
        assert names(await challenges.oldest("t", "mu-torere", 20, 2)) == ["a", "b"]
        assert names(await challenges.of_player("h", 10)) == ["f", "e", "c", "a"]
        await store.people.relate(RelationRow("h", "t", "block", 1))
        for viewer, seen in (("t", ["b"]), ("h", ["b"]), ("x", ["e", "d", "c", "b", "a"])):
            assert names(await challenges.to_anyone(viewer, 20)) == seen
        assert names(await challenges.oldest("t", "mu-torere", 20, 9)) == ["b"]
        assert await challenges.find("f", 20) is None
        await challenges.prune(20)
        assert names(await challenges.of_player("h", 10)) == ["e", "c", "a"]
        assert await challenges.find("\0", 1) is None

    run(make, work)


def test_challenges_to_players_are_seen_declined_and_withdrawn(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        challenges = store.challenges
        named, followed = made("a", audience="player", target="t"), made("b", created=2, audience="followed")
        await add(store, named, {"t"})
        await add(store, followed, {"t", "m"})
        with pytest.raises(ChallengeLimit, match="this player already"):
            await add(store, replace(named, id="z"), {"t"})
        assert await challenges.to_anyone("t", 10) == []
        assert names(await challenges.for_player("t", 10)) == ["b", "a"]
        assert names(await challenges.for_player("t", 10, Page(2, "b"))) == ["a"]
        assert await challenges.is_target("a", "t")
        assert not await challenges.is_target("a", "m")
        assert not await challenges.decline(named, "m")
        assert await challenges.decline(followed, "t")
        assert await challenges.decline(named, "t")
        assert await challenges.for_player("t", 10) == []
        assert names(await challenges.for_player("m", 10)) == ["b"]
        assert names(await challenges.of_player("h", 10)) == ["b"]
        assert not await challenges.withdraw("b", "m")
        assert await challenges.withdraw("b", "h")
        assert await challenges.for_player("m", 10) == []
        await add(store, replace(named, id="z"), {"t"})

    run(make, work)


def test_a_player_has_a_limited_number(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        for number in range(3):
            await add(store, made(f"g{number}", "g", account=False), leased=True)
        with pytest.raises(ChallengeLimit):
            await add(store, made("g3", "g", account=False), leased=True)
        await store.challenges.renew(["g", "nobody"], LATER + 1, 0)
        await store.challenges.renew(["g"], LATER + 2, 1)
        assert {each.expires for each in await store.challenges.of_player("g", 10)} == {LATER + 1}
        await store.challenges.renew([], LATER + 3, 0)

    run(make, work)


def test_a_match_takes_its_challenges_once_and_all_or_none(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await add(store, made("a"), {"m"})
        await add(store, made("b", "t"))
        await add(store, made("old", "t"), expires=5)
        await take(store, "m1", "a", "b")
        assert (await store.matches.load("m1"))[0].status == "running"
        assert await store.challenges.find("a", 1) is None
        assert await store.challenges.of_player("t", 6) == []
        await add(store, made("c"))
        for match, taken in (("m2", ("c", "a")), ("m3", ("old",)), ("m4", ("never",))):
            with pytest.raises(StaleVersion):
                await take(store, match, *taken)
        found = await store.challenges.find("c", 1)
        assert found is not None, "nothing is taken if not all is"
        one, other = await asyncio.gather(
            take(store, "m5", "c"), take(store, "m6", "c"), return_exceptions=True
        )  # in one commit
        assert [type(each) for each in (one, other)].count(StaleVersion) == 1

    run(make, work)


def test_of_two_servers_only_one_takes_a_challenge(postgres: str) -> None:
    async def main() -> None:
        async with opened(Store(postgres)) as here, opened(Store(postgres)) as there:
            for number in range(10):
                mine, theirs = f"a{number}", f"b{number}"
                await add(here, made(mine, "h"))
                await add(there, made(theirs, "t"))
                answers = await asyncio.gather(
                    take(here, f"m{number}", mine, theirs),
                    take(there, f"n{number}", theirs, mine),
                    return_exceptions=True,
                )
                assert [type(answer) for answer in answers if answer] == [StaleVersion], answers

    on_a_loop(main())


def test_a_standing_challenge_makes_so_many_matches_at_a_time(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await add(store, made("a", standing=2))
        await take(store, "m1", "a")
        await take(store, "m2", "a")
        with pytest.raises(StaleVersion):
            await take(store, "m3", "a")
        assert (await store.challenges.of_player("h", 10))[0].free == 0
        assert await store.challenges.ended_matches() == []
        table = a_table("m1", created=5)
        _, running = decide(table, Join(((0, HINE), (1, TAMA))), 5, Dealer(1))
        await save_command(store, running, Resign("r1"))
        assert await store.challenges.ended_matches() == ["m1"]
        again = await store.challenges.reopen("m1")
        assert again is not None
        assert again.free == 1
        assert await store.challenges.reopen("m1") is None
        assert await store.challenges.reopen("m2") is not None
        await store.challenges.withdraw("a", "h")
        assert await store.challenges.reopen("m3") is None

    run(make, work)
