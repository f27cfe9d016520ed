"""The registry: every game by its key. To add a game, add its folder and one line here."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from kemu.core.errors import OptionError, UnknownGame

if TYPE_CHECKING:
    from kemu.core.drawing import Drawing
    from kemu.core.game import AnyGame
    from kemu.core.succession import Succession

_PACKAGES = {
    "moeraki-kemu": "kemu.games.moeraki",
    "mu-torere": "kemu.games.mu_torere",
    "mauw": "kemu.games.mauw",
}


def games() -> tuple[str, ...]:
    """The keys of all games."""
    return tuple(_PACKAGES)


def game(key: str, /, **options: Any) -> "AnyGame":
    """The game of this key with these options chosen."""
    from dataclasses import fields  # slow to import, and only needed here

    rules = package(key).Rules
    known = [field.name for field in fields(rules)]
    for option in options:
        if option not in known:
            raise OptionError(f"{key} has no option '{option}'; its options are {', '.join(known)}.")
    return cast("AnyGame", rules(**options))


def drawing(key: str) -> "Drawing":
    """How the game of this key is shown in text."""
    return cast("Drawing", importlib.import_module(f"{package(key).__name__}.drawing"))


def succession(key: str) -> "Succession":
    """How a series of the game of this key goes on."""
    return cast("Succession", importlib.import_module(f"{package(key).__name__}.series"))


def package(key: str) -> ModuleType:
    """The folder of a game: its TITLE, its SUMMARY, and its rules as the class `Rules`."""
    if key not in _PACKAGES:
        raise UnknownGame(f"There is no game '{key}'; the games are {', '.join(_PACKAGES)}.")
    return importlib.import_module(_PACKAGES[key])


def register(key: str, folder: str) -> None:
    """Add a game from elsewhere: `folder` is the import path of its package."""
    _PACKAGES[key] = folder
