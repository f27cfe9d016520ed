"""The packed numbers of the engine: what each is made of, and the functions that pack and unpack it.

A *cell* is the bit of a hollow on a 64-bit board (see `tables`), an *area* that of an area.

| number | layout |
|---|---|
| Tane | 0 while it is in hand, otherwise 1 + 4 × area + direction; 9 bits |
| Tanes | bits 0-8 the Tane of the side to move, 9-17 that of the other, 18 whether the side to move placed the ball |
| move | bits 0-6 the cell of a stone, 7-15 the Tane that its side places with it, 0 for none |
| win | 64 × plies + the cell of the first stone |
| outcome | 8 × winner, `kernel.NOBODY` for none, + reason |
| entry of the tree search | bits 0-6 cell, 8-9 bound, 16-23 depth + 32, 24-39 score + 32768, 40-48 Tane of the move |
| entry of the proof-number search | bits 0-23 pn, 24-47 dn, 48-55 plies, 56-63 cell |
| entry of the endgame solver | bits 0-1 lower bound + 1, 2-3 upper bound + 1 |
| key of the endgame solver | bits 0-8 and 9-17 both Tane, 18 turn, 19-21 step, 22-28 last, 29-35 ball, 40 set |
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.words import multiply, signed

U = np.uint64

_TANE_BITS: Final = 9
_TANE: Final = (1 << _TANE_BITS) - 1
_STARTER: Final = 1 << 2 * _TANE_BITS

_CELL_BITS: Final = 7
_CELL: Final = (1 << _CELL_BITS) - 1
NO_STONE: Final = _CELL
"""The move of a position for which none is known."""

_CELLS: Final = 64
_REASON_BITS: Final = 3

_BOUND_AT: Final = U(8)
_DEPTH_AT: Final = U(16)
_SCORE_AT: Final = U(24)
_MOVE_TANE_AT: Final = U(40)
_DEPTH_ZERO: Final = 32
_SCORE_ZERO: Final = 32768

_DN_AT: Final = U(24)
_PLIES_AT: Final = U(48)
_PROOF_CELL_AT: Final = U(56)


_KEY_1: Final = U(0xE7037ED1A0B428DB)
KEY_0: Final = U(0xA0761D6478BD642F)
"""Mixed into the stones of a position before a table is asked for it."""


class Sides(NamedTuple):
    """A position in which a stone is to be laid, from the side to move."""

    own: np.uint64
    other: np.uint64
    tanes: int  # both Tane and who placed the ball


@no_refcount
def table_slot(first: np.uint64, second: np.uint64, size: int) -> int:
    """Return the row of a key of two words in a table of this size, a power of two."""
    upper, lower = multiply(first, second)
    return signed((upper ^ lower) & U(size - 1))


@no_refcount
def position_slot(own: np.uint64, other: np.uint64, size: int) -> int:
    """Return the row of a position in a table of this size, a power of two."""
    return table_slot(own ^ KEY_0, other ^ _KEY_1, size)


@inlined
def pack_tane(area: int, direction: int) -> int:
    """Return the Tane on this area that looks in this direction."""
    return 1 + 4 * area + direction


@inlined
def tane_area(tane: np.uint64) -> np.uint64:
    """Return the area of a Tane that is placed."""
    return (tane - U(1)) >> U(2)


@inlined
def tane_direction(tane: np.uint64) -> np.uint64:
    """Return the direction in which a Tane looks that is placed."""
    return (tane - U(1)) & U(3)


@inlined
def tane_index(tane: np.uint64) -> np.uint64:
    """Return the number of a Tane that is placed, 4 × area + direction, for tables."""
    return tane - U(1)


@inlined
def moved_tane(tane: np.uint64, area: np.uint64) -> np.uint64:
    """Return the Tane that looks in the same direction from another area."""
    return ((area << U(2)) | tane_direction(tane)) + U(1)


@inlined
def pack_tanes(own: int, other: int, starter: bool) -> int:
    """Return both Tane, of the side to move and of the other, and whether the side to move placed the ball."""
    return own | other << _TANE_BITS | (_STARTER if starter else 0)


@inlined
def own_tane(tanes: int) -> int:
    """Return the Tane of the side to move."""
    return tanes & _TANE


@inlined
def other_tane(tanes: int) -> int:
    """Return the Tane of the side that is not to move."""
    return tanes >> _TANE_BITS & _TANE


@inlined
def is_starter(tanes: int) -> bool:
    """Return whether the side to move placed the ball."""
    return tanes >= _STARTER


@inlined
def pack_move(cell: int, tane: int) -> int:
    """Return a stone with the Tane that its side places after it, 0 for none."""
    return cell | tane << _CELL_BITS


@inlined
def move_cell(move: int) -> int:
    """Return the cell of a move's stone."""
    return move & _CELL


