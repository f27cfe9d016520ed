"""What is done with finished matches: the explorer's index and the results of players are filled, each match once."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Final, TypeAlias

from kemu.analysis.explorer import Play, Tally, plays
from kemu.games import manifest
from kemu.people.results import EndedMatch, Result, results_of
from kemu.play.table import Table
from kemu.server.jobs import is_bots_only
from kemu.server.live.match import MatchRegistry
from kemu.server.runtime import Addresses, Runtime
from kemu.storage.errors import StoreUnavailable
from kemu.storage.explorer import TallyRow
from kemu.storage.matches import Work

BATCH: Final = 20
"""How many matches are looked for at once."""

PAUSE_SECONDS: Final = 0.1
"""Between two matches: one takes about 20 ms of this process, and players go first."""

RETRY_SECONDS: Final = 5.0
"""How long to wait for a database that is away."""

Job: TypeAlias = Callable[[str, Table | None], Awaitable[object]]
"""Does its work on a match that waits for it; without a table on one that cannot be read."""

log = logging.getLogger(__name__)


class FinishedMatches:
    """Looks after finished matches, one after the other, beside all else."""

    def __init__(self, runtime: Runtime, matches: MatchRegistry) -> None:
        self._store = runtime.store
        self._matches = matches
        self._tasks = runtime.tasks
        self._addresses = runtime.addresses
        self._wake = asyncio.Event()
        self._jobs: Mapping[Work, Job] = {"count": self._count, "explore": self._explore}

    def open(self) -> None:
        """Begin with the matches that wait from before."""
        self._wake.set()
        self._tasks.start(self._run())

    def entry_saved(self, before: Table | None, after: Table) -> None:
        """Wake up if an entry of this process ended a match."""
        if after.outcome is not None and before is not None and before.outcome is None:
            self._wake.set()

    async def _run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self.run_once()
            except StoreUnavailable as error:
                log.warning("finished matches wait", exc_info=error)
                self._wake.set()
                await asyncio.sleep(RETRY_SECONDS)

    async def run_once(self) -> None:
        """Look after all finished matches that wait. Raises StoreUnavailable."""
        while await self._run_batch():
            pass

    async def _run_batch(self) -> bool:
        """Look after some matches; return False if none waits for any job."""
        some = False
        for work, job in self._jobs.items():
            for match in await self._store.matches.pending(work, BATCH):
                some = True
                await job(match, await self._table(match))
                await asyncio.sleep(PAUSE_SECONDS)
        return some

    async def _table(self, match: str) -> Table | None:
        try:
            return (await self._matches.find(match)).document
        except StoreUnavailable:
            raise
        except Exception as error:  # the others are looked after
            log.warning("match cannot be read", exc_info=error)
            return None

    async def _count(self, match: str, table: Table | None) -> None:
        await self._store.results.add(match, [] if table is None else match_results(table, self._addresses))

    async def _explore(self, match: str, table: Table | None) -> None:
        tallies: list[TallyRow] = []
        try:
            tallies = [] if table is None else await asyncio.to_thread(match_tallies, table)
        except Exception as error:
            log.warning("match is not explored", exc_info=error)
        await self._store.explorer.add_explored(match, tallies)


def match_results(table: Table, addresses: Addresses) -> list[Result]:
    """Return what a finished match adds to the results of its players; who gave up has lost."""
    outcome = table.outcome
    if outcome is None or table.status != "finished":
        return []
    seated = [table.gave_up.get(seat, player) for seat, player in enumerate(table.players)]
    seats = [player for player in seated if player is not None]
    people = [player.id for player in seats if player.kind == "person"]
    together = len(people) == 2 and len({addresses.find(player) for player in people}) == 1
    return results_of(EndedMatch(table.terms.game, seats, outcome.winners, table.terms.rated, together))


def match_tallies(table: Table) -> list[TallyRow]:
    """Return what a finished match adds to the index in each scope; empty if the game has no explorer."""
    outcome = table.outcome
    if outcome is None or table.status != "finished" or manifest(table.terms.game).hidden:
        return []
    totals: dict[Play, Tally] = {}
    for play, tally in plays(table.game, table.record().actions, outcome):
        totals[play] = totals.get(play, Tally()) + tally
    return [TallyRow(scope, *play, *tally) for scope in sorted(set(_scopes(table))) for play, tally in totals.items()]


def _scopes(table: Table) -> Iterator[str]:
    """Yield the scopes of a match, those of the players by their ids; nobody alone at a screen plays for the public."""
    people = [player.id for player in table.players if player is not None and player.kind == "person"]
    if table.terms.public and len(set(people)) == len(people):
        yield "public"
    if is_bots_only(table.players):
        yield "bots"
    yield from people
