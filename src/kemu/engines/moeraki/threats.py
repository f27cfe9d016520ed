"""Threat search: wins that leave the opponent no choice, and how to answer them.

A threat is a line with one hollow missing. A pair is a line with two missing and none of the opponent's stones in
it: a stone into either of its hollows forces the answer into the other. The search tries such stones only.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, multiply, popcount, recursive, rotate, signed
from kemu.engines.moeraki.kernel import Numbers
from kemu.engines.moeraki.tables import BEACHES, CORNERS, HOLLOWS, STEPS, Words

U = np.uint64
ZERO: Final = U(0)

FRAME: Final = 256
"""Words of the stack for one ply: four for each of the 61 lines."""

DEEPEST: Final = 32
"""More threats in a row than hollows allow."""

# What the search finds: nothing within its limit, that there is nothing, or LENGTH × the plies of the win + the bit
# of the stone that begins it.
UNKNOWN: Final = -1
FAILS: Final = 0
LENGTH: Final = 64

# Words of the counters that a search and all its parts share.
NODES: Final = 0  # positions that the threat search has looked at
LIMIT: Final = 1  # of these, when the threat search under way gives up
THREAT_LIMIT: Final = 2  # how many it gets for one question
STOP: Final = 3  # not 0 as soon as all must end
TREE_NODES: Final = 4  # positions that the searches around it have looked at
TOTAL_LIMIT: Final = 5  # of both kinds of positions together, when the search under way gives up
GIVEN_UP: Final = 6
ROOT_DEPTH: Final = 7
COUNTERS: Final = 8


def _valid(step: int) -> np.uint64:
    bits = int(BEACHES)
    return U((bits << step | bits >> (64 - step)) & (1 << 64) - 1)


BASE_0, BASE_1, BASE_2, BASE_3 = (_valid(step) for step in STEPS)


@borrowing
def winning(own: np.uint64, lines: Words) -> np.uint64:
    """The hollows that would complete a line of these stones, occupied or not."""
    east, west = rotate(own, 1), rotate(own, 63)
    north, south = rotate(own, 14), rotate(own, 50)
    cells = (east & north & rotate(own, 15) & BASE_0) | (west & north & rotate(own, 13) & BASE_1)
    cells |= (east & south & rotate(own, 51) & BASE_2) | (west & south & rotate(own, 49) & BASE_3)
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
    a, b, c, d = own, rotate(own, 1), rotate(own, 14), rotate(own, 15)
    three = (a & b & (c | d)) | (c & d & (a | b))
    two = (a & b) | (c & d) | ((a | b) & (c | d))
    against = other | rotate(other, 1)
    against |= rotate(against, 14)
    blocks = two & ~three & ~against & BEACHES
    while blocks != ZERO:
        pairs[base + count] = CORNERS[lowest(blocks)] & ~own
        count += 1
        blocks &= blocks - ONE
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
        cell = twice & -twice
        # The same two hollows may be missing of two lines, which is but one threat.
        threats = winning(own | cell, lines) & empty
        if threats & (threats - ONE) != ZERO:
            return cell
        twice ^= cell
    return ZERO


@borrowing
def slot_of(own: np.uint64, other: np.uint64, size: int) -> int:
    """Where a memory of this size, a power of two, keeps a position."""
    upper, lower = multiply(own ^ U(0xA0761D6478BD642F), other ^ U(0xE7037ED1A0B428DB))
    return signed((upper ^ lower) & U(size - 1))


@borrowing
def find_threats(
    own: np.uint64, other: np.uint64, ball: np.uint64, must: np.uint64, lines: Words, stack: Words, base: int
) -> tuple[int, np.uint64]:
    """Writes each stone that threatens and the answer to it; or finds a stone that threatens twice, as a board."""
    empty = HOLLOWS & ~(own | other | ball)
    if must != ZERO:
        # The opponent threatens, so that only one stone comes into question.
        answer = winning(own | must, lines) & empty & ~must
        stack[base], stack[base + 1] = must, answer
        return (1 if answer != ZERO else 0), (must if answer & (answer - ONE) != ZERO else ZERO)
    count = find_pairs(own, other | ball, lines, stack, base)
    double = double_threat(own, empty, lines, stack, base, count)
    for number in range(count - 1, -1, -1):
        pair = stack[base + number]
        upper = pair & (pair - ONE)
        stack[base + 4 * number], stack[base + 4 * number + 1] = upper, pair ^ upper
        stack[base + 4 * number + 2], stack[base + 4 * number + 3] = pair ^ upper, upper
    return 2 * count, double


@recursive("int64(uint64, uint64, uint64, uint64[::1], uint64[:, ::1], uint64[::1], int64, int64[::1])")
def attack(
    own: np.uint64,
    other: np.uint64,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    base: int,
    counters: Numbers,
) -> int:
    """A stone that wins by threats alone and the plies it takes, FAILS if there is none, UNKNOWN beyond the limit."""
    counters[NODES] += 1
    empty = HOLLOWS & ~(own | other | ball)
    wins = winning(own, lines) & empty
    if wins != ZERO:
        return LENGTH + lowest(wins)
    must = winning(other, lines) & empty
    if must & (must - ONE) != ZERO:
        return FAILS
    slot = slot_of(own, other, memory.shape[0])
    if memory[slot, 0] == own and memory[slot, 1] == other:
        return signed(memory[slot, 2])
    if counters[NODES] >= counters[LIMIT]:
        return UNKNOWN
    count, double = find_threats(own, other, ball, must, lines, stack, base)
    if double != ZERO:
        return 3 * LENGTH + lowest(double)
    result = FAILS
    for at in range(base, base + 2 * count, 2):
        stone = stack[at]
        found = attack(own | stone, other | stack[at + 1], ball, lines, memory, stack, base + FRAME, counters)
        if found != FAILS:
            result = found if found == UNKNOWN else (found // LENGTH + 2) * LENGTH + lowest(stone)
            break
    if result != UNKNOWN:
        memory[slot, 0], memory[slot, 1], memory[slot, 2] = own, other, U(result)
    return result


@borrowing
def ask(
    own: np.uint64, other: np.uint64, ball: np.uint64, lines: Words, memory: Words, stack: Words, counters: Numbers
) -> int:
    """What the threat search finds with its usual limit."""
    counters[LIMIT] = counters[NODES] + counters[THREAT_LIMIT]
    return attack(own, other, ball, lines, memory, stack, 0, counters)


@borrowing
def answers(
    own: np.uint64, other: np.uint64, ball: np.uint64, lines: Words, memory: Words, stack: Words, counters: Numbers
) -> np.uint64:
    """The hollows where the other side may answer a win by threats that these stones have; elsewhere it stands.

    A stone elsewhere takes none of the hollows that the attack uses, and no line of the defender through it comes
    within one hollow of being complete, not even with all the stones that the attack forces on him.
    """
    cells, forced, attacker = ZERO, other, own
    while True:
        empty = HOLLOWS & ~(attacker | forced | ball)
        wins = winning(attacker, lines) & empty
        if wins != ZERO:
            cells |= wins
            break
        stone = ask(attacker, forced, ball, lines, memory, stack, counters)
        if stone <= FAILS:
            return HOLLOWS & ~(own | other | ball)
        cell = ONE << U(stone % LENGTH)
        threats = winning(attacker | cell, lines) & empty & ~cell
        cells |= cell | threats
        attacker |= cell
        forced |= threats
        if threats & (threats - ONE) != ZERO:
            break
    cells |= winning(forced, lines)
    count = find_pairs(forced, own | ball, lines, stack, 0)
    for number in range(count):
        cells |= stack[number]
    return cells & HOLLOWS & ~(own | other | ball)
