"""The studies of a process: each is a live document whose entries are edits, read and written through links.

The document itself is saved now and then; the last edits are kept beside it, in memory and in the journal.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from secrets import token_urlsafe
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType, structs

from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.play.errors import AlreadyDone
from kemu.play.runner import Answer, Decision, Journal
from kemu.server.live import frames
from kemu.server.live.actor import FULL, Actor, DocumentConnection, Render, presentable
from kemu.server.live.connection import Asked
from kemu.server.live.frames import Access, EditStudy, Refused, encode
from kemu.server.live.messages import UNKNOWN
from kemu.server.live.registry import Registry
from kemu.server.runtime import Rates, Runtime, TooMany, now_ms
from kemu.storage.journal import Append
from kemu.storage.studies import StudyRow
from kemu.studies import edits
from kemu.studies.documents import decode_chapter, encode_chapter
from kemu.studies.edits import SavedEdit, SharedStudy, StudyCommand, StudyEntry, UnknownStudy
from kemu.studies.tree import Chapter, StudyLimit

KEPT_EDITS: Final = 1000
KEPT_BYTES: Final = 256 * 1024
"""How many edits are kept for clients that come back, and how large they may be; a client that lacks more reloads."""

SAVE_SECONDS: Final = 3.0
"""How long edits are gathered before the document of a study is saved."""

STUDY_BYTES: Final = 1024 * 1024
"""How large the document of a study may become."""

ALWAYS_ALLOWED: Final = (edits.RemoveNode, edits.RemoveChapter, edits.LinksChanged, edits.StudyDeleted)
"""The edits of a study that is larger."""

PREFIX: Final = "s-"
"""Of the ids of studies, whose edits are in the same journal as the entries of matches."""

log = logging.getLogger(__name__)


class StudyActor(Actor[SharedStudy, StudyCommand, StudyEntry, str]):
    """Owns one study; its connections have the secret of a link, or an empty one."""

    def __init__(self, registry: "StudyRegistry", row: StudyRow, journal: Journal[SharedStudy, StudyEntry]) -> None:
        study = SharedStudy.decode(msgspec.json.decode(row.document))
        super().__init__(replace(study, id=row.id, version=row.version), self, journal, frames.decode_edit)
        self._registry = registry
        self.row = row  # owner, links and times; its document may be older
        self._bytes = len(row.document)
        self._recent: deque[tuple[int, bytes]] = deque()  # the versions and frames of the last edits
        self._recent_bytes = 0
        self._encoded: dict[str, tuple[Chapter, Document]] = {}  # chapters, and what they were encoded to
        self._save_due = False

    @property
    def idle(self) -> bool:
        """Whether nobody needs it in memory."""
        return super().idle and not self._save_due

    def access(self, player: str, key: str) -> Access:
        """Return what somebody may do who comes with the secret of a link or none. Raises UnknownStudy."""
        if self.document.deleted:
            raise UnknownStudy("This study was deleted.")
        if player == self.row.owner or (key and key == self.row.write_key):
            return "write"
        if key and key == self.row.read_key:
            return "read"
        raise UnknownStudy("There is no study at this address, or its link was revoked.")

    def check_access(self, player: str, key: str, wanted: Access) -> None:
        """Raise UnknownStudy unless a player with the secret of a link or none may do what is wanted."""
        if self.access(player, key) == "read" and wanted == "write":
            raise UnknownStudy("This link is for reading only.")

    # The rules; see play/runner.py.

    def decide(self, document: SharedStudy, command: StudyCommand, now: int) -> Decision[SharedStudy, StudyEntry]:
        """Return what an edit changes. Raises KemuError, and AlreadyDone if it changes nothing."""
        if command.key is not None:
            self.check_access(command.player, command.key, "write")
        if self._bytes > STUDY_BYTES and not isinstance(command.edit, ALWAYS_ALLOWED):
            raise StudyLimit("This study is as large as a study may be; begin another one.")
        entry, after = edits.decide(document, command, now)
        if entry is None:
            raise AlreadyDone(document.version)
        return Decision(entry, after)

    def evolve(self, document: SharedStudy, entry: StudyEntry) -> SharedStudy:
        """Return the study after a stored edit."""
        try:
            return edits.evolve(document, entry)
        except KemuError as error:  # rules that have changed since; the edit counts, and changes nothing
            log.error("edit cannot be applied", exc_info=error, extra={"study": document.id})
            return replace(document, version=document.version + 1)

    def overdue(self, document: SharedStudy, now: int) -> StudyCommand | None:
        """Return None: nothing is due in a study."""
        return None

    def sender(self, command: StudyCommand) -> tuple[str, str] | None:
        """Return who sent an edit and its id."""
        return (command.player, command.id) if command.id else None

    def remember(self, entries: Sequence[StudyEntry]) -> None:
        """Keep edits that the document contains already, for clients that come back or send them again."""
        for entry in entries:
            if 0 < entry.version <= self.document.version:
                self._keep(entry.version, entry.edit)
                self._runner.remember(entry, entry.version)

    async def edit(self, edit: SavedEdit, player: str = "", key: str | None = None) -> None:
        """Apply, save and publish an edit that comes without a socket. Raises KemuError."""
        with suppress(AlreadyDone):
            await self.execute(StudyCommand(edit, player, key=key, chapter=await _checked_chapter(edit)))

    # Connections.

    async def check_visitor(self, player: str) -> None:
        """Raise UnknownStudy if a block or a class keeps a player from the owner."""
        await self._registry.check_apart(player, self.row.owner)

    def admit(self, player: str, asked: Asked, room: int) -> str:
        """Return the secret of the link. Raises UnknownStudy, and TooMany if the server is full."""
        self.access(player, asked.key)
        if not room:
            raise TooMany(FULL)
        return asked.key

    def message_received(self, connection: DocumentConnection, message: EditStudy) -> None:
        """Run an edit of a client, within what its address may edit."""
        try:
            self._registry.check_rate(connection.owner.address)
        except TooMany as error:
            connection.refuse(error, message.id)
            return
        if isinstance(message.edit, edits.AddChapter):  # thousands of actions may be checked
            connection.socket.pause()
            self._registry.start(self._add_chapter(connection, message))
        else:
            self._edit(connection, message)

    async def _add_chapter(self, connection: DocumentConnection, message: EditStudy) -> None:
        """Check a chapter in a thread and add it; what its client sends next waits."""
        try:
            chapter = await _checked_chapter(message.edit)
            self._edit(connection, message, chapter)
        except Exception as error:
            connection.send(encode(Refused.by(presentable(error), message.id)))
        finally:
            connection.socket.resume()

    def _edit(self, connection: DocumentConnection, message: EditStudy, chapter: Chapter | None = None) -> None:
        command = StudyCommand(message.edit, connection.player, message.id, connection.key, chapter)
        self._submit(connection, message.id, command)

    def _connect(self, connection: DocumentConnection, view: str, after: int | None, re: str | UnsetType) -> None:
        """Send what a client lacks and then all that comes, unless its link was revoked meanwhile."""
        if connection.closed:
            return
        try:
            access = self.access(connection.player, view)
        except UnknownStudy as error:
            connection.send(encode(Refused.by(error)))
            connection.close(UNKNOWN)
            return
        version, known = self.document.version, after or 0
        missed = [frame for number, frame in self._recent if number > known]
        connection.send(encode(frames.StudyOpened(version, "read" if connection.owner.reads_only else access)))
        if len(missed) != version - known:
            connection.send(encode(frames.Reload(version)))
        else:
            for frame in missed:
                connection.send(frame)
        self._viewers[connection] = view
        self._tell_readers()

    def _disconnected(self, view: str) -> None:
        self._tell_readers()

    def _tell_readers(self) -> None:
        frame = encode(frames.Readers(len(self._viewers)))
        for connection in tuple(self._viewers):
            connection.send(frame)

    # What is saved.

    def _render(self, before: SharedStudy, entry: StudyEntry, after: SharedStudy) -> Render[str]:
        frame = encode(frames.EditFrame(after.version, entry.edit))

        def render(connection: DocumentConnection, view: str, re: str | UnsetType) -> bytes:
            return frame if re is UNSET else encode(frames.EditFrame(after.version, entry.edit, re))

        return render

    def _applied(self, before: SharedStudy, entry: StudyEntry, after: SharedStudy) -> None:
        self._bytes += self._keep(after.version, entry.edit)
        if after.deleted:
            self.close_connections(UNKNOWN)
            self._registry.drop(after.id)
            return
        if isinstance(entry.edit, edits.LinksChanged):
            self._registry.start(self._read_links())
        self.row = structs.replace(self.row, changed=now_ms())
        if not self._save_due:
            self._save_due = True
            self._registry.start(self._save_later())

    def _keep(self, version: int, edit: SavedEdit) -> int:
        """Keep the frame of an edit, and drop the oldest if there are too many; return the size of the frame."""
        frame = encode(frames.EditFrame(version, edit))
        self._recent.append((version, frame))
        self._recent_bytes += len(frame)
        while self._recent and (len(self._recent) > KEPT_EDITS or self._recent_bytes > KEPT_BYTES):
            self._recent_bytes -= len(self._recent.popleft()[1])
        return len(frame)

    async def _save_later(self) -> None:
        try:
            await asyncio.sleep(SAVE_SECONDS)
        finally:  # the process may be closing: then the document is saved by whoever loads the study
            self._save_due = False
        await self.save()

    async def save(self) -> None:
        """Save the document as it is now; should that fail, its edits are saved all the same."""
        if self.document.deleted:
            return
        study = self.document
        document = msgspec.json.encode({"name": study.name, "chapters": self.chapters()}).decode()
        self._bytes = len(document)
        self.row = structs.replace(self.row, name=study.name, version=study.version, document=document)
        await self._registry.store.save_document(self.row, len(self._recent))

    def chapters(self) -> list[Document]:
        """Return the chapters as JSON objects with their ids; only those that have changed are encoded again."""
        chapters = self.document.chapters
        for key, chapter in chapters.items():
            if key not in self._encoded or self._encoded[key][0] is not chapter:
                self._encoded[key] = chapter, {"id": key, **encode_chapter(chapter)}
        self._encoded = {key: self._encoded[key] for key in chapters}
        return [document for _, document in self._encoded.values()]

    # Links.

    async def set_links(self, *, read: str | None, write: str | None) -> None:
        """Replace the secrets of the links, and close the sockets that were opened with others."""
        await self._registry.store.set_keys(self.row.id, read, write)
        self.row = structs.replace(self.row, read_key=read, write_key=write)
        await self.edit(edits.LinksChanged())

    async def _read_links(self) -> None:
        found = await self._registry.store.study(self.row.id)
        if found is None:
            return
        self.row = structs.replace(self.row, read_key=found.read_key, write_key=found.write_key)
        for connection, key in tuple(self._viewers.items()):
            if connection.player != self.row.owner and key not in (found.read_key, found.write_key):
                connection.send(encode(Refused(UnknownStudy.code, "The link to this study was revoked.")))
                connection.close(UNKNOWN)


async def _checked_chapter(edit: SavedEdit) -> Chapter | None:
    """Return the chapter that an edit adds, checked in a thread. Raises KemuError."""
    return await asyncio.to_thread(decode_chapter, edit.document) if isinstance(edit, edits.AddChapter) else None


class StudyRegistry(Registry[SharedStudy, StudyEntry, StudyActor]):
    """Owns the actors of all studies in memory."""

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime, "study", edits.decode_entry)
        self.store = runtime.store.studies
        self.start: Final = runtime.tasks.start
        per_second = runtime.settings.edits_per_second
        self._edits = Rates(60 * per_second, most=2 * per_second)

    async def open_for(self, study: str, player: str, key: str, access: Access = "read") -> StudyActor:
        """Return the actor of a study for somebody with the secret of a link, or none. Raises UnknownStudy."""
        actor = await self.find(study)
        await actor.current()
        actor.check_access(player, key, access)
        await actor.check_visitor(player)
        return actor

    async def check_apart(self, player: str, owner: str) -> None:
        """Raise UnknownStudy if a block or a class keeps a player from the owner of a study."""
        if await self._runtime.store.people.kept_apart(player, [owner]):
            raise UnknownStudy("There is no study at this address, or you and its owner do not meet.")

    async def owned(self, study: str, player: str) -> StudyActor:
        """Return the actor of a study of this player's own. Raises UnknownStudy."""
        actor = await self.find(study)
        if actor.row.owner != player:
            raise UnknownStudy("You have no study of this id.")
        return actor

    async def create(self, owner: str, name: str, chapters: Sequence[Chapter]) -> StudyActor:
        """Make a new study. Raises TooMany if its owner has as many as are allowed."""
        most = self._runtime.settings.studies_per_player
        if len(await self.store.studies(owner)) >= most:
            raise TooMany(f"You have {most} studies, as many as are allowed; delete one first.")
        shared = SharedStudy(name, {new_chapter_id(): chapter for chapter in chapters})
        document = (await asyncio.to_thread(lambda: msgspec.json.encode(shared.encode()))).decode()
        if len(document) > STUDY_BYTES:
            raise StudyLimit("This file is larger than a study may be; make several of it.")
        now = now_ms()
        row = StudyRow(PREFIX + token_urlsafe(9), owner, name, now, now, 0, document=document)
        await self.store.add_study(row)
        return self._add(StudyActor(self, row, self))

    async def delete(self, actor: StudyActor) -> None:
        """Delete a study; its sockets are closed in all processes."""
        await actor.edit(edits.StudyDeleted())
        await self.store.delete_study(actor.row.id)

    async def close(self) -> None:
        """Save the documents of the studies in memory."""
        for actor in tuple(self._actors.values()):
            if actor.document.version > actor.row.version:
                await actor.save()

    def check_rate(self, address: str) -> None:
        """Raise TooMany if an address edits more than it may: each edit at the end of a long line takes a while."""
        self._edits.spend(address, "Too many edits; try again in a moment.")

    def drop(self, study: str) -> None:
        """Drop the actor of a study that was deleted."""
        self._actors.pop(study, None)

    def append(self, before: SharedStudy, entry: StudyEntry, after: SharedStudy, saved: Answer) -> None:
        """Save an edit."""
        self._write([Append(after.id, after.version, encode(entry))], saved)

    async def _load(self, document: str) -> StudyActor:
        row = await self.store.study(document)
        if row is None:
            raise UnknownStudy("There is no study at this address, or its link was revoked.")
        actor = StudyActor(self, row, self)
        kept = await self._store.journal.entries(document, 0) if row.version else []
        newer = await self._store.journal.entries(document, row.version)
        actor.remember([edits.decode_entry(entry) for entry in kept])
        actor.replay([edits.decode_entry(entry) for entry in newer])
        return actor


def new_chapter_id() -> str:
    """Return an id that no other chapter has."""
    return token_urlsafe(6)
