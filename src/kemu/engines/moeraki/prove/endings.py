"""The endgame solver: the last hollows exactly, with every placement of a Tane and the tie of the Marae."""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.arrays import NumberRows, Numbers, WordRows, Words
from kemu.engines.compiled import inlined, no_refcount, recursive
from kemu.engines.moeraki.board import kernel, packed
from kemu.engines.moeraki.board.tables import LINES, MASKS
from kemu.engines.moeraki.prove.control import TREE_NODES, is_spent
from kemu.engines.moeraki.prove.lead_endings import can_lead, cells_of_lines, cells_of_tiles, line_possible
from kemu.engines.moeraki.value.evaluation import Window
from kemu.engines.moeraki.value.expected_tiles import rank_tiles, tane_gain
from kemu.engines.words import ZERO, has_bit, lowest_bit, popcount, signed

UNSOLVED: Final = 9
"""Instead of 1, 0 or -1 when the limit is met."""

KEPT: Final = 8
"""Eighths of a tile that a Tane must gain to be placed before it is tried to keep it."""

MOST_HOLLOWS: Final = 20
"""States with more empty hollows share the counts of wins."""

WIN_WORTH: Final = 4
"""Eighths of a tile that each win of an action counts in the order."""


class EndgameContext(NamedTuple):
    """The arrays of the endgame solver."""

    rules: Words  # the options, as the kernel reads them
    states: WordRows  # by ply: the state
    actions: NumberRows  # by ply: the actions to try
    ranks: Numbers  # those of the actions, and from 64 on of the hollows
    wins: NumberRows  # by empty hollows and seat: how often each action won in the search under way
    table: WordRows  # transposition table: rows of both seats' stones, the rest of the state, entry
    counters: Numbers  # see `control`


@no_refcount
def result_of(state: Words) -> int:
    """Return what a game that is over is worth to the seat that would have acted next."""
    winner = packed.outcome_winner(signed(state[kernel.LAST]))
    return 0 if winner == kernel.NOBODY else 1 if winner == signed(state[kernel.TURN]) else -1


@no_refcount
def forced_cells(state: Words, rules: Words) -> np.uint64:
    """Return the cells that win, else those where the opponent would; 0 if a stone may go anywhere."""
    lines = LINES[signed(rules[kernel.EYE_OPTION]), signed(state[kernel.BALL_AT])]
    own, other, ball = kernel.stones_of(state)
    empty = kernel.empty_hollows(own, other, ball)
    wins = kernel.winning(own, lines) & empty
    return wins if wins != ZERO else kernel.winning(other, lines) & empty


@no_refcount
def open_cells(state: Words, rules: Words) -> np.uint64:
    """Return the empty hollows of open areas and lines, and of the others, which are all alike, one."""
    seat, ball_at = signed(state[kernel.TURN]), signed(state[kernel.BALL_AT])
    own, other, ball = kernel.stones_of(state)
    empty = kernel.empty_hollows(own, other, ball)
    cells = cells_of_lines(own, other, MASKS[signed(rules[kernel.EYE_OPTION]), ball_at])
    if rules[kernel.VARIANT] != packed.U(kernel.BEGINNER):
        cells |= cells_of_tiles(own, other, (state[kernel.TANES + seat], state[kernel.TANES + 1 - seat]), ball)
    return (cells & empty) | lowest_bit(empty & ~cells)


@no_refcount
def known_value(state: Words, rules: Words) -> int:
    """Return the value where the game is over or nothing can change it any more; else UNSOLVED."""
    if state[kernel.STEP] == packed.U(kernel.OVER):
        return result_of(state)
    if state[kernel.STEP] != packed.U(kernel.LAY) or rules[kernel.VARIANT] == packed.U(kernel.BEGINNER):
        return UNSOLVED
    seat, ball_at = signed(state[kernel.TURN]), signed(state[kernel.BALL_AT])
    own, other, ball = kernel.stones_of(state)
    mine, opposing = state[kernel.TANES + seat], state[kernel.TANES + 1 - seat]
    masks = MASKS[signed(rules[kernel.EYE_OPTION]), ball_at]
    need = 0 if seat == signed(rules[kernel.STARTER]) else 1
    if not can_lead(own, other, (mine, opposing), need, ball) and not line_possible(other, masks):
        return -1
    if not can_lead(other, own, (opposing, mine), 1 - need, ball) and not line_possible(own, masks):
        return 1
    return UNSOLVED


@no_refcount
def rank_placements(state: Words, actions: Numbers, count: int, ranks: Numbers) -> None:
    """Write by number of action what each placement of a Tane gains, and what keeping it is worth."""
    seat = signed(state[kernel.TURN])
    own, other, ball = kernel.stones_of(state)
    for number in range(count):
        tane = packed.U(kernel.action_tane(actions[number]))
        kept = actions[number] == kernel.KEEP
        ranks[number] = KEPT if kept else tane_gain(own, other, ball, tane, state[kernel.TANES + 1 - seat])


