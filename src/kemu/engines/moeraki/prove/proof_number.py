"""Depth-first proof-number search (df-pn, after Nagai): does the attacker complete a line?

It always expands the position where the smaller of pn and dn is cheapest. What is tried at a position is chosen by
`quiet_stones` or by `all_stones`.
"""

from typing import Any, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows
from kemu.engines.compiled import bit, inlined, no_refcount, recursive
from kemu.engines.moeraki.board.packed import pack_proof
from kemu.engines.moeraki.prove import proof_table
from kemu.engines.moeraki.prove.all_stones import expand_all
from kemu.engines.moeraki.prove.control import TREE_NODES, is_spent
from kemu.engines.moeraki.prove.pairing import PairingContext
from kemu.engines.moeraki.prove.proof_table import ProofContext
from kemu.engines.moeraki.prove.quiet_stones import expand_quiet, plies_of_proof
from kemu.engines.moeraki.prove.threats import ThreatContext


class Thresholds(NamedTuple):
    """The search of a position ends as soon as one of its numbers reaches its threshold."""

    pn: int
    dn: int


class Selection(NamedTuple):
    """The numbers of a position from those of its stones, and the stone to search next."""

    pn: int
    dn: int
    plies: int
    row: int  # of that stone in the frames
    second: int  # the second smallest number of the side to move
    others: int  # what the other stones add to the other number


@inlined
def select(attacking: bool, base: int, count: int, quiet: bool, frames: NumberRows) -> Selection:
    """Return the numbers of a position: the least of one number of its stones, and the sum of the other.

    Where all stones are tried, the sum would count positions again and again that many orders of stones lead to. There
    the greatest number stands for it, and every other open stone adds 1 (weak proof numbers, after Ueda and others).
    """
    mine, theirs = (proof_table.PN, proof_table.DN) if attacking else (proof_table.DN, proof_table.PN)
    least, second, total, most, open_stones, chosen, plies = proof_table.NEVER, proof_table.NEVER, 0, 0, 0, base, 0
    for row in range(base, base + count):
        total += frames[row, theirs]
        most = max(most, frames[row, theirs])
        open_stones += 1 if frames[row, theirs] > 0 else 0
        plies = max(plies, frames[row, proof_table.PLIES])
        if frames[row, mine] < least:
            least, second, chosen = frames[row, mine], least, row
        elif frames[row, mine] < second:
            second = frames[row, mine]
    others = max(open_stones - 1, 0)
    total = (
        proof_table.NEVER
        if least == 0
        else min(total, proof_table.NEVER)
        if quiet
        else min(most + others, proof_table.NEVER - 1)
    )
    others = total - frames[chosen, theirs] if quiet else others
    plies = frames[chosen, proof_table.PLIES] if attacking and count > 0 else plies
    return Selection(least if attacking else total, total if attacking else least, plies, chosen, second, others)


@inlined
def thresholds_below(found: Selection, attacking: bool, quiet: bool, thresholds: Thresholds) -> Thresholds:
    """Return the thresholds for the stone to search next."""
    # A quarter above the second best keeps the search from going to and fro (1 + epsilon, after Pawlewicz and Lew).
    second = found.second + 1 + (0 if quiet else found.second // 4)
    if attacking:
        return Thresholds(min(thresholds.pn, second), thresholds.dn - found.others)
    return Thresholds(thresholds.pn - found.others, min(thresholds.dn, second))


@recursive
def prove(
    attacker: np.uint64,
    defender: np.uint64,
    attacking: bool,
    thresholds: Thresholds,
    ply: int,
    context: ProofContext,
) -> int:
    """Search a position until a threshold or the limit of nodes is met, and return its proof number.

    `attacking` says who is to move. Row RESULT of the frame of `ply` holds what was found.
    """
    frames, counters, quiet = context.frames, context.threats.counters, context.quiet
    counters[TREE_NODES] += 1
    if quiet:
        count = expand_quiet(attacker, defender, attacking, ply, context)
    else:
        count = expand_all(attacker, defender, attacking, ply, context)
    base, below = proof_table.FRAME * ply, proof_table.FRAME * (ply + 1) + proof_table.RESULT
    while True:
        found = select(attacking, base, count, quiet, frames)
        decided = found.pn == 0 or found.dn == 0
        if found.pn >= thresholds.pn or found.dn >= thresholds.dn or decided or is_spent(counters):
            break
        stone = bit(frames[found.row, proof_table.CELL])
        limits = thresholds_below(found, attacking, quiet, thresholds)
        if attacking:
            prove(attacker | stone, defender, not attacking, limits, ply + 1, context)
        else:
            prove(attacker, defender | stone, not attacking, limits, ply + 1, context)
        for column in (proof_table.PN, proof_table.DN, proof_table.PLIES):
            frames[found.row, column] = frames[below, column]
    plies = found.plies
    if quiet and found.pn == 0:
        plies = plies_of_proof(attacker, defender, attacking, plies, context.threats)
    cell = frames[found.row, proof_table.CELL] if count > 0 else 0
    proof_table.write_stone(base + proof_table.RESULT, cell, (found.pn, found.dn, plies), frames)
    key = attacker | proof_table.TO_MOVE if attacking else attacker
    proof_table.store_proof(key, defender, pack_proof(found.pn, found.dn, plies, cell), context.table)
    return found.pn


@no_refcount
def prove_line(attacker: np.uint64, defender: np.uint64, attacking: bool, fields: Any) -> tuple[int, int, int, int]:
    """Return pn, dn, plies and the cell of the first stone that `prove` finds; `attacking` says who is to move.

    For calls from Python: `fields` is the `plain_tuple` of a ProofContext.
    """
    ball, lines, threat_table, stack, counters = fields[:5]
    masks, rows, choices, ranks, tries = fields[5:10]
    table, guesses, frames, weights, quiet = fields[10:]
    threats = ThreatContext(ball, lines, threat_table, stack, counters)
    pairing = PairingContext(masks, rows, choices, ranks, tries)
    context = ProofContext(threats, pairing, table, guesses, frames, weights, quiet)
    prove(attacker, defender, attacking, Thresholds(proof_table.NEVER, proof_table.NEVER), 0, context)
    return (
        frames[proof_table.RESULT, proof_table.PN],
        frames[proof_table.RESULT, proof_table.DN],
        frames[proof_table.RESULT, proof_table.PLIES],
        frames[proof_table.RESULT, proof_table.CELL],
    )
