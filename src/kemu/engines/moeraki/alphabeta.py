"""The tree search: principal variation search that asks the threat search at every node.

Scores are for the side to move. A win or loss by a line is WINS less the plies it takes and always proved: threats
need no proof of defence, and stones that are left out cannot answer the threat that stands.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, compiled, lowest, multiply, popcount, recursive
from kemu.engines.moeraki.evaluation import evaluate, rank
from kemu.engines.moeraki.kernel import BEGINNER, MASTER, Numbers, U, barred, completed, majorities, marae_points
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
EXACT: Final = 2  # with so few empty hollows every use of a Tane is tried
SETTING: Final = 3

# The third key of an entry: Tane of the side to move, Tane of the other, whether the side to move placed the ball.
OTHER_TANE: Final = 512
STARTS: Final = 512 * 512

# What the score of an entry is.
UPPER: Final = 1
LOWER: Final = 2
SAME: Final = 3

NO_STONE: Final = 127
QUIET: Final = 2
DEEPEST: Final = 64


@compiled
def entry_slot(own: np.uint64, other: np.uint64, extra: int, size: int) -> int:
    """Where the table keeps a position."""
    upper, lower = multiply(own ^ U(0xA0761D6478BD642F), other ^ U(0xE7037ED1A0B428DB) ^ (U(extra) << U(45)))
    return np.int64((upper ^ lower) & U(size - 1))


@compiled
def known_stone(own: np.uint64, other: np.uint64, extra: int, table: Words) -> int:
    """The stone that the table holds for a position, NO_STONE if none."""
    slot = entry_slot(own, other, extra, table.shape[0])
    data = table[slot, 3]
    if (table[slot, 0] ^ data) == own and (table[slot, 1] ^ data) == other and (table[slot, 2] ^ data) == U(extra):
        return np.int64(data & U(127))
    return NO_STONE


@compiled
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


@compiled
def leaf(own: np.uint64, other: np.uint64, extra: int, setting: Words, masks: Words, weights: Numbers) -> int:
    """The evaluation of a position."""
    closed = barred(U(extra & 511), U((extra >> 9) & 511)) if extra & (STARTS - 1) else ZERO
    variant = np.int64(setting[VARIANT])
    return evaluate(own, other, setting[BALL], closed, extra >= STARTS, variant, masks, weights)


@compiled
def due_areas(stones: np.uint64, fresh: np.uint64, mine: int, theirs: int, ball: np.uint64) -> np.uint64:
    """The areas among those just completed where a side may put its Tane, none if it has used it."""
    if mine != 0 or fresh == ZERO:
        return ZERO
    return fresh & majorities(stones, ball)[1] & ~barred(U(mine), U(theirs))


@compiled
def tane_choice(areas: np.uint64, choice: int, now: int) -> int:
    """The Tane after a choice: 0 keeps it, then four directions for each area."""
    if choice == 0:
        return now
    for _ in range((choice - 1) >> 2):
        areas &= areas - ONE
    return 4 * lowest(areas) + ((choice - 1) & 3) + 1


@compiled
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


@recursive(
    "int64(uint64, uint64, int64, int64, int64, int64, int64, boolean, uint64[::1], uint64[::1], uint64[::1], int64[::1],"
    "uint64[:, ::1], uint64[::1], uint64[:, ::1], int64[:, ::1], int64[:, ::1], int64[::1], int64[::1])"
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
    occupied = own | other | ball
    empty = HOLLOWS & ~occupied
    if empty == ZERO:
        return full_board(own, other, extra, setting)
    if winning(own, lines) & empty != ZERO:
        return WINS - ply - 1
    must = winning(other, lines) & empty
    if must & (must - ONE) != ZERO:
        return -(WINS - ply - 2)
    # What the table knows.
    slot = entry_slot(own, other, extra, table.shape[0])
    data = table[slot, 3]
    first = NO_STONE
    if (table[slot, 0] ^ data) == own and (table[slot, 1] ^ data) == other and (table[slot, 2] ^ data) == U(extra):
        first = np.int64(data & U(127))
        known = np.int64(data >> U(24) & U(0xFFFF)) - 32768
        if known > MARAE_WINS:
            known -= ply
        elif known < -MARAE_WINS:
            known += ply
        kind = np.int64(data >> U(8) & U(3))
        if np.int64(data >> U(16) & U(255)) >= depth + 32 or known > PROVEN or known < -PROVEN:
            if kind == SAME or (kind == LOWER and known >= beta) or (kind == UPPER and known <= alpha):
                return known
    # Wins by threats, mine and what the opponent would have.
    left = popcount(empty)
    if not harmless:
        found = ask(own, other, ball, lines, memory, stack, counters)
        if found > FAILS:
            return WINS - ply - found // LENGTH
    tries, best, threat = empty, -INFINITE, UNKNOWN
    defending = must != ZERO
    if must != ZERO:
        tries = must
    elif depth > 0:
        threat = ask(other, own, ball, lines, memory, stack, counters)
        if threat > FAILS:
            defending = True
            tries = answers(other, own, ball, lines, memory, stack, counters)
            # The stones left out lose to the threat that stands.
            best = -(WINS - ply - 1 - threat // LENGTH)
    if (depth <= 0 and not defending) or depth <= -QUIET or ply >= DEEPEST - 2:
        return leaf(own, other, extra, setting, masks, weights)
    rank(own, other, ball, masks, weights, ranks[ply])
    count = list_stones(tries, ranks[ply], history, first, moves[ply])
    mine, theirs = extra & 511, (extra >> 9) & 511
    starts = STARTS if extra >= STARTS else 0
    asking = setting[VARIANT] == U(MASTER) and left <= np.int64(setting[EXACT]) and (mine == 0 or theirs == 0)
    before = completed(occupied) if asking else ZERO
    best_cell, floor = NO_STONE, alpha
    for number in range(count):
        cell = moves[ply, number]
        stones = own | (ONE << U(cell))
        fresh = completed(occupied | (ONE << U(cell))) & ~before if asking else ZERO
        following = depth if defending and ply < 2 * counters[ROOT_DEPTH] else depth - 1
        reduction = 0
        if number >= 3 and 2 <= depth < left and not defending:
            reduction = 1 if number < 8 else 2 if number < 20 else 3
        low, high = floor, beta
        if number > 0:
            high = floor + 1
        my_areas = due_areas(stones, fresh, mine, theirs, ball)
        while True:
            value = -INFINITE
            for choice in range(1 + 4 * popcount(my_areas)):
                my_tane = tane_choice(my_areas, choice, mine)
                their_areas = due_areas(other, fresh, theirs, my_tane, ball)
                worst = INFINITE
                for answer in range(1 + 4 * popcount(their_areas)):
                    their_tane = tane_choice(their_areas, answer, theirs)
                    key = their_tane + OTHER_TANE * my_tane + (STARTS - starts)
                    score = -search(
                        other, stones, key, following - reduction, -min(high, worst), -max(low, value), ply + 1,
                        threat == FAILS, setting, lines, masks, weights, memory, stack, table, moves, ranks, history, counters,
                    )
                    worst = min(worst, score)
                    if worst <= max(low, value):
                        break
                value = max(value, worst)
                if value >= high:
                    break
            if counters[GIVEN_UP] != 0:
                return 0
            if value > floor and reduction > 0:
                reduction = 0
            elif value > floor and high < beta and value < beta:
                high = beta
            else:
                break
        if value > best:
            best, best_cell = value, cell
            floor = max(floor, value)
            if value >= beta:
                history[cell] += max(depth, 0) * max(depth, 0) + 1
                break
    kind = UPPER if best <= alpha else LOWER if best >= beta else SAME
    kept = best + ply if best > MARAE_WINS else best - ply if best < -MARAE_WINS else best
    data = U(best_cell) | (U(kind) << U(8)) | (U(min(max(depth + 32, 0), 255)) << U(16)) | (U(kept + 32768) << U(24))
    table[slot, 0], table[slot, 1], table[slot, 2], table[slot, 3] = own ^ data, other ^ data, U(extra) ^ data, data
    return best
