"""One server for all tests of a worker that need nothing special."""

from collections.abc import Iterator

import pytest

from kemu.server.settings import Settings
from tests.server.live_server import LiveServer, run_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on SQLite, without limits that tests would run into."""
    path = tmp_path_factory.mktemp("server") / "kemu.sqlite"
    settings = Settings(
        database=f"sqlite:///{path}",
        requests_per_second=100_000,
        messages_per_second=10_000,
        matches_per_guest=1000,
    )
    with run_server(settings) as server:
        yield server
