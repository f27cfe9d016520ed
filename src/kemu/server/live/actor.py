"""The actor of a live document: it alone changes the document, keeps its connections, and tells them what was saved.

Commands are run one at a time: decide, append to the journal, then publish. An entry that was not saved is never seen.
A match, a study, and whatever else several people watch and change at once, is a subclass that renders its entries.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from asyncio import Future
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import Any, ClassVar, Final, Generic, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType
from websockets.frames import CloseCode

from kemu.core.errors import KemuError
from kemu.play.errors import AlreadyDone
from kemu.play.runner import C, D, Decider, E, Journal, Runner
from kemu.server.auth.identity import TokenScope
from kemu.server.live.connection import Asked, OpenSockets, SocketConnection, SocketOwner
from kemu.server.live.frames import Done, Refused, encode
from kemu.server.live.websocket import WebSocket
from kemu.server.runtime import Allowance, now_ms
from kemu.storage.errors import StoreUnavailable

STORE_SECONDS: Final = 3.0
"""How long a request waits for the store."""

FULL: Final = "The server is full; try again later."

log = logging.getLogger(__name__)

V = TypeVar("V")
"""Viewpoint of a connection: a seat, or the secret of a link."""


ALLS_PER_SECOND: Final = 2.0
MOST_ALLS: Final = 20.0
"""How often a connection may ask for all of a document, and how many times of that it may save up."""


class DocumentConnection(SocketConnection):
    """One socket at a live document, such as a player's or a spectator's at a match.

    `text` says that its frames have text drawings, `key` is the secret of the link that it was opened with.
    """

    __slots__ = ("_actor", "_alls", "key", "text")

    def __init__(
        self, opened: OpenSockets, websocket: WebSocket, owner: SocketOwner, actor: "AnyActor", asked: Asked
    ) -> None:
        super().__init__(opened, websocket, owner, actor.decode)
        self._actor = actor
        self.text = asked.text
        self.key = asked.key
        self._alls = Allowance(ALLS_PER_SECOND, monotonic(), MOST_ALLS)

    @property
    def document(self) -> str:
        """The id of the document that it is at."""
        return str(self._actor.document.id)

    def may_ask_for_all(self) -> bool:
        """Count a message that asks for everything again, and return whether it is allowed."""
        return self._alls.spend(monotonic())

    def move(self, actor: "AnyActor") -> None:
        """Leave the document for another one."""
        self._actor.disconnect(self)
        self._actor = actor

    def _handle(self, message: Any) -> None:
        """Pass a message on to the actor of the document."""
        if self.owner.reads_only and not isinstance(message, self._actor.reading):
            self.refuse(TokenScope("A token to read cannot do this."), message.id)
        elif (take := self._open.taken.get(type(message))) is not None:
            take(self, message)
        else:
            self._actor.message_received(self, message)

    def _leave(self) -> None:
        self._actor.disconnect(self)


class Fault(KemuError, code="internal"):
    """Something went wrong that should not."""


Render: TypeAlias = Callable[[DocumentConnection, V, str | UnsetType], bytes]
"""The frame of an entry for a connection and what it looks through; with the id of the command that it answers."""


@dataclass(slots=True, eq=False)
class _Pending:
    """A command that waits for its answer."""

    connection: DocumentConnection
    command: str
    answered: bool = False


class Actor(ABC, Generic[D, C, E, V]):
    """Owns one live document: its runner with the newest saved value, and its connections."""

    reading: ClassVar[tuple[type, ...]] = ()
    """The messages that change nothing."""

    def __init__(
        self, document: D, decider: Decider[D, C, E], journal: Journal[D, E], decode: Callable[[bytes], Any]
    ) -> None:
        """`decode` reads a message of a client, and raises MsgspecError if it is malformed."""
        self.decode = decode
        self._runner: Runner[D, C, E] = Runner(document, decider, journal, now_ms, self._entry_applied)
        self._viewers: dict[DocumentConnection, V] = {}
        self._pending: dict[tuple[str, str], _Pending] = {}  # commands without an answer yet, by player and id
        self.used_ms = now_ms()  # when it was last asked for, or left by a connection

    # What others may know of it.

    @property
    def document(self) -> D:
        """The newest value that was saved here; another process may have gone on."""
        return self._runner.document

    @property
    def idle(self) -> bool:
        """Whether there is no connection and no command."""
        return not self._viewers and self._runner.idle

    @property
    def viewers(self) -> Mapping[DocumentConnection, V]:
        """The connections, and what each looks through."""
        return self._viewers

    def touch(self) -> None:
        """Note that the actor is in use."""
        self.used_ms = now_ms()

    async def current(self) -> D:
        """Return the document after all commands before this call and all entries of other processes known here.

        Raises StoreUnavailable if these cannot be read in time.
        """
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._runner.call(lambda: None if done.done() else done.set_result(None))
        await _within_time(done)
        return self.document

    # Commands of the routes and the jobs.

    async def execute(self, command: C) -> None:
        """Run a command and wait until it is saved; raises why it was refused.

        Raises StoreUnavailable if it was not saved in time; then it is not known whether it will be.
        """
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._runner.submit(command, partial(_resolve, done))
        await _within_time(done)

    # Entries of other processes.

    def replay(self, entries: Sequence[E]) -> None:
        """Apply stored entries, before there is any connection."""
        self._runner.replay(entries)

    def announced(self, version: int, *, read_now: bool) -> None:
        """Note that another process has saved this version; it is read now, or when it is needed."""
        if version > self.document.version:
            self.refresh() if read_now or not self.idle else self._runner.outdated()

    def refresh(self) -> None:
        """Read what other processes may have saved."""
        self._runner.catch_up()

    # Connections.

    async def check_visitor(self, player: str) -> None:
        """Raise KemuError for a player who may not come near this document, whatever link they have."""

    @abstractmethod
    def admit(self, player: str, asked: Asked, room: int) -> V:
        """Return what a player may look through. Raises KemuError if that is nothing.

        `room` is how many connections without a seat there may be, 0 if the server has none left for them.
        """

    def connect(
        self, connection: DocumentConnection, view: V, after: int | None = None, re: str | UnsetType = UNSET
    ) -> None:
        """Add a connection that has all up to version `after`."""
        self._runner.call(partial(self._connect, connection, view, after, re))

    def disconnect(self, connection: DocumentConnection) -> None:
        """Remove a connection."""
        view = self._viewers.pop(connection, None)
        if view is not None:
            self.touch()
            self._disconnected(view)

    def close_connections(self, code: int) -> None:
        """Close all connections with this code."""
        for connection in tuple(self._viewers):
            connection.close(code)

    @abstractmethod
    def message_received(self, connection: DocumentConnection, message: Any) -> None:
        """Take a message of a connection; each gets exactly one answer."""

    @abstractmethod
    def _connect(self, connection: DocumentConnection, view: V, after: int | None, re: str | UnsetType) -> None:
        """Add a connection that is not closed to the viewers, and send it what it lacks."""

    @abstractmethod
    def _disconnected(self, view: V) -> None:
        """Take note of a connection that has gone."""

    def _submit(self, connection: DocumentConnection, name: str, command: C) -> None:
        """Run the command of a connection, given with its id."""
        pending = _Pending(connection, name)
        self._pending.setdefault((connection.player, name), pending)
        self._runner.submit(command, partial(self._answer, pending))

    def _answer(self, pending: _Pending, error: Exception | None) -> None:
        """Answer a command that was not answered by its entry, see `_publish`."""
        if pending.answered:
            return
        connection, command = pending.connection, pending.command
        if self._pending.get((connection.player, command)) is pending:
            del self._pending[connection.player, command]
        if error is None:  # the connection went on to another document before the entry came
            error = AlreadyDone(self.document.version)
        if isinstance(error, AlreadyDone):
            connection.send(encode(Done(command, error.version)))
        else:
            connection.send(encode(Refused.by(presentable(error), command)))

    # Publishing.

    @abstractmethod
    def _render(self, before: D, entry: E, after: D) -> Render[V]:
        """Return what makes the frames of an entry."""

    @abstractmethod
    def _applied(self, before: D, entry: E, after: D) -> None:
        """Do what follows from an entry, after it is published."""

    def _entry_applied(self, before: D, entry: E, after: D) -> None:
        """Publish an entry, saved here or by another process; called by the runner."""
        if self._viewers:
            try:
                self._publish(before, entry, after)
            except Exception as error:  # the entry stays saved; a client that connects again gets everything
                log.error("publishing failed", exc_info=error)
                self.close_connections(CloseCode.INTERNAL_ERROR)
        self._applied(before, entry, after)

    def _publish(self, before: D, entry: E, after: D) -> None:
        """Send an entry to every connection, each with the content that it may see now."""
        render, sender = self._render(before, entry, after), self._take_sender(entry)
        for connection, view in tuple(self._viewers.items()):
            connection.send(render(connection, view, entry.command if connection is sender else UNSET))

    def _take_sender(self, entry: E) -> DocumentConnection | None:
        """Return the connection whose command made an entry, if it is still here; the entry is then its answer."""
        pending = self._pending.get((entry.by, entry.command))
        if pending is None or pending.connection not in self._viewers:
            return None
        del self._pending[entry.by, entry.command]
        pending.answered = True
        return pending.connection


AnyActor: TypeAlias = Actor[Any, Any, Any, Any]


def presentable(error: Exception) -> KemuError:
    """Return the error as the sender of a command may see it: faults are logged, and their text stays here."""
    if isinstance(error, KemuError):
        return error
    log.error("command failed", exc_info=error)
    return Fault("A fault of ours; nothing was changed.")


async def _within_time(done: "Future[None]") -> None:
    """Wait until a command or a reading is completed; raises what it failed with, and StoreUnavailable in time."""
    if done.done():  # mostly a reading is; a timer would cost more than all else
        done.result()
        return
    late = StoreUnavailable("The database does not answer; try again in a moment.")
    timer = asyncio.get_running_loop().call_later(STORE_SECONDS, _resolve, done, late)
    try:
        await done
    finally:
        timer.cancel()


def _resolve(done: "Future[None]", error: Exception | None) -> None:
    """Complete the future of a command with the answer of the runner."""
    if done.done():  # nobody waits any more
        return
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(presentable(error))
