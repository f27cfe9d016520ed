"""Moeraki-Kemu as a picture: the lattice from above with stones, ball, tiles and Tane."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from kemu.core.display import document, letter, tag
from kemu.games.moeraki.board import AREA, AREAS, CORNERS, DIAGONALS, DIRECTIONS, HOLLOW, HOLLOWS, MOERAKI, SIZE, Point
from kemu.games.moeraki.position import PositionDocument, View
from kemu.games.moeraki.rules import MoerakiKemu

_UNIT: Final = 20.0
_EDGE: Final = 120.0
_WELL: Final = 8.4
_STONE: Final = 7.6
_TRIBES: Final = ("#0d5a44", "#f4f8f6")
_LINES: Final = ("#a9f0d2", "#3e626a")
_SAND: Final = "#d8b67c"
_OUTLINE: Final = ((-3, -5), (3, -5), (5, -3), (5, 3), (3, 5), (-3, 5), (-5, 3), (-5, -3))


def svg(game: MoerakiKemu, view: View) -> str:
    """The board with all that lies on it; a ring marks the stone just laid while a player is asked for the Tane."""
    box = (-_EDGE, -_EDGE, 2 * _EDGE, 2 * _EDGE)
    return document("Moeraki-Kemu", box, *_ground(), *_tiles(view), *_warriors(view), *_stones(view["position"]))


def _ground() -> Iterator[str]:
    """Fixed parts of the picture: wood, sand between the lines, hollows at the crossings, names at the rim."""
    yield tag("rect", x=-_EDGE, y=-_EDGE, width=2 * _EDGE, height=2 * _EDGE, rx=9, fill="#14211f")
    yield _polygon([Point(x, y) for x, y in _OUTLINE], 1.0, fill="#0a1312", stroke="#4b7a6a", stroke_width=1.6)
    yield from (_area(number, 0.8, fill=_SAND, stroke="#3a2912", stroke_width=0.6) for number in range(len(AREAS)))
    for diagonal in DIAGONALS:
        (x1, y1), (x2, y2) = _place(HOLLOWS[diagonal[0]]), _place(HOLLOWS[diagonal[-1]])
        yield tag("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke="#58a78b", stroke_width=1.6)
    for number, hollow in enumerate(HOLLOWS):
        rim = "#ffd98a" if number in MOERAKI else "#5c8f7d"
        yield _circle(hollow, _WELL, fill="#142321", stroke=rim, stroke_width=1.2)
    names = [(Point(step, -SIZE), Point(step, 0).name[0], 0, 15) for step in range(-SIZE, SIZE + 1)]
    names += [(Point(-SIZE, step), str(step + SIZE + 1), -13, 2) for step in range(-SIZE, SIZE + 1)]
    for at, name, right, down in names:
        x, y = _place(at)
        yield letter(name, x + right, y + down, "#a9cdbf", 5.0)


def _tiles(view: View) -> Iterator[str]:
    """Tiles in the colour of their tribe, half ones smaller, and a cross where none can lie."""
    for name in view["barred"]:
        x, y = _middle(AREA[name])
        path = f"M{x - 4:g} {y - 4:g}l8 8M{x - 4:g} {y + 4:g}l8 -8"
        yield tag("path", d=path, stroke="#7a2414", stroke_width=1.8, fill="none")
    for tile in view["tiles"]:
        half = tile["worth"] != "1"
        number, tribe = AREA[tile["at"]], tile["tribe"]
        yield _area(number, 0.5 if half else 0.68, fill=_TRIBES[tribe], stroke="#1b2829", stroke_width=0.6)
        if half:
            x, y = _middle(number)
            yield letter("½", x, y + 2.2, _LINES[tribe], 6.0)


def _stones(position: PositionDocument) -> Iterator[str]:
    for tribe, names in enumerate(position["stones"]):
        for name in names:
            at = HOLLOWS[HOLLOW[name]]
            yield _circle(at, _STONE, fill=_TRIBES[tribe], stroke=_LINES[tribe], stroke_width=1)
    if position["ball"]:
        yield _circle(HOLLOWS[HOLLOW[position["ball"]]], _STONE, fill="#b3854e", stroke="#f2d7a6", stroke_width=1.4)
    if "step" in position:
        laid = HOLLOWS[HOLLOW[position["step"]["stone"]]]
        yield _circle(laid, _WELL + 1, fill="none", stroke="#ffd98a", stroke_width=1.6)


def _warriors(view: View) -> Iterator[str]:
    """Each Tane as an arrow in its direction, with a line over the areas that it sees."""
    for seat, tane in enumerate(view["position"]["tane"]):
        if tane is None:
            continue
        x, y = _middle(AREA[tane["at"]])
        dx, dy = DIRECTIONS[tane["looks"]]
        parts = []
        if sees := view["sees"][seat]:
            end_x, end_y = _middle(AREA[sees[-1]])
            parts.append(tag("line", x1=x, y1=y, x2=end_x, y2=end_y, stroke=_LINES[seat], stroke_width=1.4))
        head = f"M{x + 6 * dx:g} {y - 6 * dy:g}L{x - 5 * dx:g} {y:g}L{x:g} {y + 5 * dy:g}Z"
        parts.append(tag("path", d=head, fill=_TRIBES[seat], stroke="#ffd98a", stroke_width=1.4))
        yield tag("g", *parts)


def _place(point: Point) -> tuple[float, float]:
    return _UNIT * point.x, -_UNIT * point.y


def _middle(area: int) -> tuple[float, float]:
    """The middle of the hollows around an area."""
    return _mean([_place(HOLLOWS[corner]) for corner in CORNERS[area]])


def _mean(places: Sequence[tuple[float, float]]) -> tuple[float, float]:
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


def _area(number: int, scale: float, **style: object) -> str:
    corners = sorted(CORNERS[number], key=lambda corner: _angle(HOLLOWS[corner], AREAS[number]))
    return _polygon([HOLLOWS[corner] for corner in corners], scale, **style)


def _angle(corner: Point, area: Point) -> int:
    """The quarter in which a corner lies, so that corners are listed one after the other round their area."""
    return ((1, 0), (0, 1), (-1, 0), (0, -1)).index((corner.x - area.x, corner.y - area.y))


def _polygon(points: Iterable[Point], scale: float, **style: object) -> str:
    places = [_place(point) for point in points]
    x, y = _mean(places)
    shrunk = " ".join(f"{x + scale * (px - x):.1f},{y + scale * (py - y):.1f}" for px, py in places)
    return tag("polygon", points=shrunk, **style)


def _circle(at: Point, radius: float, **style: object) -> str:
    x, y = _place(at)
    return tag("circle", cx=x, cy=y, r=radius, **style)
