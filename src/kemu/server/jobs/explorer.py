"""Fills the index of the explorer: each finished match is added once, and those of earlier versions in time."""

import asyncio
import logging
from collections.abc import Iterator
from typing import Final

from kemu.analysis.explorer import Play, Tally, plays
from kemu.core.errors import KemuError
from kemu.games import manifest
from kemu.play.table import Table
from kemu.server.jobs.bots import is_bots_only
from kemu.server.live.match import MatchRegistry
from kemu.server.runtime import BackgroundTasks
from kemu.storage.errors import StoreUnavailable
from kemu.storage.explorer import TallyRow
from kemu.storage.store import Store

PUBLIC: Final = "public"
BOTS: Final = "bots"
"""Scopes beside those of the players, which are their ids."""

BATCH: Final = 20
"""How many matches are looked for at once."""

PAUSE_SECONDS: Final = 0.1
"""Between two matches: one takes about 20 ms of this process, and players go first."""

RETRY_SECONDS: Final = 5.0
"""How long to wait for a database that is away."""

log = logging.getLogger(__name__)


class ExplorerJob:
    """Adds finished matches to the index, one after the other, beside all else."""

    def __init__(self, store: Store, matches: MatchRegistry, tasks: BackgroundTasks) -> None:
        self._store = store
        self._matches = matches
        self._tasks = tasks
        self._wake = asyncio.Event()

    def open(self) -> None:
        """Begin with the matches that were never added."""
        self._wake.set()
        self._tasks.start(self._run())

    def match_ended(self, match: str) -> None:
        """A match has ended in this process."""
        self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self.run_once()
            except StoreUnavailable as error:
                log.warning("explorer waits", exc_info=error)
                self._wake.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def run_once(self) -> None:
        """Add all finished matches that are missing. Raises StoreUnavailable."""
        while found := await self._store.explorer.unexplored(BATCH):
            for match in found:
                await self._add(match)
                await asyncio.sleep(PAUSE_SECONDS)

    async def _add(self, match: str) -> None:
        """Add a match; one that cannot be read counts as empty."""
        tallies: list[TallyRow] = []
        try:
            table = (await self._matches.find(match)).table
            tallies = await asyncio.to_thread(match_tallies, table)
        except StoreUnavailable:
            raise
        except KemuError as error:
            log.warning("match is not explored", exc_info=error)
        await self._store.explorer.add_explored(match, tallies)


def match_tallies(table: Table) -> list[TallyRow]:
    """What a finished match adds to the index in each scope; nothing if the game has no explorer."""
    outcome = table.outcome
    if outcome is None or table.status != "finished" or manifest(table.terms.game).hidden:
        return []
    totals: dict[Play, Tally] = {}
    for play, tally in plays(table.game, table.record().actions, outcome):
        totals[play] = totals.get(play, Tally()) + tally
    return [TallyRow(scope, *play, *tally) for scope in sorted(set(_scopes(table))) for play, tally in totals.items()]


def _scopes(table: Table) -> Iterator[str]:
    if table.terms.public:
        yield PUBLIC
    if is_bots_only(table.players):
        yield BOTS
    yield from (player.id for player in table.players if player is not None and player.kind == "person")
