"""The registry: every game by its key.

Kemu's own games are the packages in this folder, each with a module `manifest` that holds `MANIFEST`. Games of other
packages are found by the entry-point group `kemu.games`, whose entries each name a Manifest; `register` adds any other.
"""

from __future__ import annotations

import importlib
import pkgutil
import warnings
from collections.abc import Sequence
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, cast

from kemu.core.display import Picture, PictureView, ScreenView, TextView, text_picture
from kemu.core.encoding import Encoding
from kemu.core.errors import OptionError, UnknownGame
from kemu.core.game import IDENTITY, SPECTATOR, AnyGame, Seat, SeatsRotate, SeriesRules, Symmetry, SymmetryRules
from kemu.core.manifest import Manifest, load

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "kemu.games"
"""The entry-point group of games in other packages."""

_registered: dict[str, Manifest] = {}


def game_keys() -> tuple[str, ...]:
    """The keys of all games.

    Returns:
        Kemu's own first, then those of other packages, then those registered by hand.
    """
    return (*_own(), *_plugins(), *_registered)


def game(key: str, /, **options: Any) -> AnyGame:
    """Make a game.

    Args:
        key: One of `game_keys()`.
        **options: The options of the game; what is missing has its default.

    Returns:
        The rules with these options, a frozen object.

    Raises:
        UnknownGame: No game has this key.
        OptionError: The game has no such option, or the option no such value.
    """
    rules = load(manifest(key).rules)
    known = [field.name for field in fields(rules)]
    for option in options:
        if option not in known:
            raise OptionError(f"{key} has no option '{option}'; its options are {', '.join(known)}.")
    return cast("AnyGame", rules(**options))


def manifest(key: str) -> Manifest:
    """Return the manifest of a game.

    Returns:
        The manifest of the game of this key.

    Raises:
        UnknownGame: No game has this key.
    """
    # Other packages are looked for only when the key is none of Kemu's own, because that reads many files.
    found = _own().get(key) or _registered.get(key) or _plugins().get(key)
    if found is None:
        raise UnknownGame(f"There is no game '{key}'; the games are {', '.join(game_keys())}.")
    return found


def text(key: str) -> TextView:
    """How a game is shown in text.

    Returns:
        The text module of the game of this key.

    Raises:
        UnknownGame: No game has this key.
    """
    return cast("TextView", load(manifest(key).text))


def screen(key: str) -> ScreenView | None:
    """Return the full-screen module of a game.

    Returns:
        The screen module of the game of this key, None if it has none.

    Raises:
        UnknownGame: No game has this key.
    """
    path = manifest(key).screen
    return cast("ScreenView", load(path)) if path else None


def series(key: str) -> SeriesRules:
    """Return the series rules of a game.

    Returns:
        The series module of the game of this key; without one, seats rotate.

    Raises:
        UnknownGame: No game has this key.
    """
    path = manifest(key).series
    return cast("SeriesRules", load(path)) if path else SeatsRotate()


def encoding(game: AnyGame) -> Encoding:
    """The actions and views of a game as numbers.

    Returns:
        The encoding that the manifest of the game names, made from the game.

    Raises:
        UnknownGame: The game is not registered.
        OptionError: The game has no encoding.
    """
    path = manifest(game.key).encoding
    if path is None:
        known = ", ".join(key for key in game_keys() if manifest(key).encoding)
        raise OptionError(f"{game.key} has no encoding; games with one are {known}.")
    return cast("Encoding", load(path)(game))


def symmetries(game: AnyGame) -> Sequence[Symmetry]:
    """The symmetries of a game.

    Args:
        game: The game, with its options.

    Returns:
        Those of the module that its manifest names, the identity alone without one.

    Raises:
        UnknownGame: The game is not registered.
    """
    path = manifest(game.key).symmetry
    return cast("SymmetryRules", load(path)).symmetries(game) if path else (IDENTITY,)


def picture(game: AnyGame, state: Any, seat: Seat | None = None) -> Picture:
    """Draw what a seat sees of a state.

    Args:
        game: The game of the state.
        state: What to draw.
        seat: Who looks, a spectator if missing.

    Returns:
        An SVG drawing; notebooks show it as it is.

    Raises:
        UnknownGame: The game is not registered.
    """
    found, view = manifest(game.key), game.view(state, SPECTATOR if seat is None else seat)
    if found.picture is None:
        return Picture(text_picture(found.title, text(game.key).draw(game, view)))
    return Picture(cast("PictureView", load(found.picture)).svg(game, view))


def register(manifest: Manifest) -> None:
    """Add a game in this process.

    Raises:
        OptionError: The key of the manifest is taken.
    """
    if manifest.key in game_keys():
        raise OptionError(f"There is a game '{manifest.key}' already.")
    _registered[manifest.key] = manifest


def unregister(key: str) -> None:
    """Remove a game that was added by `register`; raises KeyError if it was not."""
    del _registered[key]


@cache
def _own() -> dict[str, Manifest]:
    """The games in this folder, in the order that their manifests give."""
    slices = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    found = [importlib.import_module(f"{__name__}.{name}.manifest").MANIFEST for name in slices]
    return {each.key: each for each in sorted(found, key=lambda each: (each.order, each.key))}


@cache
def _plugins() -> dict[str, Manifest]:
    """The games of other packages; one that cannot be loaded is left out with a warning that names its package."""
    from importlib.metadata import entry_points  # slow to import, and only needed where a key is none of ours

    found: list[Manifest] = []
    taken = set(_own())
    for entry in entry_points(group=GROUP):
        try:
            loaded = _checked(entry)
            if loaded.key in taken:
                raise OptionError(f"there is a game '{loaded.key}' already")
        except Exception as error:
            package = entry.dist.name if entry.dist else entry.value
            reason = f"{type(error).__name__}: {error}".rstrip(".")
            warnings.warn(f"The game '{entry.name}' of the package {package} is left out: {reason}.", stacklevel=2)
            continue
        taken.add(loaded.key)
        found.append(loaded)
    return {each.key: each for each in sorted(found, key=lambda each: (each.order, each.key))}


def _checked(entry: EntryPoint) -> Manifest:
    """The manifest of an entry point whose rules and text module can be imported."""
    loaded = entry.load()
    if not isinstance(loaded, Manifest):
        raise TypeError(f"{entry.value} is not a Manifest")
    if load(loaded.rules).key != loaded.key:
        raise ValueError(f"{loaded.rules} has another key than '{loaded.key}'")
    load(loaded.text)
    return loaded
