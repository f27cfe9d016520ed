"""The learned evaluation: symmetric by construction, and the same stone by stone as from nothing."""

import random

import numpy as np
import pytest

from kemu.engines.moeraki.channels import GIVEN, TILES, given_channels
from kemu.engines.moeraki.expected_tiles import expected_tiles
from kemu.engines.moeraki.features import CLOSED_ROWS
from kemu.engines.moeraki.network import (
    CHANNELS,
    HEAD,
    PHASES,
    SUM_BITS,
    NetworkContext,
    NetworkWeights,
    add_rows,
    add_stone,
    network_score,
    new_context,
    set_sums,
)
from kemu.engines.moeraki.packed import pack_tanes
from kemu.engines.moeraki.patterns import SYMMETRIES, ball_patterns, equal_rows, image, layout
from kemu.engines.moeraki.tables import AREA_BIT, AREAS, HOLLOW_BIT
from kemu.engines.moeraki.transposition import Sides
from kemu.engines.moeraki.weights import LearnedWeights, dump_weights, load_weights
from kemu.games.moeraki import board

BASIC, MASTER = 1, 2
PLIES = 12


@pytest.fixture(scope="module")
def weights() -> NetworkWeights:
    """Random weights, through the bytes of a file."""
    dice = np.random.default_rng(1)
    rows = len(np.unique(equal_rows()))
    learned = LearnedWeights(
        dice.integers(-300, 300, (rows, CHANNELS)).astype(np.int16),
        dice.integers(-300, 300, (CLOSED_ROWS, CHANNELS)).astype(np.int32),
        dice.integers(-200, 200, (3 * PHASES, HEAD)).astype(np.int32),
    )
    return load_weights(dump_weights(learned))


def network(ball: int, weights: NetworkWeights) -> NetworkContext:
    return new_context(ball_patterns(HOLLOW_BIT[ball]), weights, PLIES + 2)


def bits(hollows: list[int]) -> np.uint64:
    return np.uint64(sum(1 << HOLLOW_BIT[hollow] for hollow in hollows))


def random_position(seed: int, stones: int) -> tuple[int, list[int], list[int], int]:
    """A ball, the hollows of both sides, and an area for a Tane of the side to move."""
    dice = random.Random(seed)
    ball = dice.choice(board.MOERAKI)
    hollows = dice.sample([hollow for hollow in range(len(board.HOLLOWS)) if hollow != ball], 2 * stones)
    return ball, hollows[:stones], hollows[stones:], dice.randrange(len(board.AREAS))


def score(ball: int, own: list[int], other: list[int], tane: int, weights: NetworkWeights) -> int:
    context, cell = network(ball, weights), np.uint64(1 << HOLLOW_BIT[ball])
    set_sums(bits(own), bits(other), 1, context)
    sides = Sides(bits(own), bits(other), pack_tanes(tane, 0, True))
    return int(network_score(sides, MASTER, cell, 1, np.zeros(288, np.int64), context))


def placed(area: int, direction: str) -> int:
    """The Tane on an area that looks in a direction."""
    return 1 + 4 * AREA_BIT[area] + list(board.DIRECTIONS).index(direction)


@pytest.mark.parametrize("seed", range(6))
def test_the_eight_symmetries_have_one_score(seed: int, weights: NetworkWeights) -> None:
    ball, own, other, area = random_position(seed, 4 + 4 * seed)
    scores = set()
    for symmetry in SYMMETRIES:

        def hollow(number: int, symmetry: tuple[int, int, bool] = symmetry) -> int:
            return board.HOLLOW[image(board.HOLLOWS[number], symmetry).name]

        step = image(board.Point(*board.DIRECTIONS["ne"]), symmetry)
        looks = next(name for name, each in board.DIRECTIONS.items() if each == step)
        tane = placed(board.AREA[image(board.AREAS[area], symmetry).name], looks)
        scores.add(score(hollow(ball), [*map(hollow, own)], [*map(hollow, other)], tane, weights))
    assert len(scores) == 1


def test_sums_stone_by_stone_are_those_from_nothing(weights: NetworkWeights) -> None:
    ball, first, second, _ = random_position(7, 10)
    context, again = network(ball, weights), network(ball, weights)
    stones = [first[:4], second[:4]]
    set_sums(bits(stones[0]), bits(stones[1]), 1, context)
    for ply in range(2, PLIES):
        side = ply % 2
        hollow = (first, second)[side][len(stones[side])]
        stones[side].append(hollow)
        context.cells[ply] = HOLLOW_BIT[hollow]
        add_stone(ply, context)
        add_rows(ply, context)
        set_sums(bits(stones[0]), bits(stones[1]), 1, again)
        assert context.sums[ply].tolist() == again.sums[1].tolist()
        assert context.rows[ply][:-1].tolist() == again.rows[1][:-1].tolist()


@pytest.mark.parametrize("seed", range(4))
def test_the_first_channel_counts_the_tiles_to_expect(seed: int) -> None:
    ball, own, other, _ = random_position(seed, 3 + 6 * seed)
    channels = np.zeros((layout().rows, CHANNELS))
    channels[:, :GIVEN] = given_channels()
    table = np.concatenate([channels, channels], axis=1) * (1 << SUM_BITS) * 3
    none = np.zeros((0, HEAD), np.int32)
    context = network(ball, NetworkWeights(np.rint(table).astype(np.int16), np.zeros((75, 24), np.int32), none))
    set_sums(bits(own), bits(other), 1, context)
    cell = np.uint64(1 << HOLLOW_BIT[ball])
    expected = expected_tiles(bits(own), bits(other), cell, AREAS) / 8
    assert context.sums[1][TILES] / (1 << SUM_BITS) / 3 == pytest.approx(expected, abs=0.02)


def test_weights_of_another_network_are_refused() -> None:
    wrong = LearnedWeights(np.zeros((5, 3), np.int16), np.zeros((75, 3), np.int32), np.zeros((1, 1), np.int32))
    with pytest.raises(ValueError, match="another network"):
        load_weights(dump_weights(wrong))
