"""The folder of a training: whose it is, its database, and its files, which are never seen half written."""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

from kemu.cluster.errors import LeavesUnavailable
from kemu.cluster.leaves import LeafStore
from kemu.core.errors import OptionError

_WORK, _LEAF = "training", "facts"
_REFUSALS: Final = {
    "sources": "was begun with other sources of the engines: go on with those, or name another folder.",
    "begins with": "was begun with other weights than those in use now; name another folder.",
}


def folder_store(folder: Path) -> LeafStore:
    """The database of batches, fits and pairs."""
    return LeafStore(f"sqlite:///{folder / 'training.db'}")


@contextmanager
def held_folder(folder: Path) -> Iterator[None]:
    """Makes a folder if it is missing, and holds it for this process until it ends, however it ends.

    Raises OptionError if another process holds it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with closing(_locked(folder)):
        yield


def _locked(folder: Path) -> sqlite3.Connection:
    """A connection in a transaction that no other process can begin; the system ends it with this process."""
    try:
        lock = sqlite3.connect(folder / "training.lock", timeout=0, isolation_level=None)
    except sqlite3.Error as error:
        raise LeavesUnavailable(f"{folder} cannot be written to: {error}.") from error
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except sqlite3.Error as error:
        lock.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise OptionError(f"Another training is running in {folder}.") from None
        raise LeavesUnavailable(f"{folder} cannot be written to: {error}.") from error
    return lock


async def claim_folder(folder: Path, facts: Mapping[str, Any], growing: Sequence[str]) -> None:
    """Makes a folder that of a training of which these facts are true; they are kept in its database.

    Raises OptionError if it is that of another training: one of which another fact is true. The numbers named in
    `growing` may have become larger.
    """
    store = folder_store(folder)
    await store.add(_WORK, [_LEAF])
    kept = (await store.results(_WORK)).get(_LEAF)
    if kept is None and await store.works() != {_WORK}:
        raise OptionError(f"{folder} was begun by an earlier version of Kemu; name another folder.")
    for name, before in json.loads(kept or "{}").items():
        now = facts.get(name)
        if name in growing and now < before:
            raise OptionError(f"The training in {folder} has {before} {name} already; {now} would be fewer.")
        if name not in growing and now != before:
            other = f"holds a training with {name} {before}, not {now}; name another folder."
            raise OptionError(f"{folder} {_REFUSALS.get(name, other)}")
    await store.finish(_WORK, _LEAF, json.dumps(facts), 0.0)


def write_whole(file: Path, data: bytes) -> None:
    """Writes a file so that whoever reads it, or goes on after a kill, finds all of it or what was there before."""
    beside = file.with_name(f".{file.name}")
    beside.write_bytes(data)
    beside.replace(file)
