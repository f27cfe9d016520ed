"""The secrets in the addresses of players' feeds: rows, statements and methods."""

from typing import Final

from sqlalchemy import bindparam, delete

from kemu.storage.database import Aggregate
from kemu.storage.schema import feeds
from kemu.storage.statements import lookup, plain, upsert

_SAVE: Final = upsert(feeds)
_OF_PLAYER: Final = lookup(feeds, "player", order="player")
_OF_SECRET: Final = lookup(feeds, "secret", order="player")
_DELETE: Final = plain(delete(feeds).where(feeds.c.player == bindparam("of")))


class Feeds(Aggregate):
    """The feeds of players."""

    async def save(self, player: str, secret: str, language: str) -> None:
        """Give the feeds of a player new addresses; the old ones lead nowhere from now on."""
        await self._database.change(_SAVE, [(player, secret, language)])

    async def secret(self, player: str) -> str | None:
        """Return the secret in the addresses of a player's feeds; None if there are no feeds."""
        found = await self._database.find(_OF_PLAYER, player)
        return str(found[0][1]) if found else None

    async def owner(self, secret: str) -> tuple[str, str] | None:
        """Return whose feeds have a secret, and their language."""
        found = await self._database.find(_OF_SECRET, secret)
        return (str(found[0][0]), str(found[0][2])) if found else None

    async def delete(self, player: str) -> None:
        """Have a player no longer have feeds."""
        await self._database.change(_DELETE, {"of": player})
