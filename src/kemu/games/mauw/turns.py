"""How a turn goes on: what each action does to a state, in the order of rulings R7 and R8."""

from typing import Final

from kemu.core.game import Seat
from kemu.games.mauw.cards import MAUI, NONE, NOTHING, SPIRIT, Card, Hand, card, joker, minus, plus
from kemu.games.mauw.state import (
    HAND,
    LIMIT,
    NO_CARDS,
    REFILL,
    TAKE,
    THREE_COLUMNS,
    TURN,
    Action,
    Column,
    State,
    Step,
)
from kemu.games.mauw.zones import FULL_COLUMNS, changed, full, is_warrior, places

MOST_TURNS: Final = 500
"""After so many turns in all the game is over (R11)."""

MOST_ATTACKS: Final = 12
"""After so many attacking cards the attacker can only give in (R13)."""


def play(state: State, action: Action) -> State:
    """A card is played on a column; its player draws, and only then it has its effect."""
    _, face, owner, column = action
    attack = owner != state.turn and is_warrior(state.zones[owner][column])
    hands = _without(state.hands, state.turn, card(face))
    return _await_card(state, hands, Step("draw", face, owner, column, 1 if attack else 0))


def answer(state: State, played: Card) -> State:
    """The one attacked defends, or the attacker goes on, with an identical card or a joker."""
    name, face, owner, column, attacks, _ = state.step
    if name == "defend":
        return _await_card(
            state, _without(state.hands, owner, played), Step("parry", face, owner, column, attacks, played)
        )
    # A joker that continues an attack has the value of the first card (R6).
    face = joker(face) if played == MAUI else played
    return _await_card(state, _without(state.hands, state.turn, played), Step("draw", face, owner, column, attacks + 1))


def give_in(state: State) -> State:
    """The one attacked leaves the association to the attacker, or the attacker ends the turn."""
    return _take_effect(state) if state.step.name == "defend" else _end_turn(state)


def discard_hand(state: State) -> State:
    """The whole hand goes to the discards before four new cards are drawn (R15)."""
    cards = state.hands[state.turn]
    hands = (*state.hands[: state.turn], (), *state.hands[state.turn + 1 :])
    return _end_turn(state._replace(hands=hands, discards=plus(state.discards, *cards)))


def put(state: State, number: int) -> State:
    """The gain is put on an own column; the third column with three Mauw ends the game at once."""
    mauw = state.zones[state.turn][number].mauw
    zones = changed(state.zones, state.turn, number, Column(mauw + 1, state.step.face))
    if len(full(zones[state.turn])) >= FULL_COLUMNS:
        return state._replace(zones=zones, step=THREE_COLUMNS)
    return _end_turn(state._replace(zones=zones))


def draw(state: State, drawn: Card) -> State:
    """The dealer gives a card from the pile to whoever is to draw."""
    hands, zones, pile, discards, turn, turns, step = state
    seat = drawer(state)
    hand = tuple(sorted((*hands[seat], drawn)))
    hands = (*hands[:seat], hand, *hands[seat + 1 :])
    return _go_on(State(hands, zones, minus(pile, drawn), discards, turn, turns, step))


def take(state: State, taken: Card) -> State:
    """The dealer gives a Mauw; where no place is left for it, it goes to the discards face up (R7)."""
    state = state._replace(pile=minus(state.pile, taken))
    if places(state.zones[state.turn]):
        return state._replace(step=Step("put"))
    return _end_turn(state._replace(discards=plus(state.discards, taken)))


def drawer(state: State) -> Seat:
    """The seat that the next card of the dealer is for."""
    match state.step.name:
        case "parry":
            return state.step.owner
        case "refill":
            return _first_short(state)
        case "deal":
            dealt = sum(len(hand) for hand in state.hands)
            return dealt % len(state.hands)
    return state.turn


def start(state: State) -> Step:
    """A state at the start of a turn has come to one of the ends, in the order of R14, or awaits a card."""
    if any(len(full(zone)) >= FULL_COLUMNS for zone in state.zones):
        return THREE_COLUMNS
    if any(len(hand) < HAND for hand in state.hands):
        return NO_CARDS
    return LIMIT if state.turns >= MOST_TURNS else TURN


def _await_card(state: State, hands: tuple[Hand, ...], step: Step) -> State:
    """The dealer is to give a card; an empty pile is made of the discards, without any cards a draw fails."""
    _, zones, pile, discards, turn, turns, _ = state
    if pile != NONE:
        return State(hands, zones, pile, discards, turn, turns, step)
    state = State(hands, zones, discards, NONE, turn, turns, step)
    return state if discards != NONE else _go_on(state)


def _go_on(state: State) -> State:
    """What follows once a card was drawn, or could not be."""
    step = state.step
    match step.name:
        case "draw":
            return state._replace(step=step._replace(name="defend")) if step.attacks else _take_effect(state)
        case "parry":
            discards = plus(state.discards, card(step.face), step.answer)
            press = Step("press", step.face % 10, step.owner, step.column, step.attacks)
            return state._replace(discards=discards, step=press)
        case "deal":
            return state if any(len(hand) < HAND for hand in state.hands) else state._replace(step=TURN)
    return _end_turn(state)


def _take_effect(state: State) -> State:
    """The card that was played does what it was played for."""
    step = state.step
    mauw, top = state.zones[step.owner][step.column]
    if top == NOTHING:
        return _end_turn(state._replace(zones=changed(state.zones, step.owner, step.column, Column(mauw, step.face))))
    # Both cards leave their column first, so that it may take the gain.
    state = state._replace(zones=changed(state.zones, step.owner, step.column, Column(mauw)))
    if top % 10 == step.face % 10 != SPIRIT and places(state.zones[state.turn]):
        # With a joker in the pair it is the joker that is turned, and the other card stays open (R5).
        return state._replace(step=Step("put", top if step.face > MAUI else step.face))
    state = state._replace(discards=plus(state.discards, card(top), card(step.face)))
    return _end_turn(state) if top % 10 == step.face % 10 else _await_card(state, state.hands, TAKE)


def _end_turn(state: State) -> State:
    """Hands that are short are filled, beginning with the player whose turn it was (R8); then the next turn."""
    hands, zones, pile, discards, turn, turns, _ = state
    step = TURN
    if any(len(hand) < HAND for hand in hands):
        if pile != NONE or discards != NONE:
            return _await_card(state, hands, REFILL)
        step = NO_CARDS
    elif turns + 1 >= MOST_TURNS:
        step = LIMIT
    return State(hands, zones, pile, discards, (turn + 1) % len(hands), turns + 1, step)


def _first_short(state: State) -> Seat:
    seats = len(state.hands)
    return next(seat % seats for seat in range(state.turn, state.turn + seats) if len(state.hands[seat % seats]) < HAND)


def _without(hands: tuple[Hand, ...], seat: Seat, played: Card) -> tuple[Hand, ...]:
    hand = list(hands[seat])
    hand.remove(played)
    return (*hands[:seat], tuple(hand), *hands[seat + 1 :])
