"""Ends matches whose time is used up, at the process that owns them."""

import asyncio
import logging
from asyncio import TimerHandle
from typing import Final

from kemu.play.commands import CheckClock
from kemu.play.errors import TimeLeft
from kemu.play.terms import NoClock
from kemu.server.live.match import MatchActor, MatchRegistry
from kemu.server.runtime import BackgroundTasks, now_ms

RETRY_SECONDS: Final = 1.0
"""How long to wait before a clock is checked again that could not be checked, such as without a database."""

log = logging.getLogger(__name__)


class ClockScheduler:
    """A timer for each owned match whose clock runs."""

    def __init__(self, matches: MatchRegistry, tasks: BackgroundTasks) -> None:
        self._matches = matches
        self._tasks = tasks
        self._timers: dict[str, TimerHandle] = {}

    def close(self) -> None:
        """Cancel all timers."""
        for timer in self._timers.values():
            timer.cancel()

    def match_changed(self, match: MatchActor) -> None:
        """Set the timer of an owned match to its deadline."""
        terms, deadline = match.table.terms, match.table.deadline
        if type(terms.clock) is not NoClock:
            self._set_timer(terms.id, None if deadline is None else max(0, deadline - now_ms()) / 1000)

    def _set_timer(self, match: str, seconds: float | None) -> None:
        old = self._timers.pop(match, None)
        if old is not None:
            old.cancel()
        if seconds is not None:
            self._timers[match] = asyncio.get_running_loop().call_later(seconds, self._due, match)

    def _due(self, match: str) -> None:
        self._tasks.start(self._check(match))

    async def _check(self, match: str) -> None:
        try:
            found = await self._matches.find(match)
            try:
                await found.execute(CheckClock())
            except TimeLeft:  # the deadline has moved, or the match is over
                self.match_changed(found)
        except Exception as error:
            log.warning("clock not checked", exc_info=error)
            self._set_timer(match, RETRY_SECONDS)
