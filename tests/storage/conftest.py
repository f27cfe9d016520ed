"""The stores under test."""

from pathlib import Path

import pytest

from kemu.storage.memory import MemoryStore
from kemu.storage.sql import SqlStore
from tests.storage.stores import MakeStore


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> MakeStore:
    """Makes stores on one and the same database."""
    if request.param == "memory":
        return MemoryStore
    if request.param == "sqlite":
        return lambda: SqlStore(f"sqlite:///{tmp_path}/kemu.sqlite")
    url = request.getfixturevalue("postgres")
    return lambda: SqlStore(url)
