"""The evaluation of a position that no search has decided: lines still open, and the tiles to expect.

It also ranks stones for the move ordering. What patterns are worth is added to what is counted here (`patterns`).
All weights are learned from games of the search against itself, see `learner`. One between those for a Tane's hand and
its gain is only there to interpolate.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import no_refcount
from kemu.engines.moeraki.board.kernel import BEGINNER, MASTER, barred_by
from kemu.engines.moeraki.board.packed import Sides, is_starter, other_tane, own_tane
from kemu.engines.moeraki.board.tables import AREAS, BEACHES, LINE_COUNT, MASK_COUNT, STONE_COUNT
from kemu.engines.moeraki.value import expected_tiles
from kemu.engines.moeraki.value.patterns import pattern_score
from kemu.engines.words import ZERO, drop_lowest, lowest, popcount

LARGEST: Final = 15_000
"""Beyond every evaluation; results of the rules lie above."""

LOGIT: Final = 600
"""The score that makes a win e times as likely as a loss."""

RANK_LOGIT: Final = 30
"""The difference of ranks that makes a stone e times as likely to cut off."""

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
ORDER: Final = 34  # for the move ordering, by what lines lack, 0 to 7; the last


class Window(NamedTuple):
    """The bounds of a search: scores up to alpha are as good as alpha, from beta on as good as beta."""

    alpha: int
    beta: int


class EvaluationContext(NamedTuple):
    """The arrays and options of the evaluation, apart from the stones and the Tane."""

    ball: np.uint64  # the board with the ball alone
    variant: int
    masks: Words  # `tables.MASKS` for this ball
    weights: Numbers


@no_refcount
def interpolate(weights: Numbers, first: int, step: int, left: int) -> int:
    """Return the weight for `left` empty hollows, from those given for every `step` of them."""
    at = first + left // step
    return weights[at] + (weights[at + 1] - weights[at]) * (left % step) // step


@no_refcount
def evaluate_lines(own: np.uint64, other: np.uint64, left: int, context: EvaluationContext) -> int:
    """Return how well the side to move stands by the lines that are still open to one side only."""
    masks, weights = context.masks, context.weights
    mine, theirs = expected_tiles.count_stones(own), expected_tiles.count_stones(other)
    beaches = BEACHES & ~expected_tiles.areas_at(context.ball)
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
    return (empty * left + full * (STONE_COUNT - left)) // STONE_COUNT


@no_refcount
def hands_of(sides: Sides, variant: int) -> int:
    """Return which sides have a Tane in hand; nobody has one outside the master's game."""
    if variant != MASTER:
        return 0
    return (expected_tiles.OWN_HAND if own_tane(sides.tanes) == 0 else 0) | (
        expected_tiles.OTHER_HAND if other_tane(sides.tanes) == 0 else 0
    )


@no_refcount
def evaluate_marae(sides: Sides, window: Window, score: int, context: EvaluationContext, sums: Numbers) -> int:
    """Add to a score by lines what counts for the Marae: the tiles to expect, the starter, the Tane in hand."""
    own, other, tanes = sides
    weights = context.weights
    left = STONE_COUNT - popcount(own | other)
    closed, hands = barred_by(tanes), hands_of(sides, context.variant)
    tile = interpolate(weights, TILE, 10, min(left, 49))
    bonus = interpolate(weights, STARTER_BONUS, 20, left)
    score += bonus if is_starter(tanes) else -bonus
    if hands in (expected_tiles.OWN_HAND, expected_tiles.OTHER_HAND):
        hand = interpolate(weights, HAND, STONE_COUNT, left)
        score += hand if hands == expected_tiles.OWN_HAND else -hand
    score += expected_tiles.expected_lead(own, other, context.ball, AREAS & ~closed) * tile // 8
    gain = interpolate(weights, TANE_GAIN, 15, left) if hands != 0 else 0
    if gain != 0 and window.alpha - FAR < score < window.beta + FAR:
        expected_tiles.sum_diagonals(own, other, context.ball, closed, sums)
        score += expected_tiles.best_tane_gain(hands, sums) * gain // 128
    return score


@no_refcount
def evaluate(sides: Sides, window: Window, context: EvaluationContext, sums: Numbers) -> int:
    """Return how well the side to move stands, exact only within the window.

    `sums` is written to, up to where the states of the patterns begin.
    """
    left = STONE_COUNT - popcount(sides.own | sides.other)
    score = evaluate_lines(sides.own, sides.other, left, context)
    if context.variant != BEGINNER:
        score += pattern_score(sides, left, barred_by(sides.tanes), sums, context.weights)
        score = evaluate_marae(sides, window, score, context, sums)
    return max(min(score, LARGEST), -LARGEST)


@no_refcount
def rank(own: np.uint64, other: np.uint64, first: int, context: EvaluationContext, ranks: Numbers) -> None:
    """Write by hollow how promising a stone there looks by the masks from `first` on, for the move ordering."""
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
