"""Pairings: disjoint pairs of empty hollows such that every line still open to a side contains a whole pair.

A player who answers each stone of that side in its pair, or anywhere if the partner is taken, holds a hollow of every
such line, so the side never completes one. That holds with either side to move: an additional own stone never hurts.

The search is exact. A line with two free hollows left forces their pair; otherwise it branches over the pairs of a line
with fewest, those that serve most lines first.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.compiled import inlined, no_refcount, recursive
from kemu.engines.moeraki.board.tables import HOLLOWS, MASK_COUNT
from kemu.engines.words import ZERO, drop_lowest, has_several, lowest_bit, popcount

# What the search answers, if not the number of pairs.
NONE: Final = -1
UNDECIDED: Final = -2

LEVELS: Final = 30
"""More pairs than hollows allow."""

TRIED, LIMIT, COUNTERS = range(3)
"""The places of the counters, and how many there are."""

LONGEST_LIST: Final = 40
"""More than the 36 pairs of a line of nine hollows."""


class PairingContext(NamedTuple):
    """The arrays of the search for a pairing, apart from the stones."""

    masks: Words  # `tables.MASKS` for the ball
    rows: WordRows  # for each level the lines without a pair; in the last row the pairs found
    choices: WordRows  # for each level the pairs to try
    ranks: NumberRows  # for each level how many lines they serve
    counters: Numbers  # COUNTERS numbers, see above


def pairing_context(masks: Words) -> PairingContext:
    """Return new arrays for the lines of one ball."""
    return PairingContext(
        masks,
        np.zeros((LEVELS + 1, MASK_COUNT + 1), np.uint64),
        np.zeros((LEVELS, LONGEST_LIST), np.uint64),
        np.zeros((LEVELS, LONGEST_LIST), np.int64),
        np.zeros(COUNTERS, np.int64),
    )


@no_refcount
def open_lines(keeper: np.uint64, other: np.uint64, empty: np.uint64, masks: Words, row: Words) -> int:
    """Write what each line open to the other lacks, without those that contain another; NONE if one is lost."""
    count = 0
    for number in range(MASK_COUNT):
        line = masks[number]
        if line & keeper != ZERO or line & ~HOLLOWS != ZERO:
            continue
        missing = line & ~other
        if not has_several(missing) or missing & ~empty != ZERO:
            return NONE
        kept = 0
        needed = True
        for at in range(count):
            if row[at] & ~missing == ZERO:
                needed = False
                break
        if not needed:
            continue
        for at in range(count):
            if missing & ~row[at] != ZERO:
                row[kept] = row[at]
                kept += 1
        row[kept] = missing
        count = kept + 1
    return count


@no_refcount
def drop_served(pair: np.uint64, count: int, source: Words, target: Words) -> int:
    """Copy the lines that do not contain a pair, and say how many they are."""
    kept = 0
    for at in range(count):
        if pair & ~source[at] != ZERO:
            target[kept] = source[at]
            kept += 1
    return kept


@no_refcount
def shortest(free: np.uint64, count: int, row: Words) -> tuple[int, np.uint64]:
    """Return the line with fewest free hollows: how many they are, and they."""
    least, best = 64, ZERO
    for at in range(count):
        size = popcount(row[at] & free)
        if size < least:
            least, best = size, row[at] & free
            if least <= 2:
                break
    return least, best


@inlined
def count_served(pair: np.uint64, count: int, row: Words) -> int:
    """Return how many of the first lines of a row hold both hollows of a pair."""
    served = 0
    for at in range(count):
        if pair & ~row[at] == ZERO:
            served += 1
    return served


@no_refcount
def list_pairs(cells: np.uint64, count: int, row: Words, choices: Words, ranks: Numbers) -> int:
    """Write all pairs of these hollows, those that serve most lines first, and say how many they are."""
    found = 0
    first = cells
    while first != ZERO:
        one = lowest_bit(first)
        first ^= one
        second = first
        while second != ZERO:
            pair = one | lowest_bit(second)
            second = drop_lowest(second)
            served = count_served(pair, count, row)
            at = found
            while at > 0 and ranks[at - 1] < served:
                ranks[at], choices[at] = ranks[at - 1], choices[at - 1]
                at -= 1
            ranks[at], choices[at] = served, pair
            found += 1
    return found


@recursive
def serve(free: np.uint64, count: int, made: int, level: int, context: PairingContext) -> int:
    """Return how many pairs serve all lines of a level, or NONE, or UNDECIDED; they are added to the last row."""
    rows, counters = context.rows, context.counters
    counters[TRIED] += 1
    if counters[TRIED] > counters[LIMIT]:
        return UNDECIDED
    row = rows[level]
    cells = ZERO
    while count > 0:
        size, cells = shortest(free, count, row)
        if size < 2:
            return NONE
        if size > 2:
            break
        rows[LEVELS, made] = cells
        made += 1
        free &= ~cells
        count = drop_served(cells, count, row, row)
    if count == 0:
        return made
    found = list_pairs(cells, count, row, context.choices[level], context.ranks[level])
    for at in range(found):
        pair = context.choices[level, at]
        rows[LEVELS, made] = pair
        kept = drop_served(pair, count, row, rows[level + 1])
        result = serve(free & ~pair, kept, made + 1, level + 1, context)
        if result != NONE:
            return result
    return NONE


@no_refcount
def best_pair(cells: np.uint64, count: int, row: Words) -> np.uint64:
    """Return the pair of these hollows that serves most lines."""
    most, best, first = 0, ZERO, cells
    while first != ZERO:
        one = lowest_bit(first)
        first ^= one
        second = first
        while second != ZERO:
            pair = one | lowest_bit(second)
            second = drop_lowest(second)
            served = count_served(pair, count, row)
            if served > most:
                most, best = served, pair
    return best


@no_refcount
def deficit(keeper: np.uint64, other: np.uint64, empty: np.uint64, context: PairingContext) -> int:
    """Return how many lines a quick attempt at a pairing leaves without a pair: how far the keeper is from one."""
    masks, row = context.masks, context.rows[0]
    count, lost = 0, 0
    for number in range(MASK_COUNT):
        line = masks[number]
        if line & keeper == ZERO and line & ~HOLLOWS == ZERO:
            missing = line & ~other
            if popcount(missing) < 2:
                lost += 2
            else:
                row[count] = missing
                count += 1
    free = empty
    while count > 0:
        size, cells = shortest(free, count, row)
        if size < 2:
            kept = 0
            for at in range(count):
                if popcount(row[at] & free) >= 2:
                    row[kept] = row[at]
                    kept += 1
            lost += count - kept
            count = kept
            continue
        pair = best_pair(cells, count, row)
        free &= ~pair
        count = drop_served(pair, count, row, row)
    return lost


@no_refcount
def find_pairing(keeper: np.uint64, other: np.uint64, empty: np.uint64, limit: int, context: PairingContext) -> int:
    """Return how many pairs, in the last row, keep the other from every line; NONE, or UNDECIDED beyond a limit."""
    context.counters[TRIED], context.counters[LIMIT] = 0, limit
    count = open_lines(keeper, other, empty, context.masks, context.rows[0])
    if count < 0:
        return NONE
    return serve(empty, count, 0, 0, context)


@no_refcount
def count_pairs(keeper: np.uint64, other: np.uint64, empty: np.uint64, limit: int, fields: Any) -> int:
    """Return the same for calls from Python: `fields` is the `plain_tuple` of a PairingContext."""
    return find_pairing(keeper, other, empty, limit, PairingContext(*fields))
