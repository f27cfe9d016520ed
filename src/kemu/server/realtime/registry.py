"""The registry of all live matches of a process: loads, creates and unloads actors, and routes notifications."""

import asyncio
import logging
from asyncio import Task
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from kemu.core.game import AnyGame, Seat
from kemu.games import game as make_game
from kemu.play.dealer import Dealer
from kemu.play.events import decode_entry
from kemu.play.table import Table, new_table
from kemu.play.terms import Player, Terms
from kemu.server.auth.identity import Identity
from kemu.server.jobs.matches import is_scheduled
from kemu.server.limits import TooMany
from kemu.server.realtime.actor import INTERNAL_ERROR, TRY_AGAIN, MatchActor
from kemu.server.realtime.journal import MatchJournal
from kemu.server.realtime.presence import PresenceTracker
from kemu.server.runtime import Runtime, now_ms
from kemu.storage.errors import StoreUnavailable, UnknownMatch, UnreadableMatch
from kemu.storage.store import Appended, Store

UNLOAD_AFTER_MS: Final = 30_000
"""How long a match that nobody uses stays in memory."""

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


class MatchRegistry:
    """Owns the actors of all matches in memory, and knows which matches this process owns.

    A match with a bot or a clock is owned by one process, where the jobs look after it. Should two processes own it for
    a while, nothing breaks: the store accepts only the first append of each version.
    """

    def __init__(self, runtime: Runtime, presence: PresenceTracker, identity: Identity) -> None:
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._presence = presence
        self._identity = identity
        self._hosted = HostedMatches(runtime.store, runtime.settings.matches_per_guest)
        self._dealer = Dealer()
        self._journal = MatchJournal(runtime, self._dealer, self._match_saved, self._match_unreadable)
        self._actors: dict[str, MatchActor] = {}
        self._loading: dict[str, Task[MatchActor]] = {}
        self._owned: set[str] = set()
        self._on_change: list[Callable[[MatchActor], None]] = []
        self._on_end: list[Callable[[str], None]] = []
        self._on_announcement: list[Appended] = []
        self._on_resume: list[Callable[[], None]] = []

    def __len__(self) -> int:
        """How many matches are in memory."""
        return len(self._actors)

    def subscribe_changes(self, changed: Callable[[MatchActor], None]) -> None:
        """Have a function called whenever an owned match is loaded or has a new table."""
        self._on_change.append(changed)

    def subscribe_ends(self, ended: Callable[[str], None]) -> None:
        """Have a function called with the id of each match that ends in this process."""
        self._on_end.append(ended)

    def subscribe_announcements(self, announced: Appended, resumed: Callable[[], None]) -> None:
        """Have functions called for each entry that another process saved, and when some may have been missed."""
        self._on_announcement.append(announced)
        self._on_resume.append(resumed)

    def open(self) -> None:
        """Listen to the other processes."""
        self._store.notifications.subscribe(self._entry_announced, self._message_received, self._resumed)
        self._presence.ask_others()

    def close(self) -> None:
        """Own no matches any more."""
        self._owned.clear()

    # Actors.

    def loaded(self, match: str) -> MatchActor | None:
        """The actor of a match that is in memory."""
        return self._actors.get(match)

    async def find(self, match: str) -> MatchActor:
        """The actor of a match, loaded from the store if need be; raises UnknownMatch and UnreadableMatch."""
        actor = self._actors.get(match)
        if actor is not None:
            actor.touch()
            return actor
        if match not in self._loading:
            self._loading[match] = asyncio.get_running_loop().create_task(self._load(match))
            self._loading[match].add_done_callback(lambda _: self._loading.pop(match))
        return await asyncio.shield(self._loading[match])

    async def check_host(self, player: str) -> None:
        """Raise TooMany if this player may create no more matches now."""
        await self._hosted.check(player)

    async def create(self, terms: Terms, game: AnyGame, players: Sequence[tuple[Seat, Player]]) -> MatchActor:
        """A new match with these players at their seats."""
        return self._began(await self._journal.create(new_table(terms, game), players))

    def take_over(self, match: str) -> None:
        """Own a match whose process is dead."""
        self._owned.add(match)
        self._tasks.start(self._start_jobs(match))

    def unload_idle(self, now: int) -> None:
        """Drop the actors that nobody has used for a while."""
        for match, actor in tuple(self._actors.items()):
            if now - actor.used_ms > UNLOAD_AFTER_MS:
                self.unload(match)

    def unload(self, match: str) -> None:
        """Drop the actor of a match unless it has connections or commands."""
        actor = self._actors.get(match)
        if actor is not None and actor.idle:
            del self._actors[match]

    def update_presence(self, matches: Iterable[str]) -> None:
        """Have these matches publish their presence if it has changed."""
        for match in matches:
            actor = self._actors.get(match)
            if actor is not None:
                actor.update_presence()

    async def _start_jobs(self, match: str) -> None:
        self._table_changed(await self.find(match))

    async def _load(self, match: str) -> MatchActor:
        try:
            found, entries = await self._store.matches.load(match)
            table = new_table(found.terms, make_game(found.terms.game, **found.terms.options))
            actor = self._actor(table)
            actor.replay([decode_entry(entry) for entry in entries])
        except (UnknownMatch, StoreUnavailable):
            raise
        except Exception as error:  # this match is set aside; the others are served. `kemu export` names it
            log.error("match cannot be read", exc_info=error)
            raise UnreadableMatch("This match cannot be read.") from error
        return self._add(actor)

    def _actor(self, table: Table) -> MatchActor:
        return MatchActor(table, self._journal, self._dealer, self._presence, self._table_changed)

    def _add(self, actor: MatchActor) -> MatchActor:
        actor = self._actors.setdefault(actor.id, actor)
        self._table_changed(actor)
        return actor

    # What actors report.

    def _began(self, table: Table) -> MatchActor:
        """A match that this process created was saved."""
        self._hosted.add(table.terms.host, 1)
        if is_scheduled(table):
            self._owned.add(table.terms.id)
        return self._add(self._actor(table))

    def _match_saved(self, before: Table, after: Table, following: Table | None) -> None:
        """Called by the journal when this process has saved a change of seats, status or next match."""
        if following is not None:
            self._began(following)
        if before.outcome is None and after.outcome is not None:
            self._hosted.add(after.terms.host, -1)
            for ended in self._on_end:
                ended(after.terms.id)
        elif is_scheduled(after) and not is_scheduled(before):
            self._owned.add(after.terms.id)

    def _match_unreadable(self, match: str, error: Exception) -> None:
        """Called by the journal; the clients of the match come back, and an actor that cannot go on is dropped."""
        actor = self._actors.get(match)
        if actor is None:
            return
        final = isinstance(error, UnreadableMatch)
        actor.close_connections(INTERNAL_ERROR if final else TRY_AGAIN)
        if final:
            del self._actors[match]

    def _table_changed(self, actor: MatchActor) -> None:
        """Called by an actor for each entry, after it is published; nothing is due while a match is being loaded."""
        if actor.id not in self._owned or self._actors.get(actor.id) is not actor:
            return
        for changed in self._on_change:
            changed(actor)
        if actor.table.outcome is not None:
            self._owned.discard(actor.id)

    # Notifications of other processes.

    def _entry_announced(self, match: str, version: int) -> None:
        for announced in self._on_announcement:
            announced(match, version)
        owned, actor = match in self._owned, self._actors.get(match)
        if actor is not None:
            actor.entry_announced(version, read_now=owned)
        elif owned or match in self._loading:  # a match that is being loaded may have been read before
            self._tasks.start(self._announce_later(match, version))

    async def _announce_later(self, match: str, version: int) -> None:
        (await self.find(match)).entry_announced(version, read_now=True)

    async def _refresh(self, match: str) -> None:
        (await self.find(match)).refresh()

    def _resumed(self) -> None:
        """This process listens again, and may have missed something."""
        self._presence.ask_others()
        self._identity.resumed()
        for resumed in self._on_resume:
            resumed()
        for match in (*self._actors, *self._loading):
            self._tasks.start(self._refresh(match))

    def _message_received(self, process: str, text: str) -> None:
        if not self._identity.message_received(text):
            self.update_presence(self._presence.message_received(process, text, now_ms()))
