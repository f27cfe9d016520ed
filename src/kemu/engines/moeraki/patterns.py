"""The patterns that the learned evaluation looks at, with equal patterns of the eight symmetries sharing their rows.

A pattern is a set of hollows: the up to nine hollows in and around a hollow, a diagonal, or an outer row. Its state is
a number in base 3, a digit for each hollow: empty, a stone of the first side, a stone of the second. Patterns that a
symmetry of the board maps to each other are of one *class* and share one range of rows in the table of weights; those
around a hollow do so wherever they lie on the board, unless the rim cuts them in another way. A pattern that holds the
ball is of another class than one that does not.
"""

from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.games.moeraki import board
from kemu.games.moeraki.board import Point

Rows = NDArray[np.int32]

SYMMETRIES: Final = tuple(
    (flip_x, flip_y, turned) for turned in (False, True) for flip_x in (1, -1) for flip_y in (1, -1)
)
"""The eight symmetries of the board."""


def image(point: Point, symmetry: tuple[int, int, bool]) -> Point:
    """Where a symmetry moves a point."""
    flip_x, flip_y, turned = symmetry
    x, y = (point.y, point.x) if turned else (point.x, point.y)
    return Point(flip_x * x, flip_y * y)


def _all_patterns() -> tuple[tuple[Point, ...], ...]:
    steps = [(dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if abs(dx) + abs(dy) <= 2 and (dx - dy) % 2 == 0]
    around = [
        tuple(near for dx, dy in steps if (near := point.step(dx, dy)) in board.HOLLOWS) for point in board.HOLLOWS
    ]
    lines = [tuple(board.HOLLOWS[number] for number in line) for line in (*board.DIAGONALS, *board.OUTER_ROWS)]
    return tuple(around + lines)


PATTERNS: Final = _all_patterns()
"""The hollows of each pattern; those around a hollow have its number, the lines come after them."""

PATTERN_COUNT: Final = len(PATTERNS)
CENTRE: Final = Point(0, 0)
MOST_PATTERNS: Final = 12
"""A hollow is in so many patterns at most."""

NO_PATTERN: Final = PATTERN_COUNT
"""Fills the lists of hollows that are in fewer patterns; a row of states has a place for it."""


class PatternClass(NamedTuple):
    """Patterns that a symmetry maps to each other: the hollows of one of them, and which of them has the ball.

    The hollows around a hollow are counted from it, those of lines from the centre of the board.
    """

    cells: tuple[Point, ...]  # without the ball
    ball: Point | None


class Placed(NamedTuple):
    """A pattern with its class and how it is mapped onto the hollows of that."""

    kind: PatternClass
    symmetry: tuple[int, int, bool]
    digits: dict[Point, int]  # the place of each hollow in the number of a state


def place_pattern(number: int, ball: Point) -> Placed:
    """A pattern of games with the ball here."""
    cells = PATTERNS[number]
    origin = board.HOLLOWS[number] if number < len(board.HOLLOWS) else CENTRE
    stones = [cell for cell in cells if cell != ball]
    images = []
    for symmetry in SYMMETRIES:
        moved = tuple(sorted(image(cell.step(-origin.x, -origin.y), symmetry) for cell in stones))
        at = (image(ball.step(-origin.x, -origin.y), symmetry),) if ball in cells else ()
        images.append((moved, at, symmetry))
    least = min(each[:2] for each in images)
    kind = PatternClass(least[0], least[1][0] if least[1] else None)
    same = [symmetry for moved, at, symmetry in images if (moved, at) == least]
    places = [
        {cell: kind.cells.index(image(cell.step(-origin.x, -origin.y), symmetry)) for cell in stones}
        for symmetry in same
    ]
    return Placed(kind, same[0], places[0])


def own_symmetries(kind: PatternClass) -> list[tuple[int, int, bool]]:
    """The symmetries that leave a class as it is."""
    return [
        symmetry
        for symmetry in SYMMETRIES
        if {image(cell, symmetry) for cell in kind.cells} == set(kind.cells)
        and (kind.ball is None or image(kind.ball, symmetry) == kind.ball)
    ]


class PatternLayout(NamedTuple):
    """Where the states of patterns lie in the table of weights."""

    first_rows: dict[PatternClass, int]
    rows: int


@lru_cache(maxsize=1)
def layout() -> PatternLayout:
    """The classes of all patterns with any place of the ball, each with its rows."""
    first_rows: dict[PatternClass, int] = {}
    rows = 0
    for ball, number in product(board.MOERAKI, range(PATTERN_COUNT)):
        kind = place_pattern(number, board.HOLLOWS[ball]).kind
        if kind not in first_rows:
            first_rows[kind] = rows
            rows += 3 ** len(kind.cells)
    return PatternLayout(first_rows, rows)


def digits_of(cells: int) -> NDArray[np.int64]:
    """The digits of all states of a pattern of so many hollows, a row for each."""
    return np.arange(3**cells)[:, None] // 3 ** np.arange(cells)[None, :] % 3


def equal_rows() -> Rows:
    """By row, the least row that some symmetry maps it to: rows with the same one have the same weights."""
    found = np.zeros(layout().rows, np.int32)
    for kind, first in layout().first_rows.items():
        digits = digits_of(len(kind.cells))
        images = [turned_states(kind, digits, symmetry) for symmetry in own_symmetries(kind)]
        found[first : first + len(digits)] = first + np.min(images, axis=0)
    return found


def turned_states(kind: PatternClass, digits: NDArray[np.int64], symmetry: tuple[int, int, bool]) -> NDArray[np.int64]:
    """The states that a symmetry of the class makes of those with these digits."""
    places = np.array([kind.cells.index(image(cell, symmetry)) for cell in kind.cells])
    return (digits * 3**places).sum(axis=1)


def swapped_rows() -> Rows:
    """By row, the one with the stones of both sides exchanged."""
    found = np.zeros(layout().rows, np.int32)
    for kind, first in layout().first_rows.items():
        digits = digits_of(len(kind.cells))
        found[first : first + len(digits)] = first + ((-digits % 3) * 3 ** np.arange(len(kind.cells))).sum(axis=1)
    return found


class BallPatterns(NamedTuple):
    """The patterns of games with the ball on one hollow."""

    empty: Rows  # by pattern, the row of its state without stones; the last place is for NO_PATTERN
    patterns: Rows  # by cell, the patterns that a stone there changes
    steps: Rows  # by cell, what a stone of the first side adds to the rows of these; one of the second adds twice that


NO_PATTERNS: Final = BallPatterns(np.zeros(0, np.int32), np.zeros((0, 0), np.int32), np.zeros((0, 0), np.int32))
"""For searches without weights: to find the patterns takes some time at the first action."""


@lru_cache(maxsize=9)
def ball_patterns(ball_at: int) -> BallPatterns:
    """The patterns of games with the ball on this cell."""
    ball = board.HOLLOWS[HOLLOW_BIT.index(ball_at)]
    empty = np.zeros(PATTERN_COUNT + 1, np.int32)
    patterns, steps = np.full((64, MOST_PATTERNS), NO_PATTERN, np.int32), np.zeros((64, MOST_PATTERNS), np.int32)
    used = [0] * 64
    for number in range(PATTERN_COUNT):
        placed = place_pattern(number, ball)
        empty[number] = layout().first_rows[placed.kind]
        for cell, digit in placed.digits.items():
            bit = HOLLOW_BIT[board.HOLLOWS.index(cell)]
            patterns[bit, used[bit]], steps[bit, used[bit]] = number, 3**digit
            used[bit] += 1
    return BallPatterns(empty, patterns, steps)
