"""The file of a SQLite database as a whole: the lock of the one server that uses it, and copies of it."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from kemu.core.errors import OptionError
from kemu.storage.errors import StoreUnavailable

BACKUP_PAGES: Final = 1000
"""Pages that a backup copies before others may write again."""


def lock_file(path: Path) -> sqlite3.Connection:
    """Lock a database for one server until the connection is closed or the process ends. Raises OptionError.

    The lock is an exclusive transaction on an empty database beside it: SQLite knows how to lock files on every system,
    the system releases the lock when the process dies, and others can still read the database itself.
    """
    beside = path.with_name(f"{path.name}.lock")
    beside.touch(mode=0o600)
    connection = sqlite3.connect(beside, isolation_level=None, check_same_thread=False, timeout=0)
    try:
        connection.execute("BEGIN EXCLUSIVE")
    except sqlite3.OperationalError:
        connection.close()
        raise OptionError(f"Another Kemu server uses {path}; stop it, or give another --database.") from None
    return connection


def backup_file(source: Path, copy: Path) -> None:
    """Copy a database that may be in use, as it is at one moment; the copy appears when it is complete.

    Raises OptionError if there is no database, and StoreUnavailable if it cannot be read or the copy not be written.
    """
    if not source.is_file():
        raise OptionError(f"There is no database {source}.")
    part = copy.with_name(f"{copy.name}.part")
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    try:
        with closing(sqlite3.connect(source)) as given, closing(sqlite3.connect(part)) as made:
            given.backup(made, pages=BACKUP_PAGES)
    except sqlite3.Error as error:
        part.unlink(missing_ok=True)
        raise StoreUnavailable(f"{source} cannot be copied: {error}.") from None
    part.replace(copy)