@inlined
def move_tane(move: int) -> int:
    """Return the Tane that is placed with a move's stone, 0 for none."""
    return move >> _CELL_BITS


@inlined
def pack_win(plies: int, cell: int) -> int:
    """Return a win that begins with a stone here and takes this many plies, always more than 0."""
    return plies * _CELLS + cell


@inlined
def win_plies(win: int) -> int:
    """Return how many plies a win takes; 0 for what is no win."""
    return win // _CELLS


@inlined
def win_cell(win: int) -> int:
    """Return the cell of the stone that begins a win."""
    return win % _CELLS


@inlined
def pack_outcome(winner: int, reason: int) -> int:
    """Return who won a game that is over, and why."""
    return winner << _REASON_BITS | reason


@inlined
def outcome_winner(outcome: int) -> int:
    """Return who won a game that is over."""
    return outcome >> _REASON_BITS


@inlined
def outcome_reason(outcome: int) -> int:
    """Why a game is over."""
    return outcome & ((1 << _REASON_BITS) - 1)


@inlined
def pack_entry(move: int, bound: int, depth: int, score: int) -> np.uint64:
    """Return an entry of the tree search: the best move, and a score with its kind of bound and its depth."""
    entry = U(move_cell(move)) | (U(bound) << _BOUND_AT) | (U(depth + _DEPTH_ZERO) << _DEPTH_AT)
    return entry | (U(score + _SCORE_ZERO) << _SCORE_AT) | (U(move_tane(move)) << _MOVE_TANE_AT)


@inlined
def entry_move(entry: np.uint64) -> int:
    """Return the best move of an entry of the tree search."""
    return pack_move(signed(entry & U(_CELL)), signed(entry >> _MOVE_TANE_AT & U(_TANE)))


@inlined
def entry_bound(entry: np.uint64) -> int:
    """Return the kind of bound that the score of an entry is."""
    return signed(entry >> _BOUND_AT & U(3))


@inlined
def entry_depth(entry: np.uint64) -> int:
    """Return the depth to which the score of an entry was searched."""
    return signed(entry >> _DEPTH_AT & U(255)) - _DEPTH_ZERO


@inlined
def entry_score(entry: np.uint64) -> int:
    """Return the score of an entry, where wins count the plies from the position of the entry on."""
    return signed(entry >> _SCORE_AT & U(0xFFFF)) - _SCORE_ZERO


@inlined
def pack_proof(pn: int, dn: int, plies: int, cell: int) -> np.uint64:
    """Return an entry of the proof-number search: both numbers, the plies of a win, the cell to search next."""
    return U(pn) | (U(dn) << _DN_AT) | (U(plies) << _PLIES_AT) | (U(cell) << _PROOF_CELL_AT)


@inlined
def unpack_proof(entry: np.uint64) -> tuple[int, int, int]:
    """pn, dn and plies of an entry of the proof-number search."""
    return signed(entry & U(0xFFFFFF)), signed(entry >> _DN_AT & U(0xFFFFFF)), signed(entry >> _PLIES_AT & U(0xFF))


@inlined
def pack_solved(low: int, high: int) -> np.uint64:
    """Return an entry of the endgame solver: bounds of the value, each from -1 to 1."""
    return U(low + 1) | (U(high + 1) << U(2))


@inlined
def unpack_solved(entry: np.uint64) -> tuple[int, int]:
    """Return the lower and the upper bound of an entry of the endgame solver."""
    return signed(entry & U(3)) - 1, signed(entry >> U(2)) - 1
