"""A table with its sockets: one job at a time, and save, then tell."""

import asyncio
import logging
from asyncio import Future
from collections import deque
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from msgspec import UNSET, UnsetType

from kemu.core.errors import KemuError
from kemu.core.game import SPECTATOR
from kemu.play import events
from kemu.play.commands import AnyCommand
from kemu.play.decisions import take
from kemu.play.errors import NotYours, StaleVersion
from kemu.play.events import Entry, decode_entry, encode_entry
from kemu.play.table import Table
from kemu.server.telling import answering, clock_frame, event_frames, full_frame
from kemu.server.wire import Done, Follow, Full, Here, Look, Ping, Pong, Presence, Refused, Resumed, Wish, encode
from kemu.storage.errors import StoreAway
from kemu.storage.store import Append, row, tended

if TYPE_CHECKING:
    from kemu.server.hall import Hall
    from kemu.server.socket import Connection

RETRY: Final = 0.5
"""Seconds between attempts to read a match again while the store is away."""

FAULT: Final = 1011
"""The closing code of sockets that cannot be told what happened, for a fault of ours."""

log = logging.getLogger(__name__)


class Fault(KemuError):
    """Something went wrong that should not."""

    code = "internal"


Decide = Callable[[Table, int], Entry]


class LiveTable:
    """Runs one table. While an entry is being saved nobody is told of it and no other job begins."""

    def __init__(self, hall: "Hall", table: Table) -> None:
        self.hall = hall
        self.table = table
        self.connections: set[Connection] = set()
        self.asked = (0, "")  # the version whose position a bot was asked about, and that bot
        self.used = hall.now()
        self._told = table.version
        self._status = table.status
        self._tended = tended(table)
        self._jobs: deque[Callable[[], None]] = deque()
        self._busy = False
        self._behind = False  # another process has gone on, and nobody here had to know

    @property
    def idle(self) -> bool:
        """Whether nobody is here and nothing is under way."""
        return not (self.connections or self._busy or self._jobs)

    # Jobs.

    def submit(self, job: Callable[[], None]) -> None:
        """Run a job when all before it are done, at a table that is up to date."""
        self._come_up()
        if self._busy:
            self._jobs.append(job)
        else:
            job()

    async def settled(self) -> Table:
        """The table when all that happened at it is saved, so that it may be shown."""
        self._come_up()
        if self._busy:
            done: Future[None] = asyncio.get_running_loop().create_future()
            self._jobs.append(lambda: done.set_result(None) if not done.done() else None)
            await done
            return await self.settled()
        return self.table

    def enter(self, connection: "Connection", after: int | None, re: str | UnsetType = UNSET) -> None:
        """Somebody comes, with nothing or with all up to a version."""
        if connection.closed:
            return
        table, now = self.table, self.hall.now()
        if after == table.version:
            connection.send(encode(Resumed(table.version, now, clock_frame(table, now))))
        else:
            connection.send(full_frame(table, connection.seat, connection.player, now, re))
        self.connections.add(connection)
        self.hall.came(self, connection)

    def leave(self, connection: "Connection") -> None:
        """Somebody goes."""
        if connection in self.connections:
            self.connections.discard(connection)
            self.used = self.hall.now()
            self.hall.went(self, connection)

    def wish(self, connection: "Connection", wish: Wish) -> None:
        """Somebody wishes something; every wish is answered."""
        now = self.hall.now()
        match wish:
            case Ping():
                connection.send(encode(Pong(wish.id, wish.t, now)))
            case Full():
                connection.send(full_frame(self.table, connection.seat, connection.player, now, wish.id))
            case Look():
                self._look(connection, wish, now)
            case Follow():
                raise AssertionError("a socket follows before it reaches a table")
            case _:
                self._command(connection, wish)

    def request(self, decide: Decide, done: "Future[None]") -> None:
        """Do what came over HTTP, or what the server does by itself."""

        def answer(error: KemuError | None) -> None:
            if done.cancelled():
                return
            if error is None:
                done.set_result(None)
            else:
                done.set_exception(error)

        self._do(decide, partial(self.request, decide, done), answer)

    def expire(self) -> None:
        """End the match if somebody's time is used up."""
        entry = self.table.flag(self.hall.now())
        if entry is None:
            self.hall.tender.tend(self)
        else:
            self._save(entry, self.expire, _ignore)

    def _command(self, connection: "Connection", command: AnyCommand) -> None:
        version = self.table.done(connection.player, command.id)
        if version is not None:
            connection.send(encode(Done(command.id, version)))
            return

        def answer(error: KemuError | None) -> None:
            if error is not None:
                connection.send(encode(Refused(error.code, str(error), command.id)))

        def decide(table: Table, at: int) -> Entry:
            return take(table, command, connection.seat, connection.player, at)

        self._do(decide, partial(self._command, connection, command), answer, connection, command.id)

    def _look(self, connection: "Connection", wish: Look, now: int) -> None:
        if wish.seat != SPECTATOR and wish.seat not in self.table.seats(connection.player):
            error = NotYours(f"Seat {wish.seat} belongs to somebody else.")
            connection.send(encode(Refused(error.code, str(error), wish.id)))
            return
        self.hall.went(self, connection)
        connection.seat = wish.seat
        connection.send(full_frame(self.table, wish.seat, connection.player, now, wish.id))
        self.hall.came(self, connection)

    # Save, then tell.

    def _do(
        self,
        decide: Decide,
        again: Callable[[], None],
        answer: Callable[[KemuError | None], None],
        origin: "Connection | None" = None,
        command: str = "",
    ) -> None:
        at = self.hall.now()
        entry = self.table.flag(at)
        if entry is not None:  # the time was up before this came
            self._jobs.appendleft(again)
            self._save(entry, self.expire, _ignore)
            return
        try:
            entry = decide(self.table, at)
        except KemuError as error:
            answer(error)
            return
        except Exception as error:  # a fault in the rules: this table may be half changed
            log.error("command failed", exc_info=error)
            answer(Fault("A fault of ours; nothing was changed."))
            self._busy = True
            self.hall.spawn(self._read_again())
            return
        self._save(entry, again, answer, origin, command)

    def _save(
        self,
        entry: Entry,
        again: Callable[[], None],
        answer: Callable[[KemuError | None], None],
        origin: "Connection | None" = None,
        command: str = "",
    ) -> None:
        table = self.table
        ended = self._status in ("open", "running") and table.status in ("finished", "aborted")
        changed = table.status != self._status or type(entry.events[0]) in _LISTED
        appends = [Append(table.terms.id, table.version, encode_entry(entry), row(table) if changed else None)]
        following: Table | None = None
        if type(entry.events[-1]) is events.Rematched:
            first, following = self.hall.following(table, entry.at)
            appends.append(first)
        self._busy = True

        def saved(done: "Future[None]") -> None:
            error = done.exception()
            if error is not None:
                self._astray(error, again, answer)
                return
            self.hall.counts["entries"] += 1
            if following is not None:
                self.hall.began(following)
            if ended:
                self.hall.ended(table)
            elif changed and not self._tended and tended(table):
                self.hall.tender.own(table.terms.id)
            self._tell(entry, origin, command)
            answer(None)
            self._free()

        self.hall.store.journal.write(appends).add_done_callback(saved)

    def _free(self) -> None:
        """Go on with the jobs that wait."""
        self._busy = False
        self.hall.tender.tend(self)
        while self._jobs and not self._busy:
            self._jobs.popleft()()

    def _tell(self, entry: Entry, origin: "Connection | None" = None, command: str = "") -> None:
        """Send the newest entry to everybody, each with the content of the own seat."""
        table = self.table
        self._told, self._status, self._tended = table.version, table.status, tended(table)
        try:
            frames = event_frames(table, entry, {connection.seat for connection in self.connections})
        except Exception as error:  # what was saved stays saved; who comes back may have more luck
            log.error("telling failed", exc_info=error)
            for connection in tuple(self.connections):
                connection.drop(FAULT)
            return
        for connection in tuple(self.connections):
            frame = frames[connection.seat]
            connection.send(answering(frame, command) if connection is origin else frame)
        if origin is not None and origin not in self.connections:
            origin.send(encode(Done(command, table.version)))

    def tell_presence(self, connections: "Iterable[Connection] | None" = None) -> None:
        """Say who is here, to everybody or to some."""
        seats = [Here(seat not in self.table.away, self.table.away.get(seat, UNSET)) for seat in self._seats()]
        watching = sum(connection.seat == SPECTATOR for connection in self.connections)
        frame = encode(Presence(seats, watching))
        for connection in tuple(self.connections if connections is None else connections):
            connection.send(frame)

    def _seats(self) -> range:
        return range(len(self.table.players))

    # When the store knows better.

    def hear(self, version: int) -> None:
        """Another process has saved this version; it is read when somebody here needs it."""
        if self.idle and not self.hall.tender.owns(self.table.terms.id):
            self._behind = self._behind or version > self.table.version
        else:
            self.submit(partial(self._hear, version))

    def _hear(self, version: int) -> None:
        if version > self.table.version:
            self.check()

    def _come_up(self) -> None:
        if self._behind:
            self._behind = False
            self.check()

    def check(self) -> None:
        """Read what was saved elsewhere."""
        self._busy = True
        self.hall.spawn(self._catch_up())

    def _astray(
        self, error: BaseException, again: Callable[[], None], answer: Callable[[KemuError | None], None]
    ) -> None:
        """This table holds an entry that was not saved, or nobody knows: read the match again, then go on."""
        if isinstance(error, StaleVersion):
            self._jobs.appendleft(again)
        else:
            log.warning("append failed", exc_info=error)
            answer(StoreAway("The database is away; send the command again with the same id."))
        self.hall.spawn(self._read_again())

    async def _read_again(self) -> None:
        while True:
            try:
                fresh, entries = await self.hall.read(self.table.terms.id)
                break
            except Exception as error:
                log.warning("match cannot be read yet", exc_info=error)
                await asyncio.sleep(RETRY)
        fresh.away = self.table.away
        self.table = fresh
        self._replay(entries)

    async def _catch_up(self) -> None:
        try:
            entries = await self.hall.store.matches.entries(self.table.terms.id, self.table.version)
        except Exception as error:
            log.warning("entries cannot be read", exc_info=error)
            await self._read_again()
            return
        self._replay([decode_entry(entry) for entry in entries])

    def _replay(self, entries: list[Entry]) -> None:
        """Let saved entries happen, and tell those that nobody here was told of."""
        for entry in entries:
            self.table.replay(entry)
            if self.table.version > self._told:
                self._tell(entry)
        self._free()


def _ignore(error: KemuError | None) -> None:
    """Nobody waits for this answer."""


_LISTED: Final = frozenset({events.Joined, events.Left, events.Replaced, events.Offered, events.Accepted})
"""Entries that begin with these may change what the lists show: who sits where, and which match comes next."""
