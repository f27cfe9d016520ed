"""The tree search: principal variation search that asks the threat search at every node.

Scores are for the side to move. A win or loss by a line is WINS less the plies it takes and always proved: threats
need no proof of defence, and stones that are left out cannot answer the threat that stands.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, multiply, recursive, signed
from kemu.engines.moeraki.evaluation import evaluate, rank
from kemu.engines.moeraki.kernel import BEGINNER, Numbers, U, barred, marae_points
from kemu.engines.moeraki.tables import HOLLOWS, Words
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

WINS: Final = 30_000
PROVEN: Final = 29_000
"""Scores beyond this, either way, are wins by a line."""

MARAE_WINS: Final = 20_000
INFINITE: Final = 32_000

# Words of the setting, constant through a search.
BALL: Final = 0
VARIANT: Final = 1

# The third key of an entry: Tane of the side to move, Tane of the other, whether the side to move placed the ball.
OTHER_TANE: Final = 512
STARTS: Final = 512 * 512

# What the score of an entry is.
UPPER: Final = 1
LOWER: Final = 2
SAME: Final = 3

NO_STONE: Final = 127
NO_SCORE: Final = 32_001
QUIET: Final = 2
DEEPEST: Final = 64


@borrowing
def entry_slot(own: np.uint64, other: np.uint64, extra: int, size: int) -> int:
    """Where the table keeps a position."""
    upper, lower = multiply(own ^ U(0xA0761D6478BD642F), other ^ U(0xE7037ED1A0B428DB) ^ (U(extra) << U(45)))
    return signed((upper ^ lower) & U(size - 1))


@borrowing
def known_entry(own: np.uint64, other: np.uint64, extra: int, table: Words) -> np.uint64:
    """What the table holds for a position: its stone, kind, depth and score in one word, 0 for nothing.

    The keys are mixed with the word, so that two threads that write at once leave an entry nobody takes for theirs.
    """
    slot = entry_slot(own, other, extra, table.shape[0])
    data = table[slot, 3]
    same = (table[slot, 0] ^ data) == own and (table[slot, 1] ^ data) == other and (table[slot, 2] ^ data) == U(extra)
    return data if same else ZERO


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
def leaf(own: np.uint64, other: np.uint64, extra: int, setting: Words, masks: Words, weights: Numbers) -> int:
    """The evaluation of a position."""
    mine, theirs = extra & 511, extra >> 9 & 511
    closed = barred(U(mine), U(theirs)) if mine != 0 or theirs != 0 else ZERO
    hands = (1 if mine == 0 else 0) - (1 if theirs == 0 else 0)
    variant = signed(setting[VARIANT])
    return evaluate(own, other, setting[BALL], closed, extra >= STARTS, hands, variant, masks, weights)


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
def known_score(data: np.uint64, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score that an entry gives for a search to this depth, NO_SCORE if it is none for these bounds."""
    score = signed(data >> U(24) & U(0xFFFF)) - 32768
    # A win is kept by its distance from the position, not from the root.
    score += -ply if score > PROVEN else ply if score < -PROVEN else 0
    if signed(data >> U(16) & U(255)) < depth + 32 and -PROVEN <= score <= PROVEN:
        return NO_SCORE
    kind = signed(data >> U(8) & U(3))
    if kind == SAME or (kind == LOWER and score >= beta) or (kind == UPPER and score <= alpha):
        return score
    return NO_SCORE


@borrowing
def keep_score(
    own: np.uint64, other: np.uint64, extra: int, stone: int, kind: int, depth: int, score: int, ply: int, table: Words
) -> None:
    """Puts a score into the table."""
    score += ply if score > PROVEN else -ply if score < -PROVEN else 0
    data = U(stone) | (U(kind) << U(8)) | (U(depth + 32) << U(16)) | (U(score + 32768) << U(24))
    slot = entry_slot(own, other, extra, table.shape[0])
    table[slot, 0], table[slot, 1], table[slot, 2], table[slot, 3] = own ^ data, other ^ data, U(extra) ^ data, data


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
    """The score of a position that needs no search: over, decided by threats, or known; else NO_SCORE."""
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
    counters[TREE_NODES] += 1
    if counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]:
        counters[GIVEN_UP] = 1
        return 0
    ball = setting[BALL]
    known = settled(
        own, other, extra, depth, alpha, beta, ply, harmless, setting, lines, memory, stack, table, counters
    )
    if known != NO_SCORE:
        return known
    tries, threat = defence(own, other, depth, ball, lines, memory, stack, counters)
    defending = threat > FAILS
    if (depth <= 0 and not defending) or depth <= -QUIET or ply >= DEEPEST - 2:
        return leaf(own, other, extra, setting, masks, weights)
    rank(own, other, ball, masks, weights, ranks[ply])
    data = known_entry(own, other, extra, table)
    first = signed(data & U(127)) if data != ZERO else NO_STONE
    count = list_stones(tries, ranks[ply], history, first, moves[ply])
    # Each Tane is kept in the tree; the solver of the last hollows and the root try every use.
    key = (extra >> 9 & 511) + OTHER_TANE * (extra & 511) + (0 if extra >= STARTS else STARTS)
    following = depth if defending and ply < 2 * counters[ROOT_DEPTH] else depth - 1
    stone, floor = NO_STONE, alpha
    # The stones left out lose to the threat that stands.
    best = -(WINS - ply - 1 - threat // LENGTH) if defending else -INFINITE
    for number in range(count):
        cell = moves[ply, number]
        high = beta if number == 0 else floor + 1
        reduction = 0 if defending else reduction_of(number, depth)
        while True:
            value = -search(
                other,
                own | (ONE << U(cell)),
                key,
                following - reduction,
                -high,
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
            )
            if counters[GIVEN_UP] != 0:
                return 0
            if value <= floor or (reduction == 0 and (high == beta or value >= beta)):
                break
            # Better than thought: once more without what was spared.
            high = high if reduction > 0 else beta
            reduction = 0
        if value > best:
            best, stone = value, cell
            floor = max(floor, value)
        if best >= beta:
            history[cell] += max(depth, 0) * max(depth, 0) + 1
            break
    kind = UPPER if best <= alpha else LOWER if best >= beta else SAME
    keep_score(own, other, extra, stone, kind, depth, best, ply, table)
    return best
