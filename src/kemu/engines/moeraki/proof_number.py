"""Proof-number search one order deeper than threats: quiet stones that threaten to win by threats.

Depth-first proof-number search (df-pn, after Nagai) for one attacker. His stones must threaten, at once or by a
win by threats; the defender tries every hollow that may answer that. Each position has a proof number (pn), how much
has to be shown for its proof, and a disproof number (dn), the same for its disproof; the search expands the position
where the smaller of both is cheapest.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.compiled import (
    FLAG,
    NUMBER,
    NUMBER_ROWS,
    WORD,
    WORD_ROWS,
    ZERO,
    bit,
    borrowing,
    has_several,
    inlined,
    lowest,
    lowest_bit,
    multiply,
    popcount,
    recursive,
    signed,
    tuple_type,
)
from kemu.engines.moeraki.kernel import Numbers, empty_hollows
from kemu.engines.moeraki.packed import U, pack_proof, unpack_proof, win_plies
from kemu.engines.moeraki.tables import HOLLOWS, Words
from kemu.engines.moeraki.threats import (
    FAILS,
    NODES,
    STOP,
    THREAT_CONTEXT,
    TOTAL_LIMIT,
    TREE_NODES,
    ThreatContext,
    answers,
    find_win,
    winning,
)

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
DEEPEST: Final = 56


class ProofContext(NamedTuple):
    """What the proof-number search works on, apart from the stones."""

    threats: ThreatContext
    table: Words  # transposition table: rows of attacker's stones, defender's stones, entry
    frames: Numbers


class Thresholds(NamedTuple):
    """The search of a position ends as soon as one of its numbers reaches its threshold."""

    pn: int
    dn: int


class Selection(NamedTuple):
    """The numbers of a position from those of its stones, and the stone to go on with."""

    pn: int
    dn: int
    plies: int
    row: int  # of that stone in the frames
    second: int  # the second smallest number of the side to move
    total: int  # the sum of the other number


PROOF_CONTEXT: Final = tuple_type(ProofContext, THREAT_CONTEXT, WORD_ROWS, NUMBER_ROWS)
THRESHOLDS: Final = tuple_type(Thresholds, NUMBER, NUMBER)


@borrowing
def table_slot(attacker: np.uint64, defender: np.uint64, size: int) -> int:
    """The row of a position in a table of this size, a power of two."""
    upper, lower = multiply(attacker ^ U(0x8EBC6AF09C88C6E3), defender ^ U(0x589965CC75374CC3))
    return signed((upper ^ lower) & U(size - 1))


@borrowing
def probe_proof(attacker: np.uint64, defender: np.uint64, table: Words) -> tuple[int, int, int]:
    """What the table has of a position: pn, dn and plies, all 0 for nothing."""
    slot = table_slot(attacker, defender, table.shape[0])
    if table[slot, 0] != attacker or table[slot, 1] != defender:
        return 0, 0, 0
    return unpack_proof(table[slot, 2])


@borrowing
def store_proof(attacker: np.uint64, defender: np.uint64, entry: np.uint64, table: Words) -> None:
    """Puts the entry of a position into the table, in place of whatever has the same row."""
    slot = table_slot(attacker, defender, table.shape[0])
    table[slot, 0], table[slot, 1], table[slot, 2] = attacker, defender, entry


@borrowing
def estimate_defence(
    attacker: np.uint64, defender: np.uint64, harmless: bool, context: ThreatContext
) -> tuple[int, int, int]:
    """First pn, dn and plies where the defender is to move; `harmless` if he is known to have no win by threats."""
    empty = empty_hollows(attacker, defender, context.ball)
    if winning(defender, context.lines) & empty != ZERO:
        return NEVER, 0, 0
    threats = winning(attacker, context.lines) & empty
    if has_several(threats):
        return 0, NEVER, 2
    if threats != ZERO:
        return 20, 1, 0
    if not harmless and find_win(defender, attacker, context) > FAILS:
        return NEVER, 0, 0
    if find_win(attacker, defender, context) <= FAILS:
        return NEVER, 0, 0
    return 1 + popcount(answers(attacker, defender, context)), 1, 0


@borrowing
def estimate_attack(attacker: np.uint64, defender: np.uint64, context: ThreatContext) -> tuple[int, int, int]:
    """First pn, dn and plies where the attacker is to move."""
    win = find_win(attacker, defender, context)
    if win > FAILS:
        return 0, NEVER, win_plies(win)
    if has_several(winning(defender, context.lines) & empty_hollows(attacker, defender, context.ball)):
        return NEVER, 0, 0
    return 8, 1, 0


@borrowing
def cells_to_try(
    attacker: np.uint64, defender: np.uint64, attacking: bool, context: ThreatContext
) -> tuple[np.uint64, bool]:
    """The cells worth a stone of the side to move, and whether the defender is known to have no win by threats."""
    empty = empty_hollows(attacker, defender, context.ball)
    if attacking:
        cells = winning(defender, context.lines) & empty
        if cells != ZERO:
            return cells, False
        return empty, find_win(defender, attacker, context) == FAILS
    cells = winning(attacker, context.lines) & empty
    return (cells if cells != ZERO else answers(attacker, defender, context)), False


@inlined
def expand(attacker: np.uint64, defender: np.uint64, attacking: bool, ply: int, context: ProofContext) -> int:
    """Writes the stones to try at a position into its frame, with the numbers of each; returns how many they are."""
    threats, frames = context.threats, context.frames
    cells, harmless = cells_to_try(attacker, defender, attacking, threats)
    count = 0
    while cells != ZERO:
        stone = lowest_bit(cells)
        cells ^= stone
        mine, theirs = (attacker | stone, defender) if attacking else (attacker, defender | stone)
        pn, dn, plies = probe_proof(mine if attacking else mine | TO_MOVE, theirs, context.table)
        if pn == 0 and dn == 0:
            if attacking:
                pn, dn, plies = estimate_defence(mine, theirs, harmless, threats)
            else:
                pn, dn, plies = estimate_attack(mine, theirs, threats)
        if attacking and pn >= NEVER:
            continue
        row = FRAME * ply + count
        frames[row, CELL], frames[row, PN], frames[row, DN], frames[row, PLIES] = lowest(stone), pn, dn, plies
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count


@inlined
def select(attacking: bool, base: int, count: int, frames: Numbers) -> Selection:
    """The numbers of a position: the least of one number of its stones and the sum of the other."""
    mine, theirs = (PN, DN) if attacking else (DN, PN)
    least, second, total, chosen, plies = NEVER, NEVER, 0, 0, 0
    for row in range(base, base + count):
        total += frames[row, theirs]
        plies = max(plies, frames[row, PLIES])
        if frames[row, mine] < least:
            least, second, chosen = frames[row, mine], least, row
        elif frames[row, mine] < second:
            second = frames[row, mine]
    total = min(total, NEVER) if least > 0 else NEVER
    if attacking and count > 0:
        plies = frames[chosen, PLIES]
    if attacking:
        return Selection(least, total, plies, chosen, second, total)
    return Selection(total, least, plies, chosen, second, total)


@borrowing
def plies_of_proof(
    attacker: np.uint64, defender: np.uint64, attacking: bool, plies: int, context: ThreatContext
) -> int:
    """The plies of a proved win, from those after the stone of the side to move."""
    plies += 1
    empty = empty_hollows(attacker, defender, context.ball)
    if not attacking and winning(attacker, context.lines) & empty == ZERO:
        # The answers left out lose to the threat that stands.
        plies = max(plies, 1 + win_plies(find_win(attacker, defender, context)))
    return plies


@recursive(NUMBER(WORD, WORD, FLAG, THRESHOLDS, NUMBER, PROOF_CONTEXT))
def prove(
    attacker: np.uint64,
    defender: np.uint64,
    attacking: bool,
    thresholds: Thresholds,
    ply: int,
    context: ProofContext,
) -> int:
    """Searches a position until a threshold or the limit of nodes is met; returns its proof number.

    `attacking` says who is to move. Row RESULT of the frame of `ply` holds what was found.
    """
    frames, counters = context.frames, context.threats.counters
    counters[TREE_NODES] += 1
    count = expand(attacker, defender, attacking, ply, context)
    base = FRAME * ply
    result, below = base + RESULT, base + FRAME + RESULT
    while True:
        found = select(attacking, base, count, frames)
        stopped = counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]
        decided = found.pn == 0 or found.dn == 0
        if found.pn >= thresholds.pn or found.dn >= thresholds.dn or decided or stopped or ply >= DEEPEST - 1:
            break
        row, stone = found.row, bit(frames[found.row, CELL])
        if attacking:
            rest = thresholds.dn - found.total + frames[row, DN]
            limits = Thresholds(min(thresholds.pn, found.second + 1), rest)
            prove(attacker | stone, defender, not attacking, limits, ply + 1, context)
        else:
            rest = thresholds.pn - found.total + frames[row, PN]
            limits = Thresholds(rest, min(thresholds.dn, found.second + 1))
            prove(attacker, defender | stone, not attacking, limits, ply + 1, context)
        frames[row, PN], frames[row, DN] = frames[below, PN], frames[below, DN]
        frames[row, PLIES] = frames[below, PLIES]
    pn, dn, plies = found.pn, found.dn, found.plies
    if pn == 0:
        plies = plies_of_proof(attacker, defender, attacking, plies, context.threats)
    cell = frames[found.row, CELL] if count > 0 else 0
    frames[result, PN], frames[result, DN], frames[result, PLIES], frames[result, CELL] = pn, dn, plies, cell
    key = attacker | TO_MOVE if attacking else attacker
    store_proof(key, defender, pack_proof(pn, dn, plies, cell), context.table)
    return pn


@borrowing
def prove_win(attacker: np.uint64, defender: np.uint64, fields: Any) -> tuple[int, int, int, int]:
    """pn, dn, plies and the cell of the first stone that `prove` finds for an attacker who is to move.

    For calls from Python: `fields` is the `plain_tuple` of a ProofContext.
    """
    ball, lines, threat_table, stack, counters, table, frames = fields
    context = ProofContext(ThreatContext(ball, lines, threat_table, stack, counters), table, frames)
    prove(attacker, defender, True, Thresholds(NEVER, NEVER), 0, context)
    return frames[RESULT, PN], frames[RESULT, DN], frames[RESULT, PLIES], frames[RESULT, CELL]
