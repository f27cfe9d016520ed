"""The integers of the kernel: how states, columns and actions of MAUW are written as numbers, and tables of them.

State: one int64 array of STATE_SIZE numbers.
    HELD + 10 × seat + card    how many of this card the seat holds
    SIZES + seat               how many cards the seat holds
    KINDS + seat               which cards the seat holds: bit n for card n
    COLUMNS + place            the column on a place, packed as below
    PILE + card, PILED         the pile: how many of each card, and how many in all
    DISCARDS + card, DISCARDED the discard pile, likewise
    PLAYERS, TURN, TURNS, and STEP … ANSWERED for the step, as in the reference rules

Place: 4 × owner + column, so that `owner_of(place)` is place >> 2.

Column: bits 0-4 hold the face on top + 1, 0 if there is none; bits 5 and 6 the number of Mauw. An empty place is 0.

Mask of faces: a uint64 with bit n for face n. The legal mask of a place is the mask of the hand and that of the place.

Action: play_action(place, face) = 32 × place + face; then PUT + column, ANSWER + card, GIVE_IN, DISCARD, and
GIVE + card for the dealer's draws and Mauw alike, which the step tells apart.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import inlined_early, no_refcount
from kemu.games.mauw import actions
from kemu.games.mauw import state as rules
from kemu.games.mauw.encoding import STEPS
from kemu.games.mauw.state import MAUI, MOST_MAUW, NINE, NO_FACE, Column, State, worth

Numbers = NDArray[np.int64]
Masks = NDArray[np.uint64]
Reals = NDArray[np.float64]

MOST_PLAYERS: Final = max(rules.LEFT_OUT)
PLACES: Final = len(rules.LETTERS)
CARDS: Final = len(rules.CARD_NAMES)

# States

HELD: Final = 0
SIZES: Final = HELD + MOST_PLAYERS * CARDS
KINDS: Final = SIZES + MOST_PLAYERS
COLUMNS: Final = KINDS + MOST_PLAYERS
PILE: Final = COLUMNS + MOST_PLAYERS * PLACES
PILED: Final = PILE + CARDS
DISCARDS: Final = PILED + 1
DISCARDED: Final = DISCARDS + CARDS
PLAYERS, TURN, TURNS, STEP, FACE, PLACE, ATTACKS, ANSWERED, STATE_SIZE = range(DISCARDED + 1, DISCARDED + 10)

AT_TURN, DEAL, DRAW, DEFEND, PARRY, PRESS, TAKE, AT_PUT, REFILL, THREE_COLUMNS, NO_CARDS, LIMIT = range(len(STEPS))
"""The steps of the reference rules, in the order of STEPS."""

OVER: Final = THREE_COLUMNS  # and all above

CHANCE: Final = -1
NOBODY: Final = -2

# Actions

FACE_BITS: Final = 5
PUT: Final = MOST_PLAYERS * PLACES << FACE_BITS
ANSWER: Final = PUT + PLACES
GIVE_IN: Final = ANSWER + CARDS
DISCARD: Final = GIVE_IN + 1
GIVE: Final = DISCARD + 1
ACTION_COUNT: Final = GIVE + CARDS


# Packed bits


@inlined_early
def owner_of(place: int) -> int:
    """The seat whose zone a place belongs to."""
    return place >> 2


@inlined_early
def first_place(seat: int) -> int:
    """The first of the four places of a seat."""
    return seat << 2


@inlined_early
def top_of(column: int) -> int:
    """The face on top of a packed column, NO_FACE if there is none."""
    return (column & 31) - 1


@inlined_early
def mauw_of(column: int) -> int:
    """The number of Mauw in a packed column."""
    return column >> FACE_BITS


@inlined_early
def play_action(place: int, face: int) -> int:
    """The action that plays a face on a place."""
    return (place << FACE_BITS) + face


@inlined_early
def played_place(action: int) -> int:
    """The place on which an action plays a card."""
    return action >> FACE_BITS


@inlined_early
def played_face(action: int) -> int:
    """The face that an action plays."""
    return action & 31


def pack_column(column: Column) -> int:
    """A column of the reference rules as one number."""
    return (column.mauw << FACE_BITS) + column.top + 1


ONE_MAUW: Final = 1 << FACE_BITS
"""Increment of a packed column for one more Mauw."""

# From and to the reference rules


def kernel_state(state: State) -> Numbers:
    """A state of the reference rules as the kernel holds it."""
    numbers = np.zeros(STATE_SIZE, np.int64)
    for seat, hand in enumerate(state.hands):
        numbers[SIZES + seat] = len(hand)
        for card in hand:
            numbers[HELD + CARDS * seat + card] += 1
            numbers[KINDS + seat] |= 1 << card
        for number, column in enumerate(state.zones[seat]):
            numbers[COLUMNS + PLACES * seat + number] = pack_column(column)
    numbers[PILE : PILE + CARDS], numbers[PILED] = state.pile, sum(state.pile)
    numbers[DISCARDS : DISCARDS + CARDS], numbers[DISCARDED] = state.discards, sum(state.discards)
    numbers[PLAYERS], numbers[TURN], numbers[TURNS] = len(state.hands), state.turn, state.turns
    step = state.step
    numbers[STEP], numbers[FACE] = STEPS.index(step.name), step.face
    numbers[PLACE] = NO_FACE if step.owner < 0 else PLACES * step.owner + step.column
    numbers[ATTACKS], numbers[ANSWERED] = step.attacks, step.answer
    return numbers


def rules_action(number: int, take: bool = False) -> actions.Action:
    """Return the action that the kernel gives this number; `take` says whether a card of the dealer is a Mauw."""
    if number < PUT:
        # Not by the compiled helpers: each process would compile them anew to call them from Python.
        place, face = divmod(number, 1 << FACE_BITS)
        return actions.PLAYS[place // PLACES][place % PLACES][face]
    if number < ANSWER:
        return actions.PLACEMENTS[number - PUT]
    if number < GIVE_IN:
        return actions.ANSWERS[number - ANSWER]
    if number >= GIVE:
        return (actions.TAKES if take else actions.DRAWS)[number - GIVE]
    return actions.GIVE_IN if number == GIVE_IN else actions.DISCARD_HAND


_PLAYED: Final = [
    place << FACE_BITS | face for place in range(MOST_PLAYERS * PLACES) for face in range(len(rules.FACE_NAMES))
]
_NUMBERS: Final = {rules_action(at, take): at for at in (*_PLAYED, *range(PUT, ACTION_COUNT)) for take in (False, True)}


def kernel_action(action: actions.Action) -> int:
    """Return the number that the kernel gives to an action of the reference rules."""
    return _NUMBERS[action]


# Lookup tables, built from the columns and cards of the reference rules

CODES: Final = (MOST_MAUW + 1) << FACE_BITS
_PACKED: Final = [(pack_column(column), column) for column in rules.COLUMNS]


def _column_table(numbers: dict[int, int]) -> Numbers:
    table = np.zeros(CODES, np.int64)
    table[list(numbers)] = list(numbers.values())
    return table


def _accepted() -> Masks:
    table = np.zeros((2, CODES), np.uint64)
    for code, column in _PACKED:
        for own in (0, 1):
            table[own, code] = sum(1 << face for face in rules.accepted_faces(column, bool(own)))
    return table


def _playable() -> Masks:
    table = np.zeros(1 << CARDS, np.uint64)
    plain = (1 << MAUI) - 1
    for kinds in range(1 << CARDS):
        jokers = plain << (MAUI + 1) if kinds >> MAUI & 1 else 0
        table[kinds] = kinds & plain | jokers
    return table


def _decks() -> Numbers:
    table = np.zeros((MOST_PLAYERS + 1, CARDS), np.int64)
    for players in rules.LEFT_OUT:
        table[players] = rules.deck(players)
    return table


def _placed() -> Numbers:
    table = np.zeros((NINE + 1, MOST_MAUW), np.int64)
    for value in range(1, NINE + 1):
        for mauw in range(MOST_MAUW):
            top = NO_FACE if value == NINE else value
            table[value, mauw] = worth(Column(mauw + 1, top)) - worth(Column(mauw))
    return table


def _best_placed() -> Numbers:
    table = np.full((NINE + 1, 1 << MOST_MAUW), NO_PLACE, np.int64)
    for value in range(1, NINE + 1):
        for gaps in range(1, 1 << MOST_MAUW):
            table[value, gaps] = max(PLACED[value, mauw] for mauw in range(MOST_MAUW) if gaps >> mauw & 1)
    return table


ACCEPTED: Final = _accepted()
"""By 0 for an enemy's column or 1 for an own one, and the column: the mask of the faces that it accepts."""

