"""Printing for all commands and both screens: views of games, as drawings or plain lines, and sentences about them."""

import importlib
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any, Final

from kemu.core.display import TextView
from kemu.core.game import CHANCE, AnyGame, AnyView, Outcome, Seat
from kemu.core.parts import is_installed

if TYPE_CHECKING:
    from rich.text import Text

MARKERS: Final = "●○◆◇▲△"
"""The marker of each player on a scale, as many as there are seats in any game."""

_TENTHS_MS: Final = 10_000


class PlainScreen:
    """Plain lines, for screen readers and pipes; people answer in lines too."""

    def __init__(self) -> None:
        """Set UTF-8 on every platform, and line editing if there is readline."""
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")
        with suppress(ImportError):
            importlib.import_module("readline")

    def show(self, drawing: TextView, game: AnyGame, view: AnyView) -> None:
        """Show a view."""
        self.say(*drawing.tell(game, view).splitlines())

    def say(self, *lines: str) -> None:
        """Print lines of text."""
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """Print a prompt and return the line that is typed; raises EOFError at the end of input."""
        return input(f"{prompt} ").strip()

    def hide(self) -> None:
        """Move what was shown out of sight, before another person looks at the same screen."""
        if sys.stdout.isatty():
            self.say(*[""] * 60)


class PictureScreen(PlainScreen):
    """Drawings in the colours that each game's INK names."""

    def show(self, drawing: TextView, game: AnyGame, view: AnyView) -> None:
        """Show a view as a drawing, or in lines if the terminal is too narrow: wrapped lines would spoil it."""
        from rich.console import Console
        from rich.text import Text

        console, picture = Console(), Text(drawing.draw(game, view))
        if max(map(len, picture.plain.splitlines())) > console.width:
            super().show(drawing, game, view)
            return
        colour(picture, drawing.INK)
        console.print("", picture, "", sep="\n", soft_wrap=True)


def colour(picture: "Text", inks: Mapping[str, str]) -> None:
    """Give each character of a drawing the ink of its game."""
    for ink in dict.fromkeys(inks.values()):
        glyphs = "".join(glyph for glyph in inks if inks[glyph] == ink)
        picture.highlight_regex(f"[{re.escape(glyphs)}]+", ink)


def open_screen() -> PlainScreen:
    """Return a PictureScreen if standard output is a terminal and Rich can colour it, else a PlainScreen."""
    return PictureScreen() if sys.stdout.isatty() and is_installed("terminal") else PlainScreen()


def wants_lines() -> bool:
    """Return whether play must be in plain lines: in a pipe, where nothing can be drawn, or set by KEMU_PLAIN."""
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
    return not terminal or bool(os.environ.get("KEMU_PLAIN"))


def seat_name(drawing: TextView, game: AnyGame, seat: Seat | None) -> str:
    """Return what people call a seat, or the dealer."""
    assert seat is not None, "somebody acts"
    return "Dealer" if seat == CHANCE else drawing.seat_name(game, seat)


def outcome_sentence(outcome: Outcome, name: Callable[[Seat], str]) -> str:
    """Say who won and why, with the scores if there are any."""
    scores = "" if outcome.scores is None else f" ({' : '.join(map(str, outcome.scores))})"
    if not outcome.winners:
        return f"A draw by {outcome.reason}{scores}."
    verb = "win" if len(outcome.winners) > 1 else "wins"
    return f"{' and '.join(map(name, outcome.winners))} {verb}: {outcome.reason}{scores}."


def with_log(view: AnyView, lines: Sequence[str]) -> Any:
    """Return a view with the log lines of its seat under `log`, so that a drawing can show the last ones."""
    return {**view, "log": list(lines)} if isinstance(view, dict) else view


def joined_lines(text: str) -> str:
    """Join lines that were broken inside sentences, so that each paragraph is one line; indented lines stay."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and line[:1] not in ("", " ") and lines[-1][:1] not in ("", " ") and lines[-1][-1] not in ".:;":
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return "\n".join(lines)


def time_text(ms: int) -> str:
    """Write the time that is left, such as 4:09; the last ten seconds have tenths."""
    if ms < _TENTHS_MS:
        return f"0:{ms // 1000:02}.{ms % 1000 // 100}"
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes}:{seconds:02}"


def scale(wins: Sequence[int], to: int, lengths: Mapping[str, int]) -> str:
    """Draw a scale up to `to` won games, at most 20 columns wide, with a marker for each player at their wins.

    `lengths` are the fields that have a name.
    """
    names = {count: name for name, count in lengths.items()}
    return "\n".join(_field(wins, count, names.get(count, ""), count in (0, to)) for count in range(to, -1, -1))


def _field(wins: Sequence[int], count: int, name: str, at_end: bool) -> str:
    here = "".join(MARKERS[player] if won == count else " " for player, won in enumerate(wins))
    edge = "╞" if at_end else "├"
    return f"{name:>9}{count:3} {edge}{here}".rstrip()
