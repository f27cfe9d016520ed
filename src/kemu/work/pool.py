"""The pool of worker processes of a server: one fair queue for each class of service, streams of answers, deadlines.

`concurrent.futures` has no streams and no priorities, and it cannot end one process that hangs without all others;
neither can anyio's worker processes. So this is a small pool of our own over asyncio's subprocesses: a line of JSON
goes in, a line of JSON comes out. A process that ends or hangs is replaced, and streams that it held begin again.

The queue is fair to people, however much each of them asks for. Requests have an urgency. Within one urgency it is the
turn of the name, a player or an address, that was served least recently. A request waits for at most one request of
each other name, and not for all that somebody else has asked.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from enum import IntEnum
from itertools import count
from typing import Final, NamedTuple

import msgspec
from msgspec import UNSET, Raw

from kemu.core.errors import KemuError
from kemu.work.tasks import A, Q, Task
from kemu.work.worker import UNKNOWN_STREAM, Reply, Request

MOST_LINE_BYTES: Final = 4 * 1024 * 1024
"""The longest line that a worker may answer."""

WORKER_ENDED: Final = "worker-ended"
"""The code for a step in which the process ended, which may have been killed before it."""

MOST_ENDS: Final = 1
"""How often a task begins again after the process ended in a step of it."""

log = logging.getLogger(__name__)

MOST_REMEMBERED: Final = 1000
"""Names of which the queue remembers when it was their turn."""


class Urgency(IntEnum):
    """The order of service: a bot's action that a person waits for, help for a person, bots among themselves."""

    ACTION = 0
    HELP = 1
    BOTS_ONLY = 2


class Asker(NamedTuple):
    """The name whose turn a request takes, how urgent the request is, and the member of the name that asks.

    It is the turn of the name, an address, that was served least recently, and of the member, a player, that was.
    """

    name: str
    urgency: Urgency
    member: str = ""


class _Waiting(NamedTuple):
    """A request: its asker, the place that it needs, None if any will do, and the place that it is given."""

    asker: Asker
    wanted: int | None
    given: "asyncio.Future[int]"


class FairQueue:
    """Some numbered places, each for one request at a time, and the requests that wait for one."""

    def __init__(self, places: int) -> None:
        self._free = list(range(places))
        self._turns = count(1)
        # By name, and by name and member, the number of the last turn, the latest at the end.
        self._served: dict[str | tuple[str, str], int] = {}
        self._waiting: list[_Waiting] = []  # in the order in which they came

    def waiting(self, asker: Asker) -> int:
        """Return how many requests of this name, member and urgency wait."""
        return sum(request.asker == asker for request in self._waiting)

    async def enter(self, asker: Asker, wanted: int | None = None) -> int:
        """Wait for a place, or for one particular place. A request that is cancelled while it waits is forgotten."""
        if self._free and (wanted is None or wanted in self._free):
            place = self._free[-1] if wanted is None else wanted
            self._free.remove(place)
            self._remember(asker)
            return place
        request = _Waiting(asker, wanted, asyncio.get_running_loop().create_future())
        self._waiting.append(request)
        try:
            return await request.given
        except BaseException:
            if request.given.done() and not request.given.cancelled():  # the place was given in the same moment
                self.leave(request.given.result())
            elif request in self._waiting:
                self._waiting.remove(request)
            raise

    def leave(self, place: int) -> None:
        """Give a place back; it goes to the next request that it will do for."""
        # A request that was cancelled a moment ago still stands there.
        fitting = [each for each in self._waiting if each.wanted in (None, place) and not each.given.cancelled()]
        if not fitting:
            self._free.append(place)
            return
        chosen = min(fitting, key=lambda each: self._order(each.asker))
        self._waiting.remove(chosen)
        self._remember(chosen.asker)
        chosen.given.set_result(place)

    def _order(self, asker: Asker) -> tuple[int, int, int]:
        """Return what is compared of those who wait: the least is served first."""
        served = self._served
        return asker.urgency, served.get(asker.name, 0), served.get((asker.name, asker.member), 0)

    def _remember(self, asker: Asker) -> None:
        turn = next(self._turns)
        for name in (asker.name, (asker.name, asker.member)):
            self._served.pop(name, None)
            self._served[name] = turn
            if len(self._served) > MOST_REMEMBERED:
                del self._served[next(iter(self._served))]


