"""Many games of Moeraki-Kemu at once: ids, masks and observations of games/moeraki/encoding.py on the kernel."""

import sys
from functools import partial
from typing import Final

import numpy as np

from kemu.engines.arrays import Words
from kemu.engines.batch import GOES_ON, Bytes, Flags, Lanes, Rewards, lane_loops
from kemu.engines.batch import OVER as GAME_OVER
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import U, outcome_winner, tane_area
from kemu.engines.moeraki.board.tables import AREA_BIT, AROUND, HOLLOW_BIT
from kemu.engines.moeraki.board.translation import kernel_action, kernel_rules, kernel_state
from kemu.engines.words import NO_BIT, ONE, ZERO, bit, bit_writer, drop_lowest, has_bit, lowest, signed
from kemu.games.moeraki.board import AREAS, HOLLOWS
from kemu.games.moeraki.encoding import BALL_IDS, CELLS, KEEP_ID, SWAP_ID, TANE_IDS, MoerakiEncoding, cell
from kemu.games.moeraki.rules import MoerakiKemu

_ENCODING: Final = MoerakiEncoding(MoerakiKemu("master"))
ACTIONS: Final = np.array([kernel_action(action) for action in _ENCODING.actions(0)], np.int64)
"""The kernel's number of each action, by its id."""


IDS: Final = np.zeros(kernel.ACTION_COUNT, np.int64)
"""The id of each action, by the kernel's number."""

IDS[ACTIONS] = np.arange(len(ACTIONS))

HOLLOW_CELLS: Final = {cell(point): bit for bit, point in zip(HOLLOW_BIT, HOLLOWS, strict=True)}
AREA_CELLS: Final = {cell(point): bit for bit, point in zip(AREA_BIT, AREAS, strict=True)}
"""The bit of a board for each cell of a plane."""

write_hollows: Final = bit_writer([HOLLOW_CELLS.get(number, NO_BIT) for number in range(CELLS)])
write_areas: Final = bit_writer([AREA_CELLS.get(number, NO_BIT) for number in range(CELLS)])
"""Writes the bits of a board into a plane."""

write_everywhere: Final = bit_writer([0] * CELLS)
"""Writes the lowest bit of a word into all of a plane."""

write_lays: Final = bit_writer([*map(int, ACTIONS[:BALL_IDS]), *[NO_BIT] * (KEEP_ID - BALL_IDS)])
"""Writes the bits of a board into a mask, at the ids that lay a stone, and no other action without a Tane."""

write_no_tane: Final = bit_writer([NO_BIT] * (len(ACTIONS) - KEEP_ID))
"""Writes that no action with a Tane is legal into a mask."""


@inlined
def observe_tiles(state: Words, seat: int, ball: np.uint64, closed: np.uint64, row: Bytes) -> None:
    """Write the planes of the tiles, without tiles that wait for an answer; `closed` are areas where none can lie."""
    laid = kernel.completed(state[kernel.STONES] | state[kernel.STONES + 1] | ball) & ~closed
    step = signed(state[kernel.STEP])
    waiting = AROUND[signed(state[kernel.LAST])] if step in (kernel.ASK_MOVER, kernel.ASK_OTHER) else ZERO
    for plane in range(2):
        tribe = seat ^ plane
        major, full = kernel.majorities(state[kernel.STONES + tribe], ball)
        lying = laid & ~(waiting if step == kernel.ASK_MOVER or signed(state[kernel.TURN]) == tribe else ZERO)
        if step == kernel.OVER:
            lying &= ~kernel.whole_beaches(state[kernel.STONES + tribe])
        write_areas(row, (5 + plane) * CELLS, major & lying, full & lying)


@inlined
def observe_tanes(state: Words, seat: int, seen_0: np.uint64, seen_1: np.uint64, row: Bytes) -> None:
    """Write the planes of the Tane, given what each sees, and of the question for it."""
    for plane in range(2):
        own = state[kernel.TANES + (seat ^ plane)]
        write_areas(row, (7 + plane) * CELLS, bit(tane_area(own)) if own != ZERO else ZERO, ZERO)
        write_areas(row, (9 + plane) * CELLS, seen_1 if seat ^ plane else seen_0, ZERO)
    asked = signed(state[kernel.STEP]) in (kernel.ASK_MOVER, kernel.ASK_OTHER)
    write_hollows(row, 11 * CELLS, bit(state[kernel.LAST]) if asked else ZERO, ZERO)
    write_areas(row, 12 * CELLS, kernel.offers(state, signed(state[kernel.TURN])) if asked else ZERO, ZERO)


