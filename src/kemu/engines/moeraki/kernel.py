"""The rules of Moeraki-Kemu on 64-bit boards, compiled; equal to the reference rules by differential tests.

A state is eight words (see the names below); `rules` are the options as five words. Actions are small numbers:
a hollow's bit lays a stone, BALL + bit places the ball, TANE + 4 × the bit of an area + direction places the Tane.
How a Tane and an outcome are packed into one word is described in `packed`.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ZERO, bit, borrowing, drop_lowest, has_bit, inlined, lowest, popcount, rotate, signed
from kemu.engines.moeraki.packed import U, moved_tane, pack_outcome, pack_tane, tane_area, tane_index
from kemu.engines.moeraki.tables import (
    ALONG_BOTH,
    ALONG_U,
    ALONG_V,
    AREAS,
    AROUND,
    BACK_BOTH,
    BACK_U,
    BACK_V,
    BEACHES,
    HOLLOWS,
    LACKING,
    LINES,
    MOERAKI,
    SEMI_BEACHES,
    VISIBLE,
    Words,
)

Numbers = NDArray[np.int64]

# The words of a state.
STONES: Final = 0  # and 1: the stones of the seats
BALL_AT: Final = 2  # bit of the ball, NOWHERE before it is placed
TANES: Final = 3  # and 4: the Tane of the seats
TURN: Final = 5
STEP: Final = 6
LAST: Final = 7  # while asking: the bit of the stone just laid; once over: the outcome
STATE_WORDS: Final = 8

# Steps.
PLACE: Final = 0
LAY: Final = 1
ASK_MOVER: Final = 2
ASK_OTHER: Final = 3
OVER: Final = 4

# Options.
VARIANT: Final = 0
STARTER: Final = 1
SWAP_OPTION: Final = 2
EYE_OPTION: Final = 3
MOVED_FROM: Final = 4
BEGINNER: Final = 0
BASIC: Final = 1
MASTER: Final = 2

NOWHERE: Final = 64
NOBODY: Final = 2  # the winner of a draw

# Actions.
BALL: Final = 64
TANE: Final = 128
KEEP: Final = 384
SWAP: Final = 385
ACTION_COUNT: Final = 386

REASONS: Final = ("tahuna", "awa", "ara", "eye", "marae", "draw")
TAHUNA: Final = 0
AWA: Final = 1
ARA: Final = 2
EYE: Final = 3
MARAE: Final = 4
DRAW: Final = 5

LACKING_0, LACKING_1, LACKING_2, LACKING_3 = LACKING


@inlined
def tane_action(tane: int) -> int:
    """The action that places this Tane."""
    return TANE + tane - 1


@inlined
def action_tane(action: int) -> int:
    """The Tane that an action places."""
    return action - TANE + 1


@borrowing
def has_beach(own: np.uint64) -> bool:
    """Whether these stones hold a whole beach."""
    pairs = own & rotate(own, ALONG_U)
    return (pairs & rotate(pairs, ALONG_V) & BEACHES) != ZERO


@borrowing
def has_line(own: np.uint64, lines: Words) -> bool:
    """Whether these stones win: a beach, a diagonal or a part of one beside the ball, an outer row, the eye."""
    # The least of what is missing is 0 when nothing is: one pass of vector instructions without a branch.
    missing = lines[24] & ~own
    for number in range(24):
        missing = min(missing, lines[number] & ~own)
    return has_beach(own) | (missing == ZERO)


@borrowing
def reason_of(own: np.uint64, lines: Words) -> int:
    """The first reason for which these stones win, -1 if they do not."""
    if has_beach(own):
        return TAHUNA
    for number in range(lines.shape[0]):
        if (own & lines[number]) == lines[number]:
            return AWA if number < 20 else ARA if number < 24 else EYE
    return -1


@borrowing
def completed(occupied: np.uint64) -> np.uint64:
    """The areas all whose hollows are occupied."""
    first = (occupied | LACKING_0) & (rotate(occupied, ALONG_U) | LACKING_1)
    return first & (rotate(occupied, ALONG_V) | LACKING_2) & (rotate(occupied, ALONG_BOTH) | LACKING_3) & AREAS


@borrowing
def corners_of(areas: np.uint64) -> np.uint64:
    """The hollows around these areas."""
    first = (areas & ~LACKING_0) | rotate(areas & ~LACKING_1, BACK_U)
    return first | rotate(areas & ~LACKING_2, BACK_V) | rotate(areas & ~LACKING_3, BACK_BOTH)


@borrowing
def majorities(own: np.uint64, ball: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The areas where these stones are the majority once complete, and those of them with a full tile."""
    a = own & ~LACKING_0
    b = rotate(own, ALONG_U) & ~LACKING_1
    c = rotate(own, ALONG_V) & ~LACKING_2
    d = rotate(own, ALONG_BOTH) & ~LACKING_3
    three = (a & b & (c | d)) | (c & d & (a | b))
    two = (a & b) | (c & d) | ((a | b) & (c | d))
    at_ball = ball | rotate(ball, ALONG_U) | rotate(ball, ALONG_V) | rotate(ball, ALONG_BOTH)
    major = (three | (two & (SEMI_BEACHES | at_ball))) & AREAS
    return major, major & (three | BEACHES)


@inlined
def empty_hollows(own: np.uint64, other: np.uint64, ball: np.uint64) -> np.uint64:
    """The hollows without a stone and without the ball."""
    return HOLLOWS & ~(own | other | ball)


