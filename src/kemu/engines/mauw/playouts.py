"""Playouts on the kernel: a turn is played to its end by the action that gains most at once, with some noise.

Gains are in points of the score, for the seat that acts: the change of its own score less that of the enemy concerned.
An attack counts as if it were not answered, a gain as if it were placed where it is worth most.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import below, no_refcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.kernel import actor, apply, list_choices
from kemu.engines.mauw.layout import Numbers, Reals, first_place, full_columns, mauw_of, owner_of, score, top_of
from kemu.games.mauw.state import FULL_COLUMNS, MAUI, MOST_MAUW, NINE, NO_FACE

JOKER_COST: Final = 8.0
"""What a joker is worth in the hand, in points."""

DECISIVE: Final = 400.0
"""More than any gain: the third full column ends the game, well for the leader and badly for anybody else."""

DEFENCE: Final = 20.0
"""The gain of any answer in an attack, in points."""

NOISE: Final = 10.0
"""Points of noise that are added to a gain at most."""


@no_refcount
def random_card(state: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """Return the dealer's action, each single card of the pile equally likely, and the stream."""
    ticket, stream = below(state[layout.PILED], stream)
    card = 0
    while ticket >= state[layout.PILE + card]:
        ticket -= state[layout.PILE + card]
        card += 1
    return layout.GIVE + card, stream


class Choices(NamedTuple):
    """Buffers for the actions of a seat and a number for each: its gain at once, or its logit or weight in a policy."""

    actions: Numbers
    gains: Reals


@no_refcount
def gaps_of(state: Numbers, seat: int) -> int:
    """Where a gain finds a place in a zone: bit n if a column with n Mauw takes it."""
    gaps = 0
    for place in range(first_place(seat), first_place(seat) + layout.PLACES):
        column = state[layout.COLUMNS + place]
        if layout.TAKES_GAIN[column]:
            gaps |= 1 << mauw_of(column)
    return gaps


@no_refcount
def association_gain(state: Numbers, gaps: int, place: int, face: int) -> int:
    """What the association of a face with the top of a column adds to the player's own score."""
    column = state[layout.COLUMNS + place]
    alike = layout.VALUE_OF[top_of(column)] == layout.VALUE_OF[face]
    value = layout.VALUE_OF[face] if alike else NINE
    mauw = mauw_of(column)
    if owner_of(place) == state[layout.TURN] and mauw < MOST_MAUW:
        gaps |= 1 << mauw
    best = layout.BEST_PLACED[value, gaps]
    return 0 if best == layout.NO_PLACE else best


@no_refcount
def play_gain(state: Numbers, gaps: int, place: int, face: int) -> float:
    """What a play gains at once for the player whose turn it is, and whose zone has these gaps."""
    column = state[layout.COLUMNS + place]
    top = top_of(column)
    cost = JOKER_COST if face > MAUI else 0.0
    change = (
        layout.WORTHS[column + layout.VALUE_OF[face] + 1] - layout.WORTHS[column]
        if top == NO_FACE
        else layout.BARED[column]
    )
    gain = change if owner_of(place) == state[layout.TURN] else -change
    if top != NO_FACE and layout.VALUE_OF[top] != 0:
        gain += association_gain(state, gaps, place, face)
    return gain - cost


@no_refcount
def placement_gain(state: Numbers, column: int) -> float:
    """What placing the gain on a column gains at once."""
    seat = state[layout.TURN]
    mauw = mauw_of(state[layout.COLUMNS + first_place(seat) + column])
    face = state[layout.FACE]
    gain = float(layout.PLACED[NINE if face == NO_FACE else layout.VALUE_OF[face], mauw])
    if mauw == MOST_MAUW - 1 and full_columns(state, seat) == FULL_COLUMNS - 1:
        own = score(state, seat) + gain
        for other in range(state[layout.PLAYERS]):
            if other != seat and score(state, other) > own:
                return gain - DECISIVE
        return gain + DECISIVE
    return gain


@no_refcount
def gain_of(state: Numbers, action: int) -> float:
    """Return what placing a gain or answering in an attack gains at once for the seat that acts."""
    if action < layout.ANSWER:
        return placement_gain(state, action - layout.PUT)
    if action >= layout.GIVE_IN:
        return 0.0
    return DEFENCE - JOKER_COST if action == layout.ANSWER + MAUI else DEFENCE


@no_refcount
def finish_turn(state: Numbers, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Play on to the start of the next turn or the end of the game; return the stream. `actions` is a buffer."""
    while state[layout.STEP] != layout.AT_TURN and state[layout.STEP] < layout.OVER:
        if actor(state) == layout.CHANCE:
            action, stream = random_card(state, stream)
        else:
            best = -1e9
            action = 0
            for at in range(list_choices(state, actions, True)):
                ticket, stream = below(1 << 20, stream)
                gain = gain_of(state, actions[at]) + ticket * (NOISE / (1 << 20))
                if gain > best:
                    best = gain
                    action = actions[at]
        apply(state, action)
    return stream
