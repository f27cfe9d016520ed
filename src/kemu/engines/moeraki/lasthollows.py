"""Exact endings without Tane: whether the side to move reaches a lead in half tiles, by a search to the full board.

A line counts more than any lead. A branch ends as soon as the tiles still open cannot change the answer and no line can
come in between, and of hollows that belong to no open area and no open line only one is tried: they are all alike.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, multiply, popcount, recursive, signed
from kemu.engines.moeraki.hopes import rank_tiles
from kemu.engines.moeraki.kernel import Numbers, U, corners_of, majorities
from kemu.engines.moeraki.tables import AREAS, BEACHES, HOLLOWS, LINES, MASK_COUNT, MASKS, Words
from kemu.engines.moeraki.threats import winning

ZERO: Final = U(0)
TABLE_SIZE: Final = 1 << 22
DEEPEST: Final = 57
GREATEST: Final = 104
"""No lead is greater: 52 areas of two half tiles."""

UNSETTLED: Final = 2

ASKED: Final = 256
"""Added to a lead that is asked for, to keep it in a word."""

# Words of the counters.
NODES: Final = 0
LIMIT: Final = 1
GIVEN_UP: Final = 2
COUNTERS: Final = 3


@borrowing
def sure_points(own: np.uint64, ball: np.uint64) -> int:
    """The half tiles that these stones have for certain."""
    major, full = majorities(own, ball)
    return popcount(major) + popcount(full)


@borrowing
def line_possible(other: np.uint64, masks: Words) -> bool:
    """Whether a line is free of the other's stones."""
    possible = False
    for number in range(MASK_COUNT):
        possible |= masks[number] & other == ZERO and masks[number] & ~HOLLOWS == ZERO
    return possible


@borrowing
def cells_that_matter(own: np.uint64, other: np.uint64, ball: np.uint64, tiles: bool, masks: Words) -> np.uint64:
    """The hollows of areas and lines that are not decided, occupied or not."""
    cells = ZERO
    if tiles:
        decided = (majorities(own, ball)[0] | majorities(other, ball)[0]) & BEACHES
        cells = corners_of(AREAS & ~decided)
    for number in range(MASK_COUNT):
        line = masks[number]
        if line & ~HOLLOWS == ZERO and (line & other == ZERO or line & own == ZERO):
            cells |= line
    return cells


@borrowing
def slot_of(own: np.uint64, other: np.uint64, size: int) -> int:
    """Where the table keeps a position."""
    upper, lower = multiply(own ^ U(0xA0761D6478BD642F), other ^ U(0xE7037ED1A0B428DB))
    return signed((upper ^ lower) & U(size - 1))


@borrowing
def arrange(cells: np.uint64, weights: Numbers, order: Numbers) -> int:
    """Writes some hollows, the heaviest first, and says how many they are."""
    count = 0
    while cells != ZERO:
        cell = lowest(cells)
        cells &= cells - ONE
        at = count
        while at > 0 and weights[order[at - 1]] < weights[cell]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = cell
        count += 1
    return count


@borrowing
def settled(
    own: np.uint64, other: np.uint64, need: int, tiles: bool, ball: np.uint64, lines: Words, masks: Words
) -> int:
    """1 if the side to move reaches what it needs, 0 if not, UNSETTLED where that takes a search."""
    empty = HOLLOWS & ~(own | other | ball)
    if empty == ZERO:
        return 1 if (sure_points(own, ball) - sure_points(other, ball) if tiles else 0) >= need else 0
    if winning(own, lines) & empty != ZERO:
        return 1
    must = winning(other, lines) & empty
    if must & (must - ONE) != ZERO:
        return 0
    most = sure_points(own | empty, ball) - sure_points(other, ball) if tiles else 0
    if most < need and not line_possible(other, masks):
        return 0
    least = sure_points(own, ball) - sure_points(other | empty, ball) if tiles else 0
    if least >= need and not line_possible(own, masks):
        return 1
    return UNSETTLED


