"""Sessions, passwords and recovery codes in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from kemu.storage.errors import PasswordChanged
from kemu.storage.rows import OldCookies, PlayerRow, SessionRow
from kemu.storage.store import CHANGED, Players


class MemorySessions:
    """The Sessions of a store in memory, beside its players."""

    def __init__(self, players: Players, stored: dict[str, PlayerRow]) -> None:
        self._players = players
        self._stored = stored
        self._sessions: dict[str, SessionRow] = {}
        self._codes: dict[str, set[str]] = {}  # by player

    async def add_session(self, session: SessionRow, password: str | None = None) -> None:
        check_password(self._stored, session.player, password)
        self._sessions[session.id] = session

    async def session(self, session: str) -> SessionRow | None:
        return self._sessions.get(session)

    async def sessions(self, player: str) -> list[SessionRow]:
        return [self._sessions[name] for name in sorted(self._sessions) if self._sessions[name].player == player]

    async def touch_session(self, session: str, used: int) -> None:
        if session in self._sessions:
            self._sessions[session] = replace(self._sessions[session], used=used)

    async def rotate_session(self, session: str, digest: str) -> bool:
        if session in self._sessions:
            self._sessions[session] = replace(self._sessions[session], digest=digest)
        return session in self._sessions

    async def delete_session(self, player: str, session: str) -> bool:
        found = self._sessions.get(session)
        if found is None or found.player != player:
            return False
        del self._sessions[session]
        return True

    async def delete_sessions(self, player: str, but: str = "") -> list[str]:
        ended = [session.id for session in await self.sessions(player) if session.id != but]
        for session in ended:
            del self._sessions[session]
        return ended

    async def prune_sessions(self, unused_since: int, unknown_since: int) -> None:
        for session in tuple(self._sessions.values()):
            used = max(session.used, session.created)
            unknown = used < unknown_since and await self._players.player(session.player) is None
            if used < unused_since or unknown:
                del self._sessions[session.id]

    async def change_password(self, player: PlayerRow, password: str, but: str = "") -> list[str]:
        check_password(self._stored, player.id, player.password)
        self._stored[player.id] = replace(self._stored[player.id], password=password)
        return await self.delete_sessions(player.id, but)

    async def recover(self, player: PlayerRow, code: str) -> list[str] | None:
        codes = self._codes.get(player.id, set())
        if code not in codes:
            return None
        codes.discard(code)
        tokens = [token.id for token in await self._players.tokens(player.id)]
        for token in tokens:
            await self._players.delete_token(player.id, token)
        self._stored[player.id] = replace(self._stored[player.id], password=player.password)
        return [*(await self.delete_sessions(player.id)), *tokens]

    async def set_codes(self, player: PlayerRow, digests: Sequence[str]) -> None:
        check_password(self._stored, player.id, player.password)
        self._codes[player.id] = set(digests)

    async def has_code(self, player: str, digest: str) -> bool:
        return digest in self._codes.get(player, ())

    async def count_codes(self, player: str) -> int:
        return len(self._codes.get(player, ()))

    async def old_cookies(self) -> OldCookies | None:
        return None

    async def old_cookie_retired(self, player: str) -> int | None:
        return None

    async def retire_old_cookie(self, player: str, at: int) -> None: ...


def check_password(stored: dict[str, PlayerRow], player: str, password: str | None) -> None:
    """Raise PasswordChanged unless a player has this password; None is not compared."""
    if password is not None and (player not in stored or stored[player].password != password):
        raise PasswordChanged(CHANGED)
