"""What players keep for themselves about matches, and their vacations: rows, statements and methods.

Nothing here is part of a match, of its entries or of its export; it is read for its player and for the job that plays
planned moves.
"""

from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, select, update

from kemu.people.vacation import VacationStock
from kemu.play.plans import Plan
from kemu.storage.database import Aggregate
from kemu.storage.schema import plans, sitters, vacations
from kemu.storage.statements import lookup, plain, upsert


class PlanRow(Struct, frozen=True):
    """What a player keeps about a match: whether forced moves are played, a note, and conditional moves in JSON."""

    match: str
    player: str
    forced: bool = False
    note: str = ""
    plan: str | None = None

    @property
    def conditional(self) -> Plan | None:
        """The conditional moves."""
        return None if self.plan is None else _decode(self.plan)


_decode: Final = msgspec.json.Decoder(Plan).decode

_OF_MATCH: Final = lookup(plans, "match", order="player")
_SAVE: Final = upsert(plans)
_DROP: Final = plain(
    update(plans)
    .values(plan=None)
    .where(plans.c.match == bindparam("of"), plans.c.player == bindparam("owner"), plans.c.plan == bindparam("known"))
)
_VACATION: Final = lookup(vacations, "player", order="player")
_SAVE_VACATION: Final = upsert(vacations)
_AWAY: Final = plain(select(vacations).where(vacations.c.since.is_not(None)))
_RUNNING: Final = plain(select(sitters.c.match).where(sitters.c.player == bindparam("of"), sitters.c.running))


class Plans(Aggregate):
    """Plans and vacations of players."""

    async def plans(self, match: str) -> list[PlanRow]:
        """Return what the players of a match keep about it."""
        return [PlanRow(*row) for row in await self._database.find(_OF_MATCH, match)]

    async def save_plan(self, row: PlanRow) -> None:
        """Insert or update what a player keeps about a match."""
        await self._database.change(_SAVE, [astuple(row)])

    async def drop_plan(self, row: PlanRow) -> None:
        """Delete the conditional moves of a row, unless the player has entered others since it was read."""
        await self._database.change(_DROP, {"of": row.match, "owner": row.player, "known": row.plan})

    async def vacation(self, player: str) -> VacationStock | None:
        """Return the vacation of a player; None if there never was one."""
        found = await self._database.find(_VACATION, player)
        return VacationStock(*found[0][1:]) if found else None

    async def save_vacation(self, player: str, vacation: VacationStock) -> None:
        """Insert or update the vacation of a player."""
        await self._database.change(_SAVE_VACATION, [(player, *astuple(vacation))])

    async def on_vacation(self) -> dict[str, VacationStock]:
        """Return the vacations that last, by player."""
        return {player: VacationStock(*rest) for player, *rest in await self._database.fetch(_AWAY)}

    async def running_matches(self, player: str) -> list[str]:
        """Return the ids of the running matches of a player."""
        return [match for (match,) in await self._database.fetch(_RUNNING, of=player)]
