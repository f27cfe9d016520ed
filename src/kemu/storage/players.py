"""Players with their tokens: rows, statements and methods."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import bindparam, delete, select, update

from kemu.people.names import skeleton
from kemu.storage.database import Aggregate, Row, Transaction, UniqueViolation, first, transaction
from kemu.storage.errors import NameTaken, PasswordChanged
from kemu.storage.schema import players, tokens
from kemu.storage.statements import Compiler, columns_of, insert_all, lookup, on_rows, plain, whole

NAME_TAKEN: Final = "Another account has this name, or one that looks like it."
"""The sentence of NameTaken."""

NAMED_AT_ONCE: Final = 500
"""How many accounts of earlier versions get their skeletons in one piece."""

CHANGED: Final = "The password has been changed; sign in again."
"""The sentence of PasswordChanged."""


class PlayerRow(Struct, frozen=True):
    """A player: a guest, or an account with a password."""

    id: str
    name: str
    account: bool = False
    password: str | None = None


class TokenRow(Struct, frozen=True):
    """An access token of a player, stored as the digest of its secret."""

    id: str
    player: str
    label: str
    digest: str
    scope: str = "play"


_BY_ID: Final = lookup(players, "id")
_BY_LOGIN: Final = lookup(players, "login")
_BY_SKELETON: Final = lookup(players, "skeleton")


@on_rows(columns_of(players))
def _save_players(sql: Compiler, given: Any) -> Any:
    """Insert or update players, but change no password. Gives the ids of those saved.

    A login or a skeleton that another player has violates a unique column.
    """
    inserted = sql.insert(players, whole(given))
    changed = {name: inserted.excluded[name] for name in ("name", "login", "password", "skeleton")}
    same = players.c.password.is_(None) | (players.c.password == inserted.excluded.password)
    saved = inserted.on_conflict_do_update(index_elements=["id"], set_=changed, where=same)
    return saved.returning(players.c.id)


_WITHOUT_SKELETON: Final = plain(
    select(players.c.id, players.c.name)
    .where(players.c.login.is_not(None), players.c.skeleton.is_(None), players.c.id > bindparam("after"))
    .order_by(players.c.id)
    .limit(NAMED_AT_ONCE)
)
_SET_SKELETON: Final = plain(
    update(players)
    .values(skeleton=bindparam("shape"))
    .where(players.c.id == bindparam("of"), players.c.skeleton.is_(None))
)

_HOLD_PASSWORD: Final = plain(
    update(players)
    .values(password=players.c.password)
    .where(players.c.id == bindparam("player"), players.c.password == bindparam("known"))
    .returning(players.c.id)
)

_TOKENS_BY_ID: Final = lookup(tokens, "id")
_TOKENS_BY_PLAYER: Final = lookup(tokens, "player")
_INSERT_TOKENS: Final = insert_all(tokens)
_DELETE_TOKEN: Final = plain(
    delete(tokens)
    .where(tokens.c.id == bindparam("token"), tokens.c.player == bindparam("owner"))
    .returning(tokens.c.id)
)


class Players(Aggregate):
    """Players and their tokens."""

    async def player(self, player: str) -> PlayerRow | None:
        """Return a player by id."""
        return _player(await self._database.find(_BY_ID, player))

    async def account(self, name: str) -> PlayerRow | None:
        """Return an account by name, without regard to case."""
        return _player(await self._database.find(_BY_LOGIN, name.casefold()))

    async def account_like(self, name: str) -> PlayerRow | None:
        """Return the account whose name looks like this one."""
        return _player(await self._database.find(_BY_SKELETON, skeleton(name)))

    async def name_accounts(self) -> None:
        """Give accounts of earlier versions their skeletons; of several that look alike the first one has it."""
        after = ""
        while found := await self._database.fetch(_WITHOUT_SKELETON, after=after):
            for player, name in found:
                with suppress(UniqueViolation):
                    await self._database.change(_SET_SKELETON, {"of": player, "shape": skeleton(name)})
            after = found[-1][0]

    async def save_player(self, player: PlayerRow) -> None:
        """Insert or update a player.

        Raises NameTaken if it is an account and another account has such a name, and PasswordChanged if the stored
        player has a password, and not this one.
        """
        login, shape = (player.name.casefold(), skeleton(player.name)) if player.account else (None, None)
        row = player.id, player.name, login, player.password, shape
        try:
            saved = await self._database.change(_save_players, [row])
        except UniqueViolation:
            raise NameTaken(NAME_TAKEN) from None
        if not saved:
            raise PasswordChanged(CHANGED)

    @transaction
    def add_token(self, token: TokenRow, password: str | None = None) -> Transaction[None]:
        """Insert a token of a known player. Raises PasswordChanged unless the player has this password, if given."""
        yield from hold_password(token.player, password)
        yield _INSERT_TOKENS, [astuple(token)]

    async def token(self, token: str) -> TokenRow | None:
        """Return a token by id."""
        return first(TokenRow, await self._database.find(_TOKENS_BY_ID, token))

    async def tokens(self, player: str) -> list[TokenRow]:
        """Return the tokens of a player, by id."""
        return [TokenRow(*found) for found in await self._database.find(_TOKENS_BY_PLAYER, player)]

    async def delete_token(self, player: str, token: str) -> bool:
        """Delete a token if it belongs to this player; return whether it did."""
        return bool(await self._database.change(_DELETE_TOKEN, {"token": token, "owner": player}))


def hold_password(player: str, password: str | None) -> Transaction[None]:
    """Continue if a player still has this password, and let nobody change it meanwhile; None continues at once.

    Raises PasswordChanged.
    """
    if password is not None and not (yield _HOLD_PASSWORD, {"player": player, "known": password}):
        raise PasswordChanged(CHANGED)


def _player(found: Sequence[Row]) -> PlayerRow | None:
    if not found:
        return None
    ((player, name, login, password, _),) = found
    return PlayerRow(player, name, login is not None, password)
