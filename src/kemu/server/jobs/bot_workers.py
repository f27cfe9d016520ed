"""The worker processes in which bots think; one that crashes or hangs is ended and replaced."""

import asyncio
import importlib
import logging
import os
import sys
from asyncio.subprocess import DEVNULL, PIPE
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Struct

from kemu.core.game import AnyGame, Seat
from kemu.play.clock import SECOND_MS, DayClock, GameClock
from kemu.play.table import Table
from kemu.server.jobs.fair_queue import FairQueue, Urgency
from kemu.server.jobs.worker_process import WorkerProcess, describe_failure, start_worker

LEAST_LIMIT_MS: Final = 10
"""The least time that a bot is given for an action."""

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
    want: Literal["action", "threats", "rescue"] = "action"
    seat: Seat = 0  # that lost, for a rescue


class WorkerLine(Struct, frozen=True):
    """A line of a threat, as `engines.analysis.ThreatLine` with texts."""

    action: str
    cells: list[str]
    missing: list[str]
    reason: str


class WorkerAnswer(Struct, frozen=True):
    """What a worker answers: the action and how long the bot thought, or what it found of threats or a rescue."""

    action: str = ""
    spent_ms: int = 0
    wins: list[str] = []
    stops: list[str] = []  # of a rescue, what it takes
    lines: list[WorkerLine] = []
    ply: int | None = None  # of a rescue


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
        self._workers: set[WorkerProcess] = set()  # all that run
        self._free: list[WorkerProcess] = []
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

    async def compiled(self) -> None:
        """Wait until the engines are compiled, if that is under way."""
        if self._warming is not None:
            await asyncio.shield(self._warming)

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
        await self.compiled()
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
        worker: WorkerProcess | None = None
        try:
            worker = self._free.pop() if self._free else await self._start()
            async with asyncio.timeout(self._seconds):
                line = await worker.exchange(msgspec.json.encode(question))
            answer = msgspec.json.decode(line, type=WorkerAnswer)
            self._free.append(worker)
        except (TimeoutError, OSError, ValueError) as error:
            reason = type(error).__name__ if worker is None else await self._end(worker, error)
            raise BotFailed(f"{question.bot}: {reason}") from None
        finally:
            self.queue.leave()
        return answer

    async def _start(self) -> WorkerProcess:
        worker = await start_worker("kemu.server.jobs.bot_worker")
        self._workers.add(worker)
        return worker

    async def _end(self, worker: WorkerProcess, error: Exception) -> str:
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
