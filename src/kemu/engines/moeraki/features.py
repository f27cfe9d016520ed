"""What the learned evaluation is given of a position: the states of its patterns, closed areas, Tane and starter."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ZERO, bit, borrowing, compiled, drop_lowest, lowest, popcount
from kemu.engines.moeraki.evaluation import closed_areas, hands_of
from kemu.engines.moeraki.expected_tiles import SUMS, area_kind, best_tane_gain, sum_diagonals
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.packed import is_starter, pack_tanes
from kemu.engines.moeraki.patterns import MOST_PATTERNS, PATTERN_COUNT, BallPatterns, Rows, ball_patterns
from kemu.engines.moeraki.tables import AREAS, CORNERS, Words
from kemu.engines.moeraki.transposition import Sides

CLOSED_ROWS: Final = 75
"""Kinds of areas closed by a Tane: of three kinds, with 0 to 4 stones of either side."""

# The other inputs.
STARTER_INPUT: Final = 0  # 1 if the side to move placed the ball, else -1
OWN_HAND_INPUT: Final = 1  # 1 if the side to move has its Tane in hand
OTHER_HAND_INPUT: Final = 2
GAIN_INPUT: Final = 3  # what the best placements of the Tane in hand gain, in 16ths of a tile
INPUTS: Final = 4


@borrowing
def write_rows(own: np.uint64, other: np.uint64, patterns: BallPatterns, rows: Rows) -> None:
    """Writes by pattern the row of its state, with the stones of the side to move as the first side."""
    for number in range(PATTERN_COUNT + 1):
        rows[number] = patterns.empty[number]
    for side in (1, 2):
        stones = own if side == 1 else other
        while stones != ZERO:
            cell = lowest(stones)
            stones = drop_lowest(stones)
            for number in range(MOST_PATTERNS):
                rows[patterns.patterns[cell, number]] += side * patterns.steps[cell, number]


@borrowing
def closed_row(area: int, own: np.uint64, other: np.uint64, ball: np.uint64) -> int:
    """Which of the CLOSED_ROWS an area is, from the side to move."""
    corners = CORNERS[area]
    kind = area_kind(area, corners, ball)
    return 25 * kind + 5 * popcount(corners & own) + popcount(corners & other)


@borrowing
def write_inputs(sides: Sides, variant: int, ball: np.uint64, sums: Numbers, inputs: Numbers) -> np.uint64:
    """Writes the other inputs; returns the closed areas. `sums` is written to."""
    closed, hands = closed_areas(sides.tanes) & AREAS, hands_of(sides, variant)
    inputs[STARTER_INPUT] = 1 if is_starter(sides.tanes) else -1
    inputs[OWN_HAND_INPUT], inputs[OTHER_HAND_INPUT] = hands & 1, hands >> 1
    inputs[GAIN_INPUT] = 0
    if hands != 0:
        sum_diagonals(sides.own, sides.other, ball, closed, sums)
        inputs[GAIN_INPUT] = best_tane_gain(hands, sums) // 8
    return closed


class Features(NamedTuple):
    """The inputs of some positions, a row for each."""

    rows: Rows  # by pattern
    closed: NDArray[np.int32]  # how many areas are closed of each of the CLOSED_ROWS
    inputs: Numbers


class Alike(NamedTuple):
    """Positions of one variant with the ball on one cell; `tanes` and `starter` as in a shard of self-play."""

    stones: Words
    tanes: Numbers
    turn: Numbers
    starter: Numbers


@compiled
def _write_features(alike: Alike, variant: int, ball_at: int, patterns: BallPatterns, features: Features) -> None:
    sums = np.zeros(SUMS, np.int64)
    rows = np.zeros(PATTERN_COUNT + 1, np.int32)
    ball = bit(ball_at)
    for number in range(alike.turn.shape[0]):
        seat = alike.turn[number]
        tanes = pack_tanes(alike.tanes[number, seat], alike.tanes[number, 1 - seat], alike.starter[number] == seat)
        sides = Sides(alike.stones[number, seat], alike.stones[number, 1 - seat], tanes)
        write_rows(sides.own, sides.other, patterns, rows)
        features.rows[number] = rows[:PATTERN_COUNT]
        areas = write_inputs(sides, variant, ball, sums, features.inputs[number])
        while areas != ZERO:
            features.closed[number, closed_row(lowest(areas), sides.own, sides.other, ball)] += 1
            areas = drop_lowest(areas)


def position_features(shard: "dict[str, NDArray[np.int64]]") -> Features:
    """The inputs of the positions in the arrays of self-play."""
    count = len(shard["turn"])
    found = Features(
        np.zeros((count, PATTERN_COUNT), np.int32),
        np.zeros((count, CLOSED_ROWS), np.int32),
        np.zeros((count, INPUTS), np.int64),
    )
    for ball_at, variant in set(zip(shard["ball"].tolist(), shard["variant"].tolist(), strict=True)):
        chosen = np.flatnonzero((shard["ball"] == ball_at) & (shard["variant"] == variant))
        alike = Alike(
            shard["stones"][chosen].astype(np.uint64),
            *(shard[name][chosen].astype(np.int64) for name in ("tanes", "turn", "starter")),
        )
        part = Features(found.rows[chosen], found.closed[chosen], found.inputs[chosen])
        _write_features(alike, variant, ball_at, ball_patterns(ball_at), part)
        found.rows[chosen], found.closed[chosen], found.inputs[chosen] = part
    return found
