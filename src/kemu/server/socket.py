"""The socket of a match: somebody comes, is told, wishes, goes."""

import asyncio
import contextlib
from asyncio import CancelledError
from functools import partial
from time import monotonic
from typing import Any, Final

import msgspec
from litestar import WebSocket, websocket
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery
from msgspec import UNSET, Struct, UnsetType

from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR
from kemu.play.commands import Id
from kemu.server.connection import FLOOD, Connection
from kemu.server.hall import Hall
from kemu.server.identity import COOKIE, Identity
from kemu.server.limits import TooMany
from kemu.server.live import LiveTable, seat_for
from kemu.server.origin import BadOrigin, check_origin
from kemu.server.wire import Refused, decode_wish, encode
from kemu.storage.errors import UnknownMatch

MALFORMED: Final = 4400
FORBIDDEN: Final = 4403
UNKNOWN: Final = 4404
RESTART: Final = 1012

STRIKES: Final = 20
"""So many messages that are no commands, and the client is taken for broken."""

PATIENCE: Final = 1.0
"""Seconds for which a closing socket may take its last message."""


class _Named(Struct):
    """As much of a malformed command as an answer needs."""

    id: Id | UnsetType = UNSET


@websocket("/api/matches/{match:str}/socket")
async def play(
    socket: WebSocket[Any, Any, Any],
    hall: NamedDependency[Hall],
    identity: NamedDependency[Identity],
    match: FromPath[str],
    seat: FromQuery[int | None] = None,
    after: FromQuery[int | None] = None,
) -> None:
    """Play or watch one match."""
    try:
        check_origin(socket.headers, hall.settings)
    except BadOrigin:
        await socket.close(FORBIDDEN)  # before it is accepted: the browser sees an error, the page nothing
        return
    await socket.accept()
    try:
        visitor = await identity.visitor(socket.cookies.get(COOKIE), socket.headers.get("authorization"))
        live = await hall.table(match)
        seat = seat_for(await live.settled(), visitor.id, seat)
        _check_room(hall, live, visitor.id, seat)
    except KemuError as error:
        await _refuse(socket, error)
        return
    session = _Session(socket, hall, live, visitor.id, seat)
    await session.run(after)


class _Session:
    """The life of one socket from its acceptance on."""

    def __init__(self, socket: WebSocket[Any, Any, Any], hall: Hall, live: LiveTable, player: str, seat: int) -> None:
        self._socket = socket
        self._hall = hall
        self._live = live
        self._task = asyncio.current_task()
        self._code: int | None = None
        self._strikes = 0
        rate = hall.settings.messages_per_second
        self._connection = Connection(player, seat, rate, monotonic(), socket.send, self._end)

    async def run(self, after: int | None) -> None:
        """Come in, listen until the end, go."""
        player = self._connection.player
        self._hall.sockets[player] += 1
        self._live.submit(partial(self._live.enter, self._connection, after))
        try:
            await self._listen()
        except CancelledError:
            if self._code is None:
                raise
        finally:
            self._connection.closed = True
            self._live.leave(self._connection)
            self._hall.sockets[player] -= 1
        if self._code is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._socket.close(self._code), PATIENCE)

    async def _listen(self) -> None:
        receive, live, connection = self._socket.receive, self._live, self._connection
        while True:
            message: Any = await receive()
            if message["type"] != "websocket.receive":
                return
            if not connection.allows(monotonic()):
                self._refuse(TooMany.code, "Too many messages; come back later.", UNSET)
                self._code = FLOOD
                return
            text = message.get("text") or message.get("bytes") or b""
            try:
                wish = decode_wish(text)
            except (msgspec.MsgspecError, UnicodeError) as error:
                self._malformed(text, error)
                if self._code is not None:
                    return
                continue
            live.submit(partial(live.wish, connection, wish))

    def _malformed(self, text: str | bytes, error: Exception) -> None:
        name: Id | UnsetType = UNSET
        with contextlib.suppress(msgspec.MsgspecError, UnicodeError):
            name = msgspec.json.decode(text, type=_Named).id
        self._refuse("parse-error", f"This is no command: {str(error)[:200]}.", name)
        self._strikes += 1
        if self._strikes >= STRIKES:
            self._code = MALFORMED

    def _refuse(self, code: str, message: str, name: Id | UnsetType) -> None:
        self._hall.counts["refusals"] += 1
        self._connection.send(encode(Refused(code, message, name)).decode())

    def _end(self, code: int) -> None:
        """Close this socket from elsewhere."""
        if self._code is None and self._task is not None:
            self._code = code
            self._task.cancel()


def _check_room(hall: Hall, live: LiveTable, player: str, seat: int) -> None:
    if hall.sockets[player] >= hall.settings.sockets_per_player:
        raise TooMany("You have too many sockets open.")
    watching = sum(connection.seat == SPECTATOR for connection in live.connections)
    if seat == SPECTATOR and watching >= hall.settings.spectators:
        raise TooMany("This match has as many spectators as it can take.")


async def _refuse(socket: WebSocket[Any, Any, Any], error: KemuError) -> None:
    """Say why, then close."""
    code = UNKNOWN if isinstance(error, UnknownMatch) else FLOOD if isinstance(error, TooMany) else FORBIDDEN
    with contextlib.suppress(Exception):
        await socket.send_text(encode(Refused(error.code, str(error))).decode())
        await socket.close(code)
