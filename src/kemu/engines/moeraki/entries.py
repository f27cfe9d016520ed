"""What the tree search remembers of positions, in a table that threads may share."""

from typing import Final

import numpy as np

from kemu.engines.compiled import borrowing, multiply, signed
from kemu.engines.moeraki.kernel import U
from kemu.engines.moeraki.tables import Words

ZERO: Final = U(0)

WINS: Final = 30_000
PROVEN: Final = 29_000
"""Scores beyond this, either way, are wins by a line."""

# What the score of an entry is.
UPPER: Final = 1
LOWER: Final = 2
SAME: Final = 3

NO_STONE: Final = 127
NO_SCORE: Final = 32_001

WITH_TANE: Final = 128
"""A stone of the tree is the bit of its hollow + 128 × the Tane that its side places with it, 0 if none."""


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
def stone_of(data: np.uint64) -> int:
    """The stone of an entry, with its Tane."""
    return signed(data & U(127)) + WITH_TANE * signed(data >> U(40) & U(511))


@borrowing
def score_of(data: np.uint64) -> int:
    """The score of an entry, where wins are kept by their distance from the position, not from the root."""
    return signed(data >> U(24) & U(0xFFFF)) - 32768


@borrowing
def known_score(data: np.uint64, depth: int, alpha: int, beta: int, ply: int) -> int:
    """The score that an entry gives for a search to this depth, NO_SCORE if it is none for these bounds."""
    score = score_of(data)
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
    data = U(stone & 127) | (U(kind) << U(8)) | (U(depth + 32) << U(16)) | (U(score + 32768) << U(24))
    data |= U(stone >> 7) << U(40)
    slot = entry_slot(own, other, extra, table.shape[0])
    table[slot, 0], table[slot, 1], table[slot, 2], table[slot, 3] = own ^ data, other ^ data, U(extra) ^ data, data
