"""The transposition table of the tree search: scores and best moves of positions, shared by threads."""

from typing import Final

import numpy as np

from kemu.engines.arrays import WordRows
from kemu.engines.compiled import ZERO, no_refcount
from kemu.engines.moeraki.board.packed import Sides, U, entry_bound, entry_depth, entry_score, pack_entry, position_slot
from kemu.engines.moeraki.value.evaluation import Window

WINS: Final = 30_000
PROVEN: Final = 29_000
"""Scores beyond this, either way, are wins by a line."""

NO_SCORE: Final = 32_001

# What the score of an entry is.
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3


@no_refcount
def table_row(sides: Sides, table: WordRows) -> int:
    """Return the row of a position in the table."""
    return position_slot(sides.own, sides.other ^ (U(sides.tanes) << U(45)), table.shape[0])


@no_refcount
def probe(sides: Sides, table: WordRows) -> np.uint64:
    """Return the entry of a position, 0 if there is none.

    The keys are mixed with the entry, so that two threads that write at once leave a row that fits no position.
    """
    slot = table_row(sides, table)
    entry = table[slot, 3]
    same = (table[slot, 0] ^ entry) == sides.own and (table[slot, 1] ^ entry) == sides.other
    return entry if same and (table[slot, 2] ^ entry) == U(sides.tanes) else ZERO


@no_refcount
def usable_score(entry: np.uint64, depth: int, window: Window, ply: int) -> int:
    """Return the score that an entry gives to a search to this depth in this window, NO_SCORE if it gives none."""
    score = entry_score(entry)
    score += -ply if score > PROVEN else ply if score < -PROVEN else 0
    if entry_depth(entry) < depth and -PROVEN <= score <= PROVEN:
        return NO_SCORE
    bound = entry_bound(entry)
    if bound == EXACT or (bound == LOWER and score >= window.beta) or (bound == UPPER and score <= window.alpha):
        return score
    return NO_SCORE


@no_refcount
def new_entry(move: int, score: int, depth: int, window: Window, ply: int) -> np.uint64:
    """Return the entry for what a search to this depth in this window found at this distance from the root."""
    bound = UPPER if score <= window.alpha else LOWER if score >= window.beta else EXACT
    score += ply if score > PROVEN else -ply if score < -PROVEN else 0
    return pack_entry(move, bound, depth, score)


@no_refcount
def store(sides: Sides, entry: np.uint64, table: WordRows) -> None:
    """Put the entry of a position into the table, in place of whatever has the same row."""
    slot = table_row(sides, table)
    table[slot, 0], table[slot, 1] = sides.own ^ entry, sides.other ^ entry
    table[slot, 2], table[slot, 3] = U(sides.tanes) ^ entry, entry
