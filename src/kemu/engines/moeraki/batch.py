"""Many games of Moeraki-Kemu at once: ids, masks and observations of games/moeraki/encoding.py on the kernel."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.core.game import Seat
from kemu.engines.batch import LEFT_ALONE, Buffers, Bytes, Flags, Numbers, flat
from kemu.engines.bit_rows import NO_BIT, bit_writer
from kemu.engines.compiled import ONE, ZERO, bit, borrowing, compiled, drop_lowest, has_bit, inlined, lowest, signed
from kemu.engines.moeraki.kernel import (
    ASK_MOVER,
    ASK_OTHER,
    BALL,
    BALL_AT,
    BEGINNER,
    KEEP,
    LAST,
    LAY,
    MASTER,
    MOVED_FROM,
    NOBODY,
    NOWHERE,
    OVER,
    PLACE,
    STARTER,
    STATE_WORDS,
    STEP,
    STONES,
    SWAP,
    TANE,
    TANES,
    TURN,
    VARIANT,
    apply,
    closed_areas,
    completed,
    empty_hollows,
    majorities,
    may_swap,
    offers,
    visible_areas,
)
from kemu.engines.moeraki.packed import U, outcome_winner, tane_area
from kemu.engines.moeraki.tables import AREA_BIT, AROUND, HOLLOW_BIT, MOERAKI, Words
from kemu.engines.moeraki.translation import kernel_action, kernel_rules, kernel_state
from kemu.games.moeraki.board import AREAS, HOLLOWS
from kemu.games.moeraki.encoding import BALL_IDS, CELLS, KEEP_ID, SWAP_ID, TANE_IDS, MoerakiEncoding, cell
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

_ENCODING: Final = MoerakiEncoding(MoerakiKemu("master"))
ACTIONS: Final = np.array([kernel_action(action) for action in _ENCODING.actions(0)], np.int64)
"""The kernel's number of each action, by its id."""


def _table(size: int, numbers: dict[int, int]) -> Numbers:
    table = np.zeros(size, np.int64)
    table[list(numbers)] = list(numbers.values())
    return table


IDS: Final = _table(int(ACTIONS.max()) + 1, {int(action): number for number, action in enumerate(ACTIONS)})
"""The id of each action, by the kernel's number."""

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
    """Writes the planes of the tiles, without tiles that wait for an answer; `closed` are areas where none can lie."""
    laid = completed(state[STONES] | state[STONES + 1] | ball) & ~closed
    step = signed(state[STEP])
    waiting = AROUND[signed(state[LAST])] if step in (ASK_MOVER, ASK_OTHER) else ZERO
    for plane in range(2):
        tribe = seat ^ plane
        major, full = majorities(state[STONES + tribe], ball)
        lying = laid & ~(waiting if step == ASK_MOVER or signed(state[TURN]) == tribe else ZERO)
        write_areas(row, (5 + plane) * CELLS, major & lying, full & lying)


@inlined
def observe_tanes(state: Words, seat: int, seen_0: np.uint64, seen_1: np.uint64, row: Bytes) -> None:
    """Writes the planes of the Tane, given what each sees, and of the question for it."""
    if state[TANES] | state[TANES + 1] != ZERO:
        for plane in range(2):
            own = state[TANES + (seat ^ plane)]
            write_areas(row, (7 + plane) * CELLS, bit(tane_area(own)) if own != ZERO else ZERO, ZERO)
            write_areas(row, (9 + plane) * CELLS, seen_1 if seat ^ plane else seen_0, ZERO)
    else:
        for plane in range(7, 11):
            write_areas(row, plane * CELLS, ZERO, ZERO)
    step = signed(state[STEP])
    if step in (ASK_MOVER, ASK_OTHER):
        write_hollows(row, 11 * CELLS, bit(state[LAST]), ZERO)
        write_areas(row, 12 * CELLS, offers(state, signed(state[TURN])), ZERO)
    else:
        for plane in range(11, 13):
            write_areas(row, plane * CELLS, ZERO, ZERO)


@borrowing
def observe(state: Words, rules: Words, seat: int, row: Bytes) -> None:
    """Writes what a seat sees."""
    ball = bit(state[BALL_AT]) if state[BALL_AT] < U(NOWHERE) else ZERO
    for plane in range(2):
        write_hollows(row, plane * CELLS, state[STONES + (seat ^ plane)], ZERO)
    write_hollows(row, 2 * CELLS, ball, ZERO)
    write_everywhere(row, 3 * CELLS, ONE if signed(rules[STARTER]) == seat else ZERO, ZERO)
    write_everywhere(row, 4 * CELLS, ONE if signed(state[TURN]) == seat else ZERO, ZERO)
    if rules[VARIANT] == U(BEGINNER):
        return
    tane_0, tane_1 = state[TANES], state[TANES + 1]
    seen_0, seen_1 = visible_areas(tane_0, tane_1), visible_areas(tane_1, tane_0)
    observe_tiles(state, seat, ball, closed_areas(tane_0, tane_1, seen_0, seen_1), row)
    if rules[VARIANT] == U(MASTER):
        observe_tanes(state, seat, seen_0, seen_1, row)


