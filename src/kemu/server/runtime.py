"""What all parts of a server process share: its settings, its store, its background tasks and its counters."""

import asyncio
import logging
import time
from asyncio import Task
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from kemu.server.settings import Settings
from kemu.storage.store import Store

PROCESS_TIMEOUT_MS: Final = 15_000
"""How long a process may send nothing before the others take it for dead."""

log = logging.getLogger(__name__)


def now_ms() -> int:
    """Return the time that clocks, entries and frames use: whole milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass
class Counters:
    """What the metrics count; http/routes/operation.py explains each."""

    entries: int = 0
    refusals: int = 0
    taken: int = 0
    dropped: int = 0
    bot_failures: int = 0


class BackgroundTasks:
    """Coroutines that run beside the requests. A failure is logged and ends nothing else."""

    def __init__(self) -> None:
        self._tasks: set[Task[Any]] = set()
        self.closing = False  # whether `close` was called

    def start(self, work: Coroutine[Any, Any, Any]) -> Task[Any]:
        """Run a coroutine until it ends or the process closes; its task can be cancelled."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    async def close(self) -> None:
        """Cancel everything that still runs and wait for its end."""
        self.closing = True
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _ended(self, task: Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("background task failed", exc_info=task.exception())


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[Store]:
    """Open the store that the settings name, and close it in the end."""
    store = Store(settings.database_url)
    try:
        await store.open()
        yield store
    finally:
        await store.close()


class Runtime(NamedTuple):
    """The parts that the registry, the connections, the jobs and the routes have in common."""

    settings: Settings
    store: Store
    tasks: BackgroundTasks
    counters: Counters
