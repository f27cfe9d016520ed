"""The queue for worker processes: people take turns, actions come before help, closed pages leave it."""

import asyncio

from kemu.work.pool import Asker, FairQueue, Urgency
from tests.loops import on_a_loop

SECONDS = 30.0


async def served(queue: FairQueue, *requests: tuple[str, Urgency] | tuple[str, Urgency, str]) -> list[str]:
    """Whose request is served when, if all come while the only place is taken."""
    order: list[str] = []

    async def request(name: str, urgency: Urgency, member: str = "") -> None:
        place = await queue.enter(Asker(name, urgency, member))
        order.append(member or name)
        queue.leave(place)

    first = await queue.enter(Asker("first", Urgency.ACTION))
    tasks = [asyncio.create_task(request(*each)) for each in requests]
    await asyncio.sleep(0)
    queue.leave(first)
    await asyncio.gather(*tasks)
    return order


def test_people_take_turns_however_much_each_asks_for() -> None:
    action = Urgency.ACTION
    requests = [("a", action)] * 4 + [("b", action)] * 2 + [("c", action)]
    assert on_a_loop(served(FairQueue(1), *requests)) == ["a", "b", "c", "a", "b", "a", "a"]


def test_addresses_take_turns_however_many_guests_they_send_and_guests_of_one_address_too() -> None:
    action = Urgency.ACTION
    guests = [("here", action, f"guest {number}") for number in (1, 2, 3)]
    requests = [*guests, guests[0], ("there", action, "visitor"), ("there", action, "visitor")]
    order = ["guest 1", "visitor", "guest 2", "visitor", "guest 3", "guest 1"]
    assert on_a_loop(served(FairQueue(1), *requests)) == order


def test_actions_come_before_help_and_help_before_bots_among_themselves() -> None:
    requests = [("bots", Urgency.BOTS_ONLY), ("help", Urgency.HELP), ("act", Urgency.ACTION), ("help", Urgency.HELP)]
    assert on_a_loop(served(FairQueue(1), *requests)) == ["act", "help", "help", "bots"]


def test_who_goes_away_while_waiting_leaves_the_queue_and_loses_no_place() -> None:
    async def scenario() -> int:
        queue = FairQueue(1)
        place = await queue.enter(Asker("a", Urgency.ACTION))
        waiting = asyncio.create_task(queue.enter(Asker("b", Urgency.HELP)))
        granted = asyncio.create_task(queue.enter(Asker("c", Urgency.ACTION)))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert queue.waiting(Asker("b", Urgency.HELP)) == 0
        queue.leave(place)  # the place goes to c, who is cancelled in the same moment
        granted.cancel()
        await asyncio.gather(granted, return_exceptions=True)
        await asyncio.wait_for(queue.enter(Asker("d", Urgency.ACTION)), SECONDS)
        return queue.waiting(Asker("d", Urgency.ACTION))

    assert on_a_loop(scenario()) == 0


def test_a_place_that_comes_free_just_after_a_request_was_cancelled_is_not_lost() -> None:
    async def scenario() -> int:
        queue = FairQueue(1)
        place = await queue.enter(Asker("a", Urgency.HELP))
        waiting = asyncio.create_task(queue.enter(Asker("b", Urgency.HELP)))
        await asyncio.sleep(0)
        waiting.cancel()
        queue.leave(place)  # before the request could leave the queue
        await asyncio.gather(waiting, return_exceptions=True)
        return await asyncio.wait_for(queue.enter(Asker("c", Urgency.HELP)), SECONDS)

    assert on_a_loop(scenario()) == 0


def test_a_request_for_one_place_waits_for_that_place_and_holds_up_nobody() -> None:
    async def scenario() -> list[int]:
        queue = FairQueue(2)
        first, second = [await queue.enter(Asker("a", Urgency.ACTION)) for _ in range(2)]
        tied = asyncio.create_task(queue.enter(Asker("b", Urgency.ACTION), wanted=first))
        free = asyncio.create_task(queue.enter(Asker("c", Urgency.HELP)))
        await asyncio.sleep(0)
        queue.leave(second)
        assert await asyncio.wait_for(free, SECONDS) == second
        assert not tied.done()
        queue.leave(first)
        return [await asyncio.wait_for(tied, SECONDS), first]

    given, wanted = on_a_loop(scenario())
    assert given == wanted
