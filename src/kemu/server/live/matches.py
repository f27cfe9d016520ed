"""The matches of a process: created, loaded, saved with rows and ratings, and owned where jobs look after them."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar

from kemu.core.game import AnyGame, Seat
from kemu.games import game as make_game
from kemu.games import series
from kemu.play.clock import NoClock
from kemu.play.commands import Join
from kemu.play.dealer import Dealer
from kemu.play.decide import TableRules
from kemu.play.events import Entry, Rematched, decode_entry, encode_entry
from kemu.play.runner import Answer
from kemu.play.table import Table, new_table, next_match
from kemu.play.terms import Player, Terms
from kemu.server.limits import TooMany
from kemu.server.live.bus import Bus
from kemu.server.live.match import MatchActor
from kemu.server.live.presence import WORDS, PresenceTracker
from kemu.server.live.registry import Registry
from kemu.server.match_answer import match_changed
from kemu.server.ratings import rating_of
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.journal import Append
from kemu.storage.matches import row


def is_scheduled(table: Table) -> bool:
    """Return whether a process must own a match because something in it is due without a command: a clock or a bot."""
    if table.status != "running":
        return False
    return type(table.terms.clock) is not NoClock or any(player and player.kind == "bot" for player in table.players)


class MatchRegistry(Registry[Table, Entry, MatchActor]):
    """Owns the actors of all matches in memory, and knows which matches this process owns.

    A match with a bot or a clock is owned by one process, where the jobs look after it. Should two processes own it for
    a while, nothing breaks: the store accepts only the first append of each version.
    """

    word: ClassVar[str] = "match"

    def __init__(self, runtime: Runtime, bus: Bus) -> None:
        super().__init__(runtime, bus)
        self._presence = PresenceTracker(runtime.store.notifications)
        self._rules = TableRules(Dealer())
        self._owned: set[str] = set()
        self._on_change: list[Callable[[MatchActor], None]] = []
        self._on_end: list[Callable[[str], None]] = []
        bus.subscribe(WORDS, self._presence_received)
        bus.subscribe_resumes(self._presence.ask_others)

    def subscribe_changes(self, changed: Callable[[MatchActor], None]) -> None:
        """Have a function called whenever an owned match is loaded or has a new table."""
        self._on_change.append(changed)

    def subscribe_ends(self, ended: Callable[[str], None]) -> None:
        """Have a function called with the id of each match that ends in this process."""
        self._on_end.append(ended)

    def open(self) -> None:
        """Ask the other processes which players are there."""
        self._presence.ask_others()

    def close(self) -> None:
        """Own no matches any more."""
        self._owned.clear()

    # New matches, and those of other processes.

    async def check_host(self, player: str) -> None:
        """Raise TooMany if this player may create no more matches now."""
        hosted = await self._store.matches.count_hosted(player)
        if hosted >= self._runtime.settings.matches_per_guest:
            raise TooMany(f"You have {hosted} open and running matches; finish some first.")

    async def create(self, terms: Terms, game: AnyGame, players: Sequence[tuple[Seat, Player]]) -> MatchActor:
        """Make a new match with these players at their seats."""
        append, first = self._first(new_table(terms, game), players)
        await self._store.journal.write([append])
        return self._began(first)

    def take_over(self, match: str) -> None:
        """Own a match whose process is dead."""
        self._owned.add(match)
        self._tasks.start(self._start_jobs(match))

    async def _start_jobs(self, match: str) -> None:
        self._table_changed(await self.find(match))

    # Actors.

    async def _load(self, document: str) -> MatchActor:
        found, entries = await self._store.matches.load(document)
        actor = self._actor(new_table(found.terms, make_game(found.terms.game, **found.terms.options)))
        actor.replay([decode_entry(entry) for entry in entries])
        return actor

    def _actor(self, table: Table) -> MatchActor:
        return MatchActor(table, self._rules, self, self._presence, self._table_changed)

    def _added(self, actor: MatchActor) -> None:
        self._table_changed(actor)

    def _table_changed(self, actor: MatchActor) -> None:
        """Called by an actor for each entry, after it is published; nothing is due while a match is being loaded."""
        match = actor.table.id
        if match not in self._owned or self._actors.get(match) is not actor:
            return
        for changed in self._on_change:
            changed(actor)
        if actor.table.outcome is not None:
            self._owned.discard(match)

    # The journal.

    def append(self, before: Table, entry: Entry, after: Table, saved: Answer) -> None:
        """Save an entry and, if it is a rematch, the first entry of the next match together with it."""
        if not match_changed(before, after):
            self._write([Append(after.id, after.version, encode_entry(entry))], saved)
            return
        rating = rating_of(after) if before.outcome is None else None
        appends = [Append(after.id, after.version, encode_entry(entry), row(after, is_scheduled(after)), rating)]
        following: Table | None = None
        last = entry.events[-1]
        if type(last) is Rematched:
            table, players = next_match(after, last.match, series(after.terms.game).following, entry.at)
            append, following = self._first(table, list(enumerate(players)))
            appends.append(append)
        self._write(appends, saved, partial(self._match_saved, before, after, following))

    def _decode(self, entry: bytes) -> Entry:
        return decode_entry(entry)

    def _read_now(self, document: str) -> bool:
        return document in self._owned

    def _first(self, table: Table, players: Sequence[tuple[Seat, Player]]) -> tuple[Append, Table]:
        """Return the first entry of a match, in which these players take their seats, and the table after it."""
        entry, first = self._rules.decide(table, Join(tuple(players)), table.terms.created)
        return Append(first.id, first.version, encode_entry(entry), row(first, is_scheduled(first))), first

    def _match_saved(self, before: Table, after: Table, following: Table | None) -> None:
        """Take note of a saved change of seats, status or next match, before it is published."""
        if following is not None:
            self._began(following)
        if before.outcome is None and after.outcome is not None:
            for ended in self._on_end:
                ended(after.id)
        elif is_scheduled(after) and not is_scheduled(before):
            self._owned.add(after.id)

    def _began(self, table: Table) -> MatchActor:
        """Take in a match that this process created and saved."""
        if is_scheduled(table):
            self._owned.add(table.id)
        return self._add(self._actor(table))

    # Presence.

    def keep_alive(self, now: int) -> None:
        """Send the heartbeat of this process, and note which others are silent."""
        self._presence.send_heartbeat()
        self._update_presence(self._presence.drop_silent_processes(now))

    def _presence_received(self, process: str, text: str) -> None:
        self._update_presence(self._presence.message_received(process, text, now_ms()))

    def _update_presence(self, matches: Iterable[str]) -> None:
        """Have these matches publish their presence if it has changed."""
        for match in matches:
            actor = self._actors.get(match)
            if actor is not None:
                actor.update_presence()
