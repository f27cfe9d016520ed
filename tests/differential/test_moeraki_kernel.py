"""The kernel of Moeraki-Kemu against the reference rules, action by action and by the statistics of random games."""

import random
from collections import Counter

import numpy as np
import pytest

from kemu.engines.moeraki import kernel, playouts
from kemu.engines.moeraki.tables import LINES
from kemu.engines.moeraki.translation import kernel_action, kernel_rules, kernel_state, rules_action
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.tiles import scores, tiles

GAMES = (
    MoerakiKemu("beginner"),
    MoerakiKemu("beginner", starter=1, swap=True, moved_from="f6"),
    MoerakiKemu("basic", starter=1),
    MoerakiKemu("basic", swap=True),
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


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_the_kernel_follows_the_rules_through_random_games(game: MoerakiKemu) -> None:
    reasons: Counter[str] = Counter()
    for seed in range(12):
        choices = random.Random(f"{game} {seed}")
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


def step_by_step(game: MoerakiKemu, count: int) -> list[list[int]]:
    """The last states of games that take one legal action after the other, each equally likely."""
    rules, actions = kernel_rules(game), np.zeros(kernel.ACTION_COUNT, np.int64)
    start, stream = kernel_state(game, game.initial()), np.uint64(3)
    ends = []
    for _ in range(count):
        state = start.copy()
        while state[kernel.STEP] != kernel.OVER:
            stream = np.uint64(playouts.step(state, rules, actions, stream))
        ends.append(state.tolist())
    return ends


def traits(ends: list[list[int]]) -> Counter[tuple[str, int]]:
    """How often games end with some traits that a slip in drawing actions would change."""
    found: Counter[tuple[str, int]] = Counter()
    for end in ends:
        found["outcome", end[kernel.LAST]] += 1
        found["stones", (end[0] | end[1]).bit_count()] += 1
        found["ball", end[kernel.BALL_AT]] += 1
        for seat in (0, 1):
            found["direction", (end[kernel.TANES + seat] - 1) % 4 + 4 * seat if end[kernel.TANES + seat] else -1] += 1
            found["area", (end[kernel.TANES + seat] - 1) >> 2] += 1
        for bit in range(64):
            found["stone of 0 at", bit] += end[0] >> bit & 1
            found["stone of 1 at", bit] += end[1] >> bit & 1
    return found


@pytest.mark.parametrize("game", GAMES, ids=str)
def test_fast_random_games_end_like_games_of_uniform_legal_actions(game: MoerakiKemu) -> None:
    count = 3000
    ends = np.zeros((count * 10, kernel.STATE_WORDS), np.uint64)
    start, rules = kernel_state(game, game.initial()), kernel_rules(game)
    playouts.playouts(start, rules, LINES[int(game.eye)], len(ends), 7, ends)
    fast, slow = traits(ends.tolist()), traits(step_by_step(game, count))
    for trait in fast | slow:
        expected = fast[trait] / 10
        # Five standard deviations of the difference: of some two hundred traits none should pass it by chance.
        assert abs(slow[trait] - expected) <= 5 * (1.1 * expected + 1) ** 0.5, trait
