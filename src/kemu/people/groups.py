"""Classes and clubs: who belongs to a group, what pupils are given, and what they have done of it.

A group has a join code. A class also has pupils, whose accounts its teachers make and manage: they have made names, and
meet nobody outside their group.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple, TypeAlias

from msgspec import Meta, Struct

from kemu.core.errors import KemuError

GroupKind: TypeAlias = Literal["class", "club"]
Role: TypeAlias = Literal["teacher", "member", "pupil"]
"""Teachers lead a group, members joined it by its code, and pupils were made by a teacher."""

MOST_GROUPS: Final = 20
"""How many groups somebody can belong to."""

MOST_MEMBERS: Final = 200
MOST_PUPILS: Final = 40
"""How many pupils are made at once."""

MOST_HOMEWORK: Final = 100
MOST_PARTS: Final = 50
"""How many puzzles and lessons one homework has."""

CODE_CHARACTERS: Final = 8
CODE_ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No letter looks like a digit."""

FIRST_WORDS: Final = (
    "Amber Autumn Azure Brave Bright Calm Clever Copper Coral Cosy Crystal Curious Dancing Eager Early Emerald Fern "
    "Gentle Golden Green Happy Hidden Honest Humble Ivory Jade Jolly Keen Kind Lively Lucky Lunar Maple Merry Misty "
    "Morning Noble Ocean Olive Orange Pearl Proud Quick Quiet River Royal Ruby Rustic Sandy Shining Silent Silver Sky "
    "Snowy Solar Steady Summer Sunny Swift Velvet Violet Warm Willow Winter"
)
SECOND_WORDS: Final = (
    "Badger Beaver Bee Cricket Dolphin Dragonfly Duck Eagle Falcon Finch Firefly Fox Frog Gecko Hare Hawk Hedgehog "
    "Heron Kea Kiwi Koala Ladybird Lark Lynx Magpie Marten Mole Moth Newt Octopus Otter Owl Panda Parrot Penguin "
    "Puffin Rabbit Raven Robin Salmon Seal Sparrow Squirrel Starling Stork Swallow Swan Tortoise Toucan Trout Tui "
    "Turtle Walrus Weka Whale Wolf Wombat Wren Yak Zebra"
)
NUMBERS: Final = [str(number) for number in range(10, 100)]

Pick: TypeAlias = Callable[[list[str]], str]
"""Picks one of several texts at random."""


class UnknownGroup(KemuError, code="unknown-group"):
    """No group has this id or code, or the player who asks does not belong to it."""


class NotTeacher(KemuError, code="not-teacher"):
    """Only the teachers of a group do this."""


class GroupLimit(KemuError, code="group-limit"):
    """A group or a player has as many of something as there may be."""


class ManagedAccount(KemuError, code="managed-account"):
    """The account of a pupil is managed by the teachers of the class."""


class LastTeacher(KemuError, code="last-teacher"):
    """A group keeps at least one teacher."""


PartId: TypeAlias = Annotated[str, Meta(max_length=64, pattern=r"^[^\0]*$")]


class PuzzleSet(Struct, frozen=True, tag="puzzles", tag_field="kind", forbid_unknown_fields=True):
    """Puzzles of a game by their ids."""

    game: str
    ids: Annotated[tuple[PartId, ...], Meta(min_length=1, max_length=MOST_PARTS)]


class Lessons(Struct, frozen=True, tag="lessons", tag_field="kind", forbid_unknown_fields=True):
    """Lessons of the course of a game by their keys."""

    game: str
    ids: Annotated[tuple[PartId, ...], Meta(min_length=1, max_length=MOST_PARTS)]


Task: TypeAlias = PuzzleSet | Lessons


class HomeworkPart(NamedTuple):
    """A puzzle or a lesson."""

    kind: str
    game: str
    id: str


class Slip(NamedTuple):
    """The name and the password of a pupil, to be handed out."""

    name: str
    password: str


def new_code(pick: Pick) -> str:
    """Return a code to join a group with."""
    return "".join(pick([*CODE_ALPHABET]) for _ in range(CODE_CHARACTERS))


def new_slip(pick: Pick) -> Slip:
    """Return a made name and a password that a child can type."""
    adjectives, animals = FIRST_WORDS.split(), SECOND_WORDS.split()
    words = [pick(adjectives), pick(animals), pick(adjectives), pick(animals), pick(NUMBERS)]
    return Slip(f"{pick(adjectives)} {pick(animals)} {pick(NUMBERS)}", "-".join(words).lower())


def check_teacher(role: Role | None) -> None:
    """Raise UnknownGroup for somebody who does not belong to a group, and NotTeacher for its other members."""
    check_member(role)
    if role != "teacher":
        raise NotTeacher("Only the teachers of this group do this.")


def check_member(role: Role | None) -> None:
    """Raise UnknownGroup for somebody who does not belong to a group; it tells no more than if there were none."""
    if role is None:
        raise UnknownGroup("You belong to no group with this id.")


def check_joining(groups: int, members: int, new: int = 1) -> None:
    """Check that players may join a group. Raises GroupLimit."""
    if groups >= MOST_GROUPS:
        raise GroupLimit(f"You belong to {groups} groups; leave one first.")
    if members + new > MOST_MEMBERS:
        raise GroupLimit(f"A group has at most {MOST_MEMBERS} members.")


def check_leaving(player: str, roles: Mapping[str, Role]) -> None:
    """Raise LastTeacher if a group would lose its last teacher."""
    if roles.get(player) == "teacher" and sum(role == "teacher" for role in roles.values()) == 1:
        raise LastTeacher("You are the last teacher of this group; delete it, or make somebody else its teacher.")


def parts(tasks: Iterable[Task]) -> list[HomeworkPart]:
    """Return all puzzles and lessons of some tasks, each once."""
    kinds: dict[type[Any], str] = {PuzzleSet: "puzzles", Lessons: "lessons"}
    return [*dict.fromkeys(HomeworkPart(kinds[type(task)], task.game, each) for task in tasks for each in task.ids)]


def check_homework(tasks: Collection[Task], existing: int) -> None:
    """Check that a group may have one more homework, with these tasks. Raises GroupLimit."""
    if existing >= MOST_HOMEWORK:
        raise GroupLimit(f"A group has at most {MOST_HOMEWORK} sets of homework; delete an old one first.")
    wanted = sum(len(task.ids) for task in tasks)  # what is named twice is stored twice
    if wanted > MOST_PARTS:
        raise GroupLimit(f"A homework has at most {MOST_PARTS} puzzles and lessons, not {wanted}.")
