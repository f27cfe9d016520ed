"""Runs a live document: a queue of commands, a journal that keeps entries, and the newest value that was saved.

A match and a study are such documents. One runner serves the terminal, the arena and the server. A journal may answer
at once or later: while an entry is being saved, further commands wait, and the value is replaced only after the entry
is safe.
"""

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from kemu.play.errors import AlreadyDone, StaleVersion


class Versioned(Protocol):
    """A frozen value whose version counts its entries."""

    @property
    def version(self) -> int:
        """The number of the newest entry."""


class Signed(Protocol):
    """An entry that says who sent which command, so that a command sent twice is carried out once."""

    @property
    def by(self) -> str:
        """The id of the player; empty for commands of the server."""

    @property
    def command(self) -> str:
        """The id of the command; empty if it has none."""


D = TypeVar("D", bound=Versioned)
C = TypeVar("C")
E = TypeVar("E", bound=Signed)
D_contra = TypeVar("D_contra", bound=Versioned, contravariant=True)

Answer: TypeAlias = Callable[[Exception | None], None]
"""Called once when a command is carried out or an entry is safe, or with the reason why not."""


class Decision(NamedTuple, Generic[D, E]):
    """Effect of a command: the entry to be saved, and the document after it."""

    entry: E
    document: D


class Decider(Protocol[D, C, E]):
    """The rules of one kind of live document."""

    def decide(self, document: D, command: C, now: int) -> Decision[D, E]:
        """Return what a command changes at the moment `now`, or raise the reason why it is refused."""

    def evolve(self, document: D, entry: E) -> D:
        """Return the document after a stored entry."""

    def overdue(self, document: D, now: int) -> C | None:
        """Return the command that must be carried out before any other, such as the end of a match by time."""

    def sender(self, command: C) -> tuple[str, str] | None:
        """Return who sent a command and its id; None if it can be carried out again and again."""


class Journal(Protocol[D_contra, E]):
    """Keeps the entries of documents."""

    def append(self, before: D_contra, entry: E, after: D_contra, saved: Answer) -> None:
        """Keep an entry as version `after.version`, then call `saved`.

        StaleVersion means that this version exists already; any other error, that nobody knows whether it was kept.
        """

    def newer(self, document: D_contra, found: Callable[[Sequence[E]], None]) -> None:
        """Call `found` with the kept entries after the version of this document, as soon as they can be read."""


class NoJournal:
    """Keeps nothing: for arenas, analysis and tests, where nothing needs to survive."""

    def append(self, before: Any, entry: Any, after: Any, saved: Answer) -> None:
        """Take the entry for saved at once."""
        saved(None)

    def newer(self, document: Any, found: Callable[[Sequence[Any]], None]) -> None:
        """Find nothing: nobody else appends."""
        found(())


class Runner(Generic[D, C, E]):
    """Takes commands one at a time: decide, save, then replace the document, notify the listener, answer.

    The listener is called after each entry with the document before it, the entry, and the document after it.
    """

    def __init__(
        self,
        document: D,
        decider: Decider[D, C, E],
        journal: Journal[D, E],
        now: Callable[[], int],
        listener: Callable[[D, E, D], None] | None = None,
    ) -> None:
        self._document = document
        self._decider = decider
        self._journal = journal
        self._now = now
        self._listener = listener
        self._queue: deque[Callable[[], None]] = deque()
        self._busy = False
        self._outdated = False
        self._done: dict[tuple[str, str], int] = {}  # the version of each command, by player and id

    @property
    def document(self) -> D:
        """The newest value that was saved."""
        return self._document

    @property
    def idle(self) -> bool:
        """Whether no command is under way or waiting."""
        return not (self._busy or self._queue)

    def submit(self, command: C, answer: Answer) -> None:
        """Run a command after all that came before it; `answer` gets None or the error it was refused with.

        A command that was carried out before, by its id, is not carried out again: `answer` gets AlreadyDone.
        """
        self.call(lambda: self._execute(command, answer))

    def call(self, job: Callable[[], None]) -> None:
        """Run a function after all that came before it, when the document is up to date."""
        self._queue.append(job)
        self._run()

    def replay(self, entries: Sequence[E]) -> None:
        """Apply entries that are kept already."""
        for entry in entries:
            self._advance(entry, self._decider.evolve(self._document, entry))

    def remember(self, entry: E, version: int) -> None:
        """Note the command of an entry that the document contains already."""
        if entry.command:
            self._done[entry.by, entry.command] = version

    def outdated(self) -> None:
        """Read what somebody else has appended to the journal before the next command."""
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

    def _execute(self, command: C, answer: Answer) -> None:
        sender = self._decider.sender(command)
        done = None if sender is None else self._done.get(sender)
        if done is not None:
            answer(AlreadyDone(done))
            return
        now = self._now()
        overdue = self._decider.overdue(self._document, now)
        if overdue is not None and type(overdue) is not type(command):  # it was due before this command came
            self._queue.appendleft(lambda: self._execute(command, answer))
            self._decide(overdue, now, lambda error: None)
        else:
            self._decide(command, now, answer)

    def _decide(self, command: C, now: int, answer: Answer) -> None:
        before = self._document
        try:
            entry, after = self._decider.decide(before, command, now)
        except Exception as error:
            answer(error)
            return
        self._busy = True
        self._journal.append(before, entry, after, self._saving(command, entry, after, answer))

    def _saving(self, command: C, entry: E, after: D, answer: Answer) -> Answer:
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
        def found(entries: Sequence[E]) -> None:
            self._busy = False
            self.replay(entries)
            self._run()

        self._busy, self._outdated = True, False
        self._journal.newer(self._document, found)

    def _advance(self, entry: E, after: D) -> None:
        before, self._document = self._document, after
        self.remember(entry, after.version)
        if self._listener is not None:
            self._listener(before, entry, after)
