"""Where browsers take push messages for players, and the key of this server: rows, statements and methods."""

from typing import Final

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, delete, select

from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.schema import push_subscriptions, server_keys
from kemu.storage.statements import insert_new, plain, upsert

MOST_SUBSCRIPTIONS: Final = 10
"""How many browsers of a player get push messages; the oldest subscriptions give way."""


class Subscription(Struct, frozen=True):
    """A browser of a player: its address at a push service, its keys in base64url, and its language.

    `id` is a digest of the address, which is longer than a key of a table may be.
    """

    id: str
    player: str
    created: int
    endpoint: str
    p256dh: str
    auth: str
    language: str


_SAVE: Final = upsert(push_subscriptions)
_OF_PLAYER: Final = plain(
    select(push_subscriptions)
    .where(push_subscriptions.c.player == bindparam("of"))
    .order_by(push_subscriptions.c.created.desc(), push_subscriptions.c.id)
)
_DELETE: Final = plain(
    delete(push_subscriptions).where(
        push_subscriptions.c.id == bindparam("of"), push_subscriptions.c.player == bindparam("owner")
    )
)
_KEY: Final = plain(select(server_keys.c.value).where(server_keys.c.name == bindparam("of")))
_SAVE_KEY: Final = insert_new(server_keys)


class PushSubscriptions(Aggregate):
    """The subscriptions of players to push messages."""

    @transaction
    def subscribe(self, row: Subscription) -> Transaction[None]:
        """Save a subscription, whoever had it before; of too many, delete the oldest ones."""
        yield _SAVE, [astuple(row)]
        found = yield _OF_PLAYER, {"of": row.player}
        for old in found[MOST_SUBSCRIPTIONS:]:
            yield _DELETE, {"of": old[0], "owner": row.player}

    async def subscriptions(self, player: str) -> list[Subscription]:
        """Return the subscriptions of a player, the newest first."""
        return [Subscription(*row) for row in await self._database.fetch(_OF_PLAYER, of=player)]

    async def unsubscribe(self, player: str, subscription: str) -> None:
        """Delete a subscription if it is the player's."""
        await self._database.change(_DELETE, {"of": subscription, "owner": player})

    @transaction
    def server_key(self, name: str, new: str) -> Transaction[str]:
        """Return a key that all processes of the server share; save a new one if there is none."""
        yield _SAVE_KEY, [(name, new)]
        ((value,),) = yield _KEY, {"of": name}
        return str(value)
