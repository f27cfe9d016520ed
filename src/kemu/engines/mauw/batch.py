"""Many games of MAUW at once: ids, masks and observations of games/mauw/encoding.py on the kernel.

An observation is made of what its seat may know: no other hand, no card of the pile, and no face of a Mauw is read.
"""

import numpy as np
from numpy.typing import NDArray

from kemu.core.game import Seat
from kemu.engines.batch import LEFT_ALONE, Buffers, Bytes, Flags, Words
from kemu.engines.compiled import ONE, borrowing, compiled, has_bit, inlined, lowest
from kemu.engines.mauw.kernel import apply, begin
from kemu.engines.mauw.layout import (
    ACTION_COUNT,
    ANSWER,
    ANSWERED,
    AT_PUT,
    AT_TURN,
    ATTACKS,
    CARDS,
    CHANCE,
    COLUMNS,
    DEFEND,
    DISCARD,
    DISCARDS,
    FACE,
    GIVE_IN,
    HELD,
    OVER,
    PILED,
    PLACE,
    PLACES,
    PLAYERS,
    PRESS,
    PUT,
    SIZES,
    STATE_SIZE,
    STEP,
    TURN,
    TURNS,
    Numbers,
    first_place,
    kernel_state,
    mauw_of,
    owner_of,
    play_action,
    top_of,
)
from kemu.engines.mauw.layout import STEPS as KERNEL_STEPS
from kemu.engines.mauw.legal import accepted_mask, actor, hand_mask, list_answers, list_plays, write_victory
from kemu.engines.mauw.playouts import random_card
from kemu.engines.mauw.tables import TAKES_GAIN
from kemu.games.mauw.encoding import COLUMN_NUMBERS, PLAY_IDS, SHOWN, STEPS, MauwEncoding
from kemu.games.mauw.state import MAUI, NO_FACE, State

assert KERNEL_STEPS == STEPS

FACES = len(SHOWN)
STEP_COUNT = len(STEPS)


@inlined
def shown(face: int) -> int:
    """The number of a face in ids and observations."""
    return face - 1 if face > MAUI else face


@inlined
def turned(place: int, seat: int, players: int) -> int:
    """A place with its owner counted from a seat."""
    distance = owner_of(place) - seat
    return first_place(distance + players if distance < 0 else distance) + (place & (PLACES - 1))


@inlined
def kernel_action(number: int, seat: int, players: int) -> int:
    """The kernel's number of the action that has this id for a seat."""
    zones = PLAY_IDS * players
    if number >= zones:
        return PUT + number - zones
    place, face = number // FACES, number % FACES
    owner = owner_of(place) + seat
    owner = owner - players if owner >= players else owner
    return play_action(first_place(owner) + (place & (PLACES - 1)), face + 1 if face >= MAUI else face)


@borrowing
def observe_zones(state: Numbers, seat: int, row: Bytes, at: int) -> int:
    """Writes the columns of all zones from a place of the row on, and returns the place after them."""
    players = int(state[PLAYERS])
    for distance in range(players):
        owner = seat + distance if seat + distance < players else seat + distance - players
        for place in range(first_place(owner), first_place(owner) + PLACES):
            column = state[COLUMNS + place]
            row[at] = mauw_of(column)
            if top_of(column) != NO_FACE:
                row[at + 1 + shown(top_of(column))] = 1
            at += COLUMN_NUMBERS
    return at


@borrowing
def observe_step(state: Numbers, seat: int, row: Bytes, at: int) -> None:
    """Writes where inside a turn, or at which end, the game is."""
    row[at + state[STEP]] = 1
    at += STEP_COUNT
    if state[FACE] != NO_FACE:
        row[at + shown(state[FACE])] = 1
    at += FACES
    if state[PLACE] != NO_FACE:
        row[at + turned(int(state[PLACE]), seat, int(state[PLAYERS]))] = 1
    at += PLACES * int(state[PLAYERS])
    row[at] = state[ATTACKS]
    if state[ANSWERED] != NO_FACE:
        row[at + 1 + state[ANSWERED]] = 1


@borrowing
def observe(state: Numbers, seat: int, row: Bytes) -> None:
    """Writes what a seat sees."""
    for number in range(row.shape[0]):
        row[number] = 0
    players, acting = int(state[PLAYERS]), actor(state)
    for card in range(CARDS):
        row[card] = state[HELD + CARDS * seat + card]
    for distance in range(players):
        other = seat + distance if seat + distance < players else seat + distance - players
        row[CARDS + distance] = state[SIZES + other]
    at = observe_zones(state, seat, row, CARDS + players)
    for card in range(CARDS):
        row[at + card] = state[DISCARDS + card]
    row[at + CARDS] = state[PILED]
    at += CARDS + 1
    row[at + owner_of(turned(first_place(int(state[TURN])), seat, players))] = 1
    if acting >= 0:
        row[at + players + owner_of(turned(first_place(acting), seat, players))] = 1
    row[at + 2 * players] = state[TURNS] >> 1
    observe_step(state, seat, row, at + 2 * players + 1)


@borrowing
def mask(state: Numbers, row: Flags, answers: Numbers) -> None:
    """Writes the legal actions of the seat that acts; `answers` is a buffer."""
    for number in range(row.shape[0]):
        row[number] = False
    players, step = int(state[PLAYERS]), state[STEP]
    rest_ids = PLAY_IDS * players - PUT
    if step == AT_TURN:
        hand, found = hand_mask(state), False
        for place in range(PLACES * players):
            faces = hand & accepted_mask(state, place)
            first = FACES * turned(place, int(state[TURN]), players)
            while faces:
                row[first + shown(lowest(faces))] = True
                faces &= faces - ONE
                found = True
        row[rest_ids + DISCARD] = not found
    elif step == AT_PUT:
        for column in range(PLACES):
            row[rest_ids + PUT + column] = TAKES_GAIN[state[COLUMNS + first_place(int(state[TURN])) + column]]
    else:
        for number in range(list_answers(state, answers)):
            row[rest_ids + answers[number]] = True


