"""What an action gains at once, as a quick guide for playouts and for the tree: by how much scores change.

Gains are in points of the score, seen by whoever acts: the own change less the change of the enemy concerned. An
attack counts as if it were not answered, a gain as if it were put where it is worth most.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ONE, borrowing, lowest
from kemu.engines.mauw.kernel import full_columns, list_answers, plays, score
from kemu.engines.mauw.layout import (
    ANSWER,
    AT_PUT,
    AT_TURN,
    COLUMNS,
    DISCARD,
    FACE,
    FACES,
    GIVE_IN,
    PLACES,
    PLAYERS,
    PUT,
    STEP,
    TURN,
)
from kemu.engines.mauw.tables import CODES, TAKES_GAIN, TOPS, VALUE_OF, WORTHS, Numbers, column
from kemu.games.mauw.cards import MAUI, NINE, NOTHING
from kemu.games.mauw.state import Column
from kemu.games.mauw.zones import FULL_COLUMNS, MOST_MAUW, worth

Gains = NDArray[np.float64]

JOKER_COST: Final = 8.0
"""What a joker is worth in the hand, in points."""

DECISIVE: Final = 400.0
"""More than any gain: the third full column ends the game, well for the leader and badly for anybody else."""

NO_PLACE: Final = -1000
"""Less than any gain that is put down."""

DEFENCE: Final = 20.0
"""What it gains to answer in an attack: simply much."""


def _placed() -> Numbers:
    """What a gain with this value on it, 9 for a bare Mauw, adds to a column with so many Mauw and no top."""
    table = np.zeros((NINE + 1, MOST_MAUW), np.int64)
    for value in range(1, NINE + 1):
        for mauw in range(MOST_MAUW):
            top = NOTHING if value == NINE else value
            table[value, mauw] = worth(Column(mauw + 1, top)) - worth(Column(mauw))
    return table


def _bared() -> Numbers:
    """What a column gains when its top leaves."""
    return np.array([worth(Column(column(number).mauw)) - WORTHS[number] for number in range(CODES)], np.int64)


PLACED: Final = _placed()
BARED: Final = _bared()


@borrowing
def best_place(state: Numbers, seat: int, value: int, least: int) -> int:
    """The most that a gain with this value on it adds to a zone, or `least` if that is more."""
    best = least
    for place in range(PLACES * seat, PLACES * seat + PLACES):
        lying = state[COLUMNS + place]
        if TAKES_GAIN[lying]:
            best = max(best, PLACED[value, lying // TOPS])
    return best


@borrowing
def associated(state: Numbers, seat: int, own: bool, lying: int, face: int) -> int:
    """What the association of a face with the top of a column adds to the player's own score."""
    top = (lying & (TOPS - 1)) - 1
    alike = VALUE_OF[top] == VALUE_OF[face]
    value = VALUE_OF[face] if alike else NINE
    mauw = lying // TOPS
    least = PLACED[value, mauw] if own and mauw < MOST_MAUW else NO_PLACE
    best = best_place(state, seat, value, least)
    return 0 if best == NO_PLACE else best


@borrowing
def play_gain(state: Numbers, place: int, face: int) -> float:
    """What a play gains at once."""
    seat = state[TURN]
    own = place >> 2 == seat
    lying = state[COLUMNS + place]
    top = (lying & (TOPS - 1)) - 1
    cost = JOKER_COST if face > MAUI else 0.0
    change = WORTHS[lying + VALUE_OF[face] + 1] - WORTHS[lying] if top == NOTHING else BARED[lying]
    gain = change if own else -change
    if top != NOTHING and VALUE_OF[top] != 0:
        gain += associated(state, seat, own, lying, face)
    return gain - cost


@borrowing
def put_gain(state: Numbers, column: int) -> float:
    """What putting the gain on a column gains at once."""
    seat = state[TURN]
    lying = state[COLUMNS + PLACES * seat + column]
    mauw = lying // TOPS
    face = state[FACE]
    gain = float(PLACED[NINE if face == NOTHING else VALUE_OF[face], mauw])
    if mauw == MOST_MAUW - 1 and full_columns(state, seat) == FULL_COLUMNS - 1:
        mine = score(state, seat) + gain
        for other in range(state[PLAYERS]):
            if other != seat and score(state, other) > mine:
                return gain - DECISIVE
        return gain + DECISIVE
    return gain


@borrowing
def list_gains(state: Numbers, actions: Numbers, gains: Gains) -> int:
    """Writes the actions of the seat that acts with their gains; of columns that are alike only the first."""
    count = 0
    step = state[STEP]
    if step == AT_TURN:
        for place in range(PLACES * state[PLAYERS]):
            rest = np.uint64(0) if is_repeated(state, place) else plays(state, place)
            while rest:
                face = lowest(rest)
                actions[count] = FACES * place + face
                gains[count] = play_gain(state, place, face)
                count += 1
                rest &= rest - ONE
        if count == 0:
            actions[0] = DISCARD
            gains[0] = 0.0
            count = 1
    elif step == AT_PUT:
        first = PLACES * state[TURN]
        for place in range(first, first + PLACES):
            if TAKES_GAIN[state[COLUMNS + place]] and not is_repeated(state, place):
                actions[count] = PUT + place - first
                gains[count] = put_gain(state, place - first)
                count += 1
    else:
        count = list_answers(state, actions)
        for at in range(count):
            gains[at] = 0.0 if actions[at] == GIVE_IN else DEFENCE
            if actions[at] == ANSWER + MAUI:
                gains[at] -= JOKER_COST
    return count


@borrowing
def is_repeated(state: Numbers, place: int) -> bool:
    """Whether a column before this one in the same zone is just the same."""
    alike = 0
    for other in range(place & ~3, place):
        alike += state[COLUMNS + other] == state[COLUMNS + place]
    return alike > 0
