"""Limits: an allowance for each socket, address or name, one thing at a time for each, and the number of open files."""

import asyncio
import contextlib
import sys
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple
from weakref import WeakValueDictionary

from kemu.core.errors import KemuError

if sys.platform != "win32":  # which has no limit of open files
    import resource

UNLIMITED: Final = 100_000
"""What is taken for the limit of open files where the system has none."""

MOST_NAMES: Final = 10_000
"""How many names are kept before those with a full allowance are dropped, and the oldest of more than half as many."""


class TooMany(KemuError):
    """A limit was reached."""

    code = "too-many"


class AnalysisAsker(NamedTuple):
    """Who asks for an analysis: a player, or an address for visitors without a session, and from which address."""

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
