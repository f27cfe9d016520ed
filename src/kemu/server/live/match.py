"""Live matches: an actor for each, whose connections look through seats, and the registry of those in this process.

The registry creates, loads and saves them with their rows and ratings, and owns those that jobs look after.
"""

import asyncio
import logging
from asyncio import TimerHandle
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar, Final, TypeAlias

from msgspec import UNSET, UnsetType
from websockets.frames import CloseCode

from kemu.core.game import SPECTATOR, AnyGame, Seat
from kemu.games import game as make_game
from kemu.games import series
from kemu.people.relations import check_apart
from kemu.people.turns import changed_turn, turn_of
from kemu.play.commands import (
    Accept,
    AnyCommand,
    Entry,
    Join,
    Offer,
    Rematched,
    SeatCommand,
    TableCommand,
    decode_entry,
    encode_entry,
)
from kemu.play.dealer import Dealer
from kemu.play.decide import TableRules
from kemu.play.errors import NotYours
from kemu.play.runner import Answer
from kemu.play.table import Ply, Table, new_table, next_match
from kemu.play.terms import Player, Terms
from kemu.server.live.actor import FULL, Actor, DocumentConnection, Render, presentable
from kemu.server.live.connection import Asked
from kemu.server.live.frames import (
    READING,
    Full,
    Look,
    Ping,
    Pong,
    Refused,
    Resumed,
    decode_message,
    encode,
    match_changed,
)
from kemu.server.live.presence import WORDS, MatchPresence, PresenceTracker
from kemu.server.live.registry import Registry
from kemu.server.live.render import EntryFrames, Viewer, clock_frame, full_frame, seat_taken, valid_seat
from kemu.server.ratings import rating_of
from kemu.server.runtime import Rates, Runtime, TooMany, now_ms
from kemu.storage.journal import Append
from kemu.storage.matches import is_scheduled, row

PRESENCE_DELAY_SECONDS: Final = 1.0
"""How long changes in the number of spectators are gathered before they are published."""

Seated: TypeAlias = Sequence[tuple[Seat, Player]]
log = logging.getLogger(__name__)


class MatchActor(Actor[Table, TableCommand, Entry, Seat]):
    """Owns one match, and decides what each connection may see of it."""

    reading: ClassVar[tuple[type, ...]] = READING

    def __init__(self, registry: "MatchRegistry", table: Table) -> None:
        super().__init__(table, registry.rules, registry, decode_message)
        self._registry = registry
        self.presence = MatchPresence(table.id, registry.presence)
        self._presence_timer: TimerHandle | None = None
        self._logs: dict[Seat, tuple[Ply | None, list[tuple[Seat, str]]]] = {}
        self.presence.update(table.players)

    # Connections.

    def admit(self, player: str, asked: Asked, room: int) -> Seat:
        """Return the seat that a player looks through. Raises NotYours, and TooMany for one spectator too many."""
        seat = self.seat_for(player, asked.seat)
        if seat == SPECTATOR and self._watching() >= room:
            raise TooMany("This match has as many spectators as it can take." if room else FULL)
        return seat

    def seat_for(self, player: str, wanted: Seat | None) -> Seat:
        """Return the seat that a player looks through: the one asked for, else the first of theirs, else none.

        Raises NotYours if the seat asked for belongs to somebody else.
        """
        seats = self.document.seats(player)
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
            case Full() if not connection.may_ask_for_all():
                connection.refuse(TooMany("You have asked for everything too often; wait a moment."), message.id)
            case Full():
                self._runner.call(partial(self._send_full, connection, message.id))
            case Look():
                self._runner.call(partial(self._look, connection, message))
            case Offer(what="rematch") | Accept(what="rematch"):
                connection.socket.pause()
                self._registry.start(self._ask_for_rematch(connection, message))
            case _ if connection in self._viewers:
                self._command(connection, message)
            case _:  # it is about to be connected, or went on to another match
                self._runner.call(partial(self._command, connection, message))

    def _connect(self, connection: DocumentConnection, view: Seat, after: int | None, re: str | UnsetType) -> None:
        if connection.closed:
            return
        table = self.document
        self._viewers[connection] = seat = valid_seat(table, connection.player, view)
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
            viewer = self._viewer(connection)
            frame = full_frame(self.document, viewer, now_ms(), re, self._log(viewer.seat))
        except Exception as error:
            log.error("frame failed", exc_info=error)
            connection.close(CloseCode.INTERNAL_ERROR)
            return
        connection.send(frame)

    def _log(self, seat: Seat) -> list[tuple[Seat, str]]:
        """Return the log as a seat may know it; it is made once for each position."""
        last, log = self._logs.get(seat, (None, []))
        if last is not self.document.last:
            log = self.document.log(seat)
            self._logs[seat] = self.document.last, log
        return log

    def _look(self, connection: DocumentConnection, message: Look) -> None:
        if message.seat != SPECTATOR and message.seat not in self.document.seats(connection.player):
            connection.send(encode(Refused.by(NotYours(f"Seat {message.seat} belongs to somebody else."), message.id)))
        elif connection in self._viewers:
            self._move(connection, message.seat)
            self._send_full(connection, message.id)
            self._presence_changed(connection)

    async def _ask_for_rematch(self, connection: DocumentConnection, message: Offer | Accept) -> None:
        """Run the command for a rematch if another match may be made; what its client sends next waits."""
        try:
            await self._registry.check_apart(connection.player, self.document)
            await self._registry.check_limits(self.document.terms.host, connection.owner.address)
        except Exception as error:
            connection.refuse(presentable(error), message.id)
        else:
            self._runner.call(partial(self._command, connection, message))
        finally:
            connection.socket.resume()

    def _command(self, connection: DocumentConnection, command: AnyCommand) -> None:
        seat = self._viewers.get(connection, SPECTATOR)
        self._submit(connection, command.id, SeatCommand(seat, connection.player, command, self.presence.away))

    def _viewer(self, connection: DocumentConnection) -> Viewer:
        seat = valid_seat(self.document, connection.player, self._viewers.get(connection, SPECTATOR))
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
            now_at = valid_seat(after, connection.player, seat)
            if now_at == SPECTATOR and before.players is not after.players:
                now_at = seat_taken(before, after, connection.player)
            if now_at == seat:
                return frames.frame(Viewer(seat, connection.player, connection.text), re)
            self._move(connection, now_at)
            return full_frame(after, self._viewer(connection), entry.at, re)

        return render

    def _applied(self, before: Table, entry: Entry, after: Table) -> None:
        if before.players is not after.players:
            self.update_presence()
        self._registry.table_changed(self)

    # Presence.

    def update_presence(self) -> None:
        """Publish which players are here if that has changed."""
        if self.presence.update(self.document.players):
            self._send_presence(self._viewers)

    def _presence_changed(self, connection: DocumentConnection | None = None) -> None:
        """Publish changes of seats at once, of spectators after a delay; `connection` is sent the state at once."""
        if self.presence.update(self.document.players):
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


