"""Many games of Moeraki-Kemu at once: ids, masks and observations of games/moeraki/encoding.py on the kernel."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.core.game import Seat
from kemu.engines.batch import LEFT_ALONE, Buffers, Bytes, Flags, Numbers, flat
from kemu.engines.compiled import ZERO, bit, borrowing, compiled, drop_lowest, has_bit, inlined, lowest, signed
from kemu.engines.moeraki.kernel import (
    ASK_MOVER,
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
    barred,
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

HOLLOW_CELLS: Final = _table(64, {bit: cell(point) for bit, point in zip(HOLLOW_BIT, HOLLOWS, strict=True)})
AREA_CELLS: Final = _table(64, {bit: cell(point) for bit, point in zip(AREA_BIT, AREAS, strict=True)})
"""The cell of a plane for each bit of a board."""


@inlined
def mark(row: Bytes, plane: int, word: np.uint64, cells: Numbers, value: int) -> None:
    """Writes a value into the cells of a plane whose bits are set."""
    while word != ZERO:
        row[plane * CELLS + cells[lowest(word)]] = value
        word = drop_lowest(word)


@inlined
def fill(row: Bytes, plane: int, value: int) -> None:
    """Writes a value into all cells of a plane."""
    for number in range(plane * CELLS, (plane + 1) * CELLS):
        row[number] = value


@borrowing
def lying_tiles(state: Words, tribe: int, ball: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The areas with a tile of a tribe and those with a full one, without tiles that wait for an answer."""
    occupied = state[STONES] | state[STONES + 1] | ball
    laid = completed(occupied) & ~barred(state[TANES], state[TANES + 1])
    step, turn = signed(state[STEP]), signed(state[TURN])
    if step not in (PLACE, LAY, OVER) and (step == ASK_MOVER or turn == tribe):
        laid &= ~AROUND[signed(state[LAST])]
    major, full = majorities(state[STONES + tribe], ball)
    return major & laid, full & laid


@borrowing
def observe_tanes(state: Words, seat: int, row: Bytes) -> None:
    """Writes the planes of the Tane and of the question for it."""
    for plane in range(2):
        own, other = state[TANES + (seat ^ plane)], state[TANES + (seat ^ plane ^ 1)]
        if own != ZERO:
            mark(row, 7 + plane, bit(tane_area(own)), AREA_CELLS, 1)
            mark(row, 9 + plane, visible_areas(own, other), AREA_CELLS, 1)
    step = signed(state[STEP])
    if step not in (PLACE, LAY, OVER):
        mark(row, 11, bit(state[LAST]), HOLLOW_CELLS, 1)
        mark(row, 12, offers(state, signed(state[TURN])), AREA_CELLS, 1)


@borrowing
def observe(state: Words, rules: Words, seat: int, row: Bytes) -> None:
    """Writes what a seat sees."""
    for number in range(row.shape[0]):
        row[number] = 0
    for plane in range(2):
        mark(row, plane, state[STONES + (seat ^ plane)], HOLLOW_CELLS, 1)
    ball = bit(state[BALL_AT]) if state[BALL_AT] < U(NOWHERE) else ZERO
    mark(row, 2, ball, HOLLOW_CELLS, 1)
    fill(row, 3, 1 if signed(rules[STARTER]) == seat else 0)
    fill(row, 4, 1 if signed(state[TURN]) == seat else 0)
    if rules[VARIANT] == U(BEGINNER) or ball == ZERO:
        return
    for plane in range(2):
        major, full = lying_tiles(state, seat ^ plane, ball)
        mark(row, 5 + plane, major, AREA_CELLS, 1)
        mark(row, 5 + plane, full, AREA_CELLS, 2)
    if rules[VARIANT] == U(MASTER):
        observe_tanes(state, seat, row)


@borrowing
def mask(state: Words, rules: Words, row: Flags) -> None:
    """Writes the legal actions."""
    for number in range(row.shape[0]):
        row[number] = False
    step = signed(state[STEP])
    if step == LAY:
        rest = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT]))
        while rest != ZERO:
            row[IDS[lowest(rest)]] = True
            rest = drop_lowest(rest)
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


@borrowing
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
