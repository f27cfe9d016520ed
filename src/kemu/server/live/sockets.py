"""The sockets of a process: from the handshake to the connection at a live document or an analysis board.

Workers of one host hand a new socket to one worker for each match, so that all its players are served there: entries of
a match with sockets at several workers are applied and rendered by each of them. Correctness does not depend on it: a
socket that cannot be handed over is served where it was accepted.
"""

import asyncio
import contextlib
import logging
import os
import re
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias
from urllib.parse import parse_qsl
from zlib import crc32

from websockets.frames import CloseCode

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.server.auth.identity import Identity, SessionEnded, Visitor
from kemu.server.auth.origin import BadHost, BadOrigin, Source, check_host, check_origin, networks, source
from kemu.server.live.actor import FULL, DocumentConnection
from kemu.server.live.analysis import Analyses, AnalysisConnection
from kemu.server.live.connection import (
    ENDED_SENTENCE,
    Asked,
    ConnectionBudget,
    OpenSockets,
    SocketConnection,
    SocketOwner,
)
from kemu.server.live.frames import Follow, Greet, Refused, encode
from kemu.server.live.greetings import Greetings
from kemu.server.live.messages import FLOOD, FORBIDDEN, MALFORMED, SIGNED_OUT, UNKNOWN
from kemu.server.live.notices import NoticeCenter, NoticesConnection
from kemu.server.live.registry import Registry
from kemu.server.live.websocket import HANDLER, ReceivedSockets, SocketLimits, WebSocket
from kemu.server.runtime import OpenCounts, Runtime, TooMany
from kemu.storage.errors import StoreUnavailable

SUPPORTED: Final = hasattr(socket, "send_fds")

MOST_REQUEST_BYTES: Final = 32 * 1024
"""Longer requests are not handed over."""

log = logging.getLogger(__name__)


class Handover:
    """This worker's Unix socket in the folder that the workers of a host share."""

    def __init__(self, folder: Path, name: str, receive: Callable[[socket.socket, bytes], None]) -> None:
        """`receive` is called with a connection that another worker accepted, and the request that was read from it."""
        self._folder = folder
        self._name = name
        self._receive = receive
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)

    def open(self) -> None:
        """Begin to receive connections."""
        try:
            self._socket.bind(str(self._folder / self._name))
        except OSError as error:  # such as a path that is too long
            log.warning("no handover", exc_info=error)
            return
        asyncio.get_running_loop().add_reader(self._socket.fileno(), self._read)

    def close(self) -> None:
        """Receive no more."""
        asyncio.get_running_loop().remove_reader(self._socket.fileno())
        self._folder.joinpath(self._name).unlink(missing_ok=True)
        self._socket.close()

    def send(self, match: str, connection: int, request: bytes) -> bool:
        """Hand a connection, given by its file number, to the worker of its match.

        False if that is this worker, or if no other takes it. Of all workers in the folder, the one that comes first by
        a hash of match and name serves a match.
        """
        if len(request) > MOST_REQUEST_BYTES:
            return False
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, connection.to_bytes(4, sys.byteorder))]
        for name in sorted(os.listdir(self._folder), key=lambda name: crc32(f"{match} {name}".encode())):
            if name == self._name:
                return False
            try:
                self._socket.sendmsg([request], rights, 0, str(self._folder / name))
            except (ConnectionRefusedError, FileNotFoundError):  # that worker is dead
                self._folder.joinpath(name).unlink(missing_ok=True)
            except OSError:  # its queue is full
                return False
            else:
                return True
        return False

    def _read(self) -> None:
        try:
            request, connections, _, _ = socket.recv_fds(self._socket, MOST_REQUEST_BYTES, 1)
        except OSError:  # woken up without a message
            return
        for connection in connections:
            self._receive(socket.socket(fileno=connection), request)


NOTICES_PATH: Final = "/api/notices/socket"
PLAIN_PATHS: Final = frozenset({"/api/analysis/socket", NOTICES_PATH})
"""Where sockets are opened that belong to no document."""

DOCUMENT_PATH: Final = re.compile(r"/api/(?P<kind>[a-z]+)/(?P<id>[^/?]+)/socket(?:\?(?P<query>.*))?")

MATCHES: Final = "matches"
STUDIES: Final = "studies"
TOURNAMENTS: Final = "tournaments"

CONNECT_SECONDS: Final = 5.0
"""How long a new socket waits for its player and its match to be read; then its client is asked to try again."""

PING_SECONDS: Final = 20.0
"""Time between pings; a connection from which nothing came between two of them is dropped."""

