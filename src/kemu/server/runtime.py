"""Shared parts of a server process: settings, store, background tasks, counters, and limits.

A limit is an allowance for each socket, address or name, one thing at a time for each, or a number of open files.
"""

import asyncio
import contextlib
import logging
import sys
import time
from asyncio import Task
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar
from weakref import WeakValueDictionary

from kemu.core.errors import KemuError
from kemu.server.settings import Settings
from kemu.storage.store import Store

if sys.platform != "win32":  # which has no limit of open files
    import resource

UNLIMITED: Final = 100_000
"""Assumed limit of open files where the system has none."""

MOST_NAMES: Final = 10_000
"""How many names are kept before those with a full allowance are dropped, and the oldest of more than half as many."""


class TooMany(KemuError, code="too-many"):
    """A limit was reached."""


class AnalysisAsker(NamedTuple):
    """The asker of an analysis: a player, or an address for visitors without a session, and from which address."""

    player: str
    address: str


class Allowance:
    """A number of acts a second, of which some may be saved up: as many as in two seconds unless said otherwise."""

    __slots__ = ("_left", "_most", "_rate", "_since")

    def __init__(self, rate: float, now: float, most: float | None = None) -> None:
        self._rate = rate
        self._most = 2.0 * rate if most is None else most
        self._left = self._most
        self._since = now

    def spend(self, now: float) -> bool:
        """Count one act and return whether it is allowed."""
        left = min(self._most, self._left + (now - self._since) * self._rate)
        allowed = left >= 1
        self._since, self._left = now, left - allowed
        return allowed

    def refund(self) -> None:
        """Count the last one as not done."""
        self._left += 1

    def full(self, now: float) -> bool:
        """Return whether everything is saved up again, so that it can be forgotten."""
        return self._left + (now - self._since) * self._rate >= self._most


class Rates:
    """An allowance for each name: a number of acts a minute, all of which may be done at once."""

    def __init__(self, per_minute: float, clock: Callable[[], float] = monotonic, most: float | None = None) -> None:
        self._rate = per_minute / 60
        self._most = per_minute if most is None else most
        self._clock = clock
        self._allowances: dict[str, Allowance] = {}

    def spend(self, name: str, refusal: str) -> None:
        """Count one act of this name. Raises TooMany with the sentence of refusal if it was one too many."""
        now = self._clock()
        if len(self._allowances) > MOST_NAMES:
            used = [(name, one) for name, one in self._allowances.items() if not one.full(now)]
            self._allowances = dict(used[-MOST_NAMES // 2 :])  # the names may be made up to fill the memory
        allowance = self._allowances.get(name)
        if allowance is None:
            allowance = self._allowances[name] = Allowance(self._rate, now, self._most)
        if not allowance.spend(now):
            raise TooMany(refusal)

    def refund(self, name: str) -> None:
        """Count the last act of this name as not done."""
        if name in self._allowances:
            self._allowances[name].refund()


K = TypeVar("K", bound=Hashable)


class OpenCounts(Counter[K]):
    """Numbers of what is open, by player, address or seat; a name of which nothing is left takes no memory."""

    def leave(self, name: K) -> None:
        """Count one less of a name."""
        self[name] -= 1
        if not self[name]:
            del self[name]


class Turns:
    """Lets each player or address do one thing at a time.

    Else requests sent at once would all be counted before any is done, or take all threads.
    """

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Lock:
        """Return the lock to hold while something of this player or address is done."""
        return self._locks.setdefault(name, asyncio.Lock())


def descriptor_limit() -> int:
    """Return how many files and connections this process may have open."""
    if sys.platform == "win32":
        return UNLIMITED
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return UNLIMITED if limit == resource.RLIM_INFINITY else limit


def raise_descriptor_limit() -> None:
    """Let this process and its workers open as many as the system allows."""
    if sys.platform != "win32":
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(ValueError, OSError):  # macOS names a limit that it does not accept
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


PROCESS_TIMEOUT_MS: Final = 15_000
"""How long a process may send nothing before the others take it for dead."""

log = logging.getLogger(__name__)


def now_ms() -> int:
    """Return the time that clocks, entries and frames use: whole milliseconds since 1970."""
    return time.time_ns() // 1_000_000


@dataclass
class Counters:
    """Counters of the metrics; http/routes/operation.py explains each."""

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


class Addresses:
    """The address from which this process last saw each player, for as many players as fit."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}

    def note(self, player: str, address: str) -> None:
        """Take note of where a player is."""
        if self._known.get(player) != address:
            self._known.pop(player, None)
            self._known[player] = address
            if len(self._known) > MOST_NAMES:
                del self._known[next(iter(self._known))]

    def find(self, player: str) -> str:
        """Return the address of a player; the player's own id if it is not known."""
        return self._known.get(player, player)


class Runtime(NamedTuple):
    """The parts that the registry, the connections, the jobs and the routes have in common."""

    settings: Settings
    store: Store
    tasks: BackgroundTasks
    counters: Counters
    addresses: Addresses
