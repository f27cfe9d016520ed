"""The stores under test."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from kemu.storage.store import Store
from tests.storage.stores import MakeStore

IN_MEMORY = Path("/dev/shm")


@pytest.fixture
def database_file() -> Iterator[Path]:
    """A path for a SQLite database, on a file system in memory where there is one."""
    with TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        yield Path(folder) / "kemu.sqlite"


@pytest.fixture(params=["sqlite", "postgres"])
def make(request: pytest.FixtureRequest) -> MakeStore:
    """Makes stores on one and the same database."""
    if request.param == "sqlite":
        file = request.getfixturevalue("database_file")
        return lambda: Store(f"sqlite:///{file}")
    url = request.getfixturevalue("postgres")
    return lambda: Store(url)
