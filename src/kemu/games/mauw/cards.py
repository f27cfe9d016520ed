"""The cards of MAUW: warriors, spirits and Maui; lying face down, each of them is a Mauw.

s      0           A card is a number: a spirit is 0, a warrior its value from 1 to 8, Maui, the joker, 9.
1 … 8  1 … 8       A face is what lies open: a card, but a joker that lies is 10 and the value it stands for,
m      9           so that `face % 10` is the value of every face that lies on a column.
m=s, m=1 … m=8     10, 11 … 18
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int
Face: TypeAlias = int
Hand: TypeAlias = tuple[Card, ...]
"""Some cards, sorted."""

Counts: TypeAlias = tuple[int, ...]
"""How many of each card."""

SPIRIT: Final[Card] = 0
WARRIORS: Final = range(1, 9)
MAUI: Final[Card] = 9
NINE: Final = 9
"""The nine lives: what two warriors of one colour add up to, and the value of a bare Mauw."""

NAMES: Final = ("s", *"12345678", "m", "m=s", *(f"m={value}" for value in WARRIORS))
"""The text of each card and each face."""

FACES: Final = {name: face for face, name in enumerate(NAMES)}
"""The card or face of each text."""

ORDER: Final = (*WARRIORS, SPIRIT, MAUI)
"""The cards in the order in which they are listed."""

RANK: Final = {card: rank for rank, card in enumerate(ORDER)}

COLOURS: Final = {1: "red", 8: "red", 2: "orange", 7: "orange", 3: "green", 6: "green", 4: "blue", 5: "blue"}
"""Two values that add up to nine share a colour."""

EACH_WARRIOR: Final = 7
SPIRITS: Final = 12
MAUIS: Final = 4

# An assumption (R1): the printed rules say that some warriors carry one or two dots, not which.
DOTS: Final = {1: dict.fromkeys(WARRIORS, 1), 2: dict.fromkeys(WARRIORS, 1)}
"""How many warriors of each value carry so many dots."""

LEFT_OUT: Final = {2: (1, 2), 3: (2,), 4: (2,), 5: (), 6: ()}
"""The dots of the warriors that are left out, by the number of players."""

NONE: Final[Counts] = (0,) * 10
"""No cards at all."""

NOTHING: Final[Face] = -1
"""In the place of a face where no open card lies."""


def deck(players: int) -> Counts:
    """The cards in play with so many players."""
    out = LEFT_OUT[players]
    warriors = (EACH_WARRIOR - sum(DOTS[dots][value] for dots in out) for value in WARRIORS)
    return (SPIRITS, *warriors, MAUIS)


def card(face: Face) -> Card:
    """The card that shows this face: a joker that lies is a joker again when it leaves."""
    return MAUI if face > MAUI else face


def joker(value: int) -> Face:
    """The face of a joker that stands for this value."""
    return MAUI + 1 + value


def count(cards: Iterable[Card]) -> Counts:
    """How many of each card there are among some."""
    numbers = list(NONE)
    for each in cards:
        numbers[each] += 1
    return tuple(numbers)


def plus(counts: Counts, *cards: Card) -> Counts:
    """Counts with some cards more."""
    numbers = list(counts)
    for each in cards:
        numbers[each] += 1
    return tuple(numbers)


def minus(counts: Counts, taken: Card) -> Counts:
    """Counts with one card less."""
    return (*counts[:taken], counts[taken] - 1, *counts[taken + 1 :])


def listed(cards: Iterable[Card]) -> list[str]:
    """The texts of some cards in the order in which they are listed."""
    return [NAMES[each] for each in sorted(cards, key=RANK.__getitem__)]