MOST_REFUSED: Final = 20
"""How many sockets of an address may be told why they are refused while it has as many open as it may."""

CLOSING_CODES: Final = {
    "unavailable": CloseCode.TRY_AGAIN_LATER,
    "unreadable-match": CloseCode.INTERNAL_ERROR,
    "unknown-match": UNKNOWN,
    "unknown-study": UNKNOWN,
    "unknown-tournament": UNKNOWN,
    "too-many": FLOOD,
    "parse-error": MALFORMED,
    "not-signed-in": SIGNED_OUT,
    "session-ended": SIGNED_OUT,
}
"""The code for each error with which the opening of a socket is refused; for any other it is FORBIDDEN."""


Registries: TypeAlias = Mapping[str, Registry[Any, Any, Any]]
"""By the kind of document in their addresses."""


class ConnectionHandler:
    """Opens the connections of this process, and closes them when it stops; see websocket.py."""

    def __init__(
        self,
        runtime: Runtime,
        identity: Identity,
        budget: ConnectionBudget,
        documents: Registries,
        analyses: Analyses,
        notices: NoticeCenter,
    ) -> None:
        self._runtime = runtime
        self._identity = identity
        self._documents = documents
        self._analyses = analyses
        self._notices = notices
        greetings = Greetings(runtime, documents[MATCHES].loaded)
        taken: dict[type, Callable[[Any, Any], None]] = {Follow: self._start_following, Greet: greetings.greet}
        self._open = OpenSockets(runtime, taken, notices.disconnect)
        self._received = ReceivedSockets(set())
        self._budget = budget
        budget.count(self._received.connections)
        self._handover: Handover | None = None
        self._counted = OpenCounts[str]()  # by address, all sockets whose handshake was accepted
        identity.subscribe_ends(self._credential_ended)

    @property
    def connections(self) -> int:
        """How many sockets are open."""
        return len(self._open)

    def open(self) -> None:
        """Begin to ping, and to receive sockets from other workers of this host if there are any."""
        folder = self._runtime.settings.handover
        if folder and SUPPORTED:
            self._handover = Handover(Path(folder), self._runtime.store.process, self._receive)
            self._handover.open()
        self._runtime.tasks.start(self._ping())

    def close(self) -> None:
        """Receive no more, and close the sockets that other workers handed over; uvicorn closes the others."""
        if self._handover is not None:
            self._handover.close()
        for taken in tuple(self._received.connections):
            taken.shutdown()

    # Called by the sockets.

    def hand_over(self, path: str, connection: int, request: bytes) -> bool:
        """Whether another worker, which serves the document, has taken the connection."""
        if self._handover is None:
            return False
        address = self._address(path)
        return address is not None and self._handover.send(address["id"], connection, request)

    def accepts(self, path: str, headers: Mapping[str, str], peer: str) -> bool:
        """Whether this is the address of a socket, and the page that opens it is one of this server."""
        with contextlib.suppress(BadHost, BadOrigin):
            check_host(headers, self._runtime.settings)
            check_origin(headers, self._source(peer, headers).scheme, self._runtime.settings)
            known = path.partition("?")[0] in PLAIN_PATHS or self._address(path) is not None
            return known and not self._runtime.tasks.closing
        return False

    def connected(self, websocket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        """A socket is open: find its player and its match.

        Until its connection is gone it counts for its address, refused or not; of too many, it is dropped unheard.
        """
        address = self._source(websocket.peer, headers).address
        if self._counted[address] >= self._runtime.settings.sockets_per_address + MOST_REFUSED:
            websocket.abort()
            return
        self._counted[address] += 1
        websocket.on_lost = partial(self._counted.leave, address)
        self._runtime.tasks.start(self._connect(websocket, path, headers))

    def slow_reader_dropped(self) -> None:
        """Count a slow reader."""
        self._runtime.counters.dropped += 1

    def _address(self, path: str) -> re.Match[str] | None:
        """Return kind, id and query if this is the path of a document's socket."""
        address = DOCUMENT_PATH.fullmatch(path)
        return address if address is not None and address["kind"] in self._documents else None

    def _source(self, peer: str, headers: Mapping[str, str]) -> Source:
        return source(peer, headers, networks(self._runtime.settings.trusted_proxies))

    def _receive(self, connection: socket.socket, request: bytes) -> None:
        """Serve a connection that another worker accepted."""
        self._runtime.counters.taken += 1
        self._runtime.tasks.start(self._serve(connection, request))

    async def _serve(self, connection: socket.socket, request: bytes) -> None:
        limits, state = SocketLimits(self._runtime.settings.message_bytes), {HANDLER: self}
        connection.setblocking(False)
        _, taken = await asyncio.get_running_loop().connect_accepted_socket(
            lambda: WebSocket(limits, self._received, state), connection
        )
        taken.data_received(request)

    async def _ping(self) -> None:
        while True:
            await asyncio.sleep(PING_SECONDS)
            for each in self._open:
                each.socket.ping()

    async def _connect(self, websocket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        """Open the connection of a socket, or tell its client why not; a socket that is closed meanwhile gets none."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open_connection(websocket, path, headers)
        except (KemuError, TimeoutError) as reason:
            error = reason if isinstance(reason, KemuError) else StoreUnavailable("The database does not answer.")
            websocket.send(encode(Refused.by(error)))
            websocket.close(CLOSING_CODES.get(error.code, FORBIDDEN))
        except Exception as fault:
            log.error("connecting failed", exc_info=fault)
            websocket.close(CloseCode.INTERNAL_ERROR)

    async def _open_connection(self, websocket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        address, (plain, _, query) = self._address(path), path.partition("?")
        asked = _asked(dict(parse_qsl(query)))
        visitor = await self._identity.visitor(headers.get("cookie", ""), headers.get("authorization"))
        actor = None if address is None else await self._documents[address["kind"]].find(address["id"])
        if actor is not None:
            await actor.current()
            await actor.check_visitor(visitor.id)
        if websocket.closed:
            return
        owner = self._owner(visitor, websocket, headers)
        self._open.check(owner)
        connection: SocketConnection
        if actor is None:
            if self._budget.scarce:
                raise TooMany(FULL)
            if plain == NOTICES_PATH:
                connection = NoticesConnection(self._open, websocket, owner)
            else:
                connection = AnalysisConnection(self._open, websocket, owner, self._analyses)
            self._open.add(connection)
        else:
            view = actor.admit(visitor.id, asked, self._room)
            connection = DocumentConnection(self._open, websocket, owner, actor, asked)
            self._open.add(connection)
            actor.connect(connection, view, asked.after)
        websocket.start(connection)
        if asked.notices and owner.credential:
            self._notices.connect(connection)

    def _owner(self, visitor: Visitor, websocket: WebSocket, headers: Mapping[str, str]) -> SocketOwner:
        """Return the opener of a socket; raises SessionEnded if the session has ended meanwhile."""
        if self._identity.has_ended(visitor):
            raise SessionEnded(ENDED_SENTENCE)
        from_address = self._source(websocket.peer, headers).address
        self._runtime.addresses.note(visitor.id, from_address)
        return SocketOwner(visitor.id, from_address, visitor.credential, visitor.scope == "read")

    @property
    def _room(self) -> int:
        """How many connections without a seat a document may have; the last ones of a process are for players."""
        return 0 if self._budget.scarce else self._runtime.settings.spectators

    # The ends of sessions and tokens.

    def _credential_ended(self, credential: str | None) -> None:
        """Close the sockets of a session or token; those of all that have ended if it is None."""
        if credential is None:
            self._runtime.tasks.start(self.check_credentials())
            return
        for each in self._open.opened_with(credential):
            each.end()

    async def check_credentials(self) -> None:
        """Close the sockets whose session or token has ended, should the notification of that have been lost."""
        for credential in self._open.credentials:
            if not await self._identity.is_valid(credential):
                self._credential_ended(credential)

    # From one match to another.

    def _start_following(self, connection: DocumentConnection, message: Follow) -> None:
        connection.socket.pause()
        self._runtime.tasks.start(self._follow(connection, message))

    async def _follow(self, connection: DocumentConnection, message: Follow) -> None:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                actor = await self._documents[MATCHES].find(message.match)
                await actor.current()
            view = actor.admit(connection.player, Asked(), self._room)
        except KemuError as error:
            connection.refuse(error, message.id)
        except Exception as fault:  # among them the timeout
            log.warning("following failed", exc_info=fault)
            connection.close(CloseCode.TRY_AGAIN_LATER)
        else:
            if connection.closed:
                return
            connection.move(actor)
            actor.connect(connection, view, re=message.id)
        connection.socket.resume()


def _asked(query: Mapping[str, str]) -> Asked:
    """Return what the query of an address asks for. Raises ParseError."""
    text, notices = (_number(query, name) == 1 for name in ("text", "notices"))
    return Asked(_number(query, "seat"), _number(query, "after"), text, query.get("key", ""), notices)


def _number(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise ParseError(f"'{name}' must be a whole number, not {quote(text)}.")
    return int(text)
