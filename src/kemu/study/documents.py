"""Studies and chapters as JSON objects, with their schema; docs/study-studies.md explains each field."""

import json
from typing import Any, Final

from kemu.core.document import (
    Document,
    quote,
    read_json,
    read_list,
    read_mapping,
    read_number,
    read_object,
    read_text,
)
from kemu.core.errors import KemuError, ParseError
from kemu.study.positions import states
from kemu.study.tree import (
    LONGEST_ACTION,
    LONGEST_CELL,
    LONGEST_COMMENT,
    LONGEST_LINE,
    LONGEST_NAME,
    MOST_CHAPTERS,
    MOST_MARKS,
    MOST_NODES,
    Chapter,
    Mark,
    Node,
    Study,
    StudyLimit,
    check_marks,
    check_study_size,
    check_text,
)

VERSION: Final = 1


def encode_study(study: Study) -> Document:
    """A study as a JSON object."""
    return {"kemu-study": VERSION, "name": study.name, "chapters": [encode_chapter(each) for each in study.chapters]}


def encode_chapter(chapter: Chapter) -> Document:
    """A chapter as a JSON object."""
    nodes: list[Document] = []
    for node in chapter.nodes:
        document: Document = {"action": node.action} if nodes else {}
        if node.comment:
            document["comment"] = node.comment
        if node.marks:
            document["marks"] = [encode_mark(mark) for mark in node.marks]
        document["children"] = []
        if nodes:
            nodes[node.parent]["children"].append(document)
        nodes.append(document)
    return {
        "name": chapter.name,
        "game": chapter.game,
        "options": dict(chapter.options),
        "position": chapter.position,
        "root": nodes[0],
    }


def encode_mark(mark: Mark) -> Document:
    """A mark as a JSON object."""
    return {"cell": mark.cell} if mark.to is None else {"from": mark.cell, "to": mark.to}


def study_to_text(study: Study) -> str:
    """The JSON text of a study, such as a file."""
    # Without indentation: every action is nested in the one before it, so that it would be most of the file.
    return json.dumps(encode_study(study), ensure_ascii=False) + "\n"


def decode_study(value: object) -> Study:
    """The study of a JSON object, with legal actions only.

    Raises StudyLimit or another KemuError; the sentence names the place.
    """
    document = read_object(value, "A study", ("kemu-study", "name", "chapters"))
    read_number(document["kemu-study"], "'kemu-study', the version of the format of studies,", VERSION, VERSION)
    entries = read_list(document["chapters"], "'chapters'")
    if len(entries) > MOST_CHAPTERS:
        raise StudyLimit(f"A study has at most {MOST_CHAPTERS} chapters, not {len(entries)}.")
    chapters = []
    for number, entry in enumerate(entries, start=1):
        try:
            chapters.append(decode_chapter(entry))
            check_study_size(sum(len(chapter.nodes) for chapter in chapters))
        except KemuError as error:
            raise type(error)(f"Chapter {number}: {error}") from None
    return Study(read_name(document["name"]), tuple(chapters))


def decode_chapter(value: object) -> Chapter:
    """The chapter of a JSON object, with legal actions only. Raises KemuError; the sentence names the place."""
    chapter = read_chapter(value)
    states(chapter)
    return chapter


def read_chapter(value: object) -> Chapter:
    """The chapter of a JSON object, whose actions may be illegal. Raises KemuError; the sentence names the place."""
    document = read_object(value, "A chapter", ("name", "game", "root"), ("options", "position"))
    position = document.get("position")
    return Chapter(
        name=read_name(document["name"]),
        game=read_text(document["game"], "'game'"),
        options=read_mapping(document.get("options", {}), "'options'"),
        position=None if position is None else read_mapping(position, "'position'"),
        nodes=_read_nodes(document["root"]),
    )


def study_from_text(text: str) -> Study:
    """The study of a JSON text. Raises KemuError; the sentence names the place."""
    return decode_study(read_json(text))


def read_name(value: object) -> str:
    """The name of a study or chapter. Raises ParseError or StudyLimit."""
    name = read_text(value, "'name'")
    check_text(name, "A name", LONGEST_NAME)
    if name != name.strip() or not name:
        raise ParseError(f"A name begins and ends with a letter or sign, unlike {quote(name)}.")
    return name


def read_mark(value: object) -> Mark:
    """The mark of a JSON object. Raises ParseError."""
    if isinstance(value, dict) and "cell" in value:
        return Mark(read_text(read_object(value, "A mark", ("cell",))["cell"], "'cell'"))
    arrow = read_object(value, "A mark", ("from", "to"))
    return Mark(read_text(arrow["from"], "'from'"), read_text(arrow["to"], "'to'"))


