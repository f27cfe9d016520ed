"""Work for study goes on step by step, in turns, only while somebody waits, and behind everything else."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import pytest

from kemu.core.errors import KemuError
from kemu.server.jobs import study_worker
from kemu.server.jobs.study_workers import StudyWorkers
from kemu.server.limits import TooMany
from kemu.server.settings import Settings
from tests.loops import on_a_loop


async def ready() -> None:
    """Nothing is to be compiled."""


@pytest.fixture(autouse=True)
def tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("count", "refuse", "end"):
        monkeypatch.setitem(study_worker.TASKS, name, f"tests.server.study_tasks:{name}")


def work(scenario: Callable[[StudyWorkers], Awaitable[None]]) -> None:
    """Run a scenario with one worker, which is ended afterwards."""

    async def run() -> None:
        workers = StudyWorkers(Settings("memory", study_workers=1, study_streams_per_player=2), ready)
        try:
            await scenario(workers)
        finally:
            await workers.close()

    on_a_loop(run())


async def numbers(workers: StudyWorkers, task: str, player: str = "hine", to: int = 3) -> list[int]:
    """The numbers of all documents of a stream."""
    return [document["number"] async for document in workers.stream(task, {"to": to}, player)]


def test_a_stream_gives_every_document_at_low_priority() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        assert await numbers(workers, "count") == [0, 1, 2]
        async with aclosing(workers.stream("count", {"to": 1}, "hine")) as stream:
            assert (await anext(stream))["nice"] == min(os.nice(0) + study_worker.NICENESS, 19)

    work(scenario)


def test_streams_of_different_players_take_turns() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        order: list[str] = []

        async def follow(player: str) -> None:
            async for _ in workers.stream("count", {"to": 4}, player):
                order.append(player)

        await asyncio.gather(follow("hine"), follow("hine"), follow("tama"))
        assert order[2:8].count("tama") == 3  # half of the steps, although the other has two streams

    work(scenario)


def test_a_closed_stream_frees_its_place_and_its_work_is_dropped() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        streams = [workers.stream("count", {"to": 1000}, "hine") for _ in range(2)]
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


def test_a_worker_that_ends_is_replaced_and_its_streams_are_told() -> None:
    async def scenario(workers: StudyWorkers) -> None:
        other = workers.stream("count", {"to": 3}, "tama")
        await anext(other)
        with pytest.raises(KemuError) as caught:
            await numbers(workers, "end")
        assert caught.value.code == "study-failed"
        with pytest.raises(KemuError) as caught:
            await anext(other)
        assert caught.value.code == "study-failed"
        assert await numbers(workers, "count") == [0, 1, 2]

    work(scenario)
