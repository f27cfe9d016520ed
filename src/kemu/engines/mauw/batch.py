"""Many games of MAUW at once: ids, masks and observations of games/mauw/encoding.py on the kernel.

An observation is made of what its seat may know: no other hand, no card of the pile, and no face of a Mauw is read.
"""

import sys
from typing import Final, NamedTuple

import numpy as np

from kemu.engines.batch import GOES_ON, Bytes, Flags, Lanes, Rewards, lane_loops
from kemu.engines.batch import OVER as GAME_OVER
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.mauw import kernel, layout
from kemu.engines.mauw.layout import Numbers, first_place, kernel_state, mauw_of, owner_of, play_action, top_of
from kemu.engines.mauw.policy import random_card
from kemu.engines.words import ONE, has_bit, lowest
from kemu.games.mauw.encoding import COLUMN_NUMBERS, PLAY_IDS, SHOWN, STEPS, MauwEncoding
from kemu.games.mauw.state import MAUI, NO_FACE

FACES = len(SHOWN)
STEP_COUNT = len(STEPS)


class Rules(NamedTuple):
    """The number of players, and memory for the actions of one state."""

    players: int
    answers: Numbers


@inlined
def shown(face: int) -> int:
    """The number of a face in ids and observations."""
    return face - 1 if face > MAUI else face


@inlined
def turned(place: int, seat: int, players: int) -> int:
    """A place with its owner counted from a seat."""
    distance = owner_of(place) - seat
    return first_place(distance + players if distance < 0 else distance) + (place & (layout.PLACES - 1))


@inlined
def kernel_action(number: int, seat: int, players: int) -> int:
    """The kernel's number of the action that has this id for a seat."""
    zones = PLAY_IDS * players
    if number >= zones:
        return layout.PUT + number - zones
    place, face = number // FACES, number % FACES
    owner = owner_of(place) + seat
    owner = owner - players if owner >= players else owner
    return play_action(first_place(owner) + (place & (layout.PLACES - 1)), face + 1 if face >= MAUI else face)


@no_refcount
def observe_zones(state: Numbers, seat: int, row: Bytes, at: int) -> int:
    """Writes the columns of all zones from a place of the row on, and returns the place after them."""
    players = int(state[layout.PLAYERS])
    for distance in range(players):
        owner = seat + distance if seat + distance < players else seat + distance - players
        for place in range(first_place(owner), first_place(owner) + layout.PLACES):
            column = state[layout.COLUMNS + place]
            row[at] = mauw_of(column)
            if top_of(column) != NO_FACE:
                row[at + 1 + shown(top_of(column))] = 1
            at += COLUMN_NUMBERS
    return at


@no_refcount
def observe_step(state: Numbers, seat: int, row: Bytes, at: int) -> None:
    """Writes where inside a turn, or at which end, the game is."""
    row[at + state[layout.STEP]] = 1
    at += STEP_COUNT
    if state[layout.FACE] != NO_FACE:
        row[at + shown(state[layout.FACE])] = 1
    at += FACES
    if state[layout.PLACE] != NO_FACE:
        row[at + turned(int(state[layout.PLACE]), seat, int(state[layout.PLAYERS]))] = 1
    at += layout.PLACES * int(state[layout.PLAYERS])
    row[at] = state[layout.ATTACKS]
    if state[layout.ANSWERED] != NO_FACE:
        row[at + 1 + state[layout.ANSWERED]] = 1


@no_refcount
def observe(state: Numbers, rules: Rules, seat: int, row: Bytes) -> None:
    """Writes what a seat sees."""
    for number in range(row.shape[0]):
        row[number] = 0
    players, acting = int(state[layout.PLAYERS]), kernel.actor(state)
    for card in range(layout.CARDS):
        row[card] = state[layout.HELD + layout.CARDS * seat + card]
    for distance in range(players):
        other = seat + distance if seat + distance < players else seat + distance - players
        row[layout.CARDS + distance] = state[layout.SIZES + other]
    at = observe_zones(state, seat, row, layout.CARDS + players)
    for card in range(layout.CARDS):
        row[at + card] = state[layout.DISCARDS + card]
    row[at + layout.CARDS] = state[layout.PILED]
    at += layout.CARDS + 1
    row[at + owner_of(turned(first_place(int(state[layout.TURN])), seat, players))] = 1
    if acting >= 0:
        row[at + players + owner_of(turned(first_place(acting), seat, players))] = 1
    row[at + 2 * players] = state[layout.TURNS] >> 1
    observe_step(state, seat, row, at + 2 * players + 1)


