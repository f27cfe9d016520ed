"""How likely a hand is by what its holder did: the hand model of the search of MAUW.

Of each seat the last decisions are remembered, each as a table: what weight in the softmax of the policy every card
would have had in the position of then. The hand of a determinized state is followed back, one decision after the
other: a card that was drawn since leaves it, the card that was shown comes back, and the policy says how likely this
hand would have done what its holder did.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import ONE, below, borrowing, compiled, lowest
from kemu.engines.mauw.layout import (
    ANSWER,
    AT_PUT,
    AT_TURN,
    ATTACKS,
    CARDS,
    COLUMNS,
    DEFEND,
    DISCARD,
    FACE,
    GIVE_IN,
    HELD,
    MOST_PLAYERS,
    PLACES,
    PLAYERS,
    SIZES,
    STEP,
    Numbers,
    Reals,
    first_place,
    owner_of,
    play_action,
    played_face,
    played_place,
)
from kemu.engines.mauw.legal import accepted_mask, actor
from kemu.engines.mauw.playouts import is_repeated
from kemu.engines.mauw.policy import EACH, Floats, Standing, list_rows, standing_of
from kemu.engines.mauw.tables import CARD_OF, VALUE_OF
from kemu.games.mauw.state import MAUI, NINE, NO_FACE
from kemu.games.mauw.turns import MOST_ATTACKS

REMEMBERED: Final = 4
"""So many decisions of each seat are remembered."""

BITS: Final = 4
"""So many values have the two bits of a hand that count for a card."""


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
        np.zeros(MOST_PLAYERS, np.int64),
        np.zeros((MOST_PLAYERS, REMEMBERED), np.int64),
        np.zeros((MOST_PLAYERS, REMEMBERED), np.int64),
        np.zeros((MOST_PLAYERS, REMEMBERED, CARDS, BITS)),
        np.zeros((MOST_PLAYERS, REMEMBERED, BITS)),
        np.zeros((MOST_PLAYERS, REMEMBERED)),
    )


@borrowing
def push(memory: Memory, seat: int) -> None:
    """Makes room for a decision of a seat, the oldest one is forgotten."""
    for at in range(REMEMBERED - 1, 0, -1):
        memory.shown[seat, at] = memory.shown[seat, at - 1]
        memory.drawn[seat, at] = memory.drawn[seat, at - 1]
        memory.free[seat, at] = memory.free[seat, at - 1]
        for bits in range(BITS):
            memory.taken[seat, at, bits] = memory.taken[seat, at - 1, bits]
            for card in range(CARDS):
                memory.masses[seat, at, card, bits] = memory.masses[seat, at - 1, card, bits]
    memory.drawn[seat, 0] = 0
    memory.free[seat, 0] = 0.0
    for bits in range(BITS):
        memory.taken[seat, 0, bits] = 0.0
        for card in range(CARDS):
            memory.masses[seat, 0, card, bits] = 0.0
    memory.counts[seat] = min(memory.counts[seat] + 1, REMEMBERED)


@borrowing
def weight_of(state: Numbers, standing: Standing, action: int, bits: int, policy: Floats, rows: Numbers) -> float:
    """The weight of an action in the softmax, for a hand with these bits."""
    list_rows(state, standing, action, bits, rows)
    total = np.float32(0.0)
    for at in range(EACH):
        total += policy[rows[at]]
    return float(np.exp(min(max(total, np.float32(-30.0)), np.float32(30.0))))


@borrowing
def first_alike(state: Numbers, action: int) -> int:
    """The play of the same face on the first of the equal columns of a zone; only that one is a choice."""
    place = played_place(action)
    for other in range(first_place(owner_of(place)), place):
        if state[COLUMNS + other] == state[COLUMNS + place]:
            return play_action(other, played_face(action))
    return action


@borrowing
def remember_play(memory: Memory, state: Numbers, action: int, policy: Floats, rows: Numbers) -> None:
    """Writes the tables of a play as the latest decision of the seat whose turn it is."""
    standing = standing_of(state)
    seat = standing.seat
    for place in range(PLACES * state[PLAYERS]):
        rest = accepted_mask(state, place)
        if is_repeated(state, place):
            continue
        while rest:
            face = lowest(rest)
            rest &= rest - ONE
            for bits in range(BITS):
                weight = weight_of(state, standing, play_action(place, face), bits, policy, rows)
                memory.masses[seat, 0, CARD_OF[face], bits] += weight
    action = first_alike(state, action)
    memory.shown[seat, 0] = CARD_OF[played_face(action)]
    for bits in range(BITS):
        memory.taken[seat, 0, bits] = weight_of(state, standing, action, bits, policy, rows)


@borrowing
def remember_answer(memory: Memory, state: Numbers, action: int, policy: Floats, rows: Numbers) -> None:
    """Writes the tables of an answer in an attack as the latest decision of the seat that acts."""
    standing = standing_of(state)
    seat, value = standing.seat, int(VALUE_OF[state[FACE]])
    memory.free[seat, 0] = weight_of(state, standing, GIVE_IN, 0, policy, rows)
    if state[STEP] == DEFEND or state[ATTACKS] < MOST_ATTACKS:
        for bits in range(BITS):
            memory.masses[seat, 0, value, bits] = weight_of(state, standing, ANSWER + value, bits, policy, rows)
            memory.masses[seat, 0, MAUI, bits] = weight_of(state, standing, ANSWER + MAUI, bits, policy, rows)
    memory.shown[seat, 0] = NO_FACE if action == GIVE_IN else action - ANSWER
    for bits in range(BITS):
        memory.taken[seat, 0, bits] = weight_of(state, standing, action, bits, policy, rows)


@borrowing
def remember(memory: Memory, state: Numbers, action: int, policy: Floats, rows: Numbers) -> None:
    """Remembers what the seat that acts does in a state, of which its hand does not matter; `rows` is a buffer.

    Where a gain is placed says nothing of the hand, and after a hand was discarded whole nothing of before counts.
    """
    seat = actor(state)
    if action == DISCARD:
        memory.counts[seat] = 0
    elif state[STEP] == AT_TURN:
        push(memory, seat)
        remember_play(memory, state, action, policy, rows)
    elif state[STEP] != AT_PUT:
        push(memory, seat)
        remember_answer(memory, state, action, policy, rows)


@borrowing
def remember_draws(memory: Memory, seat: int, number: int) -> None:
    """Remembers that a seat drew so many cards."""
    if memory.counts[seat]:
        memory.drawn[seat, 0] += number


@borrowing
def bits_in(hand: Numbers, card: int) -> int:
    """The two bits of a hand that count for a card of it, as policy.hand_bits has them."""
    bits = 1 if hand[card] > 1 else 0
    if 0 < card < NINE and hand[NINE - card]:
        bits += 2
    return bits


@borrowing
def lose_card(hand: Numbers, size: int, stream: np.uint64) -> np.uint64:
    """Takes any of the cards out of a hand of this size."""
    ticket, stream = below(size, stream)
    card = 0
    while ticket >= hand[card]:
        ticket -= hand[card]
        card += 1
    hand[card] -= 1
    return stream


@borrowing
def chance_of(memory: Memory, seat: int, at: int, hand: Numbers) -> float:
    """How likely this hand takes a remembered decision, for each copy of the card that it shows."""
    total = memory.free[seat, at]
    for card in range(CARDS):
        if hand[card]:
            total += memory.masses[seat, at, card, bits_in(hand, card)]
    shown = memory.shown[seat, at]
    if shown == NO_FACE:
        return float(memory.taken[seat, at, 0] / total)
    # A deal that is drawn uniformly is likelier the more copies it has of what was shown; the policy is not.
    return float(memory.taken[seat, at, bits_in(hand, int(shown))] / (total * hand[shown]))


@borrowing
def likelihood(
    memory: Memory, state: Numbers, trust: float, hand: Numbers, stream: np.uint64
) -> tuple[float, np.uint64]:
    """How likely all seats but the one that acts would have done what they did, with the hands of a state.

    Each chance is raised to the power of `trust`; `hand` is a buffer for CARDS numbers. Returns the stream, too.
    """
    found, acting = 1.0, actor(state)
    for seat in range(state[PLAYERS]):
        count = memory.counts[seat]
        if seat == acting or count == 0:
            continue
        size = int(state[SIZES + seat])
        for card in range(CARDS):
            hand[card] = state[HELD + CARDS * seat + card]
        for at in range(count):
            for _ in range(memory.drawn[seat, at]):
                if size:
                    stream = lose_card(hand, size, stream)
                    size -= 1
            if memory.shown[seat, at] != NO_FACE:
                hand[memory.shown[seat, at]] += 1
                size += 1
            found *= chance_of(memory, seat, at, hand)
    return found**trust, stream


@compiled
def recall(memory: Memory, states: Numbers, actions: Numbers, drawn: Numbers, policy: Floats) -> None:
    """Remembers decisions in their order; after each, the seat that took it drew so many cards before its next one."""
    rows = np.empty(EACH, np.int64)
    for at in range(actions.shape[0]):
        seat = actor(states[at])
        remember(memory, states[at], actions[at], policy, rows)
        remember_draws(memory, seat, drawn[at])
