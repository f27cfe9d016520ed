"""Runs tasks in this process, in processes of this machine, or on a Ray cluster (`kemu[cluster]`).

Arena, data sets, puzzles, proofs and training use it: a task is a value, and what is done with it is a function of a
module, which other processes can import. Finished tasks and their results can be kept in an SQLite file that outlives
every process that works on them. Only finished tasks are stored, so a kill of any process loses no more than the tasks
in work, and the same call continues from there.
"""

import importlib
import json
import os
import signal
import socket
import sqlite3
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing, contextmanager
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from kemu.core.errors import KemuError, OptionError
from kemu.core.parts import imports_of_parts

T = TypeVar("T")
R = TypeVar("R")
T_co = TypeVar("T_co", covariant=True)
R_co = TypeVar("R_co", covariant=True)

PROCESSES_A_CORE: Final = 4
MOST_BREAKS: Final = 3
"""Pools of processes that break one after the other without any result before the work is given up."""

STARTED_HERE: Final = ("local", "auto")
"""Addresses of a cluster that is started now, and of one that runs on this machine already."""

CONNECT_SECONDS: Final = 10
LAST_PORT: Final = 65_535

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


class WorkersLost(KemuError, code="workers-lost"):
    """Raised when processes were killed again and again before any of them had a result."""


class FinishedTask(NamedTuple, Generic[T_co, R_co]):
    """A task, its result and the time it took."""

    task: T_co
    result: R_co
    seconds: float


class Workers(Protocol):
    """Runs a function on each of some tasks and yields the results as they come."""

    def __call__(self, run: Callable[[T], R], tasks: Iterable[T]) -> Generator[FinishedTask[T, R], None, None]: ...


def chosen_workers(processes: int, cluster: str | None = None) -> Workers:
    """Return the cluster at an address or, without one, processes of this machine; this process alone if it is one.

    Raises OptionError if the machine has far fewer cores.
    """
    if cluster is not None:
        return partial(ray_results, address=cluster)
    most = PROCESSES_A_CORE * (os.cpu_count() or 1)
    if processes > most:
        raise OptionError(f"{processes} processes are too many for this machine; take at most {most}.")
    return results_here if processes == 1 else partial(local_results, processes=processes)


def results_here(run: Callable[[T], R], tasks: Iterable[T]) -> Generator[FinishedTask[T, R], None, None]:
    """Yield the results of tasks in their order, by this process."""
    return (_timed(run, task) for task in tasks)


def results_alone(workers: Workers, run: Callable[[T], R], tasks: Iterable[T]) -> Generator[R, None, None]:
    """Yield the results of tasks as they come, without their tasks and times."""
    with closing(workers(run, tasks)) as coming:
        yield from (done.result for done in coming)


def _timed(run: Callable[[T], R], task: T) -> FinishedTask[T, R]:
    begin = time.perf_counter()
    result = run(task)
    return FinishedTask(task, result, time.perf_counter() - begin)


def local_results(
    run: Callable[[T], R], tasks: Iterable[T], processes: int
) -> Generator[FinishedTask[T, R], None, None]:
    """Yield the results of tasks as they come; the tasks of a process that is killed are handed out again.

    All processes end at once when the generator is closed or this process ends, whatever they are working on. Raises
    WorkersLost if they are killed again and again.
    """
    left, breaks, context = dict(enumerate(tasks)), 0, get_context("spawn")
    while left:
        reader, writer = context.Pipe(duplex=False)
        pool = ProcessPoolExecutor(processes, context, _end_with_pipe, (reader,))
        try:
            numbers = {pool.submit(_timed, run, task): number for number, task in left.items()}
            for future in as_completed(numbers):
                done = future.result()
                del left[numbers[future]]
                breaks = 0
                yield done
        except BrokenProcessPool:
            breaks += 1
            if breaks == MOST_BREAKS:
                raise WorkersLost(
                    f"The processes were killed {MOST_BREAKS} times before any had a result; if memory was short, try"
                    " fewer."
                ) from None
        finally:
            writer.close()
            pool.shutdown(cancel_futures=True)
            reader.close()


def ray_results(run: Callable[[T], R], tasks: Iterable[T], address: str) -> Generator[FinishedTask[T, R], None, None]:
    """Yield the same from a Ray cluster at an address; "local" starts one on this machine. Ray retries what was killed.

    The first call connects this process to the cluster, until it ends. Raises MissingPart without Ray, OptionError
    without a cluster.
    """
    cluster = _connected(address)
    remote = cluster.remote(max_retries=-1)(_timed)
    shared = cluster.put(run)  # it may hold large weights, which are sent to each machine once
    waiting = [remote.remote(shared, task) for task in tasks]
    try:
        while waiting:
            ready, waiting = cluster.wait(waiting)
            for each in ready:
                yield FinishedTask(*cluster.get(each))
    finally:
        for each in waiting:
            cluster.cancel(each)


def _connected(address: str) -> Any:
    """Return Ray, connected to the cluster at an address."""
    if address not in STARTED_HERE:
        _require_listener(address)
    with imports_of_parts():
        cluster: Any = importlib.import_module("ray")
    if not cluster.is_initialized():
        place = None if address == "local" else address
        try:
            cluster.init(address=place, include_dashboard=False, log_to_driver=False)
        except (OSError, RuntimeError, ValueError) as error:
            reason = str(error).partition("\n")[0].rstrip(".")
            raise OptionError(f"There is no cluster at '{address}': {reason}.") from error
    return cluster


def _require_listener(address: str) -> None:
    """Raise OptionError unless something listens at an address: Ray itself would try for many minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdecimal() or int(port) > LAST_PORT:
        raise OptionError(f"A cluster is local, HOST:PORT or ray://HOST:PORT, not '{address}'.")
    try:
        socket.create_connection((host, int(port)), CONNECT_SECONDS).close()
    except OSError:
        raise OptionError(f"No cluster answers at {address}.") from None


def _end_with_pipe(reader: Connection) -> None:
    """End this process as soon as the other end of a pipe is closed, by its owner or because the owner ended.

    Ctrl-C goes to all processes of a terminal; the owner's end is what ends this one.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch() -> None:
        reader.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class TasksUnavailable(KemuError, code="unavailable"):
    """Raised when the file of finished tasks cannot be read or written."""


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
