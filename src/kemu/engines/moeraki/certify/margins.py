"""The tile margin that pairs concede, exactly: the maximum over all ways in which the other may split them.

One variable for each pair says which of its hollows the other holds. Each area is a table over the variables at its
corners; variables are eliminated one after the other, that with the fewest neighbours first, and the table that is
left is a number. The same elimination with sums of exponentials instead of maxima gives a smooth measure to optimise.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines import words
from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import no_refcount
from kemu.engines.moeraki.board.packed import U
from kemu.engines.moeraki.board.tables import ALONG_U, ALONG_V, AREA_AT, AREA_COUNT, BACK_U, BACK_V, CORNERS
from kemu.engines.words import ONE, ZERO, below, bit, drop_lowest, has_bit, lowest, lowest_bit, popcount, signed

Reals = NDArray[np.float64]

AREA_CORNERS: Final = np.array([CORNERS[area] for area in AREA_AT], np.uint64)
"""The hollows around each area."""

WIDEST: Final = 15
"""Tables over more variables than this are not made."""

POOL: Final = 1 << 21
"""Numbers that all tables may have together."""

TOO_WIDE: Final = -1e300
MAXIMUM: Final = 0.0
"""The beta for which the elimination gives the maximum instead of a sum."""

LARGEST_REPAIR: Final = 16
"""Pairs that the random walk takes apart at once, at most; the least is two."""

UNIT: Final = 9007199254740992.0
"""2 to the power of 53: the random numbers of the walk are fractions of it."""


class MarginContext(NamedTuple):
    """The arrays of the elimination, apart from the pairs."""

    ball: np.uint64
    theirs: np.uint64  # what the other holds for certain; hollows in no pair and not his are the keeper's
    open_lines: Words  # the lines that must contain a pair
    scopes: Words  # the variables of each table
    starts: Numbers  # where it begins in the pool
    pool: Reals


def margin_context(ball: int, theirs: int, open_lines: list[int]) -> MarginContext:
    """Return new arrays for positions with these stones of the other."""
    return MarginContext(
        U(ball),
        U(theirs),
        np.array(open_lines, np.uint64),
        np.zeros(2 * AREA_COUNT, np.uint64),
        np.zeros(2 * AREA_COUNT, np.int64),
        np.zeros(POOL),
    )


@no_refcount
def area_worth(corners: np.uint64, theirs: np.uint64, ball: np.uint64) -> int:
    """Half tiles for the other on an area with all its hollows taken."""
    ahead = 2 * popcount(corners & theirs) - popcount(corners & ~ball)
    if ahead == 0:
        return 0
    size = 1 if popcount(corners) == 3 and -1 <= ahead <= 1 else 2
    return size if ahead > 0 else -size


@no_refcount
def held_by(way: int, scope: np.uint64, pairs: Words) -> np.uint64:
    """Return the hollows that the other holds of the pairs of a scope if he splits them this way."""
    held = ZERO
    while scope != ZERO:
        pair = pairs[lowest(scope)]
        held |= lowest_bit(pair) if way & 1 == 0 else drop_lowest(pair)
        scope = drop_lowest(scope)
        way >>= 1
    return held


@no_refcount
def write_areas(pairs: Words, beta: float, context: MarginContext) -> int:
    """Write the table of each area, over the pairs at its corners, and say where the pool is free."""
    used = 0
    for area in range(AREA_COUNT):
        corners = AREA_CORNERS[area]
        scope = ZERO
        for number in range(pairs.shape[0]):
            if pairs[number] & corners != ZERO:
                scope |= bit(number)
        context.scopes[area], context.starts[area] = scope, used
        for way in range(1 << popcount(scope)):
            held = context.theirs | held_by(way, scope, pairs)
            lead = float(area_worth(corners, held, context.ball))
            context.pool[used + way] = lead if beta == MAXIMUM else np.exp(beta * lead)
        used += 1 << popcount(scope)
    return used


@no_refcount
def project(way: int, scope: np.uint64, part: np.uint64) -> int:
    """Return the bits of a way over one scope that belong to a part of it."""
    index, place = 0, 0
    while scope != ZERO:
        if part & lowest_bit(scope) != ZERO:
            index |= (way & 1) << place
            place += 1
        scope = drop_lowest(scope)
        way >>= 1
    return index


@no_refcount
def neighbours(variable: int, count: int, scopes: Words) -> np.uint64:
    """Return all variables that share a table with one, itself included; none if it is in no table."""
    whole = ZERO
    for at in range(count):
        if has_bit(scopes[at], variable):
            whole |= scopes[at]
    return whole


@no_refcount
def choose_variable(left: np.uint64, count: int, scopes: Words) -> int:
    """Return the variable whose elimination makes the smallest table."""
    least, best = 99, -1
    while left != ZERO:
        size = popcount(neighbours(lowest(left), count, scopes))
        if size < least:
            least, best = size, lowest(left)
        left = drop_lowest(left)
    return best


@no_refcount
def join_tables(variable: int, count: int, used: int, beta: float, context: MarginContext) -> np.uint64:
    """Write the table without a variable, the best or the sum over its two values, and return what it is over."""
    scopes, pool = context.scopes, context.pool
    whole = neighbours(variable, count, scopes)
    place = popcount(whole & (bit(variable) - ONE))
    for way in range(1 << (popcount(whole) - 1)):
        total = 0.0
        for value in range(2):
            full = (way & ((1 << place) - 1)) | (value << place) | ((way >> place) << (place + 1))
            part = 0.0 if beta == MAXIMUM else 1.0
            for at in range(count):
                if has_bit(scopes[at], variable):
                    found = pool[context.starts[at] + project(full, whole, scopes[at])]
                    part = part + found if beta == MAXIMUM else part * found
            total = part if value == 0 else max(total, part) if beta == MAXIMUM else total + part
        pool[used + way] = total
    return whole & ~bit(variable)


@no_refcount
def drop_tables(variable: int, count: int, context: MarginContext) -> int:
    """Remove the tables over a variable, and say how many are left."""
    kept = 0
    for at in range(count):
        if not has_bit(context.scopes[at], variable):
            context.scopes[kept], context.starts[kept] = context.scopes[at], context.starts[at]
            kept += 1
    return kept


@no_refcount
def eliminate(pairs: Words, beta: float, context: MarginContext) -> float:
    """The other's greatest lead in half tiles if beta is MAXIMUM, else the sum of exp(beta × lead) over all ways."""
    used, count = write_areas(pairs, beta, context), AREA_COUNT
    left = bit(pairs.shape[0]) - ONE
    while left != ZERO:
        variable = choose_variable(left, count, context.scopes)
        left &= ~bit(variable)
        width = popcount(neighbours(variable, count, context.scopes))
        if width == 0:
            continue
        if width > WIDEST or used + (1 << width) > POOL:
            return TOO_WIDE
        scope = join_tables(variable, count, used, beta, context)
        count = drop_tables(variable, count, context)
        context.scopes[count], context.starts[count] = scope, used
        used += 1 << (width - 1)
        count += 1
    result = 0.0 if beta == MAXIMUM else 1.0
    for at in range(count):
        number = context.pool[context.starts[at]]
        result = result + number if beta == MAXIMUM else result * number
    return result


