"""Routes of homework: puzzles and lessons that a class or club is given to do, and who has done them."""

import asyncio
from collections import Counter
from secrets import token_urlsafe
from typing import Annotated, Final, TypeAlias

from litestar import delete, get, post, put
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta, Struct

from kemu.analysis.puzzles.puzzle import shipped_puzzle, shipped_puzzles
from kemu.core.errors import KemuError
from kemu.games import manifest
from kemu.people.groups import MOST_PARTS, GroupLimit, PuzzleSet, Task, UnknownGroup, parts
from kemu.server.http.requests import Caller, FromCaller
from kemu.server.http.routes.groups import Time, check_account, group_for
from kemu.server.runtime import now_ms
from kemu.storage.groups import Homework

Title: TypeAlias = Annotated[str, Meta(min_length=1, max_length=60, pattern=r"^[^\0]*[^\0\s][^\0]*$")]

MOST_TASKS: Final = 20
MOST_LEARNED: Final = 1000
"""How many lessons somebody can have learned; the courses have fewer."""

LONGEST_LESSON: Final = 64


class UnknownLesson(KemuError, code="unknown-lesson"):
    """No lesson has this key."""


class NewHomework(Struct, frozen=True, forbid_unknown_fields=True):
    """Puzzles and lessons that a group is given to do, perhaps until a time (ms)."""

    title: Title
    tasks: Annotated[tuple[Task, ...], Meta(min_length=1, max_length=MOST_TASKS)]
    due: Time | None = None


class HomeworkAnswer(Struct, frozen=True):
    """Homework of a group: how many puzzles and lessons it has, and which of them you have done."""

    id: str
    title: str
    created: int
    due: int | None
    tasks: tuple[Task, ...]
    parts: int
    done: list[str]


class PupilResult(Struct, frozen=True):
    """How far a member is: puzzles and lessons done, and how many of those puzzles were right the first time."""

    player: str
    name: str
    done: int
    right: int


class HomeworkResults(Struct, frozen=True):
    """How far everybody is with a homework of so many parts."""

    title: str
    parts: int
    results: list[PupilResult]


class Lesson(Struct, frozen=True):
    """A lesson of the course of a game that you have learned."""

    game: str
    lesson: str


@get("/api/groups/{group:str}/homework")
async def homework(caller: FromCaller, group: FromPath[str]) -> list[HomeworkAnswer]:
    """List the homework of a group, and what you have done of it."""
    row, _ = await group_for(caller, group)
    store = caller.services.runtime.store.groups
    return [await _homework(caller, each) for each in await store.homework(row.id)]


@get("/api/groups/{group:str}/puzzles/{game:str}")
async def easy_puzzles(
    caller: FromCaller,
    group: FromPath[str],
    game: FromPath[str],
    count: Annotated[int, QueryParameter(ge=1, le=MOST_PARTS)] = 10,
) -> list[str]:
    """Return the ids of the easiest puzzles of a game that a group of yours has not been given yet."""
    row, _ = await group_for(caller, group, teachers=True)
    given = await caller.services.runtime.store.groups.homework(row.id)
    old = {part.id for each in given for part in parts(each.tasks) if part.game == game}
    puzzles = await asyncio.to_thread(shipped_puzzles, game)
    fresh = [puzzle for puzzle in puzzles.values() if puzzle.id not in old]
    return [puzzle.id for puzzle in sorted(fresh, key=lambda puzzle: puzzle.found.grade)[:count]]


@post("/api/groups/{group:str}/homework")
async def give_homework(caller: FromCaller, group: FromPath[str], data: JSONBody[NewHomework]) -> HomeworkAnswer:
    """Give a group of yours puzzles and lessons to do."""
    row, _ = await group_for(caller, group, teachers=True)
    for task in data.tasks:
        manifest(task.game)  # raises UnknownGame
        for puzzle in task.ids if isinstance(task, PuzzleSet) else ():
            await asyncio.to_thread(shipped_puzzle, task.game, puzzle)
    given = Homework(token_urlsafe(9), row.id, data.title.strip(), now_ms(), data.due, data.tasks)
    await caller.services.runtime.store.groups.give_homework(given)
    return await _homework(caller, given)


@delete("/api/groups/{group:str}/homework/{this:str}")
async def delete_homework(caller: FromCaller, group: FromPath[str], this: FromPath[str]) -> None:
    """Delete homework of a group of yours."""
    row, _ = await group_for(caller, group, teachers=True)
    if not await caller.services.runtime.store.groups.delete_homework(row.id, this):
        raise UnknownGroup("This group has no such homework.")


@get("/api/groups/{group:str}/homework/{this:str}")
async def results(caller: FromCaller, group: FromPath[str], this: FromPath[str]) -> HomeworkResults:
    """Return how far everybody of a group of yours is with a homework."""
    row, _ = await group_for(caller, group, teachers=True)
    store = caller.services.runtime.store.groups
    given = next((each for each in await store.homework(row.id) if each.id == this), None)
    if given is None:
        raise UnknownGroup("This group has no such homework.")
    pupils = [member for member in await store.members(row.id) if member.role != "teacher"]
    found = await store.done(given, [member.player for member in pupils])
    done, right = (Counter(each.player for each in some) for some in (found, [each for each in found if each.right]))
    return HomeworkResults(
        given.title,
        len(parts(given.tasks)),
        [PupilResult(member.player, member.name, done[member.player], right[member.player]) for member in pupils],
    )


@put("/api/lessons/{game:str}/{lesson:str}", status_code=204)
async def learn(caller: FromCaller, game: FromPath[str], lesson: FromPath[str]) -> None:
    """Save that you have learned a lesson of the course of a game."""
    manifest(game)  # raises UnknownGame
    check_account(caller)
    if not lesson.isascii() or not lesson.isprintable() or len(lesson) > LONGEST_LESSON:
        raise UnknownLesson("No lesson has this key.")
    store, learner = caller.services.runtime.store.groups, caller.visitor.id
    if len(await store.learned(learner)) >= MOST_LEARNED:
        raise GroupLimit("You have learned more lessons than there are.")
    await store.learn(learner, game, lesson, now_ms())


@get("/api/lessons")
async def learned(caller: FromCaller) -> list[Lesson]:
    """List the lessons that you have learned."""
    found = await caller.services.runtime.store.groups.learned(caller.visitor.id)
    return [Lesson(game, lesson) for game, lesson in found]


async def _homework(caller: Caller, given: Homework) -> HomeworkAnswer:
    done = await caller.services.runtime.store.groups.done(given, [caller.visitor.id])
    count = len(parts(given.tasks))
    return HomeworkAnswer(
        given.id, given.title, given.created, given.due, given.tasks, count, [each.part.id for each in done]
    )
