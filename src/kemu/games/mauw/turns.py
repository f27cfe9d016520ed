"""The course of a turn: who acts, which actions are legal, and what each does, in the order of R7 and R8."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from kemu.core.game import CHANCE, Seat
from kemu.games.mauw import actions
from kemu.games.mauw import state as cards
from kemu.games.mauw.actions import Action, Answer, Draw, GiveIn, PlaceGain, PlayCard, TakeMauw
from kemu.games.mauw.state import Card, Column, Hand, State, Step

MOST_TURNS: Final = 500
"""Number of turns after which the game is over (R11)."""

MOST_ATTACKS: Final = 12
"""Number of attacking cards after which the attacker can only give in (R13)."""

DEALT: Final[Mapping[str, Sequence[Draw] | Sequence[TakeMauw]]] = {
    **dict.fromkeys(("deal", "draw", "parry", "refill"), actions.DRAWS),
    "take": actions.TAKES,
}
"""The steps in which the dealer acts, with the dealer's actions by card."""

SHARES: Final = tuple(
    tuple(Fraction(number, left) for number in range(min(left, 12) + 1)) if left else () for left in range(73)
)
"""Every probability there can be, by the cards in the pile and how many of them are alike."""


# Who acts, and what is legal


def to_act(state: State) -> Seat | None:
    """Return the seat to act, the dealer, or None once the game is over."""
    name = state.step.name
    if name in DEALT:
        return CHANCE
    if name == "defend":
        return state.step.owner
    return None if name in cards.ENDS else state.turn


def legal_actions(state: State) -> Sequence[Action]:
    """All legal actions: plays by zone, column and value; cards in the order 1…8, s, m."""
    name = state.step.name
    if name == "turn":
        return _plays(state) or (actions.DISCARD_HAND,)
    if name in DEALT:
        dealt = DEALT[name]
        return tuple(dealt[card] for card in cards.ORDER if state.pile[card])
    if name == "put":
        return tuple(actions.PLACEMENTS[column] for column in cards.gain_columns(state.zones[state.turn]))
    if name in ("defend", "press"):
        return (*(actions.ANSWERS[card] for card in _answers(state)), actions.GIVE_IN)
    return ()


def odds(state: State) -> Sequence[tuple[Action, Fraction]]:
    """Each card that the dealer may give; every single card of the pile is equally likely."""
    dealt = DEALT.get(state.step.name)
    if dealt is None:
        return ()
    share = SHARES[sum(state.pile)]
    return tuple((dealt[card], share[number]) for card in cards.ORDER if (number := state.pile[card]))


def is_legal(state: State, action: Action) -> bool:
    """Whether an action is one of `legal_actions`, without listing the plays and draws."""
    name = state.step.name
    if isinstance(action, actions.DEALER_ACTIONS):
        return name in DEALT and (name == "take") == isinstance(action, TakeMauw) and state.pile[action.card] > 0
    if isinstance(action, PlayCard):
        if name != "turn":
            return False
        faces = cards.playable(state.hands[state.turn])
        column = state.zones[action.owner][action.column]
        return action.face in (faces.own if action.owner == state.turn else faces.enemy)[column]
    return action in legal_actions(state)


def drawer(state: State) -> Seat:
    """The seat that the dealer's next card is for."""
    match state.step.name:
        case "parry":
            return state.step.owner
        case "refill":
            return _first_short(state)
        case "deal":
            dealt = sum(len(hand) for hand in state.hands)
            return dealt % len(state.hands)
    return state.turn


def _plays(state: State) -> list[Action]:
    own, enemy = cards.playable(state.hands[state.turn])
    found: list[Action] = []
    for owner, zone in enumerate(state.zones):
        faces = own if owner == state.turn else enemy
        for column, plays in zip(zone, actions.PLAYS[owner], strict=True):
            for face in faces[column]:
                found.append(plays[face])
    return found


def _answers(state: State) -> tuple[Card, ...]:
    """The cards that may answer in an attack: identical to the attacking one, or a joker (R6)."""
    step = state.step
    if step.name == "press" and step.attacks >= MOST_ATTACKS:
        return ()
    hand = state.hands[step.owner if step.name == "defend" else state.turn]
    return tuple(card for card in (step.face % 10, cards.MAUI) if card in hand)


# What an action does


def apply(state: State, action: Action) -> State:
    """The state after an action that is legal; whether it is, `is_legal` says."""
    match action:
        case Draw(card):
            return _draw(state, card)
        case PlayCard():
            return _play(state, action)
        case TakeMauw(card):
            return _take(state, card)
        case PlaceGain(column):
            return _place(state, column)
        case Answer(card):
            return _answer(state, card)
        case GiveIn():
            # The defender leaves the association to the attacker, or the attacker ends the turn.
            return _take_effect(state) if state.step.name == "defend" else _end_turn(state)
    return discard_hand(state)


def discard_hand(state: State) -> State:
    """The whole hand goes to the discard pile before four new cards are drawn (R15)."""
    hands = (*state.hands[: state.turn], (), *state.hands[state.turn + 1 :])
    return _end_turn(state._replace(hands=hands, discards=cards.add_cards(state.discards, *state.hands[state.turn])))


def start_step(state: State) -> Step:
    """The step of a state at the start of a turn: one of the ends, in the order of R14, or TURN."""
    if any(len(cards.full_columns(zone)) >= cards.FULL_COLUMNS for zone in state.zones):
        return Step("three-columns")
    if any(len(hand) < cards.HAND for hand in state.hands):
        return Step("no-cards")
    return Step("limit") if state.turns >= MOST_TURNS else cards.TURN


