"""Proof search one order deeper: quiet stones that threaten to win by threats.

Depth-first proof-number search (df-pn, after Nagai) for one attacker. His stones must threaten, at once or by a
win by threats; the defender tries every hollow that may answer that. Each position knows how much has to be shown
for its proof (pn) and for its disproof (dn); the search grows the cheapest of both.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, multiply, popcount, recursive, signed
from kemu.engines.moeraki.kernel import Numbers, U
from kemu.engines.moeraki.tables import HOLLOWS, Words
from kemu.engines.moeraki.threats import (
    FAILS,
    LENGTH,
    NODES,
    STOP,
    TOTAL_LIMIT,
    TREE_NODES,
    answers,
    ask,
    winning,
)

ZERO: Final = U(0)

NEVER: Final = 1 << 20
"""A proof or disproof that there cannot be."""

TO_MOVE: Final = U(1 << next(bit for bit in range(64) if not int(HOLLOWS) >> bit & 1))
"""A bit of no hollow, set in the key of a position where the attacker is to move."""

# Columns of the frames, one frame of 64 rows for each ply.
CELL: Final = 0
PN: Final = 1
DN: Final = 2
PLIES: Final = 3
COLUMNS: Final = 4
DEEPEST: Final = 56


@borrowing
def place_of(attacker: np.uint64, defender: np.uint64, size: int) -> int:
    """Where the table keeps a position."""
    upper, lower = multiply(attacker ^ U(0x8EBC6AF09C88C6E3), defender ^ U(0x589965CC75374CC3))
    return signed((upper ^ lower) & U(size - 1))


@borrowing
def after_stone(
    attacker: np.uint64,
    defender: np.uint64,
    harmless: bool,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    counters: Numbers,
) -> tuple[int, int, int]:
    """First guess of pn, dn and plies where the defender is to move; `harmless` if he has no win by threats."""
    empty = HOLLOWS & ~(attacker | defender | ball)
    if winning(defender, lines) & empty != ZERO:
        return NEVER, 0, 0
    threats = winning(attacker, lines) & empty
    if threats & (threats - ONE) != ZERO:
        return 0, NEVER, 2
    if threats != ZERO:
        return 20, 1, 0
    if not harmless and ask(defender, attacker, ball, lines, memory, stack, counters) > FAILS:
        return NEVER, 0, 0
    if ask(attacker, defender, ball, lines, memory, stack, counters) <= FAILS:
        return NEVER, 0, 0
    return 1 + popcount(answers(attacker, defender, ball, lines, memory, stack, counters)), 1, 0


@borrowing
def after_answer(
    attacker: np.uint64,
    defender: np.uint64,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    counters: Numbers,
) -> tuple[int, int, int]:
    """First guess of pn, dn and plies where the attacker is to move."""
    found = ask(attacker, defender, ball, lines, memory, stack, counters)
    if found > FAILS:
        return 0, NEVER, found // LENGTH
    must = winning(defender, lines) & HOLLOWS & ~(attacker | ball)
    if must & (must - ONE) != ZERO:
        return NEVER, 0, 0
    return 8, 1, 0


@borrowing
def look_up(attacker: np.uint64, defender: np.uint64, table: Words) -> tuple[int, int, int]:
    """What the table knows of a position: pn, dn and plies, all 0 for nothing."""
    slot = place_of(attacker, defender, table.shape[0])
    if table[slot, 0] != attacker or table[slot, 1] != defender:
        return 0, 0, 0
    data = table[slot, 2]
    return signed(data & U(0xFFFFFF)), signed(data >> U(24) & U(0xFFFFFF)), signed(data >> U(48) & U(0xFF))


@borrowing
def keep(attacker: np.uint64, defender: np.uint64, pn: int, dn: int, plies: int, cell: int, table: Words) -> None:
    """Puts what is known of a position into the table."""
    slot = place_of(attacker, defender, table.shape[0])
    table[slot, 0], table[slot, 1] = attacker, defender
    table[slot, 2] = U(pn) | (U(dn) << U(24)) | (U(plies) << U(48)) | (U(cell) << U(56))


@borrowing
def open_node(
    attacker: np.uint64,
    defender: np.uint64,
    attacking: bool,
    ply: int,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    table: Words,
    frames: Numbers,
    counters: Numbers,
) -> int:
    """Writes the stones to try at a node into its frame, with what is known of each, and says how many they are."""
    empty = HOLLOWS & ~(attacker | defender | ball)
    harmless = False
    if attacking:
        tries = winning(defender, lines) & empty
        if tries == ZERO:
            tries = empty
            harmless = ask(defender, attacker, ball, lines, memory, stack, counters) == FAILS
    else:
        tries = winning(attacker, lines) & empty
        if tries == ZERO:
            tries = answers(attacker, defender, ball, lines, memory, stack, counters)
    count = 0
    while tries != ZERO:
        stone = tries & -tries
        tries ^= stone
        mine, theirs = (attacker | stone, defender) if attacking else (attacker, defender | stone)
        pn, dn, plies = look_up(mine if attacking else mine | TO_MOVE, theirs, table)
        if pn == 0 and dn == 0:
            if attacking:
                pn, dn, plies = after_stone(mine, theirs, harmless, ball, lines, memory, stack, counters)
            else:
                pn, dn, plies = after_answer(mine, theirs, ball, lines, memory, stack, counters)
        if attacking and pn >= NEVER:
            continue
        row = 64 * ply + count
        frames[row, CELL], frames[row, PN], frames[row, DN], frames[row, PLIES] = lowest(stone), pn, dn, plies
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count


@recursive(
    "int64(uint64, uint64, boolean, int64, int64, int64, uint64, uint64[::1],"
    "uint64[:, ::1], uint64[::1], uint64[:, ::1], int64[:, ::1], int64[::1])"
)
def prove(
    attacker: np.uint64,
    defender: np.uint64,
    attacking: bool,
    most_pn: int,
    most_dn: int,
    ply: int,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    table: Words,
    frames: Numbers,
    counters: Numbers,
) -> int:
    """Works on a position until its pn or dn reaches a bound; row 64 × ply + 63 of the frames holds what it found."""
    counters[TREE_NODES] += 1
    count = open_node(attacker, defender, attacking, ply, ball, lines, memory, stack, table, frames, counters)
    base, mine, theirs = 64 * ply, PN if attacking else DN, DN if attacking else PN
    while True:
        # The least of one number and the sum of the other; the stone with the least goes first.
        least, second, total, chosen, plies = NEVER, NEVER, 0, 0, 0
        for row in range(base, base + count):
            total += frames[row, theirs]
            plies = max(plies, frames[row, PLIES])
            if frames[row, mine] < least:
                least, second, chosen = frames[row, mine], least, row
            elif frames[row, mine] < second:
                second = frames[row, mine]
        total = min(total, NEVER) if least > 0 else NEVER
        pn, dn = (least, total) if attacking else (total, least)
        if attacking and count > 0:
            plies = frames[chosen, PLIES]
        stopped = counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]
        if pn >= most_pn or dn >= most_dn or pn == 0 or dn == 0 or stopped or ply >= DEEPEST - 1:
            break
        stone = ONE << U(frames[chosen, CELL])
        limit = min(most_pn if attacking else most_dn, second + 1)
        rest = (most_dn if attacking else most_pn) - total + frames[chosen, theirs]
        prove(
            attacker | stone if attacking else attacker,
            defender if attacking else defender | stone,
            not attacking,
            limit if attacking else rest,
            rest if attacking else limit,
            ply + 1,
            ball,
            lines,
            memory,
            stack,
            table,
            frames,
            counters,
        )
        below = base + 64 + 63
        frames[chosen, PN], frames[chosen, DN] = frames[below, PN], frames[below, DN]
        frames[chosen, PLIES] = frames[below, PLIES]
    own = base + 63
    if pn == 0:
        plies += 1
        if not attacking and winning(attacker, lines) & HOLLOWS & ~(attacker | defender | ball) == ZERO:
            # The answers left out lose to the threat that stands.
            threat = ask(attacker, defender, ball, lines, memory, stack, counters)
            plies = max(plies, 1 + threat // LENGTH)
    frames[own, PN], frames[own, DN], frames[own, PLIES] = pn, dn, plies
    frames[own, CELL] = frames[chosen, CELL] if count > 0 else 0
    keep(attacker | TO_MOVE if attacking else attacker, defender, pn, dn, plies, frames[own, CELL], table)
    return pn