PLAYABLE: Final = _playable()
"""By the KINDS of a hand: the mask of the faces that it can show."""

DECKS: Final = _decks()
"""By the number of players: how many of each card are in play."""

WORTHS: Final = _column_table({code: worth(column) for code, column in _PACKED})
BARED: Final = _column_table({code: worth(Column(column.mauw)) - worth(column) for code, column in _PACKED})
"""By column: what it gains when its top leaves."""

PLACED: Final = _placed()
"""By the value on a gain, 9 for a bare Mauw, and the Mauw of a column without a top: what placing it there adds."""

NO_PLACE: Final = -1000
"""Less than any gain that is placed."""

BEST_PLACED: Final = _best_placed()
"""By the value on a gain and the gaps of a zone, as policy.py has them: the most that placing it there adds."""

WARRIOR_ON_TOP: Final = _column_table({code: rules.has_warrior(column) for code, column in _PACKED}) > 0
TAKES_GAIN: Final = _column_table({code: rules.takes_gain(column) for code, column in _PACKED}) > 0
FULL: Final = _column_table({code: column.mauw == MOST_MAUW for code, column in _PACKED}) > 0

CARD_OF: Final = np.array([rules.card_of(face) for face in range(len(rules.FACE_NAMES))], np.int64)
VALUE_OF: Final = np.array([face % 10 for face in range(len(rules.FACE_NAMES))], np.int64)


# The columns of a seat


@no_refcount
def score(state: Numbers, seat: int) -> int:
    """The worth of all columns of a seat."""
    total = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        total += WORTHS[state[COLUMNS + place]]
    return total


@no_refcount
def full_columns(state: Numbers, seat: int) -> int:
    """How many columns of a seat have three Mauw."""
    count = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        count += FULL[state[COLUMNS + place]]
    return count


@no_refcount
def has_gain_column(state: Numbers, seat: int) -> bool:
    """Whether a gain finds a place in the zone of a seat."""
    count = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        count += TAKES_GAIN[state[COLUMNS + place]]
    return count > 0
