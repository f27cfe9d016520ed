"""Reviews and analyses in worker processes of low priority, step by step, with a fair share for each player.

A stream is one task of one player. It is worked on only while somebody asks for its next document, and a worker takes a
step of each player's streams in turn, so that nobody waits for all that another has asked.
"""

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable

import msgspec
from msgspec import Struct

from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.server.jobs.bot_workers import default_workers
from kemu.server.jobs.fair_queue import FairQueue, Urgency
from kemu.server.jobs.study_worker import TASKS
from kemu.server.jobs.worker_process import WorkerProcess, start_worker
from kemu.server.limits import TooMany
from kemu.server.settings import Settings

log = logging.getLogger(__name__)


class StudyFailed(KemuError):
    """The work on a stream failed; nothing else is lost."""

    code = "study-failed"


class StudyRefused(KemuError):
    """A task refused its question; it has the code of the task's error."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        vars(self)["code"] = code


class _Answer(Struct, frozen=True):
    """One line of a worker."""

    document: Document | None = None  # None: the stream has ended
    code: str = ""
    message: str = ""


class StudyWorkers:
    """A few worker processes, started when first needed and replaced when they fail."""

    def __init__(self, settings: Settings, ready: Callable[[], Awaitable[None]]) -> None:
        self._streams_per_player = settings.study_streams_per_player
        self._workers = [_StudyWorker(settings.bot_seconds) for _ in range(settings.study_workers or default_workers())]
        self._streams: dict[str, int] = {}  # open ones, by player
        self._ready = ready

    async def stream(self, task: str, question: Document, player: str) -> AsyncGenerator[Document, None]:
        """The documents of a task, one after the other; close the generator to end the work.

        Raises TooMany if the player has too many open streams, StudyRefused with the task's own code and sentence, and
        StudyFailed if the worker crashed or a step took too long.
        """
        if self._streams.get(player, 0) >= self._streams_per_player:
            raise TooMany("You study as much at once as you may; close another page.")
        self._streams[player] = self._streams.get(player, 0) + 1
        worker = min(self._workers, key=lambda each: each.streams)
        worker.streams += 1
        name = secrets.token_hex(8)
        request: Document = {"stream": name, "task": TASKS[task], "question": question}
        try:
            await self._ready()
            while (answer := await worker.ask(request, player)).document is not None:
                request = {"stream": name}
                yield answer.document
            if answer.code:
                raise StudyRefused(answer.code, answer.message)
        finally:
            worker.close_stream(name)
            self._streams[player] -= 1
            if not self._streams[player]:
                del self._streams[player]

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.close() for worker in self._workers))


class _StudyWorker:
    """A process, and the queue of the players who wait for its next step."""

    def __init__(self, seconds: float) -> None:
        self.streams = 0
        self._seconds = seconds
        self._queue = FairQueue(1)
        self._process: WorkerProcess | None = None
        self._steps: set[asyncio.Task[_Answer]] = set()  # the one under way
        self._closed: list[str] = []  # streams of which the process is still to be told

    async def ask(self, request: Document, player: str) -> _Answer:
        """The next document of a stream. A step whose asker is cancelled is finished, and nobody gets its document."""
        await self._queue.enter(player, Urgency.HELP)
        step = asyncio.get_running_loop().create_task(self._step(request))
        self._steps.add(step)
        step.add_done_callback(self._done)
        return await asyncio.shield(step)

    def close_stream(self, name: str) -> None:
        """Forget a stream; the process is told with the next request."""
        self.streams -= 1
        self._closed.append(name)

    async def close(self) -> None:
        """End the process."""
        for step in self._steps:
            step.cancel()
        await asyncio.gather(*self._steps, return_exceptions=True)
        if self._process is not None:
            self._process.kill()
            await self._process.ended()

    def _done(self, step: "asyncio.Task[_Answer]") -> None:
        self._steps.discard(step)
        if not step.cancelled():
            step.exception()  # the asker has it, or has gone away

    async def _step(self, request: Document) -> _Answer:
        try:
            if self._process is None:
                self._process = await start_worker("kemu.server.jobs.study_worker")
            closed, self._closed = self._closed, []
            async with asyncio.timeout(self._seconds):
                line = await self._process.exchange(msgspec.json.encode({**request, "closed": closed}))
            return msgspec.json.decode(line, type=_Answer)
        except (TimeoutError, OSError, ValueError) as error:
            process, self._process = self._process, None
            reason = type(error).__name__ if process is None else await process.end(error)
            log.error("study failed", extra={"reason": reason})
            raise StudyFailed("This could not be worked out; try again.") from None
        finally:
            self._queue.leave()
