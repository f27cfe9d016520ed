"""Compiles what tests run and no bot that plays does: `python -m tests.kernels`; the results stay on the disk.

Otherwise the first test that needs a function compiles it, in every worker that comes to one, and measured by coverage.
"""

from dataclasses import replace
from typing import Any

import kemu
from kemu.bots.engines import learner
from kemu.core.errors import OptionError


def main() -> None:
    """Step a batch of every game, and learn from a few games."""
    for key in kemu.game_keys():
        batch = kemu.batch(key, 2, seed=1)
        buffers = batch.reset()
        batch.step(batch.random_actions(buffers.masks), buffers)
        learn(key)


def learn(key: str) -> None:
    """Play a small batch of a game that is learned, and fit weights to it."""
    try:
        known: Any = learner(kemu.game(key))
    except OptionError:
        return
    small = replace(known, batch_games=12, nodes=50)
    weights = small.untrained_weights()
    list(small.fit(weights, [small.play_batch(weights, 1)], 1, 1))


if __name__ == "__main__":
    main()
