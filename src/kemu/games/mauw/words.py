"""MAUW in words: what goes on now, and what an action would do; both from a view alone."""

from typing import Any

from kemu.core.game import CHANCE, Seat
from kemu.games.mauw.cards import FACES, MAUI, NAMES, NOTHING, SPIRIT, Face
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import ANSWER, DISCARD, GIVE_IN, LETTERS, PLAY, PUT, Action, Column
from kemu.games.mauw.zones import FULL_COLUMNS, MOST_MAUW, is_warrior, place_name, takes_gain, worth


def column_of(view: Any, owner: Seat, number: int) -> Column:
    """A column as a view shows it."""
    column = view["zones"][owner][number]
    return Column(column["mauw"], NOTHING if column["top"] is None else FACES[column["top"]])


def face_name(face: Face) -> str:
    """A card or face in words, such as `7`, `spirit` or `joker as 7`."""
    if face > MAUI:
        return f"joker as {face_name(face % 10)}"
    return "spirit" if face == SPIRIT else "joker" if face == MAUI else NAMES[face]


def now(view: Any) -> str:
    """What is awaited, in one sentence."""
    step = view["step"]
    if view["end"]:
        return f"The game is over: {view['end']}."
    if view["to_act"] == CHANCE:
        taken = step["name"] == "take"
        return "A Mauw is taken from the pile." if taken else f"Player {view['drawer'] + 1} draws a card."
    player = f"Player {view['to_act'] + 1}"
    if step is None:
        return f"{player} is to play a card."
    if step["name"] == "put":
        gain = "the Mauw" if step["top"] is None else f"the pair with {face_name(FACES[step['top']])} on it"
        return f"{player} is to put {gain} on a column."
    card, place = step["play"].split(">")
    if step["name"] == "defend":
        return f"Player {view['turn'] + 1} attacks {place} with {face_name(FACES[card])}; {player.lower()} may defend."
    return f"The attack of {card} on {place} was defended; {player.lower()} may go on."


def explain(game: Mauw, view: Any, action: Action) -> str:
    """What an action does, in a few words."""
    if action.sign == PLAY:
        return _play(view, action)
    if action.sign == PUT:
        return _put(view, action.column)
    if action.sign == ANSWER:
        verb = "defends" if view["step"]["name"] == "defend" else "goes on attacking"
        return f"{verb} with {face_name(action.face)}"
    if action == GIVE_IN:
        defends = view["step"]["name"] == "defend"
        return f"gives in: player {view['turn'] + 1} gets the two cards" if defends else "gives in: the turn is over"
    if action == DISCARD:
        return "discards the whole hand and draws four new cards"
    return f"the dealer gives {face_name(action.face)}"


def _play(view: Any, action: Action) -> str:
    """A card on a column, by what lies there."""
    _, face, owner, number = action
    own = owner == view["turn"]
    column = column_of(view, owner, number)
    place = LETTERS[number] if own else place_name(owner, number)
    name = face_name(face)
    if is_warrior(column):
        gain = _gain(view, action, column)
        if own:
            return f"associates {name} with the {face_name(column.top)} on {place}: {gain}"
        return f"attacks the {face_name(column.top)} on {place} with {name}; if nobody defends it, {gain}"
    if column.top != NOTHING:
        return f"takes the spirit off {place}: the column is worth {worth(Column(column.mauw))} again"
    if not column.mauw:
        return f"lays {name} on the empty place {place}: worth {face % 10}"
    does = f"lays {name} on {place}" if own else f"blocks {place} with {name}"
    return f"{does}: worth {worth(Column(column.mauw, face))} instead of {worth(column)}"


def _gain(view: Any, action: Action, column: Column) -> str:
    """What an association brings, and whether there is a place for it."""
    same = action.face % 10 == column.top % 10
    zone = [column_of(view, view["turn"], number) for number in range(len(LETTERS))]
    if action.owner == view["turn"]:
        zone[action.column] = Column(column.mauw)
    fits = any(takes_gain(each) for each in zone)
    if same:
        return "one is turned to a Mauw under the other" if fits else "both go to the discards for lack of a place"
    return "both go to the discards and a Mauw is taken" + ("" if fits else ", which finds no place")


def _put(view: Any, number: int) -> str:
    """The gain on a column, and whether that ends the game."""
    seat, top = view["turn"], view["step"]["top"]
    column = column_of(view, seat, number)
    after = Column(column.mauw + 1, NOTHING if top is None else FACES[top])
    gain = "the Mauw" if top is None else f"the pair with {face_name(FACES[top])} on it"
    columns = sum(each["mauw"] == MOST_MAUW for each in view["zones"][seat]) + (after.mauw == MOST_MAUW)
    ends = ", and the game ends" if after.mauw == MOST_MAUW and columns >= FULL_COLUMNS else ""
    return f"puts {gain} on {LETTERS[number]}: worth {worth(after)}{ends}"
