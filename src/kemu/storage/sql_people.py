"""Players, tokens and ratings in SQL."""

from collections.abc import Sequence
from secrets import token_hex
from typing import Any, Final

from sqlalchemy import Table, delete, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncEngine

from kemu.storage.errors import NameTaken
from kemu.storage.schema import players, rated, ratings, secrets, tokens
from kemu.storage.store import PlayerRow, Rate, RatingRow, TokenRow

BEST: Final = 100


class SqlPeople:
    """Everything about people, by SQLAlchemy."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def secret(self) -> str:
        async with self._engine.begin() as connection:
            await connection.execute(self._insert(secrets, "name", name="cookies", value=token_hex(32)))
            chosen = select(secrets.c.value).where(secrets.c.name == "cookies")
            return str((await connection.execute(chosen)).scalar_one())

    async def player(self, player: str) -> PlayerRow | None:
        return await self._player(players.c.id == player)

    async def account(self, name: str) -> PlayerRow | None:
        return await self._player(players.c.login == name.casefold())

    async def keep(self, player: PlayerRow) -> None:
        values = {
            "name": player.name,
            "login": player.name.casefold() if player.account else None,
            "password": player.password,
        }
        try:
            async with self._engine.begin() as connection:
                await connection.execute(self._insert(players, "id", values, id=player.id, **values))
        except IntegrityError:
            raise NameTaken("Another account has this name.") from None

    async def add_token(self, token: TokenRow) -> None:
        values = {"id": token.id, "player": token.player, "label": token.label, "digest": token.digest}
        async with self._engine.begin() as connection:
            await connection.execute(tokens.insert().values(values))

    async def token(self, token: str) -> TokenRow | None:
        found = await self._tokens(tokens.c.id == token)
        return found[0] if found else None

    async def tokens(self, player: str) -> list[TokenRow]:
        return await self._tokens(tokens.c.player == player)

    async def drop_token(self, player: str, token: str) -> bool:
        async with self._engine.begin() as connection:
            gone = await connection.execute(delete(tokens).where(tokens.c.id == token, tokens.c.player == player))
            return gone.rowcount > 0

    async def ratings(self, *, player: str | None = None, game: str | None = None) -> list[RatingRow]:
        chosen = select(ratings).order_by(ratings.c.mu.desc()).limit(BEST)
        if player is not None:
            chosen = chosen.where(ratings.c.player == player)
        if game is not None:
            chosen = chosen.where(ratings.c.game == game)
        async with self._engine.connect() as connection:
            return [RatingRow(*row) for row in await connection.execute(chosen)]

    async def rate(self, match: str, game: str, players: Sequence[str], rate: Rate) -> bool:
        known = select(ratings).where(ratings.c.game == game, ratings.c.player.in_(players)).with_for_update()
        async with self._engine.begin() as connection:
            if not (await connection.execute(self._insert(rated, "match", match=match))).rowcount:
                return False
            rows = [RatingRow(*row) for row in await connection.execute(known)]
            for row in rate({row.player: row for row in rows}):
                values = {"mu": row.mu, "sigma": row.sigma, "matches": row.matches}
                key = {"player": row.player, "game": row.game}
                await connection.execute(self._insert(ratings, "player game", values, **key, **values))
        return True

    async def _player(self, which: Any) -> PlayerRow | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(select(players).where(which))).one_or_none()
        return None if row is None else PlayerRow(row.id, row.name, row.login is not None, row.password)

    async def _tokens(self, which: Any) -> list[TokenRow]:
        async with self._engine.connect() as connection:
            rows = await connection.execute(select(tokens).where(which).order_by(tokens.c.id))
            return [TokenRow(row.id, row.player, row.label, row.digest) for row in rows]

    def _insert(self, table: Table, key: str, otherwise: dict[str, Any] | None = None, **values: Any) -> Any:
        """Insert a row, or, if the key is there already, set `otherwise` or do nothing."""
        dialect: Any = postgresql if self._engine.dialect.name == "postgresql" else sqlite
        statement = dialect.insert(table).values(values)
        if otherwise is None:
            return statement.on_conflict_do_nothing(index_elements=key.split())
        return statement.on_conflict_do_update(index_elements=key.split(), set_=otherwise)
