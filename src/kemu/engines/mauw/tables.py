"""Lookup tables of the kernel, built from the columns and cards of the reference rules.

Packed columns and masks are written as layout.py says.
"""

from typing import Final

import numpy as np

from kemu.engines.mauw.layout import CARDS, FACE_BITS, MOST_PLAYERS, Masks, Numbers, pack_column
from kemu.games.mauw.state import (
    COLUMNS,
    FACE_NAMES,
    LEFT_OUT,
    MAUI,
    MOST_MAUW,
    NINE,
    NO_FACE,
    Column,
    accepted_faces,
    card_of,
    deck,
    has_warrior,
    takes_gain,
    worth,
)

CODES: Final = (MOST_MAUW + 1) << FACE_BITS
_PACKED: Final = [(pack_column(column), column) for column in COLUMNS]


def _column_table(numbers: dict[int, int]) -> Numbers:
    table = np.zeros(CODES, np.int64)
    table[list(numbers)] = list(numbers.values())
    return table


def _accepted() -> Masks:
    table = np.zeros((2, CODES), np.uint64)
    for code, column in _PACKED:
        for own in (0, 1):
            table[own, code] = sum(1 << face for face in accepted_faces(column, bool(own)))
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
    for players in LEFT_OUT:
        table[players] = deck(players)
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
"""By the value on a gain and the gaps of a zone, as playouts.py has them: the most that placing it there adds."""

WARRIOR_ON_TOP: Final = _column_table({code: has_warrior(column) for code, column in _PACKED}) > 0
TAKES_GAIN: Final = _column_table({code: takes_gain(column) for code, column in _PACKED}) > 0
FULL: Final = _column_table({code: column.mauw == MOST_MAUW for code, column in _PACKED}) > 0

CARD_OF: Final = np.array([card_of(face) for face in range(len(FACE_NAMES))], np.int64)
VALUE_OF: Final = np.array([face % 10 for face in range(len(FACE_NAMES))], np.int64)
