"""Exact endings without Tane: whether the side to move reaches a lead in half tiles, by a search to the full board.

A line counts more than any lead. A branch ends as soon as the tiles still open cannot change the answer and no line can
come in between, and of hollows that belong to no open area and no open line only one is tried: they are all alike.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.compiled import inlined, no_refcount, plain_tuple, recursive
from kemu.engines.moeraki.board.kernel import barred, completed, corners_of, empty_hollows, majorities, winning
from kemu.engines.moeraki.board.packed import U, pack_tane, position_slot
from kemu.engines.moeraki.board.tables import AREAS, BEACHES, DEEPEST, HOLLOWS, LINES, MASK_COUNT, MASKS
from kemu.engines.moeraki.prove.control import GIVEN_UP, TREE_NODES, is_spent, new_control
from kemu.engines.moeraki.value.expected_tiles import rank_tiles
from kemu.engines.words import ONE, ZERO, bit, drop_lowest, has_several, lowest, lowest_bit, popcount

TABLE_SIZE: Final = 1 << 22
GREATEST: Final = 104
"""No lead is greater: 52 areas of two half tiles."""

UNSETTLED: Final = 2

ASKED: Final = 256
"""Added to a lead that is asked for, to keep it in a word."""


class EndingContext(NamedTuple):
    """The arrays of the search, apart from the stones."""

    ball: np.uint64
    tiles: bool  # whether tiles count: the basic game
    lines: Words
    masks: Words
    table: WordRows  # rows of own stones, other stones, what was asked and the answer
    orders: NumberRows  # for each ply the stones to try
    weights: Numbers
    counters: Numbers  # see `control`


@no_refcount
def sure_points(own: np.uint64, ball: np.uint64) -> int:
    """Return the half tiles that these stones have for certain."""
    major, full = majorities(own, ball)
    return popcount(major) + popcount(full)


@no_refcount
def line_possible(other: np.uint64, masks: Words) -> bool:
    """Return whether a line is free of the other's stones."""
    possible = False
    for number in range(MASK_COUNT):
        possible |= masks[number] & other == ZERO and masks[number] & ~HOLLOWS == ZERO
    return possible


@inlined
def tane_areas(own: np.uint64, other: np.uint64, ball: np.uint64) -> np.uint64:
    """Return the areas where these stones may still earn a full tile, so that their Tane could be placed there."""
    occupied = own | other | ball
    return majorities(own | (HOLLOWS & ~occupied), ball)[1] & ~completed(occupied)


@no_refcount
def can_lead(own: np.uint64, other: np.uint64, tanes: tuple[np.uint64, np.uint64], need: int, ball: np.uint64) -> bool:
    """Return whether a lead of `need` half tiles is left to the first side, if all empty hollows were its own.

    `tanes` are those of the first side and of the other, 0 while in hand; no stone was laid since they could be
    placed. The other may keep his Tane in hand, so that only that of the first side can raise the limit.
    """
    mine, opposing = tanes
    major, full = majorities(own | empty_hollows(own, other, ball), ball)
    against, against_full = majorities(other, ball)
    closed = barred(mine, opposing)
    areas = tane_areas(own, other, ball) & ~closed if mine == ZERO else ZERO
    direction = 0
    while True:
        most = popcount(major & ~closed) + popcount(full & ~closed)
        if most - popcount(against & ~closed) - popcount(against_full & ~closed) >= need:
            return True
        if areas == ZERO:
            return False
        closed = barred(U(pack_tane(lowest(areas), direction)), opposing)
        direction += 1
        if direction == 4:
            areas, direction = drop_lowest(areas), 0


@no_refcount
def cells_of_lines(own: np.uint64, other: np.uint64, masks: Words) -> np.uint64:
    """Return the hollows of the lines that one side can still complete, occupied or not."""
    cells = ZERO
    for number in range(MASK_COUNT):
        line = masks[number]
        if line & ~HOLLOWS == ZERO and (line & other == ZERO or line & own == ZERO):
            cells |= line
    return cells


@no_refcount
def cells_of_tiles(own: np.uint64, other: np.uint64, tanes: tuple[np.uint64, np.uint64], ball: np.uint64) -> np.uint64:
    """Return the hollows of areas that can still change the lead or take a Tane, occupied or not."""
    areas = AREAS & ~((majorities(own, ball)[0] | majorities(other, ball)[0]) & BEACHES)
    mine, opposing = tanes
    if mine != ZERO and opposing != ZERO:
        return corners_of(areas & ~barred(mine, opposing))
    if mine == ZERO:
        areas |= tane_areas(own, other, ball)
    if opposing == ZERO:
        areas |= tane_areas(other, own, ball)
    return corners_of(areas)


@no_refcount
def cells_that_matter(own: np.uint64, other: np.uint64, context: EndingContext) -> np.uint64:
    """Return the hollows of areas and lines that are not decided, occupied or not."""
    cells = cells_of_lines(own, other, context.masks)
    if context.tiles:
        decided = (majorities(own, context.ball)[0] | majorities(other, context.ball)[0]) & BEACHES
        cells |= corners_of(AREAS & ~decided)
    return cells


