"""Cards, columns and states of MAUW, and what follows from a single column: its worth and what it accepts.

card    number       A card is a number: a spirit is 0, a warrior its value from 1 to 8, Maui, the joker, 9.
s       0
1 … 8   1 … 8        A face is what lies open on a column: a spirit or a warrior has the number of its card,
m       9            a joker that stands for a value has 10 + that value (m=s is 10, m=7 is 17).
m=s     10           So `face % 10` is the value of every face.
m=1 …   11 … 18
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from kemu.core.display import draw_state
from kemu.core.game import Seat
from kemu.core.manifest import load

Card: TypeAlias = int
Face: TypeAlias = int
Hand: TypeAlias = tuple[Card, ...]
"""The cards of one player, sorted."""

Counts: TypeAlias = tuple[int, ...]
"""How many there are of each card, by its number."""

CardName: TypeAlias = Literal["s", "1", "2", "3", "4", "5", "6", "7", "8", "m"]
FaceName: TypeAlias = Literal[
    "s", "1", "2", "3", "4", "5", "6", "7", "8", "m=s", "m=1", "m=2", "m=3", "m=4", "m=5", "m=6", "m=7", "m=8"
]
StepName: TypeAlias = Literal["deal", "draw", "defend", "parry", "press", "take", "put", "refill"]
EndName: TypeAlias = Literal["three-columns", "no-cards", "limit"]

SPIRIT: Final[Card] = 0
WARRIORS: Final = range(1, 9)
MAUI: Final[Card] = 9
NO_FACE: Final[Face] = -1
"""In the place of a face or card where there is none."""

NINE: Final = 9
"""Sum of two warriors of one colour, and value of an open Mauw."""

CARD_NAMES: Final[tuple[CardName, ...]] = get_args(CardName)
FACE_NAMES: Final[tuple[CardName | FaceName, ...]] = (*CARD_NAMES, *get_args(FaceName)[len(WARRIORS) + 1 :])
"""The text of each card and each face, by its number."""

FACES: Final[Mapping[str, Face]] = {name: face for face, name in enumerate(FACE_NAMES)}
"""The card or face of each text."""

ORDER: Final[tuple[Card, ...]] = (*WARRIORS, SPIRIT, MAUI)
"""The cards in the order in which they are listed."""

COLOURS: Final = {1: "red", 8: "red", 2: "orange", 7: "orange", 3: "green", 6: "green", 4: "blue", 5: "blue"}
"""Two values that add up to nine share a colour."""

# The cards in play

EACH_WARRIOR: Final = 7
SPIRITS: Final = 12
MAUIS: Final = 4

# An assumption (R1): the printed rules say that some warriors carry one or two dots, not which.
DOTS: Final = {1: dict.fromkeys(WARRIORS, 1), 2: dict.fromkeys(WARRIORS, 1)}
"""By the number of dots: how many warriors of each value carry them."""

LEFT_OUT: Final = {2: (1, 2), 3: (2,), 4: (2,), 5: (), 6: ()}
"""The dots of the warriors that are left out, by the number of players."""

EMPTY_COUNTS: Final[Counts] = (0,) * len(CARD_NAMES)


def deck(players: int) -> Counts:
    """Return the cards in play for a number of players."""
    warriors = (EACH_WARRIOR - sum(DOTS[dots][value] for dots in LEFT_OUT[players]) for value in WARRIORS)
    return (SPIRITS, *warriors, MAUIS)


def card_of(face: Face) -> Card:
    """The card that shows this face: a joker is a joker again when it leaves its column (R10)."""
    return MAUI if face > MAUI else face


def joker_face(value: int) -> Face:
    """The face of a joker that stands for this value."""
    return MAUI + 1 + value


def count_cards(cards: Iterable[Card]) -> Counts:
    """How many there are of each card in a collection of cards."""
    return add_cards(EMPTY_COUNTS, *cards)


def add_cards(counts: Counts, *cards: Card) -> Counts:
    """Counts with these cards added."""
    numbers = list(counts)
    for each in cards:
        numbers[each] += 1
    return tuple(numbers)


def remove_card(counts: Counts, card: Card) -> Counts:
    """Counts with one card of this kind less."""
    return (*counts[:card], counts[card] - 1, *counts[card + 1 :])


def write_cards(cards: Iterable[Card]) -> list[CardName]:
    """The texts of some cards in the order 1…8, s, m."""
    return [CARD_NAMES[each] for each in sorted(cards, key=ORDER.index)]


def write_counts(counts: Counts) -> dict[CardName, int]:
    """How many there are of each card by its text, without the cards that are missing."""
    return {CARD_NAMES[each]: counts[each] for each in ORDER if counts[each]}


def read_counts(numbers: Mapping[CardName, int]) -> Counts:
    """The inverse of `write_counts`."""
    return tuple(numbers.get(name, 0) for name in CARD_NAMES)


# Columns and zones

LETTERS: Final = "ABCD"
"""The places of a zone."""

MOST_MAUW: Final = 3
FULL_COLUMNS: Final = 3
"""Number of columns with three Mauw that ends the game."""


class Column(NamedTuple):
    """A column: the number of Mauw, whose faces no longer matter, and the face on top of them."""

    mauw: int = 0
    top: Face = NO_FACE


Zone: TypeAlias = tuple[Column, ...]

EMPTY: Final = Column()

COLUMNS: Final = tuple(
    Column(mauw, top)
    for mauw in range(MOST_MAUW + 1)
    for top in range(NO_FACE, len(FACE_NAMES))
    if top != MAUI and (mauw or top == NO_FACE or top % 10 != SPIRIT)
)
"""Every column there can be: at most three Mauw, and no spirit without a Mauw under it (R2)."""


def worth(column: Column) -> int:
    """The value on top, 9 for bare Mauw, doubled by each Mauw."""
    mauw, top = column
    if top != NO_FACE:
        return top % 10 << mauw
    return NINE << mauw if mauw else 0


_WORTH: Final = {column: worth(column) for column in COLUMNS}


def score(zone: Zone) -> int:
    """The worth of all columns of a zone."""
    return sum(_WORTH[column] for column in zone)


def has_warrior(column: Column) -> bool:
    """Whether a warrior lies on top, or a joker that stands for one."""
    return column.top != NO_FACE and column.top % 10 != SPIRIT


def takes_gain(column: Column) -> bool:
    """Whether a Mauw, bare or with a card on it, may be placed here."""
    return column.top == NO_FACE and column.mauw < MOST_MAUW


def gain_columns(zone: Zone) -> tuple[int, ...]:
    """The numbers of the columns where a gain may be placed."""
    return tuple(number for number, column in enumerate(zone) if takes_gain(column))


def full_columns(zone: Zone) -> tuple[int, ...]:
    """The numbers of the columns with three Mauw, whatever lies on top."""
    return tuple(number for number, column in enumerate(zone) if column.mauw == MOST_MAUW)


def with_column(zones: tuple[Zone, ...], owner: Seat, number: int, column: Column) -> tuple[Zone, ...]:
    """The zones with one column replaced."""
    zone = zones[owner]
    zone = (*zone[:number], column, *zone[number + 1 :])
    return (*zones[:owner], zone, *zones[owner + 1 :])


def place_name(owner: Seat, number: int) -> str:
    """The text of a place, such as 1B: player and column."""
    return f"{owner + 1}{LETTERS[number]}"


def accepted_faces(column: Column, own: bool) -> tuple[Face, ...]:
    """The faces that the rules allow on a column of the own zone or of an opponent's, for any hand."""
    values = _accepted_values(column, own)
    return (*values, *(joker_face(value) for value in values))


