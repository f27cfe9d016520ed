"""Who acts and what is legal in a state of the kernel, and what can be read off the columns of a seat."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ONE, borrowing, lowest
from kemu.engines.mauw.layout import (
    ANSWER,
    AT_PUT,
    AT_TURN,
    ATTACKS,
    CARDS,
    CHANCE,
    COLUMNS,
    DEFEND,
    DISCARD,
    FACE,
    GIVE,
    GIVE_IN,
    HELD,
    KINDS,
    NOBODY,
    OVER,
    PILE,
    PLACE,
    PLACES,
    PLAYERS,
    PRESS,
    PUT,
    STEP,
    TURN,
    Numbers,
    first_place,
    owner_of,
    play_action,
)
from kemu.engines.mauw.tables import ACCEPTED, FULL, PLAYABLE, TAKES_GAIN, VALUE_OF, WORTHS
from kemu.games.mauw.state import MAUI
from kemu.games.mauw.turns import MOST_ATTACKS


@borrowing
def actor(state: Numbers) -> int:
    """Who acts: a seat, CHANCE, or NOBODY once the game is over."""
    step = state[STEP]
    if step in (AT_TURN, AT_PUT, PRESS):
        return int(state[TURN])
    if step == DEFEND:
        return owner_of(int(state[PLACE]))
    return NOBODY if step >= OVER else CHANCE


@borrowing
def hand_mask(state: Numbers) -> np.uint64:
    """The faces that the hand of the player whose turn it is can show, as bits."""
    return PLAYABLE[state[KINDS + state[TURN]]]


@borrowing
def accepted_mask(state: Numbers, place: int) -> np.uint64:
    """The faces that a place accepts from the player whose turn it is, whatever the hand, as bits."""
    return ACCEPTED[int(owner_of(place) == state[TURN]), state[COLUMNS + place]]


@borrowing
def list_plays(state: Numbers, actions: Numbers) -> int:
    """Writes the plays, or the discarding of the hand if there is none, and returns how many they are."""
    count = 0
    hand = hand_mask(state)
    for place in range(PLACES * state[PLAYERS]):
        rest = hand & accepted_mask(state, place)
        while rest:
            actions[count] = play_action(place, lowest(rest))
            count += 1
            rest &= rest - ONE
    if count == 0:
        actions[0] = DISCARD
        count = 1
    return count


@borrowing
def list_answers(state: Numbers, actions: Numbers) -> int:
    """Writes the answers in an attack, an identical card or a joker (R6) and giving in; returns how many they are."""
    count = 0
    held = HELD + CARDS * actor(state)
    if state[STEP] == DEFEND or state[ATTACKS] < MOST_ATTACKS:
        value = VALUE_OF[state[FACE]]
        if state[held + value]:
            actions[count] = ANSWER + value
            count += 1
        if state[held + MAUI]:
            actions[count] = ANSWER + MAUI
            count += 1
    actions[count] = GIVE_IN
    return count + 1


@borrowing
def legal(state: Numbers, actions: Numbers) -> int:
    """Writes the legal actions, the dealer's too, into an array and returns how many they are."""
    step = state[STEP]
    if step == AT_TURN:
        return list_plays(state, actions)
    if step in (DEFEND, PRESS):
        return list_answers(state, actions)
    count = 0
    if step == AT_PUT:
        for column in range(PLACES):
            if TAKES_GAIN[state[COLUMNS + first_place(state[TURN]) + column]]:
                actions[count] = PUT + column
                count += 1
    elif step < OVER:
        for card in range(CARDS):
            if state[PILE + card]:
                actions[count] = GIVE + card
                count += 1
    return count


@borrowing
def score(state: Numbers, seat: int) -> int:
    """The worth of all columns of a seat."""
    total = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        total += WORTHS[state[COLUMNS + place]]
    return total


@borrowing
def write_victory(state: Numbers, shares: NDArray[np.floating[Any]]) -> None:
    """Writes the share of the victory of each seat if the game ends now: all with the highest score share it (R9)."""
    best, winners = -1, 0
    for seat in range(state[PLAYERS]):
        points = score(state, seat)
        if points > best:
            best, winners = points, 0
        winners += points == best
    for seat in range(state[PLAYERS]):
        shares[seat] = 1.0 / winners if score(state, seat) == best else 0.0


@borrowing
def full_columns(state: Numbers, seat: int) -> int:
    """How many columns of a seat have three Mauw."""
    count = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        count += FULL[state[COLUMNS + place]]
    return count


@borrowing
def has_gain_column(state: Numbers, seat: int) -> bool:
    """Whether a gain finds a place in the zone of a seat."""
    count = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        count += TAKES_GAIN[state[COLUMNS + place]]
    return count > 0
