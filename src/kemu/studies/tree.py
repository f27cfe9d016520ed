"""Variation trees and their positions: a chapter is a position, what may be played from it, comments and marks.

A tree is kept flat. Its nodes are listed so that each comes before all that follows it and a line goes on before its
variations do (preorder); the first node is the root. So trees are compared, changed and written without recursion,
however long their lines are, and two equal trees are equal tuples.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple, TypeAlias
from unicodedata import category

from kemu.analysis.explorer import canonical
from kemu.core.document import Document, quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import AnyGame
from kemu.games import game

Path: TypeAlias = Sequence[str]
"""The texts of the actions from the root to a node; the children of a node have different actions."""

MOST_NODES: Final = 3000
"""In a chapter, without its root."""

MOST_CHAPTERS: Final = 64
MOST_STUDY_NODES: Final = 30_000
"""In all chapters of a file together."""

LONGEST_LINE: Final = 400
"""Actions from the root to a node; JSON nests twice as deep."""

LONGEST_COMMENT: Final = 4000
LONGEST_NAME: Final = 100
LONGEST_ACTION: Final = 100
LONGEST_CELL: Final = 20
MOST_MARKS: Final = 64
"""At one node."""


class UnknownNode(KemuError, code="unknown-node"):
    """A chapter has no node, or a study no chapter, at this place."""


class StudyLimit(KemuError, code="study-limit"):
    """A study, a chapter or a text would become too large."""


class Mark(NamedTuple):
    """A cell that is marked, or an arrow from one cell to another; cells are named as in the game's notation."""

    cell: str
    to: str | None = None


class Node(NamedTuple):
    """An action after the node with the number `parent`, and what is said of the position after it."""

    parent: int
    action: str
    comment: str = ""
    marks: tuple[Mark, ...] = ()


ROOT: Final = Node(-1, "")
"""The root of a tree without a comment: it has neither parent nor action."""


@dataclass(frozen=True)
class Chapter:
    """A position of a game, the initial one if there is no document, and a tree of variations from it.

    Changing it gives another chapter. Whether actions are legal, `states` tells.
    """

    name: str
    game: str
    options: Mapping[str, Any] = field(default_factory=dict)
    position: Document | None = None
    nodes: tuple[Node, ...] = (ROOT,)

    def find(self, path: Path) -> int:
        """Return the number of the node at a path. Raises UnknownNode."""
        number = 0
        for depth, action in enumerate(path, start=1):
            number = self._child(number, action)
            if number < 0:
                place = "the start" if depth == 1 else quote(path[depth - 2])
                raise UnknownNode(f"There is no {quote(action)} after {place}, action {depth} of the path.")
        return number

    def path(self, number: int) -> tuple[str, ...]:
        """Return the path to a node."""
        return path_to(self.nodes, number)

    def add(self, path: Path, action: str) -> "Chapter":
        """Return a chapter with one more variation after the node at a path; the same one if it is there already.

        Raises:
            UnknownNode: There is no node at this path.
            StudyLimit: The chapter is full, or the line too long.
        """
        parent = self.find(path)
        if self._child(parent, action) >= 0:
            return self
        check_text(action, "An action", LONGEST_ACTION)
        if len(self.nodes) > MOST_NODES:
            raise StudyLimit(f"A chapter has at most {MOST_NODES} actions; begin another one.")
        if len(path) >= LONGEST_LINE:
            raise StudyLimit(f"A line has at most {LONGEST_LINE} actions; begin a chapter at its last position.")
        last, new = self._end(parent), len(self.nodes)
        return self._ordered((*range(last), new, *range(last, new)), Node(parent, action))

    def remove(self, path: Path) -> "Chapter":
        """Return a chapter without the node at a path and all that follows it; the root stays. Raises UnknownNode."""
        number = self.find(path)
        return self._ordered((*range(number), *range(self._end(number), len(self.nodes)))) if number else self

    def promote(self, path: Path) -> "Chapter":
        """Return a chapter in which the last action of a path is the main line at its place. Raises UnknownNode."""
        number = self.find(path)
        if number == 0:
            return self
        first, end = self.nodes[number].parent + 1, self._end(number)
        return self._ordered((*range(first), *range(number, end), *range(first, number), *range(end, len(self.nodes))))

    def comment(self, path: Path, text: str) -> "Chapter":
        """Return a chapter with this comment at a path, "" for none. Raises UnknownNode, StudyLimit, ParseError."""
        check_text(text, "A comment", LONGEST_COMMENT, lines=True)
        return self._with(self.find(path), comment=text)

    def mark(self, path: Path, marks: Sequence[Mark]) -> "Chapter":
        """Return a chapter with these marks at a path, in the place of those before. Raises UnknownNode, StudyLimit."""
        check_marks(marks)
        return self._with(self.find(path), marks=tuple(marks))

    def _child(self, number: int, action: str) -> int:
        for each in range(number + 1, len(self.nodes)):
            node = self.nodes[each]
            if node.parent < number:
                break
            if node.parent == number and node.action == action:
                return each
        return -1

    def _end(self, number: int) -> int:
        """Return the number after the last node that follows this one."""
        for each in range(number + 1, len(self.nodes)):
            if self.nodes[each].parent < number:
                return each
        return len(self.nodes)

    def _with(self, number: int, **changes: Any) -> "Chapter":
        changed = self.nodes[number]._replace(**changes)
        return replace(self, nodes=(*self.nodes[:number], changed, *self.nodes[number + 1 :]))

    def _ordered(self, numbers: Sequence[int], *added: Node) -> "Chapter":
        """Return a chapter with the nodes of these numbers in this order; those added are numbered after all others."""
        return replace(self, nodes=_numbered_anew((*self.nodes, *added), numbers))


