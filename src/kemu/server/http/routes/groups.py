"""Routes of classes and clubs: who belongs to them, the accounts of pupils, homework, and how everybody does.

A group is known to its members alone, its code and the results of all members to its teachers alone.
"""

import asyncio
from secrets import choice, token_urlsafe
from typing import Annotated, Literal, TypeAlias

from litestar import delete, get, patch, post, put
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from kemu.games import manifest
from kemu.people.groups import (
    MOST_PUPILS,
    GroupKind,
    GroupLimit,
    Role,
    UnknownGroup,
    check_member,
    check_teacher,
    new_code,
)
from kemu.people.names import Name, clean_name
from kemu.people.pace import PACES, Pace
from kemu.server.auth.identity import NotSignedIn
from kemu.server.groups import Pupil
from kemu.server.http.requests import OWNER, Caller, FromCaller
from kemu.server.http.routes.players import RatingAnswer, rating_answer
from kemu.server.runtime import now_ms
from kemu.storage.errors import UnknownPlayer
from kemu.storage.groups import GroupRow, MemberRow

Time: TypeAlias = Annotated[int, Meta(ge=0, le=2**53)]


class NewGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """A class or club to be made; `ends` (ms) is when everything of it is deleted."""

    name: Name
    kind: GroupKind
    ends: Time | None = None


