"""Tables of MAUW for the kernel, built from the same zones and cards as the rules; needs numpy, not numba.

A column is one number: 32 × its Mauw + its top + 1, so that 0 is an empty place. A set of faces is a word of bits.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.games.mauw.cards import LEFT_OUT, MAUI, NAMES, NOTHING, SPIRIT, card, deck
from kemu.games.mauw.state import Column
from kemu.games.mauw.zones import COLUMNS, MOST_MAUW, WORTH, welcome

Numbers = NDArray[np.int64]
Words = NDArray[np.uint64]

TOPS: Final = 32
"""Numbers from one Mauw to the next: more than there are tops, so that only shifts are needed."""

CODES: Final = TOPS * (MOST_MAUW + 1)
CARDS: Final = MAUI + 1


def code(column: Column) -> int:
    """The number of a column."""
    return TOPS * column.mauw + column.top + 1


def column(number: int) -> Column:
    """The column with this number."""
    mauw, top = divmod(number, TOPS)
    return Column(mauw, top + NOTHING)


def _welcome() -> Words:
    table = np.zeros((2, CODES), np.uint64)
    for each in COLUMNS:
        for own in (0, 1):
            table[own, code(each)] = sum(1 << face for face in welcome(each, bool(own)))
    return table


def _worth() -> Numbers:
    table = np.zeros(CODES, np.int64)
    for each in COLUMNS:
        table[code(each)] = WORTH[each]
    return table


def _playable() -> Words:
    """The faces that a hand with these cards can show, by the bits of its cards."""
    table = np.zeros(1 << CARDS, np.uint64)
    plain = (1 << MAUI) - 1
    for cards in range(1 << CARDS):
        jokers = plain << (MAUI + 1) if cards >> MAUI & 1 else 0
        table[cards] = cards & plain | jokers
    return table


def _decks() -> Numbers:
    table = np.zeros((max(LEFT_OUT) + 1, CARDS), np.int64)
    for players in LEFT_OUT:
        table[players] = deck(players)
    return table


def _is_warrior(top: int) -> bool:
    return top >= 0 and top % 10 != SPIRIT


WELCOME: Final = _welcome()
"""By 0 for an enemy's column or 1 for an own one, and the column: the faces that may be played on it."""

WORTHS: Final = _worth()
PLAYABLE: Final = _playable()
DECKS: Final = _decks()

WARRIOR_ON_TOP: Final = np.array([_is_warrior(number % TOPS - 1) for number in range(CODES)])
TAKES_GAIN: Final = np.array([number % TOPS == 0 and number // TOPS < MOST_MAUW for number in range(CODES)])
FULL: Final = np.array([number // TOPS == MOST_MAUW for number in range(CODES)])


CARD_OF: Final = np.array([card(face) for face in range(len(NAMES))], np.int64)
VALUE_OF: Final = np.array([face % 10 for face in range(len(NAMES))], np.int64)
