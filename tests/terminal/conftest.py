"""The real program, run as a person would."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.patience import PATIENCE_SECONDS

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of its own, so that a test leaves nothing behind."""
    monkeypatch.setenv("KEMU_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("KEMU_DATABASE", f"sqlite:///{tmp_path}/kemu.sqlite")
    monkeypatch.setenv("PYTHONUTF8", "1")
    return tmp_path / "home"


@pytest.fixture
def run(home: Path) -> Run:
    """Run `kemu` with some words and some typed lines."""

    def run(*words: str, typed: str = "") -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "kemu", *words],
            input=typed,
            capture_output=True,
            encoding="utf-8",
            env=os.environ,
            timeout=PATIENCE_SECONDS,
            check=False,
        )

    return run
