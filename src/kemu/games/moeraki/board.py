"""The lattice of Moeraki-Kemu, derived from its definitions; nothing is typed in by hand.

11     o ▲ o ▲ o ▲ o         o  hollow, takes a stone or the ball
10   o ■ o ■ o ■ o ■ o       ■  beach, between four hollows
 9 o ■ o ■ o ■ o ■ o ■ o     ▲  semi-beach, at the rim between three
 8 ▲ o ■ o ■ o ■ o ■ o ▲
 7 o ■ o ■ o ■ o ■ o ■ o     Points are (x, y) from -5 to 5, named by column a…k and row 1…11;
 6 ▲ o ■ o ■ o ■ o ■ o ▲     the centre (0, 0) is f6. Hollows (x ≡ y mod 2) and areas share the
 5 o ■ o ■ o ■ o ■ o ■ o     grid, so that f6 is a hollow and f7 a beach. Stones meet along the
 4 ▲ o ■ o ■ o ■ o ■ o ▲     diagonals; each area lies in the middle of its hollows.
 3 o ■ o ■ o ■ o ■ o ■ o
 2   o ■ o ■ o ■ o ■ o       Hollows and areas are numbered, each for themselves, from the bottom
 1     o ▲ o ▲ o ▲ o         row up and in each row from left to right.
   a b c d e f g h i j k
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

SIZE: Final = 5


class Point(NamedTuple):
    """A place on the grid that hollows and areas share."""

    x: int
    y: int

    @property
    def name(self) -> str:
        """Column letter and row number, such as f6 for the centre."""
        return f"{'abcdefghijk'[self.x + SIZE]}{self.y + SIZE + 1}"

    def step(self, dx: int, dy: int, times: int = 1) -> "Point":
        """The point some steps away."""
        return Point(self.x + dx * times, self.y + dy * times)


_SIDES: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))
_GRID: Final = tuple(Point(x, y) for y in range(-SIZE, SIZE + 1) for x in range(-SIZE, SIZE + 1))

HOLLOWS: Final = tuple(point for point in _GRID if (point.x - point.y) % 2 == 0 and abs(point.x) + abs(point.y) <= 8)
"""The 57 places for a stone or the ball."""

HOLLOW: Final = {point.name: number for number, point in enumerate(HOLLOWS)}
"""The number of a hollow by its name."""

_NUMBER: Final = {point: number for number, point in enumerate(HOLLOWS)}


def _corners(point: Point) -> tuple[int, ...]:
    return tuple(_NUMBER[side] for dx, dy in _SIDES if (side := point.step(dx, dy)) in _NUMBER)


AREAS: Final = tuple(point for point in _GRID if point not in _NUMBER and len(_corners(point)) >= 3)
"""The 40 beaches, with four hollows around them, and the 12 semi-beaches, with three."""

AREA: Final = {point.name: number for number, point in enumerate(AREAS)}
"""The number of an area by its name."""

CORNERS: Final = tuple(_corners(point) for point in AREAS)
"""The hollows around each area."""

BESIDE: Final = tuple(
    tuple(area for area, corners in enumerate(CORNERS) if hollow in corners) for hollow in range(len(HOLLOWS))
)
"""The areas around each hollow."""

BEACHES: Final = tuple(number for number, corners in enumerate(CORNERS) if len(corners) == 4)
SEMI_BEACHES: Final = tuple(number for number, corners in enumerate(CORNERS) if len(corners) == 3)

MOERAKI: Final = tuple(number for number, point in enumerate(HOLLOWS) if abs(point.x) + abs(point.y) <= 2)
"""The nine hollows that may take the ball."""

DIAGONALS: Final = tuple(
    line
    for slope in (1, -1)
    for c in range(-2 * SIZE, 2 * SIZE + 1)
    if (line := tuple(number for number, point in enumerate(HOLLOWS) if point.x - slope * point.y == c))
)
"""The 18 lines from sideline to sideline, each in order along the line."""

OUTER_ROWS: Final = tuple(
    tuple(number for number, point in enumerate(HOLLOWS) if point[axis] == side)
    for axis in (0, 1)
    for side in (-SIZE, SIZE)
)
"""The four rows of four at the rim."""

EYE: Final = tuple(number for number, point in enumerate(HOLLOWS) if sorted((abs(point.x), abs(point.y))) == [0, 2])
"""The four hollows around the centre that win with the option `eye`."""

DIRECTIONS: Final = {"ne": (1, 1), "nw": (-1, 1), "se": (1, -1), "sw": (-1, -1)}
"""Where a Tane may look."""


def _sight(area: Point, dx: int, dy: int) -> tuple[int, ...]:
    seen = (area.step(dx, dy, times) for times in range(1, 2 * SIZE + 1))
    return tuple(AREA[point.name] for point in seen if point in AREAS)


SIGHT: Final = tuple({name: _sight(area, *step) for name, step in DIRECTIONS.items()} for area in AREAS)
"""For each area and direction, the areas from the next one to the sideline."""


def area_names(areas: Iterable[int]) -> list[str]:
    """The names of some areas."""
    return [AREAS[area].name for area in areas]


def mask(hollows: Iterable[int]) -> int:
    """A set of hollows as an integer, bit n for hollow n."""
    return sum(1 << hollow for hollow in set(hollows))


def numbers(hollows: int) -> tuple[int, ...]:
    """The hollows of a bit mask, in their order."""
    return tuple(hollow for hollow in range(len(HOLLOWS)) if hollows >> hollow & 1)
