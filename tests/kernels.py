"""Compiles what tests run and no bot that plays does: `python -m tests.kernels`; the results stay on the disk.

Otherwise the first test that needs a function compiles it, in every worker that comes to one, and measured by coverage.
"""

import numpy as np

import kemu
from kemu.bots import bot
from kemu.engines.mauw import layout
from kemu.engines.mauw import playouts as mauw_playouts
from kemu.engines.moeraki import kernel, playouts
from kemu.engines.moeraki.translation import kernel_rules, kernel_state
from kemu.games.moeraki.rules import MoerakiKemu


def main() -> None:
    """Step a batch of every game, search by playouts, and play random games."""
    for key in kemu.games():
        batch = kemu.batch(key, 2, seed=1)
        buffers = batch.reset()
        batch.step(batch.random_actions(buffers.masks), buffers)
    game = MoerakiKemu()
    state = game.initial()
    for name in ("uct", "uct-threats", "puct"):
        bot(f"{name}@nodes=900", game, 1).choose(game.view(state, 0), [], game.actions(state))
    playouts.playouts(kernel_state(game, state), kernel_rules(game), 1, 1, np.zeros((1, kernel.STATE_WORDS), np.uint64))
    mauw_playouts.random_games(2, 1, 1, np.zeros(3 + layout.MOST_PLAYERS, np.int64))


if __name__ == "__main__":
    main()
