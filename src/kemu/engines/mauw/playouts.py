"""Playouts on the kernel: uniform random ones, and those of the rollout policy.

The rollout policy takes the action that gains most at once, with some noise. Gains are in points of the score, for
whoever acts: the change of the own score less that of the enemy concerned. An attack counts as if it were not answered,
a gain as if it were placed where it is worth most.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import ONE, below, borrowing, compiled, lowest, popcount
from kemu.engines.mauw.kernel import apply, begin
from kemu.engines.mauw.layout import (
    ACTION_COUNT,
    ANSWER,
    AT_PUT,
    AT_TURN,
    CHANCE,
    COLUMNS,
    DISCARD,
    FACE,
    GIVE,
    GIVE_IN,
    MOST_PLAYERS,
    OVER,
    PILE,
    PILED,
    PLACES,
    PLAYERS,
    PUT,
    STATE_SIZE,
    STEP,
    TURN,
    TURNS,
    Masks,
    Numbers,
    Reals,
    first_place,
    mauw_of,
    owner_of,
    play_action,
    top_of,
)
from kemu.engines.mauw.legal import accepted_mask, actor, full_columns, hand_mask, legal, list_answers, score
from kemu.engines.mauw.tables import BARED, BEST_PLACED, NO_PLACE, PLACED, TAKES_GAIN, VALUE_OF, WORTHS
from kemu.games.mauw.state import FULL_COLUMNS, MAUI, MOST_MAUW, NINE, NO_FACE

JOKER_COST: Final = 8.0
"""What a joker is worth in the hand, in points."""

DECISIVE: Final = 400.0
"""More than any gain: the third full column ends the game, well for the leader and badly for anybody else."""

DEFENCE: Final = 20.0
"""The gain of any answer in an attack, in points."""


# Uniform random playouts


@borrowing
def random_card(state: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """The dealer's action: each single card of the pile is equally likely."""
    ticket, stream = below(state[PILED], stream)
    card = 0
    while ticket >= state[PILE + card]:
        ticket -= state[PILE + card]
        card += 1
    return GIVE + card, stream


@borrowing
def random_play(state: Numbers, masks: Masks, stream: np.uint64) -> tuple[int, np.uint64]:
    """A play, each equally likely, or the discarding of the hand if there is none; `masks` is a buffer."""
    count = 0
    hand = hand_mask(state)
    for place in range(PLACES * state[PLAYERS]):
        masks[place] = hand & accepted_mask(state, place)
        count += popcount(masks[place])
    if count == 0:
        return DISCARD, stream
    ticket, stream = below(count, stream)
    place = 0
    while ticket >= popcount(masks[place]):
        ticket -= popcount(masks[place])
        place += 1
    rest = masks[place]
    for _ in range(ticket):
        rest &= rest - ONE
    return play_action(place, lowest(rest)), stream


