"""MAUW in a terminal: the zones of all players side by side, the own hand, pile and discards, and what an action does.

On the full screen a card of the hand is pointed at, then the column that it goes to.

Everything here is made from a view, so it shows no more than the view does.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import Final

from kemu.core.display import Board, Place, Room
from kemu.core.game import CHANCE, Seat
from kemu.games.mauw import state as cards
from kemu.games.mauw.actions import Action, Answer, DiscardHand, GiveIn, PlaceGain, PlayCard
from kemu.games.mauw.rules import Mauw, View
from kemu.games.mauw.state import Column, Face

SIGNS: Final = {"red": "♥", "orange": "♦", "green": "♣", "blue": "♠"}
"""Each colour has a sign too, for those who see no colours."""

MAUW: Final = "▒"
INK: Final = {"♥": "bold red", "♦": "bold yellow", "♣": "bold green", "♠": "bold blue", MAUW: "magenta", "·": "dim"}
CELL, BLOCK = 6, 26  # the columns of a place and of a zone
_ABREAST: Final = 3

CHOICES: Final = {"players": tuple(cards.LEFT_OUT)}

_SCREEN_ABREAST, _WIDEST = 2, 2 * BLOCK
_TOP: Final = 2  # the lines of a zone above its open cards
_COLUMN_LINES: Final = 3  # open card, Mauw and worth
_HAND: Final = "Hand "
_CARD: Final = 8


def draw(game: Mauw, view: View) -> str:
    """Each zone with its open cards on the Mauw and what the columns are worth."""
    lines = []
    for first in range(0, game.players, _ABREAST):
        lines += [*_zones(view, range(first, min(first + _ABREAST, game.players))), ""]
    if view["hand"] is not None:
        lines.append(f"Hand      {'  '.join(_sign(cards.FACES[card]) for card in view['hand'])}")
    lines += [f"Pile      {view['pile']} cards", f"Discards  {_discards(view)}", now(game, view)]
    return "\n".join(lines)


def _zones(view: View, seats: Iterable[Seat]) -> list[str]:
    """The zones of some seats side by side: who it is, letters, open cards, Mauw and worths."""
    rows = zip(*(_zone(view, seat) for seat in seats), strict=True)
    return ["".join(f"{part:{BLOCK}}" for part in row).rstrip() for row in rows]


def _discards(view: View) -> str:
    """How many of each card are on the discard pile."""
    return "  ".join(f"{_sign(cards.FACES[card])}×{number}" for card, number in view["discards"].items()) or "none"


def tell(game: Mauw, view: View) -> str:
    """The same in sentences."""
    lines = []
    if view["hand"] is not None:
        lines.append(f"Your hand: {_listed(view['hand']) or 'no cards'}.")
    for seat in range(game.players):
        you = " (you)" if seat == view["seat"] else ""
        lines.append(f"Player {seat + 1}{you} has {view['scores'][seat]} points and {view['hands'][seat]} cards.")
        columns = map(_describe, cards.LETTERS, _columns(view, seat))
        lines.append(f"Player {seat + 1}'s columns: {'; '.join(columns)}.")
    counted = ", ".join(_counted(cards.FACES[card], number) for card, number in view["discards"].items())
    lines += [f"The pile has {view['pile']} cards.", f"The discards: {counted or 'none'}."]
    return "\n".join([*lines, f"{view['turns']} turns were played.", now(game, view)])


def seat_name(game: Mauw, seat: Seat) -> str:
    """Players are numbered from one."""
    return f"Player {seat + 1}"


def _zone(view: View, seat: Seat) -> list[str]:
    """One zone as five lines."""
    columns = _columns(view, seat)
    mark = "▶" if seat == view["to_act"] else " "
    held = view["hands"][seat]
    more = " you" if seat == view["seat"] else "" if held == cards.HAND else f", {held} cards"
    return [
        f"{mark}Player {seat + 1}: {view['scores'][seat]}{more}",
        _row(cards.LETTERS),
        _row("·" if column == cards.EMPTY else _sign(column.top) for column in columns),
        _row(MAUW * column.mauw for column in columns),
        _row(str(cards.worth(column)) for column in columns),
    ]


def _row(texts: Iterable[str]) -> str:
    return " " + "".join(f"{text:{CELL}}" for text in texts)


def _sign(face: Face) -> str:
    """A card with the sign of its colour."""
    if face < cards.SPIRIT:
        return ""
    colour = cards.COLOURS.get(face % 10)
    return cards.FACE_NAMES[face] + (SIGNS[colour] if colour else "")


def _describe(letter: str, column: Column) -> str:
    """A column in words."""
    if column == cards.EMPTY:
        return f"{letter} is empty"
    mauw = f"{column.mauw} Mauw" if column.mauw else ""
    if column.top < cards.SPIRIT:
        return f"{letter} has {mauw}, worth {cards.worth(column)}"
    return f"{letter} has {_face_name(column.top)}{f' on {mauw}' if mauw else ''}, worth {cards.worth(column)}"


def _counted(face: Face, number: int) -> str:
    return f"{number} {'card' if number == 1 else 'cards'} {_face_name(face)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(_face_name(cards.FACES[name]) for name in names)


def _columns(view: View, owner: Seat) -> list[Column]:
    """Return the columns of a zone as a view shows them."""
    zone = view["zones"][owner]
    return [Column(each["mauw"], cards.NO_FACE if each["top"] is None else cards.FACES[each["top"]]) for each in zone]


def _face_name(face: Face) -> str:
    """A card or face in words, such as `7`, `spirit` or `joker as 7`."""
    if face > cards.MAUI:
        return f"joker as {_face_name(face % 10)}"
    return "spirit" if face == cards.SPIRIT else "joker" if face == cards.MAUI else cards.CARD_NAMES[face]


def now(game: Mauw, view: View) -> str:
    """Return who is to act and what is awaited, in one sentence."""
    step = view["step"]
    if view["end"]:
        return f"The game is over: {view['end']}."
    if "drawer" in view:
        return f"Player {view['drawer'] + 1} draws a card."
    if view["to_act"] is None or view["to_act"] == CHANCE:
        return "A Mauw is taken from the pile."
    player = f"Player {view['to_act'] + 1}"
    if step is None:
        return f"{player} is to play a card."
    if step["name"] == "put":
        gain = "the Mauw" if step["top"] is None else f"the pair with {_face_name(cards.FACES[step['top']])} on it"
        return f"{player} is to put {gain} on a column."
    card, place = step["play"].split(">")
    if step["name"] == "defend":
        attack = f"Player {view['turn'] + 1} attacks {place} with {_face_name(cards.FACES[card])}"
        return f"{attack}; {player.lower()} may defend."
    return f"The attack of {card} on {place} was defended; {player.lower()} may go on."


def explain(game: Mauw, view: View, action: Action) -> str:
    """Return what an action does, in a few words."""
    defending = view["step"] is not None and view["step"]["name"] == "defend"
    match action:
        case PlayCard():
            return _explain_play(view, action)
        case PlaceGain(column):
            return _explain_placement(view, column)
        case Answer(card):
            return f"{'defends' if defending else 'goes on attacking'} with {_face_name(card)}"
        case GiveIn() if defending:
            return f"gives in: player {view['turn'] + 1} gets the two cards"
        case GiveIn():
            return "gives in: the turn is over"
        case DiscardHand():
            return "discards the whole hand and draws four new cards"
    return f"the dealer gives {_face_name(action.card)}"


def _explain_play(view: View, play: PlayCard) -> str:
    """A card on a column, by what lies there."""
    own = play.owner == view["turn"]
    column = _columns(view, play.owner)[play.column]
    place = cards.LETTERS[play.column] if own else cards.place_name(play.owner, play.column)
    name = _face_name(play.face)
    if cards.has_warrior(column):
        gain = _explain_gain(view, play, column)
        if own:
            return f"associates {name} with the {_face_name(column.top)} on {place}: {gain}"
        return f"attacks the {_face_name(column.top)} on {place} with {name}; if nobody defends it, {gain}"
    if column.top != cards.NO_FACE:
        return f"takes the spirit off {place}: the column is worth {cards.worth(Column(column.mauw))} again"
    if not column.mauw:
        return f"lays {name} on the empty place {place}: worth {play.face % 10}"
    does = f"lays {name} on {place}" if own else f"blocks {place} with {name}"
    return f"{does}: worth {cards.worth(Column(column.mauw, play.face))} instead of {cards.worth(column)}"


def _explain_gain(view: View, play: PlayCard, column: Column) -> str:
    """Return the gain of pairing up, and whether there is a place for it."""
    zone = _columns(view, view["turn"])
    if play.owner == view["turn"]:
        zone[play.column] = Column(column.mauw)
    fits = any(cards.takes_gain(each) for each in zone)
    if play.face % 10 == column.top % 10:
        return "one is turned to a Mauw under the other" if fits else "both go to the discards for lack of a place"
    return "both go to the discards and a Mauw is taken" + ("" if fits else ", which finds no place")


def _explain_placement(view: View, number: int) -> str:
    """The gain on a column, and whether that ends the game."""
    seat, top = view["turn"], view["step"]["top"] if view["step"] else None
    column = _columns(view, seat)[number]
    after = Column(column.mauw + 1, cards.NO_FACE if top is None else cards.FACES[top])
    gain = "the Mauw" if top is None else f"the pair with {_face_name(cards.FACES[top])} on it"
    columns = sum(each["mauw"] == cards.MOST_MAUW for each in view["zones"][seat]) + (after.mauw == cards.MOST_MAUW)
    ends = ", and the game ends" if after.mauw == cards.MOST_MAUW and columns >= cards.FULL_COLUMNS else ""
    return f"puts {gain} on {cards.LETTERS[number]}: worth {cards.worth(after)}{ends}"


def board(game: Mauw, view: View, room: Room) -> Board:
    """The zones, two abreast, then the own hand, the pile and the discards."""
    lines: list[str] = []
    places: dict[str, Place] = {}
    for first in range(0, game.players, _SCREEN_ABREAST):
        seats = range(first, min(first + _SCREEN_ABREAST, game.players))
        for seat in seats:
            places |= _column_places(seat, len(lines) + _TOP, BLOCK * (seat - first))
        lines += _zones(view, seats)
    if view["hand"] is not None:
        held = Counter(view["hand"])
        lines += ["", _HAND + "".join(f"{_card(*each):{_CARD}}" for each in held.items())]
        for number, name in enumerate(held):
            places[name] = Place(len(lines) - 1, len(_HAND) + _CARD * number, _CARD - 1, field=True)
    table = f"Pile {view['pile']} cards   Discards {_discards(view)}"
    return Board((*(line.rstrip() for line in lines), "", *wrap(table, _WIDEST)), places)


def facts(game: Mauw, view: View, seat: Seat) -> Sequence[str]:
    """The score and the number of cards."""
    return (f"{view['scores'][seat]} points, {view['hands'][seat]} cards",)


def path(game: Mauw, view: View, action: Action) -> tuple[str, ...]:
    """The card and the column; a gain has only a column, an answer only a card."""
    match action:
        case PlayCard(face, owner, column):
            return cards.CARD_NAMES[cards.card_of(face)], cards.place_name(owner, column)
        case Answer(card):
            return (cards.CARD_NAMES[card],)
        case PlaceGain(column):
            return (cards.place_name(view["turn"], column),)
    return ()


def _column_places(seat: Seat, row: int, left: int) -> dict[str, Place]:
    return {
        cards.place_name(seat, number): Place(row, left + CELL * number, CELL - 1, _COLUMN_LINES, field=True)
        for number in range(len(cards.LETTERS))
    }


def _card(name: str, count: int) -> str:
    """A card of the hand, and how many of it if there are several."""
    return f" {_sign(cards.FACES[name])}" + (f" ×{count}" if count > 1 else "")