@no_refcount
def random_cell(cells: np.uint64, stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return one of some hollows by chance, as a board, and the stream."""
    skip, stream = below(popcount(cells), stream)
    for _ in range(skip):
        cells = drop_lowest(cells)
    return lowest_bit(cells), stream


@no_refcount
def poorest_line(pairs: Words, made: int, free: np.uint64, open_lines: Words) -> tuple[int, np.uint64]:
    """Of the lines without a pair that with fewest free hollows: how many, and they; 99 if there is no such line."""
    least, cells = 99, ZERO
    for number in range(open_lines.shape[0]):
        line = open_lines[number]
        size = popcount(line & free)
        served = size >= least
        for at in range(made):
            if pairs[at] & ~line == ZERO:
                served = True
                break
        if not served:
            least, cells = size, line & free
    return least, cells


@no_refcount
def repair(pairs: Words, made: int, free: np.uint64, open_lines: Words, stream: np.uint64) -> tuple[bool, np.uint64]:
    """Make pairs of the free hollows by chance so that every line contains one; whether it could, and the stream."""
    while free != ZERO:
        size, cells = poorest_line(pairs, made, free, open_lines)
        if size < 2:
            return False, stream
        one, stream = random_cell(free if size == 99 else cells, stream)
        two, stream = random_cell((free if size == 99 else cells) & ~one, stream)
        pairs[made] = one | two
        free &= ~pairs[made]
        made += 1
    return poorest_line(pairs, made, free, open_lines)[0] == 99, stream


@no_refcount
def take_apart(pairs: Words, trial: Words, count: int, stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Copy all pairs but `count` that lie together, by chance; the hollows that become free, and the stream."""
    size = pairs.shape[0]
    number, stream = below(size, stream)
    free, removed = pairs[number], bit(number)
    for _ in range(count - 1):
        near = free | words.rotate(free, ALONG_U) | words.rotate(free, BACK_U)
        near |= words.rotate(near, ALONG_V) | words.rotate(near, BACK_V)
        first, stream = below(size, stream)
        for step in range(size):
            at = (step + first) % size
            if pairs[at] & near != ZERO and not has_bit(removed, at):
                removed |= bit(at)
                free |= pairs[at]
                break
    kept = 0
    for at in range(size):
        if not has_bit(removed, at):
            trial[kept] = pairs[at]
            kept += 1
    return free, stream


@no_refcount
def anneal(
    pairs: Words, spare: Words, target: int, plan: tuple[float, float, int], stream: np.uint64, fields: Any
) -> tuple[int, np.uint64]:
    """Return a random walk that takes pairs apart and repairs them until the other's lead is at most the target.

    `pairs` ends as the best pairing met, of which the lead is returned; `spare` is room for two more; `plan` is beta,
    the heat at the beginning and the number of steps; `fields` is the `plain_tuple` of a MarginContext.
    """
    context = MarginContext(*fields)
    beta, heat, steps = plan
    walk, trial = spare[0], spare[1]
    for at in range(pairs.shape[0]):
        walk[at] = pairs[at]
    measure, best = eliminate(pairs, beta, context), eliminate(pairs, MAXIMUM, context)
    for step in range(steps):
        if best <= target and measure != TOO_WIDE:
            break
        count, stream = below(min(LARGEST_REPAIR, pairs.shape[0]) - 1, stream)
        free, stream = take_apart(walk, trial, 2 + count, stream)
        sound, stream = repair(trial, pairs.shape[0] - popcount(free) // 2, free, context.open_lines, stream)
        value = eliminate(trial, beta, context) if sound else TOO_WIDE
        if value == TOO_WIDE:
            continue
        stream, word = words.next_random(stream)
        chance = (measure / value) ** (1.0 / (heat * (1.0 - step / steps))) if measure < value else 1.0
        if measure == TOO_WIDE or signed(word >> U(11)) / UNIT < chance:
            for at in range(pairs.shape[0]):
                walk[at] = trial[at]
            measure = value
            lead = eliminate(walk, MAXIMUM, context)
            if lead < best or best == TOO_WIDE:
                best = lead
                for at in range(pairs.shape[0]):
                    pairs[at] = walk[at]
    return int(best), stream
