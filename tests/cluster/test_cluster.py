"""Leaves in a database: every result is kept, whatever process is killed, and a later run finishes the rest."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from kemu.cluster.errors import LeavesUnavailable, WorkersLost
from kemu.cluster.leaves import LeafStore
from kemu.cluster.run import Report, finish_leaves, time_left
from kemu.cluster.workers import LeafResult, chosen_workers, local_results, ray_results
from kemu.core.errors import OptionError
from tests.cluster import on_ray
from tests.cluster.head import LEAVES
from tests.cluster.squares import kill, square, wait_for_end
from tests.loops import apart, on_a_loop

ROOT = Path(__file__).parents[2]


def address(folder: Path) -> str:
    return f"sqlite:///{folder / 'leaves.db'}"


def in_this_process(left: Sequence[str]) -> Generator[LeafResult, None, None]:
    return (LeafResult(leaf, square(leaf), 0.5) for leaf in left)


def test_results_are_found_in_order_and_reported(tmp_path: Path) -> None:
    reports: list[Report] = []
    run = finish_leaves(LeafStore(address(tmp_path)), "squares", ["4", "3", "2"], in_this_process, reports.append)
    assert on_a_loop(run) == {"4": "16", "2": "4"}
    assert [report.progress.left for report in reports] == [2, 1, 0]
    assert reports[-1].progress == (2, 1, 0, 1.5)
    assert reports[-1].minutes_left == 0
    assert [(report.done, report.wanted) for report in reports] == [(1, 3), (2, 3), (3, 3)]


def test_what_is_done_is_not_done_again(tmp_path: Path) -> None:
    store = LeafStore(address(tmp_path))
    on_a_loop(finish_leaves(store, "squares", ["2", "3"], in_this_process, lambda report: None))
    asked: list[str] = []

    def counted(left: Sequence[str]) -> Generator[LeafResult, None, None]:
        asked.extend(left)
        return in_this_process(left)

    found = on_a_loop(finish_leaves(store, "squares", ["2", "3", "4"], counted, lambda report: None))
    assert asked == ["4"]
    assert found == {"2": "4", "4": "16"}


def test_only_the_leaves_asked_for_are_worked_on(tmp_path: Path) -> None:
    store = LeafStore(address(tmp_path))
    on_a_loop(store.add("squares", ["2", "4", "6"]))
    reports: list[Report] = []
    found = on_a_loop(finish_leaves(store, "squares", ["4", "8"], in_this_process, reports.append))
    assert found == {"4": "16", "8": "64"}
    assert [report.minutes_left == 0 for report in reports] == [False, True], "others are not waited for"
    assert on_a_loop(store.open_leaves("squares")) == ["2", "6"]
    assert on_a_loop(store.seconds("squares", ["2", "4"])) == 0.5


def test_two_processes_may_add_the_same_leaves_at_once(tmp_path: Path) -> None:
    async def add() -> list[str]:
        stores = [LeafStore(address(tmp_path)) for _ in range(8)]
        await asyncio.gather(*(store.add("squares", ["2", "3"]) for store in stores))
        return await stores[0].open_leaves("squares")

    assert on_a_loop(add()) == ["2", "3"]


@pytest.mark.parametrize("address", ["nonsense", "mysql://host/name", "foo://host/name", "postgresql://host:port/name"])
def test_the_address_of_a_database_is_one_of_two(address: str) -> None:
    with pytest.raises(OptionError, match="A database is sqlite:///path or postgresql://host/name"):
        LeafStore(address)


def test_a_database_that_cannot_be_reached_gets_one_sentence() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        store = LeafStore(f"postgresql://somebody:secret@127.0.0.1:{silent.getsockname()[1]}/name")
        with pytest.raises(LeavesUnavailable, match="cannot be used: ") as refused:
            on_a_loop(store.add("squares", ["2"]))
    assert "secret" not in str(refused.value)


def test_more_processes_than_a_machine_can_run_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    chosen_workers(8)
    with pytest.raises(OptionError, match="1000 processes are too many for this machine; take at most 8"):
        chosen_workers(1000)


@pytest.mark.skipif(sys.platform == "win32", reason="the leaves of this test kill their process by a signal")
def test_work_that_kills_every_process_is_given_up_in_one_sentence() -> None:
    with pytest.raises(WorkersLost, match="The processes were killed 3 times before any had a result"):
        list(local_results(kill, ["2"], processes=1))


@pytest.mark.parametrize(
    ("minutes", "words"),
    [
        (0.0, "less than a minute left"),
        (1.2, "about 1 minute left"),
        (2.0, "about 2 minutes left"),
        (150.0, "about 2.5 hours left"),
    ],
)
def test_the_time_left_in_words(minutes: float, words: str) -> None:
    assert time_left(minutes) == words


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no signal to one process")
def test_an_interrupt_ends_work_at_once() -> None:
    code = (
        "import signal, threading; from kemu.cluster.run import run_to_end\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "async def forever():\n    print('begun', flush=True); threading.Event().wait()\n"
        "run_to_end(forever())"
    )
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "begun\n"
        program.send_signal(signal.SIGINT)
        try:
            assert "KeyboardInterrupt" in program.communicate(timeout=60)[1]
        finally:
            program.kill()


def test_a_killed_worker_loses_no_leaf(tmp_path: Path) -> None:
    leaves = ["2", f"kill {tmp_path / 'marker'}", "4"]
    run = finish_leaves(
        LeafStore(address(tmp_path)), "kills", leaves, lambda left: local_results(square, left), lambda report: None
    )
    assert on_a_loop(run) == {"2": "4", leaves[1]: "survived", "4": "16"}


@pytest.mark.skipif(sys.platform == "win32", reason="the leaves of this test wait for a signal")
def test_workers_end_with_what_they_work_on_once_enough_is_found(tmp_path: Path) -> None:
    found = on_a_loop(
        finish_leaves(
            LeafStore(address(tmp_path)),
            "squares",
            ["2", "3", "4"],
            lambda left: local_results(wait_for_end, left),
            lambda report: None,
            lambda found: "2" in found,
        )
    )
    assert found == {"2": "4"}


def test_postgresql_keeps_them_too(postgres: str) -> None:
    store = LeafStore(postgres)
    on_a_loop(finish_leaves(store, "squares", ["2", "3"], in_this_process, lambda report: None))
    assert on_a_loop(store.progress("squares")) == (1, 1, 0, 1.0)
    assert on_a_loop(LeafStore(postgres).results("squares")) == {"2": "4"}


@pytest.mark.skipif(sys.platform == "win32", reason="the leaves of this test wait for a signal")
def test_a_killed_head_is_followed_by_one_that_finishes(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.cluster.head", address(tmp_path)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as head:
        assert head.stdout is not None
        assert [head.stdout.readline().strip() for _ in range(3)] == ["5", "4", "3"]
        head.kill()
        # The pipe has its end when the workers are gone too.
        assert head.stdout.read() == ""
    store = LeafStore(address(tmp_path))
    assert on_a_loop(store.open_leaves("squares")) == ["3", "4", "5"]
    found = on_a_loop(finish_leaves(store, "squares", LEAVES, in_this_process, lambda report: None))
    assert found == {"0": "0", "2": "4", "4": "16"}


@pytest.mark.parametrize("address", ["nowhere", "host:", ":1", "127.0.0.1:99999"])
def test_an_address_has_a_host_and_a_port(address: str) -> None:
    with pytest.raises(OptionError, match="A cluster is local, HOST:PORT or ray://HOST:PORT, not"):
        next(ray_results(square, ["2"], address))


@pytest.mark.parametrize("scheme", ["", "ray://"])
def test_an_address_at_which_nothing_listens_gets_one_sentence(scheme: str) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        address = f"{scheme}127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(OptionError, match=f"No cluster answers at {address}."):
            next(ray_results(square, ["2"], address))


def test_ray_finds_the_same_and_outlives_a_killed_worker(tmp_path: Path) -> None:
    """In a program of its own, because Ray changes signals, warnings and environment of the process that starts it."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "tests.cluster.on_ray", str(tmp_path / "ray")],
        capture_output=True,
        encoding="utf-8",
        # Ray's workers would get no time on a machine that is busy.
        env={**os.environ, "PYTHONPATH": path, "RAY_worker_niceness": "0"},
        cwd=ROOT,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    apart(on_ray.work, tmp_path / "here", None)
    files = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "here").glob("*.jsonl")}
    assert len(files) == 4
    for name, text in files.items():
        found = (tmp_path / "ray" / name).read_text(encoding="utf-8")
        assert sorted(found.splitlines()) == sorted(text.splitlines()), name
