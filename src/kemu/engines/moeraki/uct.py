"""Plain UCT on the kernel's random games: the yardstick for the real search, with no knowledge but the rules."""

import time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.analysis import Budget
from kemu.engines.compiled import compiled, multiply, next_random, signed
from kemu.engines.moeraki.kernel import ACTION_COUNT, LAST, OVER, STEP, TURN, Numbers, U, apply, legal
from kemu.engines.moeraki.playouts import NOTES, play
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import kernel_rules, kernel_state, rules_action
from kemu.games.moeraki.actions import Action
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu

NONE: Final = -1
SIZE: Final = 3_000_000
CHUNK: Final = 500
"""Games between two looks at the clock."""

EXPLORATION: Final = 0.8


@compiled
def best_child(node: int, first: Numbers, next_: Numbers, visits: Numbers, wins: NDArray[np.float64]) -> int:
    """The child with the greatest upper confidence bound."""
    best, bound = NONE, -1.0
    scale = EXPLORATION * np.sqrt(np.log(visits[node] + 1.0))
    child = first[node]
    while child != NONE:
        if visits[child] == 0:
            return child
        value = wins[child] / visits[child] + scale / np.sqrt(visits[child])
        if value > bound:
            best, bound = child, value
        child = next_[child]
    return best


@compiled
def grow(
    start: Words,
    rules: Words,
    tree: Numbers,
    wins: NDArray[np.float64],
    playouts: int,
    used: int,
    stream: np.uint64,
) -> tuple[int, np.uint64]:
    """Plays more games through a tree: rows of `tree` are first child, next sibling, action, visits."""
    first, next_, action, visits = tree[0], tree[1], tree[2], tree[3]
    state = np.empty_like(start)
    notes = np.empty(NOTES, np.uint64)
    actions = np.empty(ACTION_COUNT, np.int64)
    path, movers = np.empty(200, np.int64), np.empty(200, np.int64)
    for _ in range(playouts):
        state[:] = start
        node, length = 0, 0
        path[0], movers[0] = 0, 2
        while state[STEP] != U(OVER):
            if first[node] == NONE:
                if visits[node] == 0 and node != 0:
                    break
                count = legal(state, rules, actions)
                if used + count > action.shape[0]:
                    break
                # Shuffled, so that children not yet visited are tried in random order.
                for at in range(count):
                    stream, word = next_random(stream)
                    other = at + signed(multiply(word, U(count - at))[0])
                    actions[at], actions[other] = actions[other], actions[at]
                    child = used + at
                    action[child], visits[child], wins[child], first[child] = actions[at], 0, 0.0, NONE
                    next_[child] = child + 1 if at + 1 < count else NONE
                first[node] = used
                used += count
            node = best_child(node, first, next_, visits, wins)
            length += 1
            path[length], movers[length] = node, signed(state[TURN])
            apply(state, rules, action[node])
        if state[STEP] != U(OVER):
            stream = play(state, rules, notes, actions, stream)
        winner = signed(state[LAST] >> U(3))
        for at in range(length + 1):
            visits[path[at]] += 1
            wins[path[at]] += 0.5 if winner == 2 else 1.0 if winner == movers[at] else 0.0
    return used, stream


class Uct:
    """Chooses the action that most games went through."""

    def __init__(self, game: MoerakiKemu, seed: int = 0) -> None:
        self.game = game
        self.rules = kernel_rules(game)
        self.stream = np.uint64(seed)
        self.tree = np.zeros((4, SIZE), np.int64)
        self.wins = np.zeros(SIZE)

    def choose(self, state: State, budget: Budget) -> Action:
        """The best action found within a budget; a node is a game."""
        words = kernel_state(self.game, state)
        self.tree[:, 0] = (NONE, NONE, 0, 0)
        used, games, begin = 1, 0, time.perf_counter()
        while games < budget.nodes if budget.nodes else time.perf_counter() - begin < (budget.ms or 0) / 1000:
            used, stream = grow(words, self.rules, self.tree, self.wins, CHUNK, used, self.stream)
            self.stream = np.uint64(stream)
            games += CHUNK
        first = int(self.tree[0, 0])
        best = first + int(np.argmax(self.tree[3, first : first + len(self.game.actions(state))]))
        return rules_action(int(self.tree[2, best]))
