"""One server for all tests of a worker that need nothing special, and hashes of passwords that cost nothing."""

from collections.abc import Iterator

import pytest
from argon2 import PasswordHasher

from kemu.server.auth import accounts
from tests.server.live_server import LiveServer, generous, run_server


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """A server on SQLite, without limits that tests would run into."""
    path = tmp_path_factory.mktemp("server") / "kemu.sqlite"
    with run_server(generous(f"sqlite:///{path}")) as server:
        yield server


@pytest.fixture(scope="session", autouse=True)
def cheap_hashes() -> Iterator[None]:
    """Servers in the process of the tests hash with the least cost; hundreds of passwords are given here."""
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_HASHER", cheap)
        patch.setattr(accounts, "_UNKNOWN_HASH", cheap.hash(""))
        yield
