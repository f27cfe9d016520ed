"""Open sockets: who opened each, its limits and the end of its session, and what its messages are passed on to.

ConnectionBudget counts the connections of HTTP as well, because both take from what the system allows.
"""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sized
from time import monotonic
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kemu.core.errors import KemuError, ParseError
from kemu.play.commands import Id
from kemu.server.auth.identity import SessionEnded
from kemu.server.auth.origin import is_within, networks
from kemu.server.live.frames import Refused, encode
from kemu.server.live.messages import FLOOD, MALFORMED, SIGNED_OUT
from kemu.server.live.websocket import WebSocket
from kemu.server.runtime import Allowance, OpenCounts, Rates, Runtime, TooMany, descriptor_limit
from kemu.server.settings import Settings

ENDED_SENTENCE: Final = "Your session has ended; load the page again or sign in."

UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, UnicodeError)
"""Errors that decoding a message raises: for what is no command, nested too deeply, or no text."""

MOST_REFUSED: Final = 20
"""How many messages that are no commands, or one too many of its address, a connection may send."""

OTHER_DESCRIPTORS: Final = 100
"""For the database, files, bots and the event loop."""

RESERVE: Final = 0.2
"""The part of all connections that is kept for players who have a seat."""

SCARCE_SECONDS: Final = 2.0
"""How long a request may take to arrive when only the reserve is left."""


class SocketOwner(NamedTuple):
    """The opener of a socket: player, address and credential."""

    player: str
    address: str
    credential: str
    """The id of a session or token; empty for a spectator without either."""
    reads_only: bool


class Asked(NamedTuple):
    """Query of a socket's address: a seat, all after a version, text drawings, the secret of a link, notices."""

    seat: int | None = None
    after: int | None = None
    text: bool = False
    key: str = ""
    notices: bool = False


class _Named(Struct):
    """As much of a malformed command as its refusal needs."""

    id: Id | UnsetType = UNSET


class SocketConnection(ABC):
    """One open socket; a subclass says what its messages do and what its end means."""

    __slots__ = ("_allowance", "_decode", "_open", "_refused", "closed", "owner", "player", "socket")

    def __init__(
        self, opened: "OpenSockets", websocket: WebSocket, owner: SocketOwner, decode: Callable[[bytes], Any]
    ) -> None:
        self.closed = False
        self.owner = owner
        self.player = owner.player
        self._open = opened
        self.socket = websocket
        self._decode = decode
        self._refused = 0
        self._allowance = Allowance(opened.settings.messages_per_second, monotonic())

    def send(self, frame: bytes) -> None:
        """Send a message; never waits."""
        self.socket.send(frame)

    def close(self, code: int) -> None:
        """Close the socket."""
        self.socket.close(code)

    def end(self) -> None:
        """Close the socket, because its session or token has ended; nothing is sent to it or done for it any more."""
        if not self.closed:
            self.send(encode(Refused(SessionEnded.code, ENDED_SENTENCE)))
            self.socket.close(SIGNED_OUT)
            self.disconnected()

    def refuse(self, error: KemuError, command: str | UnsetType) -> None:
        """Answer a message that was not carried out, and count it."""
        self._open.counters.refusals += 1
        self.send(encode(Refused.by(error, command)))

    @property
    def document(self) -> str | None:
        """The id of the document that it is at."""
        return None

    @abstractmethod
    def _handle(self, message: Any) -> None:
        """Do what a decoded message asks for."""

    @abstractmethod
    def _leave(self) -> None:
        """End the work under way for this socket."""

    # Called by the socket.

    def message_received(self, message: bytes) -> None:
        """Decode a message and handle it, within the limits."""
        if self.closed:
            return
        if not self._allowance.spend(monotonic()):
            self.refuse(TooMany("Too many messages; try again later."), UNSET)
            self.socket.close(FLOOD)
            return
        try:
            self._open.messages.spend(self.owner.address, "Too many messages come from your address; try again later.")
        except TooMany as error:
            self._refuse_often(error, UNSET, FLOOD)
            return
        try:
            read = self._decode(message)
        except UNREADABLE as error:
            self._refuse_malformed(message, error)
            return
        self._handle(read)

    def disconnected(self) -> None:
        """Take note that the socket is closed."""
        if not self.closed:
            self.closed = True
            self._leave()
            self._open.discard(self)

    def _refuse_malformed(self, message: bytes, error: Exception) -> None:
        name: Id | UnsetType = UNSET
        with contextlib.suppress(*UNREADABLE):
            name = msgspec.json.decode(message, type=_Named).id
        self._refuse_often(ParseError(f"This is no command: {str(error)[:200]}."), name, MALFORMED)

    def _refuse_often(self, error: KemuError, name: str | UnsetType, code: int) -> None:
        """Refuse a message; a socket of which too many were refused is closed with this code."""
        self.refuse(error, name)
        self._refused += 1
        if self._refused >= MOST_REFUSED:
            self.socket.close(code)


