"""Classes and clubs in every store, and whom a class keeps apart."""

from functools import partial
from typing import TypeAlias

import pytest

from kemu.people.groups import GroupLimit, HomeworkPart, LastTeacher, Lessons, PuzzleSet
from kemu.people.relations import Blocked
from kemu.storage.groups import DonePart, GroupRow, Homework, Member, MemberRow
from kemu.storage.people import RelationRow
from kemu.storage.players import PlayerRow
from kemu.storage.puzzles import PuzzleAnswerRow, PuzzleRatingRow, PuzzleStandingRow
from kemu.storage.store import Store
from tests.storage.stores import MakeStore, run

CLASS = GroupRow("c", "Year 5", "class", "CODE", 1)
HOMEWORK = Homework("w", "c", "For Friday", 2, 9, (PuzzleSet("mauw", ("x", "y")), Lessons("mauw", ("x",))))


Rated: TypeAlias = tuple[PuzzleStandingRow, PuzzleRatingRow]


def _always(rated: Rated, before: object) -> Rated:
    return rated


async def school(store: Store) -> None:
    """A class with a teacher, a member and a pupil; somebody else is outside."""
    for name in ("teacher", "member", "pupil", "outside"):
        await store.players.save_player(PlayerRow(name, name.title(), True, "hash"))
    await store.groups.add_group(CLASS, "teacher")
    assert await store.groups.join([MemberRow("member", "c", "member", 2)])
    assert await store.groups.join([MemberRow("pupil", "c", "pupil", 2)])


def test_a_group_has_members_with_roles_until_it_is_deleted(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        groups = store.groups
        await school(store)
        assert await groups.by_code("CODE") == await groups.group("c") == CLASS
        assert await groups.of_player("member") == [(CLASS, "member")]
        assert await groups.members("c") == [
            Member("member", "Member", "member"),
            Member("pupil", "Pupil", "pupil"),
            Member("teacher", "Teacher", "teacher"),
        ]
        assert await groups.join([MemberRow("pupil", "c", "member", 5)]), "who is there keeps the role"
        assert await groups.role("c", "pupil") == "pupil"
        assert [await groups.managed(who) for who in ("pupil", "member", "outside")] == [True, False, False]
        assert await groups.set_role("c", "member", "teacher")
        assert not await groups.set_role("c", "outside", "teacher")
        assert await groups.leave("c", "teacher") == "teacher"
        assert await groups.leave("c", "teacher") is None
        with pytest.raises(LastTeacher):
            await groups.leave("c", "member")
        with pytest.raises(LastTeacher):
            await groups.set_role("c", "member", "member")
        await groups.save_group(GroupRow("c", "Year 6", "class", "OTHER", 1, 50))
        assert await groups.by_code("CODE") is None
        assert [await groups.ended(now) for now in (49, 50)] == [None, "c"]
        await groups.delete_group("c")
        assert (await groups.group("c"), await groups.members("c"), await groups.ended(60)) == (None, [], None)
        assert not await groups.join([MemberRow("member", "c", "member", 2)])

    run(make, work)


def test_a_pupil_meets_nobody_outside_the_class(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await school(store)
        everybody = ["teacher", "member", "pupil", "outside", "a guest"]
        apart = {who: await store.people.kept_apart(who, everybody) for who in everybody}
        assert apart == {
            "teacher": set(),
            "member": set(),
            "pupil": {"outside", "a guest"},
            "outside": {"pupil"},
            "a guest": {"pupil"},
        }
        with pytest.raises(Blocked):
            await store.people.relate(RelationRow("outside", "pupil", "follow", 3))
        assert await store.removals.begin("pupil", 5) == []
        assert await store.groups.role("c", "pupil") is None
        assert await store.players.player("pupil") is None
        assert await store.players.account("Pupil") is None

    run(make, work)


def test_homework_tells_what_everybody_has_done(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await school(store)
        groups = store.groups
        await groups.give_homework(HOMEWORK)
        assert await groups.homework("c") == [HOMEWORK]
        await groups.learn("pupil", "mauw", "x", 5)
        await groups.learn("pupil", "mauw", "x", 6)
        await groups.learn("pupil", "mauw", "other", 6)
        assert await groups.learned("pupil") == [("mauw", "other"), ("mauw", "x")]
        for who, puzzle, solved in (("pupil", "x", True), ("pupil", "y", False), ("member", "other", True)):
            answer = PuzzleAnswerRow(who, "mauw", puzzle, solved, 5, 5, "{}")
            standing = PuzzleStandingRow(who, "mauw", 1500.0, 300.0, 1, 1, 1, 1, 5)
            rated = standing, PuzzleRatingRow(puzzle, 1500.0, 300.0, 1)
            await store.puzzles.answer_puzzle(answer, partial(_always, rated))
        assert sorted(await groups.done(HOMEWORK, ["pupil", "member"])) == [
            DonePart("pupil", HomeworkPart("lessons", "mauw", "x"), True),
            DonePart("pupil", HomeworkPart("puzzles", "mauw", "x"), True),
            DonePart("pupil", HomeworkPart("puzzles", "mauw", "y"), False),
        ]
        assert await groups.delete_homework("c", "w")
        assert not await groups.delete_homework("c", "w")
        assert await groups.homework("c") == []

    run(make, work)


def test_limits_of_groups_hold_in_the_transaction(make: MakeStore) -> None:
    async def work(store: Store) -> None:
        await school(store)
        for number in range(20):
            await store.groups.add_group(GroupRow(str(number), "Club", "club", str(number), 1), "outside")
        with pytest.raises(GroupLimit):
            await store.groups.add_group(GroupRow("more", "Club", "club", "more", 1), "outside")
        with pytest.raises(GroupLimit):
            await store.groups.join([MemberRow("outside", "c", "member", 1)])

    run(make, work)
