"""PUCT with the learned evaluation: a tree grown by evaluations of its leaves, with priors and proofs by threats."""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import borrowing, compiled, signed
from kemu.engines.moeraki.alphabeta import INFINITE, after_move
from kemu.engines.moeraki.evaluation import EvaluationContext, evaluate
from kemu.engines.moeraki.kernel import (
    ACTION_COUNT,
    BALL,
    BEGINNER,
    KEEP,
    LAY,
    OVER,
    STARTER,
    STEP,
    STONES,
    SWAP,
    TANES,
    TURN,
    Numbers,
    action_tane,
    apply,
)
from kemu.engines.moeraki.packed import U, is_starter, other_tane, pack_move, pack_tanes
from kemu.engines.moeraki.pattern_sums import RANKS, begin_patterns, lay_in_patterns
from kemu.engines.moeraki.search_tree import (
    LEAF_THREATS,
    LONGEST,
    NONE,
    OPEN,
    WINNER,
    Path,
    Tree,
    add_children,
    add_result,
    back_up_proof,
    is_spent,
    list_children,
    prove_node,
    value_of_winner,
)
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.tane import tane_gain
from kemu.engines.moeraki.threats import TREE_NODES, ThreatContext
from kemu.engines.moeraki.transposition import Sides, Window

WIDE: Final = Window(-INFINITE, INFINITE)
WITHOUT_TANE: Final = Window(INFINITE, INFINITE)
"""So far from every evaluation that it leaves out what a Tane would gain."""


class Settings(NamedTuple):
    """The constants of the search, set by matches."""

    exploration: float = 1.0
    unvisited: float = 0.1  # by how much an action that was never tried counts less than its position
    leaf: float = 1500.0  # the evaluation of a leaf that makes a win e times as likely as a loss
    stone: float = 250.0  # the evaluation after a stone that makes it e times as likely to be tried
    tane: float = 8.0  # the same for eighths of tiles that a Tane gains


class PuctContext(NamedTuple):
    """What the search works on, apart from the state at its root."""

    rules: Words
    tree: Tree
    threats: ThreatContext
    evaluation: EvaluationContext
    settings: Settings


class Walk(NamedTuple):
    """The arrays for one game after the other through the tree."""

    state: Words
    sums: Numbers  # the states of the patterns, and room for the evaluation
    other_sums: Numbers  # the same for a stone that is tried
    actions: Numbers
    path: Path


@borrowing
def sides_of(state: Words, rules: Words) -> Sides:
    """A state from the side to act."""
    seat = signed(state[TURN])
    tanes = pack_tanes(signed(state[TANES + seat]), signed(state[TANES + 1 - seat]), state[TURN] == rules[STARTER])
    return Sides(state[STONES + seat], state[STONES + 1 - seat], tanes)


@borrowing
def take(action: int, state: Words, sums: Numbers, context: PuctContext) -> None:
    """Changes a state by a legal action, and with it the states of the patterns."""
    starter = state[TURN] == context.rules[STARTER]
    apply(state, context.rules, action)
    if context.evaluation.variant == BEGINNER:
        return
    if action < BALL:
        lay_in_patterns(sums, sums, action, 1 if starter else 2, context.evaluation.weights)
    elif action == SWAP:
        begin_patterns(sides_of(state, context.rules), sums, context.evaluation.weights)


@borrowing
def value_of_stone(cell: int, sides: Sides, sums: Numbers, other_sums: Numbers, evaluation: EvaluationContext) -> int:
    """The evaluation after a stone here for the side that lays it, without what a Tane would gain."""
    if evaluation.variant != BEGINNER:
        digit = 1 if is_starter(sides.tanes) else 2
        lay_in_patterns(sums, other_sums, cell, digit, evaluation.weights)
    return -evaluate(after_move(sides, pack_move(cell, 0)), WITHOUT_TANE, evaluation, other_sums)


@borrowing
def write_priors(node: int, state: Words, sums: Numbers, other_sums: Numbers, context: PuctContext) -> None:
    """Gives the children of a node their priors: the softmax of evaluations, or of what a Tane gains in tiles."""
    tree, settings, ball = context.tree, context.settings, context.evaluation.ball
    sides = sides_of(state, context.rules)
    first, last = tree.child[node], tree.child[node] + tree.children[node]
    highest = float(-INFINITE)
    for child in range(first, last):
        action, logit = tree.action[child], 0.0
        if action < BALL:
            logit = value_of_stone(action, sides, sums, other_sums, context.evaluation) / settings.stone
        elif action < KEEP:
            gain = tane_gain(sides.own, sides.other, ball, U(action_tane(action)), U(other_tane(sides.tanes)))
            logit = gain / settings.tane
        tree.prior[child] = logit
        highest = max(highest, logit)
    total = 0.0
    for child in range(first, last):
        tree.prior[child] = np.exp(tree.prior[child] - highest)
        total += tree.prior[child]
    for child in range(first, last):
        tree.prior[child] /= total


