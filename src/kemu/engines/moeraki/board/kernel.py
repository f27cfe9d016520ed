"""The rules of Moeraki-Kemu on 64-bit boards, compiled; equal to the reference rules by differential tests.

A state is eight words (see the names below); `rules` are the options as five words. Actions are small numbers:
a hollow's bit lays a stone, BALL + bit places the ball, TANE + 4 × the bit of an area + direction places the Tane.
How a Tane and an outcome are packed into one word is described in `packed`.
"""

from typing import Final

import numpy as np

from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.moeraki.board import packed, tables
from kemu.engines.moeraki.board.packed import Sides, U, pack_outcome, pack_tane, tane_area, tane_index
from kemu.engines.words import ONE, ZERO, bit, drop_lowest, lowest, popcount, rotate, signed

STONES, _, BALL_AT, TANES, _, TURN, STEP, LAST, STATE_WORDS = range(9)
"""The words of a state: the stones of both seats, the bit of the ball (NOWHERE before it is placed), both Tane, …

LAST is the bit of the stone just laid while somebody is asked for a Tane, and the outcome once the game is over.
"""

PLACE, LAY, ASK_MOVER, ASK_OTHER, OVER = range(5)
"""Steps."""

VARIANT, STARTER, SWAP_OPTION, EYE_OPTION, MOVED_FROM = range(5)
BEGINNER, BASIC, MASTER = range(3)
"""Options, and the variants."""

NOWHERE: Final = 64
NOBODY: Final = 2  # the winner of a draw

# Actions.
BALL: Final = 64
TANE: Final = 128
KEEP, SWAP, ACTION_COUNT = range(384, 387)

REASONS: Final = ("tahuna", "awa", "ara", "eye", "marae", "draw")
TAHUNA, AWA, ARA, EYE, MARAE, DRAW = range(len(REASONS))

LACKING_0, LACKING_1, LACKING_2, LACKING_3 = tables.LACKING


def _beach_corners(step: int) -> np.uint64:
    """Return the hollows that are the corner of a beach this step from the bit of its area."""
    bits = int(tables.BEACHES)
    return U((bits << step | bits >> (64 - step)) & (1 << 64) - 1)


CORNER_0, CORNER_1, CORNER_2, CORNER_3 = (_beach_corners(step) for step in tables.STEPS)


@inlined
def tane_action(tane: int) -> int:
    """Return the action that places this Tane."""
    return TANE + tane - 1


@inlined
def action_tane(action: int) -> int:
    """Return the Tane that an action places."""
    return action - TANE + 1


@no_refcount
def whole_beaches(own: np.uint64) -> np.uint64:
    """Return the beaches that these stones hold whole."""
    pairs = own & rotate(own, tables.ALONG_U)
    return pairs & rotate(pairs, tables.ALONG_V) & tables.BEACHES


@no_refcount
def reason_of(own: np.uint64, lines: Words) -> int:
    """Return the first reason for which these stones win, -1 if they do not."""
    if whole_beaches(own) != ZERO:
        return TAHUNA
    for number in range(lines.shape[0]):
        if (own & lines[number]) == lines[number]:
            return AWA if number < tables.FIRST_ARA else ARA if number < tables.FIRST_EYE else EYE
    return -1


@no_refcount
def winning(own: np.uint64, lines: Words) -> np.uint64:
    """Return the hollows that would complete a line of these stones, occupied or not."""
    east, west = rotate(own, tables.ALONG_U), rotate(own, tables.BACK_U)
    north, south = rotate(own, tables.ALONG_V), rotate(own, tables.BACK_V)
    cells = east & north & rotate(own, tables.ALONG_BOTH) & CORNER_0
    cells |= west & north & rotate(own, tables.ALONG_V - tables.ALONG_U) & CORNER_1
    cells |= east & south & rotate(own, tables.BACK_V + tables.ALONG_U) & CORNER_2
    cells |= west & south & rotate(own, tables.BACK_BOTH) & CORNER_3
    # A loop over an even number of lines becomes vector instructions; the last line comes after it.
    for number in range(tables.FIRST_EYE):
        missing = lines[number] & ~own
        cells |= missing if missing & (missing - ONE) == ZERO else ZERO
    missing = lines[tables.FIRST_EYE] & ~own
    cells |= missing if missing & (missing - ONE) == ZERO else ZERO
    return cells & tables.HOLLOWS & ~own


@no_refcount
def completed(occupied: np.uint64) -> np.uint64:
    """Return the areas all whose hollows are occupied."""
    first = (occupied | LACKING_0) & (rotate(occupied, tables.ALONG_U) | LACKING_1)
    return (
        first
        & (rotate(occupied, tables.ALONG_V) | LACKING_2)
        & (rotate(occupied, tables.ALONG_BOTH) | LACKING_3)
        & tables.AREAS
    )


