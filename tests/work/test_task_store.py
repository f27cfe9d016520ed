"""Finished tasks in a file: every result is kept, whatever process is killed, and a later run finishes the rest."""

import subprocess
import sys
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from kemu.core.errors import OptionError
from kemu.work.parallel import (
    FinishedTask,
    Progress,
    TaskStore,
    TasksUnavailable,
    duration,
    finish_tasks,
    local_results,
)
from tests.work.head import TASKS
from tests.work.squares import square, wait_for_end

ROOT = Path(__file__).parents[2]
WORK = ("squares", 7)


def ignore(progress: Progress) -> None:
    """Nobody looks."""


@pytest.fixture
def store(tmp_path: Path) -> TaskStore:
    return TaskStore(tmp_path / "tasks.db")


def here(left: Sequence[str]) -> Generator[FinishedTask[str, str | None], None, None]:
    return (FinishedTask(task, square(task), 0.5) for task in left)


def test_results_are_found_in_order_and_reported(store: TaskStore) -> None:
    reports: list[Progress] = []
    assert list(finish_tasks(store, WORK, ["4", "3", "2"], here, reports.append).items()) == [("4", "16"), ("2", "4")]
    assert [(report.found, report.failed, report.left) for report in reports] == [(1, 0, 2), (1, 1, 1), (2, 1, 0)]
    assert [report.done for report in reports] == [1, 2, 3]
    assert reports[-1].time_left == "less than a minute left"


def test_what_is_done_is_not_done_again(store: TaskStore) -> None:
    finish_tasks(store, WORK, ["2", "3"], here, ignore)
    asked: list[str] = []

    def counted(left: Sequence[str]) -> Generator[FinishedTask[str, str | None], None, None]:
        asked.extend(left)
        return here(left)

    assert finish_tasks(store, WORK, ["2", "3", "4"], counted, ignore) == {"2": "4", "4": "16"}
    assert asked == ["4"]
    assert store.seconds(WORK, ["2", "4"]) == 1.0


def test_pieces_of_work_and_kinds_of_tasks_are_kept_apart(store: TaskStore) -> None:
    store.finish(WORK, FinishedTask("2", "4", 0.5))
    store.finish(WORK, FinishedTask(2, b"\x00\xff", 0.5))
    store.finish(("squares", 8), FinishedTask("2", None, 0.5))
    assert {task: done.result for task, done in store.finished(WORK).items()} == {"2": "4", 2: b"\x00\xff"}
    assert finish_tasks(store, ("squares", 8), ["2"], here, ignore) == {}
    assert finish_tasks(store, WORK, ["4", "2"], here, ignore) == {"4": "16", "2": "4"}


def test_several_processes_may_store_at_once(tmp_path: Path) -> None:
    stores = [TaskStore(tmp_path / "tasks.db") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda store: store.finish(WORK, FinishedTask("2", "4", 0.5)), stores))
    assert [done.result for done in stores[0].finished(WORK).values()] == ["4"]


@pytest.mark.parametrize(
    "address", ["nonsense", "mysql://host/name", "postgresql://host/name", "sqlite://", "sqlite:///"]
)
def test_the_address_of_results_is_a_file(address: str) -> None:
    with pytest.raises(OptionError, match="The results of tasks are kept in an SQLite file: sqlite:///path"):
        TaskStore.at(address)


def test_a_file_that_cannot_be_used_gets_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TasksUnavailable, match=r"nowhere.* cannot be used: unable to open database file\."):
        TaskStore.at(f"sqlite:///{tmp_path / 'nowhere' / 'tasks.db'}").finished(WORK)


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0.0, "less than a minute"),
        (1.2, "about 1 minute"),
        (2.0, "about 2 minutes"),
        (150.0, "about 2.5 hours"),
    ],
)
def test_a_duration_in_words(minutes: float, words: str) -> None:
    assert duration(minutes) == words


def test_a_killed_worker_loses_no_task(store: TaskStore, tmp_path: Path) -> None:
    tasks = ["2", f"kill {tmp_path / 'marker'}", "4"]
    found = finish_tasks(store, WORK, tasks, partial(local_results, square, processes=2), ignore)
    assert found == {"2": "4", tasks[1]: "survived", "4": "16"}


@pytest.mark.skipif(sys.platform == "win32", reason="the tasks of this test wait for a signal")
def test_workers_end_with_what_they_work_on_once_enough_is_found(store: TaskStore) -> None:
    results = partial(local_results, wait_for_end, processes=2)
    assert finish_tasks(store, WORK, ["2", "3", "4"], results, ignore, lambda found: "2" in found) == {"2": "4"}


@pytest.mark.skipif(sys.platform == "win32", reason="the tasks of this test wait for a signal")
def test_a_killed_head_is_followed_by_one_that_finishes(store: TaskStore, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.work.head", str(tmp_path / "tasks.db")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as head:
        assert head.stdout is not None
        assert [head.stdout.readline().strip() for _ in range(3)] == ["5", "4", "3"]
        head.kill()
        # The pipe has its end when the workers are gone too.
        assert head.stdout.read() == ""
    assert sorted(store.finished(("squares",))) == ["0", "1", "2"]
    assert finish_tasks(store, ("squares",), TASKS, here, ignore) == {"0": "0", "2": "4", "4": "16"}
