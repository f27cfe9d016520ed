"""Stones for a proof over all stones: does the attacker complete a line, or does the keeper prevent it?

A position is won for the attacker where the threat search finds a win, and held where the keeper wins by threats or has
a pairing against all lines open to the attacker. In between every stone of both sides is tried, except where a threat
leaves but one, or where the attacker's win by threats names the hollows that can answer it.
"""

from typing import Final

import numpy as np

from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import ZERO, bit, drop_lowest, has_several, inlined, lowest, no_refcount, popcount, signed
from kemu.engines.moeraki.board.kernel import empty_hollows, winning
from kemu.engines.moeraki.board.packed import U, pack_proof, position_slot, win_cell
from kemu.engines.moeraki.board.tables import HOLLOWS, MASK_COUNT
from kemu.engines.moeraki.prove import proof_table
from kemu.engines.moeraki.prove.control import GUESS_LIMIT, LIMIT, NODES, THREAT_LIMIT
from kemu.engines.moeraki.prove.pairing import deficit, find_pairing
from kemu.engines.moeraki.prove.proof_table import ProofContext
from kemu.engines.moeraki.prove.threats import FAILS, UNKNOWN, ThreatContext, answers, attack

PAIRING_TRIES: Final = 400
"""Branches that one question for a pairing may take."""

NEAR_PN: Final = 24
"""First guess of pn where the keeper nearly has a pairing; less the further he is from one."""


@no_refcount
def weigh(attacker: np.uint64, keeper: np.uint64, masks: Words, weights: Numbers) -> None:
    """Write for each hollow the weight of the attacker's lines through it, four times as much for each stone there."""
    for cell in range(64):
        weights[cell] = 0
    for number in range(MASK_COUNT):
        line = masks[number]
        if line & keeper != ZERO or line & ~HOLLOWS != ZERO:
            continue
        missing = line & ~attacker
        weight = 1 << max(0, 12 - 2 * popcount(missing))
        while missing != ZERO:
            weights[lowest(missing)] += weight
            missing = drop_lowest(missing)


@no_refcount
def heaviest(cells: np.uint64, weights: Numbers) -> np.uint64:
    """Of some hollows that with the greatest weight, as a board."""
    most, best = -1, ZERO
    while cells != ZERO:
        cell = lowest(cells)
        if weights[cell] > most:
            most, best = weights[cell], bit(cell)
        cells = drop_lowest(cells)
    return best


@no_refcount
def ask_win(own: np.uint64, other: np.uint64, limit: int, context: ThreatContext) -> int:
    """What `attack` finds within a limit; that it met the limit is kept in the table, so that it is not asked again."""
    table, counters = context.table, context.counters
    slot = position_slot(own, other | proof_table.TO_MOVE, table.shape[0])
    if table[slot, 0] == own and table[slot, 1] == other | proof_table.TO_MOVE and signed(table[slot, 2]) >= limit:
        return UNKNOWN
    counters[LIMIT] = counters[NODES] + limit
    win = attack(own, other, 0, context)
    if win == UNKNOWN:
        table[slot, 0], table[slot, 1], table[slot, 2] = own, other | proof_table.TO_MOVE, U(limit)
    return win


@no_refcount
def estimate_attack(attacker: np.uint64, keeper: np.uint64, harmless: bool, context: ProofContext) -> tuple[int, int]:
    """First pn and dn where the attacker is to move; `harmless` if he is known to have no win by threats."""
    threats = context.threats
    empty = empty_hollows(attacker, keeper, threats.ball)
    if winning(attacker, threats.lines) & empty != ZERO:
        return 0, proof_table.NEVER
    must = winning(keeper, threats.lines) & empty
    if has_several(must) or empty == ZERO:
        return proof_table.NEVER, 0
    if find_pairing(keeper, attacker, empty, PAIRING_TRIES, context.pairing) >= 0:
        return proof_table.NEVER, 0
    if not harmless and must == ZERO and ask_win(attacker, keeper, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return 0, proof_table.NEVER
    far = deficit(keeper, attacker, empty, context.pairing)
    return NEAR_PN // (1 + far) + 2, max(1, 2 * far)


@no_refcount
def estimate_hold(attacker: np.uint64, keeper: np.uint64, harmless: bool, context: ProofContext) -> tuple[int, int]:
    """First pn and dn where the keeper is to move; `harmless` if he is known to have no win by threats."""
    threats = context.threats
    empty = empty_hollows(attacker, keeper, threats.ball)
    if winning(keeper, threats.lines) & empty != ZERO or empty == ZERO:
        return proof_table.NEVER, 0
    must = winning(attacker, threats.lines) & empty
    if has_several(must):
        return 0, proof_table.NEVER
    if not harmless and ask_win(keeper, attacker, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return proof_table.NEVER, 0
    far = 1 + deficit(keeper, attacker, empty, context.pairing) // 2
    if must != ZERO:
        return NEAR_PN // (1 + far) + 2, far
    if ask_win(attacker, keeper, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return 1 + popcount(answers(attacker, keeper, threats)), far
    return popcount(empty), far


@no_refcount
def cells_to_try(
    attacker: np.uint64, keeper: np.uint64, attacking: bool, context: ThreatContext
) -> tuple[np.uint64, bool]:
    """Return the hollows to try at an open position, and whether the other side has no win by threats after any.

    These are all hollows, or those that a threat leaves. A stone of one's own gives the other side no win that he would
    not have without it, so that one question can answer for all stones.
    """
    empty = empty_hollows(attacker, keeper, context.ball)
    own, other = (attacker, keeper) if attacking else (keeper, attacker)
    must = winning(other, context.lines) & empty
    if must != ZERO:
        return must, False
    limit = context.counters[THREAT_LIMIT]
    win = ask_win(own, other, limit, context)
    if win > FAILS:  # not found by the guess before
        return bit(win_cell(win)), False
    win = ask_win(other, own, limit, context)
    return (answers(other, own, context) if win > FAILS else empty), win == FAILS


@inlined
def expand_all(attacker: np.uint64, keeper: np.uint64, attacking: bool, ply: int, context: ProofContext) -> int:
    """Write the stones to try at a position into its frame, with the numbers of each, and return how many they are."""
    weights = context.weights
    cells, harmless = cells_to_try(attacker, keeper, attacking, context.threats)
    weigh(attacker, keeper, context.pairing.masks, weights)
    count = 0
    while cells != ZERO:
        stone = heaviest(cells, weights)
        cells ^= stone
        first, second = (attacker | stone, keeper) if attacking else (attacker, keeper | stone)
        key = first if attacking else first | proof_table.TO_MOVE
        pn, dn, _ = proof_table.probe_proof(key, second, context.table)
        if pn == 0 and dn == 0:
            pn, dn, _ = proof_table.probe_proof(key, second, context.guesses)
        if pn == 0 and dn == 0:
            if attacking:
                pn, dn = estimate_hold(first, second, harmless, context)
            else:
                pn, dn = estimate_attack(first, second, harmless, context)
            proof_table.store_proof(key, second, pack_proof(pn, dn, 0, 0), context.guesses)
        proof_table.write_stone(proof_table.FRAME * ply + count, lowest(stone), (pn, dn, 0), context.frames)
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count