def _accepted_values(column: Column, own: bool) -> Sequence[int]:
    if has_warrior(column):
        value = column.top % 10
        return sorted((value, NINE - value))
    if column.top != NO_FACE:
        return (SPIRIT,) if own else ()
    if own:
        return WARRIORS
    return (*WARRIORS, SPIRIT) if column.mauw else ()


class Playable(NamedTuple):
    """The faces that one hand can play on each column there can be."""

    own: Mapping[Column, tuple[Face, ...]]
    enemy: Mapping[Column, tuple[Face, ...]]


@cache
def playable(hand: Hand) -> Playable:
    """Return what a hand can play; cached, since there are only some hundred hands."""

    def by_column(own: bool) -> Mapping[Column, tuple[Face, ...]]:
        return {
            column: tuple(face for face in accepted_faces(column, own) if card_of(face) in hand) for column in COLUMNS
        }

    return Playable(by_column(True), by_column(False))


# States

HAND: Final = 4
"""How many cards each player holds."""


class Step(NamedTuple):
    """Where inside a turn, or at which end, the game stands.

    name       who acts         what is awaited
    turn       the player       a card to be played, or the hand to be discarded
    deal       the dealer       a card of the opening deal
    draw       the dealer       a card for the player whose turn it is; `face` is played and not yet laid
    defend     the defender     an answer to the attacking card `face`
    parry      the dealer       a card for the defender, who answered with the card `answer`
    press      the attacker     another card of the value `face`
    take       the dealer       a Mauw
    put        the player       a column for the gain: a Mauw, and `face` on it if there is one
    refill     the dealer       a card for the first hand, from the player whose turn it was, that is short
    three-columns, no-cards and limit are the ends, named by their reason.
    """

    name: Literal["turn"] | StepName | EndName
    face: Face = NO_FACE
    owner: Seat = -1  # whose column the card is played on
    column: int = -1
    attacks: int = 0  # the attacking cards so far, 0 where there is no attack
    answer: Card = NO_FACE


TURN: Final = Step("turn")
ENDS: Final[tuple[EndName, ...]] = get_args(EndName)


class State(NamedTuple):
    """A position; pile and discard pile are multisets, so there is no order of the pile that could be known."""

    hands: tuple[Hand, ...]
    zones: tuple[Zone, ...]
    pile: Counts
    discards: Counts
    turn: Seat
    turns: int
    step: Step

    def __str__(self) -> str:
        rules = load("kemu.games.mauw.rules:Mauw")
        return draw_state("kemu.games.mauw.text", rules(players=len(self.hands)), self)


def initial_state(players: int) -> State:
    """The state before the opening deal."""
    zone = (EMPTY,) * len(LETTERS)
    return State(((),) * players, (zone,) * players, deck(players), EMPTY_COUNTS, 0, 0, Step("deal"))
