"""Studies: made, listed, read, changed, shared by links, imported and exported."""

import asyncio
from secrets import token_urlsafe
from typing import Annotated, Any, Final, Literal

from litestar import Response, delete, get, post, put
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta, Struct

from kemu.core.errors import OptionError
from kemu.server.http.requests import GUEST, PLAY, READ, Caller, FromCaller
from kemu.server.live.study import StudyActor, new_chapter_id
from kemu.studies.documents import encode_chapter, read_chapter, read_name, study_from_text, study_to_text
from kemu.studies.edits import AddChapter, AnyEdit
from kemu.studies.text import format_study, parse_study
from kemu.studies.tree import LONGEST_NAME, Study, transpositions

KEY_BYTES: Final = 18
"""Bytes of the secret of a link."""


class NewStudy(Struct, frozen=True, forbid_unknown_fields=True):
    """A study to be made: an empty one with a name, or the one of a file, in JSON or as text."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)] | None = None
    text: str | None = None


class NewChapters(Struct, frozen=True, forbid_unknown_fields=True):
    """The text of a file, in JSON or as text, whose chapters are added to a study."""

    text: str


class EditRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a study, the same as over its socket."""

    edit: AnyEdit


class LinksRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Which links a study shall have: one that is there stays, one that is not wanted is revoked."""

    read: bool
    write: bool


class PositionsRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A chapter, as in the schema of studies."""

    chapter: dict[str, Any]


class StudyLinks(Struct, frozen=True):
    """The secrets of the links to a study, which stand in their addresses as `key`; null for a link that is not."""

    read: str | None
    write: str | None


class ListedStudy(Struct, frozen=True):
    """A study of yours in a list; times are in ms."""

    id: str
    name: str
    created: int
    changed: int
    shared: bool


class SharedChapter(Struct, frozen=True):
    """A chapter with its id; `root` is a node as in the schema of studies."""

    id: str
    name: str
    game: str
    options: dict[str, Any]
    position: dict[str, Any] | None
    root: dict[str, Any]


class SharedStudyAnswer(Struct, frozen=True):
    """A study at a version, and what you may do with it; only its owner sees the links."""

    id: str
    name: str
    version: int
    access: Literal["read", "write"]
    mine: bool
    links: StudyLinks | None
    chapters: list[SharedChapter]


class AddedChapters(Struct, frozen=True):
    """The ids of chapters that were added."""

    chapters: list[str]


class SamePositions(Struct, frozen=True):
    """For each position that a chapter has more than once, turned or mirrored too, the paths that lead to it."""

    groups: list[list[list[str]]]


@post("/api/studies", opt=PLAY | GUEST)
async def new_study(caller: FromCaller, data: JSONBody[NewStudy]) -> SharedStudyAnswer:
    """Make a study."""
    visitor, services = caller.visitor, caller.services
    async with services.turns.of(caller.address):  # a long file takes a while
        refusal = "Too many studies are made from your address; try again in a minute."
        services.study_rates.spend(caller.address, refusal)
        read = await _read_file(data.text) if data.text is not None else None
        if read is None and data.name is None:
            raise OptionError("A study needs a name or a text.")
        name = read.name if data.name is None and read is not None else read_name(data.name)
        await services.identity.keep_guest(visitor)
        actor = await services.studies.create(visitor.id, name, read.chapters if read is not None else ())
    return _answer(actor, caller, "")


@get("/api/studies", opt=READ)
async def my_studies(caller: FromCaller) -> list[ListedStudy]:
    """List your studies, the last changed first."""
    rows = await caller.services.runtime.store.studies.studies(caller.visitor.id)
    return [
        ListedStudy(row.id, row.name, row.created, row.changed, bool(row.read_key or row.write_key)) for row in rows
    ]


@get("/api/studies/{study:str}", opt=READ)
async def study_of(caller: FromCaller, study: FromPath[str], key: FromQuery[str] = "") -> SharedStudyAnswer:
    """Return a study with all its chapters."""
    return _answer(await caller.services.studies.open_for(study, caller.visitor.id, key), caller, key)