@inlined
def observe(state: Words, rules: Words, seat: int, row: Bytes) -> None:
    """Write what a seat sees."""
    ball = bit(state[kernel.BALL_AT]) if state[kernel.BALL_AT] < U(kernel.NOWHERE) else ZERO
    for plane in range(2):
        write_hollows(row, plane * CELLS, state[kernel.STONES + (seat ^ plane)], ZERO)
    write_hollows(row, 2 * CELLS, ball, ZERO)
    write_everywhere(row, 3 * CELLS, ONE if signed(rules[kernel.STARTER]) == seat else ZERO, ZERO)
    write_everywhere(row, 4 * CELLS, ONE if signed(state[kernel.TURN]) == seat else ZERO, ZERO)
    if rules[kernel.VARIANT] == U(kernel.BEGINNER):
        return
    tane_0, tane_1 = state[kernel.TANES], state[kernel.TANES + 1]
    seen_0, seen_1 = kernel.visible_areas(tane_0, tane_1), kernel.visible_areas(tane_1, tane_0)
    observe_tiles(state, seat, ball, kernel.closed_areas(tane_0, tane_1, seen_0, seen_1), row)
    if rules[kernel.VARIANT] == U(kernel.MASTER):
        observe_tanes(state, seat, seen_0, seen_1, row)


@inlined
def mask(state: Words, rules: Words, row: Flags) -> None:
    """Write the legal actions."""
    step = signed(state[kernel.STEP])
    write_lays(row, 0, kernel.empty_cells(state) if step == kernel.LAY else ZERO, ZERO)
    if row.shape[0] > KEEP_ID:
        write_no_tane(row, KEEP_ID, ZERO, ZERO)
    if step == kernel.LAY:
        row[SWAP_ID] = kernel.may_swap(state, rules)
    elif step == kernel.PLACE:
        for number in range(BALL_IDS, SWAP_ID):
            row[number] = U(ACTIONS[number] - kernel.BALL) != rules[kernel.MOVED_FROM]
    else:
        rest = kernel.offers(state, signed(state[kernel.TURN]))
        while rest != ZERO:
            first = IDS[kernel.TANE + 4 * lowest(rest)]
            for direction in range(4):
                row[first + direction] = True
            rest = drop_lowest(rest)
        row[KEEP_ID] = True


@no_refcount
def is_legal(state: Words, rules: Words, number: int) -> bool:
    """Return whether an id is that of a legal action."""
    count = TANE_IDS + 4 * len(AREAS) if rules[kernel.VARIANT] == U(kernel.MASTER) else SWAP_ID + 1
    if number < 0 or number >= count:
        return False
    action, step = ACTIONS[number], signed(state[kernel.STEP])
    if step == kernel.LAY:
        if number < BALL_IDS:
            return has_bit(kernel.empty_cells(state), action)
        return action == kernel.SWAP and kernel.may_swap(state, rules)
    if step == kernel.PLACE:
        return BALL_IDS <= number < SWAP_ID and U(action - kernel.BALL) != rules[kernel.MOVED_FROM]
    return action == kernel.KEEP or (
        number >= TANE_IDS and has_bit(kernel.offers(state, signed(state[kernel.TURN])), (action - kernel.TANE) >> 2)
    )


@no_refcount
def begin_game(state: Words, rules: Words, stream: np.uint64) -> np.uint64:
    """Set a state to the initial one."""
    for word in range(kernel.STATE_WORDS):
        state[word] = ZERO  # the step PLACE among them
    state[kernel.BALL_AT], state[kernel.TURN] = U(kernel.NOWHERE), rules[kernel.STARTER]
    return stream


@inlined
def acting(state: Words) -> int:
    """Return the seat that is to act."""
    return signed(state[kernel.TURN])


@inlined
def act(state: Words, rules: Words, number: int, stream: np.uint64) -> np.uint64:
    """Take the action of an id."""
    kernel.apply(state, rules, ACTIONS[number])
    return stream


@inlined
def ending(state: Words, rules: Words) -> int:
    """Return whether a game is running or over."""
    return GAME_OVER if state[kernel.STEP] == U(kernel.OVER) else GOES_ON


@no_refcount
def write_rewards(state: Words, rules: Words, rewards: Rewards) -> None:
    """Write what a game that is over was worth to each seat."""
    winner = outcome_winner(signed(state[kernel.LAST]))
    if winner != kernel.NOBODY:
        rewards[winner], rewards[1 - winner] = 1.0, -1.0


LOOPS: Final = lane_loops(sys.modules[__name__])


def moeraki_lanes(encoding: MoerakiEncoding) -> Lanes:
    """Return the kernel of a batch for the options of a game."""
    rules = kernel_rules(encoding.game)
    return Lanes(LOOPS, rules, np.zeros(kernel.STATE_WORDS, np.uint64), partial(kernel_state, encoding.game))
