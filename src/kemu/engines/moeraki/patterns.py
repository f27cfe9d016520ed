"""The patterns that the learned evaluation looks at, with equal patterns of the eight symmetries sharing their rows.

A pattern is a set of hollows: the up to nine hollows in and around a hollow, a diagonal, or an outer row. Its state is
a number in base 3, a digit for each hollow: empty, a stone of the first side, a stone of the second. Patterns that a
symmetry of the board maps to each other are of one *class* and share one range of rows in the table of weights; a
pattern that holds the ball is of another class than one that does not.
"""

from functools import lru_cache
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


def _image(point: Point, symmetry: tuple[int, int, bool]) -> Point:
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
PATTERN_COUNT: Final = len(PATTERNS)
MOST_PATTERNS: Final = 12
"""A hollow is in so many patterns at most."""

NO_PATTERN: Final = PATTERN_COUNT
"""Fills the lists of hollows that are in fewer patterns; a row of states has a place for it."""


class PatternClass(NamedTuple):
    """Patterns that a symmetry maps to each other: the hollows of one of them, and which of them has the ball."""

    cells: tuple[Point, ...]  # without the ball
    ball: Point | None


class Placed(NamedTuple):
    """A pattern with its class and how it is mapped onto the hollows of that."""

    kind: PatternClass
    digits: dict[Point, int]  # the place of each hollow in the number of a state
    turns: tuple[tuple[int, ...], ...]  # how symmetries that leave the class as it is permute its digits


def _place(cells: tuple[Point, ...], ball: Point) -> Placed:
    """A pattern of games with the ball here."""
    holds = ball in cells
    images = []
    for symmetry in SYMMETRIES:
        moved = tuple(sorted(_image(cell, symmetry) for cell in cells if cell != ball))
        images.append((moved, (_image(ball, symmetry),) if holds else (), symmetry))
    least = min(image[:2] for image in images)
    same = [symmetry for moved, at, symmetry in images if (moved, at) == least]
    kind = PatternClass(least[0], least[1][0] if holds else None)
    orders = [{cell: kind.cells.index(_image(cell, symmetry)) for cell in cells if cell != ball} for symmetry in same]
    first = orders[0]
    turns = tuple(tuple(order[cell] for cell in sorted(first, key=lambda cell: first[cell])) for order in orders)
    return Placed(kind, first, turns)


class PatternLayout(NamedTuple):
    """Where the states of patterns lie in the table of weights."""

    first_rows: dict[PatternClass, int]
    turns: dict[PatternClass, tuple[tuple[int, ...], ...]]
    rows: int


@lru_cache(maxsize=1)
def layout() -> PatternLayout:
    """The classes of all patterns with any place of the ball, each with its rows."""
    first_rows: dict[PatternClass, int] = {}
    turns: dict[PatternClass, tuple[tuple[int, ...], ...]] = {}
    rows = 0
    for number in board.MOERAKI:
        for cells in PATTERNS:
            placed = _place(cells, board.HOLLOWS[number])
            if placed.kind not in first_rows:
                first_rows[placed.kind], turns[placed.kind] = rows, placed.turns
                rows += 3 ** len(placed.kind.cells)
    return PatternLayout(first_rows, turns, rows)


def _digits(cells: int) -> NDArray[np.int64]:
    """The digits of all states of a pattern of so many hollows, a row for each."""
    return np.arange(3**cells)[:, None] // 3 ** np.arange(cells)[None, :] % 3


def equal_rows() -> Rows:
    """By row, the least row that some symmetry maps it to: rows with the same one have the same weights."""
    found = np.zeros(layout().rows, np.int32)
    for kind, first in layout().first_rows.items():
        digits = _digits(len(kind.cells))
        images = [(digits * 3 ** np.array(turn)).sum(axis=1) for turn in layout().turns[kind]]
        found[first : first + len(digits)] = first + np.min(images, axis=0)
    return found


def swapped_rows() -> Rows:
    """By row, the one with the stones of both sides exchanged."""
    found = np.zeros(layout().rows, np.int32)
    for kind, first in layout().first_rows.items():
        digits = _digits(len(kind.cells))
        found[first : first + len(digits)] = first + ((-digits % 3) * 3 ** np.arange(len(kind.cells))).sum(axis=1)
    return found


class BallPatterns(NamedTuple):
    """The patterns of games with the ball on one hollow."""

    empty: Rows  # by pattern, the row of its state without stones; the last place is for NO_PATTERN
    patterns: Rows  # by cell, the patterns that a stone there changes
    steps: Rows  # by cell, what a stone of the first side adds to the rows of these; one of the second adds twice that


@lru_cache(maxsize=9)
def ball_patterns(ball_at: int) -> BallPatterns:
    """The patterns of games with the ball on this cell."""
    ball = board.HOLLOWS[HOLLOW_BIT.index(ball_at)]
    empty = np.zeros(PATTERN_COUNT + 1, np.int32)
    patterns, steps = np.full((64, MOST_PATTERNS), NO_PATTERN, np.int32), np.zeros((64, MOST_PATTERNS), np.int32)
    used = [0] * 64
    for number, cells in enumerate(PATTERNS):
        placed = _place(cells, ball)
        empty[number] = layout().first_rows[placed.kind]
        for cell, digit in placed.digits.items():
            bit = HOLLOW_BIT[board.HOLLOWS.index(cell)]
            patterns[bit, used[bit]], steps[bit, used[bit]] = number, 3**digit
            used[bit] += 1
    return BallPatterns(empty, patterns, steps)
