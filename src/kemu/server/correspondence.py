"""Jobs of correspondence matches: planned moves are played, and clocks stand still while players are on vacation."""

import asyncio
import logging
from typing import Final

from kemu.core.errors import KemuError
from kemu.core.game import Seat
from kemu.people.vacation import VacationStock, begin_vacation, end_vacation, full_stock
from kemu.play.commands import Act, SeatCommand, SetVacation
from kemu.play.plans import forced_action, planned_action, remaining_lines
from kemu.play.table import Table
from kemu.play.terms import Player, is_correspondence
from kemu.server.live.match import MatchActor, MatchRegistry
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable, UnknownMatch, UnreadableMatch
from kemu.storage.plans import PlanRow

RETRY_SECONDS: Final = 1.0
"""How long to wait before plans are read again that could not be read, or a move that could not be saved is tried."""

log = logging.getLogger(__name__)


class PlanScheduler:
    """Plays what players have planned in owned matches, and drops the plans that a match has left."""

    def __init__(self, matches: MatchRegistry, runtime: Runtime) -> None:
        self._matches = matches
        self._plans = runtime.store.plans
        self._tasks = runtime.tasks
        self._process = runtime.store.process

    def match_changed(self, match: MatchActor) -> None:
        """Look at the plans of the players of a correspondence match."""
        table = match.document
        if table.started and is_correspondence(table.terms.clock):
            self._tasks.start(self._look(table))

    async def _look(self, table: Table) -> None:
        """Do what the plans of a match say; a match that goes on meanwhile is looked at again."""
        while True:
            try:
                rows = await self._plans.plans(table.id)
                for row in rows:
                    await self._follow(table, row)
                return
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)
            except KemuError as error:  # a move was taken back, somebody resigned, or the player was faster
                log.info("planned move refused", extra={"reason": error.code})
                return

    async def _follow(self, table: Table, row: PlanRow) -> None:
        plan = row.conditional
        if plan is not None and not remaining_lines(table, plan):
            await self._plans.drop_plan(row)
            plan = None
        player = _player_to_act(table)
        if player is None or player.id != row.player or table.turn is None:
            return
        action = None if plan is None else planned_action(table, plan)
        if action is None and row.forced:
            action = forced_action(table, table.turn)
        if action is not None:
            await self._play(table, table.turn, player, action)

    async def _play(self, table: Table, seat: Seat, player: Player, action: str) -> None:
        act = Act(f"{self._process}-{table.version}", table.version, action)
        await (await self._matches.find(table.id)).execute(SeatCommand(seat, player.id, act))


def _player_to_act(table: Table) -> Player | None:
    return None if table.turn is None or table.turn < 0 else table.players[table.turn]


class Vacations:
    """Begins and ends vacations, and has the clocks of all matches follow."""

    def __init__(self, matches: MatchRegistry, runtime: Runtime) -> None:
        self._matches = matches
        self._plans = runtime.store.plans

    async def find(self, player: str) -> VacationStock:
        """Return the stock of a player."""
        return await self._plans.vacation(player) or full_stock(now_ms())

    async def change(self, player: str, *, on: bool) -> VacationStock:
        """Begin or end the vacation of a player. Raises NoVacation."""
        before, now = await self.find(player), now_ms()
        after = begin_vacation(before, now) if on else end_vacation(before, now)
        await self._plans.save_vacation(player, after)
        await self._follow(player, on=on)
        return after

    async def run(self) -> None:
        """End the vacations that are used up; have the matches follow that began meanwhile or were missed."""
        now = now_ms()
        for player, vacation in (await self._plans.on_vacation()).items():
            if vacation.left(now):
                await self._follow(player, on=True)
            else:
                await self.change(player, on=False)

    async def _follow(self, player: str, *, on: bool) -> None:
        """Have the clocks of a player's correspondence matches stand still or go on."""
        for match in await self._plans.running_matches(player):
            try:
                actor = await self._matches.find(match)
                table = await actor.current()
                if is_correspondence(table.terms.clock) and (set(table.seats(player)) <= table.vacation) is not on:
                    await actor.execute(SetVacation(player, on))
            except (UnknownMatch, UnreadableMatch) as error:
                log.warning("clock does not follow a vacation", exc_info=error)
            except StoreUnavailable:
                raise
            except KemuError as error:  # it has ended, or another process was faster
                log.info("vacation refused", extra={"reason": error.code})
