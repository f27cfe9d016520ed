"""Who made a match, so that the open and running matches of one player can be counted."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("matches", sa.Column("host", sa.String(40), nullable=False, server_default=""))
    host = "json_extract(row, '$.terms.host')"
    if op.get_bind().dialect.name == "postgresql":
        host = "row::json -> 'terms' ->> 'host'"
    op.execute(f"UPDATE matches SET host = {host}")
    op.create_index("matches_hosted", "matches", ["host", "status"])