@borrowing
def random_action(state: Numbers, masks: Masks, actions: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """Any legal action, of the dealer at the odds of the pile; `masks` and `actions` are buffers."""
    if state[STEP] == AT_TURN:
        return random_play(state, masks, stream)
    if actor(state) == CHANCE:
        return random_card(state, stream)
    ticket, stream = below(legal(state, actions), stream)
    return actions[ticket], stream


@borrowing
def finish(state: Numbers, masks: Masks, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Plays at random to the end of the game; returns the stream."""
    while state[STEP] < OVER:
        action, stream = random_action(state, masks, actions, stream)
        apply(state, action)
    return stream


@compiled
def random_games(players: int, count: int, seed: int, ends: Numbers) -> int:
    """Plays whole random games; adds ends by reason and scores by seat to `ends`, and returns the number of turns."""
    state = np.empty(STATE_SIZE, np.int64)
    masks = np.empty(PLACES * MOST_PLAYERS, np.uint64)
    actions = np.empty(ACTION_COUNT, np.int64)
    stream = np.uint64(seed)
    turns = 0
    for _ in range(count):
        begin(state, players)
        stream = finish(state, masks, actions, stream)
        ends[state[STEP] - OVER] += 1
        for seat in range(players):
            ends[3 + seat] += score(state, seat)
        turns += state[TURNS]
    return turns


# The rollout policy


class Choices(NamedTuple):
    """Buffers for the actions of a seat and a number for each: its gain at once, or its logit or weight in a policy."""

    actions: Numbers
    gains: Reals


@borrowing
def gaps_of(state: Numbers, seat: int) -> int:
    """Where a gain finds a place in a zone: bit n if a column with n Mauw takes it."""
    gaps = 0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        column = state[COLUMNS + place]
        if TAKES_GAIN[column]:
            gaps |= 1 << mauw_of(column)
    return gaps


@borrowing
def association_gain(state: Numbers, gaps: int, place: int, face: int) -> int:
    """What the association of a face with the top of a column adds to the player's own score."""
    column = state[COLUMNS + place]
    alike = VALUE_OF[top_of(column)] == VALUE_OF[face]
    value = VALUE_OF[face] if alike else NINE
    mauw = mauw_of(column)
    if owner_of(place) == state[TURN] and mauw < MOST_MAUW:
        gaps |= 1 << mauw
    best = BEST_PLACED[value, gaps]
    return 0 if best == NO_PLACE else best


@borrowing
def play_gain(state: Numbers, gaps: int, place: int, face: int) -> float:
    """What a play gains at once for the player whose turn it is, and whose zone has these gaps."""
    column = state[COLUMNS + place]
    top = top_of(column)
    cost = JOKER_COST if face > MAUI else 0.0
    change = WORTHS[column + VALUE_OF[face] + 1] - WORTHS[column] if top == NO_FACE else BARED[column]
    gain = change if owner_of(place) == state[TURN] else -change
    if top != NO_FACE and VALUE_OF[top] != 0:
        gain += association_gain(state, gaps, place, face)
    return gain - cost


@borrowing
def placement_gain(state: Numbers, column: int) -> float:
    """What placing the gain on a column gains at once."""
    seat = state[TURN]
    mauw = mauw_of(state[COLUMNS + first_place(seat) + column])
    face = state[FACE]
    gain = float(PLACED[NINE if face == NO_FACE else VALUE_OF[face], mauw])
    if mauw == MOST_MAUW - 1 and full_columns(state, seat) == FULL_COLUMNS - 1:
        own = score(state, seat) + gain
        for other in range(state[PLAYERS]):
            if other != seat and score(state, other) > own:
                return gain - DECISIVE
        return gain + DECISIVE
    return gain


@borrowing
def is_repeated(state: Numbers, place: int) -> bool:
    """Whether a column before this one in the same zone is just the same."""
    alike = 0
    for other in range(first_place(owner_of(place)), place):
        alike += state[COLUMNS + other] == state[COLUMNS + place]
    return alike > 0


@borrowing
def list_play_gains(state: Numbers, choices: Choices) -> int:
    """Writes the plays, or the discarding of the hand, with their gains; returns how many they are."""
    actions, gains = choices
    count = 0
    hand, gaps = hand_mask(state), gaps_of(state, state[TURN])
    for place in range(PLACES * state[PLAYERS]):
        rest = hand & accepted_mask(state, place)
        if rest and is_repeated(state, place):
            continue
        while rest:
            face = lowest(rest)
            actions[count] = play_action(place, face)
            gains[count] = play_gain(state, gaps, place, face)
            count += 1
            rest &= rest - ONE
    if count == 0:
        actions[0] = DISCARD
        gains[0] = 0.0
        count = 1
    return count


@borrowing
def list_gains(state: Numbers, choices: Choices) -> int:
    """Writes the actions of the seat that acts with their gains, of equal columns only the first; returns how many."""
    actions, gains = choices
    step = state[STEP]
    if step == AT_TURN:
        return list_play_gains(state, choices)
    if step == AT_PUT:
        count = 0
        first = first_place(state[TURN])
        for column in range(PLACES):
            if TAKES_GAIN[state[COLUMNS + first + column]] and not is_repeated(state, first + column):
                actions[count] = PUT + column
                gains[count] = placement_gain(state, column)
                count += 1
        return count
    count = list_answers(state, actions)
    for at in range(count):
        gains[at] = 0.0 if actions[at] == GIVE_IN else DEFENCE
        if actions[at] == ANSWER + MAUI:
            gains[at] -= JOKER_COST
    return count


@borrowing
def roll_out(state: Numbers, choices: Choices, noise: float, horizon: float, stream: np.uint64) -> np.uint64:
    """Plays on by the rollout policy, with up to `noise` points added to gains, for `horizon` turns or to the end."""
    actions, gains = choices
    step = noise / (1 << 20)
    last = state[TURNS] + horizon
    while state[STEP] < OVER and (state[TURNS] < last or state[STEP] != AT_TURN):
        if actor(state) == CHANCE:
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
