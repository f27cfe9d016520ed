"""Proof search over all stones: does one side, the attacker, complete a line, or does the keeper prevent it?

Depth-first proof-number search (df-pn, after Nagai). A position is won for the attacker where the threat search finds
a win, and held where the keeper wins by threats or has a pairing against all lines open to the attacker. In between
every stone of both sides is tried, except where a threat leaves but one, or where the attacker's win by threats names
the hollows that can answer it. pn counts what is left to show for the attacker's line, dn for the keeper's hold.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.compiled import (
    FLAG,
    NUMBER,
    NUMBER_ROWS,
    NUMBERS,
    WORD,
    WORD_ROWS,
    ZERO,
    bit,
    borrowing,
    drop_lowest,
    has_several,
    inlined,
    lowest,
    popcount,
    recursive,
    signed,
    tuple_type,
)
from kemu.engines.moeraki.kernel import Numbers, empty_hollows
from kemu.engines.moeraki.packed import U, pack_proof, win_cell
from kemu.engines.moeraki.pairing import PAIRING_CONTEXT, PairingContext, deficit, find_pairing
from kemu.engines.moeraki.proof_number import (
    CELL,
    DN,
    FRAME,
    NEVER,
    PN,
    RESULT,
    THRESHOLDS,
    TO_MOVE,
    Thresholds,
    probe_proof,
    store_proof,
)
from kemu.engines.moeraki.tables import HOLLOWS, MASK_COUNT, Words
from kemu.engines.moeraki.threats import (
    FAILS,
    GUESS_LIMIT,
    LIMIT,
    NODES,
    STOP,
    THREAT_CONTEXT,
    THREAT_LIMIT,
    TOTAL_LIMIT,
    TREE_NODES,
    UNKNOWN,
    ThreatContext,
    answers,
    attack,
    table_slot,
    winning,
)

DEEPEST: Final = 57
PAIRING_TRIES: Final = 400
"""Branches that one question for a pairing may take."""

NEAR_PN: Final = 24
"""First guess of pn where the keeper nearly has a pairing; less the further he is from one."""


class HoldContext(NamedTuple):
    """What the search works on, apart from the stones."""

    threats: ThreatContext
    pairing: PairingContext
    table: Words  # transposition table: rows of attacker's stones, keeper's stones, entry
    guesses: Words  # the same for positions not searched yet, which would fill the table above
    frames: Numbers
    weights: Numbers  # of the hollows, for the order in which they are tried


class Selection(NamedTuple):
    """The numbers of a position from those of its stones, and the stone to go on with."""

    pn: int
    dn: int
    row: int  # of that stone in the frames
    second: int  # the second smallest number of the side to move
    others: int  # what the other open stones add to the other number


HOLD_CONTEXT: Final = tuple_type(
    HoldContext, THREAT_CONTEXT, PAIRING_CONTEXT, WORD_ROWS, WORD_ROWS, NUMBER_ROWS, NUMBERS
)


@borrowing
def weigh(attacker: np.uint64, keeper: np.uint64, masks: Words, weights: Numbers) -> None:
    """Writes for each hollow the weight of the attacker's lines through it, four times as much for each stone there."""
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


@borrowing
def heaviest(cells: np.uint64, weights: Numbers) -> np.uint64:
    """Of some hollows that with the greatest weight, as a board."""
    most, best = -1, ZERO
    while cells != ZERO:
        cell = lowest(cells)
        if weights[cell] > most:
            most, best = weights[cell], bit(cell)
        cells = drop_lowest(cells)
    return best


@borrowing
def ask_win(own: np.uint64, other: np.uint64, limit: int, context: ThreatContext) -> int:
    """What `attack` finds within a limit; that it met the limit is kept in the table, so that it is not asked again."""
    table, counters = context.table, context.counters
    slot = table_slot(own, other | TO_MOVE, table.shape[0])
    if table[slot, 0] == own and table[slot, 1] == other | TO_MOVE and signed(table[slot, 2]) >= limit:
        return UNKNOWN
    counters[LIMIT] = counters[NODES] + limit
    win = attack(own, other, 0, context)
    if win == UNKNOWN:
        table[slot, 0], table[slot, 1], table[slot, 2] = own, other | TO_MOVE, U(limit)
    return win


