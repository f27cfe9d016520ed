"""The learned patterns: alike in all symmetries, for both seats, stone by stone as at once."""

import random
from collections.abc import Iterator

import numpy as np
import pytest

from kemu.engines.arrays import Numbers
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import Sides, pack_tane, pack_tanes
from kemu.engines.moeraki.board.tables import AREA_BIT, HOLLOW_BIT
from kemu.engines.moeraki.learn.fit import open_parameters, pattern_logits, pattern_parameters
from kemu.engines.moeraki.value.patterns import (
    LARGEST_RANK,
    LARGEST_WORTH,
    RANKS,
    ROW_COUNT,
    STATES,
    Weights,
    begin_patterns,
    lay_in_patterns,
    parameter_count,
    pattern_score,
    rank_patterns,
    shipped_weights,
    weights_with_patterns,
)
from kemu.games.moeraki.board import HOLLOWS, MOERAKI, Point

NO_AREA = np.uint64(0)
DICE = np.random.default_rng(5)
WORTHS = DICE.integers(-LARGEST_WORTH, LARGEST_WORTH + 1, (parameter_count(), 2))
STONE_RANKS = DICE.integers(-LARGEST_RANK, LARGEST_RANK + 1, parameter_count())
"""Whatever is learned, these must hold."""

Stones = tuple[list[int], list[int]]


def weights_at(ball: int) -> Numbers:
    return weights_with_patterns(Weights(np.zeros(ROW_COUNT, np.int64), WORTHS, STONE_RANKS), HOLLOW_BIT[ball])


def sides(stones: Stones, starter: bool) -> Sides:
    own, other = (np.uint64(sum(1 << HOLLOW_BIT[hollow] for hollow in each)) for each in stones)
    return Sides(own, other, pack_tanes(0, 0, starter))


def score(stones: Stones, ball: int, starter: bool = True, closed: np.uint64 = NO_AREA) -> int:
    ranks, weights, position = np.zeros(RANKS, np.int64), weights_at(ball), sides(stones, starter)
    begin_patterns(position, ranks, weights)
    return int(pattern_score(position, 56 - len(stones[0]) - len(stones[1]), closed, ranks, weights))


def stone_ranks(stones: Stones, ball: int, starter: bool = True) -> list[int]:
    ranks, weights, position = np.zeros(RANKS, np.int64), weights_at(ball), sides(stones, starter)
    begin_patterns(position, ranks, weights)
    rank_patterns(position, np.uint64(sum(1 << bit for bit in HOLLOW_BIT)), ranks, weights)
    return [int(ranks[bit]) for bit in HOLLOW_BIT]


def positions() -> Iterator[tuple[Stones, int]]:
    for seed in range(12):
        source = random.Random(seed)
        ball = source.choice(MOERAKI)
        hollows = [hollow for hollow in range(len(HOLLOWS)) if hollow != ball]
        source.shuffle(hollows)
        count = source.randint(0, 28)
        yield (hollows[:count], hollows[count : 2 * count]), ball


def image(hollow: int, flip_x: int, flip_y: int, turned: bool) -> int:
    x, y = flip_x * HOLLOWS[hollow].x, flip_y * HOLLOWS[hollow].y
    return HOLLOWS.index(Point(y, x) if turned else Point(x, y))


@pytest.mark.parametrize(("flip_x", "flip_y", "turned"), [(-1, 1, False), (1, -1, False), (1, 1, True), (-1, 1, True)])
def test_symmetric_positions_are_worth_the_same(flip_x: int, flip_y: int, turned: bool) -> None:
    for stones, ball in positions():
        own, other = ([image(hollow, flip_x, flip_y, turned) for hollow in each] for each in stones)
        assert score((own, other), image(ball, flip_x, flip_y, turned)) == score(stones, ball)
        ranks, images = stone_ranks(stones, ball), stone_ranks((own, other), image(ball, flip_x, flip_y, turned))
        assert ranks == [images[image(hollow, flip_x, flip_y, turned)] for hollow in range(len(HOLLOWS))]


def test_it_does_not_matter_which_seat_is_to_move() -> None:
    for stones, ball in positions():
        assert score(stones, ball, starter=False) == score(stones, ball, starter=True)
        assert stone_ranks(stones, ball, starter=False) == stone_ranks(stones, ball, starter=True)


def test_stone_by_stone_as_at_once() -> None:
    for stones, ball in positions():
        weights = weights_at(ball)
        ranks = np.zeros((2, RANKS), np.int64)
        begin_patterns(sides(([], []), True), ranks[0], weights)
        for digit, each in enumerate(stones, 1):
            for hollow in each:
                lay_in_patterns(ranks[0], ranks[1], HOLLOW_BIT[hollow], digit, weights)
                ranks[0] = ranks[1]
        begin_patterns(sides(stones, True), ranks[1], weights)
        assert ranks[0, STATES:].tolist() == ranks[1, STATES:].tolist()


@pytest.mark.parametrize("tane", [0, pack_tane(AREA_BIT[20], 2)])
def test_the_fit_looks_at_the_parameters_that_the_search_adds_up(tane: int) -> None:
    """With a Tane those around the areas that it closes are left out."""
    worths = np.append(WORTHS, np.zeros((1, 2), np.int64), axis=0).astype(float)
    closed = np.uint64(kernel.barred(np.uint64(tane), np.uint64(0)))
    for stones, ball in positions():
        own, other, tanes = sides(stones, False)
        columns = {"own": own, "other": other, "tanes": tanes | tane, "ball": HOLLOW_BIT[ball]}
        rows = {name: np.array([value]) for name, value in columns.items()}
        left = np.array([56 - len(stones[0]) - len(stones[1])])
        parameters = pattern_parameters(rows)
        found = pattern_logits(open_parameters(parameters, rows["tanes"]), left, worths)[0]
        assert score(stones, ball, starter=False, closed=closed) == pytest.approx(found, abs=1)
        assert (found == pattern_logits(parameters, left, worths)[0]) == (tane == 0)
        assert stone_ranks(stones, ball, starter=False) == STONE_RANKS[parameters[0]].tolist()


def test_shipped_weights_stay_within_their_bits() -> None:
    beginner, basic, master = shipped_weights()
    assert not beginner.worths.any()
    for _, worths, ranks in (basic, master):
        assert worths.shape == (parameter_count(), 2)
        assert 0 < np.abs(worths).max() <= LARGEST_WORTH
        assert ranks.shape == (parameter_count(),)
        assert 0 < np.abs(ranks).max() <= LARGEST_RANK
