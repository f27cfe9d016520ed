"""What a position is worth that no search has decided: lines still open, and tiles."""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, compiled, lowest, popcount
from kemu.engines.moeraki.kernel import Numbers, U, completed, majorities
from kemu.engines.moeraki.tables import AREAS, CORNERS, HOLLOWS, Words

ZERO: Final = U(0)

LARGEST: Final = 10_000
"""Beyond every evaluation; results of the rules lie above."""

# The weights: by the hollows that a line lacks (1 to 6 and more), for who is to move, the other, and the order of stones.
MINE: Final = 0
THEIRS: Final = 8
ORDER: Final = 16
TILE: Final = 24  # a half point of tiles laid, once the board is full
LEANING: Final = 25  # an area that leans to one side, once the board is full
TEMPO: Final = 26

WEIGHTS: Final = np.array(
    # missing 0   1   2   3   4  5  6  7
    [0, 0, 60, 22, 6, 3, 1, 0]
    + [0, 120, 40, 16, 5, 2, 1, 0]
    + [0, 400, 60, 20, 6, 3, 1, 0]
    + [24, 8, 20],
    np.int64,
)


@compiled
def evaluate(own: np.uint64, other: np.uint64, ball: np.uint64, masks: Words, weights: Numbers) -> int:
    """How well the side to move stands by its open lines and the opponent's."""
    score = weights[TEMPO]
    for number in range(masks.shape[0]):
        line = masks[number]
        missing = popcount(line & ~own)
        if line & (other | ball) == ZERO:
            score += weights[MINE + min(missing, 7)]
        elif line & (own | ball) == ZERO:
            score -= weights[THEIRS + min(popcount(line & ~other), 7)]
    return score


@compiled
def rank(own: np.uint64, other: np.uint64, ball: np.uint64, masks: Words, weights: Numbers, ranks: Numbers) -> None:
    """Writes by hollow how promising a stone there looks, for the order in which they are tried."""
    ranks[:64] = 0
    for number in range(masks.shape[0]):
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


@compiled
def evaluate_tiles(own: np.uint64, other: np.uint64, ball: np.uint64, closed: np.uint64, weights: Numbers) -> int:
    """How well the side to move stands by tiles, the more the fuller the board."""
    occupied = own | other | ball
    open_areas = AREAS & ~closed
    done = completed(occupied) & open_areas
    my_major, my_full = majorities(own, ball)
    their_major, their_full = majorities(other, ball)
    tiles = popcount(my_major & done) + popcount(my_full & done) - popcount(their_major & done) - popcount(their_full & done)
    leaning = 0
    rest = open_areas & ~done
    while rest != ZERO:
        corners = CORNERS[lowest(rest)]
        lead = popcount(corners & own) - popcount(corners & other)
        leaning += 1 if lead > 0 else -1 if lead < 0 else 0
        rest &= rest - ONE
    filled = popcount(occupied & HOLLOWS)
    return (weights[TILE] * tiles + weights[LEANING] * leaning) * filled * filled // (57 * 57)
