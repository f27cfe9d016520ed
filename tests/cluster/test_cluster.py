"""Leaves in a database: every result is kept, whatever process is killed, and a later run finishes the rest."""

import os
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from pathlib import Path

import pytest

from kemu.cluster.leaves import LeafStore
from kemu.cluster.run import Report, finish_leaves
from kemu.cluster.workers import LeafResult, local_results, ray_results
from kemu.core.errors import OptionError
from tests.cluster import on_ray
from tests.cluster.head import LEAVES
from tests.cluster.squares import square, wait_for_end
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
    found = on_a_loop(finish_leaves(store, "squares", ["4", "8"], in_this_process, lambda report: None))
    assert found == {"4": "16", "8": "64"}
    assert on_a_loop(store.open_leaves("squares")) == ["2", "6"]
    assert on_a_loop(store.seconds("squares", ["2", "4"])) == 0.5


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
