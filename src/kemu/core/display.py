"""How a game is shown: its manifest names a module for text, and may name one for a full screen and one for pictures.

These modules get views, never states, so they cannot show what a seat may not know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from kemu.core.game import SPECTATOR, AnyGame, AnyView, Seat
from kemu.core.manifest import load

# In text


@runtime_checkable
class TextView(Protocol):
    """The text module of a game.

    Callers may add the seat's log lines to it as "log", so that the last action can be marked.
    """

    INK: Mapping[str, str]
    """Colours by character, for terminals that have them; the drawing must be readable without."""

    def draw(self, game: AnyGame, view: AnyView) -> str:
        """Return the view as a drawing of at most 80 columns and 18 lines."""

    def tell(self, game: AnyGame, view: AnyView) -> str:
        """Return the view in plain sentences, one fact a line, for screen readers and pipes."""

    def explain(self, game: AnyGame, view: AnyView, action: Any) -> str:
        """Return what an action does, in a few words; actions with the same words are listed together."""

    def seat_name(self, game: AnyGame, seat: Seat) -> str:
        """Return the name of a seat, such as "Black"."""


# On a full screen


class Place(NamedTuple):
    """Where something stands in a drawing that a person can point at."""

    row: int
    column: int
    width: int
    height: int = 1
    field: bool = False  # whether it has a ground of its own, such as a hollow or a card


class Room(NamedTuple):
    """How large a drawing may be."""

    columns: int
    lines: int


@dataclass(frozen=True)
class Board:
    """A drawing, and by name the places in it that a person can point at."""

    lines: tuple[str, ...]
    places: Mapping[str, Place]


class ScreenView(Protocol):
    """The screen module of a game."""

    INK: Mapping[str, str]
    """Colours by character; the board must be readable without."""

    CHOICES: Mapping[str, Sequence[Any]]
    """For each option that people choose before a match, its values; the first of them is not always the default."""

    def board(self, game: AnyGame, view: AnyView, room: Room) -> Board:
        """Return the view as a drawing for this room; in a small one it has at most 52 columns and 20 lines."""

    def facts(self, game: AnyGame, view: AnyView, seat: Seat) -> Sequence[str]:
        """Return the facts about a seat, each in a few words."""

    def now(self, game: AnyGame, view: AnyView) -> str:
        """Return the prompt for the seat to act, in one sentence."""

    def path(self, game: AnyGame, view: AnyView, action: Any) -> tuple[str, ...]:
        """Return the names of the places that a person points at, one after the other, to take this action.

        None at all if nothing on the board stands for it: such actions are listed. So are actions with the same path.
        """


# As a picture

LINE_HEIGHT: Final = 18
COLUMN_WIDTH: Final = 9


@dataclass(frozen=True)
class Picture:
    """A drawing of a view; notebooks show it as it is, `str` gives the text of an SVG file."""

    svg: str = field(repr=False)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg


class PictureView(Protocol):
    """The picture module of a game."""

    def svg(self, game: AnyGame, view: AnyView) -> str:
        """Return the view as an SVG document with its own colours, which needs no font and nothing from outside."""


def tag(name: str, *children: str, **attributes: object) -> str:
    """Return an element of an SVG document; an underscore in the name of an attribute stands for a hyphen.

    Children are elements, or texts that are escaped already; numbers are written with at most three decimals.
    """
    words = [f'{key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()]
    start = " ".join([name, *words])
    return f"<{start}>{''.join(children)}</{name}>" if children else f"<{start}/>"


def letter(text: str, x: float, y: float, ink: str, size: float) -> str:
    """Return a short text as an SVG element, centred at x."""
    return tag("text", text, x=x, y=y, fill=ink, font_size=size, font_family="sans-serif", text_anchor="middle")


def document(title: str, box: tuple[float, float, float, float], *children: str) -> str:
    """Return an SVG document with a title for screen readers; `box` is left, top, width and height."""
    return tag(
        "svg",
        tag("title", escape(title)),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=" ".join(map(_value, box)),
        width=box[2] * 2,
        role="img",
        style="max-width: 100%; height: auto",
    )


def text_picture(title: str, text: str) -> str:
    """Return a drawing in text as an SVG document, for games without a picture module."""
    lines = text.split("\n")
    width = COLUMN_WIDTH * (max(map(len, lines)) + 2)
    height = LINE_HEIGHT * (len(lines) + 1)
    written = [
        tag("text", escape(line), x=COLUMN_WIDTH, y=LINE_HEIGHT * number, style="white-space: pre")
        for number, line in enumerate(lines, start=1)
    ]
    ground = tag("rect", width=width, height=height, fill="#fffdf8")
    ink = tag("g", *written, font_family="monospace", font_size=COLUMN_WIDTH / 0.6, fill="#1b2829")
    return document(title, (0, 0, width, height), ground, ink)


def _value(value: object) -> str:
    return f"{round(value, 3):g}" if isinstance(value, float) else escape(str(value))


def draw_state(text: str, game: AnyGame, state: object) -> str:
    """Return what a spectator sees of a state, drawn by the text module of this import path; for `print(state)`."""
    return str(load(text).draw(game, game.view(state, SPECTATOR)))
