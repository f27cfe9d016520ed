"""The tile margin that pairs concede, exactly: the maximum over all ways in which the other may split them.

One variable for each pair says which of its hollows the other holds. Each area is a table over the variables at its
corners; variables are eliminated one after the other, that with the fewest neighbours first, and the table that is
left is a number. The same elimination with sums of exponentials instead of maxima gives a smooth measure to optimise.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import ONE, below, borrowing, compiled, lowest, next_random, popcount, rotate, signed
from kemu.engines.moeraki.kernel import Numbers, U
from kemu.engines.moeraki.tables import AREA_AT, CORNERS, Words
from kemu.games.moeraki import board

Reals = NDArray[np.float64]
ZERO: Final = U(0)

AREA_CORNERS: Final = np.array([CORNERS[bit] for bit in AREA_AT], np.uint64)
"""The hollows around each area."""

AREA_COUNT: Final = len(board.AREAS)
WIDEST: Final = 15
"""A table over more variables than this is not tried."""

LARGEST_REPAIR: Final = 16
"""Pairs that the random walk takes apart at once, at most; the least is two."""

POOL: Final = 1 << 21
TOO_WIDE: Final = -1e300


@borrowing
def worth(area: np.uint64, theirs: np.uint64, ball: np.uint64) -> int:
    """Half tiles for the other on an area with all its hollows taken."""
    ahead = 2 * popcount(area & theirs) - popcount(area & ~ball)
    if ahead == 0:
        return 0
    size = 1 if popcount(area) == 3 and -1 <= ahead <= 1 else 2
    return size if ahead > 0 else -size


@borrowing
def write_areas(
    pairs: Words, ball: np.uint64, theirs: np.uint64, beta: float, scopes: Words, starts: Numbers, pool: Reals
) -> int:
    """Writes the table of each area, over the pairs at its corners, and says where the pool is free."""
    used = 0
    for area in range(AREA_COUNT):
        corners = AREA_CORNERS[area]
        scope = ZERO
        for number in range(pairs.shape[0]):
            if pairs[number] & corners != ZERO:
                scope |= ONE << U(number)
        scopes[area], starts[area] = scope, used
        for way in range(1 << popcount(scope)):
            held, rest, place = theirs, scope, 0
            while rest != ZERO:
                pair = pairs[lowest(rest)]
                held |= pair & -pair if (way >> place) & 1 == 0 else pair & (pair - ONE)
                rest &= rest - ONE
                place += 1
            lead = float(worth(corners, held, ball))
            pool[used + way] = lead if beta == 0.0 else np.exp(beta * lead)
        used += 1 << popcount(scope)
    return used


@borrowing
def gather(way: int, scope: np.uint64, part: np.uint64) -> int:
    """The bits of a way over one scope that belong to a part of it."""
    index, place = 0, 0
    while scope != ZERO:
        bit = scope & -scope
        scope ^= bit
        if part & bit != ZERO:
            index |= (way & 1) << place
            place += 1
        way >>= 1
    return index


@borrowing
def choose_next(left: np.uint64, count: int, scopes: Words) -> int:
    """The variable whose elimination makes the smallest table."""
    least, best = 99, -1
    while left != ZERO:
        number = lowest(left)
        left &= left - ONE
        scope = ZERO
        for at in range(count):
            if (scopes[at] >> U(number)) & ONE != ZERO:
                scope |= scopes[at]
        if popcount(scope) < least:
            least, best = popcount(scope), number
    return best


@borrowing
def join(
    variable: int, whole: np.uint64, count: int, beta: float, scopes: Words, starts: Numbers, pool: Reals, used: int
) -> None:
    """Writes the table without a variable: the best or the sum over its two values of all tables that have it."""
    bit = ONE << U(variable)
    rest = whole & ~bit
    place = popcount(whole & (bit - ONE))
    for way in range(1 << popcount(rest)):
        low = way & ((1 << place) - 1)
        total = 0.0
        for value in range(2):
            full = low | (value << place) | ((way >> place) << (place + 1))
            part = 0.0 if beta == 0.0 else 1.0
            for at in range(count):
                if scopes[at] & bit != ZERO:
                    found = pool[starts[at] + gather(full, whole, scopes[at])]
                    part = part + found if beta == 0.0 else part * found
            total = part if value == 0 else max(total, part) if beta == 0.0 else total + part
        pool[used + way] = total


@borrowing
def eliminate(
    pairs: Words, ball: np.uint64, theirs: np.uint64, beta: float, scopes: Words, starts: Numbers, pool: Reals
) -> float:
    """The other's greatest lead in half tiles if beta is 0, else the sum of exp(beta × lead) over all ways.

    `theirs` are stones that the other holds for certain; hollows in no pair and not his are the keeper's.
    """
    used = write_areas(pairs, ball, theirs, beta, scopes, starts, pool)
    count = AREA_COUNT
    left = (ONE << U(pairs.shape[0])) - ONE
    while left != ZERO:
        variable = choose_next(left, count, scopes)
        left &= ~(ONE << U(variable))
        whole = ZERO
        for at in range(count):
            if (scopes[at] >> U(variable)) & ONE != ZERO:
                whole |= scopes[at]
        if whole == ZERO:
            continue
        size = 1 << (popcount(whole) - 1)
        if popcount(whole) > WIDEST or used + size > pool.shape[0]:
            return TOO_WIDE
        join(variable, whole, count, beta, scopes, starts, pool, used)
        kept = 0
        for at in range(count):
            if (scopes[at] >> U(variable)) & ONE == ZERO:
                scopes[kept], starts[kept] = scopes[at], starts[at]
                kept += 1
        scopes[kept], starts[kept] = whole & ~(ONE << U(variable)), used
        used += size
        count = kept + 1
    result = 0.0 if beta == 0.0 else 1.0
    for at in range(count):
        result = result + pool[starts[at]] if beta == 0.0 else result * pool[starts[at]]
    return result


@borrowing
def random_of(cells: np.uint64, stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """One of some hollows by chance, as a board, and the stream."""
    skip, stream = below(popcount(cells), stream)
    for _ in range(skip):
        cells &= cells - ONE
    return cells & -cells, stream


@borrowing
def repair(pairs: Words, made: int, free: np.uint64, masks: Words, stream: np.uint64) -> tuple[int, np.uint64]:
    """Makes pairs of the free hollows by chance so that every line contains one; how many pairs there are then, or -1.

    The first `made` pairs stand. A line without a pair is chosen with fewest free hollows; there is no way back.
    """
    while True:
        least, cells = 99, ZERO
        for number in range(masks.shape[0]):
            line = masks[number]
            size = popcount(line & free)
            if size >= least:
                continue
            served = False
            for at in range(made):
                if pairs[at] & ~line == ZERO:
                    served = True
                    break
            if not served:
                least, cells = size, line & free
        if least < 2:
            return -1, stream
        if least == 99:
            break
        one, stream = random_of(cells, stream)
        two, stream = random_of(cells & ~one, stream)
        pairs[made] = one | two
        free &= ~pairs[made]
        made += 1
    while free != ZERO:
        one = free & -free
        two, stream = random_of(free & ~one, stream)
        pairs[made] = one | two
        free &= ~pairs[made]
        made += 1
    return made, stream


@borrowing
def take_apart(pairs: Words, trial: Words, count: int, stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Copies all pairs but so many near a hollow chosen by chance; the hollows that become free, and the stream."""
    number, stream = below(pairs.shape[0], stream)
    near = pairs[number]
    free, removed = near, ONE << U(number)
    for _ in range(count - 1):
        near |= rotate(near, 1) | rotate(near, 63)
        near |= rotate(near, 14) | rotate(near, 50)
        shift, stream = below(pairs.shape[0], stream)
        for step in range(pairs.shape[0]):
            at = (step + shift) % pairs.shape[0]
            if pairs[at] & near != ZERO and (removed >> U(at)) & ONE == ZERO:
                removed |= ONE << U(at)
                free |= pairs[at]
                break
        near = free
    kept = 0
    for at in range(pairs.shape[0]):
        if (removed >> U(at)) & ONE == ZERO:
            trial[kept] = pairs[at]
            kept += 1
    return free, stream