def _read_nodes(root: object) -> tuple[Node, ...]:
    """The nodes of a tree in preorder; each is read after its parent and before what comes after it."""
    nodes: list[Node] = []
    waiting: list[tuple[object, int, tuple[str, ...]]] = [(root, -1, ())]
    while waiting:
        value, parent, before = waiting.pop()
        try:
            node, children = _read_node(value, parent)
        except KemuError as error:
            raise type(error)(f"After {quote(' '.join(before))}: {error}" if before else str(error)) from None
        if len(nodes) > MOST_NODES:
            raise StudyLimit(f"A chapter has at most {MOST_NODES} actions.")
        path = (*before, node.action) if nodes else ()
        if len(path) > LONGEST_LINE:
            raise StudyLimit(f"A line has at most {LONGEST_LINE} actions.")
        waiting += [(child, len(nodes), path) for child in reversed(children)]
        nodes.append(node)
    _check_siblings(nodes)
    return tuple(nodes)


def _read_node(value: object, parent: int) -> tuple[Node, list[Any]]:
    required = ("children",) if parent < 0 else ("action", "children")
    document = read_object(value, "A node", required, ("comment", "marks"))
    action = read_text(document.get("action", ""), "'action'")
    check_text(action, "An action", LONGEST_ACTION)
    comment = read_text(document.get("comment", ""), "'comment'")
    check_text(comment, "A comment", LONGEST_COMMENT, lines=True)
    marks = tuple(read_mark(each) for each in read_list(document.get("marks", []), "'marks'"))
    check_marks(marks)
    return Node(parent, action, comment, marks), read_list(document["children"], "'children'")


def _check_siblings(nodes: list[Node]) -> None:
    known: set[tuple[int, str]] = set()
    for node in nodes[1:]:
        if (node.parent, node.action) in known:
            place = quote(nodes[node.parent].action) if node.parent else "the start"
            raise ParseError(
                f"The children of a node have different actions, but {quote(node.action)} comes twice after {place}."
            )
        known.add((node.parent, node.action))


_NAME_SCHEMA: Final[Document] = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
_CELL_SCHEMA: Final[Document] = {"type": "string", "minLength": 1, "maxLength": LONGEST_CELL}
_NODE_FIELDS: Final[Document] = {
    "comment": {"type": "string", "maxLength": LONGEST_COMMENT},
    "marks": {"type": "array", "maxItems": MOST_MARKS, "items": {"$ref": "#/$defs/mark"}},
    "children": {
        "type": "array",
        "items": {"$ref": "#/$defs/node"},
        "description": "What may be played here; the first child is the main line.",
    },
}

SCHEMA: Final[Document] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "Kemu study",
    "description": f"Chapters of at most {MOST_NODES} actions each, in lines of at most {LONGEST_LINE}.",
    "type": "object",
    "required": ["kemu-study", "name", "chapters"],
    "additionalProperties": False,
    "properties": {
        "kemu-study": {"const": VERSION, "description": "Version of this format."},
        "name": _NAME_SCHEMA,
        "chapters": {"type": "array", "maxItems": MOST_CHAPTERS, "items": {"$ref": "#/$defs/chapter"}},
    },
    "$defs": {
        "chapter": {
            "type": "object",
            "required": ["name", "game", "root"],
            "additionalProperties": False,
            "properties": {
                "name": _NAME_SCHEMA,
                "game": {"type": "string", "description": "Key of the game."},
                "options": {"type": "object", "description": "Options of the game; what is missing has its default."},
                "position": {
                    "type": ["object", "null"],
                    "description": "Position document of the game; without one the initial position.",
                },
                "root": {
                    "type": "object",
                    "required": ["children"],
                    "additionalProperties": False,
                    "properties": _NODE_FIELDS,
                },
            },
        },
        "node": {
            "type": "object",
            "required": ["action", "children"],
            "additionalProperties": False,
            "properties": {
                "action": {
                    "type": "string",
                    "maxLength": LONGEST_ACTION,
                    "description": "In the notation of the game; different from that of its siblings.",
                },
                **_NODE_FIELDS,
            },
        },
        "mark": {
            "oneOf": [
                {
                    "type": "object",
                    "required": ["cell"],
                    "additionalProperties": False,
                    "properties": {"cell": _CELL_SCHEMA},
                },
                {
                    "type": "object",
                    "required": ["from", "to"],
                    "additionalProperties": False,
                    "properties": {"from": _CELL_SCHEMA, "to": _CELL_SCHEMA},
                },
            ]
        },
    },
}
