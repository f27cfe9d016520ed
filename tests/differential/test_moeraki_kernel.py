"""The kernel of Moeraki-Kemu against the reference rules, action by action and by the statistics of random games."""

import random
from collections import Counter

import numpy as np
import pytest

from kemu.engines.moeraki import kernel, playouts
from kemu.engines.moeraki.tables import HOLLOW_BIT, LINES, MOERAKI, VISIBLE, Words
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


@pytest.mark.no_cover
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


def step_by_step(game: MoerakiKemu, start: Words, count: int) -> list[list[int]]:
    """The last states of games that take one legal action after the other, each equally likely."""
    rules, actions = kernel_rules(game), np.zeros(kernel.ACTION_COUNT, np.int64)
    stream, ends = np.uint64(3), []
    for _ in range(count):
        state = start.copy()
        while state[kernel.STEP] != kernel.OVER:
            stream = np.uint64(playouts.step(state, rules, actions, stream))
        ends.append(state.tolist())
    return ends


def side_by_side(game: MoerakiKemu, start: Words, count: int) -> list[list[int]]:
    """The last states of games played in lanes."""
    ends = np.zeros((count, kernel.STATE_WORDS), np.uint64)
    stones = playouts.playouts(start, kernel_rules(game), count, 7, ends)
    assert stones == sum((end[0] | end[1]).bit_count() for end in ends.tolist())
    return ends.tolist()


def one_by_one(game: MoerakiKemu, start: Words, count: int) -> list[list[int]]:
    """The last states of games played alone, as the tree search does."""
    rules, actions = kernel_rules(game), np.zeros(kernel.ACTION_COUNT, np.int64)
    scratch, stream, ends = np.zeros(playouts.SCRATCH, np.uint64), np.uint64(5), []
    for _ in range(count):
        state = start.copy()
        stream = np.uint64(playouts.play(state, rules, scratch, actions, stream))
        ends.append(state.tolist())
    return ends


def traits(ends: list[list[int]]) -> Counter[tuple[str, int]]:
    """How often games end with some traits that a slip in drawing actions would change."""
    found: Counter[tuple[str, int]] = Counter()
    for end in ends:
        stones = (end[0] | end[1]).bit_count()
        found["outcome", end[kernel.LAST]] += 1
        found["stones", stones] += 1
        found["more stones of 0", end[0].bit_count() - end[1].bit_count()] += 1
        found["turn", end[kernel.TURN]] += 1
        found["outcome by length", 64 * end[kernel.LAST] + stones] += 1
        found["ball", end[kernel.BALL_AT]] += 1
        for seat in (0, 1):
            tane, other = end[kernel.TANES + seat], end[kernel.TANES + 1 - seat]
            found["direction", (tane - 1) % 4 + 4 * seat if tane else -1] += 1
            found["area", (tane - 1) >> 2] += 1
            found["Tanes", 2 * bool(end[kernel.TANES]) + bool(end[kernel.TANES + 1])] += 1
            found["facing", bool(tane and other and int(VISIBLE[tane - 1]) >> ((other - 1) >> 2) & 1)] += 1
        for bit in range(64):
            found["stone of 0 at", bit] += end[0] >> bit & 1
            found["stone of 1 at", bit] += end[1] >> bit & 1
    return found


def alike(fast: list[list[int]], slow: list[list[int]]) -> None:
    """The traits of ten times as many games are as frequent."""
    assert len(fast) == 10 * len(slow)
    often, seldom = traits(fast), traits(slow)
    for trait in often | seldom:
        expected = often[trait] / 10
        # Five standard deviations of the difference: of some hundred traits none should pass it by chance.
        assert abs(seldom[trait] - expected) <= 5 * (1.1 * expected + 1) ** 0.5, trait


@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES, ids=str)
def test_fast_random_games_end_like_games_of_uniform_legal_actions(game: MoerakiKemu) -> None:
    start = kernel_state(game, game.initial())
    slow = step_by_step(game, start, 3000)
    alike(side_by_side(game, start, 30_000), slow)
    alike(one_by_one(game, start, 10_000), slow[:1000])


@pytest.mark.no_cover
@pytest.mark.parametrize("game", GAMES, ids=str)
@pytest.mark.parametrize("actions", [10, 25, 40])
def test_so_they_do_from_the_middle_of_a_game(game: MoerakiKemu, actions: int) -> None:
    choices = random.Random(f"{game} {actions}")
    state = game.initial()
    for _ in range(actions):
        state = drawn_out(game, state, choices)
    start = kernel_state(game, state)
    alike(side_by_side(game, start, 10_000), step_by_step(game, start, 1000))


def both_asked(mover: int, choices: random.Random) -> Words:
    """A state of the master's game whose last stone completes full tiles of both seats, and does not win."""
    words = np.zeros(kernel.STATE_WORDS, np.uint64)
    while True:
        ball, last, *others = choices.sample(HOLLOW_BIT, len(HOLLOW_BIT))
        if not int(MOERAKI) >> ball & 1:
            continue
        words[kernel.STONES + mover] = sum(1 << bit for bit in others[28:])
        words[kernel.STONES + 1 - mover] = sum(1 << bit for bit in others[:28])
        words[kernel.BALL_AT], words[kernel.TURN], words[kernel.STEP] = ball, mover, kernel.LAY
        if any(kernel.has_line(np.uint64(words[seat]), LINES[0, ball]) for seat in (0, 1)):
            continue
        after = words.copy()
        kernel.apply(after, kernel_rules(MoerakiKemu("master")), last)
        if after[kernel.STEP] != kernel.OVER and kernel.offers(after, 0) and kernel.offers(after, 1):
            return words


def test_whoever_laid_the_stone_is_asked_for_the_tane_first() -> None:
    game, choices = MoerakiKemu("master"), random.Random(1)
    for mover in (0, 0, 1, 1):
        start = both_asked(mover, choices)
        alike(side_by_side(game, start, 10_000), step_by_step(game, start, 1000))