@compiled
def anneal(
    pairs: Words,
    open_lines: Words,
    ball: np.uint64,
    theirs: np.uint64,
    target: float,
    beta: float,
    heat: float,
    steps: int,
    stream: np.uint64,
    pool: Reals,
) -> tuple[float, np.uint64]:
    """A random walk that takes some pairs apart and repairs them, until the other's lead is at most the target.

    `pairs` ends as the best pairing met. Gives its lead and the stream.
    """
    scopes, starts = np.zeros(2 * AREA_COUNT, np.uint64), np.zeros(2 * AREA_COUNT, np.int64)
    walk, trial = pairs.copy(), pairs.copy()
    measure = np.log(eliminate(pairs, ball, theirs, beta, scopes, starts, pool))
    best = eliminate(pairs, ball, theirs, 0.0, scopes, starts, pool)
    for step in range(steps):
        if best <= target:
            break
        warmth = heat * (1.0 - step / steps)
        extra, stream = below(LARGEST_REPAIR - 1, stream)
        free, stream = take_apart(walk, trial, min(2 + extra, pairs.shape[0]), stream)
        made, stream = repair(trial, pairs.shape[0] - popcount(free) // 2, free, open_lines, stream)
        if made != pairs.shape[0]:
            continue
        value = eliminate(trial, ball, theirs, beta, scopes, starts, pool)
        if value == TOO_WIDE:
            continue
        value = np.log(value)
        stream, word = next_random(stream)
        if value <= measure or signed(word >> U(11)) / 9007199254740992.0 < np.exp((measure - value) / warmth):
            walk[:] = trial
            measure = value
            lead = eliminate(walk, ball, theirs, 0.0, scopes, starts, pool)
            if lead < best:
                best = lead
                pairs[:] = walk
    return best, stream
