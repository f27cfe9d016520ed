"""Reviews of records, each kept once under a digest of its record."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("review", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False, index=True),
    )
