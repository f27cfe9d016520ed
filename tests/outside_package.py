"""The package of another author in tests/outside, as if it were installed."""

import os
from pathlib import Path
from typing import Final, NamedTuple

FOLDER: Final = Path(__file__).parent / "outside"
"""Holds the package and its metadata; on the path of a process it counts as installed there."""


class OutsideGame(NamedTuple):
    """A game that no file of Kemu names."""

    key: str
    environment: dict[str, str]  # for processes in which its package counts as installed


def with_folder(folder: Path) -> dict[str, str]:
    """The environment of processes that find the packages of a folder."""
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONDONTWRITEBYTECODE": "1"}
