"""Worker processes: answers come step by step, in turns, only while somebody waits; failures stay apart."""

import asyncio
import os
import re
import signal
from collections.abc import Awaitable, Callable
from contextlib import aclosing

import msgspec
import pytest
from msgspec import Raw

from kemu.core.errors import KemuError
from kemu.games import game
from kemu.work import pool as pools
from kemu.work import worker
from kemu.work.pool import Asker, Service, TaskFailed, Urgency, WorkerPool, default_processes
from kemu.work.tasks import CHOOSE, GRAPH, REVIEW, ChoiceQuestion, PositionQuestion, ReviewQuestion, Task
from tests.loops import on_a_loop
from tests.work.tasks import COUNT, END, FAIL, HANG, LONG, REFUSE, Count, CountQuestion

NICENESS = 10
HINE, TAMA = Asker("hine", Urgency.HELP), Asker("tama", Urgency.HELP)
SECONDS = 30.0


def work(scenario: Callable[[WorkerPool], Awaitable[None]], seconds: float = SECONDS) -> None:
    """Run a scenario with one process for each service, which are ended afterwards."""

    async def run() -> None:
        pool = WorkerPool({"play": Service(1), "analysis": Service(1, NICENESS)}, seconds)
        try:
            await scenario(pool)
        finally:
            await pool.close()

    on_a_loop(run())


async def numbers(pool: WorkerPool, task: Task[CountQuestion, Count], asker: Asker = HINE, to: int = 3) -> list[int]:
    """The numbers of all answers of a stream."""
    return [answer.number async for answer in pool.stream(task, CountQuestion(to), asker)]


def test_a_stream_gives_every_answer_at_the_priority_of_its_service() -> None:
    async def scenario(pool: WorkerPool) -> None:
        assert await numbers(pool, COUNT) == [0, 1, 2]
        async with aclosing(pool.stream(COUNT, CountQuestion(1), HINE)) as stream:
            assert (await anext(stream)).nice == min(os.nice(0) + NICENESS, 19)
        assert (await pool.ask(COUNT._replace(service="play"), CountQuestion(), HINE)).nice == os.nice(0)

    work(scenario)


def test_streams_of_different_askers_take_turns() -> None:
    async def scenario(pool: WorkerPool) -> None:
        order: list[str] = []

        async def follow(asker: Asker) -> None:
            async for _ in pool.stream(COUNT, CountQuestion(4), asker):
                order.append(asker.name)

        await asyncio.gather(follow(HINE), follow(HINE), follow(TAMA))
        assert order[2:8].count("tama") == 3  # half of the steps, although the other has two streams

    work(scenario)


def test_a_closed_stream_is_dropped_while_its_next_answer_is_waited_for() -> None:
    async def scenario(pool: WorkerPool) -> None:
        stream = pool.stream(COUNT, CountQuestion(1000), HINE)
        await anext(stream)
        waiting = asyncio.ensure_future(anext(stream))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert await numbers(pool, COUNT) == [0, 1, 2]

    work(scenario)


def test_a_play_task_never_waits_for_an_analysis() -> None:
    async def scenario(pool: WorkerPool) -> None:
        stream = pool.stream(HANG, CountQuestion(), HINE)
        await anext(stream)
        hanging = asyncio.ensure_future(anext(stream))
        assert (await pool.ask(COUNT._replace(service="play"), CountQuestion(), HINE)).number == 0
        assert not hanging.done()
        hanging.cancel()
        await asyncio.gather(hanging, return_exceptions=True)

    work(scenario)


def test_a_refusal_keeps_its_code_and_its_sentence() -> None:
    async def scenario(pool: WorkerPool) -> None:
        with pytest.raises(KemuError, match="This is not allowed") as caught:
            await numbers(pool, REFUSE)
        assert caught.value.code == "illegal-action"
        assert await numbers(pool, COUNT) == [0, 1, 2]

    work(scenario)


