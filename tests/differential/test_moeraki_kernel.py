"""The kernel of Moeraki-Kemu against the reference rules, action by action."""

import random
from collections import Counter

import numpy as np
import pytest

from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.tables import HOLLOW_BIT, LINES, MOERAKI
from kemu.engines.moeraki.board.translation import kernel_action, kernel_rules, kernel_state, rules_action
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import scores, tiles

GAMES = (
    MoerakiKemu("beginner"),
    MoerakiKemu("beginner", starter=1, swap=True, moved_from="f6"),
    MoerakiKemu("basic", starter=1),
    MoerakiKemu("basic", swap=True),
    MoerakiKemu("basic", eye=True),
    MoerakiKemu("master", starter=1, moved_from="g7"),
    MoerakiKemu("master", eye=True, swap=True),
)


def drawn_out(game: MoerakiKemu, state: State, choices: random.Random) -> State:
    """A random next state that is no early win if there is one, so that tiles, Tane and Marae come up often."""
    actions = list(game.actions(state))
    choices.shuffle(actions)
    following = [game.apply(state, action) for action in actions[:8]]
    for after in following:
        outcome = game.outcome(after)
        if outcome is None or outcome.reason in ("marae", "draw"):
            return after
    return following[0]


def same(game: MoerakiKemu, state: State) -> None:
    """The kernel has the same turn, actions, outcome and worth of tiles as the rules."""
    words, rules = kernel_state(game, state), kernel_rules(game)
    listed = np.zeros(kernel.ACTION_COUNT, np.int64)
    count = kernel.legal(words, rules, listed)
    actions = [rules_action(int(number)) for number in listed[:count]]
    assert set(actions) == set(game.actions(state))
    assert len(actions) == len(game.actions(state))
    for action in actions:
        after = words.copy()
        kernel.apply(after, rules, kernel_action(action))
        assert after.tolist() == kernel_state(game, game.apply(state, action)).tolist(), game.format(action)
    if game.variant != "beginner" and state.ball and state.step is None:
        worth = scores(tiles(state.ball, state.stones, state.tane))
        assert [kernel.points(words, seat) for seat in (0, 1)] == [2 * score for score in worth]


@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_kernel_follows_the_rules_through_random_games(game: MoerakiKemu) -> None:
    reasons: Counter[str] = Counter()
    for seed in range(12):
        choices = random.Random(seed)
        state = game.initial()
        while (outcome := game.outcome(state)) is None:
            same(game, state)
            if seed % 2:
                state = drawn_out(game, state, choices)
            else:
                state = game.apply(state, choices.choice(game.actions(state)))
        same(game, state)
        reasons[outcome.reason] += 1
    assert reasons["draw" if game.variant == "beginner" else "marae"]
    assert set(reasons) & {"tahuna", "awa", "ara", "eye"}


def both_asked(mover: int, choices: random.Random) -> Words:
    """A state of the master's game whose last stone completed full tiles of both seats, and does not win."""
    words = np.zeros(kernel.STATE_WORDS, np.uint64)
    while True:
        ball, last, *others = choices.sample(HOLLOW_BIT, len(HOLLOW_BIT))
        if not int(MOERAKI) >> ball & 1:
            continue
        words[kernel.STONES + mover] = sum(1 << bit for bit in others[28:])
        words[kernel.STONES + 1 - mover] = sum(1 << bit for bit in others[:28])
        words[kernel.BALL_AT], words[kernel.TURN], words[kernel.STEP] = ball, mover, kernel.LAY
        if any(kernel.reason_of(np.uint64(words[seat]), LINES[0, ball]) >= 0 for seat in (0, 1)):
            continue
        after = words.copy()
        kernel.apply(after, kernel_rules(MoerakiKemu("master")), last)
        if after[kernel.STEP] != kernel.OVER and kernel.offers(after, 0) and kernel.offers(after, 1):
            return after


def test_whoever_laid_the_stone_is_asked_for_the_tane_first() -> None:
    rules, choices = kernel_rules(MoerakiKemu("master")), random.Random(1)
    for mover in (0, 0, 1, 1):
        state = both_asked(mover, choices)
        assert (state[kernel.STEP], state[kernel.TURN]) == (kernel.ASK_MOVER, mover)
        kernel.apply(state, rules, kernel.KEEP)
        assert (state[kernel.STEP], state[kernel.TURN]) == (kernel.ASK_OTHER, 1 - mover)
