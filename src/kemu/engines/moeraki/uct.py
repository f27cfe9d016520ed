"""Plain UCT on the kernel's random games: what the search is measured by, with no knowledge but the rules."""

import time
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.analysis import Budget
from kemu.engines.compiled import compiled, multiply, next_random, signed
from kemu.engines.moeraki.kernel import ACTION_COUNT, LAST, NOBODY, OVER, STEP, TURN, Numbers, apply, legal
from kemu.engines.moeraki.packed import U, outcome_winner
from kemu.engines.moeraki.playouts import SCRATCH, play
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import kernel_rules, kernel_state, rules_action
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

NONE: Final = -1
SIZE: Final = 3_000_000
CHUNK: Final = 500
"""Games between two checks of the time."""

LONGEST: Final = 200
"""More actions than a game has."""

EXPLORATION: Final = 0.8


class Tree(NamedTuple):
    """The nodes of a tree, each a place in all arrays."""

    child: Numbers  # the first child
    sibling: Numbers  # the next child of the same node
    action: Numbers  # the action that leads to it
    visits: Numbers
    wins: NDArray[np.float64]  # of who took that action


@compiled
def best_child(node: int, tree: Tree) -> int:
    """The child with the greatest upper confidence bound."""
    best, bound = NONE, -1.0
    scale = EXPLORATION * np.sqrt(np.log(tree.visits[node] + 1.0))
    child = tree.child[node]
    while child != NONE:
        visits = tree.visits[child]
        if visits == 0:
            return child
        value = tree.wins[child] / visits + scale / np.sqrt(visits)
        if value > bound:
            best, bound = child, value
        child = tree.sibling[child]
    return best


@compiled
def add_children(node: int, used: int, actions: Numbers, count: int, tree: Tree, stream: np.uint64) -> np.uint64:
    """Gives a node a child for each action, in random order, as nodes that are not visited are tried in turn."""
    for at in range(count):
        stream, word = next_random(stream)
        other = at + signed(multiply(word, U(count - at))[0])
        actions[at], actions[other] = actions[other], actions[at]
        child = used + at
        tree.action[child], tree.visits[child], tree.wins[child], tree.child[child] = actions[at], 0, 0.0, NONE
        tree.sibling[child] = child + 1 if at + 1 < count else NONE
    tree.child[node] = used
    return stream


@compiled
def add_result(winner: int, path: Numbers, movers: Numbers, length: int, tree: Tree) -> None:
    """Counts a game that went through these nodes."""
    for at in range(length + 1):
        tree.visits[path[at]] += 1
        tree.wins[path[at]] += 0.5 if winner == NOBODY else 1.0 if winner == movers[at] else 0.0


@compiled
def grow(start: Words, rules: Words, tree: Tree, games: int, used: int, stream: np.uint64) -> tuple[int, np.uint64]:
    """Plays more games through a tree of which some nodes are used; returns how many are now, and the stream."""
    state, scratch = np.empty_like(start), np.empty(SCRATCH, np.uint64)
    actions = np.empty(ACTION_COUNT, np.int64)
    path, movers = np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64)
    for _ in range(games):
        state[:] = start
        node, length = 0, 0
        path[0], movers[0] = 0, NOBODY
        while state[STEP] != U(OVER):
            if tree.child[node] == NONE:
                if tree.visits[node] == 0 and node != 0:
                    break
                count = legal(state, rules, actions)
                if used + count > tree.action.shape[0]:
                    break
                stream = add_children(node, used, actions, count, tree, stream)
                used += count
            node = best_child(node, tree)
            length += 1
            path[length], movers[length] = node, signed(state[TURN])
            apply(state, rules, tree.action[node])
        if state[STEP] != U(OVER):
            stream = play(state, rules, scratch, actions, stream)
        add_result(outcome_winner(signed(state[LAST])), path, movers, length, tree)
    return used, stream


class Uct:
    """Chooses the action that most games went through."""

    def __init__(self, game: MoerakiKemu, seed: int = 0) -> None:
        self.game = game
        self.rules = kernel_rules(game)
        self.stream = np.uint64(seed)
        child, sibling, action, visits = np.zeros((4, SIZE), np.int64)
        self.tree = Tree(child, sibling, action, visits, np.zeros(SIZE))

    def choose(self, state: State, budget: Budget) -> Action:
        """The best action found within a budget; a node is a game."""
        words = kernel_state(self.game, state)
        tree = self.tree
        tree.child[0], tree.visits[0] = NONE, 0
        used, games, begin = 1, 0, time.perf_counter()
        while games < budget.nodes if budget.nodes else time.perf_counter() - begin < (budget.ms or 0) / 1000:
            used, stream = grow(words, self.rules, tree, CHUNK, used, self.stream)
            self.stream = np.uint64(stream)
            games += CHUNK
        first = int(tree.child[0])
        best = first + int(np.argmax(tree.visits[first : first + len(self.game.actions(state))]))
        return rules_action(int(tree.action[best]))
