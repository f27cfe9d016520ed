"""The transposition table of the tree search: scores and best moves of positions, shared by threads."""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import NUMBER, WORD, ZERO, borrowing, multiply, signed, tuple_type
from kemu.engines.moeraki.packed import U, entry_bound, entry_depth, entry_score, pack_entry
from kemu.engines.moeraki.tables import Words

WINS: Final = 30_000
PROVEN: Final = 29_000
"""Scores beyond this, either way, are wins by a line."""

NO_SCORE: Final = 32_001

# What the score of an entry is.
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3


class Sides(NamedTuple):
    """A position in which a stone is to be laid, from the side to move."""

    own: np.uint64
    other: np.uint64
    tanes: int  # both Tane and who placed the ball, see `packed`


class Window(NamedTuple):
    """The bounds of a search: scores up to alpha are as good as alpha, from beta on as good as beta."""

    alpha: int
    beta: int


SIDES: Final = tuple_type(Sides, WORD, WORD, NUMBER)
WINDOW: Final = tuple_type(Window, NUMBER, NUMBER)


@borrowing
def table_slot(sides: Sides, size: int) -> int:
    """The row of a position in a table of this size, a power of two."""
    key = U(0xE7037ED1A0B428DB) ^ (U(sides.tanes) << U(45))
    upper, lower = multiply(sides.own ^ U(0xA0761D6478BD642F), sides.other ^ key)
    return signed((upper ^ lower) & U(size - 1))


@borrowing
def probe(sides: Sides, table: Words) -> np.uint64:
    """The entry of a position, 0 if there is none.

    The keys are mixed with the entry, so that two threads that write at once leave a row that fits no position.
    """
    slot = table_slot(sides, table.shape[0])
    entry = table[slot, 3]
    same = (table[slot, 0] ^ entry) == sides.own and (table[slot, 1] ^ entry) == sides.other
    return entry if same and (table[slot, 2] ^ entry) == U(sides.tanes) else ZERO


@borrowing
def usable_score(entry: np.uint64, depth: int, window: Window, ply: int) -> int:
    """The score that an entry gives to a search to this depth in this window, NO_SCORE if it gives none."""
    score = entry_score(entry)
    score += -ply if score > PROVEN else ply if score < -PROVEN else 0
    if entry_depth(entry) < depth and -PROVEN <= score <= PROVEN:
        return NO_SCORE
    bound = entry_bound(entry)
    if bound == EXACT or (bound == LOWER and score >= window.beta) or (bound == UPPER and score <= window.alpha):
        return score
    return NO_SCORE


@borrowing
def new_entry(move: int, score: int, depth: int, window: Window, ply: int) -> np.uint64:
    """The entry for what a search to this depth in this window found at a position so many plies from the root."""
    bound = UPPER if score <= window.alpha else LOWER if score >= window.beta else EXACT
    score += ply if score > PROVEN else -ply if score < -PROVEN else 0
    return pack_entry(move, bound, depth, score)


@borrowing
def store(sides: Sides, entry: np.uint64, table: Words) -> None:
    """Puts the entry of a position into the table, in place of whatever has the same row."""
    slot = table_slot(sides, table.shape[0])
    table[slot, 0], table[slot, 1] = sides.own ^ entry, sides.other ^ entry
    table[slot, 2], table[slot, 3] = U(sides.tanes) ^ entry, entry
