"""The manifest of a game: what Kemu knows of it before its modules are imported."""

import re
from dataclasses import dataclass
from typing import Any

from kemu.core.errors import OptionError
from kemu.core.parts import import_part


@dataclass(frozen=True)
class Manifest:
    """One game; import paths are "package.module" or "package.module:name"."""

    key: str  # lower-case letters, digits and hyphens
    title: str
    summary: str  # one line, not a sentence
    how_to_play: str  # the rules in short, a few lines of text
    rules: str  # the class of the rules, whose fields are the options
    text: str  # the module that shows views in text, see TextView of core/display.py
    screen: str | None = None  # the module for a full screen, see ScreenView; None: its text and a list of actions
    view: str | None = None  # the TypedDict of the views, for schemas and the types of clients
    series: str | None = None  # the series module, see SeriesRules; None: the same game again, seats rotate
    picture: str | None = None  # the module that draws views, see PictureView; None: the drawing in text
    symmetry: str | None = None  # the module of its symmetries, see SymmetryRules of core/game.py; None: it has none
    encoding: str | None = None  # the class of the numbers, see core/encoding.py; None: no adapters and no batches
    batch: str | None = None  # what makes the Lanes of many games at once, see engines/batch.py; None: by the rules
    player: str | None = None  # the player of its engine, see engines/capabilities.py; None: the generic searcher
    verifier: str | None = None  # the module that checks certificates, see engines/certificates.py; None: it has none
    hidden: bool = False  # whether seats see different things; if not, every view has its position, see Game.view
    unrated_options: tuple[tuple[str, Any], ...] = ()  # names and values that decide a match at once; none is rated
    # What it is worth to act first, in points of a rating, by options; the first that fit count, see docs/ratings.md.
    first_advantages: tuple[tuple[tuple[tuple[str, Any], ...], float], ...] = ()
    order: int = 100  # the place in lists of games; games of the same number are listed by key

    def __post_init__(self) -> None:
        if not re.fullmatch("[a-z0-9]+(-[a-z0-9]+)*", self.key):
            raise OptionError(f"The key of a game is lower-case letters, digits and hyphens, not '{self.key}'.")


def load(path: str) -> Any:
    """Return the object at an import path; raises MissingPart, ImportError or AttributeError."""
    module, _, name = path.partition(":")
    found = import_part(module)
    return getattr(found, name) if name else found
