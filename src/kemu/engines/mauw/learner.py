"""Learns value and policy from games of the search against itself, for each number of players apart."""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.learning import Epoch
from kemu.engines.mauw.fitting import (
    RATE,
    Fit,
    Parameters,
    Samples,
    fitted_weights,
    parameters,
    random_weights,
    run_epoch,
)
from kemu.engines.mauw.layout import AT_TURN, MOST_PLAYERS, PLAYERS, STEP, Numbers
from kemu.engines.mauw.policy_fitting import RATE as POLICY_RATE
from kemu.engines.mauw.policy_fitting import FittedPolicy, Searched, policy_parameters, run_policy_epoch
from kemu.engines.mauw.search import SETTINGS, Searcher
from kemu.engines.mauw.selfplay import Plan, Record, make_record, play_game
from kemu.engines.mauw.tree import make_tree
from kemu.engines.mauw.weights import Weights, read_nets, shipped_nets, write_nets
from kemu.games.mauw.state import LEFT_OUT
from kemu.games.mauw.turns import MOST_TURNS

PLAYER_SHARES: Final = {2: 4, 3: 2, 4: 2, 5: 1, 6: 1}
"""How often games are of so many players."""

HELD_OUT: Final = 8
"""One game of so many is not trained on."""

MOST_STATES: Final = 4 * MOST_TURNS
"""No more states of a game are recorded."""

SELF_PLAY: Final = SETTINGS._replace(trust=0.0)
"""Hands are drawn uniformly, since the policy that would weigh them is only being learned."""

STREAM_BITS: Final = 64


@dataclass(frozen=True)
class ValueLearner:
    """The learner of MAUW; its weights are the arrays of `weights.write_nets`."""

    batch_games: int = 100
    nodes: int = 150  # for each action of self-play
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
        """The states of some games with the visits of their actions, who won, and the number of the game."""
        nets, tree, record = read_nets(weights), make_tree(self.nodes + 1), make_record(MOST_STATES)
        columns: dict[str, list[NDArray[Any]]] = {name: [] for name in (*Record._fields, "shares", "game")}
        for number in range(self.batch_games):
            dice = random.Random(f"{seed}/{number}")
            players = dice.choices(list(PLAYER_SHARES), list(PLAYER_SHARES.values()))[0]
            won = np.zeros(MOST_PLAYERS)
            plan, stream = Plan(players, self.nodes, SELF_PLAY), np.uint64(dice.getrandbits(STREAM_BITS))
            states = play_game(plan, nets[players], tree, stream, record, won)
            listed = int(record.counts[:states].sum())
            for name, length in zip(Record._fields, (states, states, listed, listed), strict=True):
                columns[name].append(getattr(record, name)[:length].copy())
            columns["shares"].append(np.repeat(won[None].astype(np.float32), states, axis=0))
            columns["game"].append(np.full(states, number))
        return dump_arrays({name: np.concatenate(parts) for name, parts in columns.items()})

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """Each epoch takes all states once, in an order that the seed decides.

        The loss is the sum of that of the value, for states at the start of a turn, and that of the policy, for states
        that were searched. Of each the weights with the least loss of held-out games are kept, at first the given ones.
        """
        batches = [load_arrays(each) for each in samples]
        joined = {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}
        fits = {players: _fits(net, joined, players) for players, net in read_nets(weights).items()}
        source = np.random.default_rng(seed)
        for number in range(1, epochs + 1):
            for both in fits.values():
                for each in both:
                    each.run_epoch(source)
            trained, held_out = np.sum([_mean_losses(kind) for kind in zip(*fits.values(), strict=True)], axis=0)
            fitted = {players: fitted_weights(value.kept, policy.kept) for players, (value, policy) in fits.items()}
            yield Epoch(number, float(trained), float(held_out), write_nets(fitted))

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """The search with these weights."""
        return WeightedBot(game, read_nets(weights)[game.seats], seed, Budget(nodes=self.test_nodes))


def _fits(net: Weights, samples: Mapping[str, NDArray[Any]], players: int) -> tuple[Fit[Parameters], Fit[FittedPolicy]]:
    """The fits of value and policy for one number of players."""
    states, counts = samples["states"], samples["counts"]
    ours, held_out = states[:, PLAYERS] == players, samples["game"] % HELD_OUT == HELD_OUT - 1
    values = Samples(states, samples["shares"])
    firsts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    visits = Searched(states, firsts, samples["actions"], samples["visits"])

    def split(part: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        return np.flatnonzero(part & ~held_out), np.flatnonzero(part & held_out)

    return (
        Fit(partial(run_epoch, values), parameters(net), split(ours & (states[:, STEP] == AT_TURN)), RATE),
        Fit(partial(run_policy_epoch, visits), policy_parameters(net.policy), split(ours & (counts > 1)), POLICY_RATE),
    )


def _mean_losses(fits: Sequence[Fit[Any]]) -> tuple[float, float]:
    """The mean losses over all numbers of players, of samples that were trained on and of those held out."""
    trained = sum(fit.trained * len(fit.parts[0]) for fit in fits) / max(sum(len(fit.parts[0]) for fit in fits), 1)
    held_out = sum(fit.least * len(fit.parts[1]) for fit in fits) / max(sum(len(fit.parts[1]) for fit in fits), 1)
    return trained, held_out


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
