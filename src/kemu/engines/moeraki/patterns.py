"""The patterns of the evaluation: the up to nine hollows in and around each hollow.

The state of a pattern is a number in base 3 with a digit for each of its hollows: empty, a stone of the first side, one
of the second. Patterns of one *shape*, cut by the rim or holding the ball at the same places, have
their states in the same rows of a table. States that a symmetry of the board maps to each other have the same
*parameter*, for all shapes, so that what is learned in one place holds in all that look alike.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.games.moeraki import board
from kemu.games.moeraki.board import Point

Rows = NDArray[np.int64]

STEPS: Final = tuple((u + v, u - v) for v in (-1, 0, 1) for u in (-1, 0, 1))
"""From the hollow in the middle of a pattern to all nine."""

PATTERN_COUNT: Final = len(board.HOLLOWS)
MOST_PATTERNS: Final = 9
"""A hollow is in so many patterns at most."""

OFF_BOARD, BALL, HOLLOW = "x", "b", "."


def _symmetries() -> tuple[tuple[int, ...], ...]:
    """For each of the eight symmetries of the board, which step becomes each of the nine."""
    found = []
    for flip_x in (1, -1):
        for flip_y in (1, -1):
            images = [(flip_x * x, flip_y * y) for x, y in STEPS]
            found += [tuple(map(STEPS.index, images)), tuple(STEPS.index((y, x)) for x, y in images)]
    return tuple(found)


SYMMETRIES: Final = _symmetries()


def shape_of(number: int, ball: Point) -> str:
    """The shape of the pattern around the hollow of this number: what lies at each of the nine steps."""
    points = [board.HOLLOWS[number].step(x, y) for x, y in STEPS]
    return "".join(BALL if point == ball else HOLLOW if point in board.HOLLOWS else OFF_BOARD for point in points)


def _turned(shape: str, symmetry: tuple[int, ...]) -> str:
    return "".join(shape[step] for step in symmetry)


@lru_cache(maxsize=1)
def parameter_starts() -> dict[str, int]:
    """The first parameter of each shape, the least of those that symmetries map to each other; their count under ""."""
    starts: dict[str, int] = {}
    count = 0
    for ball in board.MOERAKI:
        for number in range(PATTERN_COUNT):
            shape = shape_of(number, board.HOLLOWS[ball])
            least = min(_turned(shape, symmetry) for symmetry in SYMMETRIES)
            if least not in starts:
                starts[least] = count
                count += 3 ** least.count(HOLLOW)
    return {**starts, "": count}


def parameters_of(shape: str) -> Rows:
    """By state of a pattern of this shape, its parameter."""
    cells = [step for step in range(9) if shape[step] == HOLLOW]
    digits = np.zeros((3 ** len(cells), 9), np.int64)
    digits[:, cells] = np.arange(3 ** len(cells))[:, None] // 3 ** np.arange(len(cells)) % 3
    least = min(_turned(shape, symmetry) for symmetry in SYMMETRIES)
    places = [step for step in range(9) if least[step] == HOLLOW]
    images = [
        digits[:, [symmetry[step] for step in places]] @ 3 ** np.arange(len(places))
        for symmetry in SYMMETRIES
        if _turned(shape, symmetry) == least
    ]
    return np.asarray(parameter_starts()[least] + np.min(images, axis=0), np.int64)


def exchanged_states(shape: str) -> Rows:
    """By state of a pattern of this shape, the one with the stones of both sides exchanged."""
    powers = 3 ** np.arange(shape.count(HOLLOW))
    digits = np.arange(3 ** len(powers))[:, None] // powers % 3
    return np.asarray((-digits % 3) @ powers, np.int64)


class BallPatterns(NamedTuple):
    """The patterns of games with the ball on one hollow; a pattern has the number of the cell in its middle."""

    empty: Rows  # by pattern, the row of its state without stones; 0 for cells that are no hollow
    changes: Rows  # by cell and number up to nine: 65536 × a pattern that holds the cell + what a stone adds to its row
    parameters: Rows  # by row, its parameter with the stones of the first side as the digit 1
    exchanged: Rows  # by row, that of the state with the stones of both sides exchanged


@lru_cache(maxsize=9)
def ball_patterns(ball_at: int) -> BallPatterns:
    """The patterns of games with the ball on this cell."""
    ball = board.HOLLOWS[HOLLOW_BIT.index(ball_at)]
    starts: dict[str, int] = {}
    empty, changes, used = np.zeros(64, np.int64), np.zeros((64, MOST_PATTERNS), np.int64), [0] * 64
    parameters: list[Rows] = []
    exchanged: list[Rows] = []
    for number, middle in enumerate(board.HOLLOWS):
        shape = shape_of(number, ball)
        if shape not in starts:
            starts[shape] = sum(map(len, parameters))
            parameters.append(parameters_of(shape))
            exchanged.append(parameters[-1][exchanged_states(shape)])
        empty[HOLLOW_BIT[number]] = starts[shape]
        for step in range(9):
            if shape[step] == HOLLOW:
                cell = HOLLOW_BIT[board.HOLLOWS.index(middle.step(*STEPS[step]))]
                changes[cell, used[cell]] = HOLLOW_BIT[number] << 16 | 3 ** shape[:step].count(HOLLOW)
                used[cell] += 1
    return BallPatterns(empty, changes, np.concatenate(parameters), np.concatenate(exchanged))
