"""The learned value of MAUW: what it says of plain states, and that it learns what it evaluates."""

import random

import numpy as np
import pytest

from kemu.core.game import CHANCE
from kemu.engines.mauw.fitting import Samples, parameters, random_weights, run_epoch
from kemu.engines.mauw.layout import MOST_PLAYERS, STATE_SIZE, kernel_state
from kemu.engines.mauw.learner import ValueLearner, hide
from kemu.engines.mauw.value import MOST_FACTS, UNITS, Units, Weights, read_nets, shipped_nets, write_nets, write_shares
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import LEFT_OUT, State
from tests.engines.mauw.games import playing
from tests.games.mauw.positions import position
from tests.games.mauw.twins import twin

LEARNER = ValueLearner(batch_games=12, nodes=8, test_nodes=20)


def shares(state: State, weights: Weights | None = None) -> list[float]:
    """What each seat can expect of the victory."""
    players = len(state.hands)
    found = np.zeros(MOST_PLAYERS)
    units = Units(np.zeros(MOST_FACTS, np.int64), np.zeros(UNITS, np.float32))
    write_shares(kernel_state(state), weights or shipped_nets()[players], units, found)
    return [float(share) for share in found[:players]]


@pytest.mark.parametrize("players", LEFT_OUT)
def test_shares_are_of_one_victory_in_every_state(players: int) -> None:
    for number, (played, _) in enumerate(playing(players, 3)):
        if number % 10 == 0:
            found = shares(played.state)
            assert sum(found) == pytest.approx(1.0)
            assert min(found) > 0.0


@pytest.mark.parametrize("players", LEFT_OUT)
def test_who_is_far_ahead_expects_most(players: int) -> None:
    _, state = position(players, zones=["###8 ### ## 7", *["1 . . ."] * (players - 1)])
    assert shares(state)[0] > 0.8


def test_a_spirit_on_the_best_column_and_a_joker_in_hand_count() -> None:
    _, free = position(hands=["1 1 1 1", "2 2 2 2"], zones=["### ## 7 .", "### ## 6 ."])
    _, blocked = position(hands=["1 1 1 1", "2 2 2 2"], zones=["###s ## 7 .", "### ## 6 ."])
    _, joker = position(hands=["1 1 1 m", "2 2 2 2"], zones=["### ## 7 .", "### ## 6 ."])
    assert shares(blocked)[0] < shares(free)[0] - 0.05
    assert shares(joker)[0] > shares(free)[0]


@pytest.mark.parametrize("players", [2, 4])
def test_the_loss_is_that_of_the_shares(players: int) -> None:
    """Fitting and evaluation are the same arithmetic but for its precision."""
    states = [played.state for played, _ in playing(players, 4) if played.game.turn(played.state) == 0][:20]
    won = np.zeros((len(states), MOST_PLAYERS), np.float32)
    won[:, 0] = 1.0
    samples = Samples(np.array([kernel_state(state) for state in states], np.int16), won)
    weights = random_weights(1)
    loss = run_epoch(samples, np.arange(len(states)), parameters(weights), 0.0)
    assert loss == pytest.approx(-np.mean([np.log(shares(state, weights)[0]) for state in states]), rel=1e-4)


def test_nets_are_read_as_they_were_written() -> None:
    nets = read_nets(write_nets(shipped_nets()))
    for players, net in shipped_nets().items():
        assert all(np.array_equal(*pair) for pair in zip(net, nets[players], strict=True))


@pytest.mark.parametrize("players", [2, 5])
def test_self_play_hides_what_a_seat_does_not_know(players: int) -> None:
    """A seat is told the same of a twin whose cards in other hands and in the pile are exchanged."""
    differ, source = 0, random.Random(players)
    for number, (played, _) in enumerate(playing(players, 8)):
        seat = played.game.turn(played.state)
        if number > 120 or seat is None or seat == CHANCE:
            continue
        other = twin(played.state, seat, source.shuffle)
        told = []
        for state in (played.state, other):
            public, cards, held = np.zeros(STATE_SIZE, np.int64), np.zeros(10, np.int64), np.zeros(players, np.int64)
            hide(kernel_state(state), seat, public, cards, held)
            told.append((public.tolist(), held.tolist()))
        differ += other != played.state
        assert told[0] == told[1]
    assert differ


def test_a_batch_repeats_itself() -> None:
    weights = LEARNER.untrained_weights()
    assert LEARNER.play_batch(weights, 3) == LEARNER.play_batch(weights, 3)
    assert LEARNER.play_batch(weights, 3) != LEARNER.play_batch(weights, 4)


def test_it_learns_from_games() -> None:
    weights = LEARNER.untrained_weights()
    samples = [LEARNER.play_batch(weights, seed) for seed in range(2)]
    epochs = list(LEARNER.fit(weights, samples, 3, seed=1))
    assert [epoch.number for epoch in epochs] == [1, 2, 3]
    assert epochs[2].held_out <= epochs[0].held_out, "what was best so far is kept"
    assert epochs[2].weights == list(LEARNER.fit(weights, samples, 3, seed=1))[2].weights
    assert epochs[2].weights != weights


def test_its_bot_plays_with_the_weights_it_is_given() -> None:
    game, state = position(hands=["2 1 1 4"], zones=["### ### ## 7", "## ## . ."])
    bot = LEARNER.bot(game, LEARNER.weights_in_use(), 1)
    assert game.format(bot.choose(game.view(state, 0), (), game.actions(state))) == "2>1D"
    [only] = game.actions(state)[:1]
    assert bot.choose(game.view(state, 0), (), [only]) == only
    assert isinstance(game, Mauw)