def test_a_worker_that_ends_is_replaced_and_other_streams_go_on() -> None:
    async def scenario(pool: WorkerPool) -> None:
        other = pool.stream(COUNT, CountQuestion(3), TAMA)
        await anext(other)
        with pytest.raises(TaskFailed):
            await numbers(pool, END)
        assert [answer.number async for answer in other] == [0, 1, 2], "it begins again"
        assert await numbers(pool, COUNT) == [0, 1, 2]

    work(scenario)


def test_a_worker_that_was_killed_is_replaced_and_the_stream_goes_on() -> None:
    async def scenario(pool: WorkerPool) -> None:
        async with aclosing(pool.stream(COUNT, CountQuestion(3), HINE)) as stream:
            os.kill((await anext(stream)).process, signal.SIGKILL)
            assert [answer.number async for answer in stream] == [0, 1, 2]
        process = (await pool.ask(COUNT, CountQuestion(), HINE)).process
        os.kill(process, signal.SIGKILL)
        assert (await pool.ask(COUNT, CountQuestion(), HINE)).process != process

    work(scenario)


def test_a_worker_that_hangs_is_ended_and_replaced() -> None:
    async def scenario(pool: WorkerPool) -> None:
        await numbers(pool, COUNT)  # the process has started, which may take a while
        with pytest.raises(TaskFailed) as failed:
            await numbers(pool, HANG)
        assert failed.value.reason == "took too long"

    work(scenario, seconds=5.0)


@pytest.mark.parametrize("task", [FAIL, LONG], ids=["fail", "long"])
def test_a_task_that_fails_ends_no_other_stream(
    task: Task[CountQuestion, Count], caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario(pool: WorkerPool) -> None:
        other = pool.stream(COUNT, CountQuestion(3), TAMA)
        await anext(other)
        with pytest.raises(TaskFailed):
            await numbers(pool, task)
        assert [answer.number async for answer in other][-1] == 2

    work(scenario)
    [record] = [record for record in caplog.records if record.message == "task failed"]
    assert "secret" not in str(record.__dict__), "the log says where it failed and nothing of the question"
    place = r"tests.work.tasks:FAIL: KeyError in fail, tasks.py, line \d+" if task is FAIL else ".*: signal 9"
    assert re.fullmatch(place, record.__dict__["reason"])


def test_a_question_that_would_hold_up_everybody_is_refused() -> None:
    sixteen = PositionQuestion("mu-torere", {"arms": 16})
    record = ReviewQuestion({"kemu": 1, "actions": [], "game": "mu-torere", "options": {"arms": 16}})
    for path, question in ((GRAPH.path, sixteen), (REVIEW.path, record)):
        request = worker.Request("s", path, Raw(msgspec.json.encode(question)))
        assert worker.answer({}, msgspec.json.encode(request)).code == "bad-option"


def test_a_question_that_is_nested_too_deeply_is_refused() -> None:
    position = b'{"game":"mu-torere","position":' + b'{"a":' * 100_000 + b"0" + b"}" * 100_001
    line = b'{"stream":"s","task":"%s","question":%s}' % (GRAPH.path.encode(), position)
    assert worker.answer({}, line).code == "parse-error"


def test_the_first_question_waits_until_the_engines_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    async def scenario(pool: WorkerPool) -> None:
        done = asyncio.Event()

        async def compile_engines() -> None:
            await done.wait()
            compiled.append("engines")

        monkeypatch.setattr(pools, "compile_engines", compile_engines)
        pool.warm()
        rules = game("mu-torere")
        view = rules.view(rules.initial(), 0)
        question = ChoiceQuestion("kemu.bots", "random", "mu-torere", {}, view, [], ["1-0", "4-0"])
        asked = asyncio.create_task(pool.ask(CHOOSE, question, Asker("h", Urgency.ACTION)))
        await asyncio.sleep(0)
        assert not asked.done()
        done.set()
        assert (await asked).action in ("1-0", "4-0")
        assert compiled == ["engines"]

    work(scenario)


def test_processes_by_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    for cores, processes in ((None, 1), (1, 1), (2, 1), (8, 7)):
        monkeypatch.setattr("os.cpu_count", lambda cores=cores: cores)
        assert default_processes() == processes