@no_refcount
def arrange(cells: np.uint64, weights: Numbers, order: Numbers) -> int:
    """Write some hollows, the heaviest first, and say how many they are."""
    count = 0
    while cells != ZERO:
        cell = lowest(cells)
        cells = drop_lowest(cells)
        at = count
        while at > 0 and weights[order[at - 1]] < weights[cell]:
            order[at] = order[at - 1]
            at -= 1
        order[at] = cell
        count += 1
    return count


@no_refcount
def settled(own: np.uint64, other: np.uint64, need: int, context: EndingContext) -> int:
    """1 if the side to move reaches what it needs, 0 if not, UNSETTLED where that takes a search."""
    ball, tiles = context.ball, context.tiles
    empty = empty_hollows(own, other, ball)
    if empty == ZERO:
        return 1 if (sure_points(own, ball) - sure_points(other, ball) if tiles else 0) >= need else 0
    if winning(own, context.lines) & empty != ZERO:
        return 1
    if has_several(winning(other, context.lines) & empty):
        return 0
    most = sure_points(own | empty, ball) - sure_points(other, ball) if tiles else 0
    if most < need and not line_possible(other, context.masks):
        return 0
    least = sure_points(own, ball) - sure_points(other | empty, ball) if tiles else 0
    if least >= need and not line_possible(own, context.masks):
        return 1
    return UNSETTLED


@inlined
def list_stones(own: np.uint64, other: np.uint64, ply: int, context: EndingContext) -> int:
    """Write the stones to try, those with the most tiles first, and say how many they are."""
    weights = context.weights
    empty = empty_hollows(own, other, context.ball)
    cells = winning(other, context.lines) & empty
    if cells == ZERO:
        cells = cells_that_matter(own, other, context) & empty
        cells |= lowest_bit(empty & ~cells)
    for cell in range(64):
        weights[cell] = 0
    rank_tiles(own, other, context.ball, ZERO, weights)
    return arrange(cells, weights, context.orders[ply])


@recursive
def reaches(own: np.uint64, other: np.uint64, need: int, ply: int, context: EndingContext) -> bool:
    """Return whether the side to move gets a line, or a lead of at least `need` without a line of the other."""
    counters, table = context.counters, context.table
    counters[TREE_NODES] += 1
    if is_spent(counters):
        counters[GIVEN_UP] = 1
        return False
    known = settled(own, other, need, context)
    if known != UNSETTLED:
        return known == 1
    slot, asked = position_slot(own, other, table.shape[0]), U(need + ASKED) << ONE
    if table[slot, 0] == own and table[slot, 1] == other and table[slot, 2] & ~ONE == asked:
        return (table[slot, 2] & ONE) != ZERO
    found = False
    for number in range(list_stones(own, other, ply, context)):
        stone = bit(context.orders[ply, number])
        if not reaches(other, own | stone, 1 - need, ply + 1, context):
            found = True
            break
    if counters[GIVEN_UP] != 0:
        return False
    table[slot, 0], table[slot, 1], table[slot, 2] = own, other, asked | (ONE if found else ZERO)
    return found


@no_refcount
def reaches_lead(own: np.uint64, other: np.uint64, need: int, fields: Any) -> bool:
    """Return the same for calls from Python: `fields` is the `plain_tuple` of an EndingContext."""
    return reaches(own, other, need, 0, EndingContext(*fields))


class Endings:
    """The exact results of endings with the ball in one hollow; one table serves all questions."""

    def __init__(self, ball: int, tiles: bool, size: int = TABLE_SIZE) -> None:
        """For the ball at this bit; `tiles` for the basic game, without for the beginner's."""
        self.tiles = tiles
        self._control = new_control()
        context = EndingContext(
            U(1 << ball),
            tiles,
            LINES[0, ball],
            MASKS[0, ball],
            np.zeros((size, 3), np.uint64),
            np.zeros((DEEPEST, 64), np.int64),
            np.zeros(64, np.int64),
            self._control.counters,
        )
        self._fields = plain_tuple(context)

    @property
    def nodes(self) -> int:
        """Positions looked at for the last question."""
        return self._control.nodes

    def reaches(self, own: int, other: int, need: int, limit: int = 1 << 60) -> bool | None:
        """Return whether the side to move gets a line or a lead of `need` half tiles; None beyond a limit of nodes."""
        self._control.begin(limit)
        found = reaches_lead(U(own), U(other), need, self._fields)
        return None if self._control.given_up else bool(found)

    def value(self, own: int, other: int, wins_ties: bool, limit: int = 1 << 60) -> int | None:
        """Return what the side to move reaches: 1 won, 0 drawn, -1 lost; None beyond a limit of nodes.

        `wins_ties` if the side to move placed the ball; in the beginner's game a full board is a draw.
        """
        wins = self.reaches(own, other, 0 if self.tiles and wins_ties else 1, limit)
        if wins or self.tiles or wins is None:
            return None if wins is None else 1 if wins else -1
        holds = self.reaches(own, other, 0, limit)
        return None if holds is None else 0 if holds else -1

    def lead(self, own: int, other: int) -> int:
        """Return the lead in half tiles with best play by both; beyond GREATEST where a line decides."""
        low, high = -GREATEST - 1, GREATEST + 1  # reaches(low) holds by definition of the result, reaches(high + 1) not
        while low < high:
            middle = (low + high + 1) // 2
            if self.reaches(own, other, middle):
                low = middle
            else:
                high = middle - 1
        return low
