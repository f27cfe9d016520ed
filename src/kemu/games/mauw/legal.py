"""Who acts, which actions are legal, and how likely each of the dealer's is."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from kemu.core.game import CHANCE, Seat
from kemu.games.mauw.cards import MAUI, ORDER, Card
from kemu.games.mauw.notation import ANSWERS, DRAWS, PLAYS, PUTS, TAKES
from kemu.games.mauw.state import DISCARD, DRAW, ENDS, GIVE_IN, PLAY, TAKE_MAUW, Action, State
from kemu.games.mauw.turns import MOST_ATTACKS
from kemu.games.mauw.zones import places, playable

DEALT: Final = {"deal": DRAWS, "draw": DRAWS, "parry": DRAWS, "refill": DRAWS, "take": TAKES}
"""The steps in which the dealer acts, with what the dealer may do."""


def to_act(state: State) -> Seat | None:
    """Who acts now."""
    name = state.step.name
    if name in DEALT:
        return CHANCE
    if name == "defend":
        return state.step.owner
    return None if name in ENDS else state.turn


def actions(state: State) -> Sequence[Action]:
    """All legal actions: plays by zone, column and value; cards in the order 1…8, s, m."""
    name = state.step.name
    if name == "turn":
        return _plays(state) or (DISCARD,)
    if name in DEALT:
        return tuple(DEALT[name][card] for card in ORDER if state.pile[card])
    if name == "put":
        return tuple(PUTS[column] for column in places(state.zones[state.turn]))
    if name in ("defend", "press"):
        return (*(ANSWERS[card] for card in _answers(state)), GIVE_IN)
    return ()


def odds(state: State) -> Sequence[tuple[Action, Fraction]]:
    """Each card that the dealer may give; every single card of the pile is equally likely."""
    dealt = DEALT.get(state.step.name)
    if dealt is None:
        return ()
    share = SHARES[sum(state.pile)]
    return tuple((dealt[card], share[number]) for card in ORDER if (number := state.pile[card]))


SHARES: Final = tuple(
    tuple(Fraction(number, cards) for number in range(min(cards, 12) + 1)) if cards else () for cards in range(73)
)
"""Every probability there can be, by the cards in the pile and how many of them are alike."""


def is_legal(state: State, action: Action) -> bool:
    """Whether an action is one of `actions`, without listing them."""
    name = state.step.name
    sign, face, owner, column = action
    if sign == PLAY:
        if name != "turn":
            return False
        offers = playable(state.hands[state.turn])
        return face in (offers.own if owner == state.turn else offers.enemy)[state.zones[owner][column]]
    if sign in (DRAW, TAKE_MAUW):
        return name in DEALT and DEALT[name][face] == action and state.pile[face] > 0
    return action in actions(state)


def _plays(state: State) -> list[Action]:
    seat = state.turn
    own, enemy = playable(state.hands[seat])
    found = []
    for owner, zone in enumerate(state.zones):
        offers = own if owner == seat else enemy
        for column, plays in zip(zone, PLAYS[owner], strict=True):
            for face in offers[column]:
                found.append(plays[face])
    return found


def _answers(state: State) -> tuple[Card, ...]:
    """The cards that may answer in an attack: identical to the attacking one, or a joker (R6)."""
    step = state.step
    if step.name == "press" and step.attacks >= MOST_ATTACKS:
        return ()
    hand = state.hands[step.owner if step.name == "defend" else state.turn]
    return tuple(card for card in (step.face % 10, MAUI) if card in hand)
