"""Proof search over all stones: does one side, the attacker, complete a line, or does the keeper prevent it?

Depth-first proof-number search (df-pn, after Nagai). A position is won for the attacker where the threat search finds
a win, and held where the keeper wins by threats or has a pairing against all lines open to the attacker. In between
every stone of both sides is tried, except where a threat leaves but one, or where the attacker's win by threats names
the hollows that can answer it. pn counts what is left to show for the attacker's line, dn for the keeper's hold.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest, popcount, recursive
from kemu.engines.moeraki.kernel import Numbers, U
from kemu.engines.moeraki.pairing import deficit, find_pairing
from kemu.engines.moeraki.quiet import CELL, DN, NEVER, PN, TO_MOVE, keep, look_up
from kemu.engines.moeraki.tables import HOLLOWS, MASK_COUNT, Words
from kemu.engines.moeraki.threats import FAILS, NODES, STOP, TOTAL_LIMIT, TREE_NODES, answers, ask, winning

ZERO: Final = U(0)

DEEPEST: Final = 57
PAIRING_TRIES: Final = 400
"""Branches that one question for a pairing may take."""

NEAR_PN: Final = 24
"""First guess of pn where the keeper nearly has a pairing; less the further he is from one."""


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
            missing &= missing - ONE


@borrowing
def after_keeper(
    attacker: np.uint64,
    keeper: np.uint64,
    ball: np.uint64,
    lines: Words,
    masks: Words,
    memory: Words,
    stack: Words,
    rows: Words,
    choices: Words,
    ranks: Numbers,
    tries: Numbers,
    counters: Numbers,
) -> tuple[int, int]:
    """First guess of pn and dn where the attacker is to move."""
    empty = HOLLOWS & ~(attacker | keeper | ball)
    if winning(attacker, lines) & empty != ZERO:
        return 0, NEVER
    threats = winning(keeper, lines) & empty
    if threats & (threats - ONE) != ZERO or empty == ZERO:
        return NEVER, 0
    if find_pairing(keeper, attacker, empty, masks, PAIRING_TRIES, rows, choices, ranks, tries) >= 0:
        return NEVER, 0
    if threats == ZERO and ask(attacker, keeper, ball, lines, memory, stack, counters) > FAILS:
        return 0, NEVER
    far = deficit(keeper, attacker, empty, masks, rows[0])
    return NEAR_PN // (1 + far) + 2, 2 * far


@borrowing
def after_attacker(
    attacker: np.uint64,
    keeper: np.uint64,
    ball: np.uint64,
    lines: Words,
    masks: Words,
    memory: Words,
    stack: Words,
    row: Words,
    counters: Numbers,
) -> tuple[int, int]:
    """First guess of pn and dn where the keeper is to move."""
    empty = HOLLOWS & ~(attacker | keeper | ball)
    if winning(keeper, lines) & empty != ZERO or empty == ZERO:
        return NEVER, 0
    threats = winning(attacker, lines) & empty
    if threats & (threats - ONE) != ZERO:
        return 0, NEVER
    if ask(keeper, attacker, ball, lines, memory, stack, counters) > FAILS:
        return NEVER, 0
    far = 1 + deficit(keeper, attacker, empty, masks, row) // 2
    if threats != ZERO:
        return NEAR_PN // (1 + far) + 2, far
    if ask(attacker, keeper, ball, lines, memory, stack, counters) > FAILS:
        return 1 + popcount(answers(attacker, keeper, ball, lines, memory, stack, counters)), far
    return popcount(empty), far


@borrowing
def tries_of(
    attacker: np.uint64,
    keeper: np.uint64,
    attacking: bool,
    ball: np.uint64,
    lines: Words,
    memory: Words,
    stack: Words,
    counters: Numbers,
) -> np.uint64:
    """The hollows to try at a node that is not decided: all, or those that a threat leaves."""
    empty = HOLLOWS & ~(attacker | keeper | ball)
    must = winning(keeper if attacking else attacker, lines) & empty
    if must != ZERO:
        return must
    if not attacking and ask(attacker, keeper, ball, lines, memory, stack, counters) > FAILS:
        return answers(attacker, keeper, ball, lines, memory, stack, counters)
    return empty


@borrowing
def open_node(
    attacker: np.uint64,
    keeper: np.uint64,
    attacking: bool,
    ply: int,
    ball: np.uint64,
    lines: Words,
    masks: Words,
    memory: Words,
    stack: Words,
    rows: Words,
    choices: Words,
    ranks: Numbers,
    tries: Numbers,
    table: Words,
    frames: Numbers,
    weights: Numbers,
    counters: Numbers,
) -> int:
    """Writes the stones to try at a node into its frame, with what is known of each, and says how many they are."""
    cells = tries_of(attacker, keeper, attacking, ball, lines, memory, stack, counters)
    weigh(attacker, keeper, masks, weights)
    count = 0
    while cells != ZERO:
        # The hollow with the heaviest lines first, so that a decision is found early.
        rest, heaviest, stone = cells, -1, ZERO
        while rest != ZERO:
            cell = lowest(rest)
            if weights[cell] > heaviest:
                heaviest, stone = weights[cell], rest & -rest
            rest &= rest - ONE
        cells ^= stone
        first, second = (attacker | stone, keeper) if attacking else (attacker, keeper | stone)
        pn, dn, _ = look_up(first if attacking else first | TO_MOVE, second, table)
        if pn == 0 and dn == 0:
            if attacking:
                pn, dn = after_attacker(first, second, ball, lines, masks, memory, stack, rows[0], counters)
            else:
                pn, dn = after_keeper(
                    first, second, ball, lines, masks, memory, stack, rows, choices, ranks, tries, counters
                )
            if pn == 0 or dn == 0:
                keep(first if attacking else first | TO_MOVE, second, pn, dn, 0, 0, table)
        row = 64 * ply + count
        frames[row, CELL], frames[row, PN], frames[row, DN] = lowest(stone), pn, dn
        count += 1
        if pn == 0 if attacking else dn == 0:
            break
    return count


@recursive(
    "int64(uint64, uint64, boolean, int64, int64, int64, uint64, uint64[::1], uint64[::1], uint64[:, ::1], uint64[::1],"
    "uint64[:, ::1], uint64[:, ::1], int64[:, ::1], int64[::1], uint64[:, ::1], int64[:, ::1], int64[::1], int64[::1])"
)
def search(
    attacker: np.uint64,
    keeper: np.uint64,
    attacking: bool,
    most_pn: int,
    most_dn: int,
    ply: int,
    ball: np.uint64,
    lines: Words,
    masks: Words,
    memory: Words,
    stack: Words,
    rows: Words,
    choices: Words,
    ranks: Numbers,
    tries: Numbers,
    table: Words,
    frames: Numbers,
    weights: Numbers,
    counters: Numbers,
) -> int:
    """Works on a position until its pn or dn reaches a bound; row 64 × ply + 63 of the frames holds what it found."""
    counters[TREE_NODES] += 1
    count = open_node(
        attacker, keeper, attacking, ply, ball, lines, masks, memory, stack, rows, choices, ranks, tries, table, frames,
        weights, counters,
    )  # fmt: skip
    base, mine, theirs = 64 * ply, PN if attacking else DN, DN if attacking else PN
    while True:
        # The least of one number and the sum of the other; the stone with the least goes first.
        least, second, total, chosen = NEVER, NEVER, 0, base
        for row in range(base, base + count):
            total += frames[row, theirs]
            if frames[row, mine] < least:
                least, second, chosen = frames[row, mine], least, row
            elif frames[row, mine] < second:
                second = frames[row, mine]
        total = min(total, NEVER) if least > 0 else NEVER
        pn, dn = (least, total) if attacking else (total, least)
        stopped = counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]
        if pn >= most_pn or dn >= most_dn or pn == 0 or dn == 0 or stopped:
            break
        stone = ONE << U(frames[chosen, CELL])
        # A margin above the second best keeps the search from jumping between stones (1 + epsilon, after Pawlewicz).
        limit = min(most_pn if attacking else most_dn, second + 1 + second // 4)
        rest = (most_dn if attacking else most_pn) - total + frames[chosen, theirs]
        search(
            attacker | stone if attacking else attacker,
            keeper if attacking else keeper | stone,
            not attacking,
            limit if attacking else rest,
            rest if attacking else limit,
            ply + 1,
            ball,
            lines,
            masks,
            memory,
            stack,
            rows,
            choices,
            ranks,
            tries,
            table,
            frames,
            weights,
            counters,
        )
        below = base + 64 + 63
        frames[chosen, PN], frames[chosen, DN] = frames[below, PN], frames[below, DN]
    own = base + 63
    frames[own, PN], frames[own, DN], frames[own, CELL] = pn, dn, frames[chosen, CELL]
    keep(attacker | TO_MOVE if attacking else attacker, keeper, pn, dn, 0, frames[chosen, CELL], table)
    return pn
