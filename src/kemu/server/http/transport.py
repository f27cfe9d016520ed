"""HTTP connections: how many there may be, how much of a request is kept, and how long it and its answer may take.

uvicorn waits for the rest of a request and for the reader of an answer for ever, keeps a head of any length, parses all
requests that arrive before it answers the first, and accepts connections until the process has no descriptors left.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kemu.server.live.connection import ConnectionBudget

BUDGET: Final = "kemu.connections"
"""Where the lifespan state of the app holds the ConnectionBudget."""

BODY_FACTOR: Final = 3
"""How many times as long as the head a body may take, and an answer of which its reader takes nothing."""

HEAD_BYTES: Final = 64 * 1024
"""The longest head of a request, and the most between two parts of a body: trailers, or the head of a chunk."""

HEAD_FIELDS: Final = 100
"""The most header fields of a request, those of its trailers included."""

PIECE_BYTES: Final = 16 * 1024
"""How much is parsed before the head is measured."""

_TIMEOUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
_TOO_LARGE: Final = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class _Refused(Exception):
    """Raised in a callback of the parser to end its work."""


class HttpProtocol(HttpToolsProtocol):
    """An HTTP connection of uvicorn with limits: one request at a time, a head of some length, a reader who reads.

    What comes behind a request that is not answered yet is not read; the connection is closed after the answer, and
    the client sends the rest again on another one.
    """

    _budget: ConnectionBudget
    _deadline: asyncio.TimerHandle | None = None
    _body_due = False  # whether the head of a request has arrived and the rest has not
    _peer: str | None = None
    _measured = 0  # bytes since the last part of a request that was complete
    _ignoring = False  # whether nothing is read any more
    _unread: asyncio.TimerHandle | None = None  # checks that somebody reads what is written
    _unread_bytes = 0  # that waited at the last check

    def connection_made(self, transport: Any) -> None:
        """Count the connection, and wait for a request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(0)
        self._budget = self.app_state[BUDGET]
        self._budget.count(self.connections)
        self._peer = self.client[0] if self.client else ""
        if self._budget.enter(self._peer):
            self._wait(self._budget.request_seconds)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        """Count the connection no more."""
        self._stop_waiting()
        self._stop_checking()
        self._leave()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Check from now on whether what is written is also read."""
        super().pause_writing()
        self._check_reader()

    def resume_writing(self) -> None:
        """Check no longer: everything was read."""
        super().resume_writing()
        self._stop_checking()
        self._unread_bytes = 0

    def data_received(self, data: bytes) -> None:
        """Read, and wait for the rest of a body, or of a request that begins on a connection that was kept."""
        for start in range(0, len(data), PIECE_BYTES):
            if self._ignoring or self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            piece = data[start : start + PIECE_BYTES]
            self._measured += len(piece)
            super().data_received(piece)
            if self._measured > HEAD_BYTES and not self.transport.is_closing():
                self._refuse_head()
        if self._deadline is not None or self._peer is None or self.transport.is_closing():
            return
        if self._body_due:
            self._wait(BODY_FACTOR * self._budget.request_seconds)
        elif self.cycle is None or self.cycle.response_complete:
            self._wait(self._budget.request_seconds)

    def on_message_begin(self) -> None:
        """Begin with a request, unless the one before is not answered yet. Raises _Refused."""
        if self.cycle is not None and not self.cycle.response_complete:
            self._ignoring = True
            self.cycle.keep_alive = False
            raise _Refused
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header field in. Raises _Refused for one too many."""
        if len(self.headers) >= HEAD_FIELDS:
            self._refuse_head()
            raise _Refused
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Wait no longer: the head has arrived, and a body may follow, which mostly has been read already."""
        self._stop_waiting()
        self._body_due = True
        self._measured = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body in, which the application limits."""
        self._measured = 0
        super().on_body(body)

    def on_chunk_complete(self) -> None:
        """Measure from the end of a chunk on; what comes after the last one are trailers."""
        self._measured = 0

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be parsed; what was refused is answered already, or ignored until its answer is sent."""
        if not self._ignoring:
            super().send_400_response(msg)

    def on_message_complete(self) -> None:
        """Wait no longer: the request has arrived."""
        self._stop_waiting()
        self._body_due = False
        self._measured = 0
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Close the connection after its response if only the reserve is left."""
        super().on_response_complete()
        if self._budget.scarce and not self.pipeline:
            self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        """Make the connection a socket; all requests before it are answered."""
        self._stop_waiting()
        self._stop_checking()
        self._leave()
        super().handle_websocket_upgrade()

    def _wait(self, seconds: float) -> None:
        self._stop_waiting()
        self._deadline = self.loop.call_later(seconds, self._expired)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _expired(self) -> None:
        self._deadline = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_TIMEOUT)
        self.transport.close()

    def _refuse_head(self) -> None:
        """Refuse a request whose head or trailers are too long."""
        self._ignoring = True
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(_TOO_LARGE)
            self.transport.close()
        else:
            self.transport.abort()

    def _check_reader(self) -> None:
        """Drop the connection unless some of what is written was read since the last check."""
        self._stop_checking()
        waiting = self.transport.get_write_buffer_size()
        if self._unread_bytes and waiting > self._unread_bytes - PIECE_BYTES:
            self.transport.abort()
            return
        self._unread_bytes = waiting
        self._unread = self.loop.call_later(BODY_FACTOR * self._budget.request_seconds, self._check_reader)

    def _stop_checking(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _leave(self) -> None:
        if self._peer is not None:
            self._budget.leave(self._peer)
            self._peer = None
