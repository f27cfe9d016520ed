"""What a position is worth that no search has decided: lines still open, and the tiles to expect.

The weights come from a logistic regression on the results of some thousand games of the search against itself; a
score of 600 makes a win e times as likely as a loss.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, popcount
from kemu.engines.moeraki.hopes import MINE, THEIRS, evaluate_reach, evaluate_tiles, sum_up
from kemu.engines.moeraki.kernel import BEGINNER, Numbers, U
from kemu.engines.moeraki.tables import AREAS, LINE_COUNT, MASK_COUNT, Words

ZERO: Final = U(0)

LARGEST: Final = 15_000
"""Beyond every evaluation; results of the rules lie above."""

FAR: Final = 1_500
"""No use of a Tane brings a score back from so far beyond the bounds of a search."""

BEACHES: Final = MASK_COUNT - LINE_COUNT

# The weights: by what open lines lack, first beaches (2, 3, 4 hollows) and then the other lines (2 to 5), and for the
# right to move; on an empty board, then on a full one.
EMPTY: Final = 0
FULL: Final = 8
TEMPO: Final = 7
TILE: Final = 16  # a whole tile to expect, with 0, 10, … 50 hollows left
STARTER: Final = 22  # having placed the ball, with 0, 20, 40, 60 hollows left
HAND: Final = 26  # a Tane kept for later, with 0, 56 hollows left
REACH: Final = 29  # hundredths of what its best use would bring, with 0, 15, … 60 hollows left
ORDER: Final = 34  # for the order of stones, by what lines lack, 0 to 7
WEIGHT_COUNT: Final = 42


def _weights(
    empty: list[int], full: list[int], tile: list[int], starter: list[int], hand: list[int], reach: list[int]
) -> Numbers:
    order = [0, 400, 60, 20, 6, 3, 1, 0]
    # The last of the weights for a Tane is never used but to reckon between two.
    weights = np.array([*empty, *full, *tile, *starter, *hand, 0, *reach, *order], np.int64)
    assert len(weights) == WEIGHT_COUNT
    return weights


WEIGHTS: Final = (
    _weights(
        [150, 138, 0, 141, 123, 0, 0, 200],
        [40, 20, 0, 40, 20, 10, 10, 60],
        [0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0],
        [0, 0, 0, 0, 0],
    ),
    _weights(
        [473, 170, 0, 150, 60, 170, 0, 494],
        [245, 172, 0, 40, 110, 96, 100, 615],
        [1160, 967, 781, 643, 469, 327],
        [666, 459, 318, 117],
        [0, 0],
        [0, 0, 0, 0, 0],
    ),
    _weights(
        [305, 144, 0, 224, 35, 64, 0, 514],
        [435, 159, 0, 249, 121, 187, 100, 834],
        [1756, 1239, 882, 705, 531, 452],
        [602, 397, 263, 157],
        [770, 1260],
        [80, 80, 75, 0, 0],
    ),
)
"""For the beginner's, the basic and the master's game."""


@borrowing
def between(weights: Numbers, first: int, step: int, left: int) -> int:
    """A weight for so many hollows left, from those given for every `step` of them."""
    at = first + left // step
    return weights[at] + (weights[at + 1] - weights[at]) * (left % step) // step


@borrowing
def evaluate_lines(own: np.uint64, other: np.uint64, left: int, masks: Words, weights: Numbers) -> int:
    """How well the side to move stands by the lines that are still open to one side only."""
    empty, full = weights[EMPTY + TEMPO], weights[FULL + TEMPO]
    for number in range(MASK_COUNT):
        line = masks[number]
        mine, theirs = line & own, line & other
        if (mine == ZERO) == (theirs == ZERO):
            continue
        missing = popcount(line & ~(own | other))
        if missing > (4 if number < BEACHES else 5) or missing < 2:
            continue
        at = missing - 2 if number < BEACHES else missing + 1
        if theirs == ZERO:
            empty += weights[EMPTY + at]
            full += weights[FULL + at]
        else:
            empty -= weights[EMPTY + at]
            full -= weights[FULL + at]
    return (empty * left + full * (56 - left)) // 56


@borrowing
def evaluate(
    own: np.uint64,
    other: np.uint64,
    ball: np.uint64,
    closed: np.uint64,
    starts: bool,
    hands: int,
    variant: int,
    alpha: int,
    beta: int,
    masks: Words,
    weights: Numbers,
    sums: Numbers,
) -> int:
    """How well the side to move stands.

    `closed` are the areas without tiles; `starts` if it placed the ball; `hands` says who has a Tane in hand.
    """
    left = 56 - popcount(own | other)
    score = evaluate_lines(own, other, left, masks, weights)
    if variant != BEGINNER:
        tile = between(weights, TILE, 10, min(left, 49))
        bonus = between(weights, STARTER, 20, left)
        score += bonus if starts else -bonus
        if hands in (MINE, THEIRS):
            hand = between(weights, HAND, 56, left)
            score += hand if hands == MINE else -hand
        reach = between(weights, REACH, 15, left) if hands != 0 else 0
        if reach != 0:
            score += sum_up(own, other, ball, closed, sums) * tile // 8
        else:
            score += evaluate_tiles(own, other, ball, AREAS & ~closed) * tile // 8
        if reach != 0 and alpha - FAR < score < beta + FAR:
            score += evaluate_reach(hands, sums) * tile * reach // 12_800
    return max(min(score, LARGEST), -LARGEST)


@borrowing
def rank(own: np.uint64, other: np.uint64, ball: np.uint64, masks: Words, weights: Numbers, ranks: Numbers) -> None:
    """Writes by hollow how promising a stone there looks, for the order in which they are tried."""
    ranks[:64] = 0
    for number in range(MASK_COUNT):
        line = masks[number]
        rest = line & ~own
        if line & (other | ball) != ZERO:
            rest = line & ~other
            if line & (own | ball) != ZERO:
                continue
        weight = weights[ORDER + min(popcount(rest), 7)]
        while rest != ZERO:
            ranks[lowest(rest)] += weight
            rest &= rest - ONE
