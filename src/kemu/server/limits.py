"""Limits that keep one client from spoiling it for the others."""

from collections.abc import Callable

from kemu.core.errors import KemuError


class TooMany(KemuError):
    """A limit was reached."""

    code = "too-many"


class Rates:
    """So many requests a second for each name, with twice that saved up."""

    def __init__(self, rate: int, clock: Callable[[], float]) -> None:
        self._rate = rate
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def spend(self, name: str) -> bool:
        """Whether this name may go on; forgets those who have saved up everything."""
        now, most = self._clock(), 2.0 * self._rate
        allowance, before = self._left.get(name, (most, now))
        allowance = min(most, allowance + (now - before) * self._rate)
        if len(self._left) > 10_000:
            self._left = {key: left for key, left in self._left.items() if now - left[1] < 2}
        self._left[name] = (max(0.0, allowance - 1), now)
        return allowance >= 1
