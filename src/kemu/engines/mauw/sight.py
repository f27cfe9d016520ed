"""What a view of MAUW shows: the cards that are out of sight, and a state that looks just like it."""

from collections.abc import Mapping
from typing import Any

from kemu.core.errors import ParseError
from kemu.games.mauw.cards import FACES, MAUI, NAMES, Card, Counts, card, deck
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State

View = Mapping[str, Any]


def counted(names: Mapping[str, int]) -> Counts:
    """How many there are of each card, from their texts."""
    return tuple(names.get(NAMES[each], 0) for each in range(MAUI + 1))


def unseen(game: Mauw, view: View) -> list[Card]:
    """The cards that a seat does not see: in other hands, in the pile, or lying as a Mauw."""
    numbers = list(deck(game.players))
    for name in view["hand"]:
        numbers[FACES[name]] -= 1
    for each, number in enumerate(counted(view["discards"])):
        numbers[each] -= number
    for face in _open_faces(view):
        numbers[card(FACES[face])] -= 1
    if min(numbers) < 0:
        raise ParseError("The view shows more cards of a kind than there are.")
    return [each for each, number in enumerate(numbers) for _ in range(number)]


def _open_faces(view: View) -> list[str]:
    """The faces that lie open, or are just being played."""
    faces = [column["top"] for zone in view["zones"] for column in zone]
    step = view["step"]
    # In "press" the attacking card is already on the discards, and only its value counts.
    if step and step["name"] != "press":
        faces += [step.get("play", "").partition(">")[0], step.get("answer"), step.get("top")]
    return [face for face in faces if face]


def some_state(game: Mauw, view: View) -> State:
    """A state with this view; the hidden cards are any of those that can be there."""
    if view["seat"] is None or view["end"] is not None:
        raise ParseError("Only the view of a player, in a game that goes on, has an action to find.")
    cards = unseen(game, view)
    hands = [
        [NAMES[cards.pop()] for _ in range(number if seat != view["seat"] else 0)]
        for seat, number in enumerate(view["hands"])
    ]
    hands[view["seat"]] = list(view["hand"])
    pile = [NAMES[cards.pop()] for _ in range(view["pile"])]
    document = {
        "hands": hands,
        "pile": {name: pile.count(name) for name in pile},
        **{field: view[field] for field in ("zones", "discards", "turn", "turns")},
    }
    if view["step"] is not None:
        document["step"] = view["step"]
    return game.decode(document)
