"""Information-set tree search on the kernel: one tree over what everybody sees, many determinizations.

Each playout determinizes the hidden cards, hands as likely as what their holders did makes them, descends the tree by
actions that are legal then, with the learned policy for priors, adds one node, plays on by the rollout policy, and
credits every node on the path with the reward of the seat that chose it. Draws are no nodes, since their cards are
hidden.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.hands import Memory, likelihood
from kemu.engines.mauw.information_set import Hypothesis, Pool
from kemu.engines.mauw.kernel import actor, apply, hold, write_victory
from kemu.engines.mauw.layout import Numbers, Reals
from kemu.engines.mauw.policy import EACH, Choices, finish_turn, list_logits, random_card
from kemu.engines.mauw.value import MOST_CARDS, MOST_FACTS, UNITS, Units, Weights, write_shares
from kemu.engines.words import below

NONE: Final = -1
"""No node."""

LONGEST_PATH: Final = 200

LEAST_LOGIT: Final = -5.0
"""No action is thought to be less likely, compared to the likeliest one, than this makes it."""

EXPLORATION: Final = 0.5
"""Chosen by matches, see decision 0064."""

URGENCY: Final = 0.05
"""How much worse than its parent an action that was not tried yet is thought to be."""

FIRST_CHILD, NEXT_SIBLING, ACTION, VISITS, SEAT = range(5)
"""The rows of Tree.nodes; SEAT is the one that chose the action."""


class Tree(NamedTuple):
    """Nodes in arrays; node 0 is the root."""

    nodes: NDArray[np.int32]  # by row and node
    totals: Reals  # the rewards of each node, summed
    used: Numbers  # one number: how many nodes there are


class Belief(NamedTuple):
    """Knowledge of a seat: a state without the hidden cards, and their probability distribution.

    The distribution is one of weighed hypotheses, each of some pools of cards.
    """

    public: Numbers
    chances: Reals  # by hypothesis, cumulative, so that the last is 1
    cards: Numbers  # by hypothesis, pool and card: how many there are
    held: Numbers  # by hypothesis, pool and seat: how many of them the seat holds
    memory: Memory  # what the other seats did


class Buffers(NamedTuple):
    """Memory for one playout."""

    state: Numbers
    dealt: Numbers  # the state with which the playout began
    cards: Numbers
    hand: Numbers
    rows: Numbers
    choices: Choices
    root: Choices  # of the root, the same in all playouts
    children: Numbers  # by choice, its node or NONE
    by_action: Numbers  # by action, its node or NONE
    path: Numbers  # the nodes from the root down
    rewards: Reals
    units: Units


def make_tree(capacity: int) -> Tree:
    """Return an empty tree for at most `nodes` nodes."""
    return Tree(np.empty((SEAT + 1, capacity), np.int32), np.empty(capacity), np.zeros(1, np.int64))


@compiled
def make_buffers() -> Buffers:
    """Memory for playouts."""
    return Buffers(
        np.empty(layout.STATE_SIZE, np.int64),
        np.empty(layout.STATE_SIZE, np.int64),
        np.empty(MOST_CARDS, np.int64),
        np.empty(layout.CARDS, np.int64),
        np.empty((layout.ACTION_COUNT, EACH), np.int64),
        Choices(np.empty(layout.ACTION_COUNT, np.int64), np.empty(layout.ACTION_COUNT)),
        Choices(np.empty(layout.ACTION_COUNT, np.int64), np.empty(layout.ACTION_COUNT)),
        np.empty(layout.ACTION_COUNT, np.int64),
        np.empty(layout.ACTION_COUNT, np.int64),
        np.empty(LONGEST_PATH, np.int64),
        np.empty(layout.MOST_PLAYERS),
        Units(np.empty(MOST_FACTS, np.int64), np.empty(UNITS, np.float32)),
    )


@no_refcount
def clear_tree(tree: Tree) -> None:
    """Leaves nothing but a root without children."""
    tree.nodes[:, 0] = 0
    tree.nodes[FIRST_CHILD, 0] = tree.nodes[NEXT_SIBLING, 0] = NONE
    tree.used[0] = 1


def make_belief(public: Numbers, hypotheses: Mapping[Hypothesis, float], memory: Memory) -> Belief:
    """The distribution of some weighed hypotheses, whose weights sum to 1; those with fewer pools are padded."""
    longest = max(len(hypothesis) for hypothesis in hypotheses)
    nothing = Pool((0,) * layout.CARDS, (0,) * int(public[layout.PLAYERS]))
    padded = [(*[nothing] * (longest - len(hypothesis)), *hypothesis) for hypothesis in hypotheses]
    return Belief(
        public,
        np.cumsum(list(hypotheses.values())),
        np.array([[pool.cards for pool in hypothesis] for hypothesis in padded], np.int64),
        np.array([[pool.held for pool in hypothesis] for hypothesis in padded], np.int64),
        memory,
    )


@no_refcount
def pick_hypothesis(chances: Reals, stream: np.uint64) -> tuple[int, np.uint64]:
    """A hypothesis by its chance."""
    ticket, stream = below(1 << 53, stream)
    chance = ticket / (1 << 53)
    which = 0
    while which + 1 < chances.shape[0] and chance >= chances[which]:
        which += 1
    return which, stream


@no_refcount
def draw_card(cards: Numbers, count: int, stream: np.uint64) -> tuple[int, np.uint64]:
    """Takes one of the first `count` cards out of them; the last of them comes into its place."""
    at, stream = below(count, stream)
    card = int(cards[at])
    cards[at] = cards[count - 1]
    return card, stream


@no_refcount
def determinize(belief: Belief, state: Numbers, cards: Numbers, stream: np.uint64) -> np.uint64:
    """Writes a state with the hidden cards dealt: those of each pool to hands, of the last one to the pile too.

    `cards` is a buffer for MOST_CARDS numbers.
    """
    for at in range(layout.STATE_SIZE):
        state[at] = belief.public[at]
    which, stream = pick_hypothesis(belief.chances, stream)
    count = 0
    for pool in range(belief.cards.shape[1]):
        count = 0
        for card in range(layout.CARDS):
            for _ in range(belief.cards[which, pool, card]):
                cards[count] = card
                count += 1
        for seat in range(state[layout.PLAYERS]):
            for _ in range(belief.held[which, pool, seat]):
                held, stream = draw_card(cards, count, stream)
                hold(state, seat, held)
                count -= 1
    # What is not in the pile lies as Mauw: drawing those leaves the pile with fewer random numbers.
    while count > state[layout.PILED]:
        _, stream = draw_card(cards, count, stream)
        count -= 1
    for at in range(count):
        state[layout.PILE + cards[at]] += 1
    return stream


@no_refcount
def deal_hands(belief: Belief, weight: float, buffers: Buffers, stream: np.uint64) -> tuple[float, np.uint64]:
    """Writes a state with the hidden cards dealt, hands as likely as what their holders did makes them.

    A step of Metropolis and Hastings: a new deal is taken with the ratio of its likelihood to that of the deal before,
    whose `weight` this is, 0 if there is none; otherwise that one is taken once more. Returns weight and stream.
    """
    state, dealt = buffers.state, buffers.dealt
    stream = determinize(belief, state, buffers.cards, stream)
    fresh, stream = likelihood(belief.memory, state, buffers.hand, stream)
    ticket, stream = below(1 << 53, stream)
    if fresh >= weight * (ticket / (1 << 53)):
        for at in range(layout.STATE_SIZE):
            dealt[at] = state[at]
        return fresh, stream
    for at in range(layout.STATE_SIZE):
        state[at] = dealt[at]
    return weight, stream


@no_refcount
def write_rewards(weights: Weights, buffers: Buffers) -> None:
    """Writes the share of the victory of each seat: the true one at the end of the game, or else the learned value."""
    if buffers.state[layout.STEP] >= layout.OVER:
        write_victory(buffers.state, buffers.rewards)
    else:
        write_shares(buffers.state, weights, buffers.units, buffers.rewards)


@no_refcount
def find_children(tree: Tree, node: int, count: int, buffers: Buffers) -> None:
    """Writes the child of a node for each of its choices, NONE where there is none yet."""
    actions, children, by_action = buffers.choices.actions, buffers.children, buffers.by_action
    for at in range(count):
        by_action[actions[at]] = NONE
    child = tree.nodes[FIRST_CHILD, node]
    while child != NONE:
        by_action[tree.nodes[ACTION, child]] = child
        child = tree.nodes[NEXT_SIBLING, child]
    for at in range(count):
        children[at] = by_action[actions[at]]


@no_refcount
def list_priors(weights: Weights, buffers: Buffers) -> int:
    """Writes the choices of the seat that acts with their weights in the policy; returns how many they are."""
    gains = buffers.choices.gains
    count = list_logits(buffers.state, weights.policy, buffers.choices, buffers.rows)
    top = gains[0]
    for at in range(count):
        top = max(top, gains[at])
    for at in range(count):
        gains[at] = np.exp(max(gains[at] - top, LEAST_LOGIT))
    return count


@no_refcount
def select(tree: Tree, count: int, buffers: Buffers) -> int:
    """The number of the choice to follow: one that did well, or that is likely and was tried little (PUCT)."""
    nodes, totals = tree.nodes, tree.totals
    gains, children = buffers.choices.gains, buffers.children
    weight = 0.0
    visits, total = 0, 0.0
    for at in range(count):
        weight += gains[at]
        if children[at] != NONE:
            visits += nodes[VISITS, children[at]]
            total += totals[children[at]]
    untried = total / visits - URGENCY if visits else 0.5
    scale = EXPLORATION * np.sqrt(visits + 1.0) / weight
    best, selected = -1e9, 0
    for at in range(count):
        child = children[at]
        tried = 0 if child == NONE else nodes[VISITS, child]
        value = untried if tried == 0 else totals[child] / tried
        value += scale * gains[at] / (1.0 + tried)
        if value > best:
            best, selected = value, at
    return selected


@no_refcount
def add_child(tree: Tree, node: int, action: int, seat: int) -> int:
    """A new child of a node, by the action of a seat; NONE if the tree is full."""
    nodes = tree.nodes
    child = int(tree.used[0])
    if child == nodes.shape[1]:
        return NONE
    tree.used[0] += 1
    nodes[FIRST_CHILD, child], nodes[NEXT_SIBLING, child] = NONE, nodes[FIRST_CHILD, node]
    nodes[ACTION, child], nodes[VISITS, child], nodes[SEAT, child] = action, 0, seat
    tree.totals[child] = 0.0
    nodes[FIRST_CHILD, node] = child
    return child


@no_refcount
def copy_choices(source: Choices, target: Choices, count: int) -> int:
    """Write choices into other buffers; return how many they are."""
    for at in range(count):
        target.actions[at] = source.actions[at]
        target.gains[at] = source.gains[at]
    return count


@no_refcount
def descend(
    tree: Tree, weights: Weights, root_count: int, buffers: Buffers, stream: np.uint64
) -> tuple[int, np.uint64]:
    """Play down the tree to a new node or an end of the game; return the length of the path, and the stream."""
    state, choices, path = buffers.state, buffers.choices, buffers.path
    node, length = 0, 0
    while state[layout.STEP] < layout.OVER and length < path.shape[0]:
        seat = actor(state)
        if seat == layout.CHANCE:
            action, stream = random_card(state, stream)
            apply(state, action)
            continue
        count = copy_choices(buffers.root, choices, root_count) if node == 0 else list_priors(weights, buffers)
        find_children(tree, node, count, buffers)
        at = select(tree, count, buffers)
        child = buffers.children[at]
        fresh = child == NONE
        if fresh:
            child = add_child(tree, node, choices.actions[at], seat)
            if child == NONE:
                break
        apply(state, choices.actions[at])
        path[length] = child
        length += 1
        node = child
        if fresh:
            break
    return length, stream


@compiled
def grow(belief: Belief, tree: Tree, weights: Weights, playouts: int, stream: np.uint64, only: int = NONE) -> np.uint64:
    """Grows the tree by some playouts from what a seat knows; returns the stream.

    With `only` an action, all playouts begin with that one.
    """
    buffers = make_buffers()
    buffers.state[:] = belief.public
    weight, root_count = 0.0, 0
    if actor(buffers.state) >= 0:
        root_count = copy_choices(buffers.choices, buffers.root, list_priors(weights, buffers))
    if only != NONE:
        root_count, buffers.root.actions[0], buffers.root.gains[0] = 1, only, 1.0
    for _ in range(playouts):
        weight, stream = deal_hands(belief, weight, buffers, stream)
        length, stream = descend(tree, weights, root_count, buffers, stream)
        stream = finish_turn(buffers.state, buffers.choices.actions, stream)
        write_rewards(weights, buffers)
        tree.nodes[VISITS, 0] += 1
        for at in range(length):
            node = buffers.path[at]
            tree.nodes[VISITS, node] += 1
            tree.totals[node] += buffers.rewards[tree.nodes[SEAT, node]]
    return stream
