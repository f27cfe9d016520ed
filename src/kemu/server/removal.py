"""Removal of accounts, and of guests who will not come back: at once for themselves, then from match to match."""

import asyncio
import logging
from contextlib import suppress
from secrets import token_hex
from typing import Final

from kemu.core.errors import KemuError
from kemu.play.commands import Leave, Resign, SeatCommand
from kemu.server.auth.identity import Identity
from kemu.server.live.match import MatchActor, MatchRegistry
from kemu.server.live.study import StudyRegistry
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable
from kemu.studies.edits import UnknownStudy

DAY_MS: Final = 24 * 60 * 60 * 1000

PIECES: Final = 10
"""How many pieces of players are looked at in one run, for guests who will not come back."""

log = logging.getLogger(__name__)


class PlayerRemoval:
    """Removes players; what could not be done is tried again with the next run."""

    def __init__(self, runtime: Runtime, matches: MatchRegistry, studies: StudyRegistry, identity: Identity) -> None:
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._days = runtime.settings.guest_days
        self._matches = matches
        self._studies = studies
        self._identity = identity
        self._lock = asyncio.Lock()
        self._after = ""  # the last player who was looked at for leftovers

    async def remove(self, player: str, password: str | None = None) -> None:
        """Remove a player now, and go on in the background. Raises PasswordChanged if the password is another one."""
        ended = await self._store.removals.begin(player, now_ms(), password)
        self._identity.player_changed(player)
        self._identity.credentials_ended(ended)
        self._tasks.start(self._finish(player))

    async def run(self) -> None:
        """Go on with the players who are not yet removed, and begin with guests who did not come back."""
        for player in await self._store.removals.waiting():
            await self._finish(player)
        if self._days:
            await self._remove_unused(now_ms() - self._days * DAY_MS)

    async def _remove_unused(self, since: int) -> None:
        for _ in range(PIECES):
            found = await self._store.removals.unused(since, self._after)
            for guest in found.players:
                self._identity.credentials_ended(await self._store.removals.begin(guest, now_ms()))
            self._after = found.last
            if not self._after:
                return

    async def _finish(self, player: str) -> None:
        """Take a player from all matches; those that cannot be read or still run are left for the next time."""
        async with self._lock:
            await self._delete_studies(player)
            await self._leave_matches(player)

    async def _delete_studies(self, player: str) -> None:
        for study in await self._store.studies.studies(player):
            with suppress(UnknownStudy):  # another process was first
                await self._studies.delete(await self._studies.owned(study.id, player))

    async def _leave_matches(self, player: str) -> None:
        left, after = False, ""
        while rows := await self._store.removals.matches(player, after):
            for row in rows:
                after = row.terms.id
                left |= not await self._forget(after, player)
        if not left:
            await self._store.removals.end(player)

    async def _forget(self, match: str, player: str) -> bool:
        try:
            actor = await self._matches.find(match)
            await self._give_up(actor, player)
            if (await actor.current()).outcome is None and player in _people(actor):
                return False
            await self._store.removals.forget(match, player)
            self._matches.unload(match)  # it has the name in memory
        except StoreUnavailable:
            raise
        except Exception as error:  # the others are looked after
            log.warning("a player is not removed from a match", exc_info=error)
            return False
        return True

    async def _give_up(self, actor: MatchActor, player: str) -> None:
        """Leave a match before its start, resign one that runs."""
        table = await actor.current()
        if table.outcome is not None or player not in _people(actor):
            return
        try:
            if not table.started:
                await actor.execute(Leave(player))
                return
            for seat in table.seats(player):
                await actor.execute(SeatCommand(seat, player, Resign(token_hex(8))))
        except KemuError as error:
            log.info("a match is not given up", extra={"reason": error.code})


def _people(actor: MatchActor) -> set[str]:
    return {player.id for player in actor.document.players if player is not None}
