"""Lets bots act: asks a worker for the action of the bot whose turn it is, and executes it."""

import asyncio
import importlib
import logging
from typing import Final

from kemu.core.errors import KemuError
from kemu.core.game import AnyGame, Seat
from kemu.play.commands import Act, Replace, SeatCommand
from kemu.play.table import Table
from kemu.play.terms import SECOND_MS, DayClock, GameClock, Player
from kemu.server.limits import TooMany
from kemu.server.live.match import MatchActor, MatchRegistry
from kemu.server.runtime import Runtime
from kemu.storage.errors import StoreUnavailable
from kemu.work.pool import Asker, TaskFailed, TaskRefused, Urgency, WorkerPool
from kemu.work.tasks import CHOOSE, ChoiceQuestion, ChosenAction

RETRY_SECONDS: Final = 1.0
"""How long to wait before the action of a bot is sent again that could not be saved."""

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
        table = match.table
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
            choice = await self._bots.choose(question, _asker(table, seat))
            act = Act(f"{self._process}-{table.version}", table.version, choice.action)
            command = SeatCommand(seat, bot.id, act, spent_ms=choice.spent_ms)
        except TaskFailed as error:
            self._counters.bot_failures += 1
            log.error("bot failed", extra={"reason": f"{bot.name}: {error.reason}"})
            command = Replace(seat)
        await self._execute(table.terms.id, command)

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
    if not isinstance(terms, GameClock | DayClock):
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


def _asker(table: Table, seat: Seat) -> Asker:
    """Who waits for a bot at this seat: the next person in the order of seats, else the host of the match."""
    following = (*table.players[seat + 1 :], *table.players[:seat])
    people = [player.id for player in following if player is not None and player.kind == "person"]
    return Asker(people[0], Urgency.ACTION) if people else Asker(table.terms.host, Urgency.BOTS_ONLY)
