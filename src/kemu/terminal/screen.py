"""The two ways to show a game: a picture with colours, or plain lines."""

import importlib
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, Protocol

from kemu.core.game import AnyGame
from kemu.core.text import TextView


class Screen(Protocol):
    """Where a game is shown and a person is asked."""

    def show(self, drawing: TextView, game: AnyGame, view: Any) -> None:
        """The view."""

    def say(self, *lines: str) -> None:
        """Some lines of text."""

    def ask(self, prompt: str) -> str:
        """What the person types; raises EOFError at the end of input."""

    def hide(self) -> None:
        """Take what was shown out of sight, for the next person at the same screen."""


class PlainScreen:
    """Plain lines and nothing else."""

    def show(self, drawing: TextView, game: AnyGame, view: Any) -> None:
        self.say(*drawing.tell(game, view).splitlines())

    def say(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        return input(f"{prompt} ").strip()

    def hide(self) -> None:
        if sys.stdout.isatty():
            self.say(*[""] * 60)


class PictureScreen:
    """Pictures in the colours of each game's ink."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console = Console(highlight=False)

    def show(self, drawing: TextView, game: AnyGame, view: Any) -> None:
        from rich.text import Text

        picture = Text(drawing.draw(game, view))
        if max(map(len, picture.plain.splitlines())) > self._console.width:  # broken lines would be no picture
            self.say(*drawing.tell(game, view).splitlines())
            return
        for ink, glyphs in _by_ink(drawing):
            picture.highlight_regex(f"[{re.escape(glyphs)}]", ink)
        self._console.print()
        self._console.print(picture, soft_wrap=True)
        self._console.print()

    def say(self, *lines: str) -> None:
        for line in lines:
            self._console.print(line, markup=False, soft_wrap=True)

    def ask(self, prompt: str) -> str:
        return input(f"{prompt} ").strip()

    def hide(self) -> None:
        self._console.clear()
        # What has scrolled away can be scrolled back to, so that goes too, where the terminal obeys.
        self._console.file.write("\x1b[3J")


def _by_ink(drawing: TextView) -> Iterable[tuple[str, str]]:
    inks: dict[str, str] = {}
    for glyph, ink in drawing.INK.items():
        inks[ink] = inks.get(ink, "") + glyph
    return inks.items()


def open_screen(plain: bool) -> Screen:
    """Pictures on a terminal, plain lines if asked for or when the output goes elsewhere."""
    _prepare()
    return PlainScreen() if plain or not sys.stdout.isatty() else PictureScreen()


def _prepare() -> None:
    """The one place that knows of platforms: UTF-8 everywhere, line editing where there is readline."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    with suppress(ImportError):
        importlib.import_module("readline")
