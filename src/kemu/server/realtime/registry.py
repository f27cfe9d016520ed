"""The hall: all live tables of this process, who is at them, and what the server does by itself."""

import asyncio
import logging
import time
from asyncio import Future, Task
from collections import Counter
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kemu.core.game import SPECTATOR, AnyGame, Seat
from kemu.games import game as make_game
from kemu.play.dealer import Dealer
from kemu.play.events import Entry, decode_entry, encode_entry
from kemu.play.table import Table
from kemu.play.terms import Player, Terms
from kemu.server.bots import BotWorkers
from kemu.server.identity import CHANGED
from kemu.server.limits import TooMany
from kemu.server.live import Decide, LiveTable
from kemu.server.presence import SILENT, Presence
from kemu.server.ratings import count
from kemu.server.rematch import next_match
from kemu.server.settings import Settings
from kemu.server.tending import Tender
from kemu.storage.store import Append, Store, row, tended

if TYPE_CHECKING:
    from kemu.server.socket import Connection

UPKEEP: Final = 5.0
"""Seconds between looks after everything."""

REST: Final = 30_000
"""Milliseconds for which a table that nobody uses stays in memory."""

HOSTS: Final = 10_000
"""How many hosts are remembered with the number of their matches."""

log = logging.getLogger(__name__)


