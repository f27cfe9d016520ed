"""Databases of earlier versions, filled by their servers: 0001.sqlite by the first, 0006.sqlite by the one before 0.2.

They hold two accounts and a guest with an open, a rated, a timed and a hidden match; 0006.sqlite has puzzles, a study
with an edit, a review and sessions as well. history.*.sql are the migrations as these versions ran them.
"""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, TypeAlias

from kemu.storage.statements import DatabaseKind

FOLDER = Path(__file__).parent / "databases"

PASSWORD = "a long password"
"""Of both accounts, Hine and Tama."""

GUEST_COOKIE = "M-9VBdi1DQ_nobdX.I1dX-kGg7SlPsZg0O9Y5swpEVpgeFxD8EfMUt8i3Yn8"
TOKEN = "kemu_qMGFlG9V_Urq2H_BCRGCI4KCUrV-RHC5mkOuZL-J6"
"""Of the guest Kea, and of Hine, in 0006.sqlite."""

Rows: TypeAlias = dict[str, list[dict[str, Any]]]
"""By table, its rows, each a dictionary of its columns."""


def unpack(revision: str, path: Path) -> None:
    """Write a database of 0001 or 0006 to a file."""
    path.touch(mode=0o600)
    path.write_bytes(gzip.decompress((FOLDER / f"{revision}.sqlite.gz").read_bytes()))


def history(kind: DatabaseKind, revision: str) -> str:
    """The SQL with which earlier versions made a database of a revision."""
    text = (FOLDER / f"history.{kind}.sql").read_text(encoding="utf-8")
    later = text.find(f"\n-- {int(revision) + 1:04}")
    return text if later < 0 else text[:later]


def rows_of(path: Path) -> Rows:
    """Everything that a SQLite database holds."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        return {table: [dict(row) for row in connection.execute(f"SELECT * FROM {table}")] for (table,) in tables}
