"""Learns value and policy of MAUW from games of the search against itself, for each number of players apart.

In these games a seat searches with the multiset of all cards that are in other hands or in the pile, without knowing
where each is. In a real game it may know less: the faces of Mauw that lie hidden are not in this multiset.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.bot import Bot
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.capabilities import Epoch, SearchBot
from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.mauw import fitting, layout
from kemu.engines.mauw import tree as trees
from kemu.engines.mauw.batch import deal
from kemu.engines.mauw.fitting import Fit, FittedPolicy, Parameters
from kemu.engines.mauw.hands import empty_memory
from kemu.engines.mauw.kernel import actor, apply, begin, legal, write_victory
from kemu.engines.mauw.layout import Numbers
from kemu.engines.mauw.search import Searcher
from kemu.engines.mauw.tree import Belief, Tree
from kemu.engines.mauw.value import Weights, read_nets, shipped_nets, write_nets
from kemu.engines.words import below
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import LEFT_OUT
from kemu.games.mauw.turns import MOST_TURNS

PLAYER_SHARES: Final = {2: 4, 3: 2, 4: 2, 5: 1, 6: 1}
"""Relative frequency of games by number of players."""

HELD_OUT: Final = 8
"""One game in this many is held out."""

MOST_STATES: Final = 4 * MOST_TURNS
"""No more states of a game are recorded."""

EXPECTED_CHOICES: Final = 16
"""Average number of visited actions of a state for which there is memory."""

SLIP: Final = 20
"""Random actions in a thousand, which make games differ from what the search would do."""


# Games of the search against itself


class Record(NamedTuple):
    """The states of a game at the start of each turn and at each search, and how often their actions were visited."""

    states: NDArray[np.int16]
    shares: NDArray[np.float32]  # of the victory, by state and seat
    counts: NDArray[np.int16]  # by state: how many actions were visited, 0 if it was not searched
    actions: NDArray[np.int16]  # of all states, one after the other
    visits: NDArray[np.int32]


@no_refcount
def hide(state: Numbers, seat: int, public: Numbers, cards: Numbers, held: Numbers) -> None:
    """Writes what a seat sees of a state, the cards it does not see, and how many of them each other seat holds."""
    for at in range(layout.STATE_SIZE):
        public[at] = state[at]
    for card in range(layout.CARDS):
        cards[card] = state[layout.PILE + card]
        public[layout.PILE + card] = 0
    for other in range(state[layout.PLAYERS]):
        held[other] = 0
        if other == seat:
            continue
        held[other] = state[layout.SIZES + other]
        public[layout.SIZES + other] = public[layout.KINDS + other] = 0
        for card in range(layout.CARDS):
            cards[card] += state[layout.HELD + layout.CARDS * other + card]
            public[layout.HELD + layout.CARDS * other + card] = 0


@compiled
def make_record() -> Record:
    """Return memory for the longest game."""
    return Record(
        np.empty((MOST_STATES, layout.STATE_SIZE), np.int16),
        np.zeros((MOST_STATES, layout.MOST_PLAYERS), np.float32),
        np.zeros(MOST_STATES, np.int16),
        np.empty(MOST_STATES * EXPECTED_CHOICES, np.int16),
        np.empty(MOST_STATES * EXPECTED_CHOICES, np.int32),
    )


@no_refcount
def note_visits(tree: Tree, record: Record, at: int, listed: int) -> tuple[int, int]:
    """Write how often each action of the root was visited; return the most visited one and how many are written."""
    child, action, most = int(tree.nodes[trees.FIRST_CHILD, 0]), 0, -1
    while child != trees.NONE:
        visits = tree.nodes[trees.VISITS, child]
        if visits > most:
            action, most = int(tree.nodes[trees.ACTION, child]), visits
        if listed < record.actions.shape[0]:
            record.actions[listed], record.visits[listed] = tree.nodes[trees.ACTION, child], visits
            record.counts[at] += 1
            listed += 1
        child = int(tree.nodes[trees.NEXT_SIBLING, child])
    return action, listed


@compiled
def play_game(players: int, nodes: int, weights: Weights, tree: Tree, stream: np.uint64) -> Record:
    """Play a game with a search of `nodes` nodes for each action, and return its samples.

    Hands are dealt uniformly in these searches, since the policy that would weigh them is only being learned.
    """
    state, public = np.empty(layout.STATE_SIZE, np.int64), np.empty(layout.STATE_SIZE, np.int64)
    cards, held = np.empty((1, 1, layout.CARDS), np.int64), np.empty((1, 1, players), np.int64)
    belief, actions = Belief(public, np.ones(1), cards, held, empty_memory()), np.empty(layout.ACTION_COUNT, np.int64)
    record, states, listed = make_record(), 0, 0
    begin(state, players)
    stream = deal(state, stream)
    while state[layout.STEP] < layout.OVER:
        count = legal(state, actions)
        ticket, stream = below(1000, stream)
        slips = ticket < SLIP
        if states < MOST_STATES and (state[layout.STEP] == layout.AT_TURN or (count > 1 and not slips)):
            record.states[states] = state
            states += 1
        if count == 1 or slips:
            ticket, stream = below(count, stream)
            action = actions[ticket]
        else:
            hide(state, actor(state), public, cards[0, 0], held[0, 0])
            trees.clear_tree(tree)
            stream = trees.grow(belief, tree, weights, nodes, stream)
            action, listed = note_visits(tree, record, states - 1, listed)
        apply(state, action)
        stream = deal(state, stream)
    for at in range(states):
        write_victory(state, record.shares[at])
    return Record(
        record.states[:states].copy(),
        record.shares[:states].copy(),
        record.counts[:states].copy(),
        record.actions[:listed].copy(),
        record.visits[:listed].copy(),
    )


# Learning from them


@dataclass(frozen=True)
class ValueLearner:
    """The learner of MAUW; its weights are the arrays of `value.write_nets`."""

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
        return write_nets({players: fitting.random_weights(players) for players in LEFT_OUT})

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """The states of some games with the visits of their actions, who won, and the number of the game."""
        nets, tree, records = read_nets(weights), trees.make_tree(self.nodes + 1), []
        for number in range(self.batch_games):
            dice = random.Random(f"{seed}/{number}")
            players = dice.choices(list(PLAYER_SHARES), list(PLAYER_SHARES.values()))[0]
            stream = np.uint64(dice.getrandbits(64))
            records.append(play_game(players, self.nodes, nets[players], tree, stream))
        columns = {name: np.concatenate([getattr(each, name) for each in records]) for name in Record._fields}
        games = np.repeat(np.arange(self.batch_games), [len(each.states) for each in records])
        return dump_arrays({**columns, "game": games})

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
            fitted = {
                players: fitting.fitted_weights(value.kept, policy.kept) for players, (value, policy) in fits.items()
            }
            yield Epoch(number, float(trained), float(held_out), write_nets(fitted))

    def bot(self, game: Mauw, weights: bytes, seed: int) -> Bot:
        """The search with these weights."""
        searcher, budget = Searcher(game, read_nets(weights)[game.seats]), Budget(nodes=self.test_nodes)
        return SearchBot(lambda view, log, seed: searcher.search(view, log, budget, seed=seed).action, seed)


def _fits(net: Weights, samples: Mapping[str, NDArray[Any]], players: int) -> tuple[Fit[Parameters], Fit[FittedPolicy]]:
    """The fits of value and policy for one number of players."""
    states, counts = samples["states"], samples["counts"]
    ours, held_out = states[:, layout.PLAYERS] == players, samples["game"] % HELD_OUT == HELD_OUT - 1
    values = fitting.Samples(states, samples["shares"])
    firsts = np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
    visits = fitting.Searched(states, firsts, samples["actions"], samples["visits"])

    def split(part: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
        return np.flatnonzero(part & ~held_out), np.flatnonzero(part & held_out)

    at_turn, policy = states[:, layout.STEP] == layout.AT_TURN, fitting.policy_parameters(net.policy)
    return (
        Fit(partial(fitting.run_epoch, values), fitting.parameters(net), split(ours & at_turn), fitting.RATE),
        Fit(partial(fitting.run_policy_epoch, visits), policy, split(ours & (counts > 1)), fitting.POLICY_RATE),
    )


def _mean_losses(fits: Sequence[Fit[Any]]) -> tuple[float, float]:
    """The mean losses over all numbers of players, of samples that were trained on and of those held out."""
    trained = sum(fit.trained * len(fit.parts[0]) for fit in fits) / max(sum(len(fit.parts[0]) for fit in fits), 1)
    held_out = sum(fit.least * len(fit.parts[1]) for fit in fits) / max(sum(len(fit.parts[1]) for fit in fits), 1)
    return trained, held_out
