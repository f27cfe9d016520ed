"""The tables of the store; `migrations.py` brings a database to this shape."""

from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
)

metadata: Final = MetaData()

ID: Final = String(40)
"""The type of ids and short names."""

TIME: Final = BigInteger()
"""The type of times in ms."""


def required(kind: Any, *names: str) -> list[Any]:
    """Return columns of one type that are never null."""
    return [Column(name, kind, nullable=False) for name in names]


matches: Final = Table(
    "matches",
    metadata,
    Column("id", ID, primary_key=True),
    *required(ID, "game", "host"),
    *required(String(10), "status"),
    *required(Boolean, "public", "rated"),
    *required(TIME, "created"),
    *required(Boolean, "scheduled"),
    Column("owner", ID),  # the process that runs its clock and its bots
    Column("row", Text, nullable=False),  # a MatchDocument in JSON; the other columns are there to search by
    Index("matches_listed", "public", "status", "created"),
    Index("matches_scheduled", "scheduled", "owner"),
    Index("matches_hosted", "host", "status"),
)

entries: Final = Table(
    "entries",
    metadata,
    Column("match", ID, nullable=False),  # or the study whose edit the entry is
    *required(Integer, "version"),
    *required(Text, "entry"),
    PrimaryKeyConstraint("match", "version"),
    sqlite_with_rowid=False,
)

sitters: Final = Table(
    "sitters",
    metadata,
    *required(ID, "match", "player"),
    PrimaryKeyConstraint("player", "match"),
    Index("sitters_match", "match"),
    sqlite_with_rowid=False,
)

players: Final = Table(
    "players",
    metadata,
    Column("id", ID, primary_key=True),
    *required(ID, "name"),
    Column("login", String(80), unique=True),  # the name of an account in one case, else null
    Column("password", String(200)),
)

tokens: Final = Table(
    "tokens",
    metadata,
    Column("id", ID, primary_key=True),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    *required(ID, "label"),
    *required(String(64), "digest"),
    *required(String(10), "scope"),
)

sessions: Final = Table(
    "sessions",
    metadata,
    Column("id", ID, primary_key=True),
    Column("player", ID, nullable=False, index=True),  # perhaps a guest who is not stored
    *required(String(64), "digest"),
    *required(String(80), "device"),
    *required(TIME, "created", "used"),
    Index("sessions_used", "used"),
)

recovery_codes: Final = Table(
    "recovery_codes",
    metadata,
    *required(ID, "player"),
    *required(String(64), "digest"),
    PrimaryKeyConstraint("player", "digest"),
)

reviews: Final = Table(
    "reviews",
    metadata,
    Column("id", String(64), primary_key=True),
    *required(Text, "review"),
    Column("created", TIME, nullable=False, index=True),
)

ratings: Final = Table(
    "ratings",
    metadata,
    *required(ID, "player", "game"),
    *required(Float, "mu", "sigma"),
    *required(Integer, "matches"),
    PrimaryKeyConstraint("player", "game"),
    Index("ratings_best", "game", "mu"),
)

rated: Final = Table("rated", metadata, Column("match", ID, primary_key=True))

studies: Final = Table(
    "studies",
    metadata,
    Column("id", ID, primary_key=True),
    Column("owner", ID, nullable=False, index=True),  # perhaps a guest
    *required(Text, "name"),
    *required(TIME, "created", "changed"),
    Column("version", Integer, nullable=False),  # of the document; later edits are in `entries`
    Column("read_key", ID),  # the secret of the link to read it
    Column("write_key", ID),
    *required(Text, "document"),
)

explored: Final = Table("explored", metadata, Column("match", ID, primary_key=True))

explorer: Final = Table(
    "explorer",
    metadata,
    *required(ID, "scope", "position"),
    *required(String(100), "action"),
    *required(Integer, "won", "drawn", "lost"),
    PrimaryKeyConstraint("position", "scope", "action"),
    sqlite_with_rowid=False,
)

puzzle_answers: Final = Table(
    "puzzle_answers",
    metadata,
    *required(ID, "player", "game", "puzzle"),
    *required(Boolean, "solved"),
    *required(TIME, "at", "due"),
    *required(Text, "card"),
    PrimaryKeyConstraint("player", "game", "puzzle"),
)

puzzle_standings: Final = Table(
    "puzzle_standings",
    metadata,
    *required(ID, "player", "game"),
    *required(Float, "mean", "deviation"),
    *required(Integer, "answered", "solved", "streak", "best"),
    *required(TIME, "at"),
    PrimaryKeyConstraint("player", "game"),
)

puzzle_ratings: Final = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", ID, primary_key=True),
    *required(Float, "mean", "deviation"),
    *required(Integer, "answers"),
)

processes: Final = Table("processes", metadata, Column("id", ID, primary_key=True), *required(TIME, "seen"))
