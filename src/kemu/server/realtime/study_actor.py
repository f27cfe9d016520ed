"""The actor of a study: it alone changes the study, keeps its connections, and tells them what was saved.

An edit is applied, appended to the journal, and then published, one at a time. Several processes may serve a study: the
journal refuses an append whose version is taken, and the edit is applied again to what the others have saved.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Final, Protocol

import msgspec
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.play.commands import Id
from kemu.play.errors import StaleVersion
from kemu.server.limits import Rates, TooMany
from kemu.server.realtime.completion import presentable, within_time
from kemu.server.realtime.frames import Done, Refused, encode
from kemu.server.realtime.study_frames import (
    Access,
    EditFrame,
    LinksChanged,
    Readers,
    Reload,
    StudyDeleted,
    StudyEntry,
    StudyOpened,
    decode_entry,
)
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable
from kemu.storage.rows import StudyRow
from kemu.storage.store import Append
from kemu.study.documents import encode_chapter
from kemu.study.edits import (
    AddChapter,
    AnyEdit,
    RemoveChapter,
    RemoveNode,
    SharedStudy,
    apply_edit,
)
from kemu.study.tree import Chapter, StudyLimit

UNKNOWN: Final = 4404

RECENT_EDITS: Final = 200
"""How many edits are in memory for clients that come back; older ones are read from the store."""

RECENT_BYTES: Final = 256 * 1024
"""How large they may be together; an edit can be a whole chapter."""

KEPT_EDITS: Final = 1000
"""How many edits the store keeps beside the saved document."""

KEPT_BYTES: Final = 1024 * 1024
"""How large they may be together; what a client lacks beyond that it loads with the study."""

SAVE_SECONDS: Final = 3.0
"""How long edits are gathered before the document of a study is saved."""

STUDY_BYTES: Final = 1024 * 1024
"""How large the document of a study may become."""

MOST_ATTEMPTS: Final = 20
"""How often an edit is tried again because another process was faster."""

log = logging.getLogger(__name__)


class UnknownStudy(KemuError):
    """No study has this id, or not for who asks."""

    code = "unknown-study"


class StudyReader(Protocol):
    """A connection at a study."""

    @property
    def player(self) -> str:
        """The id of the player who opened it."""

    @property
    def key(self) -> str:
        """The secret of the link that it was opened with; empty for none."""

    def send(self, frame: bytes) -> None:
        """Send a message; never waits."""

    def close(self, code: int) -> None:
        """Close the socket."""


class StudyActor:
    """One study in memory."""

    def __init__(self, runtime: Runtime, row: StudyRow, edits: Rates, deleted: Callable[[str], None]) -> None:
        self._runtime = runtime
        self._store = runtime.store
        self._edits = edits
        self._deleted = deleted
        self._lock = asyncio.Lock()
        self._row = row
        self._bytes = len(row.document)
        self._recent: deque[tuple[int, StudyEntry]] = deque(maxlen=RECENT_EDITS)
        self._sizes: deque[int] = deque(maxlen=KEPT_EDITS)  # bytes of the last edits
        self._encoded: dict[str, tuple[Chapter, Document]] = {}  # chapters, and what they were encoded to
        self._is_deleted = False
        self._readers: set[StudyReader] = set()
        self._outdated = False
        self._save_due = False
        self.study = SharedStudy.decode(msgspec.json.decode(row.document))
        self.version = row.version
        self.used_ms = now_ms()

    @property
    def id(self) -> str:
        """The id of the study."""
        return self._row.id

    @property
    def row(self) -> StudyRow:
        """Owner, links and times; its document may be older."""
        return self._row

    @property
    def idle(self) -> bool:
        """Whether nobody needs it in memory."""
        return not (self._readers or self._lock.locked() or self._save_due)

    def access(self, player: str, key: str) -> Access:
        """What somebody may do who comes with the secret of a link or none. Raises UnknownStudy."""
        if player == self._row.owner or (key and key == self._row.write_key):
            return "write"
        if key and key == self._row.read_key:
            return "read"
        raise UnknownStudy("There is no study at this address, or its link was revoked.")

    # Edits.

    def check_rate(self, address: str) -> None:
        """Raise TooMany if an address edits more than it may: each edit at the end of a long line takes a while."""
        if not self._edits.spend(address):
            raise TooMany("Too many edits; try again in a moment.")

    async def execute(self, entry: StudyEntry, by: StudyReader | None = None, re: Id | UnsetType = UNSET) -> bool:
        """Apply, save and publish an edit; False if it changes nothing. Raises KemuError."""
        self.used_ms = now_ms()
        async with self._lock:
            for _ in range(MOST_ATTEMPTS):
                if self._outdated:
                    await self._read_newer()
                self._check_access(by)
                self._check_size(entry)
                after = await self._applied(entry)
                if after is self.study and not isinstance(entry, LinksChanged | StudyDeleted):
                    return False
                try:
                    written = self._store.journal.write([Append(self.id, self.version + 1, encode(entry))])
                    await within_time(written)
                except StaleVersion:
                    self._outdated = True
                except BaseException:  # whether it was saved is not known
                    self._outdated = True
                    raise
                else:
                    self._take(entry, after, by, re)
                    return True
        raise StoreUnavailable("Others change this study all the time; try again.")

    def announced(self, version: int) -> None:
        """Another process has saved an edit."""
        if version > self.version:
            self.refresh()

    def refresh(self) -> None:
        """Read what other processes may have saved."""
        self._outdated = True
        self._runtime.tasks.start(self._refresh())

    async def _refresh(self) -> None:
        async with self._lock:
            if self._outdated:
                await self._read_newer()

    async def load_edits(self) -> None:
        """Apply the edits that were saved after the document."""
        async with self._lock:
            await self._read_newer()

    async def _read_newer(self) -> None:
        self._outdated = False  # an edit that is announced while these are read may not be among them
        try:
            entries = await self._store.matches.entries(self.id, self.version)
        except BaseException:
            self._outdated = True
            raise
        for text in entries:
            entry, after = decode_entry(text), self.study
            try:
                after = await self._applied(entry)
            except KemuError as error:  # rules that have changed since; the edit counts, and changes nothing
                log.error("edit cannot be applied", exc_info=error, extra={"study": self.id})
            self._take(entry, after, None, UNSET)

    def _check_access(self, by: StudyReader | None) -> None:
        """Raise UnknownStudy if the study is deleted, or the link with which an edit came was revoked meanwhile."""
        if self._is_deleted:
            raise UnknownStudy("This study was deleted.")
        if by is not None and self.access(by.player, by.key) != "write":
            raise UnknownStudy("This link is for reading only.")

    def _check_size(self, entry: StudyEntry) -> None:
        """Raise StudyLimit if a study is full, unless the entry makes it no larger."""
        if self._bytes > STUDY_BYTES and not isinstance(
            entry, RemoveNode | RemoveChapter | LinksChanged | StudyDeleted
        ):
            raise StudyLimit("This study is as large as a study may be; begin another one.")

    async def _applied(self, entry: StudyEntry) -> SharedStudy:
        """The study after an edit. Raises KemuError."""
        if isinstance(entry, LinksChanged | StudyDeleted):
            return self.study
        if isinstance(entry, AddChapter):  # thousands of actions may be checked
            return await asyncio.to_thread(apply_edit, self.study, entry)
        return apply_edit(self.study, entry)

    def _take(self, entry: StudyEntry, after: SharedStudy, by: StudyReader | None, re: Id | UnsetType) -> None:
        """An edit is saved: publish it."""
        self.study, self.version = after, self.version + 1
        self._recent.append((self.version, entry))
        frame = encode(EditFrame(self.version, entry))
        self._bytes += len(frame)
        self._sizes.append(len(frame))
        while len(self._recent) > _fitting(self._sizes, RECENT_BYTES):
            self._recent.popleft()
        for reader in tuple(self._readers):
            reader.send(encode(EditFrame(self.version, entry, re)) if reader is by else frame)
        if isinstance(entry, StudyDeleted):
            self._is_deleted = True
            for reader in tuple(self._readers):
                reader.close(UNKNOWN)
            self._deleted(self.id)
            return
        if isinstance(entry, LinksChanged):
            self._runtime.tasks.start(self._read_links())
        self._row = replace(self._row, changed=now_ms())
        self.save_later()

    # The document in the store.

    def save_later(self) -> None:
        """Save the document soon."""
        if not self._save_due:
            self._save_due = True
            self._runtime.tasks.start(self._save_after(SAVE_SECONDS))

    async def _save_after(self, seconds: float) -> None:
        try:
            await asyncio.sleep(seconds)
        finally:  # the process may be closing: then the document is saved by whoever loads the study
            self._save_due = False
        await self.save()

    async def save(self) -> None:
        """Save the document as it is now; should that fail, its edits are saved all the same."""
        if self._is_deleted:
            return
        document = msgspec.json.encode({"name": self.study.name, "chapters": self.chapters()}).decode()
        self._bytes = len(document)
        self._row = replace(self._row, name=self.study.name, version=self.version, document=document)
        fitting = _fitting(self._sizes, KEPT_BYTES)
        await self._store.studies.save_document(self._row, fitting if fitting < len(self._sizes) else KEPT_EDITS)

    def chapters(self) -> list[Document]:
        """The chapters as JSON objects with their ids; only those that have changed are encoded again."""
        for key, chapter in self.study.chapters.items():
            if key not in self._encoded or self._encoded[key][0] is not chapter:
                self._encoded[key] = chapter, {"id": key, **encode_chapter(chapter)}
        self._encoded = {key: self._encoded[key] for key in self.study.chapters}
        return [document for _, document in self._encoded.values()]

    # Links.

    async def set_links(self, *, read: str | None, write: str | None) -> None:
        """Replace the secrets of the links, and close the sockets that were opened with others."""
        await self._store.studies.set_keys(self.id, read, write)
        self._row = replace(self._row, read_key=read, write_key=write)
        await self.execute(LinksChanged())

    async def _read_links(self) -> None:
        found = await self._store.studies.study(self.id)
        if found is None:
            return
        self._row = replace(self._row, read_key=found.read_key, write_key=found.write_key)
        for reader in tuple(self._readers):
            if reader.player != self._row.owner and reader.key not in (found.read_key, found.write_key):
                reader.send(encode(Refused(UnknownStudy.code, "The link to this study was revoked.")))
                reader.close(UNKNOWN)

    # Connections.

    def connect(self, reader: StudyReader, missed: Sequence[tuple[int, StudyEntry]] | None) -> None:
        """Send what a client lacks, as `since` gave it just now, and then all that comes."""
        self.used_ms = now_ms()
        reader.send(encode(StudyOpened(self.version, self.access(reader.player, reader.key))))
        if missed is None:
            reader.send(encode(Reload(self.version)))
        for version, entry in missed or ():
            reader.send(encode(EditFrame(version, entry)))
        self._readers.add(reader)
        self._tell_readers()

    def disconnect(self, reader: StudyReader) -> None:
        """Send nothing more to a client."""
        self.used_ms = now_ms()
        if reader in self._readers:
            self._readers.discard(reader)
            self._tell_readers()

    def message_received(self, reader: StudyReader, edit: AnyEdit, re: Id) -> None:
        """Execute an edit of a client; edits are executed in the order in which they came."""
        self._runtime.tasks.start(self._edit(reader, edit, re))

    async def _edit(self, reader: StudyReader, edit: AnyEdit, re: Id) -> None:
        try:
            changed = await self.execute(edit, reader, re)
        except Exception as error:
            shown = presentable(error)
            reader.send(encode(Refused(shown.code, str(shown), re)))
            return
        if not changed:
            reader.send(encode(Done(re, self.version)))

    async def since(self, after: int) -> list[tuple[int, StudyEntry]] | None:
        """The edits after a version; None if they are not kept. Nothing is awaited once they are known."""
        self.used_ms = now_ms()
        while self.version > after >= 0:
            recent = [(version, entry) for version, entry in self._recent if version > after]
            if recent and recent[0][0] == after + 1:
                return recent
            version, stored = self.version, await self._store.matches.entries(self.id, after)
            if len(stored) < version - after:
                return None
            if version == self.version:
                texts = stored[: version - after]
                return [(after + number, decode_entry(text)) for number, text in enumerate(texts, start=1)]
        return [] if after == self.version else None

    def _tell_readers(self) -> None:
        frame = encode(Readers(len(self._readers)))
        for reader in self._readers:
            reader.send(frame)


def _fitting(sizes: Sequence[int], most: int) -> int:
    """How many of the last sizes are together no more than this."""
    return sum(total <= most for total in accumulate(reversed(sizes)))
