"""The common parts of the two proof-number searches: their context, their frames, and the table of proofs.

Each position has a proof number (pn), how much has to be shown for its proof, and a disproof number (dn), the same for
its disproof. The attacker wants a line; the defender keeps him from it.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows
from kemu.engines.compiled import no_refcount
from kemu.engines.moeraki.board.packed import U, table_slot, unpack_proof
from kemu.engines.moeraki.board.tables import HOLLOWS
from kemu.engines.moeraki.prove.pairing import PairingContext
from kemu.engines.moeraki.prove.threats import ThreatContext

NEVER: Final = 1 << 20
"""The proof number of what cannot be proved, and the disproof number of what cannot be disproved."""

TO_MOVE: Final = U(1 << next(number for number in range(64) if not int(HOLLOWS) >> number & 1))
"""A bit of no hollow, set in the key of a position where the attacker is to move."""

# Columns of the frames, one frame of FRAME rows for each ply: a row for each stone to try, the last for the position.
CELL: Final = 0
PN: Final = 1
DN: Final = 2
PLIES: Final = 3
COLUMNS: Final = 4
FRAME: Final = 64
RESULT: Final = FRAME - 1

_KEY_0: Final = U(0x8EBC6AF09C88C6E3)
_KEY_1: Final = U(0x589965CC75374CC3)


class ProofContext(NamedTuple):
    """The arrays of a proof-number search, apart from the stones."""

    threats: ThreatContext
    pairing: PairingContext
    table: WordRows  # transposition table: rows of attacker's stones, defender's stones, entry
    guesses: WordRows  # the same for positions not searched yet, which would fill the table above
    frames: NumberRows
    weights: Numbers  # of the hollows, for the order in which they are tried
    quiet: bool  # whether only stones of the attacker that threaten are tried, see `quiet_stones`, or all


@no_refcount
def probe_proof(attacker: np.uint64, defender: np.uint64, table: WordRows) -> tuple[int, int, int]:
    """Return what the table has of a position: pn, dn and plies, all 0 for nothing."""
    slot = table_slot(attacker ^ _KEY_0, defender ^ _KEY_1, table.shape[0])
    if table[slot, 0] != attacker or table[slot, 1] != defender:
        return 0, 0, 0
    return unpack_proof(table[slot, 2])


@no_refcount
def store_proof(attacker: np.uint64, defender: np.uint64, entry: np.uint64, table: WordRows) -> None:
    """Put the entry of a position into the table, in place of whatever has the same row."""
    slot = table_slot(attacker ^ _KEY_0, defender ^ _KEY_1, table.shape[0])
    table[slot, 0], table[slot, 1], table[slot, 2] = attacker, defender, entry


@no_refcount
def write_stone(row: int, cell: int, numbers: tuple[int, int, int], frames: NumberRows) -> None:
    """Write a stone to try into a row of the frames, with its pn, dn and plies."""
    frames[row, CELL] = cell
    frames[row, PN], frames[row, DN], frames[row, PLIES] = numbers
