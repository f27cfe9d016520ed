"""What every open socket has, whatever it is for: its owner, its limits, and the end of its session."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from time import monotonic
from typing import Any, Final, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kemu.core.errors import ParseError
from kemu.play.commands import Id
from kemu.server.auth.identity import SessionEnded
from kemu.server.limits import Allowance, TooMany
from kemu.server.realtime.frames import Refused, encode
from kemu.server.realtime.open_sockets import SocketOwner
from kemu.server.realtime.transport.messages import FLOOD
from kemu.server.realtime.transport.websocket import WebSocket

MALFORMED: Final = 4400
SIGNED_OUT: Final = 4401

ENDED_SENTENCE: Final = "Your session has ended; load the page again or sign in."

UNREADABLE: Final = (msgspec.MsgspecError, RecursionError, UnicodeError)
"""What decoding a message raises: for what is no command, nested too deeply, or no text."""

MOST_MALFORMED: Final = 20
"""After so many messages that are no commands a connection is closed."""


class _Named(Struct):
    """As much of a malformed command as its refusal needs."""

    id: Id | UnsetType = UNSET


class Connections(Protocol):
    """The connections of a process, which each of them belongs to."""

    def disconnected(self, connection: Any) -> None:
        """The socket of a connection is closed."""

    def count_refusal(self) -> None:
        """Count a message that was no command, or one too many."""

    def new_allowance(self) -> Allowance:
        """How many messages a connection may send."""


class SocketConnection(ABC):
    """One open socket; a subclass says what its messages do and what its end means."""

    __slots__ = ("_allowance", "_connections", "_decode", "_malformed", "_socket", "closed", "owner", "player")

    def __init__(
        self, connections: Connections, websocket: WebSocket, owner: SocketOwner, decode: Callable[[bytes], Any]
    ) -> None:
        self.closed = False
        self.owner = owner
        self.player = owner.player
        self._connections = connections
        self._socket = websocket
        self._decode = decode
        self._malformed = 0
        self._allowance = connections.new_allowance()

    def send(self, frame: bytes) -> None:
        """Send a message; never waits."""
        self._socket.send(frame)

    def close(self, code: int) -> None:
        """Close the socket."""
        self._socket.close(code)

    def end(self) -> None:
        """Close the socket, because its session or token has ended; nothing is sent to it or done for it any more."""
        if not self.closed:
            self.send(encode(Refused(SessionEnded.code, ENDED_SENTENCE)))
            self._socket.close(SIGNED_OUT)
            self.disconnected()

    def ping(self) -> None:
        """Send a ping, or drop the connection if the last one was not answered."""
        self._socket.ping()

    def refuse(self, code: str, message: str, command: str | UnsetType) -> None:
        """Answer a message that was not done."""
        self._connections.count_refusal()
        self.send(encode(Refused(code, message, command)))

    @abstractmethod
    def _handle(self, message: Any) -> None:
        """Do what a decoded message asks for."""

    @abstractmethod
    def _leave(self) -> None:
        """End what goes on for this socket."""

    # Called by the socket.

    def message_received(self, message: bytes) -> None:
        """Decode a message and handle it, within the limits."""
        if self.closed:
            return
        if not self._allowance.spend(monotonic()):
            self.refuse(TooMany.code, "Too many messages; try again later.", UNSET)
            self._socket.close(FLOOD)
            return
        try:
            read = self._decode(message)
        except UNREADABLE as error:
            self._refuse_malformed(message, error)
            return
        self._handle(read)

    def disconnected(self) -> None:
        """The socket is closed."""
        if not self.closed:
            self.closed = True
            self._leave()
            self._connections.disconnected(self)

    def _refuse_malformed(self, message: bytes, error: Exception) -> None:
        name: Id | UnsetType = UNSET
        with contextlib.suppress(*UNREADABLE):
            name = msgspec.json.decode(message, type=_Named).id
        self.refuse(ParseError.code, f"This is no command: {str(error)[:200]}.", name)
        self._malformed += 1
        if self._malformed >= MOST_MALFORMED:
            self._socket.close(MALFORMED)
