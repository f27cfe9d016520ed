"""The actor of a match: its connections look through seats, and it knows which of the players are away."""

import asyncio
import logging
from asyncio import TimerHandle
from collections.abc import Callable, Iterable
from functools import partial
from typing import ClassVar, Final

from msgspec import UNSET, UnsetType
from websockets.frames import CloseCode

from kemu.core.game import SPECTATOR, Seat
from kemu.play.commands import AnyCommand, SeatCommand, TableCommand
from kemu.play.decide import TableRules
from kemu.play.errors import NotYours
from kemu.play.events import Entry
from kemu.play.runner import Journal
from kemu.play.table import Table
from kemu.server.limits import TooMany
from kemu.server.live.actor import FULL, Actor, Render
from kemu.server.live.connection import Asked, DocumentConnection
from kemu.server.live.frames import READING, Full, Look, Ping, Pong, Refused, Resumed, decode_message, encode
from kemu.server.live.presence import MatchPresence, PresenceTracker
from kemu.server.live.render import EntryFrames, Viewer, clock_frame, full_frame
from kemu.server.runtime import now_ms

PRESENCE_DELAY_SECONDS: Final = 1.0
"""How long changes in the number of spectators are gathered before they are published."""

log = logging.getLogger(__name__)


class MatchActor(Actor[Table, TableCommand, Entry, Seat]):
    """Owns one match, and decides what each connection may see of it."""

    reading: ClassVar[tuple[type, ...]] = READING

    def __init__(
        self,
        table: Table,
        rules: TableRules,
        journal: Journal[Table, Entry],
        presence: PresenceTracker,
        changed: Callable[["MatchActor"], None],
    ) -> None:
        super().__init__(table, rules, journal, decode_message)
        self.presence = MatchPresence(table.id, presence)
        self._changed = changed
        self._presence_timer: TimerHandle | None = None
        self.presence.update(table.players)

    @property
    def table(self) -> Table:
        """The newest table that was saved here."""
        return self._runner.document

    # Connections.

    def admit(self, player: str, asked: Asked, room: int) -> Seat:
        """Return the seat that a player looks through. Raises NotYours, and TooMany for one spectator too many."""
        seat = self.seat_for(player, asked.seat)
        if seat == SPECTATOR and self._watching() >= room:
            reason = "This match has as many spectators as it can take." if room else FULL
            raise TooMany(reason)
        return seat

    def seat_for(self, player: str, wanted: Seat | None) -> Seat:
        """Return the seat that a player looks through: the one asked for, else the first of theirs, else none.

        Raises NotYours if the seat asked for belongs to somebody else.
        """
        seats = self.table.seats(player)
        if wanted is None:
            return seats[0] if seats else SPECTATOR
        if wanted != SPECTATOR and wanted not in seats:
            raise NotYours(f"Seat {wanted} belongs to somebody else.")
        return wanted

    def message_received(self, connection: DocumentConnection, message: AnyCommand | Full | Look | Ping) -> None:
        """Take a message of a connection; each gets exactly one answer."""
        match message:
            case Ping():
                self._runner.call(lambda: connection.send(encode(Pong(message.id, message.t, now_ms()))))
            case Full():
                self._runner.call(partial(self._send_full, connection, message.id))
            case Look():
                self._runner.call(partial(self._look, connection, message))
            case _ if connection in self._viewers:
                self._command(connection, message)
            case _:  # it is about to be connected, or went on to another match
                self._runner.call(partial(self._command, connection, message))

    def _connect(self, connection: DocumentConnection, view: Seat, after: int | None, re: str | UnsetType) -> None:
        if connection.closed:
            return
        table = self.table
        self._viewers[connection] = seat = _valid_seat(table, connection.player, view)
        if after == table.version:
            now = now_ms()
            connection.send(encode(Resumed(table.version, now, clock_frame(table, now))))
        else:
            self._send_full(connection, re)
        self.presence.opened(seat)
        self._presence_changed(connection)

    def _disconnected(self, view: Seat) -> None:
        self.presence.closed(view)
        self._presence_changed()

    def _send_full(self, connection: DocumentConnection, re: str | UnsetType = UNSET) -> None:
        """Send everything that the connection may see; a fault in the rules closes it."""
        try:
            frame = full_frame(self.table, self._viewer(connection), now_ms(), re)
        except Exception as error:
            log.error("frame failed", exc_info=error)
            connection.close(CloseCode.INTERNAL_ERROR)
            return
        connection.send(frame)

    def _look(self, connection: DocumentConnection, message: Look) -> None:
        if message.seat != SPECTATOR and message.seat not in self.table.seats(connection.player):
            error = NotYours(f"Seat {message.seat} belongs to somebody else.")
            connection.send(encode(Refused.by(error, message.id)))
        elif connection in self._viewers:
            self._move(connection, message.seat)
            self._send_full(connection, message.id)
            self._presence_changed(connection)

    def _command(self, connection: DocumentConnection, command: AnyCommand) -> None:
        seat = self._viewers.get(connection, SPECTATOR)
        self._submit(connection, command.id, SeatCommand(seat, connection.player, command, self.presence.away))

    def _viewer(self, connection: DocumentConnection) -> Viewer:
        seat = _valid_seat(self.table, connection.player, self._viewers.get(connection, SPECTATOR))
        return Viewer(seat, connection.player, connection.text)

    def _move(self, connection: DocumentConnection, seat: Seat) -> None:
        """Let a connection look through another seat."""
        self.presence.closed(self._viewers[connection])
        self._viewers[connection] = seat
        self.presence.opened(seat)

    # Publishing.

    def _render(self, before: Table, entry: Entry, after: Table) -> Render[Seat]:
        """Return what makes the frame of each connection, for the seat that its player holds now."""
        frames = EntryFrames(before, entry, after)

        def render(connection: DocumentConnection, seat: Seat, re: str | UnsetType) -> bytes:
            now_at = _valid_seat(after, connection.player, seat)
            if now_at == SPECTATOR and before.players is not after.players:
                now_at = _seat_taken(before, after, connection.player)
            if now_at == seat:
                return frames.frame(Viewer(seat, connection.player, connection.text), re)
            self._move(connection, now_at)
            return full_frame(after, self._viewer(connection), entry.at, re)

        return render

    def _applied(self, before: Table, entry: Entry, after: Table) -> None:
        if before.players is not after.players:
            self.update_presence()
        self._changed(self)

    # Presence.

    def update_presence(self) -> None:
        """Publish which players are here if that has changed."""
        if self.presence.update(self.table.players):
            self._send_presence(self._viewers)

    def _presence_changed(self, connection: DocumentConnection | None = None) -> None:
        """Publish changes of seats at once, of spectators after a delay; `connection` is sent the state at once."""
        if self.presence.update(self.table.players):
            self._send_presence(self._viewers)
            return
        if connection is not None:
            self._send_presence([connection])
        if self._viewers and self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_DELAY_SECONDS, self._presence_due)

    def _presence_due(self) -> None:
        self._presence_timer = None
        self._send_presence(self._viewers)

    def _send_presence(self, connections: Iterable[DocumentConnection]) -> None:
        frame = self.presence.frame(self._watching())
        for connection in tuple(connections):
            connection.send(frame)

    def _watching(self) -> int:
        return sum(seat == SPECTATOR for seat in self._viewers.values())


def _valid_seat(table: Table, player: str, seat: Seat) -> Seat:
    """Return this seat if the player holds it now, else that of a spectator."""
    holder = None if seat == SPECTATOR else table.players[seat]
    return seat if holder is not None and holder.id == player else SPECTATOR


def _seat_taken(before: Table, after: Table, player: str) -> Seat:
    """Return the first seat that a player took between two tables, else that of a spectator."""
    held = before.seats(player)
    return next((seat for seat in after.seats(player) if seat not in held), SPECTATOR)
