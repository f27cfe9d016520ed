"""The socket of a match: somebody comes, is told, wishes, goes.

Sockets go past the web framework straight to here: each message would pay for its layers, and thousands of idle
sockets for its objects.
"""

import asyncio
import contextlib
import re
from asyncio import CancelledError
from functools import partial
from time import monotonic
from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import SPECTATOR
from kemu.play.commands import Id
from kemu.server.connection import FLOOD, Connection, Receive, Send
from kemu.server.hall import Hall
from kemu.server.identity import Identity, cookie_in
from kemu.server.limits import TooMany
from kemu.server.live import LiveTable, seat_for
from kemu.server.origin import BadOrigin, check_origin
from kemu.server.wire import Follow, Refused, decode_wish, encode
from kemu.storage.errors import UnknownMatch

MALFORMED: Final = 4400
FORBIDDEN: Final = 4403
UNKNOWN: Final = 4404

STRIKES: Final = 20
"""So many messages that are no commands, and the client is taken for broken."""

PATIENCE: Final = 1.0
"""Seconds for which a closing socket may take its last message."""

_PATH: Final = re.compile(r"/api/matches/([^/]+)/socket")


class _Named(Struct):
    """As much of a malformed command as an answer needs."""

    id: Id | UnsetType = UNSET


async def serve_socket(scope: Any, receive: Receive, send: Send, hall: Hall, identity: Identity) -> None:
    """Play or watch one match."""
    await receive()  # the wish to connect
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    path = _PATH.fullmatch(scope["path"])
    try:
        check_origin(headers, hall.settings)
    except BadOrigin:
        path = None
    if path is None:
        await send({"type": "websocket.close", "code": FORBIDDEN})  # not accepted: the page learns nothing
        return
    await send({"type": "websocket.accept"})
    try:
        query = dict(parse_qsl(scope["query_string"].decode("latin-1")))
        wish, after = _number(query, "seat"), _number(query, "after")
        visitor = await identity.visitor(cookie_in(headers.get("cookie", "")), headers.get("authorization"))
        live = await hall.table(path[1])
        seat = seat_for(await live.settled(), visitor.id, wish)
        _check_room(hall, live, visitor.id, seat)
    except KemuError as error:
        await _refuse(send, error)
        return
    session = _Session(receive, send, hall, live, visitor.id, seat)
    await session.run(after)


class _Session:
    """The life of one socket from its acceptance on."""

    def __init__(self, receive: Receive, send: Send, hall: Hall, live: LiveTable, player: str, seat: int) -> None:
        self._receive = receive
        self._send = send
        self._hall = hall
        self._live = live
        self._task = asyncio.current_task()
        self._code: int | None = None
        self._strikes = 0
        rate = hall.settings.messages_per_second
        self._connection = Connection(player, seat, rate, monotonic(), send, self._end)

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
                await asyncio.wait_for(self._send({"type": "websocket.close", "code": self._code}), PATIENCE)

    async def _listen(self) -> None:
        receive, connection = self._receive, self._connection
        while True:
            message = await receive()
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
            if type(wish) is Follow:
                await self._follow(wish)
            else:
                self._live.submit(partial(self._live.wish, connection, wish))

    async def _follow(self, wish: Follow) -> None:
        """Go on with another match."""
        connection = self._connection
        try:
            live = await self._hall.table(wish.match)
            seat = seat_for(await live.settled(), connection.player, None)
            _check_watching(self._hall, live, seat)
        except KemuError as error:
            self._refuse(error.code, str(error), wish.id)
            return
        self._live.leave(connection)
        self._live, connection.seat = live, seat
        live.submit(partial(live.enter, connection, None, wish.id))

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
    _check_watching(hall, live, seat)


def _check_watching(hall: Hall, live: LiveTable, seat: int) -> None:
    if seat != SPECTATOR:
        return
    watching = sum(connection.seat == SPECTATOR for connection in live.connections)
    if watching >= hall.settings.spectators:
        raise TooMany("This match has as many spectators as it can take.")


def _number(query: dict[str, str], name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise ParseError(f"'{name}' must be a whole number, not {quote(text)}.")
    return int(text)


async def _refuse(send: Send, error: KemuError) -> None:
    """Say why, then close."""
    code = FORBIDDEN
    if isinstance(error, UnknownMatch):
        code = UNKNOWN
    elif isinstance(error, TooMany):
        code = FLOOD
    elif isinstance(error, ParseError):
        code = MALFORMED
    with contextlib.suppress(Exception):
        await send({"type": "websocket.send", "text": encode(Refused(error.code, str(error))).decode()})
        await send({"type": "websocket.close", "code": code})
