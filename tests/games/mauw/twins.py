"""Twins: a state and another that differs only in what one seat may not know.

A seat knows its hand, every open card, the discards and all numbers. What it does not see lies in other hands, in
the pile, or face down as a Mauw; a twin shuffles all those cards among these places. What was once done openly,
such as the turning of a pair, is in the log and not in the state, so every face of a Mauw is free.
"""

import random
from collections.abc import Callable, Iterator

from kemu.core.game import CHANCE, Seat
from kemu.games.mauw.actions import DEALER_ACTIONS, DISCARD_HAND, Action, card_from_hand
from kemu.games.mauw.documents import cards_seen
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import Card, Hand, State, count_cards, deck

Shuffle = Callable[[list[Card]], object]

TWINS = 3
"""How many twins `twins` looks for."""


def twins(game: Mauw, state: State, seat: Seat, source: random.Random) -> Iterator[State]:
    """States other than this one that differ from it only in what a seat, or a spectator, cannot see.

    Takes any state from the opening deal to the end, a seat of the game or SPECTATOR, and the source of the shuffles.
    Yields up to TWINS states, none where all hidden cards are alike. In each, every view and log line of the seat and
    its legal actions must be the same as in the state itself, and so must those of a spectator.
    """
    for _ in range(TWINS):
        other = twin(state, seat, source.shuffle)
        if other != state:
            yield other


def unseen(state: State, seat: Seat) -> list[Card]:
    """The cards a seat does not see: other hands, the pile, and the faces of the Mauw."""
    cards = [held for other, hand in enumerate(state.hands) if other != seat for held in hand]
    cards += [each for each, number in enumerate(state.pile) for _ in range(number)]
    faces = (whole - seen for whole, seen in zip(deck(len(state.hands)), cards_seen(state), strict=True))
    return cards + [each for each, number in enumerate(faces) for _ in range(number)]


def twin(state: State, seat: Seat, shuffle: Shuffle, held: dict[Seat, Hand] | None = None, piled: Hand = ()) -> State:
    """Another state that is the same for this seat; `held` and `piled` name cards that stay where they are."""
    held = held or {}
    cards = unseen(state, seat)
    for each in (*piled, *(each for hand in held.values() for each in hand)):
        cards.remove(each)
    shuffle(cards)
    hands = []
    for other, hand in enumerate(state.hands):
        kept = hand if other == seat else held.get(other, ())
        hands.append(tuple(sorted((*kept, *(cards.pop() for _ in range(len(hand) - len(kept)))))))
    pile = count_cards((*piled, *(cards.pop() for _ in range(sum(state.pile) - len(piled)))))
    return state._replace(hands=tuple(hands), pile=pile)


def twin_before(game: Mauw, state: State, action: Action, seat: Seat, shuffle: Shuffle) -> State:
    """A twin in which this action, or one that looks like it to the seat, is legal too."""
    actor = game.turn(state)
    if actor == CHANCE:
        assert isinstance(action, DEALER_ACTIONS)
        shown = not game.seen(state, action, seat).endswith("?")
        return twin(state, seat, shuffle, piled=(action.card,) if shown else ())
    if actor is None or actor == seat:
        return twin(state, seat, shuffle)
    # What is played or discarded openly was held; of the rest of that hand nothing is said.
    if action == DISCARD_HAND:
        return twin(state, seat, shuffle, held={actor: state.hands[actor]})
    card = card_from_hand(action)
    return twin(state, seat, shuffle, held=None if card is None else {actor: (card,)})


def looks_like(game: Mauw, state: State, action: Action, other: State, seat: Seat) -> Action:
    """The action of a twin that looks to this seat like an action of the state; it may be of another hidden card."""
    line = game.seen(state, action, seat)
    alike = [each for each in game.actions(other) if game.seen(other, each, seat) == line]
    return next((each for each in alike if each != action), action)
