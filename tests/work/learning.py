"""A learner for the tests of training, in a module that other processes can import."""

import os
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from kemu.bots import bot
from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.engines.arrays import dump_arrays
from kemu.engines.capabilities import Epoch


@dataclass(frozen=True)
class ToyLearner:
    """Learns Mū tōrere from enough batches: its weights are the name of a bot and a digest of what they come from."""

    needed: int = 1  # batches
    marker: str = os.devnull  # the first batch that does not find this file kills its process
    batch_games: int = 3
    options: Sequence[Mapping[str, Any]] = ({"arms": 6}, {"arms": 6, "flank": "never"})
    opening_actions: Sequence[int] = (1, 2)

    def weights_in_use(self) -> bytes:
        return b"random in use"

    def untrained_weights(self) -> bytes:
        return b"random untrained"

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        marker = Path(self.marker)
        if not marker.exists():
            marker.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return dump_arrays({"game": np.arange(self.batch_games), "played": [f"games {seed} with {weights!r}"]})

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        digest = sha256(b"; ".join([weights, *samples, b"%d" % seed])).hexdigest()
        name = "perfect" if len(samples) >= self.needed else "random"
        for number in range(1, epochs + 1):
            # The second epoch is the best on games held out.
            yield Epoch(number, 1 / number, 0.5 + abs(number - 2) / 10, f"{name} {number} {digest}".encode())

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        return bot(weights.decode().split()[0], game, seed)
