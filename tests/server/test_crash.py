"""The short form of bench/server_crash.py: nothing that was acknowledged is lost when a server is killed."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.unmeasured import unmeasured

ROOT = Path(__file__).parents[2]


def crash(setup: str, kills: int) -> Any:
    """What the crash test found; its folder is one that PostgreSQL's user may enter.

    Its servers are killed before they could say which lines they ran, so that they need not record them.
    """
    words = [sys.executable, "-m", "bench.server_crash", "--setup", setup, "--kills", str(kills), "--matches", "4"]
    words += ["--seconds", "0.5", "--actions", "30"]
    with tempfile.TemporaryDirectory() as folder:
        # What killed servers leave behind lies there, too.
        environment = {**unmeasured(), "TMPDIR": folder}
        done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, check=True, text=True)
    return json.loads(done.stdout.split(maxsplit=1)[1])


@pytest.mark.parametrize(("setup", "kills"), [("sqlite", 2), ("processes", 1), ("workers", 1), ("postgres", 1)])
def test_killing_loses_nothing_and_players_come_back_by_themselves(setup: str, kills: int) -> None:
    found = crash(setup, kills)
    assert found["kills"] == kills
    assert found["acknowledged"] > 50
    assert setup == "postgres" or found["sockets resumed"] > 0
    assert (found["lost"], found["unreadable"], found["servers behind"]) == (0, 0, 0)
