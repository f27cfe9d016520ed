"""Finished tasks and their results, in an SQLite file that outlives every process that works on them.

Only finished tasks are stored, so a kill of any process loses no more than the tasks in work, and the same call goes on
from there.
"""

import json
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from kemu.core.errors import KemuError, OptionError
from kemu.work.parallel import FinishedTask

TaskKey = TypeVar("TaskKey", int, str)
Stored = TypeVar("Stored", bytes, str, float)

Work: TypeAlias = Sequence[str | int]
"""The name of a piece of work: its kind, and all that its results depend on beside the task."""

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS tasks (work TEXT, task, result, seconds REAL, PRIMARY KEY (work, task))",
    "CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT)",
)
BUSY_SECONDS: Final = 60.0
"""How long to wait for another process that writes."""


class TasksUnavailable(KemuError):
    """Raised when the file of finished tasks cannot be read or written."""

    code = "unavailable"


class TaskStore:
    """The finished tasks of one file; every method raises TasksUnavailable if the file cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file

    @classmethod
    def at(cls, address: str) -> "TaskStore":
        """Return the store at an address of the command line; raises OptionError if it is not sqlite:///path."""
        scheme, slashes, path = address.partition(":///")
        if scheme != "sqlite" or not slashes or not path:
            raise OptionError("The results of tasks are kept in an SQLite file: sqlite:///path.")
        return cls(Path(path))

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        try:
            with closing(sqlite3.connect(self._file, timeout=BUSY_SECONDS)) as connection, connection:
                for table in _TABLES:
                    connection.execute(table)
                yield connection
        except sqlite3.Error as error:
            raise TasksUnavailable(f"The tasks in {self._file} cannot be used: {error}.") from error

    def finish(self, work: Work, done: FinishedTask[Any, bytes | str | float | None]) -> None:
        """Store a task with its result; None says that nothing was found."""
        with self._transaction() as connection:
            connection.execute(
                "INSERT OR REPLACE INTO tasks (work, task, result, seconds) VALUES (?, ?, ?, ?)",
                (json.dumps(work), done.task, done.result, done.seconds),
            )

    def finished(self, work: Work) -> dict[Any, FinishedTask[Any, Any]]:
        """Return the finished tasks of a piece of work, by task."""
        query = "SELECT task, result, seconds FROM tasks WHERE work = ?"
        with self._transaction() as connection:
            return {row[0]: FinishedTask(*row) for row in connection.execute(query, (json.dumps(work),))}

    def seconds(self, work: Work, tasks: Iterable[int | str]) -> float:
        """Return the time spent on some tasks, added up over all workers."""
        finished = self.finished(work)
        return sum((finished[task].seconds for task in tasks if task in finished), start=0.0)

    def facts(self) -> dict[str, Any]:
        """Return the facts of which this file says that they hold for all its results."""
        with self._transaction() as connection:
            return {name: json.loads(value) for name, value in connection.execute("SELECT name, value FROM facts")}

    def set_facts(self, facts: Mapping[str, Any]) -> None:
        """Store facts in the place of those of the same names."""
        with self._transaction() as connection:
            rows = [(name, json.dumps(value)) for name, value in facts.items()]
            connection.executemany("INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)", rows)


class Progress(NamedTuple):
    """How far the wanted tasks are: results, tasks without one, tasks left; and how fast this run is."""

    found: int
    failed: int
    left: int
    tasks_per_minute: float

    @property
    def done(self) -> int:
        """How many tasks are finished, those of earlier runs among them."""
        return self.found + self.failed

    @property
    def time_left(self) -> str:
        """How long the rest may take, in words."""
        return f"{duration(self.left / self.tasks_per_minute)} left"


def finish_tasks(
    store: TaskStore,
    work: Work,
    tasks: Iterable[TaskKey],
    results: Callable[[Sequence[TaskKey]], Generator[FinishedTask[TaskKey, Stored | None], None, None]],
    report: Callable[[Progress], None],
    enough: Callable[[Mapping[TaskKey, Stored]], bool] = lambda found: False,
) -> dict[TaskKey, Stored]:
    """Return what was found for tasks, by task in their order; each result is stored before it is reported.

    `results` gives tasks to workers. `enough` is asked before a result is waited for whether those found so far will
    do; then the rest is left open.
    """
    wanted, known = dict.fromkeys(tasks), store.finished(work)
    waiting = [task for task in wanted if task not in known]
    done = {task: known[task].result for task in wanted if task in known}
    begin, before = time.perf_counter(), len(done)

    def found() -> dict[TaskKey, Stored]:
        return {task: done[task] for task in wanted if done.get(task) is not None}

    if not waiting or enough(found()):
        return found()
    with closing(results(waiting)) as coming:
        for finished in coming:
            store.finish(work, finished)
            done[finished.task] = finished.result
            rate = 60 * (len(done) - before) / (time.perf_counter() - begin)
            count = len(found())
            report(Progress(count, len(done) - count, len(wanted) - len(done), rate))
            if enough(found()):
                break
    return found()


def duration(minutes: float) -> str:
    """Return some minutes in words."""
    if minutes < 1:
        return "less than a minute"
    if minutes < 90:
        return f"about {minutes:.0f} minute{'s' if round(minutes) > 1 else ''}"
    return f"about {minutes / 60:.1f} hours"
