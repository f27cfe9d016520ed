"""The worker processes in which bots think; one that crashes or hangs is ended and replaced."""

import asyncio
import contextlib
import importlib
import logging
import os
import re
import sys
from asyncio import StreamReader
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from kemu.core.game import AnyGame, Seat
from kemu.play.clock import SECOND_MS, DayClock, GameClock
from kemu.play.table import Table
from kemu.server.jobs.fair_queue import FairQueue, Urgency

MOST_LINE_BYTES: Final = 4 * 1024 * 1024
"""The longest line that a worker may answer."""

KEPT_ERROR_BYTES: Final = 16 * 1024
"""How much of the end of a worker's standard error is kept."""

LEAST_LIMIT_MS: Final = 10
"""The least time that a bot is given for an action."""

_PLACE: Final = re.compile(r'^\s*File "(?:.*[/\\])?([^/\\"]+)", line (\d+), in (\S+)', re.MULTILINE)
_ERROR: Final = re.compile(r"^([A-Za-z_][\w.]*)(?::.*)?$", re.MULTILINE)

log = logging.getLogger(__name__)


class BotFailed(Exception):
    """A bot crashed, hung, or chose no legal action."""


class Question(Struct, frozen=True):
    """All that a bot may know when it chooses, for the worker."""

    source: str
    bot: str
    game: str
    options: dict[str, Any]
    view: Any
    log: list[str]
    actions: list[str]
    limit_ms: int | None = None  # the time that it may take
    want: Literal["action", "threats"] = "action"


class WorkerAnswer(Struct, frozen=True):
    """What a worker answers: the action and how long the bot thought, or the actions that win and those that stop."""

    action: str = ""
    spent_ms: int = 0
    wins: list[str] = []
    stops: list[str] = []


class Asker(NamedTuple):
    """The player whose turn in the queue a question takes, and how urgent it is."""

    player: str
    urgency: Urgency


class BotWorkers:
    """A few worker processes, started when first needed and replaced when they fail."""

    def __init__(self, source: str, workers: int, seconds: float) -> None:
        self._source = source
        self._seconds = seconds
        count = workers or default_workers()
        self.queue: Final = FairQueue(count)
        self._workers: set[_Worker] = set()  # all that run
        self._free: list[_Worker] = []
        self._thinking: set[asyncio.Task[WorkerAnswer]] = set()
        self._warming: asyncio.Task[None] | None = None

    def names(self, game: AnyGame) -> list[str]:
        """The bots that play this game, from the weakest to the strongest."""
        return list(importlib.import_module(self._source).bots(game))

    def default(self, game: AnyGame) -> str:
        """The bot that a newcomer meets in this game."""
        return str(importlib.import_module(self._source).default_bot(game))

    def question(self, table: Table, seat: Seat, bot: str, *, timed: bool = True) -> Question:
        """All that a bot at this seat may know; timed, it has a share of the seat's time to think."""
        game = table.game
        return Question(
            source=self._source,
            bot=bot,
            game=table.terms.game,
            options=table.terms.options,
            view=game.view(table.state, seat),
            log=[line for _, line in table.log(seat)],
            actions=[game.format(action) for action in game.actions(table.state)],
            limit_ms=thinking_time(table, seat) if timed else None,
        )

    def warm(self) -> None:
        """Compile the engines in a process of its own; until that is done, questions wait."""
        self._warming = asyncio.get_running_loop().create_task(_warm())

    async def choose(self, question: Question, asker: Asker) -> WorkerAnswer:
        """The legal action that a bot chooses, or BotFailed."""
        answer = await self.ask(question, asker)
        if answer.action not in question.actions:
            raise BotFailed(f"{question.bot}: no legal action")
        return answer

    async def ask(self, question: Question, asker: Asker) -> WorkerAnswer:
        """The answer to a question, or BotFailed.

        A question whose asker is cancelled is dropped if it waits; if it is being answered already, nobody gets the
        answer, but the worker goes on to the next question.
        """
        if self._warming is not None:
            await asyncio.shield(self._warming)
        await self.queue.enter(asker.player, asker.urgency)
        thinking = asyncio.get_running_loop().create_task(self._answer(question))
        self._thinking.add(thinking)
        thinking.add_done_callback(self._thought)
        return await asyncio.shield(thinking)

    def _thought(self, thinking: "asyncio.Task[WorkerAnswer]") -> None:
        self._thinking.discard(thinking)
        if not thinking.cancelled():
            thinking.exception()  # the asker has it, or has gone away

    async def _answer(self, question: Question) -> WorkerAnswer:
        worker: _Worker | None = None
        try:
            worker = self._free.pop() if self._free else await self._start()
            async with asyncio.timeout(self._seconds):
                answer = await worker.ask(question)
            self._free.append(worker)
        except (TimeoutError, OSError, ValueError) as error:
            reason = type(error).__name__ if worker is None else await self._end(worker, error)
            raise BotFailed(f"{question.bot}: {reason}") from None
        finally:
            self.queue.leave()
        return answer

    async def _start(self) -> "_Worker":
        worker = await _start()
        self._workers.add(worker)
        return worker

    async def _end(self, worker: "_Worker", error: Exception) -> str:
        """End a worker that failed; gives the reason for the log."""
        reason = await worker.end(error)
        self._workers.discard(worker)
        return reason

    async def close(self) -> None:
        """End all workers."""
        busy = [*self._thinking, *([self._warming] if self._warming else [])]
        for task in busy:
            task.cancel()
        await asyncio.gather(*busy, return_exceptions=True)
        for worker in self._workers:
            worker.kill()
        await asyncio.gather(*(worker.ended() for worker in self._workers))


