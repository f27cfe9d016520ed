"""The socket of a match: somebody comes, is told, wishes, goes."""

import asyncio
import contextlib
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Final
from urllib.parse import parse_qsl

import msgspec
from msgspec import UNSET, Struct, UnsetType

from kemu.core.document import quote
from kemu.core.errors import KemuError, ParseError
from kemu.core.game import SPECTATOR, Seat
from kemu.play.commands import Id
from kemu.play.errors import NotYours
from kemu.play.table import Table
from kemu.server.hall import Hall
from kemu.server.handover import POSSIBLE, Accepted, Handover
from kemu.server.identity import Identity, cookie_in
from kemu.server.limits import Allowance, TooMany
from kemu.server.live import LiveTable
from kemu.server.origin import BadOrigin, check_origin
from kemu.server.websocket import SERVICE, Limits, Taken, WebSocket
from kemu.server.wire import Follow, Refused, decode_wish, encode
from kemu.storage.errors import UnknownMatch

MALFORMED: Final = 4400
FORBIDDEN: Final = 4403
UNKNOWN: Final = 4404
FLOOD: Final = 4429

STRIKES: Final = 20
"""So many messages that are no commands, and the client is taken for broken."""

BEAT: Final = 20.0
"""Seconds between pings; who has not answered one before the next is gone."""

_PATH: Final = re.compile(r"/api/matches/([^/?]+)/socket(?:\?(.*))?")


class _Named(Struct):
    """As much of a malformed command as an answer needs."""

    id: Id | UnsetType = UNSET