class MatchRegistry(Registry[Table, Entry, MatchActor]):
    """Owns the actors of all matches in memory, and knows which matches this process owns.

    A match with a bot or a clock is owned by one process, where the jobs look after it. Should two processes own it for
    a while, nothing breaks: the store accepts only the first append of each version.
    """

    def __init__(self, runtime: Runtime) -> None:
        super().__init__(runtime, "match", decode_entry)
        notifications = self._store.notifications
        self.presence = PresenceTracker(notifications)
        self.rules = TableRules(Dealer())
        self._rates = Rates(runtime.settings.matches_per_minute)
        self.start: Final = runtime.tasks.start
        self._owned: set[str] = set()
        self._on_change: list[Callable[[MatchActor], None]] = []
        self._on_save: list[Callable[[Table | None, Table], None]] = []
        notifications.on_text.update(dict.fromkeys(WORDS, self._presence_received))
        notifications.on_resume.append(self.presence.ask_others)

    def subscribe_changes(self, changed: Callable[[MatchActor], None]) -> None:
        """Have a function called whenever an owned match is loaded or has a new table."""
        self._on_change.append(changed)

    def subscribe_saves(self, saved: Callable[[Table | None, Table], None]) -> None:
        """Have a function called with the tables before and after each entry that this process saved."""
        self._on_save.append(saved)

    def open(self) -> None:
        """Ask the other processes which players are there."""
        self.presence.ask_others()

    def close(self) -> None:
        """Own no matches any more."""
        self._owned.clear()

    # New matches, and those of other processes.

    async def check_limits(self, player: str, address: str) -> None:
        """Raise TooMany if this player, or this address, may make no more matches now, rematches included."""
        self._rates.spend(address, "Too many matches are made from your address; try again in a minute.")
        hosted = await self._store.matches.count_hosted(player)
        if hosted >= self._runtime.settings.matches_per_guest:
            raise TooMany(f"You have {hosted} open and running matches; finish some first.")

    async def check_apart(self, player: str, table: Table) -> None:
        """Raise Blocked if a block keeps a player apart from a person at a match."""
        people = {each.id for each in table.players if each is not None and each.kind == "person"}
        check_apart(await self._store.people.kept_apart(player, people))

    async def create(self, terms: Terms, game: AnyGame, players: Seated, taken: Sequence[str] = ()) -> MatchActor:
        """Make a new match with these players at their seats; raises StaleVersion if a challenge it takes is closed."""
        return await self.begin(new_table(terms, game), players, taken)

    async def begin(self, table: Table, players: Seated, taken: Sequence[str] = ()) -> MatchActor:
        """Make the match of a table without entries; raises StaleVersion if it is there, or a challenge is closed."""
        append, first = self._first(table, players)
        await self._store.journal.write([append._replace(challenges=taken)])
        return self._began(first)

    async def take_over(self, match: str) -> None:
        """Own a match whose process is dead, and start its jobs."""
        self._owned.add(match)
        self.table_changed(await self.find(match))
        self.unload(match)

    async def take_over_loaded(self) -> None:
        """Take over the scheduled matches in memory whose processes have died."""
        loaded = [key for key, match in self._actors.items() if key not in self._owned and is_scheduled(match.document)]
        for match in await self._store.matches.claim(loaded) if loaded else ():
            await self.take_over(match)

    # Actors.

    async def _load(self, document: str) -> MatchActor:
        found, entries = await self._store.matches.load(document)
        actor = MatchActor(self, new_table(found.terms, make_game(found.terms.game, **found.terms.options)))
        actor.replay([decode_entry(entry) for entry in entries])
        if found.scheduled and document not in self._owned:
            self._owned.update(await self._store.matches.claim([document]))
        return actor

    def _added(self, actor: MatchActor) -> None:
        self.table_changed(actor)

    def table_changed(self, actor: MatchActor) -> None:
        """Called by an actor for each entry, after it is published; nothing is due while a match is being loaded."""
        match = actor.document.id
        if match not in self._owned or self._actors.get(match) is not actor:
            return
        for changed in self._on_change:
            changed(actor)
        if actor.document.outcome is not None:
            self._owned.discard(match)

    # The journal.

    def append(self, before: Table, entry: Entry, after: Table, saved: Answer) -> None:
        """Save an entry and, if it is a rematch, the first entry of the next match together with it."""
        if not match_changed(before, after):
            append = Append(after.id, after.version, encode_entry(entry), turn=changed_turn(before, after))
            self._write([append], saved, partial(self._entry_saved, before, after))
            return
        rating, of_match = rating_of(after) if before.outcome is None else None, row(after, is_scheduled(after))
        appends = [Append(after.id, after.version, encode_entry(entry), of_match, rating, turn_of(after))]
        following: Table | None = None
        last = entry.events[-1]
        if type(last) is Rematched:
            table, players = next_match(after, last.match, series(after.terms.game).following, entry.at)
            append, following = self._first(table, list(enumerate(players)))
            appends.append(append)
        self._write(appends, saved, partial(self._match_saved, before, after, following))

    def _read_now(self, document: str) -> bool:
        return document in self._owned

    def _first(self, table: Table, players: Seated) -> tuple[Append, Table]:
        """Return the first entry of a match, in which these players take their seats, and the table after it."""
        entry, first = self.rules.decide(table, Join(tuple(players)), table.terms.created)
        saved = row(first, is_scheduled(first))
        return Append(first.id, first.version, encode_entry(entry), saved, turn=turn_of(first)), first

    def _match_saved(self, before: Table, after: Table, following: Table | None) -> None:
        """Take note of a saved change of seats, status or next match, before it is published."""
        self._entry_saved(before, after)
        if following is not None:
            self._began(following)
            self._entry_saved(None, following)
        if is_scheduled(after) and not is_scheduled(before):
            self._owned.add(after.id)

    def _entry_saved(self, before: Table | None, after: Table) -> None:
        for saved in self._on_save:
            saved(before, after)

    def _began(self, table: Table) -> MatchActor:
        """Take in a match that this process created and saved."""
        if is_scheduled(table):
            self._owned.add(table.id)
        return self._add(MatchActor(self, table))

    # Presence.

    def keep_alive(self, now: int) -> None:
        """Send the heartbeat of this process, and note which others are silent."""
        self.presence.send_heartbeat()
        self._update_presence(self.presence.drop_silent_processes(now))

    def _presence_received(self, process: str, text: str) -> None:
        self._update_presence(self.presence.message_received(process, text, now_ms()))

    def _update_presence(self, matches: Iterable[str]) -> None:
        """Have these matches publish their presence if it has changed."""
        for match in matches:
            actor = self._actors.get(match)
            if actor is not None:
                actor.update_presence()