@borrowing
def mask(state: Words, rules: Words, row: Flags) -> None:
    """Writes the legal actions."""
    step = signed(state[STEP])
    empty = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT])) if step == LAY else ZERO
    write_lays(row, 0, empty, ZERO)
    if row.shape[0] > KEEP_ID:
        write_no_tane(row, KEEP_ID, ZERO, ZERO)
    if step == LAY:
        row[SWAP_ID] = may_swap(state, rules)
    elif step == PLACE:
        for number in range(BALL_IDS, SWAP_ID):
            row[number] = U(ACTIONS[number] - BALL) != rules[MOVED_FROM]
    else:
        rest = offers(state, signed(state[TURN]))
        while rest != ZERO:
            first = IDS[TANE + 4 * lowest(rest)]
            for direction in range(4):
                row[first + direction] = True
            rest = drop_lowest(rest)
        row[KEEP_ID] = True


@borrowing
def is_legal(state: Words, rules: Words, number: int) -> bool:
    """Whether an id is that of a legal action."""
    count = TANE_IDS + 4 * len(AREAS) if rules[VARIANT] == U(MASTER) else SWAP_ID + 1
    if number < 0 or number >= count:
        return False
    action, step = ACTIONS[number], signed(state[STEP])
    if step == LAY:
        if number < BALL_IDS:
            return has_bit(empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT])), action)
        return action == SWAP and may_swap(state, rules)
    if step == PLACE:
        cell_bit = action - BALL
        return BALL_IDS <= number < SWAP_ID and U(cell_bit) != rules[MOVED_FROM] and has_bit(MOERAKI, cell_bit)
    return action == KEEP or (number >= TANE_IDS and has_bit(offers(state, signed(state[TURN])), (action - TANE) >> 2))


@borrowing
def begin_game(state: Words, rules: Words) -> None:
    """Sets a state to the initial one."""
    for word in range(STATE_WORDS):
        state[word] = ZERO
    state[BALL_AT], state[TURN], state[STEP] = U(NOWHERE), rules[STARTER], U(PLACE)


@inlined
def observe_lane(state: Words, rules: Words, lane: int, viewer: int, rows: Bytes, buffers: Buffers) -> None:
    """Writes observation, mask and seat of one lane; `rows` are the observations, flat."""
    seat = signed(state[TURN])
    buffers.seats[lane] = seat
    observe(state, rules, seat if viewer < 0 else viewer, rows[lane])
    mask(state, rules, buffers.masks[lane])


@borrowing
def end_game(state: Words, rewards: NDArray[np.float32]) -> None:
    """Writes what a game that is over was worth to each seat."""
    winner = outcome_winner(signed(state[LAST]))
    if winner != NOBODY:
        rewards[winner], rewards[1 - winner] = 1.0, -1.0


@compiled
def begin_lanes(states: Words, rules: Words) -> None:
    """Begins a game in every lane."""
    for lane in range(states.shape[0]):
        begin_game(states[lane], rules)


@compiled
def observe_lanes(states: Words, rules: Words, viewer: int, rows: Bytes, buffers: Buffers) -> None:
    """Writes observations, masks and seats of all lanes."""
    for lane in range(states.shape[0]):
        observe_lane(states[lane], rules, lane, viewer, rows, buffers)


@compiled
def first_illegal(states: Words, rules: Words, actions: Numbers) -> int:
    """The first lane whose action is not legal, -1 if there is none."""
    for lane in range(states.shape[0]):
        if actions[lane] != LEFT_ALONE and not is_legal(states[lane], rules, actions[lane]):
            return lane
    return -1


@compiled
def step_lanes(
    states: Words, rules: Words, actions: Numbers, viewer: int, rows: tuple[Bytes, Bytes], buffers: Buffers
) -> None:
    """Takes a legal action in every lane; `rows` are observations and finals, flat."""
    observations, finals = rows
    for lane in range(states.shape[0]):
        state = states[lane]
        buffers.terminated[lane] = False
        buffers.truncated[lane] = False
        buffers.rewards[lane, 0], buffers.rewards[lane, 1] = 0.0, 0.0
        seat = signed(state[TURN])
        if actions[lane] != LEFT_ALONE:
            apply(state, rules, ACTIONS[actions[lane]])
        if state[STEP] == U(OVER):
            end_game(state, buffers.rewards[lane])
            buffers.terminated[lane] = True
            observe(state, rules, seat if viewer < 0 else viewer, finals[lane])
            begin_game(state, rules)
        observe_lane(state, rules, lane, viewer, observations, buffers)


class MoerakiKernel:
    """Moeraki-Kemu with its options, for batches."""

    def __init__(self, encoding: MoerakiEncoding) -> None:
        self._game = encoding.game
        self._rules = kernel_rules(encoding.game)

    def new_states(self, lanes: int) -> tuple[Words]:
        """The words of the kernel's states."""
        return (np.zeros((lanes, STATE_WORDS), np.uint64),)

    def set_state(self, states: tuple[Words], lane: int, state: State) -> None:
        """Writes a state of the reference rules into a lane."""
        states[0][lane] = kernel_state(self._game, state)

    def begin(self, states: tuple[Words], streams: Words) -> None:
        """Begins a game in every lane."""
        begin_lanes(states[0], self._rules)

    def observe(self, states: tuple[Words], viewer: Seat, buffers: Buffers) -> None:
        """Writes observations, masks and seats of all lanes."""
        observe_lanes(states[0], self._rules, viewer, flat(buffers.observations), buffers)

    def step(self, states: tuple[Words], streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers) -> int:
        """Takes an action in every lane; returns the first lane whose action is not legal, or -1."""
        if (lane := first_illegal(states[0], self._rules, actions)) < 0:
            rows = flat(buffers.observations), flat(buffers.finals)
            step_lanes(states[0], self._rules, actions, viewer, rows, buffers)
        return lane
