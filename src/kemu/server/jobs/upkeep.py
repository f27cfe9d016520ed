"""What a server process does every few seconds."""

import asyncio
import logging
from typing import Final

from kemu.server.jobs.ratings import RatingJob
from kemu.server.realtime.presence import PROCESS_TIMEOUT_MS, PresenceTracker
from kemu.server.realtime.registry import MatchRegistry
from kemu.server.runtime import now_ms
from kemu.storage.store import Matches

INTERVAL_SECONDS: Final = 5.0

log = logging.getLogger(__name__)


class Upkeep:
    """Sends the heartbeat, takes over from dead processes, rates what was not rated, and unloads idle matches."""

    def __init__(
        self, matches: Matches, registry: MatchRegistry, presence: PresenceTracker, ratings: RatingJob
    ) -> None:
        self._matches = matches
        self._registry = registry
        self._presence = presence
        self._ratings = ratings

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
        self._presence.send_heartbeat()
        self._registry.update_presence(self._presence.drop_silent_processes(now))
        for match in await self._matches.claim_unowned(now, now - PROCESS_TIMEOUT_MS):
            self._registry.take_over(match)
        for match in await self._matches.unrated():
            await self._ratings.rate(await (await self._registry.find(match)).current())
        self._registry.unload_idle(now)
