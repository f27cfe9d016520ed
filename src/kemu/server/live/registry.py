"""The documents of one kind: their actors are loaded and unloaded, and their entries kept in the store."""

import asyncio
import logging
from abc import ABC, abstractmethod
from asyncio import Future, Task
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from websockets.frames import CloseCode

from kemu.people.tournaments.commands import UnknownTournament
from kemu.play.errors import StaleVersion
from kemu.play.runner import Answer, E, Versioned
from kemu.server.live.actor import AnyActor
from kemu.server.runtime import Runtime
from kemu.storage.errors import StoreUnavailable, UnknownMatch, UnreadableMatch
from kemu.storage.journal import Append
from kemu.studies.edits import UnknownStudy

RETRY_SECONDS: Final = 0.5
"""How long to wait before entries are read again that could not be read."""

UNLOAD_AFTER_MS: Final = 30_000
"""How long a document that nobody uses stays in memory."""

log = logging.getLogger(__name__)


class Identified(Versioned, Protocol):
    """A live document, which has an id and a version."""

    @property
    def id(self) -> str:
        """The id of the document."""


A = TypeVar("A", bound=AnyActor)
N = TypeVar("N", bound=Identified)


class Registry(ABC, Generic[N, E, A]):
    """Owns the actors of all documents of one kind in memory; it is the journal of their runners."""

    def __init__(self, runtime: Runtime, word: str, decode: Callable[[bytes], E]) -> None:
        """`word` is what such a document is called; `decode` reads a stored entry of one."""
        self._word = word
        self._decode = decode
        self._runtime = runtime
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._actors: dict[str, A] = {}
        self._loading: dict[str, Task[A]] = {}
        self._store.notifications.on_append.append(self._announced)
        self._store.notifications.on_resume.append(self._resumed)

    def __len__(self) -> int:
        """How many documents are in memory."""
        return len(self._actors)

    # Actors.

    def loaded(self, document: str) -> A | None:
        """Return the actor of a document that is in memory."""
        return self._actors.get(document)

    async def find(self, document: str) -> A:
        """Return the actor of a document, loaded from the store if need be.

        Raises UnknownMatch, UnknownStudy or UnknownTournament, and UnreadableMatch.
        """
        actor = self._actors.get(document)
        if actor is not None:
            actor.touch()
            return actor
        if document not in self._loading:
            self._loading[document] = asyncio.get_running_loop().create_task(self._find(document))
            self._loading[document].add_done_callback(lambda _: self._loading.pop(document))
        return await asyncio.shield(self._loading[document])

    def unload_idle(self, now: int) -> None:
        """Drop the actors that nobody has used for a while."""
        for document, actor in tuple(self._actors.items()):
            if now - actor.used_ms > UNLOAD_AFTER_MS:
                self.unload(document)

    def unload(self, document: str) -> None:
        """Drop the actor of a document unless it has connections or commands."""
        actor = self._actors.get(document)
        if actor is not None and actor.idle:
            del self._actors[document]

    @abstractmethod
    async def _load(self, document: str) -> A:
        """Make the actor of a document from what is stored. Raises UnknownMatch, UnknownStudy or UnknownTournament."""

    def _added(self, actor: A) -> None:
        """Do what follows when an actor is in memory."""

    async def _find(self, document: str) -> A:
        try:
            actor = await self._load(document)
        except (UnknownMatch, UnknownStudy, UnknownTournament, StoreUnavailable):
            raise
        except Exception as error:  # this one is set aside; the others are served. `kemu export` names it
            log.error("%s cannot be read", self._word, exc_info=error)
            raise UnreadableMatch(f"This {self._word} cannot be read.") from error
        return self._add(actor)

    def _add(self, actor: A) -> A:
        actor = self._actors.setdefault(actor.document.id, actor)
        self._added(actor)
        return actor

    # The journal of the runners.

    @abstractmethod
    def append(self, before: N, entry: E, after: N, saved: Answer) -> None:
        """Save an entry; see play/runner.py."""

    def newer(self, document: N, found: Callable[[Sequence[E]], None]) -> None:
        """Read the entries after the version of a document, again and again until the store answers."""
        self._tasks.start(self._read(document, found))

    def _write(self, appends: Sequence[Append], saved: Answer, then: Callable[[], None] | None = None) -> None:
        """Save appends, call `then` if they are saved, and answer the runner."""

        def written(done: "Future[None]") -> None:
            error = done.exception()
            if error is None:
                self._runtime.counters.entries += 1
                if then is not None:
                    then()
                saved(None)
            elif isinstance(error, StaleVersion):
                saved(error)
            else:
                log.warning("append failed", exc_info=error)
                saved(StoreUnavailable("The database is away; send the command again with the same id."))

        self._store.journal.write(appends).add_done_callback(written)

    async def _read(self, document: N, found: Callable[[Sequence[E]], None]) -> None:
        while True:
            try:
                entries = await self._store.journal.entries(document.id, document.version)
                break
            except Exception as error:
                log.warning("entries cannot be read yet", exc_info=error)
                self._close_connections(document.id, CloseCode.TRY_AGAIN_LATER)
                await asyncio.sleep(RETRY_SECONDS)
        try:
            found([self._decode(entry) for entry in entries])
        except Exception as error:  # entries of a newer version, or a fault in the rules: reading again would not help
            log.error("%s cannot be read", self._word, exc_info=error)
            self._close_connections(document.id, CloseCode.INTERNAL_ERROR)
            self._actors.pop(document.id, None)

    def _close_connections(self, document: str, code: int) -> None:
        actor = self._actors.get(document)
        if actor is not None:
            actor.close_connections(code)

    # Notifications of other processes.

    def _read_now(self, document: str) -> bool:
        """Whether what others save must be read at once, even if nobody looks."""
        return False

    def _announced(self, document: str, version: int) -> None:
        read_now, actor = self._read_now(document), self._actors.get(document)
        if actor is not None:
            actor.announced(version, read_now=read_now)
        elif read_now or document in self._loading:  # one that is being loaded may have been read before
            self._tasks.start(self._refresh(document))

    def _resumed(self) -> None:
        for document in (*self._actors, *self._loading):
            self._tasks.start(self._refresh(document))

    async def _refresh(self, document: str) -> None:
        (await self.find(document)).refresh()