@no_refcount
def rank_stones(state: Words, rules: Words, actions: Numbers, count: int, ranks: Numbers) -> int:
    """Drop the stones that need no try and write by number what the others gain, and return how many are left."""
    own, other, ball = kernel.stones_of(state)
    worth_trying = forced_cells(state, rules)
    if worth_trying == ZERO:
        worth_trying = open_cells(state, rules)
    ranks[:128] = 0
    closed = kernel.barred(state[kernel.TANES], state[kernel.TANES + 1])
    rank_tiles(own, other, ball, closed, ranks[64:])
    kept = 0
    for number in range(count):
        action = actions[number]
        if action >= 64 or has_bit(worth_trying, action):
            actions[kept], ranks[kept] = action, ranks[64 + action] if action < 64 else 0
            kept += 1
    return kept


@no_refcount
def wins_row(state: Words) -> int:
    """Return the row of a state in the counts of wins."""
    empty = kernel.empty_cells(state)
    return 2 * min(popcount(empty), MOST_HOLLOWS) + signed(state[kernel.TURN])


@no_refcount
def order_actions(state: Words, context: EndgameContext, actions: Numbers, wins: Numbers) -> int:
    """Write the actions worth trying, the most promising first, and return how many they are."""
    rules, ranks = context.rules, context.ranks
    count = kernel.legal(state, rules, actions)
    if signed(state[kernel.STEP]) == kernel.LAY:
        count = rank_stones(state, rules, actions, count, ranks)
    else:
        rank_placements(state, actions, count, ranks)
    for number in range(count):
        ranks[number] += WIN_WORTH * wins[actions[number]]
    for number in range(1, count):
        action, worth, at = actions[number], ranks[number], number
        while at > 0 and ranks[at - 1] < worth:
            actions[at], ranks[at] = actions[at - 1], ranks[at - 1]
            at -= 1
        actions[at], ranks[at] = action, worth
    return count


@inlined
def pack_endgame_key(state: Words) -> np.uint64:
    """Return all of a state but its stones, see `packed`; never 0, which is the key of an empty row."""
    key = state[kernel.TANES] | (state[kernel.TANES + 1] << packed.U(9)) | (state[kernel.TURN] << packed.U(18))
    key |= (state[kernel.STEP] << packed.U(19)) | (state[kernel.LAST] << packed.U(22))
    return key | (state[kernel.BALL_AT] << packed.U(29)) | (packed.U(1) << packed.U(40))


@recursive
def solve(ply: int, window: Window, context: EndgameContext) -> int:
    """Return the value of the state in row `ply` for the seat to act: 1 won, 0 drawn, -1 lost, or UNSOLVED.

    It is exact within the window, whose bounds are such values too.
    """
    state, following, table, counters = context.states[ply], context.states[ply + 1], context.table, context.counters
    value = known_value(state, context.rules)
    if value != UNSOLVED:
        return value
    counters[TREE_NODES] += 1
    if is_spent(counters):
        return UNSOLVED
    alpha, beta = window
    first, second, key = state[kernel.STONES], state[kernel.STONES + 1], pack_endgame_key(state)
    slot = packed.table_slot(first ^ packed.KEY_0, second ^ (key << packed.U(20)) ^ key, table.shape[0])
    if table[slot, 0] == first and table[slot, 1] == second and table[slot, 2] == key:
        low, high = packed.unpack_solved(table[slot, 3])
        if low == high or low >= beta or high <= alpha:
            return low if low >= beta else high
    best, wins = -1, context.wins[wins_row(state)]
    for number in range(order_actions(state, context, context.actions[ply], wins)):
        for word in range(kernel.STATE_WORDS):
            following[word] = state[word]
        kernel.apply(following, context.rules, context.actions[ply, number])
        if following[kernel.TURN] == state[kernel.TURN]:  # asked for his Tane, then to lay a stone
            value = solve(ply + 1, Window(max(alpha, best), beta), context)
        else:
            value = solve(ply + 1, Window(-beta, -max(alpha, best)), context)
            value = value if value == UNSOLVED else -value
        if value == UNSOLVED:
            return UNSOLVED
        best = max(best, value)
        if best >= beta or best == 1:
            wins[context.actions[ply, number]] += 1
            break
    low, high = (best if best > alpha else -1), (best if best < beta else 1)
    table[slot, 0], table[slot, 1], table[slot, 2] = first, second, key
    table[slot, 3] = packed.pack_solved(low, high)
    return best


@no_refcount
def solve_first(fields: Any) -> int:
    """Return the exact value of the state in row 0, or UNSOLVED.

    For calls from Python: `fields` is the `plain_tuple` of an EndgameContext.
    """
    context = EndgameContext(*fields)
    context.wins[:] = 0
    return solve(0, Window(-1, 1), context)
