"""Limits of a lead in an ending: what either side can reach at most, and which hollows can still change the result."""

import numpy as np

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, inlined, lowest, popcount
from kemu.engines.moeraki.kernel import barred, completed, corners_of, empty_hollows, majorities
from kemu.engines.moeraki.packed import U, pack_tane
from kemu.engines.moeraki.tables import AREAS, BEACHES, HOLLOWS, MASK_COUNT, Words


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


@inlined
def tane_areas(own: np.uint64, other: np.uint64, ball: np.uint64) -> np.uint64:
    """The areas where these stones may still earn a full tile, so that their Tane could be placed there."""
    occupied = own | other | ball
    return majorities(own | (HOLLOWS & ~occupied), ball)[1] & ~completed(occupied)


@borrowing
def can_lead(own: np.uint64, other: np.uint64, tanes: tuple[np.uint64, np.uint64], need: int, ball: np.uint64) -> bool:
    """Whether a lead of `need` half tiles is left to the first side, if all empty hollows were its own.

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


@borrowing
def cells_of_lines(own: np.uint64, other: np.uint64, masks: Words) -> np.uint64:
    """The hollows of the lines that one side can still complete, occupied or not."""
    cells = ZERO
    for number in range(MASK_COUNT):
        line = masks[number]
        if line & ~HOLLOWS == ZERO and (line & other == ZERO or line & own == ZERO):
            cells |= line
    return cells


@borrowing
def cells_of_tiles(own: np.uint64, other: np.uint64, tanes: tuple[np.uint64, np.uint64], ball: np.uint64) -> np.uint64:
    """The hollows of areas that can still change the lead or take a Tane, occupied or not."""
    areas = AREAS & ~((majorities(own, ball)[0] | majorities(other, ball)[0]) & BEACHES)
    mine, opposing = tanes
    if mine != ZERO and opposing != ZERO:
        return corners_of(areas & ~barred(mine, opposing))
    if mine == ZERO:
        areas |= tane_areas(own, other, ball)
    if opposing == ZERO:
        areas |= tane_areas(other, own, ball)
    return corners_of(areas)
