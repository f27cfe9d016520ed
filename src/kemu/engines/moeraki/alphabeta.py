"""The tree search: principal variation search that asks the threat search at every node.

Scores are for the side to move. A win or loss by a line is WINS less the plies it takes and always proved: threats
need no proof of defence, and stones that are left out cannot answer the threat that stands.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, recursive, signed
from kemu.engines.moeraki.entries import (
    LOWER,
    NO_SCORE,
    NO_STONE,
    SAME,
    UPPER,
    WINS,
    keep_score,
    known_entry,
    known_score,
    stone_of,
)
from kemu.engines.moeraki.evaluation import evaluate, rank
from kemu.engines.moeraki.hopes import MINE, THEIRS
from kemu.engines.moeraki.kernel import BEGINNER, MASTER, Numbers, U, barred, marae_points
from kemu.engines.moeraki.tables import HOLLOWS, Words
from kemu.engines.moeraki.tane import add_uses, use_of
from kemu.engines.moeraki.threats import (
    FAILS,
    GIVEN_UP,
    LENGTH,
    NODES,
    ROOT_DEPTH,
    STOP,
    TOTAL_LIMIT,
    TREE_NODES,
    UNKNOWN,
    answers,
    ask,
    winning,
)

ZERO: Final = U(0)

MARAE_WINS: Final = 20_000
INFINITE: Final = 32_000

# Words of the setting, constant through a search.
BALL: Final = 0
VARIANT: Final = 1

# The third key of an entry: Tane of the side to move, Tane of the other, whether the side to move placed the ball.
OTHER_TANE: Final = 512
STARTS: Final = 512 * 512

QUIET: Final = 2
DEEPEST: Final = 64


@borrowing
def full_board(own: np.uint64, other: np.uint64, extra: int, setting: Words) -> int:
    """The score once all hollows are filled without a line."""
    if setting[VARIANT] == U(BEGINNER):
        return 0
    mine, theirs = U(extra & 511), U((extra >> 9) & 511)
    closed = barred(mine, theirs)
    ball = setting[BALL]
    lead = marae_points(own, HOLLOWS, ball, closed) - marae_points(other, HOLLOWS, ball, closed)
    if lead == 0:
        lead = 1 if extra >= STARTS else -1
    return MARAE_WINS if lead > 0 else -MARAE_WINS


@borrowing
def leaf(
    own: np.uint64,
    other: np.uint64,
    extra: int,
    alpha: int,
    beta: int,
    setting: Words,
    masks: Words,
    weights: Numbers,
    sums: Numbers,
) -> int:
    """The evaluation of a position, exact only within the bounds."""
    mine, theirs = extra & 511, extra >> 9 & 511
    closed = barred(U(mine), U(theirs)) if mine != 0 or theirs != 0 else ZERO
    hands = (MINE if mine == 0 else 0) | (THEIRS if theirs == 0 else 0)
    variant = signed(setting[VARIANT])
    if variant != MASTER:
        hands = 0
    return evaluate(
        own, other, setting[BALL], closed, extra >= STARTS, hands, variant, alpha, beta, masks, weights, sums
    )


@borrowing
def list_stones(cells: np.uint64, ranks: Numbers, history: Numbers, first: int, moves: Numbers) -> int:
    """Writes the hollows to try, the most promising first, and says how many they are."""
    count = 0
    while cells != ZERO:
        cell = lowest(cells)
        cells &= cells - ONE
        worth = 1 << 40 if cell == first else ranks[cell] * 64 + min(history[cell], 4000)
        at = count
        while at > 0 and ranks[64 + at - 1] < worth:
            moves[at], ranks[64 + at] = moves[at - 1], ranks[64 + at - 1]
            at -= 1
        moves[at], ranks[64 + at] = cell, worth
        count += 1
    return count


@borrowing
def reduction_of(number: int, depth: int) -> int:
    """By how much less deep a stone is tried first that comes late in the order."""
    if number < 3 or depth < 2:
        return 0
    return 1 if number < 8 else 2 if number < 20 else 3


@borrowing
def settled(
    own: np.uint64,
    other: np.uint64,
    extra: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    harmless: bool,
    setting: Words,
    lines: Words,
    memory: Words,
    stack: Words,
    table: Words,
    counters: Numbers,
) -> int:
    """The score of a position that needs no search: over, decided by threats, or known; else NO_SCORE.

    It counts the position too, and once the limit is met it gives the search up.
    """
    counters[TREE_NODES] += 1
    if counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]:
        counters[GIVEN_UP] = 1
        return 0
    empty = HOLLOWS & ~(own | other | setting[BALL])
    if empty == ZERO:
        return full_board(own, other, extra, setting)
    if winning(own, lines) & empty != ZERO:
        return WINS - ply - 1
    must = winning(other, lines) & empty
    if must & (must - ONE) != ZERO:
        return -(WINS - ply - 2)
    data = known_entry(own, other, extra, table)
    known = known_score(data, depth, alpha, beta, ply) if data != ZERO else NO_SCORE
    if known != NO_SCORE or harmless:
        return known
    found = ask(own, other, setting[BALL], lines, memory, stack, counters)
    return WINS - ply - found // LENGTH if found > FAILS else NO_SCORE


@borrowing
def defence(
    own: np.uint64,
    other: np.uint64,
    depth: int,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    counters: Numbers,
) -> tuple[np.uint64, int]:
    """The stones to try against what the opponent threatens, and that win by threats, as `attack` gives it."""
    empty = HOLLOWS & ~(own | other | ball)
    must = winning(other, lines) & empty
    if must != ZERO:
        return must, LENGTH
    if depth <= 0:
        return empty, UNKNOWN
    threat = ask(other, own, ball, lines, memory, stack, counters)
    return (answers(other, own, ball, lines, memory, stack, counters) if threat > FAILS else empty), threat


@recursive(
    "int64(uint64, uint64, int64, int64, int64, int64, int64, boolean, uint64[::1], uint64[::1], uint64[::1],"
    "int64[::1], uint64[:, ::1], uint64[::1], uint64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[::1])"
)
def search(
    own: np.uint64,
    other: np.uint64,
    extra: int,
    depth: int,
    alpha: int,
    beta: int,
    ply: int,
    harmless: bool,
    setting: Words,
    lines: Words,
    masks: Words,
    weights: Numbers,
    memory: Words,
    stack: Words,
    table: Words,
    moves: Numbers,
    ranks: Numbers,
    history: Numbers,
    counters: Numbers,
) -> int:
    """The score of a position for the side to move; `harmless` if it is known to have no win by threats."""
    ball = setting[BALL]
    known = settled(
        own, other, extra, depth, alpha, beta, ply, harmless, setting, lines, memory, stack, table, counters
    )
    if known != NO_SCORE:
        return known
    tries, threat = defence(own, other, depth, ball, lines, memory, stack, counters)
    defending = threat > FAILS
    if (depth <= 0 and not defending) or depth <= -QUIET or ply >= DEEPEST - 2:
        return leaf(own, other, extra, alpha, beta, setting, masks, weights, ranks[ply])
    rank(own, other, ball, masks, weights, ranks[ply])
    data = known_entry(own, other, extra, table)
    first = stone_of(data) if data != ZERO else NO_STONE
    count = list_stones(tries, ranks[ply], history, first & 127, moves[ply])
    own_tane, other_tane, starts = extra & 511, extra >> 9 & 511, 0 if extra >= STARTS else STARTS
    asks = setting[VARIANT] == U(MASTER)
    count = add_uses(own, other, other_tane, ball, first, count, moves[ply]) if asks and own_tane == 0 else count
    following = depth if defending and ply < 2 * counters[ROOT_DEPTH] else depth - 1
    stone, floor = NO_STONE, alpha
    # The stones left out lose to the threat that stands.
    best = -(WINS - ply - 1 - threat // LENGTH) if defending else -INFINITE
    for number in range(count):
        cell = moves[ply, number] & 127
        laid = own | (ONE << U(cell))
        placed = moves[ply, number] >> 7 | own_tane
        reply = use_of(other, laid, other_tane, placed, cell, ball) if asks else 0
        high = beta if number == 0 else floor + 1
        reduction = 0 if defending else reduction_of(number, depth)
        while True:
            value = INFINITE
            # Asked after the same stone, the opponent keeps his Tane or places it.
            for use in (other_tane, reply):
                value = min(
                    value,
                    -search(
                        other,
                        laid,
                        use + OTHER_TANE * placed + starts,
                        following - reduction,
                        -min(high, value),
                        -floor,
                        ply + 1,
                        threat == FAILS,
                        setting,
                        lines,
                        masks,
                        weights,
                        memory,
                        stack,
                        table,
                        moves,
                        ranks,
                        history,
                        counters,
                    ),
                )
                if reply == 0 or value <= floor:
                    break
            if counters[GIVEN_UP] != 0:
                return 0
            if value <= floor or (reduction == 0 and (high == beta or value >= beta)):
                break
            # Better than thought: once more without what was spared.
            high = high if reduction > 0 else beta
            reduction = 0
        stone = moves[ply, number] if value > best else stone
        best, floor = max(best, value), max(floor, value)
        if best >= beta:
            history[cell] += max(depth, 0) * max(depth, 0) + 1
            break
    kind = UPPER if best <= alpha else LOWER if best >= beta else SAME
    keep_score(own, other, extra, stone, kind, depth, best, ply, table)
    return best
