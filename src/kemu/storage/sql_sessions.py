"""Sessions, passwords and recovery codes in SQL."""

from collections.abc import Sequence
from typing import Any, Final

from kemu.storage.errors import PasswordChanged
from kemu.storage.executor import Executor, Lookups, Row, Transaction
from kemu.storage.rows import OldCookies, PlayerRow, SessionRow
from kemu.storage.session_statements import SessionStatements
from kemu.storage.statements import Arguments, Database, Statement, Statements
from kemu.storage.store import CHANGED

_KEY: Final = "cookies"
_UNTIL: Final = "cookies-until"


class SqlSessions:
    """The Sessions of a store in SQL."""

    def __init__(self, executor: Executor, lookups: Lookups, database: Database) -> None:
        self._executor = executor
        self._statements = SessionStatements(database)
        self._lookups = lookups

    async def add_session(self, session: SessionRow, password: str | None = None) -> None:
        await self._executor.transact(self._add_session(session, password))

    async def session(self, session: str) -> SessionRow | None:
        found = await self._lookups.find(self._statements.sessions_by_id, session)
        return _session(found[0]) if found else None

    async def sessions(self, player: str) -> list[SessionRow]:
        return [_session(row) for row in await self._lookups.find(self._statements.sessions_by_player, player)]

    async def touch_session(self, session: str, used: int) -> None:
        await self._change(self._statements.touch_session, {"session": session, "at": used})

    async def rotate_session(self, session: str, digest: str) -> bool:
        return bool(await self._change(self._statements.rotate_session, {"session": session, "secret": digest}))

    async def delete_session(self, player: str, session: str) -> bool:
        return bool(await self._change(self._statements.delete_session, {"session": session, "player": player}))

    async def delete_sessions(self, player: str, but: str = "") -> list[str]:
        return await self._executor.transact(self._end(player, but))

    async def prune_sessions(self, unused_since: int, unknown_since: int) -> None:
        await self._change(self._statements.prune_sessions, {"unused": unused_since, "unknown": unknown_since})

    async def change_password(self, player: PlayerRow, password: str, but: str = "") -> list[str]:
        return await self._executor.transact(self._change_password(player, password, but))

    async def recover(self, player: PlayerRow, code: str) -> list[str] | None:
        return await self._executor.transact(self._recover(player, code))

    async def set_codes(self, player: PlayerRow, digests: Sequence[str]) -> None:
        await self._executor.transact(self._set_codes(player, digests))

    async def has_code(self, player: str, digest: str) -> bool:
        return bool(await self._executor.fetch(self._statements.code, {"player": player, "code": digest}))

    async def count_codes(self, player: str) -> int:
        return int((await self._executor.fetch(self._statements.count_codes, {"player": player}))[0][0])

    async def old_cookies(self) -> OldCookies | None:
        key = await self._executor.fetch(self._statements.secret, {"name": _KEY})
        until = await self._executor.fetch(self._statements.secret, {"name": _UNTIL})
        return OldCookies(key[0][0], int(until[0][0])) if key and until else None

    async def old_cookie_retired(self, player: str) -> int | None:
        found = await self._executor.fetch(self._statements.old_cookie_retired, {"player": player})
        return int(found[0][0]) if found else None

    async def retire_old_cookie(self, player: str, at: int) -> None:
        await self._change(self._statements.retire_old_cookie, {"player": player, "at": at})

    async def _change(self, statement: Statement, arguments: Arguments) -> Sequence[Row]:
        """Run one statement in a transaction; gives its rows."""

        def transaction() -> Transaction[Sequence[Row]]:
            return (yield statement, arguments)

        return await self._executor.transact(transaction())

    def _end(self, player: str, but: str) -> Transaction[list[str]]:
        yield self._statements.retire_old_cookie, {"player": player, "at": 0}
        ended = yield self._statements.delete_sessions, {"player": player, "but": but}
        return [session for (session,) in ended]

    def _add_session(self, session: SessionRow, password: str | None) -> Transaction[None]:
        yield from hold_password(self._statements, session.player, password)
        times = (session.created, session.used, session.exchanged)
        yield self._statements.insert_sessions, [(session.id, session.player, session.digest, session.device, *times)]

    def _change_password(self, player: PlayerRow, password: str, but: str) -> Transaction[list[str]]:
        yield from hold_password(self._statements, player.id, player.password)
        yield self._statements.set_password, {"player": player.id, "secret": password}
        return (yield from self._end(player.id, but))

    def _recover(self, player: PlayerRow, code: str) -> Transaction[list[str] | None]:
        if not (yield self._statements.delete_code, {"player": player.id, "code": code}):
            return None
        yield self._statements.set_password, {"player": player.id, "secret": player.password}
        ended = yield from self._end(player.id, "")
        tokens = yield self._statements.delete_tokens, {"player": player.id}
        return [*ended, *(token for (token,) in tokens)]

    def _set_codes(self, player: PlayerRow, digests: Sequence[str]) -> Transaction[None]:
        yield from hold_password(self._statements, player.id, player.password)
        yield self._statements.delete_codes, {"player": player.id}
        yield self._statements.insert_codes, [(player.id, digest) for digest in digests]


def hold_password(statements: Statements, player: str, password: str | None) -> Transaction[None]:
    """Go on if a player still has this password, and let nobody change it meanwhile; None goes on at once.

    Raises PasswordChanged.
    """
    if password is not None and not (yield statements.hold_password, {"player": player, "known": password}):
        raise PasswordChanged(CHANGED)


def player_values(player: PlayerRow) -> tuple[Any, ...]:
    """A row of the list of `Statements.upsert_players`."""
    return (player.id, player.name, player.name.casefold() if player.account else None, player.password)


def _session(row: Row) -> SessionRow:
    session, player, digest, device, created, used, exchanged = row
    return SessionRow(session, player, digest, device, created, used, bool(exchanged))
