"""The permissions of a database file: its owner alone may read it, for it holds digests of secrets and all hands."""

import logging
import os
from pathlib import Path
from typing import Final

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700

BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite adds to the name of a database for the files beside it; it gives new ones the mode of the database."""

log = logging.getLogger(__name__)


def make_private(path: Path) -> None:
    """Create a database file and its folder for their owner alone, or take the rights of others from files that exist.

    A folder that exists stays as it is: it may hold other things. Windows has other means, which the user's folder has.
    """
    if not path.parent.exists():
        path.parent.parent.mkdir(parents=True, exist_ok=True)
        path.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    if os.name != "posix":
        return
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, FILE_MODE))
    for end in BESIDE:
        file = path.with_name(path.name + end)
        if file.exists() and file.stat().st_mode & 0o077:
            file.chmod(FILE_MODE)
            log.warning("others could read the database; now only its owner can", extra={"reason": f"file{end}"})
