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


def keys(kind: Any, *names: str) -> list[Any]:
    """Return columns of one type that belong to the primary key, in their order."""
    return [Column(name, kind, primary_key=True, autoincrement=False) for name in names]


def table(name: str, *parts: Any, rowid: bool = True) -> Table:
    """Return a table of the store; SQLite keeps one without a row id in the order of its primary key."""
    return Table(name, metadata, *parts, sqlite_with_rowid=rowid)


matches: Final = table(
    "matches",
    *keys(ID, "id"),
    *required(ID, "game", "host"),
    *required(String(10), "status"),
    *required(Boolean, "public", "rated"),
    *required(TIME, "created"),
    *required(Boolean, "scheduled"),
    Column("owner", ID),  # the process that runs its clock and its bots
    Column("row", Text, nullable=False),  # a MatchRow in JSON; the other columns are there to search by
    Index("matches_listed", "public", "status", "created"),
    Index("matches_scheduled", "scheduled", "owner"),
    Index("matches_hosted", "host", "status"),
)

entries: Final = table(
    "entries",
    *keys(ID, "match"),  # or the study whose edit the entry is
    *keys(Integer, "version"),
    *required(Text, "entry"),
    rowid=False,
)

sitters: Final = table(
    "sitters",
    *required(ID, "match", "player"),
    PrimaryKeyConstraint("player", "match"),
    Index("sitters_match", "match"),
    rowid=False,
)

players: Final = table(
    "players",
    *keys(ID, "id"),
    *required(ID, "name"),
    Column("login", String(80), unique=True),  # the name of an account in one case, else null
    Column("password", String(200)),
)

tokens: Final = table(
    "tokens",
    *keys(ID, "id"),
    Column("player", ID, ForeignKey("players.id"), nullable=False, index=True),
    *required(ID, "label"),
    *required(String(64), "digest"),
    *required(String(10), "scope"),
)

sessions: Final = table(
    "sessions",
    *keys(ID, "id"),
    Column("player", ID, nullable=False, index=True),  # perhaps a guest who is not stored
    *required(String(64), "digest"),
    *required(String(80), "device"),
    *required(TIME, "created", "used"),
    Index("sessions_used", "used"),
)

recovery_codes: Final = table("recovery_codes", *keys(ID, "player"), *keys(String(64), "digest"))

reviews: Final = table(
    "reviews", *keys(String(64), "id"), *required(Text, "review"), Column("created", TIME, nullable=False, index=True)
)

ratings: Final = table(
    "ratings",
    *keys(ID, "player", "game"),
    *required(Float, "mu", "sigma"),
    *required(Integer, "matches"),
    Index("ratings_best", "game", "mu"),
)

rated: Final = table("rated", *keys(ID, "match"))

studies: Final = table(
    "studies",
    *keys(ID, "id"),
    Column("owner", ID, nullable=False, index=True),  # perhaps a guest
    *required(Text, "name"),
    *required(TIME, "created", "changed"),
    Column("version", Integer, nullable=False),  # of the document; later edits are in `entries`
    Column("read_key", ID),  # the secret of the link to read it
    Column("write_key", ID),
    *required(Text, "document"),
)

explored: Final = table("explored", *keys(ID, "match"))

explorer: Final = table(
    "explorer",
    *required(ID, "scope", "position"),
    *required(String(100), "action"),
    *required(Integer, "won", "drawn", "lost"),
    PrimaryKeyConstraint("position", "scope", "action"),
    rowid=False,
)

puzzle_answers: Final = table(
    "puzzle_answers",
    *keys(ID, "player", "game", "puzzle"),
    *required(Boolean, "solved"),
    *required(TIME, "at", "due"),
    *required(Text, "card"),
)

puzzle_standings: Final = table(
    "puzzle_standings",
    *keys(ID, "player", "game"),
    *required(Float, "mean", "deviation"),
    *required(Integer, "answered", "solved", "streak", "best"),
    *required(TIME, "at"),
)

puzzle_ratings: Final = table(
    "puzzle_ratings", *keys(ID, "puzzle"), *required(Float, "mean", "deviation"), *required(Integer, "answers")
)

processes: Final = table("processes", *keys(ID, "id"), *required(TIME, "seen"))
