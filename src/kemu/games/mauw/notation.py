"""The text of each action and back; there is one object for each action, so that listing them is cheap."""

import re
from typing import Final

from kemu.core.document import quote
from kemu.core.errors import ParseError
from kemu.games.mauw.cards import FACES, MAUI, NAMES, ORDER
from kemu.games.mauw.state import ANSWER, DISCARD, DRAW, GIVE_IN, LETTERS, PLAY, PUT, TAKE_MAUW, Action
from kemu.games.mauw.zones import place_name

MOST_PLAYERS: Final = 6

PLAYS: Final = tuple(
    tuple(tuple(Action(PLAY, face, owner, column) for face in range(len(NAMES))) for column in range(len(LETTERS)))
    for owner in range(MOST_PLAYERS)
)
"""Every play by owner, column and face."""

PUTS: Final = tuple(Action(PUT, column=column) for column in range(len(LETTERS)))
ANSWERS: Final = tuple(Action(ANSWER, card) for card in range(len(ORDER)))
DRAWS: Final = tuple(Action(DRAW, card) for card in range(len(ORDER)))
TAKES: Final = tuple(Action(TAKE_MAUW, card) for card in range(len(ORDER)))

_OTHERS: Final = (*DRAWS, *PUTS, *ANSWERS, *TAKES, GIVE_IN, DISCARD)
_PLAY: Final = re.compile(r"([1-8s]|m=[1-8s])>([1-9])([A-D])")
_CARD: Final = re.compile(r"([!~^])([1-8sm])")
_PUT: Final = re.compile(r"\+([A-D])")


def format_action(action: Action) -> str:
    """The text of an action."""
    sign, face, owner, column = action
    if sign == PLAY:
        return f"{NAMES[face]}>{place_name(owner, column)}"
    if sign == PUT:
        return f"+{LETTERS[column]}"
    return sign if action in (GIVE_IN, DISCARD) else f"{sign}{NAMES[face]}"


def parse_action(text: str, players: int) -> Action:
    """The action of a text in a game of so many players, or ParseError."""
    if text in ("-", "x"):
        return GIVE_IN if text == "-" else DISCARD
    if match := _CARD.fullmatch(text):
        return {"!": ANSWERS, "~": DRAWS, "^": TAKES}[match[1]][FACES[match[2]]]
    if match := _PUT.fullmatch(text):
        return PUTS[LETTERS.index(match[1])]
    match = _PLAY.fullmatch(text)
    if not match:
        raise ParseError(f"An action is such as 7>1B, m=7>1B, +A, !7, -, x, ~5 or ^5, not {quote(text)}.")
    if int(match[2]) > players:
        raise ParseError(f"There are {players} players, so {quote(text)} names no column.")
    return PLAYS[int(match[2]) - 1][LETTERS.index(match[3])][FACES[match[1]]]


def is_action(value: object, players: int) -> bool:
    """Whether a value is an action of a game of so many players, legal or not."""
    if type(value) is not Action:
        return False
    sign, face, owner, column = value
    if not type(face) is type(owner) is type(column) is int:
        return False
    if sign == PLAY:
        return 0 <= owner < players and 0 <= column < len(LETTERS) and 0 <= face < len(NAMES) and face != MAUI
    return value in _OTHERS
