"""Bots choose in processes of their own; one that crashes or hangs is ended, and the match goes on without it."""

import asyncio
import contextlib
import importlib
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from typing import Any

import msgspec
from msgspec import Struct

from kemu.core.game import AnyGame

LINE = 4 * 1024 * 1024
"""The longest line a worker may answer."""


class BotFailed(Exception):
    """A bot crashed, hung or answered nonsense."""


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
        self.source = source
        self._seconds = seconds
        self._free: asyncio.Queue[Process | None] = asyncio.Queue()
        for _ in range(workers):
            self._free.put_nowait(None)

    def names(self, game: AnyGame) -> list[str]:
        """The bots that play this game."""
        return list(importlib.import_module(self.source).bots(game))

    async def choose(self, question: Question) -> str:
        """The action of a bot, or BotFailed."""
        worker = await self._free.get()
        try:
            if worker is None or worker.returncode is not None:
                worker = await _start()
            async with asyncio.timeout(self._seconds):
                text = await _ask(worker, question)
        except (TimeoutError, OSError, ValueError) as error:
            _end(worker)
            worker = None
            raise BotFailed(f"{question.bot}: {type(error).__name__}") from None
        except BaseException:
            _end(worker)
            worker = None
            raise
        finally:
            self._free.put_nowait(worker)
        return text

    async def close(self) -> None:
        """End all workers that are free; the others end when their pipe closes."""
        while not self._free.empty():
            worker = self._free.get_nowait()
            _end(worker)
            if worker is not None:
                await worker.wait()


async def _start() -> Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "kemu.server.bot_worker", stdin=PIPE, stdout=PIPE, stderr=DEVNULL, limit=LINE
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
