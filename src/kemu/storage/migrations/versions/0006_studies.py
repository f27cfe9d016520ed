"""Studies, and the index of the explorer."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.String(40), primary_key=True),
        sa.Column("owner", sa.String(40), nullable=False, index=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("read_key", sa.String(40)),
        sa.Column("write_key", sa.String(40)),
        sa.Column("document", sa.Text, nullable=False),
    )
    op.create_table("explored", sa.Column("match", sa.String(40), primary_key=True))
    op.create_table(
        "explorer",
        sa.Column("scope", sa.String(40), nullable=False),
        sa.Column("position", sa.String(40), nullable=False),
        sa.Column("action", sa.String(100), nullable=False),
        sa.Column("won", sa.Integer, nullable=False),
        sa.Column("drawn", sa.Integer, nullable=False),
        sa.Column("lost", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("position", "scope", "action"),
        sqlite_with_rowid=False,
    )
