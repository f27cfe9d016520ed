"""Plain UCT on the kernel's random games: what the search is measured by, with no knowledge but the rules."""

import time
from typing import Final

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.compiled import borrowing, compiled, multiply, next_random, signed
from kemu.engines.moeraki.kernel import ACTION_COUNT, LAST, OVER, STEP, TURN, Numbers, apply, legal
from kemu.engines.moeraki.packed import U, outcome_winner
from kemu.engines.moeraki.playouts import SCRATCH, play
from kemu.engines.moeraki.search_tree import (
    LONGEST,
    NONE,
    OPEN,
    Path,
    Tree,
    add_children,
    add_result,
    clear,
    new_tree,
    value_of_winner,
)
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import kernel_rules, kernel_state, rules_action
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

CHUNK: Final = 500
"""Games between two checks of the time."""

EXPLORATION: Final = 0.8


@borrowing
def best_child(node: int, tree: Tree) -> int:
    """The child with the greatest upper confidence bound of those that are not decided; NONE if all are."""
    best, bound = NONE, -1.0
    scale = EXPLORATION * np.sqrt(np.log(tree.visits[node] + 1.0))
    first = tree.child[node]
    for child in range(first, first + tree.children[node]):
        if tree.proof[child] != OPEN:
            continue
        visits = tree.visits[child]
        if visits == 0:
            return child
        value = tree.wins[child] / visits + scale / np.sqrt(visits)
        if value > bound:
            best, bound = child, value
    return best


@borrowing
def shuffle(actions: Numbers, count: int, stream: np.uint64) -> np.uint64:
    """Puts actions in random order, as nodes that are not visited are tried in turn."""
    for at in range(count):
        stream, word = next_random(stream)
        other = at + signed(multiply(word, U(count - at))[0])
        actions[at], actions[other] = actions[other], actions[at]
    return stream


@compiled
def grow(start: Words, rules: Words, tree: Tree, games: int, used: int, stream: np.uint64) -> tuple[int, np.uint64]:
    """Plays more games through a tree of which some nodes are used; returns how many are now, and the stream."""
    state, scratch = np.empty_like(start), np.empty(SCRATCH, np.uint64)
    actions = np.empty(ACTION_COUNT, np.int64)
    path = Path(np.empty(LONGEST, np.int64), np.empty(LONGEST, np.int64))
    for _ in range(games):
        state[:] = start
        node, length = 0, 0
        path.nodes[0], path.movers[0] = 0, 1 - signed(start[TURN])
        while state[STEP] != U(OVER):
            if tree.child[node] == NONE:
                if tree.visits[node] == 0 and node != 0:
                    break
                count = legal(state, rules, actions)
                if used + count > tree.action.shape[0]:
                    break
                stream = shuffle(actions, count, stream)
                used = add_children(node, used, actions, count, tree)
            node = best_child(node, tree)
            length += 1
            path.nodes[length], path.movers[length] = node, signed(state[TURN])
            apply(state, rules, tree.action[node])
        if state[STEP] != U(OVER):
            stream = play(state, rules, scratch, actions, stream)
        add_result(value_of_winner(outcome_winner(signed(state[LAST]))), path, length, tree)
    return used, stream


class Uct:
    """Chooses the action that most games went through."""

    def __init__(self, game: MoerakiKemu, seed: int = 0) -> None:
        self.game = game
        self.rules = kernel_rules(game)
        self.stream = np.uint64(seed)
        self.tree = new_tree()

    def choose(self, state: State, budget: Budget) -> Action:
        """The best action found within a budget; a node is a game."""
        words = kernel_state(self.game, state)
        tree = self.tree
        clear(tree)
        used, games, begin = 1, 0, time.perf_counter()
        while games < budget.nodes if budget.nodes else time.perf_counter() - begin < (budget.ms or 0) / 1000:
            used, stream = grow(words, self.rules, tree, CHUNK, used, self.stream)
            self.stream = np.uint64(stream)
            games += CHUNK
        first = int(tree.child[0])
        best = first + int(np.argmax(tree.visits[first : first + len(self.game.actions(state))]))
        return rules_action(int(tree.action[best]))
