"""Bots choose in worker processes; one that crashes or hangs is ended, and the stand-in takes its seat."""

import asyncio
import contextlib
import importlib
import logging
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Any, Final

import msgspec
from msgspec import Struct

from kemu.core.errors import KemuError
from kemu.core.game import AnyGame, Seat
from kemu.play.commands import Act, Replace, SeatCommand
from kemu.play.table import Table
from kemu.play.terms import Player
from kemu.server.jobs.matches import LiveMatch, LiveMatches
from kemu.server.runtime import Runtime
from kemu.storage.errors import StoreUnavailable

MOST_LINE_BYTES: Final = 4 * 1024 * 1024
"""The longest line that a worker may answer."""

RETRY_SECONDS: Final = 1.0
"""How long to wait before the action of a bot is sent again that could not be saved."""

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


class BotWorkers:
    """A few worker processes, started when first needed and replaced when they fail."""

    def __init__(self, source: str, workers: int, seconds: float) -> None:
        self._source = source
        self._seconds = seconds
        self._free: asyncio.Queue[Process | None] = asyncio.Queue()
        for _ in range(workers):
            self._free.put_nowait(None)

    def names(self, game: AnyGame) -> list[str]:
        """The bots that play this game, from the weakest to the strongest."""
        return list(importlib.import_module(self._source).bots(game))

    def default(self, game: AnyGame) -> str:
        """The bot that a newcomer meets in this game."""
        return str(importlib.import_module(self._source).default_bot(game))

    def question(self, table: Table, seat: Seat, bot: str) -> Question:
        """All that a bot at this seat may know."""
        game = table.game
        return Question(
            source=self._source,
            bot=bot,
            game=table.terms.game,
            options=table.terms.options,
            view=game.view(table.state, seat),
            log=[line for _, line in table.log(seat)],
            actions=[game.format(action) for action in game.actions(table.state)],
        )

    async def choose(self, question: Question) -> str:
        """The text of the action that a bot chooses, or BotFailed."""
        worker = await self._free.get()
        try:
            if worker is None or worker.returncode is not None:
                worker = await _start()
            async with asyncio.timeout(self._seconds):
                action = await _ask(worker, question)
            if action not in question.actions:
                raise BotFailed(f"{question.bot}: no legal action")
        except (TimeoutError, OSError, ValueError) as error:
            _end(worker)
            worker = None
            raise BotFailed(f"{question.bot}: {type(error).__name__}") from None
        except BotFailed:
            raise
        except BaseException:
            _end(worker)
            worker = None
            raise
        finally:
            self._free.put_nowait(worker)
        return action

    async def close(self) -> None:
        """End all workers that are free; the others end when their pipe closes."""
        while not self._free.empty():
            worker = self._free.get_nowait()
            _end(worker)
            if worker is not None:
                await worker.wait()


class BotScheduler:
    """Lets the bots of owned matches act when it is their turn."""

    def __init__(self, workers: BotWorkers, matches: LiveMatches, runtime: Runtime) -> None:
        self._workers = workers
        self._matches = matches
        self._tasks = runtime.tasks
        self._counters = runtime.counters
        self._process = runtime.store.process
        self._asked: dict[str, tuple[int, str]] = {}  # by match, the version of the position and the bot that chooses

    def match_changed(self, match: LiveMatch) -> None:
        """Ask the bot whose turn it is, once for each position."""
        table = match.table
        if table.outcome is not None:
            self._asked.pop(table.terms.id, None)
            return
        seat, bot = table.turn, _bot_on_turn(table)
        if seat is None or bot is None or self._asked.get(table.terms.id) == (table.position, bot.id):
            return
        self._asked[table.terms.id] = (table.position, bot.id)
        self._tasks.start(self._play(table, seat, bot))

    async def _play(self, table: Table, seat: Seat, bot: Player) -> None:
        """Have a bot choose and act; if it fails, the stand-in takes its seat."""
        command: SeatCommand | Replace
        try:
            action = await self._workers.choose(self._workers.question(table, seat, bot.name))
            command = SeatCommand(seat, bot.id, Act(f"{self._process}-{table.version}", table.version, action))
        except BotFailed as error:
            self._counters.bot_failures += 1
            log.error("bot failed", extra={"reason": str(error)})
            command = Replace(seat)
        await self._execute(table.terms.id, command)

    async def _execute(self, match: str, command: SeatCommand | Replace) -> None:
        """Run a command as soon as the store is available; the match may have been unloaded in the meantime."""
        while True:
            try:
                await (await self._matches.find(match)).execute(command)
                return
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)
            except KemuError as error:  # an action was taken back, somebody resigned, or another process was first
                log.info("command of a bot refused", extra={"reason": error.code})
                return


def _bot_on_turn(table: Table) -> Player | None:
    player = None if table.turn is None or table.turn < 0 else table.players[table.turn]
    return player if player is not None and player.kind == "bot" else None


async def _start() -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "kemu.server.jobs.bot_worker",
        stdin=PIPE,
        stdout=PIPE,
        stderr=DEVNULL,
        limit=MOST_LINE_BYTES,
    )


async def _ask(worker: Process, question: Question) -> str:
    assert worker.stdin is not None, "a worker has pipes"
    assert worker.stdout is not None, "a worker has pipes"
    worker.stdin.write(msgspec.json.encode(question) + b"\n")
    await worker.stdin.drain()
    line = await worker.stdout.readline()
    if not line:
        raise ValueError("the worker ended")
    return str(msgspec.json.decode(line, type=dict[str, str])["action"])


def _end(worker: Process | None) -> None:
    if worker is not None and worker.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            worker.kill()
