"""The registry of the studies in memory: loads, creates, deletes and unloads their actors."""

import asyncio
from asyncio import Task
from collections.abc import Sequence
from secrets import token_urlsafe
from typing import Final

import msgspec

from kemu.server.limits import TooMany
from kemu.server.realtime.study_actor import STUDY_BYTES, StudyActor, UnknownStudy
from kemu.server.realtime.study_frames import Access, StudyDeleted
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.rows import StudyRow
from kemu.study.edits import SharedStudy
from kemu.study.tree import Chapter, StudyLimit

UNLOAD_AFTER_MS: Final = 30_000
"""How long a study that nobody uses stays in memory."""

PREFIX: Final = "s-"
"""Of the ids of studies, whose edits are in the same journal as the entries of matches."""


class StudyRegistry:
    """Owns the actors of all studies in memory."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._store = runtime.store.studies
        self._actors: dict[str, StudyActor] = {}
        self._loading: dict[str, Task[StudyActor]] = {}

    async def find(self, study: str) -> StudyActor:
        """The actor of a study, loaded from the store if need be. Raises UnknownStudy."""
        actor = self._actors.get(study)
        if actor is not None:
            return actor
        if study not in self._loading:
            self._loading[study] = asyncio.get_running_loop().create_task(self._load(study))
            self._loading[study].add_done_callback(lambda _: self._loading.pop(study))
        return await asyncio.shield(self._loading[study])

    async def open_for(self, study: str, player: str, key: str, access: Access = "read") -> StudyActor:
        """The actor of a study for somebody with the secret of a link, or none. Raises UnknownStudy."""
        actor = await self.find(study)
        if actor.access(player, key) == "read" and access == "write":
            raise UnknownStudy("This link is for reading only.")
        return actor

    async def owned(self, study: str, player: str) -> StudyActor:
        """The actor of a study of this player's own. Raises UnknownStudy."""
        actor = await self.find(study)
        if actor.row.owner != player:
            raise UnknownStudy("You have no study of this id.")
        return actor

    async def create(self, owner: str, name: str, chapters: Sequence[Chapter]) -> StudyActor:
        """A new study. Raises TooMany if its owner has as many as are allowed."""
        most = self._runtime.settings.studies_per_player
        if len(await self._store.studies(owner)) >= most:
            raise TooMany(f"You have {most} studies, as many as are allowed; delete one first.")
        shared = SharedStudy(name, {new_chapter_id(): chapter for chapter in chapters})
        document = (await asyncio.to_thread(lambda: msgspec.json.encode(shared.encode()))).decode()
        if len(document) > STUDY_BYTES:
            raise StudyLimit("This file is larger than a study may be; make several of it.")
        now = now_ms()
        row = StudyRow(PREFIX + token_urlsafe(9), owner, name, now, now, 0, document=document)
        await self._store.add_study(row)
        actor = self._actors[row.id] = StudyActor(self._runtime, row, self._deleted)
        return actor

    async def delete(self, actor: StudyActor) -> None:
        """Delete a study; its sockets are closed in all processes."""
        await actor.execute(StudyDeleted())
        await self._store.delete_study(actor.id)

    async def close(self) -> None:
        """Save the documents of the studies in memory."""
        for actor in tuple(self._actors.values()):
            if actor.version > actor.row.version:
                await actor.save()

    def announced(self, study: str, version: int) -> None:
        """Another process has saved an entry, of a study or of a match."""
        if study in self._actors:
            self._actors[study].announced(version)
        elif study in self._loading:  # it may have been read before
            self._runtime.tasks.start(self._refresh(study))

    def resumed(self) -> None:
        """Announcements may have been missed."""
        for study in (*self._actors, *self._loading):
            self._runtime.tasks.start(self._refresh(study))

    def unload_idle(self, now: int) -> None:
        """Drop the actors that nobody has used for a while."""
        for study, actor in tuple(self._actors.items()):
            if actor.idle and now - actor.used_ms > UNLOAD_AFTER_MS:
                del self._actors[study]

    async def _refresh(self, study: str) -> None:
        (await self.find(study)).refresh()

    async def _load(self, study: str) -> StudyActor:
        row = await self._store.study(study)
        if row is None:
            raise UnknownStudy("There is no study at this address, or its link was revoked.")
        actor = StudyActor(self._runtime, row, self._deleted)
        await actor.load_edits()
        return self._actors.setdefault(study, actor)

    def _deleted(self, study: str) -> None:
        self._actors.pop(study, None)


def new_chapter_id() -> str:
    """An id that no other chapter has."""
    return token_urlsafe(6)


def new_key() -> str:
    """The secret of a link."""
    return token_urlsafe(18)
