"""Whom players follow and block: rows, statements and methods."""

from collections.abc import Collection
from typing import Any, Final, NamedTuple

from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import and_, bindparam, delete, exists, func, literal_column, or_, select

from kemu.people.relations import RelationKind, check_relation
from kemu.storage.database import Aggregate, Transaction, transaction
from kemu.storage.matches import NO_LIMIT_MS
from kemu.storage.schema import group_members, players, relations
from kemu.storage.statements import TEXT, Compiler, on_rows, plain, upsert


class RelationRow(Struct, frozen=True):
    """A player follows or blocks another one since a time (ms)."""

    player: str
    other: str
    kind: RelationKind
    created: int


class Related(NamedTuple):
    """Another player in a list of those whom somebody follows or blocks, with the name of today."""

    player: str
    name: str
    created: int


_SAVE_RELATIONS: Final = upsert(relations)
_THIS: Final = and_(relations.c.player == bindparam("one"), relations.c.other == bindparam("two"))
_RELATION: Final = plain(select(relations.c.kind).where(_THIS))
_DELETE_RELATION: Final = plain(delete(relations).where(_THIS).returning(relations.c.kind))
_DELETE_FOLLOW: Final = plain(delete(relations).where(_THIS, relations.c.kind == "follow"))
_COUNT: Final = plain(
    select(func.count())
    .select_from(relations)
    .where(relations.c.player == bindparam("one"), relations.c.kind == bindparam("of"))
)
_NEWEST: Final = plain(
    select(relations.c.other, players.c.name, relations.c.created)
    .join(players, players.c.id == relations.c.other)
    .where(relations.c.player == bindparam("one"), relations.c.kind == bindparam("of"))
    .where(relations.c.created < bindparam("before"))
    .order_by(relations.c.created.desc(), relations.c.other.desc())
    .limit(bindparam("limit"))
)


def apart(one: Any, two: Any) -> Any:
    """Return the condition that a block of either side, or a class, keeps two players apart.

    Pupils meet nobody but those who belong to their group.
    """
    mine, theirs = (relations.alias() for _ in range(2))
    return or_(
        exists().where(mine.c.player == one, mine.c.other == two, mine.c.kind == "block"),
        exists().where(theirs.c.player == two, theirs.c.other == one, theirs.c.kind == "block"),
        and_(or_(is_pupil(one), is_pupil(two)), ~_share_group(one, two)),
    )


def is_pupil(player: Any) -> Any:
    """Return the condition that the account of a player is that of a pupil."""
    pupil = group_members.alias()
    return exists().where(pupil.c.player == player, pupil.c.role == literal_column("'pupil'"))


def _share_group(one: Any, two: Any) -> Any:
    first, second = (group_members.alias() for _ in range(2))
    return exists().where(first.c.player == one, second.c.player == two, first.c.group_id == second.c.group_id)


@on_rows({"player": TEXT, "other": TEXT})
def _kept_apart(sql: Compiler, given: Any) -> Any:
    """Give the second of those of some pairs of players that are kept apart."""
    return select(given.c.other).where(apart(given.c.player, given.c.other))


@on_rows({"player": TEXT, "other": TEXT})
def _strange_pupils(sql: Compiler, given: Any) -> Any:
    """Give the second of those of some pairs of players that are pupils of classes of which the first is not."""
    return select(given.c.other).where(is_pupil(given.c.other), ~_share_group(given.c.player, given.c.other))


class People(Aggregate):
    """Relations between players."""

    async def relation(self, player: str, other: str) -> RelationKind | None:
        """Return whether a player follows or blocks another one; None if neither."""
        found = await self._database.fetch(_RELATION, one=player, two=other)
        return found[0][0] if found else None

    async def related(
        self, player: str, kind: RelationKind, before: int | None = None, limit: int = 50
    ) -> list[Related]:
        """Return at most `limit` players whom a player follows or blocks since before a time (ms), newest first."""
        until = NO_LIMIT_MS if before is None else before
        rows = await self._database.fetch(_NEWEST, one=player, of=kind, before=until, limit=limit)
        return [Related(*row) for row in rows]

    async def kept_apart(self, player: str, others: Collection[str]) -> set[str]:
        """Return those of some players whom a block, theirs or the player's own, or a class keeps from a player."""
        pairs = [(player, other) for other in sorted(set(others)) if other != player]
        return {other for (other,) in await self._database.change(_kept_apart, pairs)} if pairs else set()

    async def strange_pupils(self, player: str, others: Collection[str]) -> set[str]:
        """Return those of some players who are pupils and belong to no group of a player: nobody shows them to them."""
        pairs = [(player, other) for other in sorted(set(others)) if other != player]
        if not pairs:
            return set()
        rows = await self._database.query(self._database.compile(_strange_pupils), pairs)
        return {other for (other,) in rows}

    @transaction
    def relate(self, row: RelationRow) -> Transaction[None]:
        """Have a player follow or block another one from now on; a block ends what the other one follows.

        Raises WithYourself, Blocked, RelationLimit.
        """
        ((count,),) = yield _COUNT, {"one": row.player, "of": row.kind}
        blocked = yield _kept_apart, [(row.player, row.other)]
        check_relation(row.player, row.other, row.kind, count, {other for (other,) in blocked})
        yield _SAVE_RELATIONS, [astuple(row)]
        if row.kind == "block":
            yield _DELETE_FOLLOW, {"one": row.other, "two": row.player}

    async def unrelate(self, player: str, other: str) -> bool:
        """Have a player follow and block another one no longer; return whether they did."""
        return bool(await self._database.change(_DELETE_RELATION, {"one": player, "two": other}))
