"""Tabular learning on Mū tōrere: random play of a batch, and a table of values that reaches those of the solved game.

    python examples/mu_torere_values.py

The table holds, for each position and action, what the action was worth when it was last taken: the reward if it ended
the game, otherwise what the position after it is worth to the other player, with the sign turned. A position is worth
its best action; actions never taken count 0, as a draw does.
"""

from collections import defaultdict
from typing import Any

import numpy as np

import kemu
from kemu.bots import solution
from kemu.games import encoding

LANES = 256
Table = defaultdict[bytes, dict[int, float]]


def learn(steps: int, seed: int = 0) -> Table:
    """The values after so many steps in every lane."""
    batch = kemu.batch("mu-torere", LANES, seed=seed, repetition=False)
    men = 2 * batch.encoding.shape[1]  # the rows of a position; the others do not matter without repetition
    table: Table = defaultdict(dict)
    buffers = batch.reset()
    while steps:
        steps -= 1
        before = [row.tobytes()[:men] for row in buffers.observations]
        movers, actions = buffers.seats.copy(), batch.random_actions(buffers.masks)
        batch.step(actions, buffers)
        for lane, (position, action) in enumerate(zip(before, actions.tolist(), strict=True)):
            if buffers.terminated[lane]:
                table[position][action] = float(buffers.rewards[lane, movers[lane]])
            elif not buffers.truncated[lane]:
                after = buffers.observations[lane].tobytes()[:men]
                table[position][action] = -value(table, after, np.flatnonzero(buffers.masks[lane]).tolist())
    return table


def value(table: Table, position: bytes, actions: list[int]) -> float:
    """What a position is worth to the side that moves; one without an action is lost."""
    known = table[position]
    return max((known.get(action, 0.0) for action in actions), default=-1.0)


def compare(table: Table) -> tuple[int, int]:
    """In how many of all positions the table has the value of the solved game, and how many there are."""
    game = kemu.game("mu-torere", repetition=False)
    numbers = encoding(game)
    solved: Any = solution(game)
    ids = {action: number for number, action in enumerate(numbers.actions(0))}
    waiting, met, right = [game.initial()], {game.initial()}, 0
    for state in waiting:
        seat, actions = state.position.turn, game.actions(state)
        position = numbers.observation(game.view(state, seat), seat)[: 2 * numbers.shape[1]]
        learned = value(table, position, [ids[action] for action in actions])
        right += learned == {"win": 1, "draw": 0, "loss": -1}[solved.value(state).result]
        following = {game.apply(state, action) for action in actions} - met
        met |= following
        waiting += following
    return right, len(met)


def main() -> None:
    for steps in (10, 100, 1000):
        right, states = compare(learn(steps))
        print(f"{steps * LANES:7,} steps: {right} of {states} positions have their true value")


if __name__ == "__main__":
    main()
