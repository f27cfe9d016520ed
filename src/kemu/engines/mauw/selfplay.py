"""Games of the search of MAUW against itself on the kernel: what its value and its policy learn from.

A seat searches with the multiset of all cards that are in other hands or in the pile, without knowing where each is. In
a real game it may know less: the faces of Mauw that lie hidden are not in this multiset.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import below, borrowing, compiled
from kemu.engines.mauw.batch import deal
from kemu.engines.mauw.hands import Memory, empty_memory, remember, remember_draws
from kemu.engines.mauw.kernel import apply, begin
from kemu.engines.mauw.layout import (
    ACTION_COUNT,
    ANSWER,
    AT_TURN,
    CARDS,
    GIVE_IN,
    HELD,
    KINDS,
    OVER,
    PILE,
    PLAYERS,
    PUT,
    SIZES,
    STATE_SIZE,
    STEP,
    Numbers,
    Reals,
)
from kemu.engines.mauw.legal import actor, legal, write_victory
from kemu.engines.mauw.policy import EACH
from kemu.engines.mauw.tree import (
    ACTION,
    FIRST_CHILD,
    NEXT_SIBLING,
    NONE,
    VISITS,
    Belief,
    Settings,
    Tree,
    clear_tree,
    grow,
    most_visited,
)
from kemu.engines.mauw.weights import Floats, Weights

EXPECTED_CHOICES: Final = 16
"""There is memory for so many visited actions of a state on average."""

SLIP: Final = 20
"""Of a thousand actions so many are any legal one, so that games differ from what the search would do."""


class Record(NamedTuple):
    """The states of a game at the start of each turn and at each search, and how often their actions were visited."""

    states: NDArray[np.int16]
    counts: NDArray[np.int16]  # by state: how many actions were visited, 0 if it was not searched
    actions: NDArray[np.int16]  # of all states, one after the other
    visits: NDArray[np.int32]


def make_record(states: int) -> Record:
    """Memory for so many states."""
    return Record(
        np.empty((states, STATE_SIZE), np.int16),
        np.empty(states, np.int16),
        np.empty(states * EXPECTED_CHOICES, np.int16),
        np.empty(states * EXPECTED_CHOICES, np.int32),
    )


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


@borrowing
def note_visits(tree: Tree, record: Record, at: int, first: int) -> int:
    """Writes how often each action of the root was visited; returns how many actions all states have so far."""
    child = int(tree.nodes[FIRST_CHILD, 0])
    while child != NONE and first < record.actions.shape[0]:
        record.actions[first] = tree.nodes[ACTION, child]
        record.visits[first] = tree.nodes[VISITS, child]
        record.counts[at] += 1
        first += 1
        child = int(tree.nodes[NEXT_SIBLING, child])
    return first


@borrowing
def act(state: Numbers, action: int, memory: Memory, policy: Floats, rows: Numbers, stream: np.uint64) -> np.uint64:
    """Takes an action and lets the dealer act after it; remembers what everybody saw of it."""
    players, acting = int(state[PLAYERS]), actor(state)
    remember(memory, state, action, policy, rows)
    for seat in range(players):
        remember_draws(memory, seat, -int(state[SIZES + seat]))
    apply(state, action)
    if action < PUT or ANSWER <= action < GIVE_IN:
        remember_draws(memory, acting, 1)
    stream = deal(state, stream)
    for seat in range(players):
        remember_draws(memory, seat, int(state[SIZES + seat]))
    return stream


@compiled
def play_game(plan: Plan, weights: Weights, tree: Tree, stream: np.uint64, record: Record, shares: Reals) -> int:
    """Plays a game, records it, and writes the shares of the victory; returns how many states are recorded."""
    state, public = np.empty(STATE_SIZE, np.int64), np.empty(STATE_SIZE, np.int64)
    cards, held = np.empty((1, 1, CARDS), np.int64), np.empty((1, 1, plan.players), np.int64)
    chances, actions, rows = np.ones(1), np.empty(ACTION_COUNT, np.int64), np.empty(EACH, np.int64)
    memory = empty_memory()
    begin(state, plan.players)
    stream = deal(state, stream)
    states = listed = 0
    while state[STEP] < OVER:
        count = legal(state, actions)
        ticket, stream = below(1000, stream)
        slips = ticket < SLIP
        if states < record.states.shape[0] and (state[STEP] == AT_TURN or (count > 1 and not slips)):
            record.states[states] = state
            record.counts[states] = 0
            states += 1
        if count == 1 or slips:
            ticket, stream = below(count, stream)
            action = actions[ticket]
        else:
            hide(state, actor(state), public, cards[0, 0], held[0, 0])
            clear_tree(tree)
            belief = Belief(public, chances, cards, held, memory)
            stream = grow(belief, tree, plan.settings, weights, plan.nodes, stream)
            action = tree.nodes[ACTION, most_visited(tree, 0)]
            listed = note_visits(tree, record, states - 1, listed)
        stream = act(state, action, memory, weights.policy, rows, stream)
    write_victory(state, shares)
    return states
