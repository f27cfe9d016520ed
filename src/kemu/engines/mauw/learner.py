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
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.compiled import below, compiled, no_refcount
from kemu.engines.learning import Epoch, SearchBot
from kemu.engines.mauw import fitting, layout
from kemu.engines.mauw.batch import deal
from kemu.engines.mauw.fitting import Fit, FittedPolicy, Parameters
from kemu.engines.mauw.hands import Memory, empty_memory, remember, remember_draws
from kemu.engines.mauw.kernel import actor, apply, begin, legal, write_victory
from kemu.engines.mauw.layout import Numbers, Reals
from kemu.engines.mauw.policy import EACH
from kemu.engines.mauw.search import SETTINGS, Searcher
from kemu.engines.mauw.tree import (
    ACTION,
    FIRST_CHILD,
    NEXT_SIBLING,
    NONE,
    VISITS,
    Belief,
    Settings,
    Tree,
    clear_tree,
    grow,
    make_tree,
    most_visited,
)
from kemu.engines.mauw.value import Floats, Weights, read_nets, shipped_nets, write_nets
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

EXPECTED_CHOICES: Final = 16
"""There is memory for so many visited actions of a state on average."""

SLIP: Final = 20
"""Of a thousand actions so many are any legal one, so that games differ from what the search would do."""


# Games of the search against itself


class Record(NamedTuple):
    """The states of a game at the start of each turn and at each search, and how often their actions were visited."""

    states: NDArray[np.int16]
    counts: NDArray[np.int16]  # by state: how many actions were visited, 0 if it was not searched
    actions: NDArray[np.int16]  # of all states, one after the other
    visits: NDArray[np.int32]


def make_record(states: int) -> Record:
    """Memory for so many states."""
    return Record(
        np.empty((states, layout.STATE_SIZE), np.int16),
        np.empty(states, np.int16),
        np.empty(states * EXPECTED_CHOICES, np.int16),
        np.empty(states * EXPECTED_CHOICES, np.int32),
    )


class Plan(NamedTuple):
    """How games are played."""

    players: int
    nodes: int  # for each action
    settings: Settings


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


@no_refcount
def note_visits(tree: Tree, record: Record, at: int, first: int) -> int:
    """Writes how often each action of the root was visited; returns how many actions all states have so far."""
    child = int(tree.nodes[FIRST_CHILD, 0])
    while child != NONE and first < record.actions.shape[0]:
        record.actions[first] = tree.nodes[ACTION, child]
        record.visits[first] = tree.nodes[VISITS, child]
        record.counts[at] += 1
        first += 1
        child = int(tree.nodes[NEXT_SIBLING, child])
    return first


@no_refcount
def act(state: Numbers, action: int, memory: Memory, policy: Floats, rows: Numbers, stream: np.uint64) -> np.uint64:
    """Takes an action and lets the dealer act after it; remembers what everybody saw of it."""
    players, acting = int(state[layout.PLAYERS]), actor(state)
    remember(memory, state, action, policy, rows)
    for seat in range(players):
        remember_draws(memory, seat, -int(state[layout.SIZES + seat]))
    apply(state, action)
    if action < layout.PUT or layout.ANSWER <= action < layout.GIVE_IN:
        remember_draws(memory, acting, 1)
    stream = deal(state, stream)
    for seat in range(players):
        remember_draws(memory, seat, int(state[layout.SIZES + seat]))
    return stream


@compiled
def play_game(plan: Plan, weights: Weights, tree: Tree, stream: np.uint64, record: Record, shares: Reals) -> int:
    """Plays a game, records it, and writes the shares of the victory; returns how many states are recorded."""
    state, public = np.empty(layout.STATE_SIZE, np.int64), np.empty(layout.STATE_SIZE, np.int64)
    cards, held = np.empty((1, 1, layout.CARDS), np.int64), np.empty((1, 1, plan.players), np.int64)
    chances, actions, rows = np.ones(1), np.empty(layout.ACTION_COUNT, np.int64), np.empty(EACH, np.int64)
    memory = empty_memory()
    begin(state, plan.players)
    stream = deal(state, stream)
    states = listed = 0
    while state[layout.STEP] < layout.OVER:
        count = legal(state, actions)
        ticket, stream = below(1000, stream)
        slips = ticket < SLIP
        if states < record.states.shape[0] and (state[layout.STEP] == layout.AT_TURN or (count > 1 and not slips)):
            record.states[states] = state
            record.counts[states] = 0
            states += 1
        if count == 1 or slips:
            ticket, stream = below(count, stream)
            action = actions[ticket]
        else:
            hide(state, actor(state), public, cards[0, 0], held[0, 0])
            clear_tree(tree)
            belief = Belief(public, chances, cards, held, memory)
            stream = grow(belief, tree, plan.settings, weights, plan.nodes, stream)
            action = tree.nodes[ACTION, most_visited(tree, 0)]
            listed = note_visits(tree, record, states - 1, listed)
        stream = act(state, action, memory, weights.policy, rows, stream)
    write_victory(state, shares)
    return states


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
        nets, tree, record = read_nets(weights), make_tree(self.nodes + 1), make_record(MOST_STATES)
        columns: dict[str, list[NDArray[Any]]] = {name: [] for name in (*Record._fields, "shares", "game")}
        for number in range(self.batch_games):
            dice = random.Random(f"{seed}/{number}")
            players = dice.choices(list(PLAYER_SHARES), list(PLAYER_SHARES.values()))[0]
            won = np.zeros(layout.MOST_PLAYERS)
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
            fitted = {
                players: fitting.fitted_weights(value.kept, policy.kept) for players, (value, policy) in fits.items()
            }
            yield Epoch(number, float(trained), float(held_out), write_nets(fitted))

    def bot(self, game: AnyGame, weights: bytes, seed: int) -> Bot:
        """The search with these weights."""
        rules: Any = game
        searcher, budget = Searcher(rules, read_nets(weights)[game.seats]), Budget(nodes=self.test_nodes)
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

    return (
        Fit(
            partial(fitting.run_epoch, values),
            fitting.parameters(net),
            split(ours & (states[:, layout.STEP] == layout.AT_TURN)),
            fitting.RATE,
        ),
        Fit(
            partial(fitting.run_policy_epoch, visits),
            fitting.policy_parameters(net.policy),
            split(ours & (counts > 1)),
            fitting.POLICY_RATE,
        ),
    )


def _mean_losses(fits: Sequence[Fit[Any]]) -> tuple[float, float]:
    """The mean losses over all numbers of players, of samples that were trained on and of those held out."""
    trained = sum(fit.trained * len(fit.parts[0]) for fit in fits) / max(sum(len(fit.parts[0]) for fit in fits), 1)
    held_out = sum(fit.least * len(fit.parts[1]) for fit in fits) / max(sum(len(fit.parts[1]) for fit in fits), 1)
    return trained, held_out