@borrowing
def is_legal(state: Numbers, number: int, answers: Numbers) -> bool:
    """Whether an id is that of a legal action of the seat that acts; `answers` is a buffer."""
    players, step = int(state[PLAYERS]), state[STEP]
    if number < 0 or number >= PLAY_IDS * players + DISCARD + 1 - PUT:
        return False
    action = kernel_action(number, int(state[TURN]), players)
    if step == AT_TURN:
        if action < PUT:
            return has_bit(hand_mask(state) & accepted_mask(state, action >> 5), action & 31)
        return action == DISCARD and list_plays(state, answers) == 1 and answers[0] == DISCARD
    if step == AT_PUT:
        column = action - PUT
        return 0 <= column < PLACES and TAKES_GAIN[state[COLUMNS + first_place(int(state[TURN])) + column]]
    assert step in (DEFEND, PRESS)
    for place in range(list_answers(state, answers)):
        if answers[place] == action:
            return ANSWER <= action <= GIVE_IN
    return False


@borrowing
def deal(state: Numbers, stream: np.uint64) -> np.uint64:
    """Lets the dealer act for as long as it is its turn; returns the stream."""
    while actor(state) == CHANCE:
        action, stream = random_card(state, stream)
        apply(state, action)
    return stream


@borrowing
def end_game(state: Numbers, rewards: NDArray[np.float32]) -> None:
    """Writes what a game that is over was worth to each seat, 1 for the victory and 0 on average."""
    players = int(state[PLAYERS])
    write_victory(state, rewards)
    for seat in range(players):
        rewards[seat] = (players * rewards[seat] - 1.0) / (players - 1)


@borrowing
def observe_lane(state: Numbers, lane: int, viewer: int, answers: Numbers, buffers: Buffers) -> None:
    """Writes observation, mask and seat of one lane; `answers` is a buffer."""
    seat = actor(state)
    buffers.seats[lane] = seat
    observe(state, seat if viewer < 0 else viewer, buffers.observations[lane])
    mask(state, buffers.masks[lane], answers)


@compiled
def begin_lanes(states: Numbers, players: int, streams: Words) -> None:
    """Deals a game in every lane."""
    for lane in range(states.shape[0]):
        begin(states[lane], players)
        streams[lane] = deal(states[lane], streams[lane])


@compiled
def observe_lanes(states: Numbers, viewer: int, buffers: Buffers) -> None:
    """Writes observations, masks and seats of all lanes."""
    answers = np.empty(ACTION_COUNT, np.int64)
    for lane in range(states.shape[0]):
        observe_lane(states[lane], lane, viewer, answers, buffers)


@compiled
def first_illegal(states: Numbers, actions: Numbers) -> int:
    """The first lane whose action is not legal, -1 if there is none."""
    answers = np.empty(ACTION_COUNT, np.int64)
    for lane in range(states.shape[0]):
        if actions[lane] != LEFT_ALONE and not is_legal(states[lane], actions[lane], answers):
            return lane
    return -1


@compiled
def step_lanes(states: Numbers, streams: Words, actions: Numbers, viewer: int, buffers: Buffers) -> None:
    """Takes a legal action in every lane, and then those of the dealer."""
    answers = np.empty(ACTION_COUNT, np.int64)
    for lane in range(states.shape[0]):
        state = states[lane]
        players, seat = int(state[PLAYERS]), actor(state)
        buffers.terminated[lane] = False
        buffers.truncated[lane] = False
        for each in range(players):
            buffers.rewards[lane, each] = 0.0
        if actions[lane] != LEFT_ALONE:
            apply(state, kernel_action(actions[lane], int(state[TURN]), players))
            streams[lane] = deal(state, streams[lane])
        if state[STEP] >= OVER:
            end_game(state, buffers.rewards[lane])
            buffers.terminated[lane] = True
            observe(state, seat if viewer < 0 else viewer, buffers.finals[lane])
            begin(state, players)
            streams[lane] = deal(state, streams[lane])
        observe_lane(state, lane, viewer, answers, buffers)


class MauwKernel:
    """MAUW for so many players, for batches."""

    def __init__(self, encoding: MauwEncoding) -> None:
        self._players = encoding.game.players

    def new_states(self, lanes: int) -> tuple[Numbers]:
        """The numbers of the kernel's states."""
        return (np.zeros((lanes, STATE_SIZE), np.int64),)

    def set_state(self, states: tuple[Numbers], lane: int, state: State) -> None:
        """Writes a state of the reference rules into a lane."""
        states[0][lane] = kernel_state(state)

    def begin(self, states: tuple[Numbers], streams: Words) -> None:
        """Deals a game in every lane."""
        begin_lanes(states[0], self._players, streams)

    def observe(self, states: tuple[Numbers], viewer: Seat, buffers: Buffers) -> None:
        """Writes observations, masks and seats of all lanes."""
        observe_lanes(states[0], viewer, buffers)

    def step(self, states: tuple[Numbers], streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers) -> int:
        """Takes an action in every lane; returns the first lane whose action is not legal, or -1."""
        if (lane := first_illegal(states[0], actions)) < 0:
            step_lanes(states[0], streams, actions, viewer, buffers)
        return lane