class TaskFailed(KemuError, code="study-failed"):
    """Raised when a task failed, or its process ended or took too long; `reason` is for the log."""

    def __init__(self, reason: str) -> None:
        super().__init__("This could not be worked out; try again.")
        self.reason = reason


class TaskRefused(KemuError):
    """Raised when a task refused its question; it has the code and the sentence of the task's error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        vars(self)["code"] = code


class Service(NamedTuple):
    """A class of service: how many processes it has, and how far behind others they stand."""

    processes: int
    niceness: int = 0


class WorkerPool:
    """Worker processes for each class of service, started when first needed."""

    def __init__(self, services: Mapping[str, Service], seconds: float) -> None:
        """`seconds` is the longest time that a worker may take for one answer."""
        self._services = {name: _ServiceWorkers(service, seconds) for name, service in services.items()}
        self._warming: asyncio.Task[None] | None = None

    def warm(self) -> None:
        """Compile the engines in a process of its own; until that is done, questions wait."""
        self._warming = asyncio.get_running_loop().create_task(compile_engines())

    def waiting(self, service: str, asker: Asker) -> int:
        """Return how many questions of an asker wait for a process."""
        return self._services[service].queue.waiting(asker)

    async def ask(self, task: Task[Q, A], question: Q, asker: Asker) -> A:
        """Return the first answer to a question; any process of the service may give it. Raises like `stream`.

        A question whose asker is cancelled is dropped while it waits. If it is being answered, nobody gets the answer.
        """
        async with aclosing(self._answers(task, question, asker, None)) as answers:
            return await anext(answers)

    async def stream(self, task: Task[Q, A], question: Q, asker: Asker) -> AsyncGenerator[A, None]:
        """Yield the answers to a question one after the other; close the generator to end the work.

        The stream is worked on only while its next answer is asked for. If the process ends because of another stream,
        the task begins again; if it ends in a step of this one, once.

        Raises TaskRefused with the task's own code and sentence, and TaskFailed if the task failed, or the process
        ended in a step of it or took too long.
        """
        workers = self._services[task.service]
        place = min(range(len(workers.streams)), key=workers.streams.__getitem__)
        workers.streams[place] += 1
        try:
            async with aclosing(self._answers(task, question, asker, place)) as answers:
                async for answer in answers:
                    yield answer
        finally:
            workers.streams[place] -= 1

    async def _answers(self, task: Task[Q, A], question: Q, asker: Asker, place: int | None) -> AsyncGenerator[A, None]:
        """Yield the answers from the process of a place, or only the first from any place."""
        workers, name, ends = self._services[task.service], secrets.token_hex(8), 0
        first = Request(name, task.path, Raw(msgspec.json.encode(question)), is_last=place is None)
        request = first
        if self._warming is not None:
            await asyncio.shield(self._warming)
        try:
            while True:
                reply = await workers.step(request, asker, place)
                if reply.answer is not UNSET:
                    yield msgspec.json.decode(reply.answer, type=task.answer)
                    request = Request(name)
                    continue
                ends += reply.code == WORKER_ENDED
                if ends > MOST_ENDS or (reply.fault and not reply.code):
                    raise TaskFailed(reply.fault)
                if reply.code in (UNKNOWN_STREAM, WORKER_ENDED):
                    request = first
                elif reply.code:
                    raise TaskRefused(reply.code, reply.message)
                else:
                    return
        except TaskFailed as error:
            log.error("task failed", extra={"reason": f"{task.path}: {error.reason}"})
            raise
        finally:
            if place is not None:
                workers.closed[place].append(name)

    async def close(self) -> None:
        """End all processes."""
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.gather(self._warming, return_exceptions=True)
        await asyncio.gather(*(workers.close() for workers in self._services.values()))


class _ServiceWorkers:
    """The processes of one service, each in its place, and the queue for these places."""

    def __init__(self, service: Service, seconds: float) -> None:
        count = service.processes or default_processes()
        self.queue = FairQueue(count)
        self.streams = [0] * count  # open ones, by place
        self.closed: list[list[str]] = [[] for _ in range(count)]  # streams of which a process is still to be told
        self._processes: list[_WorkerProcess | None] = [None] * count
        self._niceness = service.niceness
        self._seconds = seconds
        self._steps: set[asyncio.Task[Reply]] = set()

    async def step(self, request: Request, asker: Asker, place: int | None) -> Reply:
        """Return the next reply to a stream. A step whose asker is cancelled is finished, and nobody gets its reply."""
        given = await self.queue.enter(asker, place)
        step = asyncio.get_running_loop().create_task(self._step(given, request))
        self._steps.add(step)
        step.add_done_callback(self._done)
        return await asyncio.shield(step)

    async def close(self) -> None:
        """End the processes."""
        for step in self._steps:
            step.cancel()
        await asyncio.gather(*self._steps, return_exceptions=True)
        await asyncio.gather(*(process.end() for process in self._processes if process is not None))

    def _done(self, step: "asyncio.Task[Reply]") -> None:
        self._steps.discard(step)
        if not step.cancelled():
            step.exception()  # the asker has it, or has gone away

    async def _step(self, place: int, request: Request) -> Reply:
        process = self._processes[place]
        try:
            if process is None:
                process = self._processes[place] = await _start(self._niceness)
            closed, self.closed[place] = self.closed[place], []
            async with asyncio.timeout(self._seconds):
                line = await process.exchange(msgspec.json.encode(msgspec.structs.replace(request, closed=closed)))
            return msgspec.json.decode(line, type=Reply)
        except (TimeoutError, OSError, ValueError) as error:
            self._processes[place] = None
            reason = type(error).__name__ if process is None else await process.end()
            if isinstance(error, TimeoutError):
                raise TaskFailed("took too long") from None
            return Reply(code=WORKER_ENDED, fault=reason)
        finally:
            self.queue.leave(place)


class _WorkerProcess:
    """One process that answers a line for each line that it is sent.

    What it prints on its standard error is lost, because it may hold cards or names; a task that fails tells its place
    by its reply.
    """

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None, "a worker has pipes"
        assert process.stdout is not None, "a worker has pipes"
        self._process, self._stdin, self._stdout = process, process.stdin, process.stdout

    async def exchange(self, line: bytes) -> bytes:
        """Return the answer to a line; raises ValueError if there is none, OSError if the process has ended."""
        self._stdin.write(line + b"\n")
        await self._stdin.drain()
        answer = await self._stdout.readline()
        if not answer:
            raise ValueError("the worker ended")
        return answer

    async def end(self) -> str:
        """End the process if it has not ended, and return how it ended, for the log."""
        if self._process.returncode is None and not self._stdout.at_eof():
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        code = await self._process.wait()
        return f"signal {-code}" if code < 0 else f"exit code {code}"


async def _start(niceness: int) -> _WorkerProcess:
    command = (sys.executable, "-m", "kemu.work.worker", str(niceness))
    return _WorkerProcess(
        await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=MOST_LINE_BYTES)
    )


def default_processes() -> int:
    """Return one for each core but one, which is left to the server itself; at least one."""
    return max(1, (os.cpu_count() or 1) - 1)


async def compile_engines() -> None:
    """Run `kemu.bots.warm`; if it fails, bots are slower at first and that is all."""
    command = (sys.executable, "-m", "kemu.bots.warm")
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL)
    try:
        if code := await process.wait():
            log.warning("engines not compiled", extra={"reason": f"exit code {code} of {' '.join(command[1:])}"})
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