@borrowing
def visible_areas(own: np.uint64, other: np.uint64) -> np.uint64:
    """The areas that a Tane sees, none while it is in hand; the other Tane hides what lies behind it."""
    if own == ZERO:
        return ZERO
    seen = VISIBLE[tane_index(own)]
    if other != ZERO and has_bit(seen, tane_area(other)):
        behind = VISIBLE[tane_index(moved_tane(own, tane_area(other)))]
        seen &= ~(behind | bit(tane_area(other)))
    return seen


@inlined
def closed_areas(tane_0: np.uint64, tane_1: np.uint64, seen_0: np.uint64, seen_1: np.uint64) -> np.uint64:
    """The areas where no tile can lie: seen by one Tane and not by both, or holding one."""
    areas = seen_0 ^ seen_1
    if tane_0 != ZERO:
        areas |= bit(tane_area(tane_0))
    if tane_1 != ZERO:
        areas |= bit(tane_area(tane_1))
    return areas


@borrowing
def barred(tane_0: np.uint64, tane_1: np.uint64) -> np.uint64:
    """The areas where no tile can lie while the Tane are these."""
    return closed_areas(tane_0, tane_1, visible_areas(tane_0, tane_1), visible_areas(tane_1, tane_0))


@borrowing
def marae_points(own: np.uint64, occupied: np.uint64, ball: np.uint64, closed: np.uint64) -> int:
    """The worth of one seat's tiles in half points."""
    major, full = majorities(own, ball)
    laid = completed(occupied) & ~closed
    return popcount(major & laid) + popcount(full & laid)


@borrowing
def points(state: Words, seat: int) -> int:
    """The worth of a seat's tiles now, in half points; none in the beginner's game has meaning."""
    ball = bit(state[BALL_AT]) if state[BALL_AT] < U(NOWHERE) else ZERO
    occupied = state[STONES] | state[STONES + 1] | ball
    return marae_points(state[STONES + seat], occupied, ball, barred(state[TANES], state[TANES + 1]))


@borrowing
def marae_winner(state: Words, rules: Words) -> int:
    """The seat that wins by its tiles on a full board; a tie goes to the seat that placed the ball."""
    lead = points(state, 0) - points(state, 1)
    return signed(rules[STARTER]) if lead == 0 else 0 if lead > 0 else 1


@borrowing
def full_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, cell: int, closed: np.uint64) -> np.uint64:
    """The areas that a stone just laid here by either side has completed with a full tile for these stones."""
    return majorities(own, ball)[1] & AROUND[cell] & completed(own | other | ball) & ~closed


@borrowing
def completes(state: Words) -> bool:
    """Whether the last stone completed an area."""
    occupied = state[STONES] | state[STONES + 1] | bit(state[BALL_AT])
    return AROUND[signed(state[LAST])] & completed(occupied) != ZERO


@borrowing
def offers(state: Words, seat: int) -> np.uint64:
    """The areas on which a seat may put its Tane instead of a tile, now that the last stone completed areas."""
    if state[TANES + seat] != ZERO:
        return ZERO
    own, other, ball = state[STONES + seat], state[STONES + 1 - seat], bit(state[BALL_AT])
    return full_tiles(own, other, ball, signed(state[LAST]), barred(state[TANES], state[TANES + 1]))


@borrowing
def may_swap(state: Words, rules: Words) -> bool:
    """Whether the starter may take over the first stone."""
    starter = rules[STARTER]
    return (
        rules[SWAP_OPTION] != ZERO
        and state[TURN] == starter
        and state[STONES + starter] == ZERO
        and popcount(state[STONES] | state[STONES + 1]) == 1
    )


@borrowing
def legal(state: Words, rules: Words, actions: Numbers) -> int:
    """Writes the legal actions into an array and says how many they are."""
    count = 0
    step = signed(state[STEP])
    if step in (PLACE, LAY):
        if step == PLACE:
            rest, first = MOERAKI, BALL
            if rules[MOVED_FROM] < U(NOWHERE):
                rest &= ~bit(rules[MOVED_FROM])
        else:
            rest, first = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT])), 0
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
    """Goes on in a turn, from a step: the mover may be asked for the Tane, then the other, then the turn passes."""
    if rules[VARIANT] == U(MASTER) and completes(state):
        if step == ASK_MOVER and offers(state, mover) != ZERO:
            state[TURN], state[STEP] = mover, ASK_MOVER
            return
        if step <= ASK_OTHER and offers(state, 1 - mover) != ZERO:
            state[TURN], state[STEP] = 1 - mover, ASK_OTHER
            return
    state[TURN], state[STEP], state[LAST] = 1 - mover, LAY, 0
    if empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT])) != ZERO:
        return
    state[STEP] = OVER
    if rules[VARIANT] == U(BEGINNER):
        state[LAST] = pack_outcome(NOBODY, DRAW)
    else:
        state[LAST] = pack_outcome(marae_winner(state, rules), MARAE)


@inlined
def apply(state: Words, rules: Words, action: int) -> None:
    """Changes a state by a legal action."""
    seat = signed(state[TURN])
    if action < BALL:
        state[STONES + seat] |= bit(action)
        reason = reason_of(state[STONES + seat], LINES[signed(rules[EYE_OPTION]), signed(state[BALL_AT])])
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
