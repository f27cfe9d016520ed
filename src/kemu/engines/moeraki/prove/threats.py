"""Threat search: wins that leave the opponent no choice, and how to answer them.

A threat is a line with one hollow missing. A pair is a line with two missing and none of the opponent's stones in
it: a stone into either of its hollows forces the answer into the other. The search tries such stones only.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import Numbers, WordRows, Words
from kemu.engines.compiled import inlined, no_refcount, recursive
from kemu.engines.moeraki.board import tables
from kemu.engines.moeraki.board.kernel import areas_around, corner_counts, empty_hollows, winning
from kemu.engines.moeraki.board.packed import U, pack_win, position_slot, win_cell, win_plies
from kemu.engines.moeraki.prove.control import LIMIT, NODES, THREAT_LIMIT
from kemu.engines.words import ZERO, bit, drop_lowest, has_several, lowest, lowest_bit, popcount, signed

FRAME: Final = 256
"""Words of the stack for one ply: four for each of the 61 lines."""

# What the search finds if it is not a win (see `packed`): nothing within its limit, or that there is none.
UNKNOWN: Final = -1
FAILS: Final = 0


class ThreatContext(NamedTuple):
    """The arrays of the threat search, apart from the stones."""

    ball: np.uint64  # the board with the ball alone
    lines: Words  # `tables.LINES` for this ball
    table: WordRows  # transposition table: rows of own stones, other stones, result
    stack: Words  # FRAME words for each of DEEPEST plies
    counters: Numbers  # see `control`


@no_refcount
def find_pairs(own: np.uint64, other: np.uint64, lines: Words, pairs: Words, base: int) -> int:
    """Write the two missing hollows of each line that lacks just two, and say how many lines they are."""
    count = 0
    _, two, three = corner_counts(own)
    blocks = two & ~three & ~areas_around(other) & tables.BEACHES
    while blocks != ZERO:
        pairs[base + count] = tables.CORNERS[lowest(blocks)] & ~own
        count += 1
        blocks = drop_lowest(blocks)
    for number in range(tables.LINE_COUNT):
        missing = lines[number] & ~own
        if popcount(missing) == 2 and missing & other == ZERO:
            pairs[base + count] = missing
            count += 1
    return count


@no_refcount
def double_threat(own: np.uint64, empty: np.uint64, lines: Words, pairs: Words, base: int, count: int) -> np.uint64:
    """Return a stone that makes two threats at once, as a board; none if there is none."""
    once, twice = ZERO, ZERO
    for number in range(count):
        twice |= once & pairs[base + number]
        once |= pairs[base + number]
    while twice != ZERO:
        cell = lowest_bit(twice)
        # The same two hollows may be missing of two lines, which is one threat only.
        if has_several(winning(own | cell, lines) & empty):
            return cell
        twice ^= cell
    return ZERO


@inlined
def find_threats(
    own: np.uint64, other: np.uint64, must: np.uint64, base: int, context: ThreatContext
) -> tuple[int, np.uint64]:
    """Write each stone that threatens and the answer to it, as boards, to the stack from `base` on.

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


@recursive
def attack(own: np.uint64, other: np.uint64, base: int, context: ThreatContext) -> int:
    """Return the win by threats alone of the side to move, FAILS if there is none, UNKNOWN beyond the limit.

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
    slot = position_slot(own, other, table.shape[0])
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


@no_refcount
def find_win(own: np.uint64, other: np.uint64, context: ThreatContext) -> int:
    """Return what `attack` finds with the limit for one question."""
    return find_short_win(own, other, context.counters[THREAT_LIMIT], context)


@no_refcount
def find_short_win(own: np.uint64, other: np.uint64, limit: int, context: ThreatContext) -> int:
    """Return what `attack` finds in `limit` nodes."""
    context.counters[LIMIT] = context.counters[NODES] + limit
    return attack(own, other, 0, context)


@no_refcount
def find_win_within(own: np.uint64, other: np.uint64, limit: int, fields: Any) -> tuple[int, int]:
    """Return the cell of the first stone and the plies of a win that `attack` finds in `limit` nodes; 0 plies for none.

    For calls from Python: `fields` is the `plain_tuple` of a ThreatContext.
    """
    win = find_short_win(own, other, limit, ThreatContext(*fields))
    return (win_cell(win), win_plies(win)) if win > FAILS else (0, 0)


@no_refcount
def answers(own: np.uint64, other: np.uint64, context: ThreatContext) -> np.uint64:
    """Return the hollows where the other side may answer a win by threats that these stones have.

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
