"""Record files of the terminal: one JSON file for each game, replaced as a whole, so that none is half written."""

import os
from collections import deque
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import count
from pathlib import Path

from platformdirs import user_data_path

from kemu.core.errors import KemuError, OptionError, ParseError
from kemu.core.game import AnyGame
from kemu.core.record import LARGEST, Record, replay
from kemu.games import game


def data_folder() -> Path:
    """Return KEMU_HOME or the user's data folder."""
    home = os.environ.get("KEMU_HOME")
    return Path(home) if home else user_data_path("kemu", appauthor=False)


def new_path(key: str) -> Path:
    """Return the path of a file that does not exist yet, in the data folder."""
    folder = data_folder() / "records"
    stem = f"{key}-{datetime.now():%Y%m%d-%H%M%S}"
    files = (folder / f"{stem}-{number}.json" for number in count(1))
    return next(file for file in files if not file.exists())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that a crash leaves either the old one or the new one; raises OptionError if that fails."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise OptionError(f"{path} cannot be written: {error.strerror}.") from None


def load(path: Path) -> tuple[Record, AnyGame]:
    """Return a record whose actions were all replayed, and its game; raises KemuError with the file's name first.

    Names and the reason of the result can be printed: characters that steer a terminal are replaced.
    """
    try:
        with path.open("rb") as file:
            record = Record.from_text(file.read(LARGEST + 1))
        chosen = game(record.game, **record.options)
        _check_seats(record, chosen)
        deque(replay(chosen, record.actions), maxlen=0)
    except OSError as error:
        raise ParseError(f"{path}: {error.strerror}.") from None
    except KemuError as error:
        raise error.located(str(path)) from None
    return _printable(record), chosen


def _printable(record: Record) -> Record:
    result = record.result and replace(record.result, reason=_printable_text(record.result.reason))
    return replace(record, players=tuple(map(_printable_text, record.players)), result=result)


def _printable_text(text: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in text)


def _check_seats(record: Record, chosen: AnyGame) -> None:
    """Raise ParseError if winners are no seats of the game, or the players are not as many as its seats."""
    winners = record.result.winners if record.result else ()
    if any(seat >= chosen.seats for seat in winners) or len(record.players) not in (0, chosen.seats):
        raise ParseError(f"{chosen.key} has {chosen.seats} seats here; 'players' and 'winners' are of others.")
