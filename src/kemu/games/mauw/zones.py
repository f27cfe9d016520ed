"""What a column is worth, what may be played on it, and where a gain may go."""

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from kemu.core.game import Seat
from kemu.games.mauw.cards import MAUI, NAMES, NINE, NOTHING, SPIRIT, WARRIORS, Face, Hand, card, joker
from kemu.games.mauw.state import LETTERS, Column, Zone

MOST_MAUW: Final = 3
FULL_COLUMNS: Final = 3
"""So many columns with the most Mauw end the game."""

TOPS: Final = tuple(face for face in range(NOTHING, len(NAMES)) if face != MAUI)

COLUMNS: Final = tuple(
    Column(mauw, top) for mauw in range(MOST_MAUW + 1) for top in TOPS if mauw or top == NOTHING or top % 10 != SPIRIT
)
"""Every column there can be: at most three Mauw, and no spirit without a Mauw under it (R2)."""


def worth(column: Column) -> int:
    """The value on top, doubled by each Mauw."""
    mauw, top = column
    if top != NOTHING:
        return top % 10 << mauw
    return NINE << mauw if mauw else 0


WORTH: Final = {column: worth(column) for column in COLUMNS}


def score(zone: Zone) -> int:
    """The worth of all columns of a zone."""
    return sum(WORTH[column] for column in zone)


def takes_gain(column: Column) -> bool:
    """Whether a Mauw, bare or with a card on it, may be put here."""
    return column.top == NOTHING and column.mauw < MOST_MAUW


def places(zone: Zone) -> tuple[int, ...]:
    """The columns that may take a gain."""
    return tuple(number for number, column in enumerate(zone) if takes_gain(column))


def full(zone: Zone) -> tuple[int, ...]:
    """The columns with three Mauw, whatever lies on top."""
    return tuple(number for number, column in enumerate(zone) if column.mauw == MOST_MAUW)


def is_warrior(column: Column) -> bool:
    """Whether a warrior lies on top, or a joker that stands for one."""
    return column.top != NOTHING and column.top % 10 != SPIRIT


def changed(zones: tuple[Zone, ...], owner: Seat, number: int, column: Column) -> tuple[Zone, ...]:
    """The zones with another column at one place."""
    zone = zones[owner]
    zone = (*zone[:number], column, *zone[number + 1 :])
    return (*zones[:owner], zone, *zones[owner + 1 :])


def place_name(owner: Seat, number: int) -> str:
    """A place as texts name it, such as 1B: player and column."""
    return f"{owner + 1}{LETTERS[number]}"


def _values(column: Column, own: bool) -> Sequence[int]:
    """The values that may be played on a column of the own zone or of an enemy's."""
    if is_warrior(column):
        value = column.top % 10
        return sorted((value, NINE - value))
    if column.top != NOTHING:
        return (SPIRIT,) if own else ()
    if own:
        return WARRIORS
    return (*WARRIORS, SPIRIT) if column.mauw else ()


def welcome(column: Column, own: bool) -> tuple[Face, ...]:
    """The faces that the rules let lie on a column, whoever holds them."""
    values = _values(column, own)
    return (*values, *(joker(value) for value in values))


Offers: TypeAlias = dict[Column, tuple[Face, ...]]


class Playable(NamedTuple):
    """What one hand may play on each column there can be."""

    own: Offers
    enemy: Offers


@cache
def playable(hand: Hand) -> Playable:
    """What a hand may play; there are only some hundred hands, and every turn asks."""

    def offers(own: bool) -> Offers:
        return {column: tuple(face for face in welcome(column, own) if card(face) in hand) for column in COLUMNS}

    return Playable(offers(True), offers(False))
