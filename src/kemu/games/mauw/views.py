"""What a seat may know (R12): its view of a state, and its log line for an action.

Whatever is not written here stays secret: other hands, the composition of the pile, and the faces of the Mauw.
"""

from typing import NotRequired, TypedDict

from kemu.core.game import Seat
from kemu.games.mauw.actions import Action, Draw, TakeMauw, format_action
from kemu.games.mauw.documents import ColumnDocument, StepDocument, write_step, write_zone
from kemu.games.mauw.state import ENDS, CardName, EndName, State, gain_columns, score, worth, write_cards, write_counts
from kemu.games.mauw.turns import DEALT, drawer, to_act


class View(TypedDict):
    """The view of a seat; `seat` and `hand` are null for a spectator."""

    seat: int | None
    hand: list[CardName] | None  # the own cards, in the order 1…8, s, m
    hands: list[int]  # the number of cards in each hand
    zones: list[list[ColumnDocument]]  # by seat, four columns each
    worths: list[list[int]]  # by seat, what each column is worth
    scores: list[int]
    pile: int  # the number of cards in the pile
    discards: dict[CardName, int]  # how many of each card are on the discard pile; missing cards have no entry
    turn: int  # the seat whose turn it is
    turns: int  # the turns played
    to_act: int | None  # a seat, -1 for the dealer, null once the game is over
    step: StepDocument | None  # null at the start of a turn and once the game is over
    end: EndName | None
    drawer: NotRequired[int]  # who gets the card that the dealer is to give; only there while one is to be drawn


def view(state: State, seat: Seat) -> View:
    """All that a seat, or a spectator, may know now."""
    seated = seat in range(len(state.hands))
    name = state.step.name
    known: View = {
        "seat": seat if seated else None,
        "hand": write_cards(state.hands[seat]) if seated else None,
        "hands": [len(hand) for hand in state.hands],
        "zones": [write_zone(zone) for zone in state.zones],
        "worths": [[worth(column) for column in zone] for zone in state.zones],
        "scores": [score(zone) for zone in state.zones],
        "pile": sum(state.pile),
        "discards": write_counts(state.discards),
        "turn": state.turn,
        "turns": state.turns,
        "to_act": to_act(state),
        "step": write_step(state.step),
        "end": name if name in ENDS else None,
    }
    if name in DEALT and name != "take":
        known["drawer"] = drawer(state)
    return known


def seen(state: State, action: Action, seat: Seat) -> str:
    """The log line of a seat for an action taken in this state.

    A drawn card is seen by its drawer alone, a Mauw by nobody, or by all if it finds no place (R7).
    """
    if isinstance(action, Draw) and seat != drawer(state):
        return "~?"
    if isinstance(action, TakeMauw) and gain_columns(state.zones[state.turn]):
        return "^?"
    return format_action(action)
