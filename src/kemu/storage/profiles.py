"""What players show of themselves, and accounts by the beginnings of their names: rows, statements and methods."""

from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, select

from kemu.people.names import spelling
from kemu.storage.database import Aggregate
from kemu.storage.people import is_pupil
from kemu.storage.schema import players, profiles
from kemu.storage.statements import Compiler, columns_of, lookup, on_rows, plain, upsert, whole

_AFTER_ALL: Final = "\U0010ffff"
"""The last of all characters."""


class ProfileRow(Struct, frozen=True):
    """What a player chose: whether statistics are hidden from others and greetings are off.

    `since` (ms) is when the account was made, 0 if that is not known.
    """

    player: str
    since: int = 0
    hidden: bool = False
    quiet: bool = False


class AccountName(NamedTuple):
    """An account by its id and name."""

    player: str
    name: str


_PROFILES: Final = lookup(profiles, "player", order="player")


@on_rows(columns_of(profiles))
def _begin_profiles(sql: Compiler, given: Any) -> Any:
    """Insert the profiles of new accounts, whose players may have chosen something as guests."""
    inserted = sql.insert(profiles, whole(given))
    return inserted.on_conflict_do_update(index_elements=["player"], set_={"since": inserted.excluded.since})


_SAVE_PROFILES: Final = upsert(profiles, lambda new: {"hidden": new.hidden, "quiet": new.quiet})
_NAMED: Final = plain(
    select(players.c.id, players.c.name)
    .where(players.c.login >= bindparam("first"), players.c.login < bindparam("end"), ~is_pupil(players.c.id))
    .order_by(players.c.login)
    .limit(bindparam("limit"))
)


class Profiles(Aggregate):
    """What players show of themselves."""

    async def profile(self, player: str) -> ProfileRow:
        """Return the profile of a player; that of somebody who chose nothing if there is none."""
        found = await self._database.find(_PROFILES, player)
        if not found:
            return ProfileRow(player)
        _, since, hidden, quiet = found[0]
        return ProfileRow(player, since, bool(hidden), bool(quiet))

    async def begin_profile(self, player: str, since: int) -> None:
        """Save when (ms) an account was made."""
        await self._database.change(_begin_profiles, [astuple(ProfileRow(player, since))])

    async def save_profile(self, row: ProfileRow) -> None:
        """Save what a player chose; when the account was made stays as it is."""
        await self._database.change(_SAVE_PROFILES, [astuple(row)])

    async def named(self, beginning: str, limit: int = 20) -> list[AccountName]:
        """Return at most `limit` accounts, no pupils', whose names begin like this, in the order of their names."""
        first = spelling(beginning)
        rows = await self._database.fetch(_NAMED, first=first, end=first + _AFTER_ALL, limit=limit)
        return [AccountName(*row) for row in rows]