@dataclass(frozen=True)
class Study:
    """A name and some chapters."""

    name: str
    chapters: tuple[Chapter, ...] = ()


class TreeBuilder:
    """The nodes of a chapter as they are read, each after its parent and its elder siblings."""

    def __init__(self) -> None:
        self.nodes: list[Node] = [ROOT]
        self._depths = [0]
        self._known: set[tuple[int, str]] = set()

    def add(self, parent: int, action: str) -> int:
        """Add an action after a node and return its number; raises StudyLimit or ParseError."""
        check_text(action, "An action", LONGEST_ACTION)
        if (parent, action) in self._known:
            place = quote(self.nodes[parent].action) if parent else "the start"
            raise ParseError(f"{quote(action)} comes twice after {place}.")
        if len(self.nodes) > MOST_NODES or self._depths[parent] >= LONGEST_LINE:
            raise StudyLimit(f"A chapter has at most {MOST_NODES} actions, and a line {LONGEST_LINE}.")
        self._known.add((parent, action))
        self._depths.append(self._depths[parent] + 1)
        self.nodes.append(Node(parent, action))
        return len(self.nodes) - 1

    def annotate(self, number: int, comment: str, marks: Sequence[Mark]) -> None:
        """Set the comment and the marks at a node; raises StudyLimit or ParseError."""
        check_text(comment, "A comment", LONGEST_COMMENT, lines=True)
        check_marks(marks)
        self.nodes[number] = self.nodes[number]._replace(comment=comment, marks=tuple(marks))


def path_to(nodes: Sequence[Node], number: int) -> tuple[str, ...]:
    """Return the path to a node."""
    actions = []
    while number > 0:
        actions.append(nodes[number].action)
        number = nodes[number].parent
    return tuple(reversed(actions))


def children(nodes: Sequence[Node]) -> list[list[int]]:
    """Return for each node the numbers of the nodes after it, the main line first."""
    found: list[list[int]] = [[] for _ in nodes]
    for number, node in enumerate(nodes[1:], start=1):
        found[node.parent].append(number)
    return found


def preorder(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Return nodes in the order of a chapter; given, each comes after its parent and its elder siblings."""
    following = children(nodes)
    order, waiting = [], [0]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(following[order[-1]])
    return _numbered_anew(nodes, order)


def _numbered_anew(nodes: Sequence[Node], order: Sequence[int]) -> tuple[Node, ...]:
    """Return the nodes of these numbers in this order, the root first."""
    numbers = {old: new for new, old in enumerate(order)}
    return (nodes[0], *(nodes[old]._replace(parent=numbers[nodes[old].parent]) for old in order[1:]))


def check_text(text: str, name: str, longest: int, *, lines: bool = False) -> None:
    """Raise StudyLimit for a text that is too long, ParseError for one with characters that no text has."""
    if len(text) > longest:
        raise StudyLimit(f"{name} has at most {longest} characters, not {len(text)}.")
    for letter in text:
        if category(letter) in ("Cc", "Cs") and not (lines and letter in "\n\t"):
            raise ParseError(f"{name} cannot hold the character {quote(letter)}.")


def check_study_size(nodes: int) -> None:
    """Raise StudyLimit if the chapters of a file have more nodes than a study may have."""
    if nodes > MOST_STUDY_NODES:
        raise StudyLimit(f"A study has at most {MOST_STUDY_NODES} actions in all its chapters.")


def check_marks(marks: Sequence[Mark]) -> None:
    """Raise StudyLimit for too many marks, ParseError for one whose cell is no word."""
    if len(marks) > MOST_MARKS:
        raise StudyLimit(f"A position has at most {MOST_MARKS} marks, not {len(marks)}.")
    for cell in (cell for mark in marks for cell in mark if cell is not None):
        check_text(cell, "A cell", LONGEST_CELL)
        if not cell or any(letter.isspace() or letter in "[]{}\\" for letter in cell):
            raise ParseError(f"A cell is a word such as f6, not {quote(cell)}.")
    if len(set(marks)) < len(marks):
        raise ParseError("A mark is there only once.")


# Positions.


def game_of(chapter: Chapter) -> AnyGame:
    """Return the rules of a chapter. Raises UnknownGame or OptionError."""
    return game(chapter.game, **chapter.options)


def first_state(chapter: Chapter) -> Any:
    """Return the state at the root of a chapter. Raises KemuError."""
    rules = game_of(chapter)
    return rules.initial() if chapter.position is None else rules.decode(chapter.position)


def state_at(chapter: Chapter, path: Path) -> Any:
    """Return the state at a path, whether the chapter has a node there or not. Raises KemuError."""
    rules, state = game_of(chapter), first_state(chapter)
    for action in path:
        state = rules.apply(state, rules.parse(action))
    return state


def states(chapter: Chapter) -> list[Any]:
    """Return the state at each node.

    Raises:
        KemuError: The first action that is not legal, with its path; or game, options or position are invalid.
    """
    rules, found = game_of(chapter), [first_state(chapter)]
    for number, node in enumerate(chapter.nodes[1:], start=1):
        try:
            found.append(rules.apply(found[node.parent], rules.parse(node.action)))
        except KemuError as error:
            place = " ".join(chapter.path(number)[:-1]) or "the start"
            raise error.located(f"{quote(node.action)} after {quote(place)}") from None
    return found


def transpositions(chapter: Chapter) -> list[list[tuple[str, ...]]]:
    """Return the paths that lead to the same position, for each position of a chapter with more than one."""
    rules = game_of(chapter)
    same: dict[str, list[int]] = defaultdict(list)
    for number, state in enumerate(states(chapter)):
        same[canonical(rules, state).key].append(number)
    return [[chapter.path(number) for number in numbers] for numbers in same.values() if len(numbers) > 1]
