"""Runs a match: a queue of commands, a journal that keeps entries, and the newest table that was saved.

One runner serves the terminal, the arena, studies and the server. A journal may answer at once or later: while an
entry is being saved, further commands wait, and the table is replaced only after the entry is safe.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from kemu.core.game import Seat
from kemu.play.commands import CheckClock, SeatCommand, TableCommand
from kemu.play.dealer import Dealer
from kemu.play.decide import decide, time_is_up
from kemu.play.errors import AlreadyDone, StaleVersion
from kemu.play.events import Entry
from kemu.play.evolve import evolve
from kemu.play.table import Ply, Table

Saved: TypeAlias = Callable[[Exception | None], None]
"""Called once when an entry is safe, or with the reason why it may not be."""

Answer: TypeAlias = Callable[[Exception | None], None]
"""Called once when a command is done and saved, or with the reason why not."""

Listener: TypeAlias = Callable[[Table, Entry, Table], None]
"""Called after each entry with the table before it, the entry, and the table after it."""


class Journal(Protocol):
    """Where the entries of one match are kept."""

    def append(self, before: Table, entry: Entry, after: Table, saved: Saved) -> None:
        """Keep an entry as version `after.version`, then call `saved`.

        StaleVersion means that this version exists already; any other error, that nobody knows whether it was kept.
        """

    def newer(self, table: Table, found: Callable[[Sequence[Entry]], None]) -> None:
        """Call `found` with the kept entries after the version of this table, as soon as they can be read."""


class NoJournal:
    """Keeps nothing: for arenas, studies and tests, where nothing needs to survive."""

    def append(self, before: Table, entry: Entry, after: Table, saved: Saved) -> None:
        """The entry counts as saved at once."""
        saved(None)

    def newer(self, table: Table, found: Callable[[Sequence[Entry]], None]) -> None:
        """There are no others who append."""
        found(())


class Runner:
    """Takes commands one at a time: decide, save, then replace the table, notify the listener, answer."""

    def __init__(
        self, table: Table, journal: Journal, dealer: Dealer, now: Callable[[], int], listener: Listener | None = None
    ) -> None:
        self._table = table
        self._journal = journal
        self._dealer = dealer
        self._now = now
        self._listener = listener
        self._queue: deque[Callable[[], None]] = deque()
        self._busy = False
        self._outdated = False
        self._done: dict[tuple[str, str], int] = {}  # the version of each command, by player and id

    @property
    def table(self) -> Table:
        """The newest table that was saved."""
        return self._table

    @property
    def idle(self) -> bool:
        """Whether no command is under way or waiting."""
        return not (self._busy or self._queue)

    def submit(self, command: TableCommand, answer: Answer) -> None:
        """Run a command after all that came before it; `answer` gets None or the error it was refused with.

        A player's command that was done before, by its id, is not done again: `answer` gets AlreadyDone.
        """
        self.call(lambda: self._execute(command, answer))

    def call(self, job: Callable[[], None]) -> None:
        """Run a function after all that came before it, when the table is up to date."""
        self._queue.append(job)
        self._run()

    def replay(self, entries: Sequence[Entry]) -> None:
        """Apply entries that are kept already."""
        for entry in entries:
            self._advance(entry, evolve(self._table, entry))

    def outdated(self) -> None:
        """Somebody else has appended to the journal: read that before the next command."""
        self._outdated = True

    def catch_up(self) -> None:
        """Read what somebody else has appended, as soon as nothing is being saved."""
        self._outdated = True
        self._run()

    def _run(self) -> None:
        while not self._busy and (self._queue or self._outdated):
            if self._outdated:
                self._read()
            else:
                self._queue.popleft()()

    def _execute(self, command: TableCommand, answer: Answer) -> None:
        done = self._done.get((command.player, command.command.id)) if isinstance(command, SeatCommand) else None
        if done is not None:
            answer(AlreadyDone(done))
            return
        now = self._now()
        if type(command) is not CheckClock and time_is_up(self._table, now):  # before this command came
            self._queue.appendleft(lambda: self._execute(command, answer))
            self._decide(CheckClock(), now, _ignore)
        else:
            self._decide(command, now, answer)

    def _decide(self, command: TableCommand, now: int, answer: Answer) -> None:
        before = self._table
        try:
            entry = decide(before, command, now, self._dealer)
        except Exception as error:
            answer(error)
            return
        after = evolve(before, entry)
        self._busy = True
        self._journal.append(before, entry, after, self._saving(command, entry, after, answer))

    def _saving(self, command: TableCommand, entry: Entry, after: Table, answer: Answer) -> Saved:
        def saved(error: Exception | None) -> None:
            self._busy = False
            if error is None:
                self._advance(entry, after)
                answer(None)
            elif isinstance(error, StaleVersion):
                self._queue.appendleft(lambda: self._execute(command, answer))
                self._outdated = True
            else:
                answer(error)
                self._outdated = True
            self._run()

        return saved

    def _read(self) -> None:
        def found(entries: Sequence[Entry]) -> None:
            self._busy = False
            self.replay(entries)
            self._run()

        self._busy, self._outdated = True, False
        self._journal.newer(self._table, found)

    def _advance(self, entry: Entry, after: Table) -> None:
        before, self._table = self._table, after
        if entry.command:
            self._done[entry.by, entry.command] = after.version
        if self._listener is not None:
            self._listener(before, entry, after)


class SeatLog:
    """The log lines of one seat, each made once however long the match is."""

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._last: Ply | None = None
        self._lines: list[str] = []

    def lines(self, table: Table) -> list[str]:
        """What this seat may know of each action so far; the list belongs to the log and must not be changed."""
        new: list[Ply] = []
        ply = table.last
        while ply is not self._last:
            if ply is None or (self._last is not None and ply.number <= self._last.number):  # actions were taken back
                new, self._lines = table.past(), []
                break
            new.append(ply)
            ply = ply.before
        else:
            new.reverse()
        self._lines.extend(table.game.seen(ply.state, ply.action, self._seat) for ply in new)
        self._last = table.last
        return self._lines


def _ignore(error: Exception | None) -> None:
    """Nobody waits for this answer."""
