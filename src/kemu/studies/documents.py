"""Studies and chapters as JSON objects, with their schema; docs/study-studies.md explains each field."""

import json
from typing import Annotated, Any, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct

from kemu.core.document import Document, quote, read_json
from kemu.core.errors import KemuError, ParseError
from kemu.studies import tree
from kemu.studies.tree import Chapter, Mark, Node, Study, StudyLimit, TreeBuilder

T = TypeVar("T")

VERSION: Final = 1


def _limit(**limits: int) -> Meta:
    """Return the schema of a limit, beyond which a value is refused with StudyLimit where it is read."""
    return Meta(extra_json_schema=limits)


def _as(*kinds: str) -> Meta:
    """Return the schema of a JSON object that is read later, as one of these types."""
    references: list[Document] = [{"$ref": f"#/$defs/{kind}"} for kind in kinds]
    return Meta(extra_json_schema=references[0] if len(kinds) == 1 else {"oneOf": references})


Name: TypeAlias = Annotated[str, _limit(minLength=1, maxLength=tree.LONGEST_NAME)]
Cell: TypeAlias = Annotated[str, _limit(minLength=1, maxLength=tree.LONGEST_CELL)]


class MarkedCell(Struct, frozen=True, forbid_unknown_fields=True):
    """A mark at a cell."""

    cell: Cell


class Arrow(Struct, frozen=True, forbid_unknown_fields=True, rename={"start": "from"}):
    """An arrow from one cell to another."""

    start: Cell
    to: Cell


class RootDocument(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The position in which a chapter begins, and what may be played there; the first child is the main line."""

    children: list[Annotated[Document, _as("NodeDocument")]]
    comment: Annotated[str, _limit(maxLength=tree.LONGEST_COMMENT)] = ""
    marks: Annotated[list[Annotated[Document, _as("MarkedCell", "Arrow")]], _limit(maxItems=tree.MOST_MARKS)] = []


class NodeDocument(RootDocument, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An action in the notation of the game, different from that of its siblings, and what may be played after it."""

    action: Annotated[str, _limit(maxLength=tree.LONGEST_ACTION)]


class ChapterDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter; `position` is a position document of the game, null for the initial one."""

    name: Name
    game: str
    root: RootDocument
    options: dict[str, Any] = {}
    position: dict[str, Any] | None = None


class StudyDocument(Struct, frozen=True, forbid_unknown_fields=True):
    """A study; `kemu-study` is the version of this format."""

    version: Literal[1] = msgspec.field(name="kemu-study")
    name: Name
    chapters: Annotated[list[Annotated[Document, _as("ChapterDocument")]], _limit(maxItems=tree.MOST_CHAPTERS)]


def _schema() -> Document:
    kinds = (StudyDocument, ChapterDocument, NodeDocument, MarkedCell, Arrow)
    (study, *_), definitions = msgspec.json.schema_components(kinds, ref_template="#/$defs/{name}")
    about = f"Chapters of at most {tree.MOST_NODES} actions each, in lines of at most {tree.LONGEST_LINE}."
    dialect = "https://json-schema.org/draft/2020-12/schema"
    return {"$schema": dialect, "title": "Kemu study", "description": about, **study, "$defs": definitions}


SCHEMA: Final = _schema()


def encode_study(study: Study) -> Document:
    """Return a study as a JSON object."""
    return {"kemu-study": VERSION, "name": study.name, "chapters": [encode_chapter(each) for each in study.chapters]}


def encode_chapter(chapter: Chapter) -> Document:
    """Return a chapter as a JSON object."""
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
    """Return a mark as a JSON object."""
    return {"cell": mark.cell} if mark.to is None else {"from": mark.cell, "to": mark.to}


def study_to_text(study: Study) -> str:
    """Return the JSON text of a study, such as a file."""
    # Without indentation: every action is nested in the one before it, so it would be most of the file.
    return json.dumps(encode_study(study), ensure_ascii=False) + "\n"


def decode_study(value: object) -> Study:
    """Return the study of a JSON object, with legal actions only.

    Raises StudyLimit or another KemuError; the sentence names the place.
    """
    document = _read(value, StudyDocument, "A study")
    if len(document.chapters) > tree.MOST_CHAPTERS:
        raise StudyLimit(f"A study has at most {tree.MOST_CHAPTERS} chapters, not {len(document.chapters)}.")
    chapters = []
    for number, entry in enumerate(document.chapters, start=1):
        try:
            chapters.append(decode_chapter(entry))
            tree.check_study_size(sum(len(chapter.nodes) for chapter in chapters))
        except KemuError as error:
            raise error.located(f"Chapter {number}") from None
    return Study(read_name(document.name), tuple(chapters))


def decode_chapter(value: object) -> Chapter:
    """Return the chapter of a JSON object, with legal actions only. Raises KemuError; the sentence names the place."""
    chapter = read_chapter(value)
    tree.states(chapter)
    return chapter


def read_chapter(value: object) -> Chapter:
    """Return the chapter of a JSON object, whose actions may be illegal. Raises KemuError."""
    document = _read(value, ChapterDocument, "A chapter")
    nodes = _read_nodes(document.root)
    return Chapter(read_name(document.name), document.game, document.options, document.position, nodes)


def study_from_text(text: str) -> Study:
    """Return the study of a JSON text. Raises KemuError; the sentence names the place."""
    return decode_study(read_json(text))


def read_name(value: object) -> str:
    """Return the name of a study or chapter. Raises ParseError or StudyLimit."""
    name = _read(value, str, "A name")
    tree.check_text(name, "A name", tree.LONGEST_NAME)
    if name != name.strip() or not name:
        raise ParseError(f"A name begins and ends with a letter or sign, unlike {quote(name)}.")
    return name


def read_mark(value: object) -> Mark:
    """Return the mark of a JSON object. Raises ParseError."""
    if isinstance(value, dict) and "cell" in value:
        return Mark(_read(value, MarkedCell, "A mark").cell)
    arrow = _read(value, Arrow, "A mark")
    return Mark(arrow.start, arrow.to)


def _read(value: object, kind: type[T], name: str) -> T:
    """Return a JSON value as a type; raises ParseError."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ParseError(f"{name} is not as the schema says: {error}.") from None


def _read_nodes(root: RootDocument) -> tuple[Node, ...]:
    """Return the nodes of a tree in preorder; each is read after its parent and before what comes after it."""
    builder = TreeBuilder()
    _annotate(builder, 0, root)
    waiting: list[tuple[object, int]] = [(child, 0) for child in reversed(root.children)]
    while waiting:
        value, parent = waiting.pop()
        try:
            document = _read(value, NodeDocument, "A node")
            number = builder.add(parent, document.action)
            _annotate(builder, number, document)
        except KemuError as error:
            raise (
                error.located(f"After {quote(' '.join(tree.path_to(builder.nodes, parent)))}") if parent else error
            ) from None
        waiting += [(child, number) for child in reversed(document.children)]
    return tuple(builder.nodes)


def _annotate(builder: TreeBuilder, number: int, document: RootDocument) -> None:
    builder.annotate(number, document.comment, [read_mark(each) for each in document.marks])
