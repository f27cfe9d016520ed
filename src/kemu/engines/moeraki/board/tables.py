"""The lattice of Moeraki-Kemu as 64-bit boards, built from the geometry of the rules.

Turned by 45 degrees the hollows form an octagon of a 9×9 grid: u = (x+y)/2, v = (x-y)/2. There a beach is a
block of 2×2 hollows, and a diagonal is a row or a column:

          v=-4  . . . o o o . . .       Hollow (u, v) is bit (u + 14v) mod 64 of a board. All 57 hollows get
          v=-3  . . o o o o o . .       bits of their own, and so do the 52 areas, each under the bit of the
          v=-2  . o o o o o o o .       corner of its block with the least u and v (of which a semi-beach may
          v=-1  o o o o o o o o o       lack one). A step along u is a rotation by 1, along v a rotation by 14,
          v= 0  o o o o o o o o o       for all hollows and areas at once.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import Words
from kemu.games.moeraki import board

ALONG_U: Final = 1
ALONG_V: Final = 14
ALONG_BOTH: Final = ALONG_U + ALONG_V
BACK_U: Final = 64 - ALONG_U
BACK_V: Final = 64 - ALONG_V
BACK_BOTH: Final = 64 - ALONG_BOTH
STEPS: Final = (0, ALONG_U, ALONG_V, ALONG_BOTH)
"""From the bit of an area to those of its four corners."""

STONE_COUNT: Final = len(board.HOLLOWS) - 1
"""Stones on a full board: one in each hollow but that of the ball."""

LINE_COUNT: Final = 25
"""Diagonals and parts of diagonals (20), outer rows (4) and the eye (1)."""

FIRST_ARA: Final = 20
FIRST_EYE: Final = LINE_COUNT - 1
"""Where the outer rows begin among the lines, and the number of the eye."""

DEEPEST: Final = 64
"""More plies than any search goes: stones and, in endings, answers about a Tane."""

NEVER: Final = (1 << 64) - 1
"""A mask that no set of stones contains."""


def _bit(point: board.Point) -> int:
    return ((point.x + point.y) // 2 + ALONG_V * ((point.x - point.y) // 2)) % 64


def _set(cells: Iterable[int]) -> int:
    return sum(1 << cell for cell in cells)


def bits(board: int) -> list[int]:
    """Return the numbers of the bits that are set in a board."""
    return [bit for bit in range(64) if board >> bit & 1]


HOLLOW_BIT: Final = tuple(_bit(point) for point in board.HOLLOWS)
"""The bit of each hollow by its number."""

AREA_BIT: Final = tuple(_bit(point.step(-1, 0)) for point in board.AREAS)
"""The bit of each area by its number."""

HOLLOW_AT: Final = {bit: number for number, bit in enumerate(HOLLOW_BIT)}
AREA_AT: Final = {bit: number for number, bit in enumerate(AREA_BIT)}
NAMES: Final = {bit: board.HOLLOWS[number].name for bit, number in HOLLOW_AT.items()}
NAMED_BIT: Final = {name: bit for bit, name in NAMES.items()}
DIRECTIONS: Final = tuple(board.DIRECTIONS)
AREA_COUNT: Final = len(AREA_BIT)

assert len(HOLLOW_AT) == len(board.HOLLOWS)
assert len(AREA_AT) == len(board.AREAS)

HOLLOWS: Final = np.uint64(_set(HOLLOW_BIT))
AREAS: Final = np.uint64(_set(AREA_BIT))
BEACHES: Final = np.uint64(_set(AREA_BIT[number] for number in board.BEACHES))
SEMI_BEACHES: Final = np.uint64(_set(AREA_BIT[number] for number in board.SEMI_BEACHES))
MOERAKI: Final = np.uint64(_set(HOLLOW_BIT[number] for number in board.MOERAKI))


def _corners(area: int) -> int:
    return _set(HOLLOW_BIT[number] for number in board.CORNERS[area])


def _lacking(step: int) -> np.uint64:
    return np.uint64(_set(bit for bit, area in AREA_AT.items() if not _corners(area) >> (bit + step) % 64 & 1))


LACKING: Final = tuple(_lacking(step) for step in STEPS)
"""For each corner of a block, the semi-beaches that have no hollow there."""


def _table(words: Mapping[int, int], size: int = 64) -> Words:
    return np.array([words.get(number, 0) for number in range(size)], np.uint64)


CORNERS: Final = _table({bit: _corners(area) for bit, area in AREA_AT.items()})
"""The hollows around an area, by its bit."""

AROUND: Final = _table({bit: _set(AREA_BIT[area] for area in board.BESIDE[at]) for bit, at in HOLLOW_AT.items()})
"""The areas around a hollow, by its bit."""

VISIBLE: Final = _table(
    {
        4 * bit + number: _set(AREA_BIT[seen] for seen in board.SIGHT[area][looks])
        for bit, area in AREA_AT.items()
        for number, looks in enumerate(DIRECTIONS)
    },
    256,
)
"""The areas that a Tane sees on an open board, by 4 × the bit of its area + direction."""


def _area_rows() -> NDArray[np.int64]:
    points = [point.step(-1, 0) for point in board.AREAS]
    places = sorted(((point.x + point.y) // 2, (point.x - point.y) // 2) for point in points)
    columns, rows = (sorted({place[axis] for place in places}) for axis in (0, 1))
    return np.array([((u + ALONG_V * v) % 64, columns.index(u), rows.index(v)) for u, v in places], np.int64)


AREA_ROWS: Final = _area_rows()
"""The bit of each area and the numbers of its two diagonals, so that areas further on along either come later."""


def _lines(ball: int, eye: bool) -> list[int]:
    lines: list[int] = []
    for diagonal in board.DIAGONALS:
        bits = [HOLLOW_BIT[number] for number in diagonal]
        if ball in bits:
            at = bits.index(ball)
            lines += [_set(bits[:at]), _set(bits[at + 1 :])]
        else:
            lines.append(_set(bits))
    lines += [_set(HOLLOW_BIT[number] for number in row) for row in board.OUTER_ROWS]
    if eye:
        lines.append(_set(HOLLOW_BIT[number] for number in board.EYE if HOLLOW_BIT[number] != ball))
    return lines + [NEVER] * (LINE_COUNT - len(lines))


MASK_COUNT: Final = 61
"""The beaches that do not touch the ball (36), and the lines."""


def _masks() -> Words:
    table = np.full((2, 64, MASK_COUNT), NEVER, np.uint64)
    for eye, ball in product((False, True), board.MOERAKI):
        beaches = [_corners(beach) for beach in board.BEACHES if ball not in board.CORNERS[beach]]
        table[int(eye), HOLLOW_BIT[ball]] = beaches + _lines(HOLLOW_BIT[ball], eye)
    return table


MASKS: Final = _masks()
"""By eye and the bit of the ball, all sets of stones that win: the beaches, then the lines."""

LINES: Final = np.ascontiguousarray(MASKS[:, :, -LINE_COUNT:])
"""By eye and the bit of the ball, the stones that win besides the beaches: awa, ara from FIRST_ARA on, eye."""


def _expected(stones: int, of_mine: int, of_theirs: int, semi: bool) -> int:
    """Eighths of a tile that an area brings on average if its empty hollows go to either side with equal chance."""
    worth = 0
    for fill in product((0, 1), repeat=stones - of_mine - of_theirs):
        mine = of_mine + sum(fill)
        theirs = stones - mine
        half = semi and mine and theirs
        worth += 0 if mine == theirs else (4 if half else 8) if mine > theirs else (-4 if half else -8)
    return worth >> (stones - of_mine - of_theirs)


def _chance(stones: int, of_mine: int, of_theirs: int, semi: bool) -> int:
    """Sixteenths of the chance of a full tile of one's own that is not there yet, if they are filled likewise."""
    empty = stones - of_mine - of_theirs
    fills = [of_mine + sum(fill) for fill in product((0, 1), repeat=empty)] if empty else []
    return 16 * sum(mine == 3 if semi else 2 * mine > stones for mine in fills) >> empty


def _by_stones(entry: Callable[[int, int, int, bool], int]) -> NDArray[np.int64]:
    table = np.zeros((3, 5, 5), np.int64)
    for kind, (stones, semi) in enumerate(((4, False), (3, False), (3, True))):
        for mine in range(stones + 1):
            for theirs in range(stones + 1 - mine):
                table[kind, mine, theirs] = entry(stones, mine, theirs, semi)
    return table


EXPECTED_TILES: Final = _by_stones(_expected)
"""Eighths of a tile to expect of a beach, a beach at the ball or a semi-beach, by the stones of both sides there."""

TANE_CHANCES: Final = _by_stones(_chance)
"""Sixteenths of the chance that a Tane can still be placed there, by the same."""
