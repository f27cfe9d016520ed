"""The tree of the searches that grow one game by game: statistics of its nodes and what is proved of them."""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ZERO, borrowing, drop_lowest, lowest, signed
from kemu.engines.moeraki.kernel import LAST, LAY, NOBODY, OVER, STEP, TURN, Numbers, empty_hollows, legal
from kemu.engines.moeraki.packed import U, outcome_winner
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.threats import (
    FAILS,
    NODES,
    STOP,
    TOTAL_LIMIT,
    TREE_NODES,
    ThreatContext,
    answers,
    find_short_win,
    winning,
)

NONE: Final = -1
SIZE: Final = 3_000_000
LONGEST: Final = 200
"""More actions than a game has."""

OPEN: Final = 0
WINNER: Final = 1
"""The proof of a node that a seat wins is WINNER + the seat, that of a draw WINNER + NOBODY."""

LEAF_THREATS: Final = 4
NODE_THREATS: Final = 24
"""Nodes of the threat search for one question at a node on its first visit, and when it gets children."""


class Tree(NamedTuple):
    """The nodes of a tree, each a place in all arrays; the children of a node are next to each other."""

    child: NDArray[np.int32]  # the first child, NONE before there are any
    children: NDArray[np.int16]  # how many
    action: NDArray[np.int16]  # the action that leads to it
    visits: NDArray[np.int32]
    wins: NDArray[np.float64]  # of who took that action
    prior: NDArray[np.float32]  # the chance of that action before any visit
    proof: NDArray[np.int8]  # OPEN, or who wins


class Path(NamedTuple):
    """The nodes from the root to where a game leaves the tree, and by place which seat went there."""

    nodes: Numbers
    movers: Numbers  # at the root the seat that is not to move


def new_tree(size: int = SIZE) -> Tree:
    """A tree with room for so many nodes."""
    kinds: tuple[Any, ...] = (np.int32, np.int16, np.int16, np.int32, np.float64, np.float32, np.int8)
    tree = Tree(*(np.zeros(size, kind) for kind in kinds))
    clear(tree)
    return tree


def clear(tree: Tree) -> None:
    """Leaves nothing but a root that was never visited."""
    tree.child[0], tree.visits[0], tree.wins[0], tree.proof[0] = NONE, 0, 0.0, OPEN


@borrowing
def add_children(node: int, used: int, actions: Numbers, count: int, tree: Tree) -> int:
    """Gives a node a child for each action; returns how many nodes are used now."""
    tree.child[node], tree.children[node] = used, count
    for at in range(count):
        child = used + at
        tree.action[child], tree.visits[child], tree.wins[child] = actions[at], 0, 0.0
        tree.child[child], tree.prior[child], tree.proof[child] = NONE, 1.0 / count, OPEN
    return used + count


@borrowing
def add_result(value: float, path: Path, length: int, tree: Tree) -> None:
    """Counts a game that went through these nodes and was worth so much, from 0 to 1, to seat 0."""
    for at in range(length + 1):
        node = path.nodes[at]
        tree.visits[node] += 1
        tree.wins[node] += value if path.movers[at] == 0 else 1.0 - value


@borrowing
def value_of_winner(winner: int) -> float:
    """What a game that this seat has won is worth to seat 0."""
    return 0.5 if winner == NOBODY else 1.0 - winner


@borrowing
def back_up_proof(path: Path, length: int, tree: Tree) -> None:
    """Decides the nodes of a path as far as the proof of its last one decides them."""
    for at in range(length, 0, -1):
        proof, mover = tree.proof[path.nodes[at]], path.movers[at]
        if proof == OPEN:
            return
        parent = path.nodes[at - 1]
        first = tree.child[parent]
        for child in range(first, first + tree.children[parent]):
            known = tree.proof[child]
            if proof == WINNER + mover:
                break
            if known == OPEN:
                return
            if known == WINNER + mover or known == WINNER + NOBODY:
                proof = known
        tree.proof[parent] = proof


@borrowing
def is_spent(counters: Numbers) -> bool:
    """Whether a search must end: its nodes are used up, or it was stopped."""
    return counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]


@borrowing
def prove_node(node: int, state: Words, limit: int, tree: Tree, threats: ThreatContext) -> None:
    """Notes who wins at a node where the game is over or the side to move wins by threats found in so many nodes."""
    if state[STEP] == U(OVER):
        tree.proof[node] = WINNER + outcome_winner(signed(state[LAST]))
    elif state[STEP] == U(LAY):
        seat = signed(state[TURN])
        if find_short_win(state[seat], state[1 - seat], limit, threats) > FAILS:
            tree.proof[node] = WINNER + seat


@borrowing
def list_sound(state: Words, rules: Words, threats: ThreatContext, actions: Numbers) -> int:
    """Writes the legal actions without stones that lose to a threat of the opponent; says how many they are."""
    if state[STEP] != U(LAY):
        return legal(state, rules, actions)
    seat = signed(state[TURN])
    own, other = state[seat], state[1 - seat]
    cells = winning(other, threats.lines) & empty_hollows(own, other, threats.ball)
    if cells == ZERO:
        if find_short_win(other, own, NODE_THREATS, threats) <= FAILS:
            return legal(state, rules, actions)
        cells = answers(other, own, threats)
    count = 0
    while cells != ZERO:
        actions[count] = lowest(cells)
        cells = drop_lowest(cells)
        count += 1
    return count


@borrowing
def list_children(node: int, state: Words, rules: Words, tree: Tree, threats: ThreatContext, actions: Numbers) -> int:
    """Writes the actions to try at a node and says how many they are; notes who wins if there is no need to try any."""
    if node != 0:
        prove_node(node, state, NODE_THREATS, tree, threats)
        if tree.proof[node] != OPEN:
            return 0
    count = list_sound(state, rules, threats, actions)
    if count == 0:
        tree.proof[node] = WINNER + 1 - signed(state[TURN])
    return count
