"""Background jobs of a server process: bots act, clocks end matches, and regular upkeep."""

import asyncio
import importlib
import logging
from asyncio import TimerHandle
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final

from kemu.core.errors import KemuError
from kemu.core.game import AnyGame, Seat
from kemu.play.commands import Act, CheckClock, Replace, SeatCommand
from kemu.play.errors import TimeLeft
from kemu.play.table import Table
from kemu.play.terms import SECOND_MS, GameClock, NoClock, Player
from kemu.server.live.match import MatchActor, MatchRegistry
from kemu.server.ratings import rating_of
from kemu.server.runtime import PROCESS_TIMEOUT_MS, BackgroundTasks, Runtime, TooMany, now_ms
from kemu.storage.errors import StoreUnavailable, UnreadableMatch
from kemu.storage.store import Store
from kemu.work.pool import Asker, TaskFailed, TaskRefused, Urgency, WorkerPool
from kemu.work.tasks import CHOOSE, ChoiceQuestion, ChosenAction

RETRY_SECONDS: Final = 1.0
"""How long to wait before a bot's action that could not be saved is sent again, or a clock is checked again."""

LEAST_LIMIT_MS: Final = 10
"""The least time that a bot is given for an action."""

log = logging.getLogger(__name__)


class Bots:
    """The bots of this server by name, which think in worker processes."""

    def __init__(self, source: str, pool: WorkerPool) -> None:
        """`source` is the module that names and makes the bots."""
        self._source = source
        self.pool = pool

    def names(self, game: AnyGame) -> list[str]:
        """Return the bots that play this game, from the weakest to the strongest."""
        return list(importlib.import_module(self._source).bots(game))

    def default(self, game: AnyGame) -> str:
        """Return the bot that a newcomer meets in this game."""
        return str(importlib.import_module(self._source).default_bot(game))

    def question(self, table: Table, seat: Seat, bot: str, limit_ms: int | None = None) -> ChoiceQuestion:
        """Return all that a bot at this seat may know, and how long it may think if that is limited."""
        game = table.game
        return ChoiceQuestion(
            source=self._source,
            bot=bot,
            game=table.terms.game,
            options=table.terms.options,
            view=game.view(table.state, seat),
            log=[line for _, line in table.log(seat)],
            actions=[game.format(action) for action in game.actions(table.state)],
            limit_ms=limit_ms,
        )

    async def choose(self, question: ChoiceQuestion, asker: Asker) -> ChosenAction:
        """Return the legal action that a bot chooses; raises TaskFailed if it crashes, hangs or chooses another one."""
        try:
            choice = await self.pool.ask(CHOOSE, question, asker)
        except TaskRefused as error:
            raise TaskFailed(error.code) from None
        if choice.action not in question.actions:
            raise TaskFailed("no legal action")
        return choice


class BotScheduler:
    """Lets the bots of owned matches act when it is their turn, and limits the matches in which nobody else plays."""

    def __init__(self, bots: Bots, matches: MatchRegistry, runtime: Runtime) -> None:
        self._bots = bots
        self._matches = matches
        self._tasks = runtime.tasks
        self._counters = runtime.counters
        self._process = runtime.store.process
        self._addresses = runtime.addresses
        self._settings = runtime.settings
        self._asked: dict[str, tuple[int, str]] = {}  # by match, the version of the position and the bot that chooses
        self._bots_only: dict[str, str] = {}  # the host of each running match without a person

    def check_bots_only(self, host: str) -> None:
        """Raise TooMany if this player may start no more matches of bots only, or nobody may now."""
        hosted = sum(other == host for other in self._bots_only.values())
        if hosted >= self._settings.bot_matches_per_player:
            raise TooMany("Bots play as many matches among themselves for you as they may; wait until one is over.")
        if len(self._bots_only) >= self._settings.bot_matches:
            raise TooMany("Bots play as many matches among themselves as this server has room for; try again later.")

    def match_changed(self, match: MatchActor) -> None:
        """Ask the bot whose turn it is, once for each position."""
        table = match.document
        if table.outcome is not None:
            self._asked.pop(table.terms.id, None)
            self._bots_only.pop(table.terms.id, None)
            return
        if is_bots_only(table.players):
            self._bots_only[table.terms.id] = table.terms.host
        seat, bot = table.turn, _bot_on_turn(table)
        if seat is None or bot is None or self._asked.get(table.terms.id) == (table.position, bot.id):
            return
        self._asked[table.terms.id] = (table.position, bot.id)
        self._tasks.start(self._play(table, seat, bot))

    async def _play(self, table: Table, seat: Seat, bot: Player) -> None:
        """Have a bot choose and act; if it fails, the stand-in takes its seat."""
        command: SeatCommand | Replace
        try:
            question = self._bots.question(table, seat, bot.name, thinking_time(table, seat))
            choice = await self._bots.choose(question, self._asker(table, seat))
            act = Act(f"{self._process}-{table.version}", table.version, choice.action)
            command = SeatCommand(seat, bot.id, act, spent_ms=choice.spent_ms)
        except TaskFailed as error:
            self._counters.bot_failures += 1
            log.error("bot failed", extra={"reason": f"{bot.name}: {error.reason}"})
            command = Replace(seat)
        await self._execute(table.terms.id, command)

    def _asker(self, table: Table, seat: Seat) -> Asker:
        """Who waits for a bot at this seat: the next person in the order of seats, else the host of the match."""
        following = (*table.players[seat + 1 :], *table.players[:seat])
        people = [player.id for player in following if player is not None and player.kind == "person"]
        member = people[0] if people else table.terms.host
        return Asker(self._addresses.find(member), Urgency.ACTION if people else Urgency.BOTS_ONLY, member)

    async def _execute(self, match: str, command: SeatCommand | Replace) -> None:
        """Run a command as soon as the store is available; the match may have been unloaded in the meantime."""
        while True:
            try:
                await (await self._matches.find(match)).execute(command)
                return
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)
            except KemuError as error:  # an action was taken back, somebody resigned, or another process was first
                log.info("command of a bot refused", extra={"reason": error.code})
                return


