"""Edits of a study that several people write at once: each is taken in the order in which it is saved.

`decide` checks a command and returns the entry to save with the study after it; `evolve` applies an entry that is
saved, live and in a replay. Chapters have ids here, because their places change. An edit that repeats what is there
changes nothing, so a client may send again what it had no answer to.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any, Final, TypeAlias

import msgspec
from msgspec import Meta, Struct

from kemu.core.errors import KemuError
from kemu.studies.documents import decode_chapter, encode_chapter, read_chapter, read_mark, read_name
from kemu.studies.tree import LONGEST_LINE, MOST_CHAPTERS, Chapter, Study, StudyLimit, UnknownNode, state_at

ChapterId: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,20}$(?!\n)")]
Actions: TypeAlias = Annotated[list[str], Meta(max_length=LONGEST_LINE)]


class Edit(Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """One change of a study."""


class ChapterEdit(Edit, frozen=True):
    """A change of one chapter."""

    chapter: ChapterId


class NodeEdit(ChapterEdit, frozen=True):
    """A change at the node at a path."""

    path: Actions


class AddNode(NodeEdit, frozen=True, tag="add"):
    """The last action of the path is added after the node before it; it must be legal there."""


class RemoveNode(NodeEdit, frozen=True, tag="remove"):
    """The node and all that follows it are removed; the root stays."""


class PromoteNode(NodeEdit, frozen=True, tag="promote"):
    """The node becomes the main line at its place."""


class CommentNode(NodeEdit, frozen=True, tag="comment"):
    """The comment at the node is this text."""

    text: str


class MarkNode(NodeEdit, frozen=True, tag="mark"):
    """The marks at the node are these."""

    marks: list[dict[str, Any]]


class RenameStudy(Edit, frozen=True, tag="rename"):
    """The study has another name."""

    name: str


class AddChapter(ChapterEdit, frozen=True, tag="add-chapter"):
    """A chapter is added at the end."""

    document: dict[str, Any]


class RemoveChapter(ChapterEdit, frozen=True, tag="remove-chapter"):
    """A chapter is removed."""


class RenameChapter(ChapterEdit, frozen=True, tag="rename-chapter"):
    """A chapter has another name."""

    name: str


class MoveChapter(ChapterEdit, frozen=True, tag="move-chapter"):
    """A chapter gets this place among the chapters, from 0."""

    to: Annotated[int, Meta(ge=0, lt=MOST_CHAPTERS)]


class LinksChanged(Edit, frozen=True, tag="links"):
    """A link was made or revoked; the sockets of a revoked link are closed."""


class StudyDeleted(Edit, frozen=True, tag="deleted"):
    """The study is deleted; all its sockets are closed."""


InChapter: TypeAlias = AddNode | RemoveNode | PromoteNode | CommentNode | MarkNode | RenameChapter
AnyEdit: TypeAlias = InChapter | RenameStudy | AddChapter | RemoveChapter | MoveChapter
"""An edit that a client may send."""

SavedEdit: TypeAlias = AnyEdit | LinksChanged | StudyDeleted
"""An edit that makes a version of a study."""


class UnknownStudy(KemuError, code="unknown-study"):
    """Raised when a study does not exist or the caller may not read it."""


class StudyCommand(Struct, frozen=True):
    """An edit, with the player who sent it and the id of the command; the server's own commands have neither.

    `key` is the secret of the link that it came through, None if it needs none, and `chapter` the one that the edit
    adds, if it was decoded before.
    """

    edit: SavedEdit
    player: str = ""
    id: str = ""
    key: str | None = None
    chapter: Chapter | None = None


class StudyEntry(Struct, frozen=True, omit_defaults=True, tag_field="op", tag="entry"):
    """One version of a study: the edit, when it was made, and who sent which command.

    `version` is its number in the journal, where older entries may be deleted; 0 in entries of 0.1.
    """

    at: int
    edit: SavedEdit
    by: str = ""
    command: str = ""
    version: int = 0


encode_entry: Final = msgspec.json.Encoder().encode
_decode_saved: Final = msgspec.json.Decoder(StudyEntry | SavedEdit).decode


def decode_entry(text: str | bytes) -> StudyEntry:
    """Return the entry of a text that `encode_entry` gave, or of the plain edit that 0.1 saved."""
    found = _decode_saved(text)
    return found if isinstance(found, StudyEntry) else StudyEntry(0, found)


@dataclass(frozen=True)
class SharedStudy:
    """A study whose chapters have ids; its version is the number of its entries."""

    name: str
    chapters: dict[str, Chapter]
    version: int = 0
    deleted: bool = False
    id: str = ""

    def plain(self) -> Study:
        """Return the study without ids."""
        return Study(self.name, tuple(self.chapters.values()))

    def encode(self) -> dict[str, Any]:
        """Return the study as a JSON object; each chapter has its id."""
        return {
            "name": self.name,
            "chapters": [{"id": key, **encode_chapter(chapter)} for key, chapter in self.chapters.items()],
        }

    @classmethod
    def decode(cls, document: dict[str, Any]) -> "SharedStudy":
        """Return the study of a JSON object that `encode` made."""
        chapters = {
            entry["id"]: read_chapter({name: value for name, value in entry.items() if name != "id"})
            for entry in document["chapters"]
        }
        return cls(document["name"], chapters)


def decide(study: SharedStudy, command: StudyCommand, now: int) -> tuple[StudyEntry | None, SharedStudy]:
    """Return the entry that a command makes at the moment `now`, None if it changes nothing, and the study after it.

    Raises:
        KemuError: UnknownStudy if it is deleted, UnknownNode, StudyLimit, ParseError or IllegalAction.
    """
    if study.deleted:
        raise UnknownStudy("This study was deleted.")
    after = apply_edit(study, command.edit, command.chapter)
    if after is study:
        return None, study
    version = study.version + 1
    return StudyEntry(now, command.edit, command.player, command.id, version), replace(after, version=version)


def evolve(study: SharedStudy, entry: StudyEntry) -> SharedStudy:
    """Return the study after an entry, which must be its next version; raises KemuError if its edit is refused."""
    added = entry.edit.document if isinstance(entry.edit, AddChapter) else None
    chapter = None if added is None else read_chapter(added)  # its actions were legal when it was saved
    return replace(apply_edit(study, entry.edit, chapter), version=study.version + 1)


def apply_edit(study: SharedStudy, edit: SavedEdit, chapter: Chapter | None = None) -> SharedStudy:
    """Return the study after an edit, of the same version; the same object if the edit changes nothing.

    Raises:
        KemuError: UnknownNode, StudyLimit, ParseError or IllegalAction.
    """
    match edit:
        case LinksChanged():
            return replace(study)
        case StudyDeleted():
            return replace(study, deleted=True)
        case RenameStudy():
            return replace(study, name=read_name(edit.name)) if edit.name != study.name else study
        case AddChapter():
            return _with_chapter(study, edit, chapter)
        case RemoveChapter():
            _chapter(study, edit)
            return replace(study, chapters={key: each for key, each in study.chapters.items() if key != edit.chapter})
        case MoveChapter():
            return _with_chapter_moved(study, edit)
    before = _chapter(study, edit)
    after = _edited(before, edit)
    return study if after == before else replace(study, chapters={**study.chapters, edit.chapter: after})


def _edited(chapter: Chapter, edit: InChapter) -> Chapter:
    match edit:
        case AddNode():
            return _with_action(chapter, edit)
        case RemoveNode():
            return chapter.remove(edit.path)
        case PromoteNode():
            return chapter.promote(edit.path)
        case CommentNode():
            return chapter.comment(edit.path, edit.text)
        case MarkNode():
            return chapter.mark(edit.path, [read_mark(mark) for mark in edit.marks])
        case RenameChapter():
            return replace(chapter, name=read_name(edit.name))


def _chapter(study: SharedStudy, edit: ChapterEdit) -> Chapter:
    if edit.chapter not in study.chapters:
        raise UnknownNode("This chapter is not there any more.")
    return study.chapters[edit.chapter]


def _with_action(chapter: Chapter, edit: AddNode) -> Chapter:
    if not edit.path:
        return chapter
    *before, action = edit.path
    after = chapter.add(before, action)
    if after is not chapter:
        state_at(chapter, edit.path)  # raises unless it is legal
    return after


def _with_chapter(study: SharedStudy, edit: AddChapter, chapter: Chapter | None) -> SharedStudy:
    if edit.chapter in study.chapters:
        return study
    if len(study.chapters) >= MOST_CHAPTERS:
        raise StudyLimit(f"A study has at most {MOST_CHAPTERS} chapters.")
    return replace(study, chapters={**study.chapters, edit.chapter: chapter or decode_chapter(edit.document)})


def _with_chapter_moved(study: SharedStudy, edit: MoveChapter) -> SharedStudy:
    moved = _chapter(study, edit)
    others = [(key, each) for key, each in study.chapters.items() if key != edit.chapter]
    chapters = dict([*others[: edit.to], (edit.chapter, moved), *others[edit.to :]])
    return study if list(chapters) == list(study.chapters) else replace(study, chapters=chapters)