class _Worker:
    """One process and the end of its standard error."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self._errors = b""
        self._reader = asyncio.get_running_loop().create_task(self._read_errors())

    async def ask(self, question: Question) -> WorkerAnswer:
        """The answer to a question; raises ValueError if there is none, OSError if the process has ended."""
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None, "a worker has pipes"
        assert stdout is not None, "a worker has pipes"
        stdin.write(msgspec.json.encode(question) + b"\n")
        await stdin.drain()
        line = await stdout.readline()
        if not line:
            raise ValueError("the worker ended")
        return msgspec.json.decode(line, type=WorkerAnswer)

    async def end(self, error: Exception) -> str:
        """End the process; gives the reason for the log."""
        hung = isinstance(error, TimeoutError)
        if hung:
            self.kill()
        code = await self.ended()
        return "took too long" if hung else describe_failure(self._errors.decode(errors="replace"), code)

    async def ended(self) -> int:
        """The exit code of the process when it has ended."""
        code = await self.process.wait()
        await self._reader
        return code

    def kill(self) -> None:
        """End the process at once."""
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()

    async def _read_errors(self) -> None:
        errors: StreamReader | None = self.process.stderr
        assert errors is not None, "a worker has pipes"
        while chunk := await errors.read(KEPT_ERROR_BYTES):
            self._errors = (self._errors + chunk)[-KEPT_ERROR_BYTES:]


def default_workers() -> int:
    """One for each core but one, which is left to the server itself; at least one."""
    return max(1, (os.cpu_count() or 1) - 1)


def thinking_time(table: Table, seat: Seat) -> int | None:
    """How many milliseconds of its time a seat may spend on one action; None if no time is counted.

    A twentieth of what is left and half of what the turn brings, but never more than half of what is left.
    """
    terms = table.terms.clock
    if not isinstance(terms, GameClock | DayClock):
        return None
    left = table.clock.left[seat]
    increment = terms.increment * SECOND_MS if isinstance(terms, GameClock) else 0
    return max(LEAST_LIMIT_MS, min(left // 2, left // 20 + increment // 2))


def describe_failure(errors: str, code: int) -> str:
    """Why a worker ended, from its standard error: the kind of the error and its place.

    Texts of errors and lines of code are left out, because they may hold cards or names.
    """
    ended = f"signal {-code}" if code < 0 else f"exit code {code}"
    places = _PLACE.findall(errors)
    kinds = _ERROR.findall(errors.strip().rpartition("\n")[2])
    if not places or not kinds:
        return ended
    file, line, function = places[-1]
    return f"{kinds[0]} in {function}, {file}, line {line} ({ended})"


async def _start() -> _Worker:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kemu.server.jobs.bot_worker"),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=MOST_LINE_BYTES,
    )
    return _Worker(process)


async def _warm() -> None:
    """Run `kemu.bots.warm`; if it fails, bots are slower at first and that is all."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kemu.bots.warm"), stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE
    )
    try:
        _, errors = await process.communicate()
        if process.returncode:
            log.warning("engines not compiled", extra={"reason": describe_failure(errors.decode(errors="replace"), 1)})
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
