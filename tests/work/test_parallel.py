"""Tasks in processes of this machine or on Ray: the same results, whatever process is killed."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from kemu.core.errors import OptionError
from kemu.work.parallel import WorkersLost, chosen_workers, local_results, ray_results
from tests.work import on_ray
from tests.work.squares import kill, square

ROOT = Path(__file__).parents[2]


def test_more_processes_than_a_machine_can_run_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    chosen_workers(8)
    with pytest.raises(OptionError, match="1000 processes are too many for this machine; take at most 8"):
        chosen_workers(1000)


@pytest.mark.skipif(sys.platform == "win32", reason="the tasks of this test kill their process by a signal")
def test_work_that_kills_every_process_is_given_up_in_one_sentence() -> None:
    with pytest.raises(WorkersLost, match="The processes were killed 3 times before any had a result"):
        list(local_results(kill, ["2"], processes=1))


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


@pytest.mark.slow
def test_ray_finds_the_same_and_outlives_a_killed_worker(tmp_path: Path) -> None:
    """In a program of its own, because Ray changes signals, warnings and environment of the process that starts it."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "tests.work.on_ray", str(tmp_path / "ray")],
        capture_output=True,
        encoding="utf-8",
        # Ray's workers would get no time on a machine that is busy.
        env={**os.environ, "PYTHONPATH": path, "RAY_worker_niceness": "0"},
        cwd=ROOT,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    on_ray.work(tmp_path / "here", None)
    files = {file.name: file.read_text(encoding="utf-8") for file in (tmp_path / "here").glob("*.jsonl")}
    assert len(files) == 4
    for name, text in files.items():
        found = (tmp_path / "ray" / name).read_text(encoding="utf-8")
        assert sorted(found.splitlines()) == sorted(text.splitlines()), name
