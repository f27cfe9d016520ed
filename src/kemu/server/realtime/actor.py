"""The actor of a match: it alone changes the match, keeps its connections, and decides what each of them may see.

Commands are run one at a time: decide, append to the store, then publish. An entry that was not saved is never seen.
"""

import asyncio
import logging
from asyncio import Future, TimerHandle
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final, Protocol

from msgspec import UNSET, UnsetType

from kemu.core.game import SPECTATOR, Seat
from kemu.play.commands import AnyCommand, SeatCommand, TableCommand
from kemu.play.dealer import Dealer
from kemu.play.errors import AlreadyDone, NotYours
from kemu.play.events import Entry
from kemu.play.runner import Journal, Runner
from kemu.play.table import Table
from kemu.server.limits import TooMany
from kemu.server.realtime.completion import presentable, resolve, within_time
from kemu.server.realtime.frames import (
    Done,
    Full,
    Look,
    Ping,
    Pong,
    Refused,
    Resumed,
    encode,
)
from kemu.server.realtime.presence import MatchPresence, PresenceTracker
from kemu.server.realtime.render import EntryFrames, Viewer, clock_frame, full_frame
from kemu.server.runtime import now_ms

INTERNAL_ERROR: Final = 1011
"""The closing code of sockets whose frames cannot be made."""

TRY_AGAIN: Final = 1013
"""The closing code of sockets that cannot be served because the database is away: open again after a moment."""

PRESENCE_DELAY_SECONDS: Final = 1.0
"""How long changes in the number of spectators are gathered before they are published."""

log = logging.getLogger(__name__)


class Connection(Protocol):
    """A socket at a match, of one player."""

    @property
    def player(self) -> str:
        """The id of the player who opened it."""

    @property
    def text(self) -> bool:
        """Whether its frames have text drawings."""

    @property
    def closed(self) -> bool:
        """Whether it is closed already."""

    def send(self, frame: bytes) -> None:
        """Send a message; never waits."""

    def close(self, code: int) -> None:
        """Close the socket."""


ActorMessage = AnyCommand | Full | Look | Ping
"""What a connection can send to an actor."""


class _Pending:
    """A command that waits for its answer."""

    __slots__ = ("answered", "command", "connection")

    def __init__(self, connection: Connection, command: str) -> None:
        self.connection = connection
        self.command = command
        self.answered = False