def thinking_time(table: Table, seat: Seat) -> int | None:
    """Return how many milliseconds of its time a seat may spend on one action; None if no time is counted.

    A twentieth of what is left and half of what the turn brings, but never more than half of what is left.
    """
    terms = table.terms.clock
    if type(terms) is NoClock:
        return None
    left = table.clock.left[seat]
    increment = terms.increment * SECOND_MS if isinstance(terms, GameClock) else 0
    return max(LEAST_LIMIT_MS, min(left // 2, left // 20 + increment // 2))


def is_bots_only(players: tuple[Player | None, ...]) -> bool:
    """Whether a bot sits at every seat."""
    return all(player is not None and player.kind == "bot" for player in players)


def _bot_on_turn(table: Table) -> Player | None:
    player = None if table.turn is None or table.turn < 0 else table.players[table.turn]
    return player if player is not None and player.kind == "bot" else None


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
        terms, deadline = match.document.terms, match.document.deadline
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


UPKEEP_SECONDS: Final = 5.0

PIECE_SECONDS: Final = 0.25
"""The pause after a round that left something to do: players go first."""

RATED_AT_ONCE: Final = 100
"""How many matches are rated in a round at most."""

RARE: Final = 60
"""How many rounds there are between two in which what is not urgent is done as well."""


class Upkeep:
    """Sends the heartbeat, takes over from dead processes, rates what was not rated, and does what was added."""

    def __init__(
        self,
        store: Store,
        live: MatchRegistry,
        each: Sequence[Callable[[int], None]],
        rare: Sequence[Callable[[], Awaitable[None]]],
        often: Sequence[Callable[[], Awaitable[None]]] = (),
    ) -> None:
        """`each` is done each time, with the time in ms, `often` too, and `rare` every few minutes."""
        self._store = store
        self._live = live
        self._each = each
        self._rare = rare
        self._often = often
        self._times = 0
        self._claimed: list[str] = []  # matches of dead processes whose jobs are to be started
        self._more = False  # whether there was more to do than fits into a round

    async def run(self) -> None:
        """Do the upkeep again and again; a failure is logged."""
        while True:
            await asyncio.sleep(PIECE_SECONDS if self._more else UPKEEP_SECONDS)
            try:
                await self.run_once()
            except Exception as error:
                log.warning("upkeep failed", exc_info=error)

    async def run_once(self) -> None:
        """Do the upkeep now."""
        now = now_ms()
        self._live.keep_alive(now)
        self._claimed += await self._store.matches.claim_unowned(now, now - PROCESS_TIMEOUT_MS)
        unrated = await self._store.matches.pending("rate", RATED_AT_ONCE)
        self._more = bool(self._claimed) or len(unrated) == RATED_AT_ONCE
        while self._claimed:
            try:
                await self._live.take_over(self._claimed[-1])
            except StoreUnavailable:  # it and the others are taken over next time
                raise
            except Exception as error:  # of this match alone
                log.error("match is not taken over", exc_info=error)
            self._claimed.pop()
        await self._live.take_over_loaded()
        for match in unrated:
            await self._rate(match)
        for each in self._each:
            each(now)
        for work in self._often:
            await work()
        self._times += 1
        if self._times % RARE == 0:
            for work in self._rare:
                await work()

    async def _rate(self, match: str) -> None:
        """Rate a match of an earlier version, or one that was imported; one that cannot be read changes no rating."""
        rating = None
        with suppress(UnreadableMatch):  # it is in the log already
            rating = rating_of(await (await self._live.find(match)).current())
        await self._store.ratings.rate(match, rating)
