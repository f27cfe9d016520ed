"""Execution of statements: transactions, lookups that share queries, and what SQLite and PostgreSQL have in common.

A transaction is a generator: it yields a statement with its arguments, is sent the rows, and returns its result. It
does no input or output, so the thread of SQLite and the event loop of PostgreSQL run the same one.
"""

import asyncio
import re
from abc import ABC, abstractmethod
from asyncio import Future
from collections.abc import Callable, Coroutine, Generator, Sequence
from functools import wraps
from secrets import token_hex
from typing import Any, Concatenate, Final, ParamSpec, TypeAlias, TypeVar

from kemu.storage.errors import StoreUnavailable
from kemu.storage.statements import Arguments, CompiledStatement, Compiler, DatabaseKind, Statement

T = TypeVar("T")
P = ParamSpec("P")
Row: TypeAlias = Sequence[Any]
Transaction: TypeAlias = Generator[tuple[Statement, Arguments], Sequence[Row], T]

Appended: TypeAlias = Callable[[str, int], None]
"""Called with the id of a match or study, and its version."""

Received: TypeAlias = Callable[[str, str], None]
"""Called with the process that published a text, and the text."""

_Waiting: TypeAlias = tuple[tuple[Any, ...], "Future[list[Row]]"]
"""A key, and the future of its rows."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")


class UniqueViolation(Exception):
    """Raised when a unique column has the value already."""


class StatementRefused(Exception):
    """Raised when the database answers, but does not accept a statement or its values."""


def unavailable(error: Exception) -> StoreUnavailable:
    """Return the error that is raised instead of one of a database driver."""
    return StoreUnavailable(f"The database is unavailable: {type(error).__name__}.")


def complete(done: "Future[Any]", result: Any, failure: Exception | None) -> None:
    """Complete a future with a result or a failure, unless nobody waits for it any more."""
    if done.cancelled():
        return
    if failure is None:
        done.set_result(result)
    else:
        done.set_exception(failure)


def _storable(values: Sequence[Any]) -> bool:
    """Return whether a database can hold these texts; no row has one that it cannot hold."""
    return not any(isinstance(value, str) and ("\0" in value or _SURROGATE.search(value)) for value in values)


class Notifications:
    """Messages between the processes on one database: ids and versions only, no secrets. Here there are no others.

    The functions in `on_append` are called for each append of another process, that in `on_text` for each text of one
    with this first word. Those in `on_resume` are called when listening begins and when it begins again after a lost
    connection: notifications before that may have been missed.
    """

    def __init__(self) -> None:
        self.on_append: Final[list[Appended]] = []
        self.on_text: Final[dict[str, Received]] = {}
        self.on_resume: Final[list[Callable[[], None]]] = []

    def publish(self, text: str) -> None:
        """Send a short text to all other processes; it is lost if the database is unavailable."""


class Database(ABC):
    """A connection to one database. Its methods raise StoreUnavailable when the database fails."""

    def __init__(self, kind: DatabaseKind) -> None:
        self.process: Final = token_hex(8)
        """The id of this process among those on the database."""
        self._compiler = Compiler(kind)
        self._waiting: dict[Statement, list[_Waiting]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def open(self) -> None:
        """Connect, and run the migrations that the database lacks. Raises OptionError if a later version wrote it."""

    @abstractmethod
    async def close(self) -> None:
        """Commit what is queued and disconnect."""

    @abstractmethod
    async def query(self, statement: CompiledStatement, arguments: Arguments) -> Sequence[Row]:
        """Return the rows of a statement that reads."""

    @abstractmethod
    async def transact(self, transaction: Transaction[T]) -> T:
        """Run and commit a transaction; return its result. Nothing is saved if it raises. Raises UniqueViolation."""

    def compile(self, statement: Statement) -> CompiledStatement:
        """Return a statement as this database reads it."""
        return self._compiler.compile(statement)

    async def change(self, statement: Statement, arguments: Arguments) -> Sequence[Row]:
        """Run one statement in a transaction of its own; return its rows."""
        return await self.transact(single(statement, arguments))

    async def fetch(self, statement: Statement, **arguments: Any) -> Sequence[Row]:
        """Return the rows of a statement that reads; none if no database could hold one of the arguments."""
        if not _storable(tuple(arguments.values())):
            return []
        return await self.query(self.compile(statement), arguments)

    async def find(self, statement: Statement, *key: Any) -> list[Row]:
        """Return the rows of a lookup for one key, without their number.

        Keys that are asked for while a query runs share the next query.
        """
        if not _storable(key):
            return []
        loop = asyncio.get_running_loop()
        found: Future[list[Row]] = loop.create_future()
        waiting = self._waiting.get(statement)
        if waiting is None:
            self._waiting[statement] = [(key, found)]
            task = loop.create_task(self._look_up(statement))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            waiting.append((key, found))
        return await found

    async def _look_up(self, statement: Statement) -> None:
        """Query until nobody waits."""
        try:
            while waiting := self._waiting[statement]:
                self._waiting[statement] = []
                await self._answer(self.compile(statement), waiting)
        finally:
            del self._waiting[statement]

    async def _answer(self, statement: CompiledStatement, waiting: Sequence[_Waiting]) -> None:
        answers: list[list[Row]] = [[] for _ in waiting]
        try:
            for row in await self.query(statement, [key for key, _ in waiting]):
                answers[row[0]].append(row[1:])
        except Exception as error:  # those who wait get it, or ask again one by one if one of them may be the cause
            if len(waiting) > 1 and not isinstance(error, StoreUnavailable):
                for each in waiting:
                    await self._answer(statement, [each])
                return
            for _, found in waiting:
                complete(found, None, error)
            return
        for (_, found), answer in zip(waiting, answers, strict=True):
            complete(found, answer, None)


def single(statement: Statement, arguments: Arguments) -> Transaction[Sequence[Row]]:
    """Return the rows of one statement as a transaction."""
    return (yield statement, arguments)


def first(kind: Callable[..., T], rows: Sequence[Row]) -> T | None:
    """Return the first of some rows as a value, None if there is no row."""
    return kind(*rows[0]) if rows else None


class Aggregate:
    """Part of the store for one aggregate. All methods may raise StoreUnavailable."""

    def __init__(self, database: Database) -> None:
        self._database = database


G = TypeVar("G", bound=Aggregate)


def transaction(
    steps: Callable[Concatenate[G, P], Transaction[T]],
) -> Callable[Concatenate[G, P], Coroutine[Any, Any, T]]:
    """Decorate a method of an aggregate that yields statements: a call runs them as one transaction."""

    @wraps(steps)
    def run(aggregate: G, /, *args: P.args, **kwargs: P.kwargs) -> Coroutine[Any, Any, T]:
        return aggregate._database.transact(steps(aggregate, *args, **kwargs))

    return run
