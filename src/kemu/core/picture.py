"""Pictures of views as SVG: each game may name a module with a function `svg` in its manifest."""

from dataclasses import dataclass, field
from html import escape
from typing import Any, Final, Protocol

from kemu.core.game import AnyGame

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
    """The picture module of a game; it gets views, so it cannot show what a seat may not know."""

    def svg(self, game: AnyGame, view: Any) -> str:
        """The view as an SVG document with its own colours, which needs no font and nothing from outside."""


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element of an SVG document; an underscore in the name of an attribute stands for a hyphen.

    Children are elements, or texts that are escaped already; numbers are written with at most three decimals.
    """
    words = [f'{key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items()]
    start = " ".join([name, *words])
    return f"<{start}>{''.join(children)}</{name}>" if children else f"<{start}/>"


def document(title: str, box: tuple[float, float, float, float], *children: str) -> str:
    """An SVG document with a title for screen readers; `box` is left, top, width and height."""
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
    """A drawing in text as an SVG document, for games without a picture module."""
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
