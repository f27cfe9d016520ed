"""The store in SQL: SQLite in a file, or PostgreSQL by URL."""

from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any, Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.storage.errors import NameTaken, UnknownMatch
from kemu.storage.executor import Executor, Lookups, Row, Transaction, UniqueViolation
from kemu.storage.postgres_executor import PostgresExecutor
from kemu.storage.rows import MatchRow, PlayerRow, RatingRow, TokenRow, decode_row
from kemu.storage.schema import migrate
from kemu.storage.sqlite_executor import SqliteExecutor
from kemu.storage.statements import Arguments, Statement
from kemu.storage.store import STATUS, NoNotifications, Notifications, Query, RatingUpdate, StoreJournal

NO_LIMIT_MS: Final = 2**63 - 1
"""A time after all others, the greatest that the column `created` can hold."""

_COOKIES: Final = "cookies"


class SqlStore:
    """A Store at sqlite:///path or postgresql://host/name. Raises OptionError for any other URL."""

    def __init__(self, url: str) -> None:
        try:
            address = make_url(url)
        except ArgumentError:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {quote(url)}.") from None
        self.process = token_hex(8)
        self.shared = address.get_backend_name() == "postgresql"
        self.journal: StoreJournal
        self.notifications: Notifications
        self._executor: Executor
        if self.shared:
            self._address = address.set(drivername="postgresql+asyncpg")
            plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
            self._executor = self.journal = self.notifications = PostgresExecutor(plain, self.process)
        elif address.get_backend_name() == "sqlite" and address.database:
            self._address = address.set(drivername="sqlite+aiosqlite")
            path = Path(address.database)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._executor = self.journal = SqliteExecutor(path, self.process)
            self.notifications = NoNotifications()
        else:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {address.drivername}.")
        lookups = Lookups(self._executor)
        self.matches = SqlMatches(self._executor, lookups, self.process)
        self.players = SqlPlayers(self._executor, lookups)

    async def open(self) -> None:
        await migrate(self._address)
        await self._executor.open()
        if not self.shared:  # the process that used the file before has ended
            delete_all = _single(self._executor.statements.delete_processes, {"seen": NO_LIMIT_MS})
            await self._executor.transact(delete_all)

    async def close(self) -> None:
        await self._executor.close()

    async def check(self) -> None:
        await self._executor.fetch(self._executor.statements.ping, {})


class SqlMatches:
    """Matches in SQL; the journal writes them."""

    def __init__(self, executor: Executor, lookups: Lookups, process: str) -> None:
        self._executor = executor
        self._statements = executor.statements
        self._lookups = lookups
        self._process = process

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        found = await self._lookups.find(self._statements.match_and_entries, match)
        if not found or found[0][0] != 0:
            raise UnknownMatch("No match has this id.")
        (_, document, scheduled), *entries = found
        return decode_row(document, scheduled), [entry.encode() for _, entry, _ in entries]

    async def entries(self, match: str, after: int) -> list[bytes]:
        return [text.encode() for (text,) in await self._lookups.find(self._statements.entries_after, match, after)]

    async def rows(self, query: Query) -> list[MatchRow]:
        mine = query.show == "mine"
        before = NO_LIMIT_MS if query.before is None else query.before
        arguments: dict[str, Any] = {"before": before, "limit": query.limit}
        arguments |= {"player": query.player} if mine else {"status": STATUS[query.show]}
        if query.game is not None:
            arguments["game"] = query.game
        return await self._rows(self._statements.listed[mine, query.game is not None], arguments)

    async def count_hosted(self, player: str) -> int:
        found = await self._lookups.find(self._statements.hosted, player)
        return int(found[0][0]) if found else 0

    async def page(self, after: str = "", limit: int = 500) -> list[MatchRow]:
        return await self._rows(self._statements.page, {"after": after, "limit": limit})

    async def unrated(self) -> list[str]:
        return [match for (match,) in await self._executor.fetch(self._statements.unrated, {})]

    async def claim_unowned(self, now: int, silent_since: int) -> list[str]:
        return await self._executor.transact(self._claim(now, silent_since))

    async def release(self) -> None:
        await self._executor.transact(_single(self._statements.delete_process, {"id": self._process}))

    def _claim(self, now: int, silent_since: int) -> Transaction[list[str]]:
        yield self._statements.upsert_process, {"id": self._process, "seen": now}
        yield self._statements.delete_processes, {"seen": silent_since}
        claimed = yield self._statements.claim_matches, {"process": self._process}
        return [match for (match,) in claimed]

    async def _rows(self, statement: Statement, arguments: Arguments) -> list[MatchRow]:
        return [decode_row(*found) for found in await self._executor.fetch(statement, arguments)]


