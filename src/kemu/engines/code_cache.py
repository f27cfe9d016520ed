"""The folder for compiled code, named by a hash of the sources it was compiled from.

numba compiles a function again when the function's own file has changed, but not when a callee or a table in another
file has. Both are part of the machine code, so that code of other sources gives wrong results or crashes. A folder
for each state of the sources keeps them apart. Importing this module does not import numba.
"""

import shutil
import tempfile
import time
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

PACKAGE: Final = Path(__file__).parent.parent
SOURCES: Final = ("engines", "games")
"""The subpackages that compiled code and its tables are made from."""

PREFIX: Final = "compiled-"
STALE_SECONDS: Final = 600
"""A folder of other sources that nothing was written to for so long is not in use by a process that compiles."""


def source_hash(package: Path = PACKAGE) -> str:
    """A hash of all sources that compiled code can depend on, by their paths and contents."""
    digest = sha256()
    for folder in SOURCES:
        for path in sorted((package / folder).rglob("*.py")):
            digest.update(path.relative_to(package).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:32]


def cache_roots(configured: str, package: Path = PACKAGE) -> list[Path]:
    """The folders in which the cache may be, the best first.

    `configured` is the value of NUMBA_CACHE_DIR, empty if it is not set. Without it the cache is kept beside the
    engines, and in the cache folder of the user where the package cannot be written to. Folders that several
    installations of Kemu may share get a subfolder for this one, whose path it is named by.
    """
    own = f"kemu-{sha256(str(package.resolve()).encode()).hexdigest()[:16]}"
    if configured:
        return [Path(configured) / own]
    return [package / "engines" / "__pycache__", user_cache_path("kemu", appauthor=False) / own]


def cache_folder(name: str, roots: Iterable[Path]) -> Path | None:
    """The folder of this name in the first root that can be written to, None if there is none.

    If the folder is new, stale folders of other sources beside it are removed.
    """
    for root in roots:
        folder = root / f"{PREFIX}{name}"
        try:
            new = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=folder):
                pass
        except OSError:
            continue
        if new:
            _remove_stale(root, folder)
        return folder
    return None


def _remove_stale(root: Path, kept: Path) -> None:
    """Removes the folders of other sources, unless they were written to a short time ago.

    A process of the other sources that is still running compiles again what it does not find, so that it does not
    matter to it. Two processes that remove the same folder do not disturb each other.
    """
    for folder in root.glob(f"{PREFIX}*"):
        if folder != kept and time.time() - _last_write(folder) > STALE_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def _last_write(folder: Path) -> float:
    """When a file was last added to a folder or to a subfolder of it, now if that cannot be found out."""
    try:
        return max(path.stat().st_mtime for path in (folder, *(path for path in folder.iterdir() if path.is_dir())))
    except OSError:
        return time.time()
