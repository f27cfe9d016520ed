"""How likely a hand is by what its holder did: the hand model of the search of MAUW.

Of each seat the last decisions are remembered, each as a table: what weight in the softmax of the policy every card
would have had in the position of then. The hand of a determinized state is followed back, one decision after the
other: a card that was drawn since leaves it, the card that was shown comes back, and the policy says how likely this
hand would have done what its holder did.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.kernel import accepted_mask, actor, is_repeated
from kemu.engines.mauw.layout import Numbers, Reals, first_place, owner_of, play_action, played_face, played_place
from kemu.engines.mauw.policy import EACH, Floats, Standing, card_of_action, hand_bits, logit, standing_of
from kemu.engines.words import ONE, below, lowest
from kemu.games.mauw.state import MAUI, NO_FACE
from kemu.games.mauw.turns import MOST_ATTACKS

REMEMBERED: Final = 4
"""Number of decisions remembered for each seat."""

BITS: Final = 4
"""Number of values of the two bits of a hand that count for a card."""


class Memory(NamedTuple):
    """The last decisions of each seat, the latest first."""

    counts: Numbers  # by seat: how many are remembered
    shown: Numbers  # by seat and decision: the card that was shown, NO_FACE if none
    drawn: Numbers  # by seat and decision: how many cards the seat drew after it, until the next one
    masses: Reals  # by seat, decision, card and bits of the hand: the weight of all that the card could have done
    taken: Reals  # by seat, decision and bits of the hand: the weight of what was done
    free: Reals  # by seat and decision: the weight of what needs no card


@compiled
def empty_memory() -> Memory:
    """A memory of nothing."""
    return Memory(
        np.zeros(layout.MOST_PLAYERS, np.int64),
        np.zeros((layout.MOST_PLAYERS, REMEMBERED), np.int64),
        np.zeros((layout.MOST_PLAYERS, REMEMBERED), np.int64),
        np.zeros((layout.MOST_PLAYERS, REMEMBERED, layout.CARDS, BITS)),
        np.zeros((layout.MOST_PLAYERS, REMEMBERED, BITS)),
        np.zeros((layout.MOST_PLAYERS, REMEMBERED)),
    )


@no_refcount
def weight_of(state: Numbers, standing: Standing, action: int, bits: int, policy: Floats, rows: Numbers) -> float:
    """The weight of an action in the softmax, for a hand with these bits."""
    total = logit(state, standing, action, bits, policy, rows)
    return float(np.exp(min(max(total, np.float32(-30.0)), np.float32(30.0))))


@no_refcount
def first_alike(state: Numbers, action: int) -> int:
    """The play of the same face on the first of the equal columns of a zone; only that one is a choice."""
    place = played_place(action)
    for other in range(first_place(owner_of(place)), place):
        if state[layout.COLUMNS + other] == state[layout.COLUMNS + place]:
            return play_action(other, played_face(action))
    return action


@no_refcount
def weigh_plays(state: Numbers, standing: Standing, policy: Floats, rows: Numbers, masses: Reals) -> None:
    """Write the weight of all plays of each card; `rows` is a buffer."""
    for place in range(layout.PLACES * state[layout.PLAYERS]):
        rest = accepted_mask(state, place)
        if is_repeated(state, place):
            continue
        while rest:
            face = lowest(rest)
            rest &= rest - ONE
            for bits in range(BITS):
                weight = weight_of(state, standing, play_action(place, face), bits, policy, rows)
                masses[layout.CARD_OF[face], bits] += weight


@no_refcount
def weigh_answers(state: Numbers, standing: Standing, policy: Floats, rows: Numbers, masses: Reals) -> None:
    """Write the weight of each card that may answer in an attack; `rows` is a buffer."""
    if state[layout.STEP] == layout.DEFEND or state[layout.ATTACKS] < MOST_ATTACKS:
        for card in (int(layout.VALUE_OF[state[layout.FACE]]), MAUI):
            for bits in range(BITS):
                masses[card, bits] = weight_of(state, standing, layout.ANSWER + card, bits, policy, rows)


@compiled
def remember(memory: Memory, at: int, state: Numbers, action: int, policy: Floats) -> None:
    """Write a play or an answer in an attack as a decision of the seat that acts; its hand does not matter."""
    rows, standing = np.empty(EACH, np.int64), standing_of(state)
    seat = standing.seat
    if state[layout.STEP] == layout.AT_TURN:
        weigh_plays(state, standing, policy, rows, memory.masses[seat, at])
        action = first_alike(state, action)
    else:
        weigh_answers(state, standing, policy, rows, memory.masses[seat, at])
        memory.free[seat, at] = weight_of(state, standing, layout.GIVE_IN, 0, policy, rows)
    memory.shown[seat, at] = card_of_action(state, action)
    for bits in range(BITS):
        memory.taken[seat, at, bits] = weight_of(state, standing, action, bits, policy, rows)


@no_refcount
def lose_card(hand: Numbers, size: int, stream: np.uint64) -> np.uint64:
    """Takes any of the cards out of a hand of this size."""
    ticket, stream = below(size, stream)
    card = 0
    while ticket >= hand[card]:
        ticket -= hand[card]
        card += 1
    hand[card] -= 1
    return stream


@no_refcount
def chance_of(memory: Memory, seat: int, at: int, hand: Numbers) -> float:
    """How likely this hand takes a remembered decision, for each copy of the card that it shows."""
    total = memory.free[seat, at]
    for card in range(layout.CARDS):
        if hand[card]:
            total += memory.masses[seat, at, card, hand_bits(hand, 0, card)]
    shown = memory.shown[seat, at]
    if shown == NO_FACE:
        return float(memory.taken[seat, at, 0] / total)
    # A deal that is drawn uniformly is likelier the more copies it has of what was shown; the policy is not.
    return float(memory.taken[seat, at, hand_bits(hand, 0, int(shown))] / (total * hand[shown]))


@no_refcount
def likelihood(memory: Memory, state: Numbers, hand: Numbers, stream: np.uint64) -> tuple[float, np.uint64]:
    """Return how likely all seats but the one that acts would have done what they did, with the hands of a state.

    `hand` is a buffer for CARDS numbers. The stream is returned too.
    """
    found, acting = 1.0, actor(state)
    for seat in range(state[layout.PLAYERS]):
        count = memory.counts[seat]
        if seat == acting or count == 0:
            continue
        size = int(state[layout.SIZES + seat])
        for card in range(layout.CARDS):
            hand[card] = state[layout.HELD + layout.CARDS * seat + card]
        for at in range(count):
            for _ in range(memory.drawn[seat, at]):
                if size:
                    stream = lose_card(hand, size, stream)
                    size -= 1
            if memory.shown[seat, at] != NO_FACE:
                hand[memory.shown[seat, at]] += 1
                size += 1
            found *= chance_of(memory, seat, at, hand)
    return found, stream
