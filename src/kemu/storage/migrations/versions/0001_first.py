"""The first schema."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("status", sa.String(10), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("tended", sa.Boolean, nullable=False),
        sa.Column("owner", sa.String(40)),
        sa.Column("row", sa.Text, nullable=False),
    )
    op.create_index("matches_listed", "matches", ["public", "status", "created"])
    op.create_index("matches_tended", "matches", ["tended", "owner"])
    op.create_table(
        "entries",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("entry", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("match", "version"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "sitters",
        sa.Column("match", sa.String(40), nullable=False),
        sa.Column("player", sa.String(40), nullable=False),
        sa.PrimaryKeyConstraint("player", "match"),
        sqlite_with_rowid=False,
    )
    op.create_index("sitters_match", "sitters", ["match"])
    op.create_table(
        "players",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("login", sa.String(80), unique=True),
        sa.Column("password", sa.String(200)),
    )
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("player", sa.String(40), sa.ForeignKey("players.id"), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
    )
    op.create_index("ix_tokens_player", "tokens", ["player"])
    op.create_table(
        "ratings",
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("game", sa.String(40), nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("matches", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("player", "game"),
    )
    op.create_index("ratings_best", "ratings", ["game", "mu"])
    op.create_table("rated", sa.Column("match", sa.String(40), primary_key=True))
    op.create_table(
        "processes",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(40), primary_key=True),
        sa.Column("value", sa.String(100), nullable=False),
    )