@inlined
def mask(state: Numbers, rules: Rules, row: Flags) -> None:
    """Writes the legal actions of the seat that acts."""
    for number in range(row.shape[0]):
        row[number] = False
    players, step = int(state[layout.PLAYERS]), state[layout.STEP]
    rest_ids = PLAY_IDS * players - layout.PUT
    if step == layout.AT_TURN:
        hand, found = kernel.hand_mask(state), False
        for place in range(layout.PLACES * players):
            faces = hand & kernel.accepted_mask(state, place)
            first = FACES * turned(place, int(state[layout.TURN]), players)
            while faces:
                row[first + shown(lowest(faces))] = True
                faces &= faces - ONE
                found = True
        row[rest_ids + layout.DISCARD] = not found
    elif step == layout.AT_PUT:
        for column in range(layout.PLACES):
            row[rest_ids + layout.PUT + column] = layout.TAKES_GAIN[
                state[layout.COLUMNS + first_place(int(state[layout.TURN])) + column]
            ]
    else:
        for number in range(kernel.list_answers(state, rules.answers)):
            row[rest_ids + rules.answers[number]] = True


@no_refcount
def is_legal(state: Numbers, rules: Rules, number: int) -> bool:
    """Whether an id is that of a legal action of the seat that acts."""
    players, step, answers = int(state[layout.PLAYERS]), state[layout.STEP], rules.answers
    if number < 0 or number >= PLAY_IDS * players + layout.DISCARD + 1 - layout.PUT:
        return False
    action = kernel_action(number, int(state[layout.TURN]), players)
    if step == layout.AT_TURN:
        if action < layout.PUT:
            return has_bit(kernel.hand_mask(state) & kernel.accepted_mask(state, action >> 5), action & 31)
        return (
            action == layout.DISCARD and kernel.list_plays(state, answers, False) == 1 and answers[0] == layout.DISCARD
        )
    if step == layout.AT_PUT:
        column = action - layout.PUT
        return (
            0 <= column < layout.PLACES
            and layout.TAKES_GAIN[state[layout.COLUMNS + first_place(int(state[layout.TURN])) + column]]
        )
    assert step in (layout.DEFEND, layout.PRESS)
    for place in range(kernel.list_answers(state, answers)):
        if answers[place] == action:
            return layout.ANSWER <= action <= layout.GIVE_IN
    return False


@no_refcount
def deal(state: Numbers, stream: np.uint64) -> np.uint64:
    """Lets the dealer act for as long as it is its turn; returns the stream."""
    while kernel.actor(state) == layout.CHANCE:
        action, stream = random_card(state, stream)
        kernel.apply(state, action)
    return stream


@no_refcount
def begin_game(state: Numbers, rules: Rules, stream: np.uint64) -> np.uint64:
    """Deals a game."""
    kernel.begin(state, rules.players)
    return deal(state, stream)


acting: Final = kernel.actor


@inlined
def act(state: Numbers, rules: Rules, number: int, stream: np.uint64) -> np.uint64:
    """Takes the action of an id, and those of the dealer after it."""
    kernel.apply(state, kernel_action(number, int(state[layout.TURN]), rules.players))
    return deal(state, stream)


@inlined
def ending(state: Numbers, rules: Rules) -> int:
    """Return whether a game is running or over."""
    return GOES_ON if state[layout.STEP] < layout.OVER else GAME_OVER


@no_refcount
def write_rewards(state: Numbers, rules: Rules, rewards: Rewards) -> None:
    """Writes what a game that is over was worth to each seat, 1 for the victory and 0 on average."""
    kernel.write_victory(state, rewards)
    for seat in range(rules.players):
        rewards[seat] = (rules.players * rewards[seat] - 1.0) / (rules.players - 1)


LOOPS: Final = lane_loops(sys.modules[__name__])


def mauw_lanes(encoding: MauwEncoding) -> Lanes:
    """Return the kernel of a batch for this number of players."""
    rules = Rules(encoding.game.players, np.empty(layout.ACTION_COUNT, np.int64))
    return Lanes(LOOPS, rules, np.zeros(layout.STATE_SIZE, np.int64), kernel_state)
