"""WebSocket (RFC 6455) for uvicorn: text in, text out, straight between the transport and a table.

The way through ASGI costs a task, a queue and several layers for each socket and message. Here a message goes from the
network to its table and from a table to the network in plain calls, and an idle socket is a few small objects.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, Protocol

from websockets.http11 import Request
from websockets.server import ServerProtocol

try:
    from websockets.speedups import apply_mask
except ImportError:  # built without its C part
    from websockets.utils import apply_mask

SERVICE: Final = "kemu.sockets"
"""Where the lifespan state of the app holds what serves its sockets."""

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
LAST: Final = 0x80

PROTOCOL_ERROR: Final = 1002
TOO_LARGE: Final = 1009
RESTART: Final = 1012
SLOW: Final = 4408

LINGER: Final = 3.0
"""Seconds in which the other side can take our last words."""

BACKLOG: Final = 256 * 1024
"""Bytes that may wait for a slow reader; then it is dropped."""


class Client(Protocol):
    """Who uses an open socket."""

    def hear(self, message: bytes) -> None:
        """A message came."""

    def lost(self) -> None:
        """The socket is gone."""


class Service(Protocol):
    """What answers those who want to open a socket."""

    def admits(self, path: str, headers: Mapping[str, str]) -> bool:
        """Whether the handshake is accepted."""

    def welcome(self, socket: "WebSocket", path: str, headers: Mapping[str, str]) -> None:
        """A socket is open; give it a client and let it read."""

    def gives(self, path: str, connection: int, request: bytes) -> bool:
        """Whether another worker has taken the connection."""

    def dropped(self) -> None:
        """A socket was dropped because its reader is slow."""


class Limits(NamedTuple):
    """What a socket that was taken over must know of uvicorn's settings."""

    ws_max_size: int


class Taken(NamedTuple):
    """The sockets that were taken over from other workers, of which uvicorn knows nothing."""

    connections: set["WebSocket"]