class Sockets:
    """Lets people in, and notices when they are gone."""

    def __init__(self, hall: Hall, identity: Identity) -> None:
        self._hall = hall
        self._identity = identity
        self._open: set[WebSocket] = set()
        self._taken = Taken(set())
        self._handover: Handover | None = None

    def open(self) -> None:
        """Take sockets from other workers of this host, if there are any."""
        settings = self._hall.settings
        if settings.handover and POSSIBLE:
            self._handover = Handover(Path(settings.handover), self._hall.store.process, self._take)
            self._handover.open()

    def close(self) -> None:
        """Take no more, and tell those that were taken to come back; uvicorn tells the others."""
        if self._handover is not None:
            self._handover.close()
        for socket in tuple(self._taken.connections):
            socket.shutdown()

    def gives(self, path: str, connection: int, request: bytes) -> bool:
        """Whether another worker, where the match is at home, has taken the connection."""
        if self._handover is None:
            return False
        address = _PATH.fullmatch(path)
        return address is not None and self._handover.give(address[1], connection, request)

    def _take(self, connection: Accepted, request: bytes) -> None:
        """Serve a connection that another worker accepted."""
        self._hall.counts["taken"] += 1
        self._hall.spawn(self._serve(connection, request))

    async def _serve(self, connection: Accepted, request: bytes) -> None:
        limits, state = Limits(self._hall.settings.message_bytes), {SERVICE: self}
        connection.setblocking(False)
        _, socket = await asyncio.get_running_loop().connect_accepted_socket(
            lambda: WebSocket(limits, self._taken, state), connection
        )
        socket.data_received(request)

    def admits(self, path: str, headers: Mapping[str, str]) -> bool:
        """Whether this is the address of a socket, and the page asking is one of ours."""
        with contextlib.suppress(BadOrigin):
            check_origin(headers, self._hall.settings)
            return _PATH.fullmatch(path) is not None and not self._hall.closing
        return False

    def welcome(self, socket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        """Find out who comes to which match."""
        self._hall.spawn(self._welcome(socket, path, headers))

    def dropped(self) -> None:
        """Count a slow reader."""
        self._hall.counts["dropped"] += 1

    async def beat(self) -> None:
        """Ping all sockets, again and again."""
        while True:
            await asyncio.sleep(BEAT)
            for socket in tuple(self._open):
                socket.ping()

    async def _welcome(self, socket: WebSocket, path: str, headers: Mapping[str, str]) -> None:
        address = _PATH.fullmatch(path)
        assert address is not None, "other paths are not admitted"
        try:
            query = dict(parse_qsl(address[2] or ""))
            wish, after = _number(query, "seat"), _number(query, "after")
            visitor = await self._identity.visitor(cookie_in(headers.get("cookie", "")), headers.get("authorization"))
            live = await self._hall.table(address[1])
            seat = _seat_for(await live.settled(), visitor.id, wish)
            _check_room(self._hall, live, visitor.id, seat)
        except KemuError as error:
            socket.send(encode(Refused(error.code, str(error))))
            socket.close(_closing_code(error))
            return
        socket.client = connection = Connection(self, socket, self._hall, live, visitor.id, seat)
        self._open.add(socket)
        self._hall.sockets[visitor.id] += 1
        live.submit(partial(live.enter, connection, after))
        socket.resume()

    def forget(self, socket: WebSocket, player: str) -> None:
        """A socket is gone."""
        self._open.discard(socket)
        self._hall.sockets[player] -= 1
        if not self._hall.sockets[player]:
            del self._hall.sockets[player]


class Connection:
    """Somebody who plays or watches one match."""

    __slots__ = ("_allowance", "_hall", "_live", "_socket", "_sockets", "_strikes", "closed", "player", "seat")

    def __init__(
        self, sockets: Sockets, socket: WebSocket, hall: Hall, live: LiveTable, player: str, seat: Seat
    ) -> None:
        self.player = player
        self.seat = seat
        self.closed = False
        self._sockets = sockets
        self._socket = socket
        self._hall = hall
        self._live = live
        self._strikes = 0
        self._allowance = Allowance(hall.settings.messages_per_second, monotonic())

    def send(self, frame: bytes) -> None:
        """Send a message; never waits."""
        self._socket.send(frame)

    def drop(self, code: int) -> None:
        """Close the socket."""
        self._socket.close(code)

    def hear(self, message: bytes) -> None:
        """Somebody wishes something."""
        if not self._allowance.spend(monotonic()):
            self._refuse(TooMany.code, "Too many messages; come back later.", UNSET)
            self._socket.close(FLOOD)
            return
        try:
            wish = decode_wish(message)
        except msgspec.MsgspecError as error:
            self._malformed(message, error)
            return
        if type(wish) is Follow:
            self._socket.pause()
            self._hall.spawn(self._follow(wish))
        else:
            self._live.submit(partial(self._live.wish, self, wish))

    def lost(self) -> None:
        """The socket is gone."""
        self.closed = True
        self._live.leave(self)
        self._sockets.forget(self._socket, self.player)

    async def _follow(self, wish: Follow) -> None:
        """Go on with another match."""
        try:
            live = await self._hall.table(wish.match)
            seat = _seat_for(await live.settled(), self.player, None)
            _check_watching(self._hall, live, seat)
        except KemuError as error:
            self._refuse(error.code, str(error), wish.id)
        else:
            self._live.leave(self)
            self._live, self.seat = live, seat
            live.submit(partial(live.enter, self, None, wish.id))
        self._socket.resume()

    def _malformed(self, message: bytes, error: Exception) -> None:
        name: Id | UnsetType = UNSET
        with contextlib.suppress(msgspec.MsgspecError):
            name = msgspec.json.decode(message, type=_Named).id
        self._refuse(ParseError.code, f"This is no command: {str(error)[:200]}.", name)
        self._strikes += 1
        if self._strikes >= STRIKES:
            self._socket.close(MALFORMED)

    def _refuse(self, code: str, message: str, name: Id | UnsetType) -> None:
        self._hall.counts["refusals"] += 1
        self.send(encode(Refused(code, message, name)))


def _seat_for(table: Table, player: str, wish: Seat | None) -> Seat:
    """The seat a socket looks through: the one asked for if it is theirs, else their first, else none."""
    seats = table.seats(player)
    if wish is None:
        return seats[0] if seats else SPECTATOR
    if wish != SPECTATOR and wish not in seats:
        raise NotYours(f"Seat {wish} belongs to somebody else.")
    return wish


def _check_room(hall: Hall, live: LiveTable, player: str, seat: Seat) -> None:
    if hall.sockets[player] >= hall.settings.sockets_per_player:
        raise TooMany("You have too many sockets open.")
    _check_watching(hall, live, seat)


def _check_watching(hall: Hall, live: LiveTable, seat: Seat) -> None:
    if seat != SPECTATOR:
        return
    watching = sum(connection.seat == SPECTATOR for connection in live.connections)
    if watching >= hall.settings.spectators:
        raise TooMany("This match has as many spectators as it can take.")


def _number(query: Mapping[str, str], name: str) -> int | None:
    text = query.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"-?[0-9]{1,9}", text, re.ASCII):
        raise ParseError(f"'{name}' must be a whole number, not {quote(text)}.")
    return int(text)


def _closing_code(error: KemuError) -> int:
    match error:
        case UnknownMatch():
            return UNKNOWN
        case TooMany():
            return FLOOD
        case ParseError():
            return MALFORMED
        case _:
            return FORBIDDEN
