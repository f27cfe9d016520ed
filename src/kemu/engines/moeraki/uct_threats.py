"""UCT with threat search: playouts that see lines one stone ahead, and proofs in the tree.

At each new node the threat search is asked whether the side to move wins, and before a node gets children what
answers a win by threats of the opponent; proofs are backed up through the tree.
"""

from typing import NamedTuple

import numpy as np

from kemu.engines.compiled import ZERO, below, bit, borrowing, compiled, drop_lowest, lowest, popcount, signed
from kemu.engines.moeraki.kernel import (
    ACTION_COUNT,
    BALL_AT,
    EYE_OPTION,
    LAST,
    LAY,
    OVER,
    STEP,
    STONES,
    TURN,
    Numbers,
    apply,
    empty_hollows,
)
from kemu.engines.moeraki.packed import U, outcome_winner
from kemu.engines.moeraki.playouts import begin, step
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
from kemu.engines.moeraki.tables import LINES, Words
from kemu.engines.moeraki.threats import TREE_NODES, ThreatContext, winning
from kemu.engines.moeraki.tree_root import TreeRoot
from kemu.engines.moeraki.uct import CHUNK, best_child, shuffle


class UctContext(NamedTuple):
    """What the search works on, apart from the state at its root."""

    rules: Words
    tree: Tree
    threats: ThreatContext


@borrowing
def random_cell(cells: np.uint64, stream: np.uint64) -> tuple[int, np.uint64]:
    """One of some cells, each with the same chance."""
    number, stream = below(popcount(cells), stream)
    for _ in range(number):
        cells = drop_lowest(cells)
    return lowest(cells), stream


@borrowing
def play_with_lines(state: Words, rules: Words, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Plays any state to its end: a stone completes a line, else blocks one, else it is random like all the rest."""
    stream = begin(state, rules, actions, stream)
    lines = LINES[signed(rules[EYE_OPTION]), signed(state[BALL_AT])]
    while state[STEP] != U(OVER):
        if state[STEP] != U(LAY):
            stream = step(state, rules, actions, stream)
            continue
        seat = signed(state[TURN])
        own, other = state[STONES + seat], state[STONES + 1 - seat]
        empty = empty_hollows(own, other, bit(state[BALL_AT]))
        cells = winning(own, lines) & empty
        if cells == ZERO:
            cells = winning(other, lines) & empty
        cell, stream = random_cell(cells if cells != ZERO else empty, stream)
        apply(state, rules, cell)
    return stream


@compiled
def grow(start: Words, games: int, used: int, stream: np.uint64, context: UctContext) -> tuple[int, np.uint64]:
    """Plays up to so many games through a tree of which some nodes are used; returns how many are now, and the stream.

    It ends earlier once the root is decided or the counters of the threat search say so.
    """
    rules, tree, threats = context
    state, actions = np.empty_like(start), np.empty(ACTION_COUNT, np.int64)
    path = Path(np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64))
    for _ in range(games):
        if tree.proof[0] != OPEN or is_spent(threats.counters):
            break
        threats.counters[TREE_NODES] += 1
        state[:] = start
        node, length = 0, 0
        path.nodes[0], path.movers[0] = 0, 1 - signed(start[TURN])
        while node == 0 or tree.visits[node] > 0:
            if tree.child[node] == NONE:
                if state[STEP] == U(OVER) or used + ACTION_COUNT > tree.action.shape[0]:
                    break
                count = list_children(node, state, rules, tree, threats, actions)
                stream = shuffle(actions, count, stream)
                used = add_children(node, used, actions, count, tree)
            if tree.proof[node] != OPEN:
                break
            node = best_child(node, tree)
            length += 1
            path.nodes[length], path.movers[length] = node, signed(state[TURN])
            apply(state, rules, tree.action[node])
        if tree.proof[node] == OPEN:
            prove_node(node, state, LEAF_THREATS, tree, threats)
        if tree.proof[node] != OPEN:
            winner = tree.proof[node] - WINNER
            back_up_proof(path, length, tree)
        else:
            stream = play_with_lines(state, rules, actions, stream)
            winner = outcome_winner(signed(state[LAST]))
        add_result(value_of_winner(winner), path, length, tree)
    return used, stream


class UctRoot(TreeRoot):
    """A search by UCT with threat search from one state."""

    def deepen_all(self) -> None:
        """Plays games until the budget is spent or the root is decided."""
        context = UctContext(self.workspace.rules, self.tree, self.workspace.threat_context)
        used = 1
        while not self.is_done():
            used, stream = grow(self.state, CHUNK, used, self.stream, context)
            self.stream = np.uint64(stream)
        self.rank_candidates(lambda child: int(self.tree.visits[child]))
