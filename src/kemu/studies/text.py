"""Studies as text: headers in brackets, numbered actions, comments in braces, variations in parentheses.

[Study "The ball at f6"]
[Chapter "A first answer"]
[Game "KEY"]
[Options {"variant": "basic"}]

{Where is the ball best?} 1. @f6 {[%mark f6] In the middle.} (1. @e5 2. f6) 2. i11 {[%mark f6 i11]}

A variation stands behind the action that it replaces. Numbers are for people; they are not read. In comments,
`[%mark f6]` marks a cell and `[%mark f6 i11]` draws an arrow, and a backslash stands before \\, } and [% that are
text. An action that is no plain word stands in quotation marks, as a JSON text.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from kemu.core.document import quote, read_json, read_mapping, read_text
from kemu.core.errors import KemuError, ParseError
from kemu.studies import tree
from kemu.studies.documents import read_name
from kemu.studies.tree import Chapter, Mark, Study, StudyLimit, TreeBuilder

WIDTH: Final = 100
"""Lines are broken before they get longer than this; comments are never broken."""

HEADERS: Final = ("Study", "Chapter", "Game", "Options", "Position")

_NUMBER: Final = re.compile(r"[0-9]+\.+")
_PLAIN: Final = re.compile(r"[^\s(){}\[\]\"]+")
_IN_COMMENT: Final = re.compile(r"\\(.)|\[%mark ([^\s\[\]{}\\]+)(?: ([^\s\[\]{}\\]+))?\] ?", re.DOTALL)
_TOKEN: Final = re.compile(
    # Possessive spaces: a header that does not end is refused in one pass, however long its line is.
    r"""(?P<space>\s+)
    |(?P<header>\[(?P<name>[A-Za-z]+)[ ]++(?P<value>[^\n]*)\](?=[ \t]*(?:\n|$)))
    |(?P<comment>\{(?P<inside>(?:[^\\}]|\\.)*)\})
    |(?P<open>\()|(?P<close>\))
    |(?P<number>[0-9]+\.+(?![0-9]))
    |(?P<quoted>"(?:[^"\\\n]|\\.)*")
    |(?P<plain>[^\s(){}\[\]"]+)
    |(?P<unreadable>.)""",
    re.VERBOSE | re.DOTALL,
)


def format_study(study: Study) -> str:
    """Return the text of a study, which `parse_study` reads back."""
    parts = [f"[Study {_json(study.name)}]\n", *(_format_chapter(chapter) for chapter in study.chapters)]
    return "\n".join(parts)


def parse_study(text: str) -> Study:
    """Return the study of a text, with legal actions only.

    Raises:
        KemuError: The text is no study; the sentence begins with line and column.
    """
    reader = _Reader()
    try:
        for token in _tokens(text.removeprefix("\ufeff").replace("\r\n", "\n")):
            reader.read(token)
        return reader.close()
    except KemuError as error:
        line, column = reader.place
        raise error.located(f"Line {line}, column {column}") from None


# Writing.


def _format_chapter(chapter: Chapter) -> str:
    lines = [f"[Chapter {_json(chapter.name)}]", f"[Game {_json(chapter.game)}]"]
    if chapter.options:
        lines.append(f"[Options {_json(dict(chapter.options))}]")
    if chapter.position is not None:
        lines.append(f"[Position {_json(chapter.position)}]")
    return "\n".join([*lines, "", *_broken(_words(chapter))]) + "\n"


def _words(chapter: Chapter) -> Iterator[str]:
    """Iterate over the tokens, without recursion since a line may be long."""
    following, depths = tree.children(chapter.nodes), [0]
    for node in chapter.nodes[1:]:
        depths.append(depths[node.parent] + 1)
    yield from _comment(chapter, 0)
    waiting: list[int | str] = [0]
    while waiting:
        last = waiting.pop()
        if isinstance(last, str):
            yield last
            continue
        if not following[last]:
            continue
        first, *others = following[last]
        yield from _action(chapter, first, depths)
        waiting.append(first)
        for other in reversed(others):
            # A variation is written whole, then the line goes on.
            waiting += [")", other, *reversed(list(_action(chapter, other, depths))), "("]


def _action(chapter: Chapter, number: int, depths: Sequence[int]) -> Iterator[str]:
    action = chapter.nodes[number].action
    plain = _PLAIN.fullmatch(action) and not _NUMBER.match(action)
    yield f"{depths[number]}. {action if plain else _json(action)}"
    yield from _comment(chapter, number)


def _comment(chapter: Chapter, number: int) -> Iterator[str]:
    node = chapter.nodes[number]
    if node.comment or node.marks:
        tags = [f"[%mark {mark.cell}]" if mark.to is None else f"[%mark {mark.cell} {mark.to}]" for mark in node.marks]
        text = re.sub(r"\\|\}|\[%", lambda found: "\\" + found[0], node.comment)
        yield "{" + " ".join([*tags, *([text] if text else [])]) + "}"


def _broken(words: Iterator[str]) -> Iterator[str]:
    line = ""
    for word in words:
        joined = line + word if not line or line.endswith("(") or word == ")" else f"{line} {word}"
        if line and word != ")" and len(joined) > WIDTH:
            yield line
            joined = word
        line = joined
    if line:
        yield line


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


# Reading.


class _Token(NamedTuple):
    """A part of the text, and where it stands."""

    kind: str
    found: re.Match[str]
    place: tuple[int, int]  # line and column, from 1


def _tokens(text: str) -> Iterator[_Token]:
    line, start = 1, 0
    for found in _TOKEN.finditer(text):
        if found.lastgroup != "space":
            yield _Token(str(found.lastgroup), found, (line, found.start() - start + 1))
        if "\n" in found[0]:
            line += found[0].count("\n")
            start = found.start() + found[0].rindex("\n") + 1


class _Reader:
    """Makes a study of tokens; `place` is the line and column to which an error belongs."""

    def __init__(self) -> None:
        self.place = (1, 1)
        self._name = ""
        self._chapters: list[Chapter] = []
        self._headers: dict[str, Any] = {}  # of the chapter that is read
        self._game_place = (1, 1)
        self._line: _ChapterReader | None = None  # of its actions, once they begin

    def read(self, token: _Token) -> None:
        """Take in the next token. Raises KemuError."""
        self.place = token.place
        if token.kind == "header":
            self._read_header(token.found["name"], token.found["value"], token.place)
            return
        if token.kind == "unreadable":
            start = token.found[0]
            raise ParseError(
                "This comment does not end." if start == "{" else f"Nothing begins with {quote(start)} here."
            )
        line = self._begun_chapter()
        self.place = token.place
        match token.kind:
            case "comment":
                line.comment(token.found["inside"])
            case "open":
                line.open()
            case "close":
                line.close()
            case "quoted":
                line.add(read_text(read_json(token.found[0]), "An action"))
            case "plain":
                line.add(token.found[0])

    def close(self) -> Study:
        """Return the study of all tokens. Raises KemuError."""
        self._end_chapter()
        if not self._name:
            raise ParseError('A study begins with its name, as in [Study "The ball at f6"].')
        return Study(self._name, tuple(self._chapters))

    def _read_header(self, name: str, text: str, place: tuple[int, int]) -> None:
        if name not in HEADERS:
            raise ParseError(f"There is no header {quote(name)}; there are {', '.join(HEADERS)}.")
        value = read_json(text)
        if name == "Study":
            if self._name:
                raise ParseError("A text holds one study.")
            self._name = read_name(value)
            return
        if name == "Chapter":
            self._end_chapter()
            self.place, self._headers = place, {}
        elif "Chapter" not in self._headers or self._line is not None or name in self._headers:
            raise ParseError(f"{name} stands once, after the header Chapter and before the actions.")
        if name in ("Options", "Position"):
            self._headers[name] = read_mapping(value, f"The {name}")
            return
        self._headers[name] = read_name(value) if name == "Chapter" else read_text(value, "The Game")
        self._game_place = place

    def _begun_chapter(self) -> "_ChapterReader":
        """Return the line of the chapter that is read. Errors of game, options or position belong to its header."""
        if "Chapter" not in self._headers:
            raise ParseError('A chapter begins with its name, as in [Chapter "A first answer"].')
        if self._line is None:
            self.place = self._game_place
            if "Game" not in self._headers:
                raise ParseError('A chapter needs its game, as in [Game "KEY"].')
            found = self._headers
            empty = Chapter(found["Chapter"], found["Game"], found.get("Options", {}), found.get("Position"))
            self._line = _ChapterReader(empty)
        return self._line

    def _end_chapter(self) -> None:
        if "Chapter" not in self._headers:
            return
        line = self._begun_chapter()
        if line.interrupted:
            raise ParseError("A variation of the chapter before is not closed.")
        if len(self._chapters) >= tree.MOST_CHAPTERS:
            raise StudyLimit(f"A study has at most {tree.MOST_CHAPTERS} chapters.")
        self._chapters.append(replace(line.chapter, nodes=tree.preorder(line.tree.nodes)))
        tree.check_study_size(sum(len(chapter.nodes) for chapter in self._chapters))
        self._headers, self._line = {}, None


class _ChapterReader:
    """The line of a chapter that is read, with the lines whose variations it is inside of."""

    def __init__(self, chapter: Chapter) -> None:
        self.chapter = chapter
        self.tree = TreeBuilder()
        self._game = tree.game_of(chapter)
        self._states: list[Any] = [tree.first_state(chapter)]
        self._at = 0  # the node after which the next action comes
        self.interrupted: list[int] = []  # where the lines go on whose variations are read
        self._begins = False  # whether a variation was opened and has no action yet

    def add(self, action: str) -> None:
        """Add the next action of the line. Raises KemuError."""
        number = self.tree.add(self._at, action)
        self._states.append(self._game.apply(self._states[self._at], self._game.parse(action)))
        self._at, self._begins = number, False

    def comment(self, inside: str) -> None:
        """Add the comment of the action before. Raises KemuError."""
        node = self.tree.nodes[self._at]
        if self._begins or node.comment or node.marks:
            raise ParseError("A comment stands behind its action, and each action has one.")
        marks: list[Mark] = []

        def read(found: re.Match[str]) -> str:
            if found[1] is None:
                marks.append(Mark(found[2], found[3]))
            return found[1] or ""

        self.tree.annotate(self._at, _IN_COMMENT.sub(read, inside), marks)

    def open(self) -> None:
        """Begin a variation of the action before. Raises ParseError."""
        if self._begins or self._at == 0:
            raise ParseError("A variation stands behind the action that it replaces.")
        self.interrupted.append(self._at)
        self._at, self._begins = self.tree.nodes[self._at].parent, True

    def close(self) -> None:
        """End the variation. Raises ParseError."""
        if self._begins or not self.interrupted:
            raise ParseError("There is no variation that could end here.")
        self._at = self.interrupted.pop()
