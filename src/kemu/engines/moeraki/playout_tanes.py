"""What the players do with their Tane in a random game whose stones are known, but not in which order they came.

Only the order of those stones matters that complete an area where a Tane can be, so only theirs is drawn.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, ZERO, below, bit, borrowing, drop_lowest, has_bit, lowest, popcount, signed
from kemu.engines.moeraki.kernel import (
    BALL_AT,
    STONES,
    TANES,
    TURN,
    barred,
    completed,
    corners_of,
    majorities,
)
from kemu.engines.moeraki.packed import U, pack_tane
from kemu.engines.moeraki.tables import CORNER_BITS, Words

MOST: Final = 28
"""The stones of a seat."""

# The rows of the scratch array.
PLIES: Final = 0  # by cell: in which ply its stone was laid
LEFT: Final = 1  # the plies that are still to be drawn
AREAS_AT: Final = 2  # by ply: the areas that its stone completes


@borrowing
def draw_plies(stones: np.uint64, count: int, first: int, plies: Words, left: Words, stream: np.uint64) -> np.uint64:
    """Draws when each of these stones was laid, of so many that a seat laid in every other ply from a first one."""
    for number in range(MOST):
        left[number] = first + 2 * number
    drawn = 0
    while stones != ZERO:
        more, stream = below(count - drawn, stream)
        plies[lowest(stones)] = left[drawn + more]
        left[drawn + more] = left[drawn]
        drawn += 1
        stones = drop_lowest(stones)
    return stream


@borrowing
def sort_areas(full_0: np.uint64, full_1: np.uint64, plies: Words, at: Words) -> tuple[np.uint64, np.uint64]:
    """Sorts the seats' areas by the ply of their last stone into `at`; the plies that complete some of each seat."""
    areas = full_0 | full_1
    busy_0, busy_1 = ZERO, ZERO
    while areas != ZERO:
        area = lowest(areas)
        areas = drop_lowest(areas)
        ply = ZERO
        for number in range(CORNER_BITS.shape[1]):
            ply = max(ply, plies[CORNER_BITS[area, number]])
        at[ply] = bit(area) | (at[ply] if has_bit(busy_0 | busy_1, ply) else ZERO)
        # The bit of the ply is set, without a branch, if the area is one of the seat's.
        busy_0 |= ((full_0 >> U(area)) & ONE) << ply
        busy_1 |= ((full_1 >> U(area)) & ONE) << ply
    return busy_0, busy_1


@borrowing
def draw_placement(state: Words, owner: int, areas: np.uint64, stream: np.uint64) -> tuple[bool, np.uint64]:
    """Draws whether a seat puts its Tane on one of these areas, if they are not barred, and how."""
    areas &= ~barred(state[TANES], state[TANES + 1])
    choice, stream = below(4 * popcount(areas) + 1, stream)
    if choice == 0:
        return False, stream
    for _ in range((choice - 1) >> 2):
        areas = drop_lowest(areas)
    state[TANES + owner] = pack_tane(lowest(areas), (choice - 1) & 3)
    return True, stream


@borrowing
def place_tanes(state: Words, own_0: np.uint64, own_1: np.uint64, scratch: Words, stream: np.uint64) -> np.uint64:
    """Draws what the players do with their Tane while the seats get these stones; `scratch` is written to."""
    seat, ball = signed(state[TURN]), bit(state[BALL_AT])
    before = state[STONES] | state[STONES + 1] | ball
    fresh = completed(own_0 | own_1 | ball) & ~completed(before)
    full_0 = fresh & majorities(own_0, ball)[1] if state[TANES] == ZERO else ZERO
    full_1 = fresh & majorities(own_1, ball)[1] if state[TANES + 1] == ZERO else ZERO
    if (full_0 | full_1) == ZERO:
        return stream
    plies, left, at = scratch[PLIES], scratch[LEFT], scratch[AREAS_AT]
    for cell in range(64):
        plies[cell] = ZERO
    stones = corners_of(full_0 | full_1) & ~before
    stream = draw_plies(stones & own_0, popcount(own_0 & ~before), seat, plies, left, stream)
    stream = draw_plies(stones & own_1, popcount(own_1 & ~before), 1 - seat, plies, left, stream)
    busy_0, busy_1 = sort_areas(full_0, full_1, plies, at)
    while (busy_0 | busy_1) != ZERO:
        ply = U(lowest(busy_0 | busy_1))
        # The mover is asked first.
        of_1 = has_bit(busy_1 if has_bit(U(seat) ^ ply, 0) else ~busy_0, ply)
        placed, stream = draw_placement(state, 1 if of_1 else 0, at[ply] & (full_1 if of_1 else full_0), stream)
        left_over = ZERO if placed else ~bit(ply)
        busy_0 &= ~ZERO if of_1 else left_over
        busy_1 &= left_over if of_1 else ~ZERO
    return stream