@borrowing
def estimate_attack(attacker: np.uint64, keeper: np.uint64, harmless: bool, context: HoldContext) -> tuple[int, int]:
    """First pn and dn where the attacker is to move; `harmless` if he is known to have no win by threats."""
    threats = context.threats
    empty = empty_hollows(attacker, keeper, threats.ball)
    if winning(attacker, threats.lines) & empty != ZERO:
        return 0, NEVER
    must = winning(keeper, threats.lines) & empty
    if has_several(must) or empty == ZERO:
        return NEVER, 0
    if find_pairing(keeper, attacker, empty, PAIRING_TRIES, context.pairing) >= 0:
        return NEVER, 0
    if not harmless and must == ZERO and ask_win(attacker, keeper, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return 0, NEVER
    far = deficit(keeper, attacker, empty, context.pairing)
    return NEAR_PN // (1 + far) + 2, max(1, 2 * far)


@borrowing
def estimate_hold(attacker: np.uint64, keeper: np.uint64, harmless: bool, context: HoldContext) -> tuple[int, int]:
    """First pn and dn where the keeper is to move; `harmless` if he is known to have no win by threats."""
    threats = context.threats
    empty = empty_hollows(attacker, keeper, threats.ball)
    if winning(keeper, threats.lines) & empty != ZERO or empty == ZERO:
        return NEVER, 0
    must = winning(attacker, threats.lines) & empty
    if has_several(must):
        return 0, NEVER
    if not harmless and ask_win(keeper, attacker, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return NEVER, 0
    far = 1 + deficit(keeper, attacker, empty, context.pairing) // 2
    if must != ZERO:
        return NEAR_PN // (1 + far) + 2, far
    if ask_win(attacker, keeper, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return 1 + popcount(answers(attacker, keeper, threats)), far
    return popcount(empty), far


@borrowing
def cells_to_try(
    attacker: np.uint64, keeper: np.uint64, attacking: bool, context: ThreatContext
) -> tuple[np.uint64, bool]:
    """The hollows to try at a position that is not decided, and whether the other side has no win by threats after any.

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
def expand(attacker: np.uint64, keeper: np.uint64, attacking: bool, ply: int, context: HoldContext) -> int:
    """Writes the stones to try at a position into its frame, with the numbers of each; returns how many they are."""
    frames, weights = context.frames, context.weights
    cells, harmless = cells_to_try(attacker, keeper, attacking, context.threats)
    weigh(attacker, keeper, context.pairing.masks, weights)
    count = 0
    while cells != ZERO:
        stone = heaviest(cells, weights)
        cells ^= stone
        first, second = (attacker | stone, keeper) if attacking else (attacker, keeper | stone)
        key = first if attacking else first | TO_MOVE
        pn, dn, _ = probe_proof(key, second, context.table)
        if pn == 0 and dn == 0:
            pn, dn, _ = probe_proof(key, second, context.guesses)
        if pn == 0 and dn == 0:
            if attacking:
                pn, dn = estimate_hold(first, second, harmless, context)
            else:
                pn, dn = estimate_attack(first, second, harmless, context)
            store_proof(key, second, pack_proof(pn, dn, 0, 0), context.guesses)
        row = FRAME * ply + count
        frames[row, CELL], frames[row, PN], frames[row, DN] = lowest(stone), pn, dn
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count


@inlined
def select(attacking: bool, base: int, count: int, frames: Numbers) -> Selection:
    """The numbers of a position: the least of one number of its stones, and the greatest of the other.

    The sum of the other numbers would count positions again and again that many orders of stones lead to, so that
    every open stone but one adds 1 only (weak proof numbers, after Ueda and others).
    """
    mine, theirs = (PN, DN) if attacking else (DN, PN)
    least, second, most, open_stones, chosen = NEVER, NEVER, 0, 0, base
    for row in range(base, base + count):
        if frames[row, theirs] > 0:
            open_stones += 1
            most = max(most, frames[row, theirs])
        if frames[row, mine] < least:
            least, second, chosen = frames[row, mine], least, row
        elif frames[row, mine] < second:
            second = frames[row, mine]
    others = max(open_stones - 1, 0)
    total = min(most + others, NEVER - 1) if least > 0 else NEVER
    return Selection(least if attacking else total, total if attacking else least, chosen, second, others)


@recursive(NUMBER(WORD, WORD, FLAG, THRESHOLDS, NUMBER, HOLD_CONTEXT))
def search(
    attacker: np.uint64, keeper: np.uint64, attacking: bool, thresholds: Thresholds, ply: int, context: HoldContext
) -> int:
    """Searches a position until a threshold or the limit of nodes is met; returns its proof number.

    `attacking` says who is to move. Row RESULT of the frame of `ply` holds what was found.
    """
    frames, counters = context.frames, context.threats.counters
    counters[TREE_NODES] += 1
    count = expand(attacker, keeper, attacking, ply, context)
    base = FRAME * ply
    result, below = base + RESULT, base + FRAME + RESULT
    while True:
        found = select(attacking, base, count, frames)
        stopped = counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]
        decided = found.pn == 0 or found.dn == 0
        if found.pn >= thresholds.pn or found.dn >= thresholds.dn or decided or stopped:
            break
        row, stone = found.row, bit(frames[found.row, CELL])
        # A quarter above the second best keeps the search from going to and fro (1 + epsilon, after Pawlewicz and Lew).
        second = found.second + 1 + found.second // 4
        if attacking:
            rest = thresholds.dn - found.others
            search(
                attacker | stone, keeper, not attacking, Thresholds(min(thresholds.pn, second), rest), ply + 1, context
            )
        else:
            rest = thresholds.pn - found.others
            search(
                attacker, keeper | stone, not attacking, Thresholds(rest, min(thresholds.dn, second)), ply + 1, context
            )
        frames[row, PN], frames[row, DN] = frames[below, PN], frames[below, DN]
    pn, dn = found.pn, found.dn
    cell = frames[found.row, CELL] if count > 0 else 0
    frames[result, PN], frames[result, DN], frames[result, CELL] = pn, dn, cell
    key = attacker | TO_MOVE if attacking else attacker
    store_proof(key, keeper, pack_proof(pn, dn, 0, cell), context.table)
    return pn


@borrowing
def decide_line(attacker: np.uint64, keeper: np.uint64, attacking: bool, fields: Any) -> tuple[int, int, int]:
    """pn, dn and the cell of the stone that `search` finds first; for calls from Python.

    `fields` is the `plain_tuple` of a HoldContext.
    """
    ball, lines, threat_table, stack, counters = fields[:5]
    masks, rows, choices, ranks, tries = fields[5:10]
    table, guesses, frames, weights = fields[10:]
    threats = ThreatContext(ball, lines, threat_table, stack, counters)
    context = HoldContext(threats, PairingContext(masks, rows, choices, ranks, tries), table, guesses, frames, weights)
    search(attacker, keeper, attacking, Thresholds(NEVER, NEVER), 0, context)
    return frames[RESULT, PN], frames[RESULT, DN], frames[RESULT, CELL]
