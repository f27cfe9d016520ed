"""The actions of MAUW and their texts.

There is one object for each action, in the tables PLAYS, PLACEMENTS, ANSWERS, DRAWS and TAKES, so that listing the
legal ones makes no new objects.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from kemu.core.document import quote
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.games.mauw.state import CARD_NAMES, FACE_NAMES, LEFT_OUT, LETTERS, MAUI, Card, Face, card_of, place_name


@dataclass(frozen=True, slots=True)
class PlayCard:
    """The player whose turn it is plays a card on a column: `7>1B`, or a joker by the value it stands for: `m=7>1B`."""

    face: Face
    owner: Seat
    column: int


@dataclass(frozen=True, slots=True)
class PlaceGain:
    """The player puts the gain, a Mauw or a pair, on an own column: `+A`."""

    column: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A defence of the defender, or another attack of the attacker, with a card: `!7`."""

    card: Card


@dataclass(frozen=True, slots=True)
class GiveIn:
    """The defender or the attacker plays no further card: `-`."""


@dataclass(frozen=True, slots=True)
class DiscardHand:
    """The player who has no legal play discards the whole hand: `x`."""


@dataclass(frozen=True, slots=True)
class Draw:
    """The dealer gives a card into a hand: `~5`."""

    card: Card


@dataclass(frozen=True, slots=True)
class TakeMauw:
    """The dealer takes a card from the pile as a Mauw: `^s`."""

    card: Card


Action: TypeAlias = PlayCard | PlaceGain | Answer | GiveIn | DiscardHand | Draw | TakeMauw

DEALER_ACTIONS: Final = (Draw, TakeMauw)
_CARD_ACTIONS: Final = (*DEALER_ACTIONS, Answer)

PLAYS: Final = tuple(
    tuple(tuple(PlayCard(face, owner, column) for face in range(len(FACE_NAMES))) for column in range(len(LETTERS)))
    for owner in range(max(LEFT_OUT))
)
"""By owner, column and face; the face MAUI, a joker without a value, is there to keep the numbers."""

PLACEMENTS: Final = tuple(PlaceGain(column) for column in range(len(LETTERS)))
ANSWERS: Final = tuple(Answer(card) for card in range(len(CARD_NAMES)))
DRAWS: Final = tuple(Draw(card) for card in range(len(CARD_NAMES)))
TAKES: Final = tuple(TakeMauw(card) for card in range(len(CARD_NAMES)))
GIVE_IN: Final = GiveIn()
DISCARD_HAND: Final = DiscardHand()

_TEXTS: Final[Mapping[Action, str]] = {
    **{
        play: f"{FACE_NAMES[play.face]}>{place_name(play.owner, play.column)}"
        for zone in PLAYS
        for column in zone
        for play in column
        if play.face != MAUI
    },
    **{action: f"+{LETTERS[action.column]}" for action in PLACEMENTS},
    **{action: f"!{CARD_NAMES[action.card]}" for action in ANSWERS},
    **{action: f"~{CARD_NAMES[action.card]}" for action in DRAWS},
    **{action: f"^{CARD_NAMES[action.card]}" for action in TAKES},
    GIVE_IN: "-",
    DISCARD_HAND: "x",
}
_ACTIONS: Final[Mapping[str, Action]] = {text: action for action, text in _TEXTS.items()}
_PLAY: Final = re.compile(r"([1-8s]|m=[1-8s])>[1-9][A-D]")


def is_action(value: object, players: int) -> bool:
    """Return whether a value is an action of a game for this number of players, legal or not."""
    # Floats and booleans equal numbers, so that the types of the fields are checked too.
    if isinstance(value, _CARD_ACTIONS):
        return type(value.card) is int and 0 <= value.card <= MAUI
    if isinstance(value, PlayCard):
        face, owner, column = value.face, value.owner, value.column
        whole = type(face) is type(owner) is type(column) is int
        return whole and 0 <= owner < players and value in _TEXTS
    if isinstance(value, PlaceGain):
        return type(value.column) is int and value in _TEXTS
    return isinstance(value, GiveIn | DiscardHand)


def card_from_hand(action: Action) -> Card | None:
    """The card that an action plays openly from a hand, None if it plays none or discards them all."""
    if isinstance(action, PlayCard):
        return card_of(action.face)
    return action.card if isinstance(action, Answer) else None


def format_action(action: Action) -> str:
    """The text of an action."""
    return _TEXTS[action]


def parse_action(text: str, players: int) -> Action:
    """Return the action of a text in a game for this number of players; raises ParseError."""
    action = _ACTIONS.get(text)
    if action is not None and not (isinstance(action, PlayCard) and action.owner >= players):
        return action
    if _PLAY.fullmatch(text):
        raise ParseError(f"There are {players} players, so {quote(text)} names no column.")
    raise ParseError(f"An action is such as 7>1B, m=7>1B, +A, !7, -, x, ~5 or ^5, not {quote(text)}.")
