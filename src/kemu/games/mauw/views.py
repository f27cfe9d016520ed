"""What each seat may know (R12), now and in the log; whatever is not named here stays secret."""

from kemu.core.document import Document
from kemu.core.game import Seat
from kemu.games.mauw.cards import listed
from kemu.games.mauw.documents import write_counts, write_step, write_zone
from kemu.games.mauw.legal import DEALT, to_act
from kemu.games.mauw.notation import format_action
from kemu.games.mauw.state import DRAW, ENDS, TAKE_MAUW, Action, State
from kemu.games.mauw.turns import drawer
from kemu.games.mauw.zones import places, score, worth


def view(state: State, seat: Seat) -> Document:
    """Own hand, every open card, the number of Mauw, the discards, and how many cards lie and are held hidden."""
    step = state.step
    known: Document = {
        "seat": seat if seat in range(len(state.hands)) else None,
        "hand": listed(state.hands[seat]) if seat in range(len(state.hands)) else None,
        "hands": [len(hand) for hand in state.hands],
        "zones": [write_zone(zone) for zone in state.zones],
        "worths": [[worth(column) for column in zone] for zone in state.zones],
        "scores": [score(zone) for zone in state.zones],
        "pile": sum(state.pile),
        "discards": write_counts(state.discards),
        "turn": state.turn,
        "turns": state.turns,
        "to_act": to_act(state),
        "step": write_step(step) if step.name not in ("turn", *ENDS) else None,
        "end": step.name if step.name in ENDS else None,
    }
    if step.name in DEALT and step.name != "take":
        known["drawer"] = drawer(state)
    return known


def seen(state: State, action: Action, seat: Seat) -> str:
    """A drawn card is seen by whoever draws it, a Mauw by nobody, or by all if it finds no place (R7)."""
    if action.sign == DRAW and seat != drawer(state):
        return "~?"
    if action.sign == TAKE_MAUW and places(state.zones[state.turn]):
        return "^?"
    return format_action(action)