def _play(state: State, play: PlayCard) -> State:
    """A card is played on a column; its player draws, and only then it takes effect."""
    attack = play.owner != state.turn and cards.has_warrior(state.zones[play.owner][play.column])
    hands = _without(state.hands, state.turn, cards.card_of(play.face))
    return _await_card(state, hands, Step("draw", play.face, play.owner, play.column, 1 if attack else 0))


def _answer(state: State, played: Card) -> State:
    """Defend, or attack again, with an identical card or a joker."""
    name, face, owner, column, attacks, _ = state.step
    if name == "defend":
        step = Step("parry", face, owner, column, attacks, played)
        return _await_card(state, _without(state.hands, owner, played), step)
    # A joker that continues an attack has the value of the first card (R6).
    face = cards.joker_face(face) if played == cards.MAUI else played
    return _await_card(state, _without(state.hands, state.turn, played), Step("draw", face, owner, column, attacks + 1))


def _place(state: State, number: int) -> State:
    """The gain is put on an own column; the third column with three Mauw ends the game at once."""
    mauw = state.zones[state.turn][number].mauw
    zones = cards.with_column(state.zones, state.turn, number, Column(mauw + 1, state.step.face))
    if len(cards.full_columns(zones[state.turn])) >= cards.FULL_COLUMNS:
        return state._replace(zones=zones, step=Step("three-columns"))
    return _end_turn(state._replace(zones=zones))


def _draw(state: State, drawn: Card) -> State:
    """A draw: the dealer gives a card from the pile to the seat that draws."""
    hands, zones, pile, discards, turn, turns, step = state
    seat = drawer(state)
    hand = tuple(sorted((*hands[seat], drawn)))
    hands = (*hands[:seat], hand, *hands[seat + 1 :])
    return _go_on(State(hands, zones, cards.remove_card(pile, drawn), discards, turn, turns, step))


def _take(state: State, taken: Card) -> State:
    """The dealer gives a Mauw; one that finds no place goes to the discard pile face up (R7)."""
    state = state._replace(pile=cards.remove_card(state.pile, taken))
    if cards.gain_columns(state.zones[state.turn]):
        return state._replace(step=Step("put"))
    return _end_turn(state._replace(discards=cards.add_cards(state.discards, taken)))


def _await_card(state: State, hands: tuple[Hand, ...], step: Step) -> State:
    """The dealer is to give a card; an empty pile is made of the discards, without any cards the draw fails."""
    _, zones, pile, discards, turn, turns, _ = state
    if pile != cards.EMPTY_COUNTS:
        return State(hands, zones, pile, discards, turn, turns, step)
    state = State(hands, zones, discards, cards.EMPTY_COUNTS, turn, turns, step)
    return state if discards != cards.EMPTY_COUNTS else _go_on(state)


def _go_on(state: State) -> State:
    """Continue after a card was drawn or could not be drawn."""
    step = state.step
    match step.name:
        case "draw":
            return state._replace(step=step._replace(name="defend")) if step.attacks else _take_effect(state)
        case "parry":
            discards = cards.add_cards(state.discards, cards.card_of(step.face), step.answer)
            press = Step("press", step.face % 10, step.owner, step.column, step.attacks)
            return state._replace(discards=discards, step=press)
        case "deal":
            return state if any(len(hand) < cards.HAND for hand in state.hands) else state._replace(step=cards.TURN)
    return _end_turn(state)


def _take_effect(state: State) -> State:
    """The played card is laid on its column, unblocks it, or is associated with its top."""
    step = state.step
    mauw, top = state.zones[step.owner][step.column]
    if top == cards.NO_FACE:
        column = Column(mauw, step.face)
        return _end_turn(state._replace(zones=cards.with_column(state.zones, step.owner, step.column, column)))
    # Both cards leave their column first, so that it may take the gain.
    state = state._replace(zones=cards.with_column(state.zones, step.owner, step.column, Column(mauw)))
    if top % 10 == step.face % 10 != cards.SPIRIT and cards.gain_columns(state.zones[state.turn]):
        # With a joker in the pair it is the joker that is turned, and the other card stays open (R5).
        return state._replace(step=Step("put", top if step.face > cards.MAUI else step.face))
    state = state._replace(discards=cards.add_cards(state.discards, cards.card_of(top), cards.card_of(step.face)))
    return _end_turn(state) if top % 10 == step.face % 10 else _await_card(state, state.hands, Step("take"))


def _end_turn(state: State) -> State:
    """Hands that are short are refilled, beginning with the player whose turn it was (R8); then the next turn."""
    hands, zones, pile, discards, turn, turns, _ = state
    step = cards.TURN
    if any(len(hand) < cards.HAND for hand in hands):
        if pile != cards.EMPTY_COUNTS or discards != cards.EMPTY_COUNTS:
            return _await_card(state, hands, Step("refill"))
        step = Step("no-cards")
    elif turns + 1 >= MOST_TURNS:
        step = Step("limit")
    return State(hands, zones, pile, discards, (turn + 1) % len(hands), turns + 1, step)


def _first_short(state: State) -> Seat:
    """The first seat with fewer than four cards, from the player whose turn it is."""
    seats = len(state.hands)
    return next(
        seat % seats for seat in range(state.turn, state.turn + seats) if len(state.hands[seat % seats]) < cards.HAND
    )


def _without(hands: tuple[Hand, ...], seat: Seat, played: Card) -> tuple[Hand, ...]:
    hand = list(hands[seat])
    hand.remove(played)
    return (*hands[:seat], tuple(hand), *hands[seat + 1 :])
