"""Games of the search of MAUW against itself on the kernel; the states of their turns are what the value learns from.

A seat searches with the multiset of all cards that are in other hands or in the pile, without knowing where each is. In
a real game it may know less: the faces of Mauw that lie hidden are not in this multiset.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import below, borrowing, compiled
from kemu.engines.mauw.batch import deal
from kemu.engines.mauw.kernel import apply, begin
from kemu.engines.mauw.layout import (
    ACTION_COUNT,
    AT_TURN,
    CARDS,
    HELD,
    KINDS,
    OVER,
    PILE,
    PLAYERS,
    SIZES,
    STATE_SIZE,
    STEP,
    Numbers,
    Reals,
)
from kemu.engines.mauw.legal import actor, legal, write_victory
from kemu.engines.mauw.tree import ACTION, Belief, Settings, Tree, clear_tree, grow, most_visited
from kemu.engines.mauw.value import Weights

States = NDArray[np.int16]

SLIP: Final = 20
"""Of a thousand actions so many are any legal one, so that games differ from what the search would do."""


class Plan(NamedTuple):
    """How games are played."""

    players: int
    nodes: int  # for each action
    settings: Settings


@borrowing
def hide(state: Numbers, seat: int, public: Numbers, cards: Numbers, held: Numbers) -> None:
    """Writes what a seat sees of a state, the cards it does not see, and how many of them each other seat holds."""
    for at in range(STATE_SIZE):
        public[at] = state[at]
    for card in range(CARDS):
        cards[card] = state[PILE + card]
        public[PILE + card] = 0
    for other in range(state[PLAYERS]):
        held[other] = 0
        if other == seat:
            continue
        held[other] = state[SIZES + other]
        public[SIZES + other] = public[KINDS + other] = 0
        for card in range(CARDS):
            cards[card] += state[HELD + CARDS * other + card]
            public[HELD + CARDS * other + card] = 0


@compiled
def play_game(plan: Plan, weights: Weights, tree: Tree, stream: np.uint64, states: States, shares: Reals) -> int:
    """Plays a game and writes the state of each turn and the shares of the victory; returns how many turns it had."""
    state, public = np.empty(STATE_SIZE, np.int64), np.empty(STATE_SIZE, np.int64)
    cards, held = np.empty((1, 1, CARDS), np.int64), np.empty((1, 1, plan.players), np.int64)
    chances, actions = np.ones(1), np.empty(ACTION_COUNT, np.int64)
    begin(state, plan.players)
    stream = deal(state, stream)
    turns = 0
    while state[STEP] < OVER:
        if state[STEP] == AT_TURN:
            for at in range(STATE_SIZE):
                states[turns, at] = state[at]
            turns += 1
        count = legal(state, actions)
        ticket, stream = below(1000, stream)
        if count == 1 or ticket < SLIP:
            ticket, stream = below(count, stream)
            action = actions[ticket]
        else:
            hide(state, actor(state), public, cards[0, 0], held[0, 0])
            clear_tree(tree)
            stream = grow(Belief(public, chances, cards, held), tree, plan.settings, weights, plan.nodes, stream)
            action = tree.nodes[ACTION, most_visited(tree, 0)]
        apply(state, action)
        stream = deal(state, stream)
    write_victory(state, shares)
    return turns
