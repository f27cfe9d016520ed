"""The patterns of the evaluation: the up to nine hollows in and around each hollow, and what a position says by them.

The state of a pattern is a number in base 3 with a digit for each of its hollows: empty, a stone of the first side, one
of the second. Patterns of one *shape*, cut by the rim or holding the ball at the same places, have
their states in the same rows of a table. States that a symmetry of the board maps to each other have the same
*parameter*, for all shapes, so that what is learned in one place holds in all that look alike.

The weights of a search are one array, because each array in its context takes time at every call: the weights of lines
and tiles; how many rows there are; for each pattern the row of its state without stones; the changes by each stone; the
rows; and as many ranks. A row is four numbers of 16 bits: what the state is worth to the first side, the one that
placed the ball, when it is to move, on a full board and on an empty one, and the same for the second side. A rank is
two numbers of 16 bits: how promising a stone of the first side looks in the middle of the pattern, and one of the
second. A search keeps the states of its patterns stone by stone.
"""

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.arrays import Numbers, dump_arrays, load_arrays
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.moeraki.board.kernel import BEGINNER, corners_of
from kemu.engines.moeraki.board.packed import Sides, is_starter
from kemu.engines.moeraki.board.tables import HOLLOW_BIT, STONE_COUNT
from kemu.engines.moeraki.value.expected_tiles import SUMS
from kemu.engines.words import ZERO, drop_lowest, lowest
from kemu.games.moeraki import board
from kemu.games.moeraki.board import Point

Rows = NDArray[np.int64]

FILE: Final = "weights.npz"


class Weights(NamedTuple):
    """The weights of one variant."""

    counted: Numbers  # the weights of lines, tiles and the Tane, see `evaluation`
    worths: Numbers  # by parameter of patterns: what it is worth on a full board and on an empty one
    ranks: Numbers  # by parameter: how promising a stone in the middle of the pattern looks, for the move ordering


def dump_weights(weights: Sequence[Weights]) -> bytes:
    """Return all weights as a file: the fields of Weights, a row for each variant."""
    counted, worths, ranks = (np.array(field) for field in zip(*weights, strict=True))
    kinds = {"counted": np.int32, "worths": np.int16, "ranks": np.int16}
    fields = zip(kinds.items(), (counted, worths, ranks), strict=True)
    return dump_arrays({name: field.astype(kind) for (name, kind), field in fields})


def load_weights(data: bytes) -> tuple[Weights, ...]:
    """Return the weights of all variants from such a file."""
    arrays = load_arrays(data)
    fields = (arrays[name].astype(np.int64) for name in Weights._fields)
    return tuple(map(Weights, *fields))


def shipped_file() -> bytes:
    """Return the file that comes with Kemu."""
    return files(__package__).joinpath(FILE).read_bytes()


@lru_cache(maxsize=1)
def shipped_weights() -> tuple[Weights, ...]:
    """Its weights, by variant."""
    return load_weights(shipped_file())


STEPS: Final = tuple((u + v, u - v) for v in (-1, 0, 1) for u in (-1, 0, 1))
"""From the hollow in the middle of a pattern to all nine."""

PATTERN_COUNT: Final = len(board.HOLLOWS)
MOST_PATTERNS: Final = 9
"""The most patterns that a hollow is part of."""

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
    """Return the shape of the pattern around the hollow of this number: what lies at each of the nine steps."""
    points = [board.HOLLOWS[number].step(x, y) for x, y in STEPS]
    return "".join(BALL if point == ball else HOLLOW if point in board.HOLLOWS else OFF_BOARD for point in points)


def _turned(shape: str, symmetry: tuple[int, ...]) -> str:
    return "".join(shape[step] for step in symmetry)


@lru_cache(maxsize=1)
def parameter_starts() -> dict[str, int]:
    """Return the first parameter of each shape that is the least of those that symmetries map to each other."""
    starts: dict[str, int] = {}
    count = 0
    for ball in board.MOERAKI:
        for number in range(PATTERN_COUNT):
            shape = shape_of(number, board.HOLLOWS[ball])
            least = min(_turned(shape, symmetry) for symmetry in SYMMETRIES)
            if least not in starts:
                starts[least] = count
                count += 3 ** least.count(HOLLOW)
    return starts


def parameter_count() -> int:
    """Return how many parameters there are."""
    return sum(3 ** shape.count(HOLLOW) for shape in parameter_starts())


def parameters_of(shape: str) -> Rows:
    """Return by state of a pattern of this shape, its parameter."""
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
    """Return by state of a pattern of this shape, the one with the stones of both sides exchanged."""
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
    """Return the patterns of games with the ball on this cell."""
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


LARGEST_WORTH: Final = 500
"""57 of these stay within 16 bits."""

