"""Mū tōrere as a picture: the star from above with the men on its points."""

from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final

from kemu.core.display import document, letter, tag
from kemu.games.mu_torere.rules import EMPTY, MEN, PUTAHI, MuTorere, View

_EDGE: Final = 116.0
_REACH: Final = 82.0
_NUMBERS: Final = 102.0
_FILLS: Final = {MEN[0]: ("#2b3534", "#6d7a78"), MEN[1]: ("#f3e9d6", "#b79f7c"), EMPTY: ("#2a180c", "#4a2c17")}


def svg(game: MuTorere, view: View) -> str:
    """The star with its men; the kewai are numbered from the top."""
    box = (-_EDGE, -_EDGE, 2 * _EDGE, 2 * _EDGE)
    return document("Mū tōrere", box, *_ground(game), *_men(game, view["position"]["points"]))


def _ground(game: MuTorere) -> Iterator[str]:
    yield tag("circle", r=112, fill="#6b4326", stroke="#3d2414", stroke_width=3)
    yield tag("circle", r=_REACH, fill="none", stroke="#d9b98a", stroke_width=2)
    for kewai in range(1, game.arms + 1):
        x, y = _place(game, kewai, _REACH)
        yield tag("line", x1=0, y1=0, x2=x, y2=y, stroke="#d9b98a", stroke_width=2)
        x, y = _place(game, kewai, _NUMBERS)
        yield letter(str(kewai), x, y + 3, "#f0dcbc", 8)


def _men(game: MuTorere, points: str) -> Iterator[str]:
    size = 13.0 if game.arms <= 10 else 10.0
    for point in range(game.arms + 1):
        x, y = _place(game, point, 0.0 if point == PUTAHI else _REACH)
        fill, rim = _FILLS[points[point - 1]]
        yield tag("circle", cx=x, cy=y, r=size, fill=fill, stroke=rim, stroke_width=2)


def _place(game: MuTorere, point: int, distance: float) -> tuple[float, float]:
    angle = 2 * pi * (point - 1) / game.arms
    return distance * sin(angle), -distance * cos(angle)
