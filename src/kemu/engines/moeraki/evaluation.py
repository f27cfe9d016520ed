"""The evaluation of a position that no search has decided: lines still open, and the tiles to expect.

It also ranks stones for the move ordering. What patterns are worth is added to what is counted here (`pattern_sums`).
All weights are learned from games of the search against itself, see `learner`. One between those for a Tane's hand and
its gain is only there to interpolate.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import (
    NUMBER,
    NUMBERS,
    WORD,
    WORDS,
    ZERO,
    borrowing,
    drop_lowest,
    lowest,
    popcount,
    tuple_type,
)
from kemu.engines.moeraki.expected_tiles import (
    OTHER_HAND,
    OWN_HAND,
    areas_at,
    best_tane_gain,
    count_stones,
    expected_lead,
    sum_diagonals,
)
from kemu.engines.moeraki.kernel import BEGINNER, MASTER, Numbers, barred
from kemu.engines.moeraki.packed import U, is_starter, other_tane, own_tane
from kemu.engines.moeraki.pattern_sums import pattern_score
from kemu.engines.moeraki.tables import AREAS, BEACHES, LINE_COUNT, MASK_COUNT, Words
from kemu.engines.moeraki.transposition import Sides, Window

LARGEST: Final = 15_000
"""Beyond every evaluation; results of the rules lie above."""

LOGIT: Final = 600
"""The score that makes a win e times as likely as a loss."""

FAR: Final = 1_500
"""No Tane brings a score back from so far beyond the window of a search."""

FIRST_LINE: Final = MASK_COUNT - LINE_COUNT
"""The number of the first mask that is not a beach."""

# The weights: by what open lines lack, first beaches (2, 3, 4 hollows) and then the other lines (2 to 5), and for the
# right to move; on an empty board, then on a full one.
EMPTY: Final = 0
FULL: Final = 8
TEMPO: Final = 7
TILE: Final = 16  # a whole tile to expect, with 0, 10, … 50 hollows left
STARTER_BONUS: Final = 22  # having placed the ball, with 0, 20, 40, 60 hollows left
HAND: Final = 26  # a Tane kept for later, with 0, 56 hollows left
TANE_GAIN: Final = 29  # a whole tile that its best placement would gain, with 0, 15, … 60 hollows left
ORDER: Final = 34  # for the move ordering, by what lines lack, 0 to 7
WEIGHT_COUNT: Final = 42


class EvaluationContext(NamedTuple):
    """What the evaluation needs to know besides the stones and the Tane."""

    ball: np.uint64  # the board with the ball alone
    variant: int
    masks: Words  # `tables.MASKS` for this ball
    weights: Numbers


EVALUATION_CONTEXT: Final = tuple_type(EvaluationContext, WORD, NUMBER, WORDS, NUMBERS)


@borrowing
def interpolate(weights: Numbers, first: int, step: int, left: int) -> int:
    """The weight for so many hollows left, from those given for every `step` of them."""
    at = first + left // step
    return weights[at] + (weights[at + 1] - weights[at]) * (left % step) // step


@borrowing
def evaluate_lines(own: np.uint64, other: np.uint64, left: int, context: EvaluationContext) -> int:
    """How well the side to move stands by the lines that are still open to one side only."""
    masks, weights = context.masks, context.weights
    mine, theirs = count_stones(own), count_stones(other)
    beaches = BEACHES & ~areas_at(context.ball)
    two = popcount(mine.two & theirs.none & beaches) - popcount(theirs.two & mine.none & beaches)
    one = popcount(mine.one & theirs.none & beaches) - popcount(theirs.one & mine.none & beaches)
    empty = weights[EMPTY + TEMPO] + two * weights[EMPTY] + one * weights[EMPTY + 1]
    full = weights[FULL + TEMPO] + two * weights[FULL] + one * weights[FULL + 1]
    for number in range(FIRST_LINE, MASK_COUNT):
        line = masks[number]
        if (line & own == ZERO) == (line & other == ZERO):
            continue
        missing = popcount(line & ~(own | other))
        if missing > 5 or missing < 2:
            continue
        if line & other == ZERO:
            empty += weights[EMPTY + missing + 1]
            full += weights[FULL + missing + 1]
        else:
            empty -= weights[EMPTY + missing + 1]
            full -= weights[FULL + missing + 1]
    return (empty * left + full * (56 - left)) // 56


@borrowing
def hands_of(sides: Sides, variant: int) -> int:
    """Which sides have a Tane in hand; nobody has one outside the master's game."""
    if variant != MASTER:
        return 0
    return (OWN_HAND if own_tane(sides.tanes) == 0 else 0) | (OTHER_HAND if other_tane(sides.tanes) == 0 else 0)


@borrowing
def closed_areas(tanes: int) -> np.uint64:
    """The areas that are closed to tiles by the Tane of both sides."""
    mine, theirs = own_tane(tanes), other_tane(tanes)
    return barred(U(mine), U(theirs)) if mine != 0 or theirs != 0 else ZERO


@borrowing
def evaluate_marae(sides: Sides, window: Window, score: int, context: EvaluationContext, sums: Numbers) -> int:
    """Adds to a score by lines what counts for the Marae: the tiles to expect, the starter, the Tane in hand."""
    own, other, tanes = sides
    weights = context.weights
    left = 56 - popcount(own | other)
    closed, hands = closed_areas(tanes), hands_of(sides, context.variant)
    tile = interpolate(weights, TILE, 10, min(left, 49))
    bonus = interpolate(weights, STARTER_BONUS, 20, left)
    score += bonus if is_starter(tanes) else -bonus
    if hands in (OWN_HAND, OTHER_HAND):
        hand = interpolate(weights, HAND, 56, left)
        score += hand if hands == OWN_HAND else -hand
    score += expected_lead(own, other, context.ball, AREAS & ~closed) * tile // 8
    gain = interpolate(weights, TANE_GAIN, 15, left) if hands != 0 else 0
    if gain != 0 and window.alpha - FAR < score < window.beta + FAR:
        sum_diagonals(own, other, context.ball, closed, sums)
        score += best_tane_gain(hands, sums) * gain // 128
    return score


@borrowing
def evaluate(sides: Sides, window: Window, context: EvaluationContext, sums: Numbers) -> int:
    """How well the side to move stands, exact only within the window.

    `sums` is written to, up to where the states of the patterns begin.
    """
    left = 56 - popcount(sides.own | sides.other)
    score = evaluate_lines(sides.own, sides.other, left, context)
    if context.variant != BEGINNER:
        score += pattern_score(sides, left, closed_areas(sides.tanes), sums, context.weights)
        score = evaluate_marae(sides, window, score, context, sums)
    return max(min(score, LARGEST), -LARGEST)


@borrowing
def rank(own: np.uint64, other: np.uint64, first: int, context: EvaluationContext, ranks: Numbers) -> None:
    """Writes by hollow how promising a stone there looks by the masks from `first` on, for the move ordering."""
    ball = context.ball
    ranks[:64] = 0
    for number in range(first, MASK_COUNT):
        line = context.masks[number]
        rest = line & ~own
        if line & (other | ball) != ZERO:
            rest = line & ~other
            if line & (own | ball) != ZERO:
                continue
        weight = context.weights[ORDER + min(popcount(rest), 7)]
        while rest != ZERO:
            ranks[lowest(rest)] += weight
            rest = drop_lowest(rest)