LARGEST_RANK: Final = 10_000

# Parts of the weights; the first are those of lines and tiles.
ROW_COUNT: Final = 42
EMPTY_ROWS: Final = ROW_COUNT + 1
CHANGES: Final = EMPTY_ROWS + 64
FIRST_ROW: Final = CHANGES + 64 * MOST_PATTERNS
"""Stands for the cells that are no hollow, and is worth nothing."""

# By ply, after the sums of the evaluation: the row of each pattern, and the sum of these rows.
STATES: Final = SUMS
TOTAL: Final = STATES + 64
RANKS: Final = TOTAL + 1

_BIAS: Final = 0x8000_8000_8000
_HALF: Final = 0x8000
_MASK: Final = 0xFFFF


def weights_with_patterns(weights: Weights, ball_at: int) -> Numbers:
    """Return the array for games with the ball on this cell."""
    patterns = ball_patterns(ball_at)
    assert len(weights.counted) == ROW_COUNT
    assert np.abs(weights.worths).max(initial=0) <= LARGEST_WORTH
    assert np.abs(weights.ranks).max(initial=0) <= LARGEST_RANK
    late, early = weights.worths.T
    pairs = late + (early << 16)
    rows = pairs[patterns.parameters] + (pairs[patterns.exchanged] << 32)
    ranks = weights.ranks[patterns.parameters] + (weights.ranks[patterns.exchanged] << 16)
    empty = np.where(np.isin(np.arange(64), HOLLOW_BIT), patterns.empty + FIRST_ROW + 1, FIRST_ROW)
    return np.concatenate((weights.counted, [len(rows) + 1], empty, patterns.changes.ravel(), [0], rows, [0], ranks))


@lru_cache(maxsize=18)
def shipped_array(variant: int, ball_at: int) -> Numbers:
    """Return the array of the weights that come with Kemu, in games of a variant with the ball on this cell.

    It is kept, because a search with a budget of nodes makes a workspace each time.
    """
    weights = shipped_weights()[variant]
    return weights.counted if variant == BEGINNER else weights_with_patterns(weights, ball_at)


@inlined
def lay_in_patterns(before: Numbers, after: Numbers, cell: int, digit: int, weights: Numbers) -> None:
    """Write the states of the patterns after a stone here; `digit` is 1 for the first side, 2 for the second."""
    for number in range(STATES, RANKS):
        after[number] = before[number]
    total = before[TOTAL]
    for number in range(CHANGES + MOST_PATTERNS * cell, CHANGES + MOST_PATTERNS * (cell + 1)):
        change = weights[number]
        at = STATES + (change >> 16)
        row = after[at] + digit * (change & _MASK)
        total += weights[row] - weights[after[at]]
        after[at] = row
    after[TOTAL] = total


@no_refcount
def begin_patterns(sides: Sides, ranks: Numbers, weights: Numbers) -> None:
    """Write the states of the patterns of a position."""
    total = 0
    for cell in range(64):
        ranks[STATES + cell] = weights[EMPTY_ROWS + cell]
        total += weights[weights[EMPTY_ROWS + cell]]
    ranks[TOTAL] = total
    starter = is_starter(sides.tanes)
    for digit in (1, 2):
        stones = sides.own if (digit == 1) == starter else sides.other
        while stones != ZERO:
            lay_in_patterns(ranks, ranks, lowest(stones), digit, weights)
            stones = drop_lowest(stones)


@no_refcount
def pattern_score(sides: Sides, left: int, closed: np.uint64, ranks: Numbers, weights: Numbers) -> int:
    """Return the value of the patterns for the side to move, without those around a closed area in the middle."""
    total = ranks[TOTAL]
    if closed != ZERO:
        middles = corners_of(closed)
        while middles != ZERO:
            total -= weights[ranks[STATES + lowest(middles)]]
            middles = drop_lowest(middles)
    total += _BIAS
    if not is_starter(sides.tanes):
        total >>= 32
        late, early = (total & _MASK) - _HALF, total >> 16
    else:
        late, early = (total & _MASK) - _HALF, (total >> 16 & _MASK) - _HALF
    return (late * (STONE_COUNT - left) + early * left) // STONE_COUNT


@no_refcount
def rank_patterns(sides: Sides, cells: np.uint64, ranks: Numbers, weights: Numbers) -> None:
    """Add to the rank of each of these cells how promising a stone of the side to move looks there."""
    starter, ahead = is_starter(sides.tanes), weights[ROW_COUNT]
    while cells != ZERO:
        cell = lowest(cells)
        cells = drop_lowest(cells)
        both = weights[ranks[STATES + cell] + ahead] + _HALF
        ranks[cell] += (both & _MASK) - _HALF if starter else both >> 16
