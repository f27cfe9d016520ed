"""What the net is given of a position: the patterns around its hollows, counts of the board, and each area's state."""

from collections.abc import Mapping
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ONE as ONE_BIT
from kemu.engines.compiled import ZERO, borrowing, compiled, drop_lowest, has_bit, lowest, popcount
from kemu.engines.moeraki.evaluation import FIRST_LINE, closed_areas, hands_of
from kemu.engines.moeraki.expected_tiles import (
    OTHER_HAND,
    OWN_HAND,
    SUMS,
    area_kind,
    areas_at,
    best_tane_gain,
    count_stones,
    sum_diagonals,
)
from kemu.engines.moeraki.kernel import BEGINNER, MASTER, Numbers, marae_points
from kemu.engines.moeraki.packed import U, is_starter
from kemu.engines.moeraki.patterns import MOST_PATTERNS, PATTERN_COUNT, ball_patterns
from kemu.engines.moeraki.tables import AREA_BIT, BEACHES, CORNERS, HOLLOW_BIT, MASK_COUNT, MASKS
from kemu.engines.moeraki.transposition import Sides
from kemu.games.moeraki import board

# The counts of a position, as the side to move sees it.
ONE: Final = 0
LEFT: Final = 1  # empty hollows
VARIANT: Final = 2  # three numbers, of which that of the variant is 1
STARTER: Final = 5  # by variant, 1 if the side to move placed the ball and -1 if the other did
OWN_IN_HAND: Final = 8
OTHER_IN_HAND: Final = 9
CLOSED: Final = 10  # areas closed by the Tane
LEAD: Final = 11  # eighths of tiles to expect with equal chances
LAID: Final = 12  # half points of the tiles that lie now
TANE: Final = 13  # 128ths of a tile that the Tane in hand may gain
OWN_LINES: Final = 14  # by what they lack, 2 to 5 stones; the beaches are not among them
OTHER_LINES: Final = 18
OWN_BEACHES: Final = 22  # with one stone and with more, and none of the other side
OTHER_BEACHES: Final = 24
COUNTS: Final = 26

SCALES: Final = np.array([1, 56, *[1] * 8, 8, 64, 16, 512, *[4] * 8, *[8, 4] * 2], np.float32)
"""The counts divided by these are of the size of 1."""

AREA_COUNT: Final = len(board.AREAS)
AREA_CELLS: Final = np.array(AREA_BIT, np.int64)
HOLLOW_CELLS: Final = np.array(HOLLOW_BIT, np.int64)
AREA_CORNERS: Final = np.array([(*corners, -1)[:4] for corners in board.CORNERS], np.int64)
"""By area the numbers of the hollows around it, ended by -1 if there are but three."""

# How an area may end.
OWN_FULL: Final = 0
OWN_HALF: Final = 1
NOBODY: Final = 2
OTHER_HALF: Final = 3
OTHER_FULL: Final = 4
AREA_ENDS: Final = 5

TILES: Final = np.array([1, 0.5, 0, -0.5, -1])
"""What each of these is worth to the side to move."""

# The state of an area: who has a Tane in hand, the kind of the area, and the stones of both sides around it.
HANDS: Final = 5  # not the master's game; in it nobody, the side to move, the other, both
AREA_STATES: Final = HANDS * 3 * 5 * 5
CLOSED_AREA: Final = AREA_STATES
"""The state of an area in which no tile can lie."""

TAKEN_BY_TANE: Final = 0.1
"""How likely an area is thought to lose its tile to a Tane in hand before anything is learned."""


def _equal_chances() -> NDArray[np.float64]:
    """By state of an area, how likely it ends in each way if empty hollows go to either side with equal chance."""
    table = np.zeros((HANDS, 3, 5, 5, AREA_ENDS))
    for kind, (stones, semi) in enumerate(((4, False), (3, False), (3, True))):
        for own, other in product(range(stones + 1), repeat=2):
            for fill in product((0, 1), repeat=stones - own - other) if own + other <= stones else ():
                mine = own + sum(fill)
                theirs = stones - mine
                half = semi and mine and theirs
                end = NOBODY if mine == theirs else (OWN_HALF if half else OWN_FULL) if mine > theirs else OTHER_HALF
                end = OTHER_FULL if mine < theirs and not half else end
                table[:, kind, own, other, end] += 0.5 ** len(fill)
    table[2:] *= 1 - TAKEN_BY_TANE
    table[2:, ..., NOBODY] += TAKEN_BY_TANE
    whole = np.zeros((AREA_STATES + 1, AREA_ENDS))
    whole[:-1] = table.reshape(AREA_STATES, AREA_ENDS)
    whole[CLOSED_AREA, NOBODY] = 1
    return whole


EQUAL_CHANCES: Final = _equal_chances()
"""What has no chance here is impossible: the net never says otherwise."""


class Inputs(NamedTuple):
    """What the net is given of some positions, a row for each."""

    patterns: NDArray[np.int64]  # the parameter of the pattern around each hollow
    counts: NDArray[np.int64]
    areas: NDArray[np.int64]  # the state of each area