@no_refcount
def corners_of(areas: np.uint64) -> np.uint64:
    """Return the hollows around these areas."""
    first = (areas & ~LACKING_0) | rotate(areas & ~LACKING_1, tables.BACK_U)
    return first | rotate(areas & ~LACKING_2, tables.BACK_V) | rotate(areas & ~LACKING_3, tables.BACK_BOTH)


@inlined
def corner_counts(own: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the areas with an odd number of these stones around them, with two or more, and with three or more."""
    a, b = own & ~LACKING_0, rotate(own, tables.ALONG_U) & ~LACKING_1
    c, d = rotate(own, tables.ALONG_V) & ~LACKING_2, rotate(own, tables.ALONG_BOTH) & ~LACKING_3
    return a ^ b ^ c ^ d, (a & b) | (c & d) | ((a | b) & (c | d)), (a & b & (c | d)) | (c & d & (a | b))


@inlined
def areas_around(hollows: np.uint64) -> np.uint64:
    """Return the bits of the areas that have one of these hollows as a corner, and some that are no area."""
    pairs = hollows | rotate(hollows, tables.ALONG_U)
    return pairs | rotate(pairs, tables.ALONG_V)


@no_refcount
def majorities(own: np.uint64, ball: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the areas where these stones are the majority once complete, and those of them with a full tile."""
    _, two, three = corner_counts(own)
    major = (three | (two & (tables.SEMI_BEACHES | areas_around(ball)))) & tables.AREAS
    return major, major & (three | tables.BEACHES)


@inlined
def empty_hollows(own: np.uint64, other: np.uint64, ball: np.uint64) -> np.uint64:
    """Return the hollows without a stone and without the ball."""
    return tables.HOLLOWS & ~(own | other | ball)


@inlined
def empty_cells(state: Words) -> np.uint64:
    """Return the hollows of a state without a stone and without the ball."""
    return empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT]))


@inlined
def stones_of(state: Words) -> tuple[np.uint64, np.uint64, np.uint64]:
    """Return the stones of the seat to act, those of the other, and the ball, as boards."""
    seat = signed(state[TURN])
    return state[STONES + seat], state[STONES + 1 - seat], bit(state[BALL_AT])


@no_refcount
def sides_of(state: Words, rules: Words) -> Sides:
    """Return a state that waits for a stone, from the side to move."""
    seat = signed(state[TURN])
    own, other = signed(state[TANES + seat]), signed(state[TANES + 1 - seat])
    tanes = packed.pack_tanes(own, other, state[TURN] == rules[STARTER])
    return Sides(state[STONES + seat], state[STONES + 1 - seat], tanes)


@no_refcount
def visible_areas(own: np.uint64, other: np.uint64) -> np.uint64:
    """Return the areas that a Tane sees, none while it is in hand; the other Tane hides what lies behind it."""
    if own == ZERO:
        return ZERO
    seen = tables.VISIBLE[tane_index(own)]
    if other != ZERO and seen & bit(tane_area(other)) != ZERO:
        behind = tables.VISIBLE[tane_index(packed.moved_tane(own, tane_area(other)))]
        seen &= ~(behind | bit(tane_area(other)))
    return seen


@inlined
def closed_areas(tane_0: np.uint64, tane_1: np.uint64, seen_0: np.uint64, seen_1: np.uint64) -> np.uint64:
    """Return the areas where no tile can lie: seen by one Tane and not by both, or holding one."""
    areas = seen_0 ^ seen_1
    if tane_0 != ZERO:
        areas |= bit(tane_area(tane_0))
    if tane_1 != ZERO:
        areas |= bit(tane_area(tane_1))
    return areas


@no_refcount
def barred(tane_0: np.uint64, tane_1: np.uint64) -> np.uint64:
    """Return the areas where no tile can lie while the Tane are these."""
    return closed_areas(tane_0, tane_1, visible_areas(tane_0, tane_1), visible_areas(tane_1, tane_0))


@no_refcount
def barred_by(tanes: int) -> np.uint64:
    """Return the areas that are closed to tiles by the Tane of both sides."""
    mine, theirs = packed.own_tane(tanes), packed.other_tane(tanes)
    return barred(U(mine), U(theirs)) if mine != 0 or theirs != 0 else ZERO


@no_refcount
def marae_points(own: np.uint64, occupied: np.uint64, ball: np.uint64, closed: np.uint64) -> int:
    """Return the worth of one seat's tiles in half points."""
    major, full = majorities(own, ball)
    laid = completed(occupied) & ~closed
    return popcount(major & laid) + popcount(full & laid)


@no_refcount
def points(state: Words, seat: int) -> int:
    """Return the worth of a seat's tiles now, in half points; none in the beginner's game has meaning."""
    ball = bit(state[BALL_AT]) if state[BALL_AT] < U(NOWHERE) else ZERO
    occupied = state[STONES] | state[STONES + 1] | ball
    return marae_points(state[STONES + seat], occupied, ball, barred(state[TANES], state[TANES + 1]))


