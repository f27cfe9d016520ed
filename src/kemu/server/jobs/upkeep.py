"""What a server process does every few seconds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from kemu.server.live.match import MatchRegistry
from kemu.server.ratings import rating_of
from kemu.server.runtime import PROCESS_TIMEOUT_MS, now_ms
from kemu.storage.errors import UnreadableMatch
from kemu.storage.store import Store

INTERVAL_SECONDS: Final = 5.0

RARE: Final = 60
"""How many rounds there are between two in which what is not urgent is done as well."""

log = logging.getLogger(__name__)


class Upkeep:
    """Sends the heartbeat, takes over from dead processes, rates what was not rated, and does what was added."""

    def __init__(
        self,
        store: Store,
        live: MatchRegistry,
        each: Sequence[Callable[[int], None]],
        rare: Sequence[Callable[[], Awaitable[None]]],
    ) -> None:
        """`each` is done each time, with the time in ms, and `rare` every few minutes."""
        self._store = store
        self._live = live
        self._each = each
        self._rare = rare
        self._times = 0

    async def run(self) -> None:
        """Do the upkeep again and again; a failure is logged."""
        while True:
            await asyncio.sleep(INTERVAL_SECONDS)
            try:
                await self.run_once()
            except Exception as error:
                log.warning("upkeep failed", exc_info=error)

    async def run_once(self) -> None:
        """Do the upkeep now."""
        now = now_ms()
        self._live.keep_alive(now)
        for match in await self._store.matches.claim_unowned(now, now - PROCESS_TIMEOUT_MS):
            self._live.take_over(match)
        for match in await self._store.matches.unrated():
            await self._rate(match)
        for each in self._each:
            each(now)
        self._times += 1
        if self._times % RARE == 0:
            for work in self._rare:
                await work()

    async def _rate(self, match: str) -> None:
        """Rate a match of an earlier version, or one that was imported; one that cannot be read is left alone."""
        try:
            rating = rating_of(await (await self._live.find(match)).current())
        except UnreadableMatch:  # it is in the log already
            return
        if rating is not None:
            await self._store.players.rate(match, rating)
