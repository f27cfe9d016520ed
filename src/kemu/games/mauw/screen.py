"""MAUW on a full screen: a card of the hand is pointed at, then the column that it goes to."""

from collections import Counter
from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from kemu.core.display import Board, Place, Room
from kemu.core.game import Seat
from kemu.games.mauw import text
from kemu.games.mauw.actions import Action, Answer, PlaceGain, PlayCard
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import CARD_NAMES, FACES, LEFT_OUT, LETTERS, card_of, place_name
from kemu.games.mauw.text import INK, now
from kemu.games.mauw.views import View

__all__ = ["CHOICES", "INK", "board", "facts", "now", "path"]

CHOICES: Final = {"players": tuple(LEFT_OUT)}

_ABREAST, _WIDEST = 2, 2 * text.BLOCK
_TOP: Final = 2  # the lines of a zone above its open cards
_COLUMN_LINES: Final = 3  # open card, Mauw and worth
_HAND: Final = "Hand "
_CARD: Final = 8


def board(game: Mauw, view: View, room: Room) -> Board:
    """The zones, two abreast, then the own hand, the pile and the discards."""
    lines: list[str] = []
    places: dict[str, Place] = {}
    for first in range(0, game.players, _ABREAST):
        seats = range(first, min(first + _ABREAST, game.players))
        for seat in seats:
            places |= _column_places(seat, len(lines) + _TOP, text.BLOCK * (seat - first))
        lines += text.zones(view, seats)
    if view["hand"] is not None:
        cards = Counter(view["hand"])
        lines += ["", _HAND + "".join(f"{_card(*each):{_CARD}}" for each in cards.items())]
        for number, name in enumerate(cards):
            places[name] = Place(len(lines) - 1, len(_HAND) + _CARD * number, _CARD - 1, field=True)
    table = f"Pile {view['pile']} cards   Discards {text.discards(view)}"
    return Board((*(line.rstrip() for line in lines), "", *wrap(table, _WIDEST)), places)


def facts(game: Mauw, view: View, seat: Seat) -> Sequence[str]:
    """The score and the number of cards."""
    return (f"{view['scores'][seat]} points, {view['hands'][seat]} cards",)


def path(game: Mauw, view: View, action: Action) -> tuple[str, ...]:
    """The card and the column; a gain has only a column, an answer only a card."""
    match action:
        case PlayCard(face, owner, column):
            return CARD_NAMES[card_of(face)], place_name(owner, column)
        case Answer(card):
            return (CARD_NAMES[card],)
        case PlaceGain(column):
            return (place_name(view["turn"], column),)
    return ()


def _column_places(seat: Seat, row: int, left: int) -> dict[str, Place]:
    return {
        place_name(seat, number): Place(row, left + text.CELL * number, text.CELL - 1, _COLUMN_LINES, field=True)
        for number in range(len(LETTERS))
    }


def _card(name: str, count: int) -> str:
    """A card of the hand, and how many of it if there are several."""
    return f" {text.sign(FACES[name])}" + (f" ×{count}" if count > 1 else "")
