"""Sessions, recovery codes and the scopes of tokens; cookies that were signed before are exchanged for sessions."""

import time

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

OLD_COOKIES_MS = 365 * 24 * 60 * 60 * 1000
"""How long cookies that were signed before this migration are exchanged: as long as browsers keep them."""


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("player", sa.String(40), nullable=False, index=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("device", sa.String(80), nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("used", sa.BigInteger, nullable=False),
        sa.Column("exchanged", sa.Boolean, nullable=False),
    )
    op.create_index("sessions_used", "sessions", ["used"])
    op.create_table(
        "recovery_codes",
        sa.Column("player", sa.String(40), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("player", "digest"),
    )
    op.create_table(
        "old_cookies",
        sa.Column("player", sa.String(40), primary_key=True),
        sa.Column("retired", sa.BigInteger, nullable=False),
    )
    op.add_column("tokens", sa.Column("scope", sa.String(10), nullable=False, server_default="play"))
    until = time.time_ns() // 1_000_000 + OLD_COOKIES_MS
    op.execute(
        f"INSERT INTO secrets (name, value) SELECT 'cookies-until', '{until}' FROM secrets WHERE name = 'cookies'"
    )
