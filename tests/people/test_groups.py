"""Rules of classes and clubs."""

import random

import pytest

from kemu.people.groups import (
    CODE_ALPHABET,
    CODE_CHARACTERS,
    MOST_GROUPS,
    MOST_HOMEWORK,
    MOST_MEMBERS,
    MOST_PARTS,
    GroupLimit,
    LastTeacher,
    Lessons,
    NotTeacher,
    PuzzleSet,
    UnknownGroup,
    check_homework,
    check_joining,
    check_leaving,
    check_member,
    check_teacher,
    new_code,
    new_slip,
    parts,
)
from kemu.people.names import clean_name
from kemu.server.auth.accounts import check_password


def test_codes_and_slips_can_be_read_aloud_and_typed() -> None:
    source = random.Random(1)
    codes = {new_code(source.choice) for _ in range(100)}
    assert len(codes) == 100
    assert all(len(code) == CODE_CHARACTERS and set(code) <= set(CODE_ALPHABET) for code in codes)
    slips = {new_slip(source.choice) for _ in range(100)}
    assert len(slips) == 100
    for slip in slips:
        assert clean_name(slip.name) == slip.name
        check_password(slip.password, slip.name)
        assert slip.password.isascii()
        assert " " not in slip.password


def test_only_members_know_a_group_and_only_teachers_lead_it() -> None:
    check_member("pupil")
    check_teacher("teacher")
    with pytest.raises(UnknownGroup):
        check_member(None)
    with pytest.raises(UnknownGroup):
        check_teacher(None)
    with pytest.raises(NotTeacher):
        check_teacher("member")


def test_groups_and_their_members_are_limited() -> None:
    check_joining(MOST_GROUPS - 1, MOST_MEMBERS - 1)
    with pytest.raises(GroupLimit):
        check_joining(MOST_GROUPS, 0)
    with pytest.raises(GroupLimit):
        check_joining(0, MOST_MEMBERS)
    with pytest.raises(GroupLimit):
        check_joining(0, MOST_MEMBERS - 2, 3)


def test_the_last_teacher_stays() -> None:
    check_leaving("a", {"a": "teacher", "b": "teacher"})
    check_leaving("b", {"a": "teacher", "b": "member"})
    check_leaving("stranger", {"a": "teacher"})
    with pytest.raises(LastTeacher):
        check_leaving("a", {"a": "teacher", "b": "member", "c": "pupil"})


def test_homework_counts_each_puzzle_and_lesson_once() -> None:
    tasks = (PuzzleSet("mauw", ("a", "b", "a")), PuzzleSet("mauw", ("b",)), Lessons("mauw", ("a",)))
    assert [tuple(part) for part in parts(tasks)] == [
        ("puzzles", "mauw", "a"),
        ("puzzles", "mauw", "b"),
        ("lessons", "mauw", "a"),
    ]
    check_homework(tasks, MOST_HOMEWORK - 1)
    with pytest.raises(GroupLimit):
        check_homework(tasks, MOST_HOMEWORK)
    many = tuple(str(number) for number in range(MOST_PARTS))
    check_homework([PuzzleSet("mauw", many)], 0)
    with pytest.raises(GroupLimit):
        check_homework([PuzzleSet("mauw", many), Lessons("mauw", ("one",))], 0)
