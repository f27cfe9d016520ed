"""What the server does by itself at the matches it owns: it lets time run out and bots move."""

import asyncio
import logging
from asyncio import TimerHandle
from typing import TYPE_CHECKING

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.play.clock import NoClock
from kemu.play.commands import Act
from kemu.play.decisions import take
from kemu.play.terms import Player
from kemu.server.bots import BotFailed, Question

if TYPE_CHECKING:
    from kemu.server.hall import Hall
    from kemu.server.live import LiveTable

log = logging.getLogger(__name__)


class Tender:
    """Each match is tended by one process: the one where it began to need it, or that took it over from a dead one.

    Should two tend it for a while, nothing breaks: the store takes only the first append of each version.
    """

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._owned: set[str] = set()
        self._timers: dict[str, TimerHandle] = {}

    def own(self, match: str) -> None:
        """From now on this process tends a match."""
        self._owned.add(match)

    def owns(self, match: str) -> bool:
        """Whether this process tends a match."""
        return match in self._owned

    def busy(self, live: "LiveTable") -> bool:
        """Whether a bot is thinking at a table."""
        return self._bot(live) is not None and self.owns(live.table.terms.id)

    def close(self) -> None:
        """Stop tending."""
        self._owned.clear()
        for timer in self._timers.values():
            timer.cancel()

    def tend(self, live: "LiveTable") -> None:
        """See to it that what must happen at a table next will happen."""
        table = live.table
        match = table.terms.id
        if match not in self._owned:
            return
        if type(table.terms.clock) is not NoClock:
            self._set_timer(match, table.clock.deadline)
        if table.match.outcome is not None:
            self._owned.discard(match)
            return
        turn, bot = table.turn, self._bot(live)
        if turn is not None and bot is not None and live.asked != (table.position, bot.id):
            live.asked = (table.position, bot.id)
            self._hall.spawn(self._ask(live, turn, bot))

    def _bot(self, live: "LiveTable") -> Player | None:
        """The bot that is to act."""
        turn = live.table.turn
        player = None if turn is None or turn < 0 else live.table.players[turn]
        return player if player is not None and player.kind == "bot" else None

    def _set_timer(self, match: str, deadline: int | None) -> None:
        old = self._timers.pop(match, None)
        if old is not None:
            old.cancel()
        if deadline is not None:
            delay = max(0, deadline - self._hall.now()) / 1000
            self._timers[match] = asyncio.get_running_loop().call_later(delay, self._due, match)

    def _due(self, match: str) -> None:
        self._hall.spawn(self._expire(match))

    async def _expire(self, match: str) -> None:
        live = await self._hall.table(match)
        live.submit(live.expire)

    async def _ask(self, live: "LiveTable", seat: Seat, bot: Player) -> None:
        """Have a bot choose and act; if it fails, the stand-in takes its seat."""
        version, question = live.table.version, self.question(live, seat, bot.name)
        try:
            action = await self._hall.bots.choose(question)
            if action not in question.actions:
                raise BotFailed(f"{bot.name}: no legal action")
        except BotFailed as error:
            self._hall.counts["bot_failures"] += 1
            log.error("bot failed", extra={"reason": str(error)})
            await self._hall.do(live, lambda table, at: table.replace(seat, at))
            return
        command = Act(f"{self._hall.store.process}-{version}", version, action)
        try:
            await self._hall.do(live, lambda table, at: take(table, command, seat, bot.id, at))
        except KemuError as error:  # somebody took back, resigned, or another process was first
            log.info("bot came too late", extra={"reason": error.code})

    def question(self, live: "LiveTable", seat: Seat, bot: str) -> Question:
        """All that a bot at this seat may know."""
        terms, match = live.table.terms, live.table.match
        return Question(
            source=self._hall.bots.source,
            bot=bot,
            game=terms.game,
            options=terms.options,
            view=match.game.view(match.state, seat),
            log=[line for _, line in match.log(seat)],
            actions=[match.game.format(action) for action in match.game.actions(match.state)],
        )