@borrowing
def best_child(node: int, same_seat: bool, tree: Tree, settings: Settings) -> int:
    """The child to visit next of those that are not decided; NONE if all are.

    `same_seat` says that who went to this node is also to act there.
    """
    visits = max(tree.visits[node], 1)
    mean = tree.wins[node] / visits
    unvisited = (mean if same_seat else 1.0 - mean) - settings.unvisited
    scale = settings.exploration * np.sqrt(visits)
    best, bound = NONE, -1e9
    first = tree.child[node]
    for child in range(first, first + tree.children[node]):
        if tree.proof[child] == OPEN:
            count = tree.visits[child]
            value = tree.wins[child] / count if count > 0 else unvisited
            value += scale * tree.prior[child] / (1 + count)
            if value > bound:
                best, bound = child, value
    return best


@borrowing
def leaf_value(state: Words, sums: Numbers, context: PuctContext) -> float:
    """What a state is worth to seat 0 by the evaluation."""
    score = evaluate(sides_of(state, context.rules), WIDE, context.evaluation, sums)
    value = 1.0 / (1.0 + np.exp(-score / context.settings.leaf))
    return value if signed(state[TURN]) == 0 else 1.0 - value


@borrowing
def add_with_priors(node: int, used: int, walk: Walk, context: PuctContext) -> int:
    """Gives a node its children, unless it is decided; returns how many nodes are used now."""
    count = list_children(node, walk.state, context.rules, context.tree, context.threats, walk.actions)
    if count > 0:
        used = add_children(node, used, walk.actions, count, context.tree)
        write_priors(node, walk.state, walk.sums, walk.other_sums, context)
    return used


@borrowing
def descend(forced: int, used: int, walk: Walk, context: PuctContext) -> tuple[int, int]:
    """Goes from the root to a leaf, first to a child that is forced unless that is NONE.

    Returned are the length of the path and how many nodes are used now. A node gets its children on its second visit,
    one where somebody is asked for a Tane on the first, because it cannot be evaluated.
    """
    tree, state, path = context.tree, walk.state, walk.path
    node, length = 0, 0
    while state[STEP] != U(OVER):
        if tree.child[node] == NONE:
            if node != 0 and tree.visits[node] == 0 and state[STEP] == U(LAY):
                break
            if used + ACTION_COUNT > tree.action.shape[0]:
                break
            used = add_with_priors(node, used, walk, context)
        if tree.proof[node] != OPEN:
            break
        if length == 0 and forced != NONE:
            node = forced
        else:
            node = best_child(node, path.movers[length] == signed(state[TURN]), tree, context.settings)
        length += 1
        path.nodes[length], path.movers[length] = node, signed(state[TURN])
        take(tree.action[node], state, walk.sums, context)
    return length, used


@compiled
def new_walk(start: Words, context: PuctContext) -> Walk:
    """The arrays for games from a state."""
    path = Path(np.zeros(LONGEST, np.int64), np.zeros(LONGEST, np.int64))
    path.movers[0] = 1 - signed(start[TURN])
    sums = np.zeros(RANKS, np.int64)
    if context.evaluation.variant != BEGINNER:
        begin_patterns(sides_of(start, context.rules), sums, context.evaluation.weights)
    return Walk(start.copy(), sums, np.zeros(RANKS, np.int64), np.zeros(ACTION_COUNT, np.int64), path)


@compiled
def open_root(start: Words, context: PuctContext) -> int:
    """Gives the root its children; returns how many nodes are used."""
    return add_with_priors(0, 1, new_walk(start, context), context)


@compiled
def grow(start: Words, considered: Numbers, visits: int, used: int, context: PuctContext) -> int:
    """Visits the children of the root that are considered in turn, so often in all; returns how many nodes are used.

    It ends earlier once the root is decided or the counters of the threat search say so.
    """
    tree, threats = context.tree, context.threats
    walk = new_walk(start, context)
    first_sums = walk.sums.copy()
    for number in range(visits):
        if tree.proof[0] != OPEN or is_spent(threats.counters):
            break
        threats.counters[TREE_NODES] += 1
        walk.state[:], walk.sums[:] = start, first_sums
        length, used = descend(considered[number % considered.shape[0]], used, walk, context)
        node = walk.path.nodes[length]
        if tree.proof[node] == OPEN:
            prove_node(node, walk.state, LEAF_THREATS, tree, threats)
        if tree.proof[node] != OPEN:
            value = value_of_winner(tree.proof[node] - WINNER)
            back_up_proof(walk.path, length, tree)
        else:
            value = leaf_value(walk.state, walk.sums, context)
        add_result(value, walk.path, length, tree)
    return used
