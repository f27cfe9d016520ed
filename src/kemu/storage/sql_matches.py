"""Matches read from SQL, and which process tends which."""

from typing import Any

import msgspec
from sqlalchemy import Select, delete, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncEngine

from kemu.storage.errors import UnknownMatch
from kemu.storage.postgres_reader import PostgresReader
from kemu.storage.schema import entries, matches, processes, rated, sitters
from kemu.storage.store import STATUS, MatchRow, Query

decode_row = msgspec.json.Decoder(MatchRow).decode


class SqlMatches:
    """Reads by SQLAlchemy; all writing of matches is the journal's."""

    def __init__(self, engine: AsyncEngine, process: str, reader: PostgresReader | None) -> None:
        self._engine = engine
        self._process = process
        self._reader = reader

    async def load(self, match: str) -> tuple[MatchRow, list[bytes]]:
        if self._reader is not None:
            text, saved = await self._reader.read(match, 0, row=True)
        else:
            found = await self._texts(select(matches.c.row).where(matches.c.id == match))
            text, saved = (found[0] if found else None), await self.entries(match, 0)
        if text is None:
            raise UnknownMatch("No match has this id.")
        return decode_row(text), saved

    async def entries(self, match: str, after: int) -> list[bytes]:
        if self._reader is not None:
            return (await self._reader.read(match, after)).entries
        chosen = select(entries.c.entry).where(entries.c.match == match, entries.c.version > after)
        return [text.encode() for text in await self._texts(chosen.order_by(entries.c.version))]

    async def rows(self, query: Query) -> list[MatchRow]:
        chosen = select(matches.c.row).order_by(matches.c.created.desc(), matches.c.id.desc()).limit(query.limit)
        if query.show == "mine":
            chosen = chosen.join(sitters, sitters.c.match == matches.c.id).where(sitters.c.player == query.player)
        else:
            chosen = chosen.where(matches.c.public, matches.c.status == STATUS[query.show])
        if query.game is not None:
            chosen = chosen.where(matches.c.game == query.game)
        if query.before is not None:
            chosen = chosen.where(matches.c.created < query.before)
        return [decode_row(text) for text in await self._texts(chosen)]

    async def hosted(self, player: str) -> int:
        chosen = select(func.count()).where(matches.c.host == player, matches.c.status.in_(("open", "running")))
        async with self._engine.connect() as connection:
            return (await connection.execute(chosen)).scalar_one()

    async def every(self, after: str = "", limit: int = 500) -> list[MatchRow]:
        chosen = select(matches.c.row).where(matches.c.id > after).order_by(matches.c.id).limit(limit)
        return [decode_row(text) for text in await self._texts(chosen)]

    async def unrated(self) -> list[str]:
        counted = select(rated.c.match)
        return await self._texts(
            select(matches.c.id).where(matches.c.rated, matches.c.status == "finished", matches.c.id.not_in(counted))
        )

    async def adopt(self, now: int, dead: int) -> list[str]:
        living = select(processes.c.id).where(processes.c.seen > dead)
        orphaned = matches.c.owner.is_(None) | matches.c.owner.not_in(living)
        mine = update(matches).values(owner=self._process).where(matches.c.tended, orphaned).returning(matches.c.id)
        async with self._engine.begin() as connection:
            alive = update(processes).values(seen=now).where(processes.c.id == self._process)
            if not (await connection.execute(alive)).rowcount:
                await connection.execute(insert(processes).values(id=self._process, seen=now))
            await connection.execute(delete(processes).where(processes.c.seen <= dead))
            return list((await connection.execute(mine)).scalars())

    async def retire(self) -> None:
        async with self._engine.begin() as connection:
            await connection.execute(delete(processes).where(processes.c.id == self._process))

    async def _texts(self, chosen: Select[tuple[Any]]) -> list[str]:
        async with self._engine.connect() as connection:
            return list((await connection.execute(chosen)).scalars())
