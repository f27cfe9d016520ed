"""Random games at full speed: every legal action, and every card of the pile, is equally likely."""

import numpy as np

from kemu.engines.compiled import ONE, below, borrowing, compiled, lowest, popcount
from kemu.engines.mauw.kernel import actor, apply, begin, legal, plays, score
from kemu.engines.mauw.layout import (
    ACTION_COUNT,
    AT_TURN,
    CHANCE,
    DISCARD,
    FACES,
    GIVE,
    MOST_PLAYERS,
    OVER,
    PILE,
    PILED,
    PLACES,
    PLAYERS,
    STATE_SIZE,
    STEP,
    TURNS,
)
from kemu.engines.mauw.tables import Numbers, Words


@borrowing
def some_card(state: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """The dealer's action: each single card of the pile is equally likely."""
    ticket, stream = below(state[PILED], stream)
    card = 0
    while ticket >= state[PILE + card]:
        ticket -= state[PILE + card]
        card += 1
    return GIVE + card, stream


@borrowing
def some_play(state: Numbers, faces: Words, stream: np.uint64) -> tuple[int, np.uint64]:
    """A play, each as likely as the other, or the discarding of the hand if there is none."""
    count = 0
    places = PLACES * state[PLAYERS]
    for place in range(places):
        faces[place] = plays(state, place)
        count += popcount(faces[place])
    if count == 0:
        return DISCARD, stream
    ticket, stream = below(count, stream)
    place = 0
    while ticket >= popcount(faces[place]):
        ticket -= popcount(faces[place])
        place += 1
    rest = faces[place]
    for _ in range(ticket):
        rest &= rest - ONE
    return FACES * place + lowest(rest), stream


@borrowing
def some_action(state: Numbers, faces: Words, actions: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """Any legal action, of the dealer at the odds of the pile."""
    if state[STEP] == AT_TURN:
        return some_play(state, faces, stream)
    if actor(state) == CHANCE:
        return some_card(state, stream)
    ticket, stream = below(legal(state, actions), stream)
    return actions[ticket], stream


@borrowing
def finish(state: Numbers, faces: Words, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Plays at random to the end."""
    while state[STEP] < OVER:
        action, stream = some_action(state, faces, actions, stream)
        apply(state, action)
    return stream


@compiled
def random_games(players: int, count: int, seed: int, ends: Numbers) -> int:
    """Plays whole random games; adds ends by reason and scores by seat to `ends`, and returns all turns."""
    state = np.empty(STATE_SIZE, np.int64)
    faces = np.empty(PLACES * MOST_PLAYERS, np.uint64)
    actions = np.empty(ACTION_COUNT, np.int64)
    stream = np.uint64(seed)
    turns = 0
    for _ in range(count):
        begin(state, players)
        stream = finish(state, faces, actions, stream)
        ends[state[STEP] - OVER] += 1
        for seat in range(players):
            ends[3 + seat] += score(state, seat)
        turns += state[TURNS]
    return turns
