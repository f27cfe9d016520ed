"""Rate limits: a token bucket for each socket, and one for each address or name."""

from collections.abc import Callable
from typing import Final

from kemu.core.errors import KemuError

MOST_NAMES: Final = 10_000
"""How many names are kept before those with a full allowance are dropped."""


class TooMany(KemuError):
    """A limit was reached."""

    code = "too-many"


class Allowance:
    """So many acts a second, with twice that saved up."""

    __slots__ = ("_left", "_rate", "_since")

    def __init__(self, rate: int, now: float) -> None:
        self._rate = rate
        self._left = 2.0 * rate
        self._since = now

    def spend(self, now: float) -> bool:
        """Whether one more is allowed."""
        left = self._left + (now - self._since) * self._rate
        most = 2.0 * self._rate
        self._since = now
        self._left = (left if left < most else most) - 1
        if self._left >= 0:
            return True
        self._left = 0.0
        return False

    def full(self, now: float) -> bool:
        """Whether everything is saved up again, so that it can be forgotten."""
        return now - self._since >= 2


class Rates:
    """An allowance for each name."""

    def __init__(self, rate: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._allowances: dict[str, Allowance] = {}

    def spend(self, name: str) -> bool:
        """Whether this name may go on."""
        now = self._clock()
        if len(self._allowances) > MOST_NAMES:
            self._allowances = {name: one for name, one in self._allowances.items() if not one.full(now)}
        allowance = self._allowances.get(name)
        if allowance is None:
            allowance = self._allowances[name] = Allowance(self._rate, now)
        return allowance.spend(now)
