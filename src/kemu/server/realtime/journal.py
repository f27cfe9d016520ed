"""The journal of all matches of a process: entries go to the store, and newer ones come from it."""

import asyncio
import logging
from asyncio import Future
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeAlias

from kemu.games import series
from kemu.play.commands import Join
from kemu.play.dealer import Dealer
from kemu.play.decide import decide
from kemu.play.errors import StaleVersion
from kemu.play.events import Entry, Rematched, decode_entry, encode_entry
from kemu.play.evolve import evolve
from kemu.play.runner import Saved
from kemu.play.table import Table, next_match
from kemu.play.terms import Player
from kemu.server.jobs.matches import is_scheduled
from kemu.server.jobs.ratings import rating_of
from kemu.server.match_answer import match_changed
from kemu.server.runtime import Runtime
from kemu.storage.errors import StoreUnavailable, UnreadableMatch
from kemu.storage.rows import RatingRow, row
from kemu.storage.store import Append, Rating

RETRY_SECONDS: Final = 0.5
"""How long to wait before entries are read again that could not be read."""

MatchSaved: TypeAlias = Callable[[Table, Table, Table | None], None]
"""Called when this process has saved a change of seats, status or next match, before it is published.

The arguments are the table before, the table after, and the first table of the next match if one begins.
"""

MatchUnreadable: TypeAlias = Callable[[str, Exception], None]
"""Called with the id of a match whose newer entries cannot be read, at each attempt, and with the reason."""

log = logging.getLogger(__name__)


class MatchJournal:
    """Keeps the entries of matches in the store; see play/runner.py."""

    def __init__(self, runtime: Runtime, dealer: Dealer, saved: MatchSaved, unreadable: MatchUnreadable) -> None:
        self._store = runtime.store
        self._tasks = runtime.tasks
        self._counters = runtime.counters
        self._dealer = dealer
        self._saved = saved
        self._unreadable = unreadable

    async def create(self, table: Table, players: Sequence[tuple[int, Player]]) -> Table:
        """Save the first entry of a new match, in which these players take their seats; gives the table after it."""
        append, first = self._first(table, players)
        await self._store.journal.write([append])
        return first

    def append(self, before: Table, entry: Entry, after: Table, saved: Saved) -> None:
        """Save an entry and, if it is a rematch, the first entry of the next match together with it."""
        changed = match_changed(before, after)
        listed = row(after, is_scheduled(after)) if changed else None
        rating = _rating(after) if changed and before.outcome is None else None
        appends = [Append(after.terms.id, after.version, encode_entry(entry), listed, rating)]
        following: Table | None = None
        last = entry.events[-1]
        if type(last) is Rematched:
            table, players = next_match(after, last.match, series(after.terms.game).following, entry.at)
            append, following = self._first(table, list(enumerate(players)))
            appends.append(append)

        def written(done: "Future[None]") -> None:
            error = done.exception()
            if error is None:
                self._counters.entries += 1
                if changed:
                    self._saved(before, after, following)
                saved(None)
            elif isinstance(error, StaleVersion):
                saved(error)
            else:
                log.warning("append failed", exc_info=error)
                saved(StoreUnavailable("The database is away; send the command again with the same id."))

        self._store.journal.write(appends).add_done_callback(written)

    def newer(self, table: Table, found: Callable[[Sequence[Entry]], None]) -> None:
        """Read the entries after the version of a table, again and again until the store answers."""
        self._tasks.start(self._read(table, found))

    async def _read(self, table: Table, found: Callable[[Sequence[Entry]], None]) -> None:
        while True:
            try:
                entries = await self._store.matches.entries(table.terms.id, table.version)
                break
            except Exception as error:
                log.warning("entries cannot be read yet", exc_info=error)
                self._unreadable(table.terms.id, error)
                await asyncio.sleep(RETRY_SECONDS)
        try:
            found([decode_entry(entry) for entry in entries])
        except Exception as error:  # entries of a newer version, or a fault in the rules: reading again would not help
            log.error("match cannot be read", exc_info=error)
            self._unreadable(table.terms.id, UnreadableMatch("This match cannot be read."))

    def _first(self, table: Table, players: Sequence[tuple[int, Player]]) -> tuple[Append, Table]:
        entry = decide(table, Join(tuple(players)), table.terms.created, self._dealer)
        first = evolve(table, entry)
        return Append(first.terms.id, first.version, encode_entry(entry), row(first, is_scheduled(first))), first


def _rating(table: Table) -> Rating | None:
    """How a match changes the ratings; a fault in computing them must not keep the match from ending."""
    rating = rating_of(table)
    return None if rating is None else rating._replace(update=partial(_updated, rating))


def _updated(rating: Rating, known: dict[str, RatingRow]) -> list[RatingRow]:
    try:
        return rating.update(known)
    except Exception as error:
        log.error("rating failed", exc_info=error)
        return []
