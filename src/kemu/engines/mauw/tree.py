"""Information-set tree search on the kernel: one tree over what everybody sees, many deals of what is hidden.

Each iteration deals the hidden cards anew, walks down the tree by actions that this deal allows, adds one node,
plays on quickly and credits every node on the way with the reward of the seat that chose it. Draws are no nodes.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import below, borrowing, compiled
from kemu.engines.mauw.kernel import actor, apply, hold, score
from kemu.engines.mauw.layout import (
    ACTION_COUNT,
    CHANCE,
    MOST_PLAYERS,
    OVER,
    PILE,
    PILED,
    PLAYERS,
    STATE_SIZE,
    STEP,
    TURNS,
)
from kemu.engines.mauw.playouts import some_card
from kemu.engines.mauw.policy import Gains, list_gains
from kemu.engines.mauw.tables import CARDS, Numbers

Reals = NDArray[np.float64]

NONE: Final = -1
MOST_CARDS: Final = 72
LONGEST: Final = 200
"""The most nodes on one way down the tree."""

# Rows of the tree's numbers.
FIRST: Final = 0  # child
NEXT: Final = 1  # sibling
ACTION: Final = 2
VISITS: Final = 3
MOVER: Final = 4
ROWS: Final = 5

# Settings.
EXPLORATION: Final = 0
SHARPNESS: Final = 1  # points of gain by which an action is e times as likely at first
NOISE: Final = 2  # points of chance added to a gain in playouts
MARGIN_SHARE: Final = 3  # how much of the reward is the margin, the rest is the victory
MARGIN_SCALE: Final = 4  # points of margin that are worth much
HORIZON: Final = 5  # turns of a playout
URGENCY: Final = 6  # how much worse than its parent an action not yet tried is thought to be
SETTINGS: Final = 7


@borrowing
def deal(
    start: Numbers, state: Numbers, chances: Reals, slots: Numbers, pools: Numbers, cards: Numbers, stream: np.uint64
) -> np.uint64:
    """Deals the hidden cards of one hypothesis into a copy of the start: pools to hands, of the last to the pile."""
    for at in range(STATE_SIZE):
        state[at] = start[at]
    ticket, stream = below(1 << 53, stream)
    chance = ticket / (1 << 53)
    which = 0
    while which + 1 < chances.shape[0] and chance >= chances[which]:
        which += 1
    for pool in range(pools.shape[1]):
        count = 0
        for card in range(CARDS):
            for _ in range(pools[which, pool, card]):
                cards[count] = card
                count += 1
        for seat in range(start[PLAYERS]):
            for _ in range(slots[which, pool, seat]):
                at, stream = below(count, stream)
                hold(state, seat, cards[at])
                count -= 1
                cards[at] = cards[count]
        if pool == pools.shape[1] - 1:
            for _ in range(start[PILED]):
                at, stream = below(count, stream)
                state[PILE + cards[at]] += 1
                count -= 1
                cards[at] = cards[count]
    return stream


@borrowing
def roll_out(state: Numbers, settings: Reals, actions: Numbers, gains: Gains, stream: np.uint64) -> np.uint64:
    """Plays on by the gains with some chance added, to the horizon or the end."""
    noise = settings[NOISE] / (1 << 20)
    last = state[TURNS] + settings[HORIZON]
    while state[STEP] < OVER and state[TURNS] < last:
        if actor(state) == CHANCE:
            action, stream = some_card(state, stream)
        else:
            count = list_gains(state, actions, gains)
            best = -1e9
            action = 0
            for at in range(count):
                ticket, stream = below(1 << 20, stream)
                gain = gains[at] + ticket * noise
                if gain > best:
                    best = gain
                    action = actions[at]
        apply(state, action)
    return stream


@borrowing
def reward(state: Numbers, settings: Reals, scores: Reals, rewards: Reals) -> None:
    """Writes what the state is worth to each seat, from 0 to 1: its share of the victory and of the margin."""
    players = state[PLAYERS]
    best = -1.0
    for seat in range(players):
        scores[seat] = float(score(state, seat))
        best = max(best, scores[seat])
    winners = 0
    for seat in range(players):
        winners += scores[seat] == best
    part = settings[MARGIN_SHARE] if state[STEP] >= OVER else 1.0
    for seat in range(players):
        other = 0.0
        for each in range(players):
            if each != seat:
                other = max(other, scores[each])
        margin = (scores[seat] - other) / settings[MARGIN_SCALE]
        won = 1.0 / winners if scores[seat] == best else 0.0
        rewards[seat] = (1.0 - part) * won + part * 0.5 * (1.0 + margin / (1.0 + abs(margin)))


@borrowing
def choose(
    node: int,
    count: int,
    tree: Numbers,
    totals: Reals,
    settings: Reals,
    actions: Numbers,
    gains: Gains,
    children: Numbers,
) -> int:
    """The number of the action to follow: what has done well, and what promises gain and was tried little."""
    child = tree[FIRST, node]
    for at in range(count):
        children[at] = NONE
    while child != NONE:
        for at in range(count):
            if actions[at] == tree[ACTION, child]:
                children[at] = child
        child = tree[NEXT, child]
    top = gains[0]
    for at in range(count):
        top = max(top, gains[at])
    weight = 0.0
    visits, total = 0, 0.0
    for at in range(count):
        gains[at] = np.exp(max((gains[at] - top) / settings[SHARPNESS], -5.0))
        weight += gains[at]
        if children[at] != NONE:
            visits += tree[VISITS, children[at]]
            total += totals[children[at]]
    untried = total / visits - settings[URGENCY] if visits else 0.5
    scale = settings[EXPLORATION] * np.sqrt(visits + 1.0) / weight
    best, chosen = -1e9, 0
    for at in range(count):
        child = children[at]
        tried = 0 if child == NONE else tree[VISITS, child]
        value = untried if tried == 0 else totals[child] / tried
        value += scale * gains[at] / (1.0 + tried)
        if value > best:
            best, chosen = value, at
    return chosen


@borrowing
def descend(
    state: Numbers,
    tree: Numbers,
    totals: Reals,
    used: int,
    settings: Reals,
    path: Numbers,
    actions: Numbers,
    gains: Gains,
    children: Numbers,
    stream: np.uint64,
) -> tuple[int, int, np.uint64]:
    """Walks down to a new node or an end; the length of the path, the nodes used now, and the stream."""
    node, length = 0, 0
    while state[STEP] < OVER and length < path.shape[0]:
        seat = actor(state)
        if seat == CHANCE:
            action, stream = some_card(state, stream)
            apply(state, action)
            continue
        count = list_gains(state, actions, gains)
        at = choose(node, count, tree, totals, settings, actions, gains, children)
        child = children[at]
        fresh = child == NONE
        if fresh:
            if used == tree.shape[1]:
                break
            child = used
            used += 1
            tree[FIRST, child], tree[NEXT, child] = NONE, tree[FIRST, node]
            tree[ACTION, child], tree[VISITS, child], tree[MOVER, child] = actions[at], 0, seat
            totals[child] = 0.0
            tree[FIRST, node] = child
        apply(state, actions[at])
        path[length] = child
        length += 1
        node = child
        if fresh:
            break
    return length, used, stream


@compiled
def grow(
    start: Numbers,
    chances: Reals,
    slots: Numbers,
    pools: Numbers,
    tree: Numbers,
    totals: Reals,
    used: int,
    settings: Reals,
    iterations: int,
    stream: np.uint64,
) -> tuple[int, np.uint64]:
    """Grows the tree by some iterations; the nodes used now and the stream."""
    state, cards = np.empty(STATE_SIZE, np.int64), np.empty(MOST_CARDS, np.int64)
    actions, children = np.empty(ACTION_COUNT, np.int64), np.empty(ACTION_COUNT, np.int64)
    path, gains = np.empty(LONGEST, np.int64), np.empty(ACTION_COUNT)
    scores, rewards = np.empty(MOST_PLAYERS), np.empty(MOST_PLAYERS)
    for _ in range(iterations):
        stream = deal(start, state, chances, slots, pools, cards, stream)
        length, used, stream = descend(state, tree, totals, used, settings, path, actions, gains, children, stream)
        stream = roll_out(state, settings, actions, gains, stream)
        reward(state, settings, scores, rewards)
        tree[VISITS, 0] += 1
        for at in range(length):
            node = path[at]
            tree[VISITS, node] += 1
            totals[node] += rewards[tree[MOVER, node]]
    return used, stream
