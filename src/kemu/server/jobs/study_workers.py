"""Reviews and analyses in worker processes of low priority, step by step, with a fair share for each address.

A stream is one task of one player. It is worked on only while somebody asks for its next document, and a worker takes a
step of each address in turn, and of its streams one after the other, so that nobody waits for all that another has
asked, as however many guests they come.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Final, NamedTuple, TypeAlias

import msgspec
from msgspec import Struct

from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.server.jobs.bot_workers import default_workers
from kemu.server.jobs.fair_queue import FairQueue, Urgency
from kemu.server.jobs.study_worker import TASKS, UNKNOWN_STREAM
from kemu.server.jobs.worker_process import WorkerProcess, start_worker
from kemu.server.limits import StudyAsker, TooMany
from kemu.server.settings import Settings

WORKER_ENDED: Final = "worker-ended"
"""The code for a step in which the process ended, which may have been killed before it."""

MOST_ENDS: Final = 1
"""So often a task begins again after the process ended in a step of it."""

Check: TypeAlias = Callable[[str, str], Awaitable[None]]

FAILED_SENTENCE: Final = "This could not be worked out; try again."

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
    fault: str = ""  # where the task failed, for the log

    @property
    def is_last(self) -> bool:
        """Whether nothing follows; a stream whose process has ended begins again."""
        return self.document is None and self.code not in (UNKNOWN_STREAM, WORKER_ENDED)


class StudyLimits(NamedTuple):
    """How many streams may be open at once."""

    per_player: int
    per_address: int


class StudyWorkers:
    """A few worker processes, started when first needed and replaced when they fail."""

    def __init__(self, settings: Settings, ready: Callable[[], Awaitable[None]], fair: Check) -> None:
        """`ready` returns when the engines are compiled; `fair` is called with a player and the key of a game."""
        self._most = StudyLimits(settings.study_streams_per_player, settings.study_streams_per_address)
        self._workers = [_StudyWorker(settings.bot_seconds) for _ in range(settings.study_workers or default_workers())]
        self._players: Counter[str] = Counter()  # open streams
        self._addresses: Counter[str] = Counter()
        self._ready = ready
        self._fair = fair

    async def stream(self, task: str, question: Document, asker: StudyAsker) -> AsyncGenerator[Document, None]:
        """The documents of a task, one after the other; close the generator to end the work.

        If the worker ends because of another stream, the task begins again; if it ends in a step of this one, once.

        Raises MatchRunning for help in a rated match, TooMany if the player or address has too many open streams,
        StudyRefused with the task's own code and sentence, and StudyFailed if the task failed, or the worker ended in
        a step of it or took too long.
        """
        await self.check(asker, question.get("record", question).get("game", ""))
        self._begin(asker)
        worker = min(self._workers, key=lambda each: each.streams)
        worker.streams += 1
        name = secrets.token_hex(8)
        first: Document = {"stream": name, "task": TASKS[task], "question": question}
        request, ends = first, 0
        try:
            await self._ready()
            while not (answer := await worker.ask(request, asker.address)).is_last:
                request = {"stream": name} if answer.document is not None else first
                ends += answer.code == WORKER_ENDED
                if ends > MOST_ENDS:
                    raise StudyFailed(FAILED_SENTENCE)
                if answer.document is not None:
                    yield answer.document
            if answer.fault:
                log.error("study failed", extra={"reason": answer.fault})
                raise StudyFailed(FAILED_SENTENCE)
            if answer.code:
                raise StudyRefused(answer.code, answer.message)
        finally:
            worker.close_stream(name)
            self._end(asker)

    async def check(self, asker: StudyAsker, game: str) -> None:
        """Raise MatchRunning if this would be help in a rated match."""
        await self._fair(asker.player, game)

    def _begin(self, asker: StudyAsker) -> None:
        """Count one more stream, or raise TooMany."""
        if self._players[asker.player] >= self._most.per_player:
            raise TooMany("You study as much at once as you may; close another page.")
        if self._addresses[asker.address] >= self._most.per_address:
            raise TooMany("Too many study at once from your address; try again later.")
        self._players[asker.player] += 1
        self._addresses[asker.address] += 1

    def _end(self, asker: StudyAsker) -> None:
        for counter, name in ((self._players, asker.player), (self._addresses, asker.address)):
            counter[name] -= 1
            if not counter[name]:
                del counter[name]

    async def close(self) -> None:
        """End all workers."""
        await asyncio.gather(*(worker.close() for worker in self._workers))


class _StudyWorker:
    """A process, and the queue of the addresses that wait for its next step."""

    def __init__(self, seconds: float) -> None:
        self.streams = 0
        self._seconds = seconds
        self._queue = FairQueue(1)
        self._process: WorkerProcess | None = None
        self._steps: set[asyncio.Task[_Answer]] = set()  # the one under way
        self._closed: list[str] = []  # streams of which the process is still to be told

    async def ask(self, request: Document, address: str) -> _Answer:
        """The next document of a stream. A step whose asker is cancelled is finished, and nobody gets its document."""
        await self._queue.enter(address, Urgency.HELP)
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
        except (TimeoutError, OSError, ValueError, msgspec.MsgspecError) as error:
            process, self._process = self._process, None
            reason = type(error).__name__ if process is None else await process.end(error)
            log.error("study failed", extra={"reason": reason})
            if isinstance(error, TimeoutError):
                raise StudyFailed(FAILED_SENTENCE) from None
            return _Answer(code=WORKER_ENDED)
        finally:
            self._queue.leave()
