"""Threat search: wins that leave the opponent no choice, and how to answer them.

A threat is a line with one hollow missing. A pair is a line with two missing and none of the opponent's stones in
it: a stone into either of its hollows forces the answer into the other. The search tries such stones only.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.compiled import (
    NUMBER,
    NUMBERS,
    ONE,
    WORD,
    WORD_ROWS,
    WORDS,
    ZERO,
    bit,
    borrowing,
    drop_lowest,
    has_several,
    inlined,
    lowest,
    lowest_bit,
    multiply,
    popcount,
    recursive,
    rotate,
    signed,
    tuple_type,
)
from kemu.engines.moeraki.kernel import Numbers, empty_hollows
from kemu.engines.moeraki.packed import U, pack_win, win_cell, win_plies
from kemu.engines.moeraki.tables import (
    ALONG_BOTH,
    ALONG_U,
    ALONG_V,
    BACK_BOTH,
    BACK_U,
    BACK_V,
    BEACHES,
    CORNERS,
    HOLLOWS,
    STEPS,
    Words,
)

FRAME: Final = 256
"""Words of the stack for one ply: four for each of the 61 lines."""

DEEPEST: Final = 32
"""More threats in a row than hollows allow."""

# What the search finds if it is not a win (see `packed`): nothing within its limit, or that there is none.
UNKNOWN: Final = -1
FAILS: Final = 0

# Words of the counters that a search and all its parts share.
NODES: Final = 0  # positions that the threat search has looked at
LIMIT: Final = 1  # of these, when the threat search under way gives up
THREAT_LIMIT: Final = 2  # how many it gets for one question
STOP: Final = 3  # not 0 as soon as all must end
TREE_NODES: Final = 4  # positions that the searches around it have looked at
TOTAL_LIMIT: Final = 5  # of both kinds of positions together, when the search under way gives up
GIVEN_UP: Final = 6
ROOT_DEPTH: Final = 7
GUESS_LIMIT: Final = 8  # like THREAT_LIMIT where the answer is but a guess
SELECTIVE: Final = 9  # not 0 where the tree search leaves out positions and stones, to go deeper
COUNTERS: Final = 10


class ThreatContext(NamedTuple):
    """What the threat search works on, apart from the stones."""

    ball: np.uint64  # the board with the ball alone
    lines: Words  # `tables.LINES` for this ball
    table: Words  # transposition table: rows of own stones, other stones, result
    stack: Words  # FRAME words for each of DEEPEST plies
    counters: Numbers  # COUNTERS numbers, see above


THREAT_CONTEXT: Final = tuple_type(ThreatContext, WORD, WORDS, WORD_ROWS, WORDS, NUMBERS)


def _beach_corners(step: int) -> np.uint64:
    """The hollows that are the corner of a beach this step from the bit of its area."""
    bits = int(BEACHES)
    return U((bits << step | bits >> (64 - step)) & (1 << 64) - 1)


CORNER_0, CORNER_1, CORNER_2, CORNER_3 = (_beach_corners(step) for step in STEPS)


@borrowing
def winning(own: np.uint64, lines: Words) -> np.uint64:
    """The hollows that would complete a line of these stones, occupied or not."""
    east, west = rotate(own, ALONG_U), rotate(own, BACK_U)
    north, south = rotate(own, ALONG_V), rotate(own, BACK_V)
    cells = east & north & rotate(own, ALONG_BOTH) & CORNER_0
    cells |= west & north & rotate(own, ALONG_V - ALONG_U) & CORNER_1
    cells |= east & south & rotate(own, BACK_V + ALONG_U) & CORNER_2
    cells |= west & south & rotate(own, BACK_BOTH) & CORNER_3
    # A loop over an even number of lines becomes vector instructions; the last line comes after it.
    for number in range(24):
        missing = lines[number] & ~own
        cells |= missing if missing & (missing - ONE) == ZERO else ZERO
    missing = lines[24] & ~own
    cells |= missing if missing & (missing - ONE) == ZERO else ZERO
    return cells & HOLLOWS & ~own


@borrowing
def find_pairs(own: np.uint64, other: np.uint64, lines: Words, pairs: Words, base: int) -> int:
    """Writes the two missing hollows of each line that lacks just two, and says how many lines they are."""
    count = 0
    a, b, c, d = own, rotate(own, ALONG_U), rotate(own, ALONG_V), rotate(own, ALONG_BOTH)
    three = (a & b & (c | d)) | (c & d & (a | b))
    two = (a & b) | (c & d) | ((a | b) & (c | d))
    against = other | rotate(other, ALONG_U)
    against |= rotate(against, ALONG_V)
    blocks = two & ~three & ~against & BEACHES
    while blocks != ZERO:
        pairs[base + count] = CORNERS[lowest(blocks)] & ~own
        count += 1
        blocks = drop_lowest(blocks)
    for number in range(25):
        missing = lines[number] & ~own
        if popcount(missing) == 2 and missing & other == ZERO:
            pairs[base + count] = missing
            count += 1
    return count


@borrowing
def double_threat(own: np.uint64, empty: np.uint64, lines: Words, pairs: Words, base: int, count: int) -> np.uint64:
    """A stone that makes two threats at once, as a board; none if there is none."""
    once, twice = ZERO, ZERO
    for number in range(count):
        twice |= once & pairs[base + number]
        once |= pairs[base + number]
    while twice != ZERO:
        cell = lowest_bit(twice)
        # The same two hollows may be missing of two lines, which is but one threat.
        if has_several(winning(own | cell, lines) & empty):
            return cell
        twice ^= cell
    return ZERO


@borrowing
def table_slot(own: np.uint64, other: np.uint64, size: int) -> int:
    """The row of a position in a table of this size, a power of two."""
    upper, lower = multiply(own ^ U(0xA0761D6478BD642F), other ^ U(0xE7037ED1A0B428DB))
    return signed((upper ^ lower) & U(size - 1))


@inlined
def find_threats(
    own: np.uint64, other: np.uint64, must: np.uint64, base: int, context: ThreatContext
) -> tuple[int, np.uint64]:
    """Writes each stone that threatens and the answer to it, as boards, to the stack from `base` on.

    `must` are the hollows where the opponent threatens to win, at most one. Returned are the number of stones
    written and a stone that makes two threats at once, as a board, 0 if none is found.
    """
    lines, stack = context.lines, context.stack
    empty = empty_hollows(own, other, context.ball)
    if must != ZERO:
        # The opponent threatens, so that only one stone comes into question.
        answer = winning(own | must, lines) & empty & ~must
        stack[base], stack[base + 1] = must, answer
        return (1 if answer != ZERO else 0), (must if has_several(answer) else ZERO)
    count = find_pairs(own, other | context.ball, lines, stack, base)
    double = double_threat(own, empty, lines, stack, base, count)
    for number in range(count - 1, -1, -1):
        pair = stack[base + number]
        upper = drop_lowest(pair)
        stack[base + 4 * number], stack[base + 4 * number + 1] = upper, pair ^ upper
        stack[base + 4 * number + 2], stack[base + 4 * number + 3] = pair ^ upper, upper
    return 2 * count, double


@recursive(NUMBER(WORD, WORD, NUMBER, THREAT_CONTEXT))
def attack(own: np.uint64, other: np.uint64, base: int, context: ThreatContext) -> int:
    """The win by threats alone of the side to move, FAILS if there is none, UNKNOWN beyond the limit.

    The words of the stack before `base` belong to the plies before.
    """
    lines, table, counters = context.lines, context.table, context.counters
    counters[NODES] += 1
    empty = empty_hollows(own, other, context.ball)
    wins = winning(own, lines) & empty
    if wins != ZERO:
        return pack_win(1, lowest(wins))
    must = winning(other, lines) & empty
    if has_several(must):
        return FAILS
    slot = table_slot(own, other, table.shape[0])
    if table[slot, 0] == own and table[slot, 1] == other:
        return signed(table[slot, 2])
    if counters[NODES] >= counters[LIMIT]:
        return UNKNOWN
    count, double = find_threats(own, other, must, base, context)
    if double != ZERO:
        return pack_win(3, lowest(double))
    result = FAILS
    for at in range(base, base + 2 * count, 2):
        stone = context.stack[at]
        found = attack(own | stone, other | context.stack[at + 1], base + FRAME, context)
        if found != FAILS:
            result = found if found == UNKNOWN else pack_win(win_plies(found) + 2, lowest(stone))
            break
    if result != UNKNOWN:
        table[slot, 0], table[slot, 1], table[slot, 2] = own, other, U(result)
    return result


@borrowing
def find_win(own: np.uint64, other: np.uint64, context: ThreatContext) -> int:
    """What `attack` finds with the limit for one question."""
    return find_short_win(own, other, context.counters[THREAT_LIMIT], context)


@borrowing
def find_short_win(own: np.uint64, other: np.uint64, limit: int, context: ThreatContext) -> int:
    """What `attack` finds in so many nodes."""
    context.counters[LIMIT] = context.counters[NODES] + limit
    return attack(own, other, 0, context)


@borrowing
def find_win_within(own: np.uint64, other: np.uint64, limit: int, fields: Any) -> tuple[int, int]:
    """The cell of the first stone and the plies of a win that `attack` finds in so many nodes; 0 plies for none.

    For calls from Python: `fields` is the `plain_tuple` of a ThreatContext.
    """
    ball, lines, table, stack, counters = fields
    counters[LIMIT] = counters[NODES] + limit
    win = attack(own, other, 0, ThreatContext(ball, lines, table, stack, counters))
    return (win_cell(win), win_plies(win)) if win > FAILS else (0, 0)


@borrowing
def answers(own: np.uint64, other: np.uint64, context: ThreatContext) -> np.uint64:
    """The hollows where the other side may answer a win by threats that these stones have.

    A stone elsewhere takes none of the hollows that the attack uses, and no line of the defender through it comes
    within one hollow of being complete, not even with all the stones that the attack forces on him; so the win
    stands. All empty hollows if the win is not found again.
    """
    ball, lines = context.ball, context.lines
    cells, forced, attacker = ZERO, other, own
    while True:
        empty = empty_hollows(attacker, forced, ball)
        wins = winning(attacker, lines) & empty
        if wins != ZERO:
            cells |= wins
            break
        win = find_win(attacker, forced, context)
        if win <= FAILS:
            return empty_hollows(own, other, ball)
        stone = bit(win_cell(win))
        threats = winning(attacker | stone, lines) & empty & ~stone
        cells |= stone | threats
        attacker |= stone
        forced |= threats
        if has_several(threats):
            break
    cells |= winning(forced, lines)
    count = find_pairs(forced, own | ball, lines, context.stack, 0)
    for number in range(count):
        cells |= context.stack[number]
    return cells & empty_hollows(own, other, ball)
