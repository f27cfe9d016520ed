"""How an engine learns from games against itself: what `kemu train` asks of it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from kemu.core.bot import Bot
from kemu.core.game import AnyGame


class Epoch(NamedTuple):
    """What one pass over all samples came to."""

    number: int  # from 1
    trained: float  # the mean loss on the games that were trained on
    held_out: float  # the same on games that were not
    weights: bytes


class Learner(Protocol):
    """Learns one game. It is sent to other processes and machines, so it must pickle, best a dataclass without state.

    Weights and samples are files of numpy (npz) as bytes; nobody but the learner looks into them, except that samples
    have an array `game` with the number of its game for each position. Every method gives the same for the same
    arguments, in any process: random numbers come from the seed, budgets are in nodes. All its settings are in its
    repr, by which a training notices that they have changed.
    """

    @property
    def batch_games(self) -> int:
        """How many games a batch has; one batch should take some seconds to a minute."""

    @property
    def options(self) -> Sequence[Mapping[str, Any]]:
        """The options of the games in which weights are tested against each other, in turn."""

    @property
    def opening_actions(self) -> Sequence[int]:
        """How many random actions an opening of those games may have; empty: chance makes the games differ."""

    def weights_in_use(self) -> bytes:
        """The weights with which the engine plays now."""

    def untrained_weights(self) -> bytes:
        """The weights of an engine that has learned nothing, from which `kemu train --reproduce` begins."""

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """The samples of a batch of whole games of the engine against itself."""

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """Trains weights further on the samples of batches, some games of which are held out; one result an epoch."""

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """A bot that plays with these weights, with a small budget in nodes."""


class SearchBot:
    """Plays what a search finds, such as one with weights of its own."""

    name: Final = "search"

    def __init__(self, search: Callable[[Any, Sequence[str], int], Any], seed: int) -> None:
        self._search = search  # from view, log and seed to the best action
        self._source = random.Random(seed)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """Return the action that the search finds best."""
        return actions[0] if len(actions) == 1 else self._search(view, log, self._source.getrandbits(32))
