"""Learns the value of states from games of the search against itself, for each number of players apart."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.learning import Epoch
from kemu.engines.mauw.fitting import RATE, Samples, fitted_weights, parameters, random_weights, run_epoch
from kemu.engines.mauw.layout import MOST_PLAYERS, PLAYERS, STATE_SIZE
from kemu.engines.mauw.search import SETTINGS, Searcher
from kemu.engines.mauw.selfplay import Plan, play_game
from kemu.engines.mauw.tree import make_tree
from kemu.engines.mauw.value import Weights, read_nets, shipped_nets, write_nets
from kemu.games.mauw.state import LEFT_OUT
from kemu.games.mauw.turns import MOST_TURNS

PLAYER_SHARES: Final = {2: 5, 3: 1, 4: 2, 5: 1, 6: 1}
"""How often games are of so many players."""

HELD_OUT: Final = 8
"""One game of so many is not trained on."""

STREAM_BITS: Final = 64


@dataclass(frozen=True)
class ValueLearner:
    """The learner of MAUW; its weights are the arrays of `value.write_nets`."""

    batch_games: int = 200
    nodes: int = 40  # for each action of self-play
    test_nodes: int = 300  # for each action of a bot with given weights
    options: Sequence[Mapping[str, Any]] = ({"players": 2}, {"players": 4})
    opening_actions: Sequence[int] = ()

    def weights_in_use(self) -> bytes:
        """The weights that come with the engine."""
        return write_nets(shipped_nets())

    def untrained_weights(self) -> bytes:
        """Random weights, to which every state seems about even."""
        return write_nets({players: random_weights(players) for players in LEFT_OUT})

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """The states of all turns of some games, with the shares of the victory and the number of the game."""
        nets, tree = read_nets(weights), make_tree(self.nodes + 1)
        states: list[NDArray[np.int16]] = []
        shares: list[NDArray[np.float32]] = []
        numbers: list[NDArray[np.int64]] = []
        for number in range(self.batch_games):
            dice = random.Random(f"{seed}/{number}")
            players = dice.choices(list(PLAYER_SHARES), list(PLAYER_SHARES.values()))[0]
            turns, won = np.empty((MOST_TURNS, STATE_SIZE), np.int16), np.zeros(MOST_PLAYERS)
            plan, stream = Plan(players, self.nodes, SETTINGS), np.uint64(dice.getrandbits(STREAM_BITS))
            count = play_game(plan, nets[players], tree, stream, turns, won)
            states.append(turns[:count])
            shares.append(np.repeat(won[None].astype(np.float32), count, axis=0))
            numbers.append(np.full(count, number))
        columns: dict[str, Sequence[NDArray[Any]]] = {"states": states, "shares": shares, "game": numbers}
        return dump_arrays({name: np.concatenate(parts) for name, parts in columns.items()})

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """Each epoch takes all states once, in an order that the seed decides."""
        batches = [load_arrays(each) for each in samples]
        joined = {name: np.concatenate([batch[name] for batch in batches]) for name in ("states", "shares", "game")}
        all_samples = Samples(joined["states"], joined["shares"])
        held_out = joined["game"] % HELD_OUT == HELD_OUT - 1
        nets = {players: parameters(net) for players, net in read_nets(weights).items()}
        source = np.random.default_rng(seed)
        for number in range(1, epochs + 1):
            losses = np.zeros(2)
            for players, net in nets.items():
                ours = joined["states"][:, PLAYERS] == players
                trained, tested = np.flatnonzero(ours & ~held_out), np.flatnonzero(ours & held_out)
                losses[0] += len(trained) * run_epoch(all_samples, source.permutation(trained), net, RATE / number)
                losses[1] += len(tested) * run_epoch(all_samples, tested, net, 0.0)
            means = losses / (max((~held_out).sum(), 1), max(held_out.sum(), 1))
            fitted = write_nets({players: fitted_weights(net) for players, net in nets.items()})
            yield Epoch(number, float(means[0]), float(means[1]), fitted)

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """The search with these weights."""
        return WeightedBot(game, read_nets(weights)[game.seats], seed, Budget(nodes=self.test_nodes))


class WeightedBot:
    """Searches with weights of its own."""

    name: Final = "weighted"

    def __init__(self, game: AnyGame, weights: Weights, seed: int, budget: Budget) -> None:
        rules: Any = game
        self._searcher = Searcher(rules, weights)
        self._source = random.Random(seed)
        self._budget = budget

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """The action that the search finds best."""
        if len(actions) == 1:
            return actions[0]
        return self._searcher.search(view, log, self._budget, seed=self._source.getrandbits(32)).action
