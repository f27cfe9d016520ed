"""The store in SQL: SQLite in a file, or PostgreSQL by URL."""

import time
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from sqlite3 import Connection
from typing import Any, Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.storage.errors import NameTaken, PasswordChanged, UnknownMatch
from kemu.storage.executor import Executor, Lookups, Row, Transaction, UniqueViolation, save_ratings, storable
from kemu.storage.files import make_private
from kemu.storage.postgres_executor import PostgresExecutor
from kemu.storage.rows import MatchRow, PlayerRow, RatingRow, TokenRow, decode_row
from kemu.storage.schema import migrate
from kemu.storage.sql_puzzles import SqlPuzzles
from kemu.storage.sql_reviews import SqlReviews
from kemu.storage.sql_sessions import SqlSessions, hold_password, player_values
from kemu.storage.sql_studies import SqlStudies
from kemu.storage.sqlite_executor import SqliteExecutor
from kemu.storage.sqlite_file import lock_file
from kemu.storage.statements import Arguments, Database, Statement
from kemu.storage.store import CHANGED, STATUS, NoNotifications, Notifications, Query, Rating, StoreJournal

NO_LIMIT_MS: Final = 2**63 - 1
"""A time after all others, the greatest that the column `created` can hold."""


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
        self._path: Path | None = None
        self._lock: Connection | None = None
        if self.shared:
            self._address = address.set(drivername="postgresql+asyncpg")
            plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
            self._executor = self.journal = self.notifications = PostgresExecutor(plain, self.process)
        elif address.get_backend_name() == "sqlite" and address.database:
            self._address = address.set(drivername="sqlite+aiosqlite")
            self._path = Path(address.database)
            make_private(self._path)
            self._executor = self.journal = SqliteExecutor(self._path, self.process)
            self.notifications = NoNotifications()
        else:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {address.drivername}.")
        lookups = Lookups(self._executor)
        self.matches = SqlMatches(self._executor, lookups, self.process)
        self.players = SqlPlayers(self._executor, lookups)
        database: Database = "postgresql" if self.shared else "sqlite"
        self.sessions = SqlSessions(self._executor, lookups, database)
        self.reviews = SqlReviews(self._executor, database)
        self.studies = self.explorer = SqlStudies(self._executor, lookups, database)
        self.puzzles = SqlPuzzles(self._executor, database)

    async def open(self) -> None:
        await migrate(self._address)
        await self._executor.open()

    async def reserve(self) -> None:
        if self._path is None:
            return
        self._lock = lock_file(self._path)
        # The process that used the file before has ended.
        delete_all = _single(self._executor.statements.delete_processes, {"seen": NO_LIMIT_MS})
        await self._executor.transact(delete_all)

    async def close(self) -> None:
        await self._executor.close()
        if self._lock is not None:
            self._lock.close()

    async def check(self) -> None:
        written = {"id": self.process, "seen": time.time_ns() // 1_000_000}
        await self._executor.transact(_single(self._executor.statements.upsert_process, written))


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
        if not storable(query.game):
            return []
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

    async def plays_rated(self, player: str, game: str) -> bool:
        if not storable(player) or not storable(game):
            return False
        return bool(await self._executor.fetch(self._statements.rated_running, {"player": player, "game": game}))

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

    async def player(self, player: str) -> PlayerRow | None:
        return _player(await self._lookups.find(self._statements.players_by_id, player))

    async def account(self, name: str) -> PlayerRow | None:
        return _player(await self._lookups.find(self._statements.players_by_login, name.casefold()))

    async def save_player(self, player: PlayerRow) -> None:
        try:
            saved = await self._executor.transact(_single(self._statements.upsert_players, [player_values(player)]))
        except UniqueViolation:
            raise NameTaken("Another account has this name.") from None
        if not saved:
            raise PasswordChanged(CHANGED)

    async def add_token(self, token: TokenRow, password: str | None = None) -> None:
        await self._executor.transact(self._add_token(token, password))

    async def token(self, token: str) -> TokenRow | None:
        found = await self._lookups.find(self._statements.tokens_by_id, token)
        return TokenRow(*found[0]) if found else None

    async def tokens(self, player: str) -> list[TokenRow]:
        return [TokenRow(*found) for found in await self._lookups.find(self._statements.tokens_by_player, player)]

    async def delete_token(self, player: str, token: str) -> bool:
        deleted = _single(self._statements.delete_token, {"id": token, "player": player})
        return bool(await self._executor.transact(deleted))

    async def ratings(self, *, player: str | None = None, game: str | None = None) -> list[RatingRow]:
        if not storable(player, game):
            return []
        given = {name: value for name, value in (("player", player), ("game", game)) if value is not None}
        statement = self._statements.best_ratings[player is not None, game is not None]
        return [RatingRow(*found) for found in await self._executor.fetch(statement, given)]

    async def rate(self, match: str, rating: Rating) -> bool:
        return bool(await self._executor.transact(save_ratings(self._statements, {match: rating})))

    def _add_token(self, token: TokenRow, password: str | None) -> Transaction[None]:
        yield from hold_password(self._statements, token.player, password)
        yield self._statements.insert_tokens, [(token.id, token.player, token.label, token.digest, token.scope)]


def _single(statement: Statement, arguments: Arguments) -> Transaction[Sequence[Row]]:
    """A transaction of one statement; gives its rows."""
    return (yield statement, arguments)


def _player(found: Sequence[Row]) -> PlayerRow | None:
    if not found:
        return None
    ((player, name, login, password),) = found
    return PlayerRow(player, name, login is not None, password)
