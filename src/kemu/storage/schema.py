"""The tables of the SQL store, and the migrations that bring a database to this shape."""

from pathlib import Path
from typing import Final

import asyncpg
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    URL,
    BigInteger,
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    text,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine

from kemu.core.errors import OptionError
from kemu.storage.errors import StoreUnavailable

metadata: Final = MetaData()

matches: Final = Table(
    "matches",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("host", String(40), nullable=False),
    Column("status", String(10), nullable=False),
    Column("public", Boolean, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("tended", Boolean, nullable=False),  # MatchRow.scheduled
    Column("owner", String(40)),  # the process that runs its clock and its bots
    Column("row", Text, nullable=False),  # a MatchDocument in JSON; the other columns are there to search by
    Index("matches_listed", "public", "status", "created"),
    Index("matches_tended", "tended", "owner"),
    Index("matches_hosted", "host", "status"),
)

entries: Final = Table(
    "entries",
    metadata,
    Column("match", String(40), nullable=False),  # or the study whose edit the entry is
    Column("version", Integer, nullable=False),
    Column("entry", Text, nullable=False),
    PrimaryKeyConstraint("match", "version"),
    sqlite_with_rowid=False,
)

sitters: Final = Table(
    "sitters",
    metadata,
    Column("match", String(40), nullable=False),
    Column("player", String(40), nullable=False),
    PrimaryKeyConstraint("player", "match"),
    Index("sitters_match", "match"),
    sqlite_with_rowid=False,
)

players: Final = Table(
    "players",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("login", String(80), unique=True),  # the name of an account in one case, else null
    Column("password", String(200)),
)

tokens: Final = Table(
    "tokens",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player", String(40), ForeignKey("players.id"), nullable=False, index=True),
    Column("label", String(40), nullable=False),
    Column("digest", String(64), nullable=False),
    Column("scope", String(10), nullable=False),
)

sessions: Final = Table(
    "sessions",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("player", String(40), nullable=False, index=True),  # who may be a guest that is not stored
    Column("digest", String(64), nullable=False),
    Column("device", String(80), nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("used", BigInteger, nullable=False),
    Column("exchanged", Boolean, nullable=False),
    Index("sessions_used", "used"),
)

recovery_codes: Final = Table(
    "recovery_codes",
    metadata,
    Column("player", String(40), nullable=False),
    Column("digest", String(64), nullable=False),
    PrimaryKeyConstraint("player", "digest"),
)

old_cookies: Final = Table(
    "old_cookies",
    metadata,
    Column("player", String(40), primary_key=True),
    Column("retired", BigInteger, nullable=False),
)

reviews: Final = Table(
    "reviews",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("review", Text, nullable=False),
    Column("created", BigInteger, nullable=False, index=True),
)

ratings: Final = Table(
    "ratings",
    metadata,
    Column("player", String(40), nullable=False),
    Column("game", String(40), nullable=False),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("matches", Integer, nullable=False),
    PrimaryKeyConstraint("player", "game"),
    Index("ratings_best", "game", "mu"),
)

rated: Final = Table("rated", metadata, Column("match", String(40), primary_key=True))

studies: Final = Table(
    "studies",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("owner", String(40), nullable=False, index=True),  # who may be a guest
    Column("name", Text, nullable=False),
    Column("created", BigInteger, nullable=False),
    Column("changed", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),  # of the document; later edits are in `entries`
    Column("read_key", String(40)),  # the secret of the link to read it
    Column("write_key", String(40)),
    Column("document", Text, nullable=False),
)

explored: Final = Table("explored", metadata, Column("match", String(40), primary_key=True))

explorer: Final = Table(
    "explorer",
    metadata,
    Column("scope", String(40), nullable=False),
    Column("position", String(40), nullable=False),
    Column("action", String(100), nullable=False),
    Column("won", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("lost", Integer, nullable=False),
    PrimaryKeyConstraint("position", "scope", "action"),
    sqlite_with_rowid=False,
)

puzzle_answers: Final = Table(
    "puzzle_answers",
    metadata,
    Column("player", String(40), nullable=False),
    Column("game", String(40), nullable=False),
    Column("puzzle", String(40), nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("due", BigInteger, nullable=False),
    Column("card", Text, nullable=False),
    PrimaryKeyConstraint("player", "game", "puzzle"),
)

puzzle_standings: Final = Table(
    "puzzle_standings",
    metadata,
    Column("player", String(40), nullable=False),
    Column("game", String(40), nullable=False),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("player", "game"),
)

puzzle_ratings: Final = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(40), primary_key=True),
    Column("mean", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("answers", Integer, nullable=False),
)

processes: Final = Table(
    "processes",
    metadata,
    Column("id", String(40), primary_key=True),
    Column("seen", BigInteger, nullable=False),
)

secrets: Final = Table(
    "secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", String(100), nullable=False),
)

MIGRATION_LOCK: Final = 0x6B656D75
"""The key of PostgreSQL's advisory lock under which one process migrates while the others wait."""


async def migrate(address: URL) -> None:
    """Run the migrations that the database at this address lacks.

    Raises OptionError if the database has a migration that this version does not know, and StoreUnavailable if it
    cannot be opened.
    """
    engine = create_async_engine(address)
    try:
        async with engine.begin() as connection:
            if engine.dialect.name == "postgresql":
                await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})
            await connection.run_sync(_upgrade)
    except (OSError, SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
        raise StoreUnavailable(f"The database cannot be opened: {_reason(error)}.") from error
    finally:
        await engine.dispose()


def _upgrade(connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if not known.issuperset(MigrationContext.configure(connection).get_current_heads()):
        raise OptionError("This database was written by a newer version of Kemu; install that version.")
    command.upgrade(config, "head")


def _reason(error: Exception) -> str:
    """What a driver says, in one line; the driver's error is wrapped by SQLAlchemy."""
    cause = getattr(error, "orig", None) or error
    return str(cause).partition("\n")[0].rstrip(".") or type(cause).__name__
