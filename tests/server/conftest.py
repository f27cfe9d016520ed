"""One server for all tests of a worker that need nothing special."""

from collections.abc import Iterator

import pytest

from tests.server.live_server import LiveServer, generous, run_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on SQLite, without limits that tests would run into."""
    path = tmp_path_factory.mktemp("server") / "kemu.sqlite"
    with run_server(generous(f"sqlite:///{path}")) as server:
        yield server
