"""One server for all tests of a worker that need nothing special."""

from collections.abc import Iterator

import pytest

from kemu.server.settings import Settings
from tests.server.house import House, running


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A server on SQLite, without limits that tests would run into."""
    path = tmp_path_factory.mktemp("house") / "kemu.sqlite"
    settings = Settings(
        database=f"sqlite:///{path}",
        requests_per_second=100_000,
        messages_per_second=10_000,
        matches_per_guest=1000,
    )
    with running(settings) as house:
        yield house
