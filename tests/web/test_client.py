"""The unit tests of the browser client, run by Node from pip."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_unit_tests_of_the_client_pass() -> None:
    command = [sys.executable, str(ROOT / "web" / "scripts" / "client.py"), "test"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