class MatchActor:
    """Owns one match: its runner with the newest saved table, its connections, and who of the players is away."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        dealer: Dealer,
        presence: PresenceTracker,
        changed: Callable[["MatchActor"], None],
    ) -> None:
        self._presence = MatchPresence(table.terms.id, presence)
        self._changed = changed
        self._runner = Runner(table, journal, dealer, now_ms, self._entry_applied)
        self._seats: dict[Connection, Seat] = {}  # the seat that each connection looks through
        self._pending: dict[tuple[str, str], _Pending] = {}  # commands without an answer yet, by player and id
        self._presence_timer: TimerHandle | None = None
        self._used_ms = now_ms()
        self._presence.update(table.players)

    # What others may know of it.

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.table.terms.id

    @property
    def table(self) -> Table:
        """The newest table that was saved here; another process may have gone on."""
        return self._runner.table

    @property
    def presence(self) -> MatchPresence:
        """Which seats have sockets, and since when the others have been away."""
        return self._presence

    @property
    def idle(self) -> bool:
        """Whether there is no connection and no command."""
        return not self._seats and self._runner.idle

    @property
    def used_ms(self) -> int:
        """When the actor was last asked for, or left by a connection."""
        return self._used_ms

    def touch(self) -> None:
        """Note that the actor is in use."""
        self._used_ms = now_ms()

    async def current(self) -> Table:
        """The table after all commands before this call and all entries of other processes known here.

        Raises StoreUnavailable if these cannot be read in time.
        """
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._runner.call(lambda: None if done.done() else done.set_result(None))
        await within_time(done)
        return self.table

    # Commands of the routes and the jobs.

    async def execute(self, command: TableCommand) -> None:
        """Run a command and wait until it is saved; raises why it was refused.

        Raises StoreUnavailable if it was not saved in time; then it is not known whether it will be.
        """
        done: Future[None] = asyncio.get_running_loop().create_future()
        self._runner.submit(command, partial(resolve, done))
        await within_time(done)

    # Entries of other processes.

    def replay(self, entries: Sequence[Entry]) -> None:
        """Apply stored entries, before there is any connection."""
        self._runner.replay(entries)

    def entry_announced(self, version: int, *, read_now: bool) -> None:
        """Another process has saved this version; it is read now, or when it is needed."""
        if version > self.table.version:
            self.refresh() if read_now or not self.idle else self._runner.outdated()

    def refresh(self) -> None:
        """Read what other processes may have saved."""
        self._runner.catch_up()

    # Connections.

    def seat_for(self, player: str, wanted: Seat | None) -> Seat:
        """The seat that a player looks through: the one asked for, else the first of theirs, else none.

        Raises NotYours if the seat asked for belongs to somebody else.
        """
        seats = self.table.seats(player)
        if wanted is None:
            return seats[0] if seats else SPECTATOR
        if wanted != SPECTATOR and wanted not in seats:
            raise NotYours(f"Seat {wanted} belongs to somebody else.")
        return wanted

    def check_spectators(self, seat: Seat, most: int) -> None:
        """Raise TooMany if a connection at this seat would be one spectator too many."""
        if seat == SPECTATOR and self._watching() >= most:
            raise TooMany("This match has as many spectators as it can take.")

    def connect(
        self, connection: Connection, seat: Seat, after: int | None = None, re: str | UnsetType = UNSET
    ) -> None:
        """Add a connection that looks through this seat and has all up to version `after`."""
        self._runner.call(partial(self._connect, connection, seat, after, re))

    def disconnect(self, connection: Connection) -> None:
        """Remove a connection."""
        seat = self._seats.pop(connection, None)
        if seat is not None:
            self.touch()
            self._presence.closed(seat)
            self._presence_changed()

    def close_connections(self, code: int) -> None:
        """Close all connections with this code."""
        for connection in tuple(self._seats):
            connection.close(code)

    def message_received(self, connection: Connection, message: ActorMessage) -> None:
        """Take a message of a connection; each gets exactly one answer."""
        match message:
            case Ping():
                self._runner.call(lambda: connection.send(encode(Pong(message.id, message.t, now_ms()))))
            case Full():
                self._runner.call(partial(self._send_full, connection, message.id))
            case Look():
                self._runner.call(partial(self._look, connection, message))
            case _ if connection in self._seats:
                self._command(connection, message)
            case _:  # it is about to be connected, or went on to another match
                self._runner.call(partial(self._command, connection, message))

    def _connect(self, connection: Connection, seat: Seat, after: int | None, re: str | UnsetType) -> None:
        if connection.closed:
            return
        table = self.table
        self._seats[connection] = seat = _valid_seat(table, connection.player, seat)
        if after == table.version:
            now = now_ms()
            connection.send(encode(Resumed(table.version, now, clock_frame(table, now))))
        else:
            self._send_full(connection, re)
        self._presence.opened(seat)
        self._presence_changed(connection)

    def _send_full(self, connection: Connection, re: str | UnsetType = UNSET) -> None:
        """Send everything that the connection may see; a fault in the rules closes it."""
        try:
            frame = full_frame(self.table, self._viewer(connection), now_ms(), re)
        except Exception as error:
            log.error("frame failed", exc_info=error)
            connection.close(INTERNAL_ERROR)
            return
        connection.send(frame)

    def _look(self, connection: Connection, message: Look) -> None:
        if message.seat != SPECTATOR and message.seat not in self.table.seats(connection.player):
            error = NotYours(f"Seat {message.seat} belongs to somebody else.")
            connection.send(encode(Refused(error.code, str(error), message.id)))
        elif connection in self._seats:
            self._move(connection, message.seat)
            self._send_full(connection, message.id)
            self._presence_changed(connection)

    def _command(self, connection: Connection, command: AnyCommand) -> None:
        pending = _Pending(connection, command.id)
        self._pending.setdefault((connection.player, command.id), pending)
        asked = SeatCommand(self._seats.get(connection, SPECTATOR), connection.player, command, self._presence.away)
        self._runner.submit(asked, partial(self._answer, pending))

    def _answer(self, pending: "_Pending", error: Exception | None) -> None:
        """Answer a command that was not answered by its event, see `_publish`."""
        if pending.answered:
            return
        connection, command = pending.connection, pending.command
        if self._pending.get((connection.player, command)) is pending:
            del self._pending[connection.player, command]
        if error is None:  # the connection went on to another match before the event came
            error = AlreadyDone(self.table.version)
        if isinstance(error, AlreadyDone):
            connection.send(encode(Done(command, error.version)))
        else:
            reason = presentable(error)
            connection.send(encode(Refused(reason.code, str(reason), command)))

    # Publishing.

    def _entry_applied(self, before: Table, entry: Entry, after: Table) -> None:
        """Called by the runner for each entry, saved here or by another process."""
        if self._seats:
            try:
                self._publish(before, entry, after)
            except Exception as error:  # the entry stays saved; a client that connects again gets a full frame
                log.error("publishing failed", exc_info=error)
                self.close_connections(INTERNAL_ERROR)
        if before.players is not after.players:
            self.update_presence()
        self._changed(self)

    def _publish(self, before: Table, entry: Entry, after: Table) -> None:
        """Send an entry to every connection, each with the content of the seat that its player holds now."""
        frames = EntryFrames(before, entry, after)
        sender = self._take_sender(entry)
        for connection, seat in tuple(self._seats.items()):
            re = entry.command if connection is sender else UNSET
            now_at = _valid_seat(after, connection.player, seat)
            if now_at == SPECTATOR and before.players is not after.players:
                now_at = _seat_taken(before, after, connection.player)
            if now_at == seat:
                connection.send(frames.frame(Viewer(seat, connection.player, connection.text), re))
            else:
                self._move(connection, now_at)
                connection.send(full_frame(after, self._viewer(connection), entry.at, re))

    def _take_sender(self, entry: Entry) -> Connection | None:
        """The connection whose command made an entry, if it is still here; the event is then its answer."""
        pending = self._pending.get((entry.by, entry.command))
        if pending is None or pending.connection not in self._seats:
            return None
        del self._pending[entry.by, entry.command]
        pending.answered = True
        return pending.connection

    def _viewer(self, connection: Connection) -> Viewer:
        seat = _valid_seat(self.table, connection.player, self._seats.get(connection, SPECTATOR))
        return Viewer(seat, connection.player, connection.text)

    def _move(self, connection: Connection, seat: Seat) -> None:
        """Let a connection look through another seat."""
        self._presence.closed(self._seats[connection])
        self._seats[connection] = seat
        self._presence.opened(seat)

    # Presence.

    def update_presence(self) -> None:
        """Publish which players are here if that has changed."""
        if self._presence.update(self.table.players):
            self._send_presence(self._seats)

    def _presence_changed(self, connection: Connection | None = None) -> None:
        """Publish changes of seats at once, of spectators after a delay; `connection` is sent the state at once."""
        if self._presence.update(self.table.players):
            self._send_presence(self._seats)
            return
        if connection is not None:
            self._send_presence([connection])
        if self._seats and self._presence_timer is None:
            loop = asyncio.get_running_loop()
            self._presence_timer = loop.call_later(PRESENCE_DELAY_SECONDS, self._presence_due)

    def _presence_due(self) -> None:
        self._presence_timer = None
        self._send_presence(self._seats)

    def _send_presence(self, connections: Iterable[Connection]) -> None:
        frame = self._presence.frame(self._watching())
        for connection in tuple(connections):
            connection.send(frame)

    def _watching(self) -> int:
        return sum(seat == SPECTATOR for seat in self._seats.values())


def _valid_seat(table: Table, player: str, seat: Seat) -> Seat:
    """This seat if the player holds it now, else that of a spectator."""
    holder = None if seat == SPECTATOR else table.players[seat]
    return seat if holder is not None and holder.id == player else SPECTATOR


def _seat_taken(before: Table, after: Table, player: str) -> Seat:
    """The first seat that a player took between two tables, else that of a spectator."""
    held = before.seats(player)
    return next((seat for seat in after.seats(player) if seat not in held), SPECTATOR)
