"""The lattice of Moeraki-Kemu, derived from its definitions; nothing is typed in by hand.

11      d . f . h . j         Points are (x, y) from -5 to 5, named by column a…k and row 1…11; f6 is the
10    c . e . g . i           centre. Hollows (x ≡ y mod 2) and areas (the points between them) share one
 …  . . . . . . . . . . .     grid. Hollows and areas are numbered here from the bottom row up, each row
 1      b . d . f . h         from left to right.
"""

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


def _is_hollow(point: Point) -> bool:
    return (
        abs(point.x) <= SIZE
        and abs(point.y) <= SIZE
        and (point.x - point.y) % 2 == 0
        and abs(point.x) + abs(point.y) <= 8
    )


_SIDES: Final = ((0, -1), (-1, 0), (1, 0), (0, 1))
_GRID: Final = tuple(Point(x, y) for y in range(-SIZE, SIZE + 1) for x in range(-SIZE, SIZE + 1))

HOLLOWS: Final = tuple(point for point in _GRID if _is_hollow(point))
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
