"""WebSocket (RFC 6455) for uvicorn: text in, text out, directly between the transport and a connection.

ASGI costs a task, a queue and several layers for each socket and message. Here a message goes from the network to its
match and back in plain calls, and an idle socket is a few small objects.
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

HANDLER: Final = "kemu.sockets"
"""Where the lifespan state of the app holds the SocketHandler."""

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
LAST: Final = 0x80

PROTOCOL_ERROR: Final = 1002
TOO_LARGE: Final = 1009
RESTART: Final = 1012
SLOW: Final = 4408

CLOSE_TIMEOUT_SECONDS: Final = 3.0
"""How long a closing socket waits for the other side to read what was sent."""

BACKLOG_BYTES: Final = 256 * 1024
"""How much may wait for a slow reader before its socket is dropped."""


class MessageReceiver(Protocol):
    """The user of an open socket."""

    def message_received(self, message: bytes) -> None:
        """A text message was received."""

    def disconnected(self) -> None:
        """The socket is closed."""


class SocketHandler(Protocol):
    """Decides about handshakes and gets the sockets that were opened."""

    def accepts(self, path: str, headers: Mapping[str, str]) -> bool:
        """Whether the handshake is accepted."""

    def connected(self, websocket: "WebSocket", path: str, headers: Mapping[str, str]) -> None:
        """A socket is open; it reads nothing until `start` is called."""

    def hand_over(self, path: str, connection: int, request: bytes) -> bool:
        """Whether another worker has taken the connection, given by its file number."""

    def slow_reader_dropped(self) -> None:
        """A socket was dropped because its reader is slow."""


class SocketLimits(NamedTuple):
    """The setting of uvicorn that a socket needs, for sockets that uvicorn did not accept."""

    ws_max_size: int


class ReceivedSockets(NamedTuple):
    """The open sockets that other workers handed over, which uvicorn does not know."""

    connections: set["WebSocket"]


class WebSocket(asyncio.Protocol):
    """One connection, from its handshake to its end; it reads nothing until it has a receiver."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._receiver: MessageReceiver | None = None
        self._answered = True  # whether anything came since the last ping
        self._handler: SocketHandler = app_state[HANDLER]
        self._most_bytes: int = config.ws_max_size
        self._connections: set[Any] = server_state.connections
        self._handed_over = isinstance(server_state, ReceivedSockets)
        self._handshake: ServerProtocol | None = ServerProtocol()
        self._transport: Any = None
        self._buffer = b""
        self._parts: list[bytes] = []  # of a message that comes in fragments
        self._reading = False
        self._full = False  # whether the transport's buffer is above its high-water mark
        self._closing = False

    # Called by uvicorn and the transport.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        self._closing = True
        if self._receiver is not None:
            self._receiver.disconnected()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False

    def shutdown(self) -> None:
        """The server stops; the code asks the client to connect again."""
        self.close(RESTART)

    def data_received(self, data: bytes) -> None:
        if self._handshake is not None:
            self._continue_handshake(self._handshake, data)
            return
        self._answered = True
        self._buffer = self._buffer + data if self._buffer else data
        if self._reading:
            self._read()

    # Called by the receiver and the handler.

    def send(self, text: bytes) -> None:
        """Send a text, without waiting; the socket of a reader who is too slow is dropped."""
        if self._closing:
            return
        if self._full and self._transport.get_write_buffer_size() > BACKLOG_BYTES:
            self._closing = True
            self._handler.slow_reader_dropped()
            self._transport.abort()
            return
        self._transport.write(_head(TEXT, len(text)) + text)

    def ping(self) -> None:
        """Send a ping; if nothing was received since the last one, drop the connection."""
        if not self._answered:
            self._transport.abort()
        elif not self._closing:
            self._answered = False
            self._transport.write(_head(PING, 0))

    def close(self, code: int) -> None:
        """Send a close frame with this code and close the connection."""
        if not self._closing:
            self._end(code.to_bytes(2))

    def start(self, receiver: MessageReceiver) -> None:
        """Give all messages to this receiver, from now on."""
        self._receiver = receiver
        self.resume()

    def pause(self) -> None:
        """Read no more until `resume`."""
        self._reading = False
        self._transport.pause_reading()

    def resume(self) -> None:
        """Read on, first what is in the buffer already."""
        if not self._closing:
            self._reading = True
            self._transport.resume_reading()
            self._read()

    # The handshake.

    def _continue_handshake(self, handshake: ServerProtocol, data: bytes) -> None:
        handshake.receive_data(data)
        for request in handshake.events_received():
            assert isinstance(request, Request), "a handshake is all there is before it is accepted"
            self._handshake = None
            if not self._handed_over and self._handler.hand_over(request.path, self._file_number(), data):
                self._closing = True
                self._transport.abort()  # the other worker has a descriptor of its own
                return
            headers = {name.lower(): value for name, value in request.headers.raw_items()}
            response = handshake.accept(request)
            if response.status_code == 101 and not self._handler.accepts(request.path, headers):
                response = handshake.reject(403, "This address has no socket, or not for pages of this origin.\n")
            handshake.send_response(response)
            self._transport.write(b"".join(handshake.data_to_send()))
            if response.status_code != 101:
                self._transport.close()
                return
            self._transport.pause_reading()
            self._handler.connected(self, request.path, headers)

    def _file_number(self) -> int:
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
            self._frame_received(buffer[0], apply_mask(buffer[start:end], buffer[mask:start]))

    def _fits(self, first: int, second: int, size: int) -> bool:
        """Whether a frame is valid: masked, of a known kind, not too long; if not, the connection is closed."""
        kind = first & 15
        whole = bool(first & LAST)
        if first & 0x70 or not second & 128 or kind not in _KINDS or (kind >= CLOSE and (size > 125 or not whole)):
            self.close(PROTOCOL_ERROR)
        elif size + sum(map(len, self._parts)) > self._most_bytes:
            self.close(TOO_LARGE)
        elif kind < CLOSE and (kind == CONTINUATION) != bool(self._parts):
            self.close(PROTOCOL_ERROR)
        else:
            return True
        return False

    def _frame_received(self, first: int, body: bytes) -> None:
        kind = first & 15
        if kind >= CLOSE:
            self._control(kind, body)
        elif not first & LAST or self._parts:
            self._fragment(first, body)
        elif self._receiver is not None:
            self._receiver.message_received(body)

    def _fragment(self, first: int, body: bytes) -> None:
        self._parts.append(body or b" ")  # an empty part still is one; a space means nothing in JSON
        if first & LAST:
            message, self._parts = b"".join(self._parts), []
            if self._receiver is not None:
                self._receiver.message_received(message)

    def _control(self, kind: int, body: bytes) -> None:
        if kind == PING:
            self._transport.write(_head(PONG, len(body)) + body)
        elif kind == CLOSE:
            self._end(body[:2])

    def _end(self, reason: bytes) -> None:
        self._closing = True
        self._transport.write(_head(CLOSE, len(reason)) + reason)
        self._transport.close()
        # A reader who does not read even this would keep the connection open for ever.
        asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_SECONDS, self._transport.abort)


_KINDS: Final = frozenset({CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG})


def _head(kind: int, size: int) -> bytes:
    """The header of a frame, which a server sends without a mask."""
    if size < 126:
        return bytes((LAST | kind, size))
    if size < 65536:
        return bytes((LAST | kind, 126)) + size.to_bytes(2)
    return bytes((LAST | kind, 127)) + size.to_bytes(8)
