"""The learned policy of MAUW: what it knows, what it says before anything is learned, and that it learns visits."""

import random

import numpy as np
import pytest

from kemu.core.game import CHANCE
from kemu.engines.mauw.fitting import Searched, policy_parameters, run_policy_epoch
from kemu.engines.mauw.layout import ACTION_COUNT, PUT, TURN, kernel_action, kernel_state
from kemu.engines.mauw.player import alike
from kemu.engines.mauw.policy import (
    EACH,
    GAIN_STEP,
    ROWS,
    SHARPNESS,
    Choices,
    Floats,
    gain_of,
    gain_policy,
    gaps_of,
    list_logits,
    play_gain,
)
from kemu.engines.mauw.value import shipped_nets
from kemu.games.mauw.state import LEFT_OUT, State
from tests.engines.mauw.games import playing
from tests.games.mauw.positions import position
from tests.games.mauw.twins import twin


def choices() -> Choices:
    return Choices(np.zeros(ACTION_COUNT, np.int64), np.zeros(ACTION_COUNT))


def logits(state: State, policy: Floats) -> dict[int, float]:
    """The logit of each choice."""
    found = choices()
    count = list_logits(kernel_state(state), policy, found, np.zeros((ACTION_COUNT, EACH), np.int64))
    return dict(zip(found.actions[:count].tolist(), found.gains[:count].tolist(), strict=True))


def chances(state: State, policy: Floats) -> dict[int, float]:
    """How likely each choice is."""
    found = logits(state, policy)
    total = sum(map(np.exp, found.values()))
    return {action: float(np.exp(value) / total) for action, value in found.items()}


@pytest.mark.parametrize("players", LEFT_OUT)
def test_its_choices_are_the_legal_actions_but_for_equal_columns(players: int) -> None:
    for number, (played, _) in enumerate(playing(players, 6)):
        game, state = played.game, played.state
        seat = game.turn(state)
        if seat is None or seat == CHANCE or number % 3:
            continue
        legal = {kernel_action(alike(game, played.view(seat), action)) for action in game.actions(state)}
        assert set(logits(state, shipped_nets()[players].policy)) == legal


@pytest.mark.parametrize("players", [2, 4])
def test_before_it_learns_it_follows_the_gains(players: int) -> None:
    compared = 0
    for number, (played, _) in enumerate(playing(players, 2)):
        seat = played.game.turn(played.state)
        if seat is None or seat == CHANCE or number % 4:
            continue
        state, found = kernel_state(played.state), logits(played.state, gain_policy())
        for action, logit in found.items():
            if action < PUT:
                gain = play_gain(state, gaps_of(state, int(state[TURN])), *divmod(action, 32))
            else:
                gain = gain_of(state, action)
            if len(found) > 1 and -70 < gain < 100:
                assert logit == pytest.approx(gain / SHARPNESS, abs=0.51 * GAIN_STEP / SHARPNESS)
                compared += 1
    assert compared > 50


def test_it_has_learned_what_anybody_knows() -> None:
    policy = shipped_nets()[2].policy
    game, state = position(hands=["2 1 1 m"], zones=["7 ## . .", "## 6 . ."])
    found = {game.format(action): kernel_action(action) for action in game.actions(state)}
    likely = chances(state, policy)
    assert likely[found["2>1A"]] > 3 * likely[found["1>1B"]], "nine is better than a small card on bare Mauw"
    assert likely[found["2>1A"]] > likely[found["m=2>1A"]], "a joker is kept where the card itself does"


@pytest.mark.parametrize("players", [2, 5])
def test_it_knows_no_secrets(players: int) -> None:
    """A policy of random numbers says the same of a twin, whose hidden cards are others."""
    differ, source = 0, random.Random(players)
    policy = np.random.default_rng(1).normal(size=ROWS).astype(np.float32)
    for number, (played, _) in enumerate(playing(players, 8)):
        seat = played.game.turn(played.state)
        if number > 120 or seat is None or seat == CHANCE:
            continue
        other = twin(played.state, seat, source.shuffle)
        differ += other != played.state
        assert logits(played.state, policy) == logits(other, policy)
    assert differ


def searched(players: int) -> tuple[list[State], Searched]:
    """States of a game with visits of which the last choice has three quarters, the first one the rest."""
    states, actions, firsts = [], [], [0]
    for played, _ in playing(players, 4):
        seat = played.game.turn(played.state)
        if seat is None or seat == CHANCE:
            continue
        found = list(logits(played.state, gain_policy()))
        if len(found) > 1:
            states.append(played.state)
            actions += [found[0], found[-1]]
            firsts.append(len(actions))
    numbers = np.array([kernel_state(state) for state in states], np.int16)
    visits = np.array([1, 3] * len(states), np.int32)
    return states, Searched(numbers, np.array(firsts), np.array(actions, np.int16), visits)


def test_the_loss_is_that_of_the_chances_and_falls() -> None:
    states, visits = searched(2)
    source = np.random.default_rng(2)
    policy = source.normal(scale=0.3, size=ROWS).astype(np.float32)
    fitted, order = policy_parameters(policy), np.arange(len(states))
    expected = []
    for number, state in enumerate(states):
        found = chances(state, policy)
        first, last = visits.actions[2 * number : 2 * number + 2].tolist()
        expected.append(-0.25 * np.log(found[first]) - 0.75 * np.log(found[last]))
    losses = [run_policy_epoch(visits, order, fitted, rate) for rate in (0.0, 0.1, 0.1, 0.0)]
    assert losses[0] == pytest.approx(np.mean(expected), rel=1e-4)
    assert losses[3] < losses[0] - 0.1
