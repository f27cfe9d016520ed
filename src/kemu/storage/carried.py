"""The tables of players as an export carries them from one database to another, row by row."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta
from msgspec.structs import astuple
from sqlalchemy import BigInteger, Column, Integer, String, Table, bindparam, select, tuple_

from kemu.people.ratings import GameRating
from kemu.people.table_ratings import from_openskill
from kemu.storage.database import Aggregate
from kemu.storage.schema import (
    players,
    profiles,
    puzzle_answers,
    puzzle_ratings,
    puzzle_standings,
    rating_changes,
    rating_days,
    ratings,
    recovery_codes,
    relations,
    sessions,
    tokens,
)
from kemu.storage.statements import Compiler, Statement, columns_of, on_rows, plain, whole

Values: TypeAlias = tuple[Any, ...]
"""A row, in the order of the columns."""

TABLES: Final[Mapping[str, Table]] = {
    str(table.name): table
    for table in (
        players,
        tokens,
        recovery_codes,
        sessions,
        profiles,
        ratings,
        rating_days,
        rating_changes,
        relations,
        puzzle_answers,
        puzzle_standings,
        puzzle_ratings,
    )
}
"""By name, in the order in which they are carried: players come before their tokens."""


def _kind(column: "Column[Any]") -> Any:
    """Return the type of a value in a column."""
    kind: Any = column.type.python_type
    if isinstance(column.type, String):
        kind = Annotated[str, Meta(max_length=column.type.length, pattern=r"^[^\0]*$")]
    elif isinstance(column.type, Integer):
        most = 2**63 if isinstance(column.type, BigInteger) else 2**31
        kind = Annotated[int, Meta(ge=-most, le=most - 1)]
    return kind | None if column.nullable else kind


def _page(table: Table) -> Statement:
    """Return the selection of at most `limit` rows after a primary key, by primary key."""
    keys = list(table.primary_key)
    after = tuple_(*(bindparam(f"after_{key.name}", type_=key.type) for key in keys))
    return plain(select(table).where(tuple_(*keys) > after).order_by(*keys).limit(bindparam("limit")))


def _insert(table: Table) -> Statement:
    """Return the insertion of the rows that are not there, and whose name no other account has."""

    @on_rows(columns_of(table))
    def build(sql: Compiler, given: Any) -> Any:
        chosen = whole(given)
        if table is tokens:  # perhaps their player was left out
            chosen = chosen.where(select(players.c.id).where(players.c.id == given.c.player).exists())
        return sql.insert(table, chosen).on_conflict_do_nothing().returning(*table.primary_key)

    return build


_PAGES: Final = {name: _page(table) for name, table in TABLES.items()}
_INSERTS: Final = {name: _insert(table) for name, table in TABLES.items()}
_ROWS: Final[Mapping[str, Any]] = {
    name: list[tuple[tuple(_kind(column) for column in table.c)]]  # type: ignore[misc]
    for name, table in TABLES.items()
}


class Carried(Aggregate):
    """Reads and adds whole rows of these tables."""

    async def page(self, table: str, after: Values | None, limit: int) -> list[Values]:
        """Return at most `limit` rows of a table by primary key, after a row; None is before the first."""
        columns = TABLES[table].c.keys()
        least = {column.name: -1 if isinstance(column.type, Integer) else "" for column in TABLES[table].c}
        last = least if after is None else dict(zip(columns, after, strict=True))
        keys = {f"after_{key.name}": last[key.name] for key in TABLES[table].primary_key}
        found = await self._database.fetch(_PAGES[table], **keys, limit=limit)
        return read_rows(table, [list(row) for row in found], strict=False)

    async def add(self, table: str, rows: Sequence[Values]) -> int:
        """Add those of some rows whose primary key is not there; return how many were added."""
        return len(await self._database.change(_INSERTS[table], rows)) if rows else 0


def read_rows(table: str, rows: Sequence[Any], *, strict: bool = True) -> list[Values]:
    """Return rows of a table with the types of its columns.

    Ratings of earlier versions, which had openskill's mean and deviation and no pace, are carried over. Raises
    KeyError, and MsgspecError if they do not fit; unless it is strict, numbers stand for truth values too.
    """
    if table == "ratings":
        rows = [
            _carried_over(row) if isinstance(row, list | tuple) and len(row) == _OLD_RATING else row for row in rows
        ]
    found: list[Values] = msgspec.convert(rows, _ROWS[table], strict=strict)
    return found


_OLD_RATING: Final = 5
"""How many columns a rating of earlier versions had: player, game, mean, deviation, matches."""


def _carried_over(row: Sequence[Any]) -> list[Any]:
    """Return a rating of earlier versions as it is now; its age is not known, so that it is as unsure as a new one."""
    player, game, mu, sigma, matches = msgspec.convert(row, tuple[str, str, float, float, int])
    standing = GameRating(player, game, "rapid", *from_openskill(mu, sigma), matches)
    return list(astuple(standing))
