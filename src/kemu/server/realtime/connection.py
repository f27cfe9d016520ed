"""The connections of players and spectators: from the handshake of a socket to its messages at an actor."""

import asyncio
import contextlib
import logging
import re
import socket
from collections.abc import Mapping, Sized
from pathlib import Path
from time import monotonic
from typing import Final, Protocol
from urllib.parse import parse_qsl

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import SPECTATOR, Seat
from kemu.server.auth.address import Source, networks, source
from kemu.server.auth.identity import Identity, NotSignedIn, SessionEnded, TokenScope, Visitor
from kemu.server.auth.origin import BadHost, BadOrigin, check_host, check_origin
from kemu.server.auth.sessions import cookie_in
from kemu.server.limits import Allowance, TooMany
from kemu.server.realtime.actor import TRY_AGAIN, MatchActor
from kemu.server.realtime.analysis import ANALYSIS_PATH, AnalysisConnection, StudyStreams
from kemu.server.realtime.frames import READING, ClientMessage, Follow, Refused, decode_message, encode
from kemu.server.realtime.open_sockets import OpenSockets, SocketOwner
from kemu.server.realtime.registry import MatchRegistry
from kemu.server.realtime.socket_connection import ENDED_SENTENCE, MALFORMED, SIGNED_OUT, SocketConnection
from kemu.server.realtime.study_actor import UnknownStudy
from kemu.server.realtime.study_connection import StudyConnection
from kemu.server.realtime.study_registry import StudyRegistry
from kemu.server.realtime.transport.handover import SUPPORTED, Handover
from kemu.server.realtime.transport.messages import FLOOD
from kemu.server.realtime.transport.websocket import (
    HANDLER,
    INTERNAL_ERROR,
    ReceivedSockets,
    SocketLimits,
    WebSocket,
)
from kemu.server.runtime import Runtime
from kemu.storage.errors import StoreUnavailable, UnknownMatch, UnreadableMatch

FORBIDDEN: Final = 4403
UNKNOWN: Final = 4404

CONNECT_SECONDS: Final = 5.0
"""How long a new socket waits for its player and its match to be read; then its client is asked to try again."""

PING_SECONDS: Final = 20.0
"""Time between pings; a connection from which nothing came between two of them is dropped."""

log = logging.getLogger(__name__)

_PATH: Final = re.compile(r"/api/(?P<kind>matches|studies)/(?P<id>[^/?]+)/socket(?:\?(?P<query>.*))?")


class ConnectionCount(Protocol):
    """How many connections the process may still open."""

    @property
    def scarce(self) -> bool:
        """Whether only the reserve is left, which is for players who have a seat."""

    def count(self, connections: Sized) -> None:
        """Count these connections from now on."""


