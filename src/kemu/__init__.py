"""Kemu: play, learn and study Moeraki-Kemu, Mū tōrere and MAUW.

`kemu.game_keys()` lists the keys of all games, `kemu.game(key, **options)` makes one:

>>> import kemu
>>> game = kemu.game(kemu.game_keys()[0])
>>> state = game.initial()
>>> game.outcome(state) is None
True
"""

from typing import TYPE_CHECKING, Any

from kemu.core.parts import import_part
from kemu.games import game_keys, picture, register

if TYPE_CHECKING:
    from kemu.core.errors import IllegalAction, KemuError, MissingPart, OptionError, ParseError, UnknownGame
    from kemu.core.game import CHANCE, SPECTATOR, Game, Outcome, Seat
    from kemu.core.manifest import Manifest
    from kemu.core.record import Record, replay
    from kemu.engines.batch import batch
    from kemu.games.typed import game  # by the literal key
else:
    from kemu.games import game

__version__ = "0.3.0"

# Loaded when first asked for, so that `kemu --help` need not wait for them.
_LATER = {
    **dict.fromkeys(
        ("IllegalAction", "KemuError", "MissingPart", "OptionError", "ParseError", "UnknownGame"), "kemu.core.errors"
    ),
    **dict.fromkeys(("CHANCE", "SPECTATOR", "Game", "Outcome", "Seat"), "kemu.core.game"),
    "Manifest": "kemu.core.manifest",
    **dict.fromkeys(("Record", "replay"), "kemu.core.record"),
    "batch": "kemu.engines.batch",
}

__all__ = [
    "CHANCE",
    "SPECTATOR",
    "Game",
    "IllegalAction",
    "KemuError",
    "Manifest",
    "MissingPart",
    "OptionError",
    "Outcome",
    "ParseError",
    "Record",
    "Seat",
    "UnknownGame",
    "batch",
    "game",
    "game_keys",
    "picture",
    "register",
    "replay",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'kemu' has no attribute {name!r}")
    return getattr(import_part(_LATER[name]), name)


def __dir__() -> list[str]:
    """Return the public names, so that they are offered before they are loaded."""
    return [*__all__, "__version__", "__doc__", "__file__", "__name__", "__path__"]
