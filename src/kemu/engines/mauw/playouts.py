"""Playouts on the kernel: uniform random ones, and those of the rollout policy.

The rollout policy takes the action that gains most at once, with some noise. Gains are in points of the score, for
whoever acts: the change of the own score less that of the enemy concerned. An attack counts as if it were not answered,
a gain as if it were placed where it is worth most.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import ONE, below, compiled, lowest, no_refcount, popcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.kernel import accepted_mask, actor, apply, begin, hand_mask, legal, list_choices
from kemu.engines.mauw.layout import (
    Masks,
    Numbers,
    Reals,
    first_place,
    full_columns,
    mauw_of,
    owner_of,
    play_action,
    played_face,
    played_place,
    score,
    top_of,
)
from kemu.games.mauw.state import FULL_COLUMNS, MAUI, MOST_MAUW, NINE, NO_FACE

JOKER_COST: Final = 8.0
"""What a joker is worth in the hand, in points."""

DECISIVE: Final = 400.0
"""More than any gain: the third full column ends the game, well for the leader and badly for anybody else."""

DEFENCE: Final = 20.0
"""The gain of any answer in an attack, in points."""


# Uniform random playouts


@no_refcount
def random_card(state: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """The dealer's action: each single card of the pile is equally likely."""
    ticket, stream = below(state[layout.PILED], stream)
    card = 0
    while ticket >= state[layout.PILE + card]:
        ticket -= state[layout.PILE + card]
        card += 1
    return layout.GIVE + card, stream


@no_refcount
def random_play(state: Numbers, masks: Masks, stream: np.uint64) -> tuple[int, np.uint64]:
    """A play, each equally likely, or the discarding of the hand if there is none; `masks` is a buffer."""
    count = 0
    hand = hand_mask(state)
    for place in range(layout.PLACES * state[layout.PLAYERS]):
        masks[place] = hand & accepted_mask(state, place)
        count += popcount(masks[place])
    if count == 0:
        return layout.DISCARD, stream
    ticket, stream = below(count, stream)
    place = 0
    while ticket >= popcount(masks[place]):
        ticket -= popcount(masks[place])
        place += 1
    rest = masks[place]
    for _ in range(ticket):
        rest &= rest - ONE
    return play_action(place, lowest(rest)), stream


@no_refcount
def random_action(state: Numbers, masks: Masks, actions: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """Any legal action, of the dealer at the odds of the pile; `masks` and `actions` are buffers."""
    if state[layout.STEP] == layout.AT_TURN:
        return random_play(state, masks, stream)
    if actor(state) == layout.CHANCE:
        return random_card(state, stream)
    ticket, stream = below(legal(state, actions), stream)
    return actions[ticket], stream


@no_refcount
def finish(state: Numbers, masks: Masks, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Plays at random to the end of the game; returns the stream."""
    while state[layout.STEP] < layout.OVER:
        action, stream = random_action(state, masks, actions, stream)
        apply(state, action)
    return stream


@compiled
def random_games(players: int, count: int, seed: int, ends: Numbers) -> int:
    """Plays whole random games; adds ends by reason and scores by seat to `ends`, and returns the number of turns."""
    state = np.empty(layout.STATE_SIZE, np.int64)
    masks = np.empty(layout.PLACES * layout.MOST_PLAYERS, np.uint64)
    actions = np.empty(layout.ACTION_COUNT, np.int64)
    stream = np.uint64(seed)
    turns = 0
    for _ in range(count):
        begin(state, players)
        stream = finish(state, masks, actions, stream)
        ends[state[layout.STEP] - layout.OVER] += 1
        for seat in range(players):
            ends[3 + seat] += score(state, seat)
        turns += state[layout.TURNS]
    return turns


# The rollout policy


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
def gain_of(state: Numbers, gaps: int, action: int) -> float:
    """What an action gains at once for the seat that acts."""
    if action < layout.PUT:
        return play_gain(state, gaps, played_place(action), played_face(action))
    if action < layout.ANSWER:
        return placement_gain(state, action - layout.PUT)
    if action >= layout.GIVE_IN:
        return 0.0
    return DEFENCE - JOKER_COST if action == layout.ANSWER + MAUI else DEFENCE


@no_refcount
def list_gains(state: Numbers, choices: Choices) -> int:
    """Writes the actions of the seat that acts with their gains, of equal columns only the first; returns how many."""
    count, gaps = list_choices(state, choices.actions, True), gaps_of(state, state[layout.TURN])
    for at in range(count):
        choices.gains[at] = gain_of(state, gaps, choices.actions[at])
    return count


@no_refcount
def roll_out(state: Numbers, choices: Choices, noise: float, horizon: float, stream: np.uint64) -> np.uint64:
    """Plays on by the rollout policy, with up to `noise` points added to gains, for `horizon` turns or to the end."""
    actions, gains = choices
    step = noise / (1 << 20)
    last = state[layout.TURNS] + horizon
    while state[layout.STEP] < layout.OVER and (state[layout.TURNS] < last or state[layout.STEP] != layout.AT_TURN):
        if actor(state) == layout.CHANCE:
            action, stream = random_card(state, stream)
        else:
            count = list_gains(state, choices)
            best = -1e9
            action = 0
            for at in range(count):
                ticket, stream = below(1 << 20, stream)
                gain = gains[at] + ticket * step
                if gain > best:
                    best = gain
                    action = actions[at]
        apply(state, action)
    return stream
