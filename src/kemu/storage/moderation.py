"""What operators look at and decide: bans, reports, and pairs that play each other often: rows and methods."""

from typing import Final, NamedTuple

from msgspec.structs import astuple
from sqlalchemy import bindparam, delete, func, literal_column, select

from kemu.people.reports import Report, check_report
from kemu.people.results import Result
from kemu.storage.database import Aggregate, Transaction, first, transaction
from kemu.storage.ratings import delete_ratings
from kemu.storage.schema import bans, reports, results
from kemu.storage.statements import lookup, plain, upsert

OFTEN: Final = 20
"""From how many rated matches of two people on they are listed, as the index has it."""


class Ban(NamedTuple):
    """Since when (ms) and why an account cannot log in."""

    player: str
    at: int
    reason: str


_BANS: Final = lookup(bans, "player", order="player")
_SAVE_BANS: Final = upsert(bans)
_DELETE_BAN: Final = plain(delete(bans).where(bans.c.player == bindparam("of")).returning(bans.c.player))
_COUNT: Final = plain(select(func.count()).select_from(reports).where(reports.c.reporter == bindparam("of")))
_SAVE_REPORTS: Final = upsert(reports)
_REPORTS: Final = plain(
    select(reports)
    .where(reports.c.player > bindparam("after"))
    .order_by(reports.c.player, reports.c.reporter)
    .limit(bindparam("limit"))
)
_DROP_REPORTS: Final = plain(delete(reports).where(reports.c.player == bindparam("of")).returning(reports.c.reporter))
_PAIRS: Final = plain(
    select(results)
    .where(results.c.rated >= literal_column(str(OFTEN)), results.c.rated >= bindparam("least"))
    .order_by(results.c.rated.desc())
    .limit(bindparam("limit"))
)


class Moderation(Aggregate):
    """Bans, reports, pairs that play each other often, and ratings that begin anew."""

    async def ban(self, player: str) -> Ban | None:
        """Return the ban of an account; None if it may log in."""
        return first(Ban, await self._database.find(_BANS, player))

    async def save_ban(self, ban: Ban) -> None:
        """Ban an account, or give its ban another reason."""
        await self._database.change(_SAVE_BANS, [tuple(ban)])

    async def unban(self, player: str) -> bool:
        """Let an account log in again; return whether it was banned."""
        return bool(await self._database.change(_DELETE_BAN, {"of": player}))

    @transaction
    def report(self, report: Report) -> Transaction[None]:
        """Save a report, in place of an earlier one about the same player. Raises WithYourself, ReportLimit."""
        ((count,),) = yield _COUNT, {"of": report.reporter}
        check_report(report, count)
        yield _SAVE_REPORTS, [astuple(report)]

    async def reports(self, after: str = "", limit: int = 500) -> list[Report]:
        """Return reports by the players they are about, those after a player's id."""
        return [Report(*row) for row in await self._database.fetch(_REPORTS, after=after, limit=limit)]

    async def drop_reports(self, player: str) -> int:
        """Delete all reports about a player; return how many there were."""
        return len(await self._database.change(_DROP_REPORTS, {"of": player}))

    async def pairs(self, least: int = OFTEN, limit: int = 100) -> list[Result]:
        """Return the results of pairs with at least so many rated matches, at least OFTEN, the most first."""
        return [Result(*row) for row in await self._database.fetch(_PAIRS, least=least, limit=limit)]

    @transaction
    def reset_ratings(self, player: str) -> Transaction[None]:
        """Have a player begin anew in all games."""
        yield from delete_ratings(player)
