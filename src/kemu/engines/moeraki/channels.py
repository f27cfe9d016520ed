"""The channels of the learned evaluation that are given: tiles to expect and open lines, by the state of each pattern.

What training begins with: with weights on these alone the network is the evaluation that counts lines and tiles.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.moeraki.patterns import PatternClass, digits_of, layout
from kemu.engines.moeraki.tables import EXPECTED_TILES
from kemu.games.moeraki.board import Point

# The channels, by what they count; lines are those of the first side that hold a stone and none of the other side.
TILES: Final = 0  # tiles to expect beyond those of the other side
BEACHES: Final = 1  # beaches that lack 2 or 3 stones
LINES: Final = 3  # diagonals, parts of them and outer rows that lack 2 to 5 stones
GIVEN: Final = 7

_BESIDE: Final = (Point(1, 0), Point(-1, 0), Point(0, 1), Point(0, -1))
Floats = NDArray[np.float64]


def given_channels() -> Floats:
    """The given channels of every row of a pattern."""
    found = np.zeros((layout().rows, GIVEN))
    for kind, first in layout().first_rows.items():
        part = found[first : first + 3 ** len(kind.cells)]
        if _is_around(kind):
            _add_areas(kind, part)
        else:
            for line in _lines(kind):
                part[:, LINES:] += _open_lines(kind, line, range(2, 6))
    return found


def _is_around(kind: PatternClass) -> bool:
    """Whether the patterns of a class lie around a hollow; lines never turn."""
    cells = [*kind.cells, *([] if kind.ball is None else [kind.ball])]
    near = all(abs(cell.x) + abs(cell.y) <= 2 for cell in cells)
    return near and Point(0, 0) in cells and len({cell.x - cell.y for cell in cells}) > 1


def _add_areas(kind: PatternClass, part: Floats) -> None:
    """Adds the areas around the hollow in the middle, each with its share of the patterns that hold it."""
    hollows = {*kind.cells, *([] if kind.ball is None else [kind.ball])}
    for area in _BESIDE:
        corners = [corner for step in _BESIDE if (corner := area.step(*step)) in hollows]
        if len(corners) < 3:
            continue
        mine, theirs = (_stones(kind, corners, side) for side in (1, 2))
        at_ball = kind.ball in corners
        part[:, TILES] += EXPECTED_TILES[2 if len(corners) == 3 else int(at_ball), mine, theirs] / 8 / len(corners)
        if len(corners) == 4 and not at_ball:
            part[:, BEACHES:LINES] += _open_lines(kind, corners, range(2, 4)) / 4


def _lines(kind: PatternClass) -> list[list[Point]]:
    """The lines of a class: all its hollows, or those on either side of the ball."""
    if kind.ball is None:
        return [list(kind.cells)]
    ordered = sorted([*kind.cells, kind.ball])
    at = ordered.index(kind.ball)
    return [part for part in (ordered[:at], ordered[at + 1 :]) if part]


def _stones(kind: PatternClass, hollows: list[Point], side: int) -> NDArray[np.int64]:
    """By state, how many of some hollows hold a stone of a side."""
    places = [kind.cells.index(hollow) for hollow in hollows if hollow != kind.ball]
    return (digits_of(len(kind.cells))[:, places] == side).sum(axis=1)


def _open_lines(kind: PatternClass, line: list[Point], lacking: range) -> Floats:
    """By state, whether a line is open to the first side and lacks so many stones, a column for each number."""
    mine, theirs = (_stones(kind, line, side) for side in (1, 2))
    begun = (mine > 0) & (theirs == 0)
    return np.array([begun & (len(line) - mine == number) for number in lacking], np.float64).T
