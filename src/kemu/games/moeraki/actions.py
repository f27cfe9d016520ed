"""The actions of Moeraki-Kemu and their texts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from kemu.core.document import quote
from kemu.core.errors import ParseError
from kemu.games.moeraki.board import AREA, AREAS, DIRECTIONS, HOLLOW, HOLLOWS


@dataclass(frozen=True, slots=True)
class PlaceBall:
    """The starter puts the ball into a hollow."""

    hollow: int


@dataclass(frozen=True, slots=True)
class LayStone:
    """The player puts a stone of his own colour into a hollow."""

    hollow: int


@dataclass(frozen=True, slots=True)
class PlaceTane:
    """The player asked puts his Tane on an area, instead of the tile that is due there."""

    area: int
    looks: str


@dataclass(frozen=True, slots=True)
class Keep:
    """The player asked keeps his tiles, and his Tane for later."""


@dataclass(frozen=True, slots=True)
class Swap:
    """The starter takes over the first stone."""


Action: TypeAlias = PlaceBall | LayStone | PlaceTane | Keep | Swap

BALLS: Final = tuple(PlaceBall(hollow) for hollow in range(len(HOLLOWS)))
LAYS: Final = tuple(LayStone(hollow) for hollow in range(len(HOLLOWS)))
TANE: Final = tuple(tuple(PlaceTane(area, looks) for looks in DIRECTIONS) for area in range(len(AREAS)))
KEEP: Final = Keep()
SWAP: Final = Swap()

_TEXTS: Final[Mapping[Action, str]] = {
    **{action: f"@{HOLLOWS[action.hollow].name}" for action in BALLS},
    **{action: HOLLOWS[action.hollow].name for action in LAYS},
    **{action: f"T{AREAS[action.area].name}{action.looks}" for four in TANE for action in four},
    KEEP: "-",
    SWAP: "swap",
}
_ACTIONS: Final[Mapping[str, Action]] = {text: action for action, text in _TEXTS.items()}


def is_action(value: object) -> bool:
    """Whether this is an action on this board at all, legal or not."""
    # Floats and booleans equal numbers, so that looking in the table alone would let them in.
    match value:
        case PlaceBall(int() as place) | LayStone(int() as place) | PlaceTane(int() as place, str()):
            return type(place) is int and value in _TEXTS
    return isinstance(value, Keep | Swap)


def format_action(action: Action) -> str:
    """The text of an action."""
    return _TEXTS[action]


def parse_action(text: str) -> Action:
    """The action of a text, or ParseError that says what is wrong with it."""
    if action := _ACTIONS.get(text):
        return action
    place = re.sub("^[@T]|(?<=[0-9])[a-z]+$", "", text)
    if text.startswith("T") and place in AREA:
        raise ParseError(f"A Tane looks {', '.join(DIRECTIONS)}, as in T{place}sw, not as in {quote(text)}.")
    if text.startswith("T") and place in HOLLOW:
        raise ParseError(f"A Tane stands on an area, and {place} is a hollow.")
    if not text.startswith("T") and place in AREA:
        raise ParseError(f"{place} is an area, not a hollow.")
    raise ParseError(f"An action is @f6, f6, Tf7sw, - or swap with the points of this board, not {quote(text)}.")
