"""HTTP connections: how many there may be, and how long a request may take to arrive.

uvicorn waits for the rest of a request for ever, and accepts connections until the process has no descriptors left.
"""

import asyncio
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kemu.server.live.connection import ConnectionBudget

BUDGET: Final = "kemu.connections"
"""Where the lifespan state of the app holds the ConnectionBudget."""

BODY_FACTOR: Final = 3
"""Time limit of a body as a multiple of that of the head."""

_TIMEOUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class HttpProtocol(HttpToolsProtocol):
    """An HTTP connection of uvicorn that is closed when a request does not arrive in time."""

    _budget: ConnectionBudget
    _deadline: asyncio.TimerHandle | None = None
    _body_due = False  # whether the head of a request has arrived and the rest has not
    _peer: str | None = None

    def connection_made(self, transport: Any) -> None:
        """Count the connection, and wait for a request."""
        super().connection_made(transport)
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
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read, and wait for the rest of a body, or of a request that begins on a connection that was kept."""
        super().data_received(data)
        if self._deadline is not None or self._peer is None or self.transport.is_closing():
            return
        if self._body_due:
            self._wait(BODY_FACTOR * self._budget.request_seconds)
        elif self.cycle is None or self.cycle.response_complete:
            self._wait(self._budget.request_seconds)

    def on_headers_complete(self) -> None:
        """Wait no longer: the head has arrived, and a body may follow, which mostly has been read already."""
        self._stop_waiting()
        self._body_due = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Wait no longer: the request has arrived."""
        self._stop_waiting()
        self._body_due = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """Close the connection after its response if only the reserve is left."""
        super().on_response_complete()
        if self._budget.scarce and not self.pipeline:
            self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        """Make the connection a socket, or close it if requests before it are not answered yet."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.close()  # else the answers would come among the frames of the socket
            return
        self._stop_waiting()
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

    def _leave(self) -> None:
        if self._peer is not None:
            self._budget.leave(self._peer)
            self._peer = None