@borrowing
def list_stones(
    own: np.uint64,
    other: np.uint64,
    tiles: bool,
    ball: np.uint64,
    lines: Words,
    masks: Words,
    order: Numbers,
    weights: Numbers,
) -> int:
    """Writes the stones to try, those with the most tiles first, and says how many they are."""
    empty = HOLLOWS & ~(own | other | ball)
    cells = winning(other, lines) & empty
    if cells == ZERO:
        cells = cells_that_matter(own, other, ball, tiles, masks) & empty
        dead = empty & ~cells
        cells |= dead & -dead
    for cell in range(64):
        weights[cell] = 0
    rank_tiles(own, other, ball, ZERO, 1, weights)
    return arrange(cells, weights, order)


@recursive(
    "boolean(uint64, uint64, int64, int64, boolean, uint64, uint64[::1], uint64[::1], uint64[:, ::1], int64[:, ::1],"
    "int64[::1], int64[::1])"
)
def reaches(
    own: np.uint64,
    other: np.uint64,
    need: int,
    ply: int,
    tiles: bool,
    ball: np.uint64,
    lines: Words,
    masks: Words,
    table: Words,
    orders: Numbers,
    weights: Numbers,
    counters: Numbers,
) -> bool:
    """Whether the side to move completes a line, or ends with a lead of at least `need` and no line of the other."""
    counters[NODES] += 1
    if counters[NODES] >= counters[LIMIT]:
        counters[GIVEN_UP] = 1
        return False
    known = settled(own, other, need, tiles, ball, lines, masks)
    if known != UNSETTLED:
        return known == 1
    slot, asked = slot_of(own, other, table.shape[0]), U(need + ASKED) << ONE
    if table[slot, 0] == own and table[slot, 1] == other and table[slot, 2] & ~ONE == asked:
        return (table[slot, 2] & ONE) != ZERO
    found = False
    for number in range(list_stones(own, other, tiles, ball, lines, masks, orders[ply], weights)):
        stone = ONE << U(orders[ply, number])
        if not reaches(
            other, own | stone, 1 - need, ply + 1, tiles, ball, lines, masks, table, orders, weights, counters
        ):
            found = True
            break
    if counters[GIVEN_UP] != 0:
        return False
    table[slot, 0], table[slot, 1], table[slot, 2] = own, other, asked | (ONE if found else ZERO)
    return found


class Endings:
    """The exact results of endings with the ball in one hollow; one table serves all questions."""

    def __init__(self, ball: int, tiles: bool, size: int = TABLE_SIZE) -> None:
        """For the ball at this bit; `tiles` for the basic game, without for the beginner's."""
        self.ball = U(1 << ball)
        self.tiles = tiles
        self.lines, self.masks = LINES[0, ball], MASKS[0, ball]
        self.table = np.zeros((size, 3), np.uint64)
        self.orders = np.zeros((DEEPEST + 1, 64), np.int64)
        self.weights = np.zeros(64, np.int64)
        self.counters = np.zeros(COUNTERS, np.int64)

    @property
    def nodes(self) -> int:
        """Positions looked at for the last question."""
        return int(self.counters[NODES])

    def reaches(self, own: int, other: int, need: int, limit: int = 1 << 60) -> bool | None:
        """Whether the side to move gets a line or a lead of `need` half tiles; None beyond a limit of nodes."""
        self.counters[:] = 0
        self.counters[LIMIT] = limit
        found = reaches(
            U(own), U(other), need, 0, self.tiles, self.ball, self.lines, self.masks, self.table, self.orders,
            self.weights, self.counters,
        )  # fmt: skip
        return None if self.counters[GIVEN_UP] else bool(found)

    def value(self, own: int, other: int, wins_ties: bool, limit: int = 1 << 60) -> int | None:
        """What the side to move reaches: 1 won, 0 drawn, -1 lost; None beyond a limit of nodes.

        `wins_ties` if the side to move placed the ball; in the beginner's game a full board is a draw.
        """
        wins = self.reaches(own, other, 0 if self.tiles and wins_ties else 1, limit)
        if wins or self.tiles or wins is None:
            return None if wins is None else 1 if wins else -1
        holds = self.reaches(own, other, 0, limit)
        return None if holds is None else 0 if holds else -1

    def lead(self, own: int, other: int) -> int:
        """The lead in half tiles with best play by both; beyond GREATEST where a line decides."""
        low, high = -GREATEST - 1, GREATEST + 1  # reaches(low) holds by definition of the result, reaches(high + 1) not
        while low < high:
            middle = (low + high + 1) // 2
            if self.reaches(own, other, middle):
                low = middle
            else:
                high = middle - 1
        return low
