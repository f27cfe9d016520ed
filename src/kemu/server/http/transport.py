"""HTTP connections: how many there may be, and how long a request may take to arrive.

uvicorn waits for the rest of a request for ever, and accepts connections until the process has no descriptors left.
"""

import asyncio
from collections import Counter
from collections.abc import Sized
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from kemu.server.auth.origin import is_within, networks
from kemu.server.limits import descriptor_limit
from kemu.server.settings import Settings

BUDGET: Final = "kemu.connections"
"""Where the lifespan state of the app holds the ConnectionBudget."""

OTHER_DESCRIPTORS: Final = 100
"""For the database, files, bots and the event loop."""

RESERVE: Final = 0.2
"""The part of all connections that is kept for players who have a seat."""

SCARCE_SECONDS: Final = 2.0
"""How long a request may take to arrive when only the reserve is left."""

BODY_FACTOR: Final = 3
"""A body may take so many times as long as the head."""

_TIMEOUT: Final = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class ConnectionBudget:
    """Counts the connections of a process, of HTTP and sockets alike, against what the system allows."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._most = settings.connections or max(100, descriptor_limit() - OTHER_DESCRIPTORS)
        self._proxies = networks(settings.trusted_proxies)
        self._counted: list[Sized] = []
        self._addresses: Counter[str] = Counter()

    @property
    def request_seconds(self) -> float:
        """How long the head of a request may take to arrive."""
        return min(SCARCE_SECONDS, self._settings.request_seconds) if self.scarce else self._settings.request_seconds

    @property
    def open(self) -> int:
        """How many connections are open."""
        return sum(map(len, self._counted))

    @property
    def scarce(self) -> bool:
        """Whether only the reserve is left, which is for players who have a seat."""
        return self.open >= self._most * (1 - RESERVE)

    def count(self, connections: Sized) -> None:
        """Count these connections from now on."""
        if not any(connections is each for each in self._counted):
            self._counted.append(connections)

    def enter(self, peer: str) -> bool:
        """Count a connection of an address; False if it must be closed because there are too many."""
        self._addresses[peer] += 1
        own = self._addresses[peer] <= self._settings.connections_per_address or is_within(peer, self._proxies)
        return own and self.open <= self._most

    def leave(self, peer: str) -> None:
        """An HTTP connection of an address is closed or has become a socket, which is counted elsewhere."""
        self._addresses[peer] -= 1
        if not self._addresses[peer]:
            del self._addresses[peer]


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
        """The head has arrived; a body may follow, which mostly has been read already."""
        self._stop_waiting()
        self._body_due = True
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request has arrived."""
        self._stop_waiting()
        self._body_due = False
        super().on_message_complete()

    def on_response_complete(self) -> None:
        """The response is sent; the connection is kept only if there are enough."""
        super().on_response_complete()
        if self._budget.scarce and not self.pipeline:
            self.transport.close()

    def handle_websocket_upgrade(self) -> None:
        """The connection becomes a socket, unless requests before it are not answered yet: it is closed then."""
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
