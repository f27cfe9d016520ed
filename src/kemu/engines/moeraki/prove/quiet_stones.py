"""Stones for a proof one order deeper than threats: quiet stones that threaten to win by threats.

The attacker's stones must threaten, at once or by a win by threats; the defender tries every hollow that may answer
that.
"""

import numpy as np

from kemu.engines.compiled import ZERO, has_several, inlined, lowest, lowest_bit, no_refcount, popcount
from kemu.engines.moeraki.board.kernel import empty_hollows, winning
from kemu.engines.moeraki.board.packed import win_plies
from kemu.engines.moeraki.prove.proof_table import FRAME, NEVER, TO_MOVE, ProofContext, probe_proof, write_stone
from kemu.engines.moeraki.prove.threats import FAILS, ThreatContext, answers, find_win


@no_refcount
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


@no_refcount
def estimate_attack(attacker: np.uint64, defender: np.uint64, context: ThreatContext) -> tuple[int, int, int]:
    """First pn, dn and plies where the attacker is to move."""
    win = find_win(attacker, defender, context)
    if win > FAILS:
        return 0, NEVER, win_plies(win)
    if has_several(winning(defender, context.lines) & empty_hollows(attacker, defender, context.ball)):
        return NEVER, 0, 0
    return 8, 1, 0


@no_refcount
def cells_to_try(
    attacker: np.uint64, defender: np.uint64, attacking: bool, context: ThreatContext
) -> tuple[np.uint64, bool]:
    """Return the cells worth a stone, and whether the defender is known to have no win by threats."""
    empty = empty_hollows(attacker, defender, context.ball)
    if attacking:
        cells = winning(defender, context.lines) & empty
        if cells != ZERO:
            return cells, False
        return empty, find_win(defender, attacker, context) == FAILS
    cells = winning(attacker, context.lines) & empty
    return (cells if cells != ZERO else answers(attacker, defender, context)), False


@inlined
def expand_quiet(attacker: np.uint64, defender: np.uint64, attacking: bool, ply: int, context: ProofContext) -> int:
    """Write the stones to try at a position into its frame, with the numbers of each, and return how many they are."""
    threats = context.threats
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
        write_stone(FRAME * ply + count, lowest(stone), (pn, dn, plies), context.frames)
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count


@no_refcount
def plies_of_proof(
    attacker: np.uint64, defender: np.uint64, attacking: bool, plies: int, context: ThreatContext
) -> int:
    """Return the plies of a proved win, from those after the stone of the side to move."""
    plies += 1
    empty = empty_hollows(attacker, defender, context.ball)
    if not attacking and winning(attacker, context.lines) & empty == ZERO:
        # The answers left out lose to the threat that stands.
        plies = max(plies, 1 + win_plies(find_win(attacker, defender, context)))
    return plies
