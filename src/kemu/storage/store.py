"""The store: journal, matches, players and all else that is kept, opened and closed together."""

import shutil
import time
from pathlib import Path
from secrets import token_hex
from sqlite3 import Connection
from tempfile import gettempdir
from typing import Final

from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from kemu.core.document import quote
from kemu.core.errors import OptionError
from kemu.storage.carried import Carried
from kemu.storage.challenges import Challenges
from kemu.storage.database import Notifications
from kemu.storage.errors import StoreUnavailable
from kemu.storage.explorer import Explorer
from kemu.storage.feeds import Feeds
from kemu.storage.groups import Groups
from kemu.storage.journal import StoreJournal
from kemu.storage.matches import DELETE_PROCESSES, NO_LIMIT_MS, SAVE_PROCESSES, Matches
from kemu.storage.moderation import Moderation
from kemu.storage.notices import Notices
from kemu.storage.people import People
from kemu.storage.plans import Plans
from kemu.storage.players import Players
from kemu.storage.postgres import PostgresDatabase
from kemu.storage.profiles import Profiles
from kemu.storage.push import PushSubscriptions
from kemu.storage.puzzles import Puzzles
from kemu.storage.ratings import Ratings
from kemu.storage.removal import Removals
from kemu.storage.results import Results
from kemu.storage.reviews import Reviews
from kemu.storage.sessions import Sessions
from kemu.storage.sqlite import SqliteDatabase, lock_file
from kemu.storage.studies import Studies
from kemu.storage.tournaments import Tournaments
from kemu.storage.turns import MatchTurns

TEMPORARY: Final = "memory"
"""The address of a store that begins empty and is deleted when it is closed."""

_IN_MEMORY: Final = Path("/dev/shm")
"""A file system in memory, where the operating system has it."""


class Store:
    """A store at sqlite:///path, postgresql://host/name or "memory". Raises OptionError for any other URL."""

    def __init__(self, url: str) -> None:
        self._temporary = url == TEMPORARY
        try:
            address = make_url(_temporary_url() if self._temporary else url)
        except ArgumentError:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {quote(url)}.") from None
        self.database: SqliteDatabase | PostgresDatabase
        self.notifications = Notifications()
        self._path: Path | None = None
        self._lock: Connection | None = None
        if address.get_backend_name() == "postgresql":
            plain = address.set(drivername="postgresql").render_as_string(hide_password=False)
            self.database = self.notifications = PostgresDatabase(plain)
        elif address.get_backend_name() == "sqlite" and address.database:
            self._path = Path(address.database)
            self.database = SqliteDatabase(self._path)
        else:
            raise OptionError(f"A database is sqlite:///path or postgresql://host/name, not {address.drivername}.")
        self.process = self.database.process
        self.journal = StoreJournal(self.database, self.database.queue)
        self.matches = Matches(self.database)
        self.players = Players(self.database)
        self.people = People(self.database)
        self.groups = Groups(self.database)
        self.ratings = Ratings(self.database)
        self.profiles = Profiles(self.database)
        self.results = Results(self.database)
        self.removals = Removals(self.database)
        self.moderation = Moderation(self.database)
        self.sessions = Sessions(self.database)
        self.reviews = Reviews(self.database)
        self.studies = Studies(self.database)
        self.explorer = Explorer(self.database)
        self.puzzles = Puzzles(self.database)
        self.notices = Notices(self.database)
        self.turns = MatchTurns(self.database)
        self.feeds = Feeds(self.database)
        self.push = PushSubscriptions(self.database)
        self.plans = Plans(self.database)
        self.challenges = Challenges(self.database)
        self.tournaments = Tournaments(self.database)
        self.carried = Carried(self.database)

    async def open(self) -> None:
        """Connect and run the migrations that the database lacks. Raises StoreUnavailable, OptionError."""
        await self.database.open()

    async def close(self) -> None:
        """Commit what is queued and disconnect."""
        await self.database.close()
        if self._lock is not None:
            self._lock.close()
        if self._temporary and self._path is not None:
            shutil.rmtree(self._path.parent, ignore_errors=True)

    async def reserve(self) -> None:
        """Make this process the only server of a store that is not shared, until it closes the store or ends.

        Raises OptionError if another process is it.
        """
        if self._path is None:
            return
        self._lock = lock_file(self._path)
        # The process that used the file before has ended.
        await self.database.change(DELETE_PROCESSES, {"until": NO_LIMIT_MS})

    async def check(self) -> None:
        """Raise StoreUnavailable unless the database can be written to, and is intact as far as is known."""
        if isinstance(self.database, SqliteDatabase) and not self.database.intact:
            raise StoreUnavailable("The database was deleted, replaced or damaged.")
        await self.database.change(SAVE_PROCESSES, [(self.process, time.time_ns() // 1_000_000)])


def _temporary_url() -> str:
    folder = _IN_MEMORY if _IN_MEMORY.is_dir() else Path(gettempdir())
    return f"sqlite:///{folder}/kemu-{token_hex(8)}/kemu.sqlite"