class ConnectionHandler:
    """Opens the connections of this process, and closes them when it stops; see transport/websocket.py."""

    def __init__(
        self,
        runtime: Runtime,
        registry: MatchRegistry,
        identity: Identity,
        budget: ConnectionCount,
        study: StudyStreams,
        studies: StudyRegistry,
    ) -> None:
        self._runtime = runtime
        self._registry = registry
        self._identity = identity
        self._study = study
        self._studies = studies
        self._open: OpenSockets[SocketConnection] = OpenSockets(runtime.settings)
        self._received = ReceivedSockets(set())
        self._budget = budget
        budget.count(self._received.connections)
        self._handover: Handover | None = None
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
        """Whether another worker, which serves the match or study, has taken the connection."""
        if self._handover is None:
            return False
        address = _PATH.fullmatch(path)
        return address is not None and self._handover.send(address["id"], connection, request)

    def accepts(self, path: str, headers: Mapping[str, str], peer: str) -> bool:
        """Whether this is the address of a socket, and the page that opens it is one of this server."""
        with contextlib.suppress(BadHost, BadOrigin):
            check_host(headers, self._runtime.settings)
            check_origin(headers, self._source(peer, headers).scheme, self._runtime.settings)
            known = path == ANALYSIS_PATH or _PATH.fullmatch(path) is not None
            return known and not self._runtime.tasks.closing
        return False

    def connected(self, websocket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        """A socket is open: find its player and its match."""
        self._runtime.tasks.start(self._connect(websocket, path, headers))

    def slow_reader_dropped(self) -> None:
        """Count a slow reader."""
        self._runtime.counters.dropped += 1

    def disconnected(self, connection: SocketConnection) -> None:
        """The socket of a connection is closed."""
        self._open.discard(connection)

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
                each.ping()

    async def _connect(self, websocket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        """Open the connection of a socket, or tell its client why not; a socket that is closed meanwhile gets none."""
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                await self._open_connection(websocket, path, headers)
        except (KemuError, TimeoutError) as reason:
            error = reason if isinstance(reason, KemuError) else StoreUnavailable("The database does not answer.")
            websocket.send(encode(Refused(error.code, str(error))))
            websocket.close(_closing_code(error))
        except Exception as fault:
            log.error("connecting failed", exc_info=fault)
            websocket.close(INTERNAL_ERROR)

    async def _open_connection(self, websocket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        address = _PATH.fullmatch(path)
        if address is None:
            await self._open_analysis(websocket, headers)
            return
        query = dict(parse_qsl(address["query"] or ""))
        if address["kind"] == "studies":
            await self._open_study(websocket, headers, address["id"], query)
        else:
            await self._open_match(websocket, headers, address["id"], query)

    async def _open_match(
        self, websocket: WebSocket, headers: Mapping[str, str], match: str, query: Mapping[str, str]
    ) -> None:
        wanted, after, text = _number(query, "seat"), _number(query, "after"), _number(query, "text") == 1
        visitor = await self._visitor(headers)
        actor = await self._registry.find(match)
        await actor.current()
        if websocket.closed:
            return
        owner = self._owner(visitor, websocket, headers)
        seat = actor.seat_for(visitor.id, wanted)
        self._open.check(owner)
        self._check_spectators(actor, seat)
        connection = PlayerConnection(self, websocket, actor, owner, text=text)
        self._open.add(connection)
        actor.connect(connection, seat, after)
        websocket.start(connection)

    def _check_spectators(self, actor: MatchActor, seat: Seat) -> None:
        """Raise TooMany if a connection at this seat would be one spectator too many, of the match or the server."""
        if seat == SPECTATOR:
            self._check_room()
        actor.check_spectators(seat, self._runtime.settings.spectators)

    async def _open_study(
        self, websocket: WebSocket, headers: Mapping[str, str], study: str, query: Mapping[str, str]
    ) -> None:
        """Open a socket of a study, for its owner or with the secret of a link."""
        after, key = _number(query, "after") or 0, query.get("key", "")
        visitor = await self._visitor(headers)
        actor = await self._studies.open_for(study, visitor.id, key)
        missed = await actor.since(after)
        if websocket.closed:
            return
        owner = self._owner(visitor, websocket, headers)
        self._open.check(owner)
        self._check_room()
        actor.access(visitor.id, key)  # the link may have been revoked meanwhile
        connection = StudyConnection(self, websocket, owner, actor, key)
        self._open.add(connection)
        actor.connect(connection, missed)
        websocket.start(connection)

    async def _open_analysis(self, websocket: WebSocket, headers: Mapping[str, str]) -> None:
        """Open the socket of an analysis board, which belongs to no match."""
        visitor = await self._visitor(headers)
        if websocket.closed:
            return
        owner = self._owner(visitor, websocket, headers)
        self._open.check(owner)
        self._check_room()
        connection = AnalysisConnection(self, websocket, owner, self._study, self._runtime.tasks)
        self._open.add(connection)
        websocket.start(connection)

    async def _visitor(self, headers: Mapping[str, str]) -> Visitor:
        return await self._identity.visitor(cookie_in(headers.get("cookie", "")), headers.get("authorization"))

    def _owner(self, visitor: Visitor, websocket: WebSocket, headers: Mapping[str, str]) -> SocketOwner:
        """Who opens a socket; raises SessionEnded if the session has ended meanwhile."""
        if self._identity.has_ended(visitor):
            raise SessionEnded(ENDED_SENTENCE)
        from_address = self._source(websocket.peer, headers).address
        return SocketOwner(visitor.id, from_address, visitor.credential, visitor.scope == "read")

    def _check_room(self) -> None:
        """Raise TooMany if the places that are left are for players who have a seat."""
        if self._budget.scarce:
            raise TooMany("The server is full; try again later.")

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

    # Called by the connections.

    def follow(self, connection: "PlayerConnection", message: Follow) -> None:
        """Let a connection go on with another match."""
        self._runtime.tasks.start(self._follow(connection, message))

    async def _follow(self, connection: "PlayerConnection", message: Follow) -> None:
        try:
            async with asyncio.timeout(CONNECT_SECONDS):
                actor = await self._registry.find(message.match)
                await actor.current()
            seat = actor.seat_for(connection.player, None)
            self._check_spectators(actor, seat)
        except KemuError as error:
            connection.refuse(error.code, str(error), message.id)
        except Exception as fault:  # among them the timeout
            log.warning("following failed", exc_info=fault)
            connection.close(TRY_AGAIN)
        else:
            if connection.closed:
                return
            connection.move(actor)
            actor.connect(connection, seat, re=message.id)
        connection.resume()

    def count_refusal(self) -> None:
        """Count a message that was no command, or one too many."""
        self._runtime.counters.refusals += 1

    def new_allowance(self) -> Allowance:
        """How many messages a connection may send."""
        return Allowance(self._runtime.settings.messages_per_second, monotonic())


class PlayerConnection(SocketConnection):
    """One socket of a player, or of a spectator, at one match."""

    __slots__ = ("_actor", "_handler", "_text")

    def __init__(
        self, handler: ConnectionHandler, websocket: WebSocket, actor: MatchActor, owner: SocketOwner, *, text: bool
    ) -> None:
        super().__init__(handler, websocket, owner, decode_message)
        self._text = text
        self._handler = handler
        self._actor = actor

    @property
    def text(self) -> bool:
        """Whether its frames have text drawings."""
        return self._text

    def resume(self) -> None:
        """Read on, after `follow`."""
        self._socket.resume()

    def move(self, actor: MatchActor) -> None:
        """Leave the match for another one."""
        self._actor.disconnect(self)
        self._actor = actor

    def _handle(self, message: ClientMessage) -> None:
        """Pass a message on to the actor of the match."""
        if self.owner.reads_only and type(message) not in READING:
            self.refuse(TokenScope.code, "A token to read cannot do this.", message.id)
        elif isinstance(message, Follow):
            self._socket.pause()
            self._handler.follow(self, message)
        else:
            self._actor.message_received(self, message)

    def _leave(self) -> None:
        self._actor.disconnect(self)


def _number(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise ParseError(f"'{name}' must be a whole number, not {quote(text)}.")
    return int(text)


def _closing_code(error: KemuError) -> int:
    match error:
        case StoreUnavailable():
            return TRY_AGAIN
        case UnreadableMatch():
            return INTERNAL_ERROR
        case UnknownMatch() | UnknownStudy():
            return UNKNOWN
        case TooMany():
            return FLOOD
        case ParseError():
            return MALFORMED
        case NotSignedIn() | SessionEnded():
            return SIGNED_OUT
        case _:
            return FORBIDDEN