class Hall:
    """Finds, makes and tends tables."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self.store = store
        self.settings = settings
        self.bots = BotWorkers(settings.bots, settings.bot_workers, settings.bot_seconds)
        self.tender = Tender(self)
        self.tables: dict[str, LiveTable] = {}
        self.presence = Presence(store.news)
        self.forget: Callable[[str | None], None] = lambda player: None  # whom another process has changed
        self.closing = False
        self._hosted: dict[str, int] = {}  # open and running matches by host, of hosts seen lately
        self.sockets: Counter[str] = Counter()  # by player
        self.counts: Counter[str] = Counter()  # what the metrics show
        self._loading: dict[str, Task[LiveTable]] = {}
        self._presence_due: set[str] = set()
        self._tasks: set[Task[Any]] = set()

    @staticmethod
    def now() -> int:
        """The only time that counts, in milliseconds."""
        return time.time_ns() // 1_000_000

    def spawn(self, work: Coroutine[Any, Any, Any]) -> None:
        """Do something in the background and keep hold of it; a fault in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and task.exception() is not None:
            log.error("background work failed", exc_info=task.exception())

    async def open(self) -> None:
        """Open the store and begin to look after things."""
        await self.store.open()
        self.store.news.listen(self._saved, self._heard)
        self.presence.announce("hello")
        await self._look_after()
        self.spawn(self._upkeep())

    async def close(self) -> None:
        """Finish writes, let others take over, end everything."""
        self.closing = True
        self.tender.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.bots.close()
        await self.store.matches.retire()
        await self.store.close()

    # Tables.

    async def table(self, match: str) -> LiveTable:
        """The live table of a match, read from the store if need be."""
        live = self.tables.get(match)
        if live is not None:
            live.used = self.now()
            return live
        if match not in self._loading:
            self._loading[match] = asyncio.get_running_loop().create_task(self._load(match))
            self._loading[match].add_done_callback(lambda _: self._loading.pop(match))
        return await asyncio.shield(self._loading[match])

    async def check_room(self, player: str) -> None:
        """Refuse who has too many open and running matches already."""
        if self.store.shared or player not in self._hosted:
            hosted = await self.store.matches.hosted(player)
            if len(self._hosted) >= HOSTS:
                self._hosted.clear()
            self._hosted[player] = hosted if self.store.shared else self._hosted.get(player, hosted)
        if self._hosted[player] >= self.settings.matches_per_guest:
            raise TooMany(f"You have {self._hosted[player]} open and running matches; finish some first.")

    async def create(self, terms: Terms, game: AnyGame, sitters: Sequence[tuple[Seat, Player]]) -> LiveTable:
        """A new match with these players at their seats."""
        table = Table(terms, game, Dealer())
        await self.store.journal.write([self._first(table, sitters)])
        return self.began(table)

    async def read(self, match: str) -> tuple[Table, list[Entry]]:
        """A table at which nothing has happened yet, and all that did happen."""
        found, entries = await self.store.matches.load(match)
        table = Table(found.terms, make_game(found.terms.game, **found.terms.options), Dealer())
        return table, [decode_entry(entry) for entry in entries]

    def following(self, table: Table, at: int) -> tuple[Append, Table]:
        """The match that follows this one, with the same players: its first entry, to be saved, and its table."""
        following, players = next_match(table, at)
        return self._first(following, list(enumerate(players))), following

    async def do(self, live: LiveTable, decide: Decide) -> None:
        """Have something done at a table and saved, or raise why not."""
        done: Future[None] = asyncio.get_running_loop().create_future()
        live.submit(partial(live.request, decide, done))
        await done

    async def _load(self, match: str) -> LiveTable:
        table, entries = await self.read(match)
        for entry in entries:
            table.replay(entry)
        return self.welcome(table)

    def _first(self, table: Table, sitters: Sequence[tuple[Seat, Player]]) -> Append:
        entry = table.join(sitters, table.terms.created)
        return Append(table.terms.id, table.version, encode_entry(entry), row(table))

    def began(self, table: Table) -> LiveTable:
        """A new match of this process was saved."""
        self._count(table, 1)
        if tended(table):
            self.tender.own(table.terms.id)
        return self.welcome(table)

    def ended(self, table: Table) -> None:
        """This process has saved the end of a match."""
        self._count(table, -1)
        if table.terms.rated and table.status == "finished":
            self.spawn(count(self.store.people, table))

    def _count(self, table: Table, more: int) -> None:
        if table.terms.host in self._hosted:
            self._hosted[table.terms.host] += more

    def welcome(self, table: Table) -> LiveTable:
        """Make a table live."""
        live = self.tables.setdefault(table.terms.id, LiveTable(self, table))
        self._note_absence(live)
        self.tender.tend(live)
        return live

    # Who is here.

    def came(self, live: LiveTable, connection: "Connection") -> None:
        """A socket looks through a seat."""
        if connection.seat != SPECTATOR:
            self.presence.come(live.table.terms.id, connection.seat)
        self._presence(live, connection)

    def went(self, live: LiveTable, connection: "Connection") -> None:
        """A socket no longer looks through its seat."""
        if connection.seat != SPECTATOR:
            self.presence.go(live.table.terms.id, connection.seat)
        self._presence(live, connection)

    def _presence(self, live: LiveTable, connection: "Connection") -> None:
        """Tell of a player's coming and going at once, of spectators' once a second."""
        if self._note_absence(live):
            live.tell_presence()
            return
        if connection in live.connections:
            live.tell_presence([connection])
        if live.connections and live.table.terms.id not in self._presence_due:
            self._presence_due.add(live.table.terms.id)
            asyncio.get_running_loop().call_later(1, self._tell_presence, live)

    def _tell_presence(self, live: LiveTable) -> None:
        self._presence_due.discard(live.table.terms.id)
        live.tell_presence()

    def _note_absence(self, live: LiveTable) -> bool:
        """Write down since when who is away; whether anything changed."""
        table, before = live.table, dict(live.table.away)
        for seat, player in enumerate(table.players):
            if (player is not None and player.kind == "bot") or self.presence.here(table.terms.id, seat):
                table.away.pop(seat, None)
            else:
                table.away.setdefault(seat, self.now())
        return table.away != before

    # News of other processes.

    def _saved(self, match: str, version: int) -> None:
        live = self.tables.get(match)
        if live is not None:
            live.hear(version)
        elif match in self._loading or self.tender.owns(match):
            self.spawn(self._hear(match, version))

    async def _hear(self, match: str, version: int) -> None:
        """Bring a table up to a version; one that is being loaded may have been read before it was saved."""
        live = await self.table(match)
        live.hear(version)

    async def _check(self, match: str) -> None:
        live = await self.table(match)
        live.submit(live.check)

    def _heard(self, process: str, text: str) -> None:
        if process == self.store.process:  # we listen anew, and may have missed something
            self.presence.announce("hello")
            self.forget(None)
            for match in (*self.tables, *self._loading):
                self.spawn(self._check(match))
            return
        word, _, player = text.partition(" ")
        if word == CHANGED:
            self.forget(player)
        else:
            self._changed_elsewhere(self.presence.hear(process, text, self.now()))

    def _changed_elsewhere(self, matches: set[str]) -> None:
        for match in matches:
            live = self.tables.get(match)
            if live is not None and self._note_absence(live):
                live.tell_presence()

    # Upkeep.

    async def _upkeep(self) -> None:
        while True:
            await asyncio.sleep(UPKEEP)
            try:
                await self._look_after()
            except Exception as error:
                log.warning("upkeep failed", exc_info=error)

    async def _look_after(self) -> None:
        """Say that we live, take over from the dead, and put away what nobody uses."""
        now = self.now()
        self.presence.announce("alive")
        self._changed_elsewhere(self.presence.bury(now))
        for match in await self.store.matches.adopt(now, now - SILENT):
            self.tender.own(match)
            self.spawn(self.table(match))
        for match in await self.store.matches.unrated():
            await count(self.store.people, await (await self.table(match)).settled())
        for match, live in tuple(self.tables.items()):
            if live.idle and now - live.used > REST and not self.tender.busy(live):
                del self.tables[match]
