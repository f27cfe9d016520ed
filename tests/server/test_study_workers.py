"""Work for study goes on step by step, in turns, only while somebody waits, and behind everything else."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import pytest

from kemu.core.errors import KemuError
from kemu.server.jobs import study_worker
from kemu.server.jobs.study_workers import StudyFailed, StudyWorkers
from kemu.server.limits import StudyAsker, TooMany
from kemu.server.settings import Settings
from tests.loops import on_a_loop

HINE = StudyAsker("hine", "address of hine")
TAMA = StudyAsker("tama", "address of tama")


async def ready() -> None:
    """Nothing is to be compiled."""


async def fair(player: str, game: str) -> None:
    """Nobody plays a rated match."""


@pytest.fixture(autouse=True)
def tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("count", "refuse", "end", "fail", "long"):
        monkeypatch.setitem(study_worker.TASKS, name, f"tests.server.study_tasks:{name}")


def work(scenario: Callable[[StudyWorkers], Awaitable[None]]) -> None:
    """Run a scenario with one worker, which is ended afterwards."""

    async def run() -> None:
        workers = StudyWorkers(
            Settings("memory", study_workers=1, study_streams_per_player=2, study_streams_per_address=4), ready, fair
        )
        try:
            await scenario(workers)
        finally:
            await workers.close()

    on_a_loop(run())


async def numbers(workers: StudyWorkers, task: str, player: str = "hine", to: int = 3) -> list[int]:
    """The numbers of all documents of a stream."""
    asker = StudyAsker(player, f"address of {player}")
    return [document["number"] async for document in workers.stream(task, {"to": to}, asker)]


def test_a_stream_gives_every_document_at_low_priority() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        assert await numbers(workers, "count") == [0, 1, 2]
        async with aclosing(workers.stream("count", {"to": 1}, HINE)) as stream:
            assert (await anext(stream))["nice"] == min(os.nice(0) + study_worker.NICENESS, 19)

    work(scenario)


def test_streams_of_different_players_take_turns() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        order: list[str] = []

        async def follow(player: str) -> None:
            async for _ in workers.stream("count", {"to": 4}, StudyAsker(player, f"address of {player}")):
                order.append(player)

        await asyncio.gather(follow("hine"), follow("hine"), follow("tama"))
        assert order[2:8].count("tama") == 3  # half of the steps, although the other has two streams

    work(scenario)


def test_a_closed_stream_frees_its_place_and_its_work_is_dropped() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        streams = [workers.stream("count", {"to": 1000}, HINE) for _ in range(2)]
        for stream in streams:
            await anext(stream)
        with pytest.raises(TooMany):
            await numbers(workers, "count")
        assert await numbers(workers, "count", "tama") == [0, 1, 2]
        waiting = asyncio.ensure_future(anext(streams[0]))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await numbers(workers, "count") == [0, 1, 2]
        await streams[1].aclose()

    work(scenario)


def test_a_refusal_keeps_its_code_and_its_sentence() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        with pytest.raises(KemuError, match="This is not allowed") as caught:
            await numbers(workers, "refuse")
        assert caught.value.code == "illegal-action"
        assert await numbers(workers, "count") == [0, 1, 2]

    work(scenario)


def test_a_worker_that_ends_is_replaced_and_other_streams_go_on() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        other = workers.stream("count", {"to": 3}, TAMA)
        await anext(other)
        with pytest.raises(StudyFailed):
            await numbers(workers, "end")
        assert [document["number"] async for document in other] == [0, 1, 2], "it begins again"
        assert await numbers(workers, "count") == [0, 1, 2]

    work(scenario)


def test_a_worker_that_was_killed_is_replaced_and_the_stream_goes_on() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        async with aclosing(workers.stream("count", {"to": 3}, HINE)) as stream:
            os.kill((await anext(stream))["process"], signal.SIGKILL)
            assert [document["number"] async for document in stream] == [0, 1, 2]

    work(scenario)


@pytest.mark.parametrize("task", ["fail", "long"])
def test_a_task_that_fails_ends_no_other_stream(task: str, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(workers: StudyWorkers) -> None:
        other = workers.stream("count", {"to": 3}, TAMA)
        await anext(other)
        with pytest.raises(StudyFailed):
            await numbers(workers, task)
        assert [document["number"] async for document in other][-1] == 2

    work(scenario)
    assert any("secret" not in str(record.__dict__) for record in caplog.records), "the log says where it failed"


def test_one_address_has_one_turn_and_so_many_streams_however_many_guests_it_sends() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        order: list[str] = []

        async def follow(player: str, address: str) -> None:
            async for _ in workers.stream("count", {"to": 4}, StudyAsker(player, address)):
                order.append(address)

        guests = [follow(f"guest {number}", "flood") for number in range(4)]
        await asyncio.gather(*guests, follow("tama", "elsewhere"))
        assert order[:9].count("elsewhere") == 4  # every second step, although the others are four
        streams = [workers.stream("count", {"to": 9}, StudyAsker(f"guest {number}", "flood")) for number in range(4)]
        for stream in streams:
            await anext(stream)
        with pytest.raises(TooMany, match="address"):
            await anext(workers.stream("count", {"to": 9}, StudyAsker("guest 5", "flood")))
        for stream in streams:
            await stream.aclose()

    work(scenario)


def test_a_question_that_would_hold_up_everybody_is_refused() -> None:
    sixteen = {"game": "mu-torere", "options": {"arms": 16}}
    for question in (sixteen, {"record": {"kemu": 1, "actions": [], **sixteen}}):
        task: dict[str, object] = {
            "stream": "s",
            "task": "tests.server.study_tasks:count",
            "question": question,
            "closed": [],
        }
        assert study_worker.answer({}, task)["code"] == "bad-option"
    assert study_worker.answer_line({}, b"[" * 100_000)["code"] == "parse-error"