@no_refcount
def marae_winner(state: Words, rules: Words) -> int:
    """Return the seat that wins by its tiles on a full board; a tie goes to the seat that placed the ball."""
    lead = points(state, 0) - points(state, 1)
    return signed(rules[STARTER]) if lead == 0 else 0 if lead > 0 else 1


@no_refcount
def full_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, cell: int, closed: np.uint64) -> np.uint64:
    """Return the areas that a stone just laid here by either side has completed with a full tile for these stones."""
    return majorities(own, ball)[1] & tables.AROUND[cell] & completed(own | other | ball) & ~closed


@no_refcount
def completes(state: Words) -> bool:
    """Return whether the last stone completed an area."""
    occupied = state[STONES] | state[STONES + 1] | bit(state[BALL_AT])
    return tables.AROUND[signed(state[LAST])] & completed(occupied) != ZERO


@no_refcount
def offers(state: Words, seat: int) -> np.uint64:
    """Return the areas on which a seat may put its Tane instead of a tile, now that the last stone completed areas."""
    if state[TANES + seat] != ZERO:
        return ZERO
    own, other, ball = state[STONES + seat], state[STONES + 1 - seat], bit(state[BALL_AT])
    return full_tiles(own, other, ball, signed(state[LAST]), barred(state[TANES], state[TANES + 1]))


@no_refcount
def may_swap(state: Words, rules: Words) -> bool:
    """Return whether the starter may take over the first stone."""
    starter = rules[STARTER]
    return (
        rules[SWAP_OPTION] != ZERO
        and state[TURN] == starter
        and state[STONES + starter] == ZERO
        and popcount(state[STONES] | state[STONES + 1]) == 1
    )


@no_refcount
def legal(state: Words, rules: Words, actions: Numbers) -> int:
    """Write the legal actions into an array and say how many they are."""
    count = 0
    step = signed(state[STEP])
    if step in (PLACE, LAY):
        if step == PLACE:
            rest, first = tables.MOERAKI, BALL
            if rules[MOVED_FROM] < U(NOWHERE):
                rest &= ~bit(rules[MOVED_FROM])
        else:
            rest, first = empty_cells(state), 0
        while rest != ZERO:
            actions[count] = first + lowest(rest)
            count += 1
            rest = drop_lowest(rest)
        if step == LAY and may_swap(state, rules):
            actions[count] = SWAP
            count += 1
    elif step != OVER:
        rest = offers(state, signed(state[TURN]))
        while rest != ZERO:
            for direction in range(4):
                actions[count] = tane_action(pack_tane(lowest(rest), direction))
                count += 1
            rest = drop_lowest(rest)
        actions[count] = KEEP
        count += 1
    return count


@inlined
def advance(state: Words, rules: Words, mover: int, step: int) -> None:
    """Continue a turn from a step: the mover may be asked for the Tane, then the other, then the turn passes."""
    if rules[VARIANT] == U(MASTER) and completes(state):
        if step == ASK_MOVER and offers(state, mover) != ZERO:
            state[TURN], state[STEP] = mover, ASK_MOVER
            return
        if step <= ASK_OTHER and offers(state, 1 - mover) != ZERO:
            state[TURN], state[STEP] = 1 - mover, ASK_OTHER
            return
    state[TURN], state[STEP], state[LAST] = 1 - mover, LAY, 0
    if empty_cells(state) != ZERO:
        return
    state[STEP] = OVER
    if rules[VARIANT] == U(BEGINNER):
        state[LAST] = pack_outcome(NOBODY, DRAW)
    else:
        state[LAST] = pack_outcome(marae_winner(state, rules), MARAE)


@inlined
def apply(state: Words, rules: Words, action: int) -> None:
    """Change a state by a legal action."""
    seat = signed(state[TURN])
    if action < BALL:
        state[STONES + seat] |= bit(action)
        reason = reason_of(state[STONES + seat], tables.LINES[signed(rules[EYE_OPTION]), signed(state[BALL_AT])])
        if reason >= 0:
            state[TURN], state[STEP], state[LAST] = 1 - seat, OVER, pack_outcome(seat, reason)
        else:
            state[LAST] = action
            advance(state, rules, seat, ASK_MOVER)
    elif action < TANE:
        state[BALL_AT], state[STEP], state[TURN] = action - BALL, LAY, 1 - seat
    elif action == SWAP:
        state[STONES + seat], state[STONES + 1 - seat] = state[STONES + 1 - seat], state[STONES + seat]
        state[TURN] = 1 - seat
    else:
        if action != KEEP:
            state[TANES + seat] = action_tane(action)
        if state[STEP] == U(ASK_MOVER):
            advance(state, rules, seat, ASK_OTHER)
        else:
            advance(state, rules, 1 - seat, OVER)
