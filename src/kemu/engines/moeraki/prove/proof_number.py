"""Depth-first proof-number search (df-pn, after Nagai): does the attacker complete a line or the keeper prevent it?

Each position has a proof number (pn), how much has to be shown for its proof, and a disproof number (dn), the same for
its disproof. The search always expands the position where the smaller of pn and dn is cheapest. A proof tries one of
two sets of stones.

*Quiet* stones go one order deeper than threats: those of the attacker must threaten, at once or by a win by threats,
and the keeper tries every hollow that may answer that.

*All* stones of both sides are tried, except where a threat leaves but one, or where the attacker's win by threats names
the hollows that can answer it. A position is won where the threat search finds a win, and held where the keeper wins by
threats or has a pairing against all lines open to the attacker.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.compiled import inlined, no_refcount, recursive
from kemu.engines.moeraki.board import packed
from kemu.engines.moeraki.board.kernel import empty_hollows, winning
from kemu.engines.moeraki.board.packed import U, position_slot, table_slot, win_cell, win_plies
from kemu.engines.moeraki.board.tables import HOLLOWS, MASK_COUNT
from kemu.engines.moeraki.prove.control import GUESS_LIMIT, THREAT_LIMIT, TREE_NODES, is_spent
from kemu.engines.moeraki.prove.pairing import PairingContext, deficit, find_pairing
from kemu.engines.moeraki.prove.threats import FAILS, UNKNOWN, ThreatContext, answers, find_short_win, find_win
from kemu.engines.words import ZERO, bit, drop_lowest, has_several, lowest, lowest_bit, popcount, signed

NEVER: Final = 1 << 20
"""The proof number of what cannot be proved, and the disproof number of what cannot be disproved."""

TO_MOVE: Final = U(1 << next(number for number in range(64) if not int(HOLLOWS) >> number & 1))
"""A bit of no hollow, set in the key of a position where the attacker is to move."""

PAIRING_TRIES: Final = 400
"""Branches that one question for a pairing may take."""

NEAR_PN: Final = 24
"""First guess of pn where the keeper nearly has a pairing; less the further he is from one."""

# Columns of the frames, one frame of FRAME rows for each ply: a row for each stone to try, the last for the position.
CELL, PN, DN, PLIES, COLUMNS = range(5)
FRAME: Final = 64
RESULT: Final = FRAME - 1

_KEY_0: Final = U(0x8EBC6AF09C88C6E3)
_KEY_1: Final = U(0x589965CC75374CC3)


class ProofContext(NamedTuple):
    """The arrays of a proof-number search, apart from the stones."""

    threats: ThreatContext
    pairing: PairingContext
    table: WordRows  # transposition table: rows of attacker's stones, keeper's stones, entry
    guesses: WordRows  # the same for positions not searched yet, which would fill the table above
    frames: NumberRows
    weights: Numbers  # of the hollows, for the order in which they are tried
    quiet: bool  # whether only stones of the attacker that threaten are tried, or all


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


@no_refcount
def probe_proof(attacker: np.uint64, keeper: np.uint64, table: WordRows) -> tuple[int, int, int]:
    """Return what the table has of a position: pn, dn and plies, all 0 for nothing."""
    slot = table_slot(attacker ^ _KEY_0, keeper ^ _KEY_1, table.shape[0])
    if table[slot, 0] != attacker or table[slot, 1] != keeper:
        return 0, 0, 0
    return packed.unpack_proof(table[slot, 2])


@no_refcount
def store_proof(attacker: np.uint64, keeper: np.uint64, entry: np.uint64, table: WordRows) -> None:
    """Put the entry of a position into the table, in place of whatever has the same row."""
    slot = table_slot(attacker ^ _KEY_0, keeper ^ _KEY_1, table.shape[0])
    table[slot, 0], table[slot, 1], table[slot, 2] = attacker, keeper, entry


@no_refcount
def write_stone(row: int, cell: int, numbers: tuple[int, int, int], frames: NumberRows) -> None:
    """Write a stone to try into a row of the frames, with its pn, dn and plies."""
    frames[row, CELL] = cell
    frames[row, PN], frames[row, DN], frames[row, PLIES] = numbers


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
    """Return the result of the threat search within a limit; results that met the limit are remembered."""
    table, key = context.table, other | TO_MOVE
    slot = position_slot(own, key, table.shape[0])
    if table[slot, 0] == own and table[slot, 1] == key and signed(table[slot, 2]) >= limit:
        return UNKNOWN
    win = find_short_win(own, other, limit, context)
    if win == UNKNOWN:
        table[slot, 0], table[slot, 1], table[slot, 2] = own, key, U(limit)
    return win


@no_refcount
def estimate_quiet_attack(attacker: np.uint64, keeper: np.uint64, context: ThreatContext) -> tuple[int, int, int]:
    """First pn, dn and plies for quiet stones where the attacker is to move."""
    win = find_win(attacker, keeper, context)
    if win > FAILS:
        return 0, NEVER, win_plies(win)
    if has_several(winning(keeper, context.lines) & empty_hollows(attacker, keeper, context.ball)):
        return NEVER, 0, 0
    return 8, 1, 0


@no_refcount
def estimate_quiet_answer(
    attacker: np.uint64, keeper: np.uint64, harmless: bool, context: ThreatContext
) -> tuple[int, int, int]:
    """The same where the keeper is to move; `harmless` if he is known to have no win by threats."""
    empty = empty_hollows(attacker, keeper, context.ball)
    if winning(keeper, context.lines) & empty != ZERO:
        return NEVER, 0, 0
    threats = winning(attacker, context.lines) & empty
    if has_several(threats):
        return 0, NEVER, 2
    if threats != ZERO:
        return 20, 1, 0
    if not harmless and find_win(keeper, attacker, context) > FAILS:
        return NEVER, 0, 0
    if find_win(attacker, keeper, context) <= FAILS:
        return NEVER, 0, 0
    return 1 + popcount(answers(attacker, keeper, context)), 1, 0


@no_refcount
def estimate_attack(
    attacker: np.uint64, keeper: np.uint64, harmless: bool, context: ProofContext
) -> tuple[int, int, int]:
    """First pn, dn and plies for all stones where the attacker is to move; `harmless` if he has no win by threats."""
    threats = context.threats
    empty = empty_hollows(attacker, keeper, threats.ball)
    if winning(attacker, threats.lines) & empty != ZERO:
        return 0, NEVER, 0
    must = winning(keeper, threats.lines) & empty
    if has_several(must) or empty == ZERO:
        return NEVER, 0, 0
    if find_pairing(keeper, attacker, empty, PAIRING_TRIES, context.pairing) >= 0:
        return NEVER, 0, 0
    if not harmless and must == ZERO and ask_win(attacker, keeper, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return 0, NEVER, 0
    far = deficit(keeper, attacker, empty, context.pairing)
    return NEAR_PN // (1 + far) + 2, max(1, 2 * far), 0


@no_refcount
def estimate_answer(
    attacker: np.uint64, keeper: np.uint64, harmless: bool, context: ProofContext
) -> tuple[int, int, int]:
    """The same where the keeper is to move; `harmless` if he is known to have no win by threats."""
    threats = context.threats
    empty = empty_hollows(attacker, keeper, threats.ball)
    if winning(keeper, threats.lines) & empty != ZERO or empty == ZERO:
        return NEVER, 0, 0
    must = winning(attacker, threats.lines) & empty
    if has_several(must):
        return 0, NEVER, 0
    if not harmless and ask_win(keeper, attacker, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return NEVER, 0, 0
    far = 1 + deficit(keeper, attacker, empty, context.pairing) // 2
    if must != ZERO:
        return NEAR_PN // (1 + far) + 2, far, 0
    if ask_win(attacker, keeper, threats.counters[GUESS_LIMIT], threats) > FAILS:
        return 1 + popcount(answers(attacker, keeper, threats)), far, 0
    return popcount(empty), far, 0


@no_refcount
def cells_to_try(
    attacker: np.uint64, keeper: np.uint64, attacking: bool, quiet: bool, context: ThreatContext
) -> tuple[np.uint64, bool]:
    """Return the hollows to try at an open position, and whether the other side has no win by threats after any.

    A stone of one's own gives the other side no win that he would not have without it, so that one question can answer
    for all stones.
    """
    empty = empty_hollows(attacker, keeper, context.ball)
    own, other = (attacker, keeper) if attacking else (keeper, attacker)
    must = winning(other, context.lines) & empty
    if must != ZERO:
        return must, False
    if quiet and not attacking:
        return answers(attacker, keeper, context), False
    if quiet:
        return empty, find_win(keeper, attacker, context) == FAILS
    limit = context.counters[THREAT_LIMIT]
    win = ask_win(own, other, limit, context)
    if win > FAILS:  # not found by the guess before
        return bit(win_cell(win)), False
    win = ask_win(other, own, limit, context)
    return (answers(other, own, context) if win > FAILS else empty), win == FAILS


@inlined
def numbers_of(
    attacker: np.uint64, keeper: np.uint64, attacking: bool, harmless: bool, context: ProofContext
) -> tuple[int, int, int]:
    """Return pn, dn and plies of a position that is not expanded yet, from the tables or as an estimate."""
    key = attacker | TO_MOVE if attacking else attacker
    pn, dn, plies = probe_proof(key, keeper, context.table)
    if context.quiet:
        if pn != 0 or dn != 0:
            return pn, dn, plies
        if attacking:
            return estimate_quiet_attack(attacker, keeper, context.threats)
        return estimate_quiet_answer(attacker, keeper, harmless, context.threats)
    if pn == 0 and dn == 0:
        pn, dn, plies = probe_proof(key, keeper, context.guesses)
    if pn == 0 and dn == 0:
        if attacking:
            pn, dn, plies = estimate_attack(attacker, keeper, harmless, context)
        else:
            pn, dn, plies = estimate_answer(attacker, keeper, harmless, context)
        store_proof(key, keeper, packed.pack_proof(pn, dn, 0, 0), context.guesses)
    return pn, dn, 0


@inlined
def expand(attacker: np.uint64, keeper: np.uint64, attacking: bool, ply: int, context: ProofContext) -> int:
    """Write the stones to try at a position into its frame, with the numbers of each, and return how many they are."""
    quiet, weights = context.quiet, context.weights
    cells, harmless = cells_to_try(attacker, keeper, attacking, quiet, context.threats)
    if not quiet:
        weigh(attacker, keeper, context.pairing.masks, weights)
    count = 0
    while cells != ZERO:
        stone = lowest_bit(cells) if quiet else heaviest(cells, weights)
        cells ^= stone
        first, second = (attacker | stone, keeper) if attacking else (attacker, keeper | stone)
        pn, dn, plies = numbers_of(first, second, not attacking, harmless, context)
        if quiet and attacking and pn >= NEVER:
            continue
        write_stone(FRAME * ply + count, lowest(stone), (pn, dn, plies), context.frames)
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count


@no_refcount
def plies_of_proof(attacker: np.uint64, keeper: np.uint64, attacking: bool, plies: int, context: ThreatContext) -> int:
    """Return the plies of a win proved by quiet stones, from those after the stone of the side to move."""
    plies += 1
    empty = empty_hollows(attacker, keeper, context.ball)
    if not attacking and winning(attacker, context.lines) & empty == ZERO:
        # The answers left out lose to the threat that stands.
        plies = max(plies, 1 + win_plies(find_win(attacker, keeper, context)))
    return plies


@inlined
def select(attacking: bool, base: int, count: int, quiet: bool, frames: NumberRows) -> Selection:
    """Return the numbers of a position: the least of one number of its stones, and the sum of the other.

    Where all stones are tried, the sum would count positions again and again that many orders of stones lead to. There
    the greatest number stands for it, and every other open stone adds 1 (weak proof numbers, after Ueda and others).
    """
    mine, theirs = (PN, DN) if attacking else (DN, PN)
    least, second, total, most, open_stones, chosen, plies = NEVER, NEVER, 0, 0, 0, base, 0
    for row in range(base, base + count):
        total += frames[row, theirs]
        most = max(most, frames[row, theirs])
        open_stones += 1 if frames[row, theirs] > 0 else 0
        plies = max(plies, frames[row, PLIES])
        if frames[row, mine] < least:
            least, second, chosen = frames[row, mine], least, row
        elif frames[row, mine] < second:
            second = frames[row, mine]
    others = max(open_stones - 1, 0)
    total = min(total, NEVER) if quiet else min(most + others, NEVER - 1)
    total = NEVER if least == 0 else total
    others = total - frames[chosen, theirs] if quiet else others
    plies = frames[chosen, PLIES] if attacking and count > 0 else plies
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
    attacker: np.uint64, keeper: np.uint64, attacking: bool, thresholds: Thresholds, ply: int, context: ProofContext
) -> int:
    """Search a position until a threshold or the limit of nodes is met, and return its proof number.

    `attacking` says who is to move. Row RESULT of the frame of `ply` holds what was found.
    """
    frames, counters, quiet = context.frames, context.threats.counters, context.quiet
    counters[TREE_NODES] += 1
    count = expand(attacker, keeper, attacking, ply, context)
    base, below = FRAME * ply, FRAME * (ply + 1) + RESULT
    while True:
        found = select(attacking, base, count, quiet, frames)
        decided = found.pn == 0 or found.dn == 0
        if found.pn >= thresholds.pn or found.dn >= thresholds.dn or decided or is_spent(counters):
            break
        stone = bit(frames[found.row, CELL])
        limits = thresholds_below(found, attacking, quiet, thresholds)
        first, second = (attacker | stone, keeper) if attacking else (attacker, keeper | stone)
        prove(first, second, not attacking, limits, ply + 1, context)
        for column in (PN, DN, PLIES):
            frames[found.row, column] = frames[below, column]
    plies = found.plies
    if quiet and found.pn == 0:
        plies = plies_of_proof(attacker, keeper, attacking, plies, context.threats)
    cell = frames[found.row, CELL] if count > 0 else 0
    write_stone(base + RESULT, cell, (found.pn, found.dn, plies), frames)
    key = attacker | TO_MOVE if attacking else attacker
    store_proof(key, keeper, packed.pack_proof(found.pn, found.dn, plies, cell), context.table)
    return found.pn


@no_refcount
def prove_line(attacker: np.uint64, keeper: np.uint64, attacking: bool, fields: Any) -> tuple[int, int, int, int]:
    """Return pn, dn, plies and the cell of the first stone that `prove` finds; `attacking` says who is to move.

    For calls from Python: `fields` is the `plain_tuple` of a ProofContext.
    """
    context = ProofContext(ThreatContext(*fields[:5]), PairingContext(*fields[5:10]), *fields[10:])
    prove(attacker, keeper, attacking, Thresholds(NEVER, NEVER), 0, context)
    result = context.frames[RESULT]
    return result[PN], result[DN], result[PLIES], result[CELL]