@borrowing
def write_counts(sides: Sides, ball_at: int, variant: int, sums: Numbers, found: Numbers) -> None:
    """Writes the counts of a position; `sums` is written to as well."""
    own, other, tanes = sides
    ball, closed, hands = ONE_BIT << U(ball_at), closed_areas(tanes), hands_of(sides, variant)
    for number in range(COUNTS):
        found[number] = 0
    found[ONE], found[LEFT], found[VARIANT + variant] = 1, 56 - popcount(own | other), 1
    found[STARTER + variant] = 1 if is_starter(tanes) else -1
    found[OWN_IN_HAND], found[OTHER_IN_HAND] = int(hands & OWN_HAND != 0), int(hands & OTHER_HAND != 0)
    if variant != BEGINNER:
        found[CLOSED] = popcount(closed)
        found[LEAD] = sum_diagonals(own, other, ball, closed, sums)
        occupied = own | other | ball
        found[LAID] = marae_points(own, occupied, ball, closed) - marae_points(other, occupied, ball, closed)
        found[TANE] = best_tane_gain(hands, sums) if hands != 0 else 0
    _count_lines(own, other, ball_at, found)


@borrowing
def _count_lines(own: np.uint64, other: np.uint64, ball_at: int, found: Numbers) -> None:
    """Counts the lines that are open to one side; the net learns from positions in which none lacks a single stone."""
    mine, theirs, beaches = count_stones(own), count_stones(other), BEACHES & ~areas_at(ONE_BIT << U(ball_at))
    found[OWN_BEACHES] = popcount(mine.one & theirs.none & beaches)
    found[OWN_BEACHES + 1] = popcount((mine.two | mine.more) & theirs.none & beaches)
    found[OTHER_BEACHES] = popcount(theirs.one & mine.none & beaches)
    found[OTHER_BEACHES + 1] = popcount((theirs.two | theirs.more) & mine.none & beaches)
    for number in range(FIRST_LINE, MASK_COUNT):
        line = MASKS[0, ball_at, number]
        missing = popcount(line & ~(own | other))
        if (line & own == ZERO) != (line & other == ZERO) and 1 <= missing <= 5:
            found[(OWN_LINES if line & other == ZERO else OTHER_LINES) + max(missing, 2) - 2] += 1


@borrowing
def write_area_states(sides: Sides, ball_at: int, variant: int, found: Numbers) -> None:
    """Writes the state of each area."""
    own, other, tanes = sides
    ball, closed = ONE_BIT << U(ball_at), closed_areas(tanes)
    in_hand = hands_of(sides, variant) if popcount(own | other) < 56 else 0  # on a full board no Tane comes any more
    hands = in_hand + 1 if variant == MASTER else 0
    for number in range(AREA_COUNT):
        area = AREA_CELLS[number]
        if has_bit(closed, area):
            found[number] = CLOSED_AREA
        else:
            corners = CORNERS[area]
            of_kind = 3 * hands + area_kind(area, corners, ball)
            found[number] = 25 * of_kind + 5 * popcount(corners & own) + popcount(corners & other)


@borrowing
def write_patterns(sides: Sides, patterns: tuple[Any, Any, Any], states: Numbers, found: Numbers) -> None:
    """Writes the parameter of each pattern, from the fields of `BallPatterns`; `states` is written to as well."""
    empty, changes, parameters = patterns
    for cell in range(64):
        states[cell] = empty[cell]
    for digit in (1, 2):
        stones = sides.own if digit == 1 else sides.other
        while stones != ZERO:
            for number in range(MOST_PATTERNS):
                change = changes[lowest(stones), number]
                states[change >> 16] += digit * (change & 65535)
            stones = drop_lowest(stones)
    for number in range(PATTERN_COUNT):
        found[number] = parameters[states[HOLLOW_CELLS[number]]]


@compiled
def _write_inputs(positions: Any, ball_at: int, patterns: Any, chosen: Any, found: Any) -> None:
    """Writes the inputs of the chosen positions, all with the ball on this cell."""
    own, other, tanes, variant = positions
    sums, states = np.zeros(SUMS, np.int64), np.zeros(64, np.int64)
    for number in chosen:
        sides = Sides(own[number], other[number], tanes[number])
        write_patterns(sides, patterns, states, found[0][number])
        write_counts(sides, ball_at, variant[number], sums, found[1][number])
        write_area_states(sides, ball_at, variant[number], found[2][number])


def inputs_of(positions: Mapping[str, NDArray[Any]]) -> Inputs:
    """What the net is given of positions; see `selfplay.COLUMNS`."""
    count = len(positions["own"])
    found = Inputs(*(np.zeros((count, width), np.int64) for width in (PATTERN_COUNT, COUNTS, AREA_COUNT)))
    columns = tuple(np.ascontiguousarray(positions[name]) for name in ("own", "other", "tanes", "variant"))
    for ball in np.unique(positions["ball"]):
        patterns = ball_patterns(int(ball))
        chosen = np.flatnonzero(positions["ball"] == ball)
        _write_inputs(columns, int(ball), (patterns.empty, patterns.changes, patterns.parameters), chosen, tuple(found))
    return found
