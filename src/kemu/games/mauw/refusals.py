"""Why an action is not legal, in one sentence that tells no more than the acting seat knows."""

from kemu.core.document import quote
from kemu.games.mauw.cards import MAUI, NAMES, NINE, NOTHING, SPIRIT, card
from kemu.games.mauw.legal import DEALT, to_act
from kemu.games.mauw.notation import format_action, is_action
from kemu.games.mauw.state import DISCARD, ENDS, LETTERS, PLAY, Action, State, Step
from kemu.games.mauw.turns import MOST_ATTACKS
from kemu.games.mauw.zones import is_warrior, place_name, places


def refusal(state: State, action: object) -> str:
    """Why this value is refused."""
    if not is_action(action, len(state.hands)):
        return f"{quote(action)} is no action of this game."
    assert isinstance(action, Action)
    text, step = format_action(action), state.step
    if step.name == "turn":
        return _no_play(state, action)
    if step.name in ENDS:
        return "The game is over."
    if step.name in DEALT:
        # Which cards are left in the pile is nobody's to know, so there is one sentence for them all.
        return f"The dealer gives a card now, and {text} is not one that can be given."
    player = f"Player {(to_act(state) or 0) + 1}"
    if step.name == "put":
        columns = " or ".join(f"+{LETTERS[column]}" for column in places(state.zones[state.turn]))
        return f"{player} is to put the gain down with {columns}, not {text}."
    return f"{player} {_answer_wanted(step)}, not {text}."


def _answer_wanted(step: Step) -> str:
    if step.name == "press" and step.attacks >= MOST_ATTACKS:
        return f"can only give in with - after {MOST_ATTACKS} attacking cards"
    value = step.face % 10
    verb = "defends" if step.name == "defend" else "goes on attacking"
    return f"{verb} with !{value} or !m from the hand, or gives in with -"


def _no_play(state: State, action: Action) -> str:
    """Why this is no play for the player whose turn it is."""
    player = f"Player {state.turn + 1}"
    if action == DISCARD:
        return f"{player} can play a card, and x is legal only if nothing else is."
    if action.sign != PLAY:
        return f"{player} is to play a card, such as 7>1B, not {format_action(action)}."
    played = card(action.face)
    if played not in state.hands[state.turn]:
        return f"{player} holds no {NAMES[played]}."
    return _no_fit(state, action)


def _no_fit(state: State, action: Action) -> str:
    """Why the card cannot lie on the column: one sentence for each of R2 and R3."""
    column = state.zones[action.owner][action.column]
    own = action.owner == state.turn
    place = place_name(action.owner, action.column)
    if is_warrior(column):
        value = column.top % 10
        return f"On the {value} of {place} goes only a {value} or a {NINE - value}."
    if column.top != NOTHING:
        return f"On the spirit of {place} goes only a spirit of player {action.owner + 1}, who is blocked by it."
    if not own:
        return f"Nothing goes on the enemy's empty place {place}."
    assert action.face % (MAUI + 1) == SPIRIT
    return f"A spirit goes neither on an own empty place nor on own bare Mauw, as {place} is."
