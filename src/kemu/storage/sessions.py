"""Sessions, passwords and recovery codes of players: rows, statements and methods."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import BindParameter, bindparam, delete, func, select, update

from kemu.storage.database import Aggregate, Transaction, first, transaction
from kemu.storage.players import PlayerRow, hold_password
from kemu.storage.schema import group_members, players, recovery_codes, sessions, tokens
from kemu.storage.statements import insert_all, lookup, plain

PRUNED: Final = 10_000
"""How many sessions are looked at in one call."""


class SessionRow(Struct, frozen=True):
    """A session of a player on one device, stored as the digest of its secret; times are in ms.

    `used` is 0 until the device has sent the session back.
    """

    id: str
    player: str
    digest: str
    device: str
    created: int
    used: int = 0


_OWNER: Final[BindParameter[str]] = bindparam("owner")
_THIS_SESSION: Final = sessions.c.id == bindparam("session")
_THIS_CODE: Final = (recovery_codes.c.player == _OWNER) & (recovery_codes.c.digest == bindparam("code"))
_IDLE: Final = (sessions.c.used < bindparam("unknown")) & (sessions.c.created < bindparam("unknown"))
_UNUSED: Final = (sessions.c.used < bindparam("unused")) & (sessions.c.created < bindparam("unused"))

_INSERT_SESSIONS: Final = insert_all(sessions)
_SESSIONS_BY_ID: Final = lookup(sessions, "id")
_SESSIONS_BY_PLAYER: Final = lookup(sessions, "player")
_TOUCH_SESSION: Final = plain(update(sessions).values(used=bindparam("at")).where(_THIS_SESSION))
_ROTATE_SESSION: Final = plain(
    update(sessions).values(digest=bindparam("secret")).where(_THIS_SESSION).returning(sessions.c.id)
)
_DELETE_SESSION: Final = plain(
    delete(sessions).where(_THIS_SESSION, sessions.c.player == _OWNER).returning(sessions.c.id)
)
_DELETE_OTHERS: Final = plain(
    delete(sessions).where(sessions.c.player == _OWNER, sessions.c.id != bindparam("but")).returning(sessions.c.id)
)
_LAST_OF_PIECE: Final = plain(
    select(sessions.c.id)
    .where(sessions.c.id > bindparam("after"))
    .order_by(sessions.c.id)
    .limit(1)
    .offset(bindparam("skipped"))
)
_UNKNOWN: Final = ~select(players.c.id).where(players.c.id == sessions.c.player).exists()
_PRUNED: Final = delete(sessions).where(sessions.c.id > bindparam("after"), _UNUSED | (_IDLE & _UNKNOWN))
_PRUNE_LAST_PIECE: Final = plain(_PRUNED)
_PRUNE_PIECE: Final = plain(_PRUNED.where(sessions.c.id <= bindparam("last")))
_SET_PASSWORD: Final = plain(update(players).values(password=bindparam("secret")).where(players.c.id == _OWNER))
_LEAVE_GROUPS: Final = plain(delete(group_members).where(group_members.c.player == _OWNER))
_DELETE_TOKENS: Final = plain(delete(tokens).where(tokens.c.player == _OWNER).returning(tokens.c.id))
_INSERT_CODES: Final = insert_all(recovery_codes)
_CODE: Final = plain(select(recovery_codes.c.digest).where(_THIS_CODE))
_COUNT_CODES: Final = plain(select(func.count()).select_from(recovery_codes).where(recovery_codes.c.player == _OWNER))
_DELETE_CODE: Final = plain(delete(recovery_codes).where(_THIS_CODE).returning(recovery_codes.c.digest))
_DELETE_CODES: Final = plain(delete(recovery_codes).where(recovery_codes.c.player == _OWNER))


class Sessions(Aggregate):
    """Sessions, passwords and recovery codes of players."""

    @transaction
    def add_session(self, session: SessionRow, password: str | None = None) -> Transaction[None]:
        """Insert a session. Raises PasswordChanged unless the player has this password, if it is given."""
        yield from hold_password(session.player, password)
        yield _INSERT_SESSIONS, [astuple(session)]

    async def session(self, session: str) -> SessionRow | None:
        """Return a session by id."""
        return first(SessionRow, await self._database.find(_SESSIONS_BY_ID, session))

    async def sessions(self, player: str) -> list[SessionRow]:
        """Return the sessions of a player, by id."""
        return [SessionRow(*row) for row in await self._database.find(_SESSIONS_BY_PLAYER, player)]

    async def touch_session(self, session: str, used: int) -> None:
        """Record when (ms) a session was used."""
        await self._database.change(_TOUCH_SESSION, {"session": session, "at": used})

    async def rotate_session(self, session: str, digest: str) -> bool:
        """Give a session another secret; return False if there is no such session."""
        return bool(await self._database.change(_ROTATE_SESSION, {"session": session, "secret": digest}))

    async def delete_session(self, player: str, session: str) -> bool:
        """Delete a session if it belongs to this player; return whether it did."""
        return bool(await self._database.change(_DELETE_SESSION, {"session": session, "owner": player}))

    @transaction
    def delete_sessions(self, player: str, but: str = "") -> Transaction[list[str]]:
        """Delete all sessions of a player but one, and return the ids of those deleted."""
        return (yield from _end(player, but))

    @transaction
    def prune_sessions(
        self, unused_since: int, unknown_since: int, after: str = "", limit: int = PRUNED
    ) -> Transaction[str]:
        """Delete sessions last used before a time (ms), of players who are not stored before another time.

        At most `limit` are looked at, those whose ids come next after one. Returns the last of these ids, from which
        the next call goes on; it is empty once all were looked at.
        """
        found = yield _LAST_OF_PIECE, {"after": after, "skipped": limit - 1}
        wanted = {"unused": unused_since, "unknown": unknown_since, "after": after}
        if not found:
            yield _PRUNE_LAST_PIECE, wanted
            return ""
        last = str(found[0][0])
        yield _PRUNE_PIECE, {**wanted, "last": last}
        return last

    @transaction
    def change_password(self, player: PlayerRow, password: str, but: str = "") -> Transaction[list[str]]:
        """Set a new password and delete all sessions but one; return the ids of those deleted.

        Raises PasswordChanged if the password is not that of `player` any more.
        """
        yield from hold_password(player.id, player.password)
        yield _SET_PASSWORD, {"owner": player.id, "secret": password}
        return (yield from _end(player.id, but))

    @transaction
    def recover(self, player: PlayerRow, code: str) -> Transaction[list[str] | None]:
        """Spend a recovery code, set the password of `player`, and delete all their sessions and tokens.

        Returns the ids of what was deleted; None, and nothing is changed, if the player has no code of this digest.
        """
        if not (yield _DELETE_CODE, {"owner": player.id, "code": code}):
            return None
        yield _SET_PASSWORD, {"owner": player.id, "secret": player.password}
        ended = yield from _end(player.id, "")
        deleted = yield _DELETE_TOKENS, {"owner": player.id}
        return [*ended, *(token for (token,) in deleted)]

    @transaction
    def set_codes(self, player: PlayerRow, digests: Sequence[str]) -> Transaction[None]:
        """Replace the recovery codes of a player. Raises PasswordChanged if the password is another one by now."""
        yield from hold_password(player.id, player.password)
        yield _DELETE_CODES, {"owner": player.id}
        yield _INSERT_CODES, [(player.id, digest) for digest in digests]

    async def has_code(self, player: str, digest: str) -> bool:
        """Return whether a player has a recovery code of this digest."""
        return bool(await self._database.fetch(_CODE, owner=player, code=digest))

    async def count_codes(self, player: str) -> int:
        """Return how many recovery codes a player has left."""
        return int((await self._database.fetch(_COUNT_CODES, owner=player))[0][0])


def _end(player: str, but: str) -> Transaction[list[str]]:
    ended = yield _DELETE_OTHERS, {"owner": player, "but": but}
    return [session for (session,) in ended]


def end_credentials(player: str) -> Transaction[list[str]]:
    """Delete the sessions, tokens and recovery codes of a player, who leaves all groups.

    Returns the ids of the sessions and tokens.
    """
    yield _LEAVE_GROUPS, {"owner": player}
    ended = yield from _end(player, "")
    deleted = yield _DELETE_TOKENS, {"owner": player}
    yield _DELETE_CODES, {"owner": player}
    return [*ended, *(token for (token,) in deleted)]
