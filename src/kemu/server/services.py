"""The parts of a server process: made from its settings, opened and closed together."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from kemu.server.auth.accounts import Accounts
from kemu.server.auth.identity import Identity
from kemu.server.challenges import ChallengeMatcher
from kemu.server.correspondence import PlanScheduler, Vacations
from kemu.server.finished import FinishedMatches
from kemu.server.groups import GroupAccounts
from kemu.server.jobs import Bots, BotScheduler, ClockScheduler, Upkeep
from kemu.server.live.analysis import Analyses
from kemu.server.live.connection import ConnectionBudget
from kemu.server.live.match import MatchRegistry
from kemu.server.live.match_notices import MatchNotices, Reminders, WaitingMatches
from kemu.server.live.notices import NoticeCenter
from kemu.server.live.sockets import MATCHES, STUDIES, TOURNAMENTS, ConnectionHandler, Registries
from kemu.server.live.study import StudyRegistry
from kemu.server.live.tournament import TournamentRegistry
from kemu.server.outbound.push import Push
from kemu.server.outbound.webhooks import Webhooks
from kemu.server.removal import PlayerRemoval
from kemu.server.runtime import Addresses, BackgroundTasks, Counters, Rates, Runtime, Turns, now_ms
from kemu.server.settings import Settings
from kemu.server.tournaments import TournamentJobs
from kemu.storage.errors import StoreUnavailable
from kemu.storage.store import Store
from kemu.work.pool import Service, WorkerPool

RETRY_SECONDS: Final = 1.0
"""How long a worker that starts waits before it asks the database again."""

NICENESS: Final = 10
"""How far reviews and analyses stand behind bots and the server itself."""

REVIEWS_KEPT_MS: Final = 180 * 24 * 60 * 60 * 1000
"""How long a review is kept; it can be made again."""

log = logging.getLogger(__name__)


class Services:
    """All parts of a server process, wired together; route handlers are given them."""

    def __init__(self, settings: Settings) -> None:
        store = Store(settings.database_url)
        self.failure: BaseException | None = None  # why the server could not be opened
        self.runtime = Runtime(settings, store, BackgroundTasks(), Counters(), Addresses())
        self.identity = Identity(store, secure=settings.secure_cookies)
        self.accounts = Accounts(store, self.identity, Rates(settings.sign_ins_per_minute))
        self.request_rates = Rates(60 * settings.requests_per_second, most=2 * settings.requests_per_second)
        self.visitor_rates = Rates(settings.visitors_per_minute)
        self.study_rates = Rates(settings.studies_per_minute)
        self.turns = Turns()
        self.registry = MatchRegistry(self.runtime)
        self.waiting = WaitingMatches(store, self.registry)
        self.notices = NoticeCenter(self.runtime, self.waiting)
        self.push = Push(self.runtime)
        self.notices.subscribe(self.push.alerted)
        self.studies = StudyRegistry(self.runtime)
        self.tournaments = TournamentRegistry(self.runtime)
        self.tournament_jobs = TournamentJobs(self.tournaments, self.registry, self.notices, self.runtime)
        self.budget = ConnectionBudget(settings)
        workers = {"play": Service(settings.bot_workers), "analysis": Service(settings.analysis_workers, NICENESS)}
        self.pool = WorkerPool(workers, settings.bot_seconds)
        self.bots = Bots(settings.bots, self.pool)
        self.analyses = Analyses(self.pool, self.runtime)
        documents: Registries = {MATCHES: self.registry, STUDIES: self.studies, TOURNAMENTS: self.tournaments}
        self.connections = ConnectionHandler(
            self.runtime, self.identity, self.budget, documents, self.analyses, self.notices
        )
        self.bot_scheduler = BotScheduler(self.bots, self.registry, self.runtime)
        self.plan_scheduler = PlanScheduler(self.registry, self.runtime)
        self.vacations = Vacations(self.registry, self.runtime)
        match_notices = MatchNotices(self.notices, self.registry, self.runtime)
        self.challenges = ChallengeMatcher(self.runtime, self.registry, self.notices, match_notices)
        self.challenges.subscribe(Webhooks(self.runtime).challenge_made)
        self._clocks = ClockScheduler(self.registry, self.runtime.tasks)
        self.removal = PlayerRemoval(self.runtime, self.registry, self.studies, self.identity)
        self.groups = GroupAccounts(store, self.identity, self.accounts, self.removal)
        unloading = (
            *(self.registry.unload_idle, self.studies.unload_idle, self.tournaments.unload_idle),
            self.challenges.keep_leases,
        )
        pruning = (
            *(self.identity.prune, self._prune_reviews, self.notices.prune, self.groups.prune, self.removal.run),
            *(self.vacations.run, self.challenges.prune, self.connections.check_credentials),
            Reminders(self.notices, self.runtime).run,
        )
        self.upkeep = Upkeep(store, self.registry, unloading, pruning, [self.tournament_jobs.run_once])
        self.finished = FinishedMatches(self.runtime, self.registry)
        self.registry.subscribe_saves(self.finished.entry_saved)
        self.registry.subscribe_saves(match_notices.entry_saved)
        self.registry.subscribe_saves(self.challenges.entry_saved)
        self.registry.subscribe_saves(self.tournament_jobs.match_saved)
        self.tournaments.subscribe_saves(self.tournament_jobs.entry_saved)
        self.registry.subscribe_changes(self._clocks.match_changed)
        self.registry.subscribe_changes(self.bot_scheduler.match_changed)
        self.registry.subscribe_changes(self.plan_scheduler.match_changed)

    async def open(self) -> None:
        """Open the store, and begin with the jobs and the connections. If that fails, nothing goes on running."""
        store, tasks = self.runtime.store, self.runtime.tasks
        try:
            for step in (store.open, store.reserve, self.identity.prune):
                await self._do_patiently(step)
            if self.runtime.settings.compile_engines:
                self.pool.warm()
            self.registry.open()
            await self._do_patiently(self.upkeep.run_once)
            tasks.start(self.upkeep.run())
            tasks.start(store.players.name_accounts())
            self.finished.open()
            self.connections.open()
        except BaseException as error:
            self.failure = error
            await tasks.close()
            await store.close()
            raise

    async def _do_patiently(self, step: Callable[[], Awaitable[None]]) -> None:
        """Do a step of the start; one of several workers waits for the database, or all of them would be ended."""
        while True:
            try:
                await step()
                return
            except StoreUnavailable as error:
                if not self.runtime.settings.handover:
                    raise
                log.warning("waiting for the database", exc_info=error)
            await asyncio.sleep(RETRY_SECONDS)

    async def _prune_reviews(self) -> None:
        await self.runtime.store.reviews.prune_reviews(now_ms() - REVIEWS_KEPT_MS)

    async def close(self) -> None:
        """End the connections and the jobs, finish writes, and leave the matches to other processes."""
        self.connections.close()
        self.registry.close()
        self._clocks.close()
        await self.runtime.tasks.close()
        await self.pool.close()
        await self.studies.close()
        await self.runtime.store.matches.release()
        await self.runtime.store.close()