class SqlPlayers:
    """Players, tokens and ratings in SQL."""

    def __init__(self, executor: Executor, lookups: Lookups) -> None:
        self._executor = executor
        self._statements = executor.statements
        self._lookups = lookups

    async def cookie_secret(self) -> str:
        return await self._executor.transact(self._cookie_secret())

    async def player(self, player: str) -> PlayerRow | None:
        return _player(await self._lookups.find(self._statements.players_by_id, player))

    async def account(self, name: str) -> PlayerRow | None:
        return _player(await self._lookups.find(self._statements.players_by_login, name.casefold()))

    async def save_player(self, player: PlayerRow) -> None:
        login = player.name.casefold() if player.account else None
        values = (player.id, player.name, login, player.password)
        try:
            await self._executor.transact(_single(self._statements.upsert_players, [values]))
        except UniqueViolation:
            raise NameTaken("Another account has this name.") from None

    async def add_token(self, token: TokenRow) -> None:
        values = (token.id, token.player, token.label, token.digest)
        await self._executor.transact(_single(self._statements.insert_tokens, [values]))

    async def token(self, token: str) -> TokenRow | None:
        found = await self._lookups.find(self._statements.tokens_by_id, token)
        return TokenRow(*found[0]) if found else None

    async def tokens(self, player: str) -> list[TokenRow]:
        return [TokenRow(*found) for found in await self._lookups.find(self._statements.tokens_by_player, player)]

    async def delete_token(self, player: str, token: str) -> bool:
        deleted = _single(self._statements.delete_token, {"id": token, "player": player})
        return bool(await self._executor.transact(deleted))

    async def ratings(self, *, player: str | None = None, game: str | None = None) -> list[RatingRow]:
        given = {name: value for name, value in (("player", player), ("game", game)) if value is not None}
        statement = self._statements.best_ratings[player is not None, game is not None]
        return [RatingRow(*found) for found in await self._executor.fetch(statement, given)]

    async def rate(self, match: str, game: str, players: Sequence[str], update: RatingUpdate) -> bool:
        return await self._executor.transact(self._rate(match, game, players, update))

    def _cookie_secret(self) -> Transaction[str]:
        yield self._statements.insert_secret, {"name": _COOKIES, "value": token_hex(32)}
        ((value,),) = yield self._statements.secret, {"name": _COOKIES}
        return str(value)

    def _rate(self, match: str, game: str, players: Sequence[str], update: RatingUpdate) -> Transaction[bool]:
        if not (yield self._statements.mark_rated, {"match": match}):
            return False
        found: Sequence[Row] = ()
        if players:
            found = yield self._statements.lock_ratings, [(player, game) for player in set(players)]
        changed = update({row.player: row for row in (RatingRow(*values) for values in found)})
        if changed:
            values = [(row.player, row.game, row.mu, row.sigma, row.matches) for row in changed]
            yield self._statements.upsert_ratings, values
        return True


def _single(statement: Statement, arguments: Arguments) -> Transaction[Sequence[Row]]:
    """A transaction of one statement; gives its rows."""
    return (yield statement, arguments)


def _player(found: Sequence[Row]) -> PlayerRow | None:
    if not found:
        return None
    ((player, name, login, password),) = found
    return PlayerRow(player, name, login is not None, password)