@delete("/api/studies/{study:str}", opt=PLAY)
async def delete_study(caller: FromCaller, study: FromPath[str]) -> None:
    """Delete a study of yours."""
    studies = caller.services.studies
    await studies.delete(await studies.owned(study, caller.visitor.id))


@put("/api/studies/{study:str}/links", opt=PLAY)
async def set_links(caller: FromCaller, study: FromPath[str], data: JSONBody[LinksRequest]) -> StudyLinks:
    """Make or revoke the links to a study of yours."""
    actor = await caller.services.studies.owned(study, caller.visitor.id)
    async with caller.services.turns.of(caller.visitor.id):
        row = actor.row
        read = (row.read_key or token_urlsafe(KEY_BYTES)) if data.read else None
        write = (row.write_key or token_urlsafe(KEY_BYTES)) if data.write else None
        if (read, write) != (row.read_key, row.write_key):
            await actor.set_links(read=read, write=write)
    return StudyLinks(read, write)


@post("/api/studies/{study:str}/edits", status_code=200, opt=PLAY)
async def edit_study(
    caller: FromCaller, study: FromPath[str], data: JSONBody[EditRequest], key: FromQuery[str] = ""
) -> SharedStudyAnswer:
    """Change a study without a socket."""
    actor = await caller.services.studies.open_for(study, caller.visitor.id, key, "write")
    caller.services.studies.check_rate(caller.address)
    await actor.edit(data.edit, caller.visitor.id, key)
    return _answer(actor, caller, key)


@post("/api/studies/{study:str}/chapters", opt=PLAY)
async def add_chapters(
    caller: FromCaller, study: FromPath[str], data: JSONBody[NewChapters], key: FromQuery[str] = ""
) -> AddedChapters:
    """Add the chapters of a file to a study."""
    actor = await caller.services.studies.open_for(study, caller.visitor.id, key, "write")
    caller.services.studies.check_rate(caller.address)
    added: list[str] = []
    async with caller.services.turns.of(caller.address):
        for chapter in (await _read_file(data.text)).chapters:
            added.append(new_chapter_id())
            await actor.edit(AddChapter(added[-1], encode_chapter(chapter)), caller.visitor.id, key)
    return AddedChapters(added)


@get("/api/studies/{study:str}/file", opt=READ)
async def export_study(
    caller: FromCaller,
    study: FromPath[str],
    form: FromQuery[Literal["json", "text"]] = "json",
    key: FromQuery[str] = "",
) -> Response[str]:
    """Return a study as a file, in JSON or as text."""
    shared = (await caller.services.studies.open_for(study, caller.visitor.id, key)).document.plain()
    write, ending = (study_to_text, "json") if form == "json" else (format_study, "txt")
    async with caller.services.turns.of(caller.address):  # a long one takes a while
        plain = await asyncio.to_thread(write, shared)
    headers = {"content-disposition": f'attachment; filename="study.{ending}"'}
    return Response(plain, media_type="application/json" if form == "json" else "text/plain", headers=headers)


@post("/api/study/positions", status_code=200, opt=READ)
async def same_positions(caller: FromCaller, data: JSONBody[PositionsRequest]) -> SamePositions:
    """Return the paths of a chapter that lead to the same position."""
    async with caller.services.turns.of(caller.address):  # a long one takes a while
        groups = await asyncio.to_thread(lambda: transpositions(read_chapter(data.chapter)))
    return SamePositions([[list(path) for path in group] for group in groups])


async def _read_file(text: str) -> Study:
    """Read the study of a file, whichever form it has. Raises KemuError."""
    read = study_from_text if text.lstrip("\ufeff \n\r\t").startswith("{") else parse_study
    return await asyncio.to_thread(read, text)


def _answer(actor: StudyActor, caller: Caller, key: str) -> SharedStudyAnswer:
    live, row, mine = actor.document, actor.row, actor.row.owner == caller.visitor.id
    reads = caller.visitor.scope == "read"  # a token to read gets no secret that writes
    return SharedStudyAnswer(
        id=live.id,
        name=live.name,
        version=live.version,
        access="read" if reads else actor.access(caller.visitor.id, key),
        mine=mine,
        links=StudyLinks(row.read_key, row.write_key) if mine and not reads else None,
        chapters=[SharedChapter(**each) for each in actor.chapters()],
    )
