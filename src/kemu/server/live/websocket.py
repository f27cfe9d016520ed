"""WebSocket (RFC 6455) for uvicorn: text in, text out, directly between the transport and a connection.

ASGI costs a task, a queue and several layers for each socket and message. Here a message goes from the network to its
match and back in plain calls, and an idle socket is a few small objects. messages.py makes messages of bytes and
limits the frames; this module moves the bytes, and limits those that are parsed in a turn of the event loop, that
wait to be parsed, and that wait to be read by the other side.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol

from websockets.frames import CloseCode, Frame
from websockets.http11 import Request
from websockets.protocol import SEND_EOF, State

from kemu.server.live.messages import BadFrame, FrameProtocol, MessageReader, text_frame

HANDLER: Final = "kemu.sockets"
"""Where the lifespan state of the app holds the SocketHandler."""

CLOSE_TIMEOUT_SECONDS: Final = 3.0
"""How long a closing socket waits for the other side to read what was sent, and to close."""

BACKLOG_BYTES: Final = 256 * 1024
"""How much may wait for a slow reader before its socket is dropped."""

TURN_BYTES: Final = 4 * 1024
"""How much of what a socket has sent is parsed in one turn of the event loop: at most 700 frames."""

UNREAD_BYTES: Final = 64 * 1024
"""How much may wait to be parsed before nothing more is read from the network."""

DISCARDED_BYTES: Final = 4 * 1024 * 1024
"""How much a closing socket may still send before its connection is dropped."""

_BAD_REQUEST: Final = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"

log = logging.getLogger(__name__)


class MessageReceiver(Protocol):
    """The user of an open socket."""

    def message_received(self, message: bytes) -> None:
        """A text message was received."""

    def disconnected(self) -> None:
        """The socket is closed."""


class SocketHandler(Protocol):
    """Decides about handshakes and gets the sockets that were opened."""

    def accepts(self, path: str, headers: Mapping[str, str], peer: str) -> bool:
        """Whether the handshake of a peer, given by its address, is accepted."""

    def connected(self, websocket: "WebSocket", path: str, headers: Mapping[str, str]) -> None:
        """A socket is open; its messages wait until `start` is called."""

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
    """One connection, from its handshake to its end; its messages wait until it has a receiver."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        self._receiver: MessageReceiver | None = None
        self.on_lost: Callable[[], None] | None = None  # called when the connection is gone
        self._answered = True  # whether anything came since the last ping
        self._handler: SocketHandler = app_state[HANDLER]
        self._connections: set[Any] = server_state.connections
        self._handed_over = isinstance(server_state, ReceivedSockets)
        self._protocol = FrameProtocol(config.ws_max_size, self._frame_parsed)
        self._transport: Any = None
        self._opened = False
        self._reading = False  # whether the receiver takes messages
        self._turn_due = False  # whether the next turn of the event loop parses on
        self._held = False  # whether the transport reads nothing from the network
        self._unread = b""
        self._frames: deque[Frame] = deque()  # parsed, not yet handled
        self._messages = MessageReader()
        self._full = False  # whether the transport's buffer is above its high-water mark
        self._closing = False
        self._discarded = 0
        self._end_timer: asyncio.TimerHandle | None = None

    # Called by uvicorn and the transport.

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._connections.add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.discard(self)
        self._closing = True
        self._unread = b""
        self._frames.clear()
        if self._end_timer is not None:
            self._end_timer.cancel()
        receiver, self._receiver = self._receiver, None
        if receiver is not None:
            receiver.disconnected()
        if self.on_lost is not None:
            self.on_lost()

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False

    def shutdown(self) -> None:
        """The server stops; the code asks the client to connect again."""
        self.close(CloseCode.SERVICE_RESTART)

    def data_received(self, data: bytes) -> None:
        if not self._opened:
            self._shake_hands(data)
        elif self._closing:
            self._discard(len(data))
        else:
            self._answered = True
            self._unread = self._unread + data if self._unread else data
            self._read()

    # Called by the receiver and the handler.

    @property
    def peer(self) -> str:
        """The address of the other side; empty if it has none."""
        name = self._transport.get_extra_info("peername")
        return str(name[0]) if isinstance(name, tuple) else ""

    @property
    def closed(self) -> bool:
        """Whether the connection is lost or being closed."""
        return self._closing

    def send(self, text: bytes) -> None:
        """Send a text, without waiting; the socket of a reader who is too slow is dropped."""
        if not self._closing and self._protocol.state is State.OPEN:
            frame, pongs = text_frame(text), self._protocol.writes
            self._write(_joined([*self._protocol.data_to_send(), frame]) if pongs else frame)

    def ping(self) -> None:
        """Send a ping; if nothing was received since the last one, drop the connection."""
        if not self._answered:
            self._transport.abort()
        elif not self._closing:
            self._answered = False
            self._protocol.send_ping(b"")
            self._flush()

    def close(self, code: int) -> None:
        """Send a close frame with this code and close the connection."""
        if not self._closing:
            if self._protocol.state is State.OPEN:
                self._protocol.fail(code)
            self._end()

    def abort(self) -> None:
        """Drop the connection at once."""
        self._closing = True
        self._transport.abort()

    def start(self, receiver: MessageReceiver) -> None:
        """Give all messages to this receiver, from now on."""
        self._receiver = receiver
        self.resume()

    def pause(self) -> None:
        """Give the receiver no more messages until `resume`."""
        self._reading = False

    def resume(self) -> None:
        """Give the receiver the messages that wait, and those that come."""
        if not self._closing:
            self._reading = True
            self._handle_frames()
            self._read()

    # The handshake.

    def _shake_hands(self, data: bytes) -> None:
        """Answer the request with which uvicorn or another worker passes a connection on; it is always whole."""
        self._opened = True
        try:
            self._protocol.receive_data(data)
            requests = self._protocol.events_received()
            if not requests:
                self._refuse_unreadable()
                return
            assert isinstance(requests[0], Request), "a handshake is all there is before it is accepted"
            self._answer(requests[0], data)
        except Exception as error:  # whatever a stranger sent: it must not leave a connection that nobody owns
            log.error("handshake failed", exc_info=error)
            self._closing = True
            self._transport.abort()

    def _refuse_unreadable(self) -> None:
        """Send the refusal that the library has written, or one of ours if it has written none."""
        if self._protocol.writes == [SEND_EOF]:
            self._transport.write(_BAD_REQUEST)
        self._reject()

    def _answer(self, request: Request, data: bytes) -> None:
        """Accept or reject a request, or hand it to another worker."""
        descriptor = self._transport.get_extra_info("socket").fileno()
        if not self._handed_over and self._handler.hand_over(request.path, descriptor, data):
            self._closing = True
            self._transport.abort()  # the other worker has a descriptor of its own
            return
        headers = _headers(request)
        response = self._protocol.accept(request)
        if response.status_code == 101 and not self._accepts(request.path, headers):
            response = self._protocol.reject(403, "This address has no socket, or not for pages of this origin.\n")
        self._protocol.send_response(response)
        if response.status_code == 101:
            self._flush()
            self._handler.connected(self, request.path, headers)
        else:
            self._reject()

    def _reject(self) -> None:
        """Send the answer to a handshake that is refused, and wait for nothing more."""
        self._closing = True
        self._transport.write(_joined(self._protocol.data_to_send()))
        self._transport.close()

    def _accepts(self, path: str, headers: Mapping[str, str]) -> bool:
        try:
            return self._handler.accepts(path, headers, self.peer)
        except ValueError:  # a header that cannot be read, such as the origin "http://["
            return False

    # Reading.

    def _read(self) -> None:
        """Parse as much as one turn may, if the receiver takes messages; the rest follows in the next turn."""
        if self._closing:
            return
        if self._reading and not self._turn_due and self._unread:
            part, self._unread = self._unread[:TURN_BYTES], self._unread[TURN_BYTES:]
            self._parse(part)
            if self._closing:
                return
            if self._unread and self._reading:
                self._turn_due = True
                asyncio.get_running_loop().call_soon(self._next_turn)
        if self._held != (len(self._unread) > UNREAD_BYTES):
            self._hold(not self._held)

    def _parse(self, data: bytes) -> None:
        """Handle the frames in what was read; nothing that came before still waits to be handled."""
        text = self._protocol.short_text(data)
        if text is not None:
            self._deliver(text)
            return
        self._protocol.receive_data(data)  # calls `_frame_parsed` for each frame
        if self._closing:
            return
        if self._protocol.state is not State.OPEN:
            self._end()
        elif self._protocol.writes:  # pongs
            self._flush()

    def _next_turn(self) -> None:
        self._turn_due = False
        self._read()

    def _hold(self, held: bool) -> None:
        """Read nothing more from the network, or read on."""
        self._held = held
        if held:
            self._transport.pause_reading()
        else:
            self._transport.resume_reading()

    def _discard(self, size: int) -> None:
        """Count what comes after this side has closed; the other side may not have read the close frame yet."""
        self._discarded += size
        if self._discarded > DISCARDED_BYTES:
            self._transport.abort()

    # Frames.

    def _frame_parsed(self, frame: Frame) -> None:
        """Called by the protocol; frames that come while the receiver takes none wait."""
        if not self._reading or self._frames:
            self._frames.append(frame)
        elif not self._closing:
            self._frame_received(frame)

    def _handle_frames(self) -> None:
        while self._frames and self._reading and not self._closing:
            self._frame_received(self._frames.popleft())

    def _frame_received(self, frame: Frame) -> None:
        try:
            message = self._messages.frame_received(frame)
        except BadFrame as bad:
            self.close(bad.code)
            return
        if message is not None:
            self._deliver(message)

    def _deliver(self, message: bytes) -> None:
        """Give the receiver a message, text or binary; a fault closes the socket."""
        if self._receiver is None:
            return
        try:
            self._receiver.message_received(message)
        except Exception as error:
            log.error("message failed", exc_info=error)
            self.close(CloseCode.INTERNAL_ERROR)

    # Writing.

    def _flush(self) -> None:
        """Write what the protocol has to send."""
        self._write(_joined(self._protocol.data_to_send()))

    def _write(self, data: bytes) -> None:
        """Write frames of whatever kind; drop a reader who is too slow."""
        if self._full and self._transport.get_write_buffer_size() > BACKLOG_BYTES:
            self._closing = True
            self._handler.slow_reader_dropped()
            self._transport.abort()
        else:
            self._transport.write(data)

    def _end(self) -> None:
        """Send what is left and the end of the stream; the connection is dropped if the other side does not close."""
        self._closing = True
        if self._transport.is_closing():
            return
        self._transport.write(_joined(self._protocol.data_to_send()))
        if self._held:
            self._hold(False)
        self._transport.write_eof()
        self._end_timer = asyncio.get_running_loop().call_later(CLOSE_TIMEOUT_SECONDS, self._transport.abort)


def _headers(request: Request) -> dict[str, str]:
    """The headers of a request by their names in lower case, several of one name in one as HTTP allows it."""
    names = {name.lower() for name, _ in request.headers.raw_items()}
    return {name: ("; " if name == "cookie" else ", ").join(request.headers.get_all(name)) for name in names}


def _joined(data: Iterable[bytes]) -> bytes:
    """The bytes that the protocol wants to send; the end of the stream is sent apart."""
    return b"".join(part for part in data if part is not SEND_EOF)