class WebSocket(asyncio.Protocol):
    """One connection, from its handshake to its end; it reads nothing until it has a client."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        self.client: Client | None = None
        self.answered = True  # whether anything came since the last ping
        self._service: Service = app_state[SERVICE]
        self._longest: int = config.ws_max_size
        self._connections: set[Any] = server_state.connections
        self._taken = isinstance(server_state, Taken)
        self._handshake: ServerProtocol | None = ServerProtocol()
        self._transport: Any = None
        self._buffer = b""
        self._parts: list[bytes] = []  # of a message that comes in fragments
        self._reading = False
        self._full = False  # whether the network takes less than we send
        self._closing = False

    # What uvicorn and the transport call.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        self._closing = True
        if self.client is not None:
            self.client.lost()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False

    def shutdown(self) -> None:
        """The server stops: the client shall come back."""
        self.close(RESTART)

    def data_received(self, data: bytes) -> None:
        if self._handshake is not None:
            self._shake(self._handshake, data)
            return
        self.answered = True
        self._buffer = self._buffer + data if self._buffer else data
        if self._reading:
            self._read()

    # What a client calls.

    def send(self, text: bytes) -> None:
        """Send a text; a reader who has let too much pile up is dropped, never waited for."""
        if self._closing:
            return
        if self._full and self._transport.get_write_buffer_size() > BACKLOG:
            self._closing = True
            self._service.dropped()
            self._transport.abort()
            return
        self._transport.write(_head(TEXT, len(text)) + text)

    def ping(self) -> None:
        """See whether the other side is still there; if it has not answered the last one, it is not."""
        if not self.answered:
            self._transport.abort()
        elif not self._closing:
            self.answered = False
            self._transport.write(_head(PING, 0))

    def close(self, code: int) -> None:
        """Say that this is the end, and end it."""
        if not self._closing:
            self._end(code.to_bytes(2))

    def pause(self) -> None:
        """Read no more until `resume`."""
        self._reading = False
        self._transport.pause_reading()

    def resume(self) -> None:
        """Read on, first what is here already."""
        if not self._closing:
            self._reading = True
            self._transport.resume_reading()
            self._read()

    # The handshake.

    def _shake(self, handshake: ServerProtocol, data: bytes) -> None:
        handshake.receive_data(data)
        for request in handshake.events_received():
            assert isinstance(request, Request), "a handshake is all there is before it is accepted"
            self._handshake = None
            if not self._taken and self._service.gives(request.path, self._number(), data):
                self._closing = True
                self._transport.abort()  # this closes our end only; the other worker has its own
                return
            headers = {name.lower(): value for name, value in request.headers.raw_items()}
            response = handshake.accept(request)
            if response.status_code == 101 and not self._service.admits(request.path, headers):
                response = handshake.reject(403, "This address has no socket, or not for pages of this origin.\n")
            handshake.send_response(response)
            self._transport.write(b"".join(handshake.data_to_send()))
            if response.status_code != 101:
                self._transport.close()
                return
            self._transport.pause_reading()
            self._service.welcome(self, request.path, headers)

    def _number(self) -> int:
        """The file number of the connection."""
        return int(self._transport.get_extra_info("socket").fileno())

    # Frames.

    def _read(self) -> None:
        """Take all whole frames out of the buffer."""
        while self._reading and not self._closing:
            buffer = self._buffer
            have = len(buffer)
            if have < 2:
                return
            size, mask = buffer[1] & 127, 2
            if size == 126:
                size, mask = int.from_bytes(buffer[2:4]), 4
            elif size == 127:
                size, mask = int.from_bytes(buffer[2:10]), 10
            if not self._fits(buffer[0], buffer[1], size):
                return
            start = mask + 4
            end = start + size
            if have < max(start, end):
                return
            self._buffer = buffer[end:]
            self._take(buffer[0], apply_mask(buffer[start:end], buffer[mask:start]))

    def _fits(self, first: int, second: int, size: int) -> bool:
        """Whether a frame may come: masked, of a known kind, not too long; else this is the end."""
        kind = first & 15
        whole = bool(first & LAST)
        if first & 0x70 or not second & 128 or kind not in _KINDS or (kind >= CLOSE and (size > 125 or not whole)):
            self.close(PROTOCOL_ERROR)
        elif size + sum(map(len, self._parts)) > self._longest:
            self.close(TOO_LARGE)
        elif kind < CLOSE and (kind == CONTINUATION) != bool(self._parts):
            self.close(PROTOCOL_ERROR)
        else:
            return True
        return False

    def _take(self, first: int, body: bytes) -> None:
        kind = first & 15
        if kind >= CLOSE:
            self._control(kind, body)
        elif not first & LAST or self._parts:
            self._fragment(first, body)
        elif self.client is not None:
            self.client.hear(body)

    def _fragment(self, first: int, body: bytes) -> None:
        self._parts.append(body or b" ")  # an empty part still is one; a space means nothing in JSON
        if first & LAST:
            message, self._parts = b"".join(self._parts), []
            if self.client is not None:
                self.client.hear(message)

    def _control(self, kind: int, body: bytes) -> None:
        if kind == PING:
            self._transport.write(_head(PONG, len(body)) + body)
        elif kind == CLOSE:
            self._end(body[:2])

    def _end(self, reason: bytes) -> None:
        self._closing = True
        self._transport.write(_head(CLOSE, len(reason)) + reason)
        self._transport.close()
        # A reader who does not take even this would keep the connection for ever.
        asyncio.get_running_loop().call_later(LINGER, self._transport.abort)


_KINDS: Final = frozenset({CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG})


def _head(kind: int, size: int) -> bytes:
    """The beginning of a frame that we send."""
    if size < 126:
        return bytes((LAST | kind, size))
    if size < 65536:
        return bytes((LAST | kind, 126)) + size.to_bytes(2)
    return bytes((LAST | kind, 127)) + size.to_bytes(8)
