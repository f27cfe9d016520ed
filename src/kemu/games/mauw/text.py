"""MAUW in text: the zones of all players side by side, the own hand, pile and discards, and what an action does.

Everything here is made from a view, so it shows no more than the view does.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from kemu.core.game import CHANCE, Seat
from kemu.games.mauw import state as cards
from kemu.games.mauw.actions import Action, Answer, DiscardHand, GiveIn, PlaceGain, PlayCard
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import Column, Face
from kemu.games.mauw.views import View

__all__ = ["INK", "draw", "explain", "seat_name", "tell"]

SIGNS: Final = {"red": "♥", "orange": "♦", "green": "♣", "blue": "♠"}
"""Each colour has a sign too, for those who see no colours."""

MAUW: Final = "▒"
INK: Final = {"♥": "bold red", "♦": "bold yellow", "♣": "bold green", "♠": "bold blue", MAUW: "magenta", "·": "dim"}
CELL, BLOCK = 6, 26  # the columns of a place and of a zone
_ABREAST: Final = 3


def draw(game: Mauw, view: View) -> str:
    """Each zone with its open cards on the Mauw and what the columns are worth."""
    lines = []
    for first in range(0, game.players, _ABREAST):
        lines += [*zones(view, range(first, min(first + _ABREAST, game.players))), ""]
    if view["hand"] is not None:
        lines.append(f"Hand      {'  '.join(sign(cards.FACES[card]) for card in view['hand'])}")
    lines += [f"Pile      {view['pile']} cards", f"Discards  {discards(view)}", now(game, view)]
    return "\n".join(lines)


def zones(view: View, seats: Iterable[Seat]) -> list[str]:
    """The zones of some seats side by side: who it is, letters, open cards, Mauw and worths."""
    rows = zip(*(_zone(view, seat) for seat in seats), strict=True)
    return ["".join(f"{part:{BLOCK}}" for part in row).rstrip() for row in rows]


def discards(view: View) -> str:
    """How many of each card are on the discard pile."""
    return "  ".join(f"{sign(cards.FACES[card])}×{number}" for card, number in view["discards"].items()) or "none"


def tell(game: Mauw, view: View) -> str:
    """The same in sentences."""
    lines = []
    if view["hand"] is not None:
        lines.append(f"Your hand: {_listed(view['hand']) or 'no cards'}.")
    for seat in range(game.players):
        you = " (you)" if seat == view["seat"] else ""
        lines.append(f"Player {seat + 1}{you} has {view['scores'][seat]} points and {view['hands'][seat]} cards.")
        columns = [
            f"{cards.LETTERS[number]} {_describe(column_of(view, seat, number))}"
            for number in range(len(cards.LETTERS))
        ]
        lines.append(f"Player {seat + 1}'s columns: {'; '.join(columns)}.")
    counted = ", ".join(_counted(cards.FACES[card], number) for card, number in view["discards"].items())
    lines += [f"The pile has {view['pile']} cards.", f"The discards: {counted or 'none'}."]
    return "\n".join([*lines, f"{view['turns']} turns were played.", now(game, view)])


def seat_name(game: Mauw, seat: Seat) -> str:
    """Players are numbered from one."""
    return f"Player {seat + 1}"


def _zone(view: View, seat: Seat) -> list[str]:
    """One zone as five lines."""
    columns = [column_of(view, seat, number) for number in range(len(cards.LETTERS))]
    mark = "▶" if seat == view["to_act"] else " "
    held = view["hands"][seat]
    more = " you" if seat == view["seat"] else "" if held == cards.HAND else f", {held} cards"
    return [
        f"{mark}Player {seat + 1}: {view['scores'][seat]}{more}",
        _row(cards.LETTERS),
        _row("·" if column == cards.EMPTY else sign(column.top) for column in columns),
        _row(MAUW * column.mauw for column in columns),
        _row(str(cards.worth(column)) for column in columns),
    ]


def _row(texts: Iterable[str]) -> str:
    return " " + "".join(f"{text:{CELL}}" for text in texts)


def sign(face: Face) -> str:
    """A card with the sign of its colour."""
    if face < cards.SPIRIT:
        return ""
    value = face % 10
    name = {cards.SPIRIT: "s", cards.MAUI: "m"}.get(value, str(value)) if face <= cards.MAUI else f"m={value or 's'}"
    return name + (SIGNS[cards.COLOURS[value]] if value in cards.COLOURS else "")


def _describe(column: Column) -> str:
    """A column in words."""
    if column == cards.EMPTY:
        return "is empty"
    mauw = f"{column.mauw} Mauw" if column.mauw else ""
    if column.top < cards.SPIRIT:
        return f"has {mauw}, worth {cards.worth(column)}"
    return f"has {face_name(column.top)}{f' on {mauw}' if mauw else ''}, worth {cards.worth(column)}"


def _counted(face: Face, number: int) -> str:
    return f"{number} {'card' if number == 1 else 'cards'} {face_name(face)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(face_name(cards.FACES[name]) for name in names)


def column_of(view: View, owner: Seat, number: int) -> Column:
    """A column as a view shows it."""
    column = view["zones"][owner][number]
    return Column(column["mauw"], cards.NO_FACE if column["top"] is None else cards.FACES[column["top"]])


def face_name(face: Face) -> str:
    """A card or face in words, such as `7`, `spirit` or `joker as 7`."""
    if face > cards.MAUI:
        return f"joker as {face_name(face % 10)}"
    return "spirit" if face == cards.SPIRIT else "joker" if face == cards.MAUI else cards.CARD_NAMES[face]


def now(game: Mauw, view: View) -> str:
    """Who is to act and what is awaited, in one sentence."""
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
        gain = "the Mauw" if step["top"] is None else f"the pair with {face_name(cards.FACES[step['top']])} on it"
        return f"{player} is to put {gain} on a column."
    card, place = step["play"].split(">")
    if step["name"] == "defend":
        attack = f"Player {view['turn'] + 1} attacks {place} with {face_name(cards.FACES[card])}"
        return f"{attack}; {player.lower()} may defend."
    return f"The attack of {card} on {place} was defended; {player.lower()} may go on."


def explain(game: Mauw, view: View, action: Action) -> str:
    """What an action does, in a few words."""
    defending = view["step"] is not None and view["step"]["name"] == "defend"
    match action:
        case PlayCard():
            return _explain_play(view, action)
        case PlaceGain(column):
            return _explain_placement(view, column)
        case Answer(card):
            return f"{'defends' if defending else 'goes on attacking'} with {face_name(card)}"
        case GiveIn() if defending:
            return f"gives in: player {view['turn'] + 1} gets the two cards"
        case GiveIn():
            return "gives in: the turn is over"
        case DiscardHand():
            return "discards the whole hand and draws four new cards"
    return f"the dealer gives {face_name(action.card)}"


def _explain_play(view: View, play: PlayCard) -> str:
    """A card on a column, by what lies there."""
    own = play.owner == view["turn"]
    column = column_of(view, play.owner, play.column)
    place = cards.LETTERS[play.column] if own else cards.place_name(play.owner, play.column)
    name = face_name(play.face)
    if cards.has_warrior(column):
        gain = _explain_gain(view, play, column)
        if own:
            return f"associates {name} with the {face_name(column.top)} on {place}: {gain}"
        return f"attacks the {face_name(column.top)} on {place} with {name}; if nobody defends it, {gain}"
    if column.top != cards.NO_FACE:
        return f"takes the spirit off {place}: the column is worth {cards.worth(Column(column.mauw))} again"
    if not column.mauw:
        return f"lays {name} on the empty place {place}: worth {play.face % 10}"
    does = f"lays {name} on {place}" if own else f"blocks {place} with {name}"
    return f"{does}: worth {cards.worth(Column(column.mauw, play.face))} instead of {cards.worth(column)}"


def _explain_gain(view: View, play: PlayCard, column: Column) -> str:
    """What an association brings, and whether there is a place for it."""
    zone = [column_of(view, view["turn"], number) for number in range(len(cards.LETTERS))]
    if play.owner == view["turn"]:
        zone[play.column] = Column(column.mauw)
    fits = any(cards.takes_gain(each) for each in zone)
    if play.face % 10 == column.top % 10:
        return "one is turned to a Mauw under the other" if fits else "both go to the discards for lack of a place"
    return "both go to the discards and a Mauw is taken" + ("" if fits else ", which finds no place")


def _explain_placement(view: View, number: int) -> str:
    """The gain on a column, and whether that ends the game."""
    seat, top = view["turn"], view["step"]["top"] if view["step"] else None
    column = column_of(view, seat, number)
    after = Column(column.mauw + 1, cards.NO_FACE if top is None else cards.FACES[top])
    gain = "the Mauw" if top is None else f"the pair with {face_name(cards.FACES[top])} on it"
    columns = sum(each["mauw"] == cards.MOST_MAUW for each in view["zones"][seat]) + (after.mauw == cards.MOST_MAUW)
    ends = ", and the game ends" if after.mauw == cards.MOST_MAUW and columns >= cards.FULL_COLUMNS else ""
    return f"puts {gain} on {cards.LETTERS[number]}: worth {cards.worth(after)}{ends}"
