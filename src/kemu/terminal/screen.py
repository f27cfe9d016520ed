"""Two ways to print a game: a drawing in colours, or plain lines; and where plain lines are wanted."""

import importlib
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Protocol

from kemu.core.display import TextView
from kemu.core.game import AnyGame, AnyView

if TYPE_CHECKING:
    from rich.text import Text


class Screen(Protocol):
    """Output to a terminal or a pipe."""

    def show(self, drawing: TextView, game: AnyGame, view: AnyView) -> None:
        """The view."""

    def say(self, *lines: str) -> None:
        """Print lines of text."""


class PlainScreen:
    """Plain lines, for screen readers and pipes; people answer in lines too."""

    def __init__(self) -> None:
        _prepare()

    def show(self, drawing: TextView, game: AnyGame, view: AnyView) -> None:
        self.say(*drawing.tell(game, view).splitlines())

    def say(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """Print a prompt and return the line that is typed; raises EOFError at the end of input."""
        return input(f"{prompt} ").strip()

    def hide(self) -> None:
        """Move what was shown out of sight, before another person looks at the same screen."""
        if sys.stdout.isatty():
            self.say(*[""] * 60)


class PictureScreen:
    """Drawings in the colours that each game's INK names."""

    def __init__(self) -> None:
        _prepare()
        from rich.console import Console

        self._console = Console(highlight=False)

    def show(self, drawing: TextView, game: AnyGame, view: AnyView) -> None:
        from rich.text import Text

        picture = Text(drawing.draw(game, view))
        if max(map(len, picture.plain.splitlines())) > self._console.width:  # wrapped lines would spoil the drawing
            self.say(*drawing.tell(game, view).splitlines())
            return
        colour(picture, drawing.INK)
        self._console.print()
        self._console.print(picture, soft_wrap=True)
        self._console.print()

    def say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(line, markup=False, soft_wrap=True)


def colour(picture: "Text", inks: Mapping[str, str]) -> None:
    """Give each character of a drawing the ink of its game."""
    glyphs: dict[str, str] = {}
    for glyph, ink in inks.items():
        glyphs[ink] = glyphs.get(ink, "") + glyph
    for ink, alike in glyphs.items():
        picture.highlight_regex(f"[{re.escape(alike)}]+", ink)


def open_screen() -> Screen:
    """A PictureScreen if standard output is a terminal, else a PlainScreen."""
    return PictureScreen() if sys.stdout.isatty() else PlainScreen()


def wants_lines() -> bool:
    """Whether play must be in plain lines: in a pipe, on a terminal that cannot draw, or by the setting KEMU_PLAIN."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return not terminal or bool(os.environ.get("KEMU_PLAIN"))


def _prepare() -> None:
    """Set UTF-8 on every platform, and line editing if there is readline."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    with suppress(ImportError):
        importlib.import_module("readline")