class OpenSockets:
    """All open sockets of a process, counted by player and by address, and found by what they were opened with."""

    def __init__(
        self,
        runtime: Runtime,
        taken: Mapping[type, Callable[[Any, Any], None]],
        closed: Callable[[SocketConnection], None],
    ) -> None:
        """`taken` has what takes messages that no document does; `closed` is called with each one that was closed."""
        self.settings = runtime.settings
        self.counters = runtime.counters
        self.taken = taken
        self._closed = closed
        per_second = runtime.settings.address_messages_per_second
        self.messages = Rates(60 * per_second, most=2 * per_second)
        self._by_credential: dict[str, set[SocketConnection]] = {}
        self._players = OpenCounts[str]()
        self._addresses = OpenCounts[str]()

    def __len__(self) -> int:
        """How many are open."""
        return self._addresses.total()

    @property
    def credentials(self) -> list[str]:
        """Credentials of the open sockets."""
        return [credential for credential in self._by_credential if credential]

    def check(self, owner: SocketOwner) -> None:
        """Raise TooMany if this player or address may open no more."""
        if self._players[owner.player] >= self.settings.sockets_per_player:
            raise TooMany("You have too many sockets open.")
        if self._addresses[owner.address] >= self.settings.sockets_per_address:
            raise TooMany("Too many sockets are open from your address.")

    def add(self, opened: SocketConnection) -> None:
        """Count a socket that was opened."""
        owner = opened.owner
        self._by_credential.setdefault(owner.credential, set()).add(opened)
        self._players[owner.player] += 1
        self._addresses[owner.address] += 1

    def discard(self, closed: SocketConnection) -> None:
        """Count a socket no more; one that was not counted is ignored."""
        owner = closed.owner
        same = self._by_credential.get(owner.credential, set())
        if closed not in same:
            return
        same.discard(closed)
        self._closed(closed)
        if not same:
            del self._by_credential[owner.credential]
        self._players.leave(owner.player)
        self._addresses.leave(owner.address)

    def __iter__(self) -> Iterator[SocketConnection]:
        """Every socket; they may be closed meanwhile."""
        return iter([opened for same in self._by_credential.values() for opened in same])

    def opened_with(self, credential: str) -> tuple[SocketConnection, ...]:
        """The sockets that were opened with a session or token."""
        return tuple(self._by_credential.get(credential, ()))


class ConnectionBudget:
    """Counts the connections of a process, of HTTP and sockets alike, against what the system allows."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._most = settings.connections or max(100, descriptor_limit() - OTHER_DESCRIPTORS)
        self._proxies = networks(settings.trusted_proxies)
        self._counted: dict[int, Sized] = {}  # by identity
        self._addresses = OpenCounts[str]()

    @property
    def request_seconds(self) -> float:
        """How long the head of a request may take to arrive."""
        return min(SCARCE_SECONDS, self._settings.request_seconds) if self.scarce else self._settings.request_seconds

    @property
    def open(self) -> int:
        """How many connections are open."""
        return sum(map(len, self._counted.values()))

    @property
    def scarce(self) -> bool:
        """Whether only the reserve is left, which is for players who have a seat."""
        return self.open >= self._most * (1 - RESERVE)

    def count(self, connections: Sized) -> None:
        """Count these connections from now on."""
        self._counted[id(connections)] = connections

    def enter(self, peer: str) -> bool:
        """Count a connection of an address; False if it must be closed because there are too many."""
        self._addresses[peer] += 1
        own = self._addresses[peer] <= self._settings.connections_per_address or is_within(peer, self._proxies)
        return own and self.open <= self._most

    def leave(self, peer: str) -> None:
        """An HTTP connection of an address is closed or has become a socket, which is counted elsewhere."""
        self._addresses.leave(peer)
