"""Classes and clubs with their members, their homework, and the lessons of players: rows, statements and methods."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import astuple
from sqlalchemy import and_, bindparam, delete, func, select, update

from kemu.people.groups import (
    GroupKind,
    HomeworkPart,
    Role,
    Task,
    check_homework,
    check_joining,
    check_leaving,
    parts,
)
from kemu.storage.database import Aggregate, Transaction, first, transaction
from kemu.storage.schema import group_members, homework, lessons, player_groups, players, puzzle_answers
from kemu.storage.statements import TEXT, Compiler, insert_all, insert_new, lookup, on_rows, plain

_decode_tasks: Final = msgspec.json.Decoder(tuple[Task, ...]).decode


class GroupRow(Struct, frozen=True):
    """A class or club; `ends` (ms) is when everything of it is deleted, None if nobody has said so."""

    id: str
    name: str
    kind: GroupKind
    code: str
    created: int
    ends: int | None = None


class MemberRow(Struct, frozen=True):
    """A player belongs to a group since a time (ms)."""

    player: str
    group: str
    role: Role
    joined: int


class Member(NamedTuple):
    """A member of a group with the name of today."""

    player: str
    name: str
    role: Role


class Homework(Struct, frozen=True):
    """What a group is given to do, perhaps until a time (ms)."""

    id: str
    group: str
    title: str
    created: int
    due: int | None
    tasks: tuple[Task, ...]


class DonePart(NamedTuple):
    """What a player has done of a homework: a lesson, or a puzzle with how the first answer to it ended."""

    player: str
    part: HomeworkPart
    right: bool


_MEMBER: Final = group_members.c
_IN: Final = _MEMBER.group_id == bindparam("of")
_THIS: Final = and_(_IN, _MEMBER.player == bindparam("member"))
_BY_ID: Final = lookup(player_groups, "id")
_BY_CODE: Final = lookup(player_groups, "code")
_INSERT_GROUP: Final = insert_all(player_groups)
_SAVE_GROUP: Final = plain(
    update(player_groups)
    .values(name=bindparam("new_name"), code=bindparam("new_code"), ends=bindparam("new_ends"))
    .where(player_groups.c.id == bindparam("of"))
)
_ENDED: Final = plain(
    select(player_groups.c.id).where(player_groups.c.ends <= bindparam("now")).order_by(player_groups.c.ends).limit(1)
)
_OF_PLAYER: Final = plain(
    select(*player_groups.c, _MEMBER.role)
    .join_from(group_members, player_groups, player_groups.c.id == _MEMBER.group_id)
    .where(_MEMBER.player == bindparam("member"))
    .order_by(player_groups.c.created, player_groups.c.id)
)
_COUNT_OF_PLAYER: Final = plain(
    select(func.count()).select_from(group_members).where(_MEMBER.player == bindparam("member"))
)
_COUNT_IN: Final = plain(select(func.count()).select_from(group_members).where(_IN))
_ROLE: Final = plain(select(_MEMBER.role).where(_THIS))
_ROLES: Final = plain(select(_MEMBER.player, _MEMBER.role).where(_IN))
_MEMBERS: Final = plain(
    select(_MEMBER.player, players.c.name, _MEMBER.role)
    .join_from(group_members, players, players.c.id == _MEMBER.player)
    .where(_IN)
    .order_by(players.c.name, _MEMBER.player)
)
_MANAGED: Final = plain(
    select(_MEMBER.group_id).where(_MEMBER.player == bindparam("member"), _MEMBER.role == "pupil").limit(1)
)
_JOIN: Final = insert_new(group_members)
_SET_ROLE: Final = plain(update(group_members).values(role=bindparam("new_role")).where(_THIS))
_LEAVE: Final = plain(delete(group_members).where(_THIS).returning(_MEMBER.role))
_HOLD: Final = plain(  # so that two changes of one group wait for each other
    update(player_groups)
    .values(name=player_groups.c.name)
    .where(player_groups.c.id == bindparam("of"))
    .returning(player_groups.c.id)
)
_HOMEWORK: Final = lookup(homework, "group_id", order="created")
_COUNT_HOMEWORK: Final = plain(select(func.count()).select_from(homework).where(homework.c.group_id == bindparam("of")))
_INSERT_HOMEWORK: Final = insert_all(homework)
_DELETE_HOMEWORK: Final = plain(
    delete(homework)
    .where(homework.c.id == bindparam("this"), homework.c.group_id == bindparam("of"))
    .returning(homework.c.id)
)
_DELETE_ALL: Final = tuple(
    plain(delete(table).where(column == bindparam("of")))
    for table, column in (
        (homework, homework.c.group_id),
        (group_members, _MEMBER.group_id),
        (player_groups, player_groups.c.id),
    )
)
_LEARN: Final = insert_new(lessons)
_LEARNED: Final = plain(
    select(lessons.c.game, lessons.c.lesson)
    .where(lessons.c.player == bindparam("by"))
    .order_by(lessons.c.game, lessons.c.lesson)
)


def _done_of(table: Any, name: str, right: Any) -> Any:
    """Return the statement that gives who of some players has done which of some puzzles or lessons of a game."""

    @on_rows({"player": TEXT, "game": TEXT, "part": TEXT})
    def statement(sql: Compiler, given: Any) -> Any:
        same = and_(table.c.player == given.c.player, table.c.game == given.c.game, table.c[name] == given.c.part)
        return select(given.c.player, given.c.game, given.c.part, right).join_from(given, table, same)

    return statement


_DONE: Final = {
    "puzzles": _done_of(puzzle_answers, "puzzle", puzzle_answers.c.solved),
    "lessons": _done_of(lessons, "lesson", lessons.c.at),
}


class Groups(Aggregate):
    """Groups, who belongs to them, what they are given to do, and the lessons that players have learned."""

    async def group(self, group: str) -> GroupRow | None:
        """Return a group by id."""
        return first(GroupRow, await self._database.find(_BY_ID, group))

    async def by_code(self, code: str) -> GroupRow | None:
        """Return the group that is joined with a code."""
        return first(GroupRow, await self._database.find(_BY_CODE, code))

    async def of_player(self, player: str) -> list[tuple[GroupRow, Role]]:
        """Return the groups of a player and the roles there, the oldest group first."""
        rows = await self._database.fetch(_OF_PLAYER, member=player)
        return [(GroupRow(*row), role) for *row, role in rows]

    async def role(self, group: str, player: str) -> Role | None:
        """Return the role of a player in a group; None for somebody who does not belong to it."""
        found: list[Any] = [*await self._database.fetch(_ROLE, of=group, member=player)]
        return found[0][0] if found else None

    async def members(self, group: str) -> list[Member]:
        """Return the members of a group by name."""
        return [Member(*row) for row in await self._database.fetch(_MEMBERS, of=group)]

    async def managed(self, player: str) -> bool:
        """Return whether the account of a player is that of a pupil."""
        return bool(await self._database.fetch(_MANAGED, member=player))

    async def save_group(self, group: GroupRow) -> None:
        """Save the name, the code and the end of a group."""
        new = {"new_name": group.name, "new_code": group.code, "new_ends": group.ends}
        await self._database.change(_SAVE_GROUP, {"of": group.id, **new})

    @transaction
    def add_group(self, group: GroupRow, teacher: str) -> Transaction[None]:
        """Insert a group with its first teacher. Raises GroupLimit."""
        ((count,),) = yield _COUNT_OF_PLAYER, {"member": teacher}
        check_joining(count, 0)
        yield _INSERT_GROUP, [astuple(group)]
        yield _JOIN, [astuple(MemberRow(teacher, group.id, "teacher", group.created))]

    @transaction
    def join(self, rows: Sequence[MemberRow]) -> Transaction[bool]:
        """Have players belong to one group; those who do already keep their roles.

        Returns False if the group is gone. Raises GroupLimit.
        """
        group = rows[0].group
        if not (yield _HOLD, {"of": group}):
            return False
        ((members,),) = yield _COUNT_IN, {"of": group}
        for row in rows:
            ((count,),) = yield _COUNT_OF_PLAYER, {"member": row.player}
            check_joining(count, members, len(rows))
        yield _JOIN, [astuple(row) for row in rows]
        return True

    @transaction
    def set_role(self, group: str, player: str, role: Role) -> Transaction[bool]:
        """Give a member another role; return False if the group has no such member. Raises LastTeacher."""
        roles = yield from _roles(group)
        if player not in roles:
            return False
        if role != "teacher":
            check_leaving(player, roles)
        yield _SET_ROLE, {"of": group, "member": player, "new_role": role}
        return True

    @transaction
    def leave(self, group: str, player: str) -> Transaction[Role | None]:
        """Have a member leave a group; return the role they had, None if they did not belong to it.

        Raises LastTeacher.
        """
        check_leaving(player, (yield from _roles(group)))
        found: Any = yield _LEAVE, {"of": group, "member": player}
        return found[0][0] if found else None

    @transaction
    def delete_group(self, group: str) -> Transaction[list[str]]:
        """Delete a group with its members and its homework; return who were still its pupils."""
        roles = yield from _roles(group)
        for statement in _DELETE_ALL:
            yield statement, {"of": group}
        return [player for player, role in roles.items() if role == "pupil"]

    async def ended(self, now: int) -> str | None:
        """Return a group whose end (ms) has come."""
        found = await self._database.fetch(_ENDED, now=now)
        return found[0][0] if found else None

    async def homework(self, group: str) -> list[Homework]:
        """Return all homework of a group, the newest last."""
        rows = await self._database.find(_HOMEWORK, group)
        return [_homework(*row) for row in rows]

    @transaction
    def give_homework(self, given: Homework) -> Transaction[None]:
        """Insert homework. Raises GroupLimit."""
        yield _HOLD, {"of": given.group}
        ((count,),) = yield _COUNT_HOMEWORK, {"of": given.group}
        check_homework(given.tasks, count)
        *row, tasks = astuple(given)
        yield _INSERT_HOMEWORK, [(*row, msgspec.json.encode(tasks).decode())]

    async def delete_homework(self, group: str, this: str) -> bool:
        """Delete homework of a group; return whether there was any with this id."""
        return bool(await self._database.change(_DELETE_HOMEWORK, {"of": group, "this": this}))

    async def done(self, given: Homework, who: Sequence[str]) -> list[DonePart]:
        """Return what some players have done of a homework."""
        found: list[DonePart] = []
        for kind, statement in _DONE.items():
            wanted = [
                (player, part.game, part.id) for part in parts(given.tasks) if part.kind == kind for player in who
            ]
            rows = await self._database.change(statement, wanted) if wanted else ()
            found += (
                DonePart(player, HomeworkPart(kind, game, part), bool(right)) for player, game, part, right in rows
            )
        return found

    async def learn(self, player: str, game: str, lesson: str, at: int) -> None:
        """Save that a player has learned a lesson of the course of a game."""
        await self._database.change(_LEARN, [(player, game, lesson, at)])

    async def learned(self, player: str) -> list[tuple[str, str]]:
        """Return the lessons that a player has learned, with their games."""
        return [(game, lesson) for game, lesson in await self._database.fetch(_LEARNED, by=player)]


def _homework(this: str, group: str, title: str, created: int, due: int | None, tasks: str) -> Homework:
    return Homework(this, group, title, created, due, _decode_tasks(tasks))


def _roles(group: str) -> Transaction[dict[str, Role]]:
    """Hold a group, and return the roles of its members."""
    yield _HOLD, {"of": group}
    rows: Any = yield _ROLES, {"of": group}
    return dict(rows)