class GroupChange(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes of a group; with `renew` it gets another code, and the one before is worth nothing."""

    name: Name | UnsetType = UNSET
    ends: Time | UnsetType | None = UNSET
    renew: bool = False


class GroupCode(Struct, frozen=True, forbid_unknown_fields=True):
    """The code of a group, in whatever case and with spaces and hyphens or without."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]


class RoleRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A new role of a member who is no pupil."""

    role: Literal["teacher", "member"]


class PupilsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """How many pupils are made."""

    count: Annotated[int, Meta(ge=1, le=MOST_PUPILS)]


class ListedGroup(Struct, frozen=True):
    """A group to which you belong, with your role."""

    id: str
    name: str
    kind: GroupKind
    role: Role


class MemberAnswer(Struct, frozen=True):
    """A member of a group."""

    id: str
    name: str
    role: Role


class GroupAnswer(ListedGroup, frozen=True):
    """A group with its members; `invitation`, the code to join it with, is null unless you are a teacher."""

    created: int
    ends: int | None
    invitation: str | None
    members: list[MemberAnswer]


class SlipAnswer(Struct, frozen=True):
    """The name and the password of a pupil, shown once."""

    id: str
    name: str
    password: str


class GroupStanding(Struct, frozen=True):
    """A member with the rating at a game at a pace."""

    player: str
    name: str
    rating: RatingAnswer


@post("/api/groups", opt=OWNER)
async def newgroup_for(caller: FromCaller, data: JSONBody[NewGroup]) -> GroupAnswer:
    """Make a class or club, whose teacher you are."""
    check_account(caller)
    teacher = caller.visitor.id
    row = GroupRow(token_urlsafe(9), clean_name(data.name), data.kind, new_code(choice), now_ms(), data.ends)
    async with caller.services.turns.of(teacher):
        await caller.services.runtime.store.groups.add_group(row, teacher)
    return await _answer(caller, row, "teacher")


@get("/api/groups")
async def my_groups(caller: FromCaller) -> list[ListedGroup]:
    """List the groups to which you belong."""
    found = await caller.services.runtime.store.groups.of_player(caller.visitor.id)
    return [ListedGroup(row.id, row.name, row.kind, role) for row, role in found]


@post("/api/groups/join", status_code=200, opt=OWNER)
async def join(caller: FromCaller, data: JSONBody[GroupCode]) -> GroupAnswer:
    """Join a group by its code."""
    check_account(caller)
    store, plain = caller.services.runtime.store.groups, "".join(data.code.upper().replace("-", " ").split())
    caller.services.visitor_rates.spend(caller.address, "Too many codes were tried from your address; try again later.")
    row = await store.by_code(plain)
    if row is None or not await store.join([MemberRow(caller.visitor.id, row.id, "member", now_ms())]):
        raise UnknownGroup("No group is joined with this code.")
    return await _answer(caller, row, await store.role(row.id, caller.visitor.id) or "member")


@get("/api/groups/{group:str}")
async def group_of(caller: FromCaller, group: FromPath[str]) -> GroupAnswer:
    """Return a group to which you belong, with its members."""
    row, role = await group_for(caller, group)
    return await _answer(caller, row, role)


@patch("/api/groups/{group:str}")
async def changegroup_for(caller: FromCaller, group: FromPath[str], data: JSONBody[GroupChange]) -> GroupAnswer:
    """Give a group of yours another name, another end, or another code."""
    row, role = await group_for(caller, group, teachers=True)
    if data.name is not UNSET:
        row = replace(row, name=clean_name(data.name))
    if data.ends is not UNSET:
        row = replace(row, ends=data.ends)
    if data.renew:
        row = replace(row, code=new_code(choice))
    await caller.services.runtime.store.groups.save_group(row)
    return await _answer(caller, row, role)


@delete("/api/groups/{group:str}")
async def deletegroup_for(caller: FromCaller, group: FromPath[str]) -> None:
    """Delete a group of yours with its homework and the accounts of its pupils."""
    row, _ = await group_for(caller, group, teachers=True)
    await caller.services.groups.delete(row.id)


@put("/api/groups/{group:str}/members/{player:str}")
async def set_role(
    caller: FromCaller, group: FromPath[str], player: FromPath[str], data: JSONBody[RoleRequest]
) -> MemberAnswer:
    """Make a member of a group of yours its teacher, or a teacher a member."""
    row, _ = await group_for(caller, group, teachers=True)
    store = caller.services.runtime.store.groups
    if await store.role(row.id, player) in (None, "pupil") or not await store.set_role(row.id, player, data.role):
        raise UnknownPlayer("This group has no such member, or it is a pupil.")
    return next(each for each in (await _answer(caller, row, "teacher")).members if each.id == player)


@delete("/api/groups/{group:str}/members/{player:str}")
async def leave(caller: FromCaller, group: FromPath[str], player: FromPath[str]) -> None:
    """Leave a group, or remove a member from a group of yours; the account of a pupil is deleted."""
    row, role = await group_for(caller, group)
    mine = player == caller.visitor.id
    if not mine or role == "pupil":
        check_teacher(role)
    store = caller.services.runtime.store.groups
    if await store.role(row.id, player) == "pupil":
        await caller.services.groups.delete_pupils([player])
    elif await store.leave(row.id, player) is None:
        raise UnknownPlayer("This group has no such member.")


@post("/api/groups/{group:str}/pupils")
async def make_pupils(caller: FromCaller, group: FromPath[str], data: JSONBody[PupilsRequest]) -> list[SlipAnswer]:
    """Make accounts of pupils with made names; the passwords are shown once."""
    row, _ = await group_for(caller, group, teachers=True)
    if row.kind != "class":
        raise GroupLimit("Only a class has pupils; members of a club join it by its code.")
    async with caller.services.turns.of(caller.address):
        return [_slip(pupil) for pupil in await caller.services.groups.make_pupils(row.id, data.count)]


@post("/api/groups/{group:str}/pupils/{player:str}/password", status_code=200)
async def new_password(caller: FromCaller, group: FromPath[str], player: FromPath[str]) -> SlipAnswer:
    """Give a pupil of yours a new password, which ends all sessions of the pupil."""
    row, _ = await group_for(caller, group, teachers=True)
    if await caller.services.runtime.store.groups.role(row.id, player) != "pupil":
        raise UnknownPlayer("This class has no such pupil.")
    return _slip(Pupil(player, await caller.services.groups.new_password(player)))


@get("/api/groups/{group:str}/standings/{game:str}")
async def group_standings(
    caller: FromCaller, group: FromPath[str], game: FromPath[str], pace: FromQuery[Pace] = PACES[0]
) -> list[GroupStanding]:
    """Return the members of a group who have a rating at a game at a pace, the best first."""
    manifest(game)  # raises UnknownGame
    row, _ = await group_for(caller, group)
    store, now = caller.services.runtime.store, now_ms()
    members = await store.groups.members(row.id)
    rated = await asyncio.gather(*(store.ratings.standing(member.player, game, pace) for member in members))
    found = [
        GroupStanding(member.player, member.name, rating_answer(rating, now))
        for member, rating in zip(members, rated, strict=True)
        if rating.matches
    ]
    return sorted(found, key=lambda each: (-each.rating.rating, each.name))


def check_account(caller: Caller) -> None:
    """Raise NotSignedIn for a guest."""
    if not caller.visitor.player.account:
        raise NotSignedIn("Classes and clubs are for accounts; make one first.")


async def group_for(caller: Caller, group: str, *, teachers: bool = False) -> tuple[GroupRow, Role]:
    """Return a group with the caller's role. Raises UnknownGroup, and NotTeacher if only teachers may do this."""
    store = caller.services.runtime.store.groups
    row, role = await asyncio.gather(store.group(group), store.role(group, caller.visitor.id))
    (check_teacher if teachers else check_member)(role)
    if row is None or role is None:
        raise UnknownGroup("This group was deleted.")
    return row, role


async def _answer(caller: Caller, row: GroupRow, role: Role) -> GroupAnswer:
    members = await caller.services.runtime.store.groups.members(row.id)
    return GroupAnswer(
        row.id,
        row.name,
        row.kind,
        role,
        row.created,
        row.ends,
        row.code if role == "teacher" else None,
        [MemberAnswer(*member) for member in members],
    )


def _slip(pupil: Pupil) -> SlipAnswer:
    return SlipAnswer(pupil.player, *pupil.slip)
