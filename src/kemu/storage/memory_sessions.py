"""Sessions, passwords and recovery codes in memory."""

from collections.abc import Sequence

from msgspec.structs import replace

from kemu.storage.rows import OldCookies, PlayerRow, SessionRow
from kemu.storage.store import Players


class MemorySessions:
    """The Sessions of a store in memory, beside its players."""

    def __init__(self, players: Players) -> None:
        self._players = players
        self._sessions: dict[str, SessionRow] = {}
        self._codes: dict[str, set[str]] = {}  # by player

    async def add_session(self, session: SessionRow) -> None:
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

    async def change_password(self, player: PlayerRow, but: str = "") -> list[str]:
        await self._players.save_player(player)
        return await self.delete_sessions(player.id, but)

    async def recover(self, player: PlayerRow, code: str) -> list[str] | None:
        codes = self._codes.get(player.id, set())
        if code not in codes:
            return None
        codes.discard(code)
        tokens = [token.id for token in await self._players.tokens(player.id)]
        for token in tokens:
            await self._players.delete_token(player.id, token)
        return [*(await self.change_password(player)), *tokens]

    async def set_codes(self, player: str, digests: Sequence[str]) -> None:
        self._codes[player] = set(digests)

    async def has_code(self, player: str, digest: str) -> bool:
        return digest in self._codes.get(player, ())

    async def count_codes(self, player: str) -> int:
        return len(self._codes.get(player, ()))

    async def old_cookies(self) -> OldCookies | None:
        return None

    async def old_cookie_retired(self, player: str) -> int | None:
        return None

    async def retire_old_cookie(self, player: str, at: int) -> None: ...
