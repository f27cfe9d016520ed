"""One socket: somebody who plays or watches one match."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from kemu.core.game import Seat

Receive: TypeAlias = Callable[[], Awaitable[Any]]
Send: TypeAlias = Callable[[Any], Awaitable[None]]

BACKLOG: Final = 100
"""How many messages may wait for a slow reader before it is dropped."""

SLOW: Final = 4408
FLOOD: Final = 4429


class Connection:
    """Sends without ever waiting: what the network does not take at once is queued, and too long a queue is closed."""

    __slots__ = ("_allowance", "_backlog", "_close", "_pump", "_rate", "_refilled", "_send", "closed", "player", "seat")

    def __init__(
        self, player: str, seat: Seat, rate: int, now: float, send: Send, close: Callable[[int], None]
    ) -> None:
        self.player = player
        self.seat = seat
        self.closed = False
        self._send = send
        self._close = close
        self._backlog: deque[str] | None = None
        self._pump: asyncio.Task[None] | None = None
        self._rate = rate
        self._allowance = float(2 * rate)
        self._refilled = now

    def send(self, text: str) -> None:
        """Send a message now, or queue it behind those that wait."""
        if self._backlog is not None:
            self._queue(text)
            return
        # Most sends need not wait. Running the coroutine up to its first pause saves a task and its memory for each
        # of thousands of sockets; one that pauses has written nothing yet and is sent again by the pump.
        coroutine: Any = self._send({"type": "websocket.send", "text": text})
        try:
            coroutine.send(None)
        except StopIteration:
            return
        except Exception:
            self._close(SLOW)  # the socket is gone; its reader will notice
            return
        coroutine.close()
        self._backlog = deque([text])
        self._pump = asyncio.get_running_loop().create_task(self._drain())

    def drop(self, code: int) -> None:
        """End this connection."""
        if self._pump is not None:
            self._pump.cancel()
        self._close(code)

    def allows(self, now: float) -> bool:
        """Whether this client may send one more message; it has `rate` a second and may save up twice that."""
        self._allowance = min(2.0 * self._rate, self._allowance + (now - self._refilled) * self._rate)
        self._refilled = now
        if self._allowance < 1:
            return False
        self._allowance -= 1
        return True

    def _queue(self, text: str) -> None:
        assert self._backlog is not None, "there is a queue to join"
        if len(self._backlog) >= BACKLOG:
            self.drop(SLOW)
        else:
            self._backlog.append(text)

    async def _drain(self) -> None:
        while self._backlog:
            try:
                await self._send({"type": "websocket.send", "text": self._backlog[0]})
            except Exception:
                self._close(SLOW)
                return
            self._backlog.popleft()
        self._backlog = self._pump = None
