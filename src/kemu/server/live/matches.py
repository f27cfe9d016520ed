"""The matches of a process: created, loaded, saved with rows and ratings, and owned where jobs look after them."""

import logging
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import ClassVar, Final

from kemu.core.game import AnyGame, Seat
from kemu.games import game as make_game
from kemu.games import series
from kemu.play.commands import Join
from kemu.play.dealer import Dealer
from kemu.play.decide import TableRules
from kemu.play.events import Entry, Rematched, decode_entry, encode_entry
from kemu.play.runner import Answer
from kemu.play.table import Table, new_table, next_match
from kemu.play.terms import Player, Terms
from kemu.server.jobs.matches import is_scheduled
from kemu.server.jobs.ratings import rating_of
from kemu.server.limits import TooMany
from kemu.server.live.bus import Bus
from kemu.server.live.match import MatchActor
from kemu.server.live.presence import WORDS, PresenceTracker
from kemu.server.live.registry import Registry
from kemu.server.match_answer import match_changed
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.journal import Append
from kemu.storage.matches import row
from kemu.storage.players import Rating, RatingRow
from kemu.storage.store import Store

MOST_HOSTS: Final = 10_000
"""How many hosts are cached with the number of their matches."""

log = logging.getLogger(__name__)


class HostedMatches:
    """How many open and running matches each host has, to limit them."""

    def __init__(self, store: Store, most: int) -> None:
        self._store = store
        self._most = most
        self._counts: dict[str, int] = {}  # of hosts who made a match lately

    async def check(self, host: str) -> None:
        """Raise TooMany if this player hosts as many matches as are allowed."""
        if self._store.shared or host not in self._counts:
            stored = await self._store.matches.count_hosted(host)
            if len(self._counts) >= MOST_HOSTS:
                self._counts.clear()
            self._counts[host] = stored if self._store.shared else self._counts.get(host, stored)
        if self._counts[host] >= self._most:
            raise TooMany(f"You have {self._counts[host]} open and running matches; finish some first.")

    def add(self, host: str, more: int) -> None:
        """Count a match that began (1) or ended (-1)."""
        if host in self._counts:
            self._counts[host] += more


class MatchRegistry(Registry[Table, Entry, MatchActor]):
    """Owns the actors of all matches in memory, and knows which matches this process owns.

    A match with a bot or a clock is owned by one process, where the jobs look after it. Should two processes own it for
    a while, nothing breaks: the store accepts only the first append of each version.
    """

    word: ClassVar[str] = "match"

    def __init__(self, runtime: Runtime, bus: Bus) -> None:
        super().__init__(runtime, bus)
        self._presence = PresenceTracker(runtime.store.notifications)
        self._hosted = HostedMatches(runtime.store, runtime.settings.matches_per_guest)
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
        await self._hosted.check(player)

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
        rating = _rating(after) if before.outcome is None else None
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
            self._hosted.add(after.terms.host, -1)
            for ended in self._on_end:
                ended(after.id)
        elif is_scheduled(after) and not is_scheduled(before):
            self._owned.add(after.id)

    def _began(self, table: Table) -> MatchActor:
        """Take in a match that this process created and saved."""
        self._hosted.add(table.terms.host, 1)
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


def _rating(table: Table) -> Rating | None:
    """Return how a match changes the ratings; a fault in computing them must not keep the match from ending."""
    rating = rating_of(table)
    return None if rating is None else rating._replace(update=partial(_updated, rating))


def _updated(rating: Rating, known: dict[str, RatingRow]) -> list[RatingRow]:
    try:
        return rating.update(known)
    except Exception as error:
        log.error("rating failed", exc_info=error)
        return []
