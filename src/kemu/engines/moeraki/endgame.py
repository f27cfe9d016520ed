"""The endgame solver: the last hollows exactly, with every placement of a Tane and the tie of the Marae."""

from typing import Any, Final, NamedTuple

import numpy as np

from kemu.engines.compiled import (
    NUMBER,
    NUMBER_ROWS,
    NUMBERS,
    WORD_ROWS,
    WORDS,
    ZERO,
    bit,
    borrowing,
    has_bit,
    lowest_bit,
    multiply,
    popcount,
    recursive,
    signed,
    tuple_type,
)
from kemu.engines.moeraki.expected_tiles import rank_tiles
from kemu.engines.moeraki.kernel import (
    BALL_AT,
    BEGINNER,
    EYE_OPTION,
    KEEP,
    LAST,
    LAY,
    NOBODY,
    OVER,
    STARTER,
    STATE_WORDS,
    STEP,
    STONES,
    TANES,
    TURN,
    VARIANT,
    Numbers,
    action_tane,
    apply,
    barred,
    empty_hollows,
    legal,
)
from kemu.engines.moeraki.lead_limits import can_lead, cells_of_lines, cells_of_tiles, line_possible
from kemu.engines.moeraki.packed import U, outcome_winner, pack_endgame_key, pack_solved, unpack_solved
from kemu.engines.moeraki.tables import LINES, MASKS, Words
from kemu.engines.moeraki.tane import tane_gain
from kemu.engines.moeraki.threats import NODES, STOP, TOTAL_LIMIT, TREE_NODES, winning
from kemu.engines.moeraki.transposition import WINDOW, Window

UNSOLVED: Final = 9
"""Instead of 1, 0 or -1 when the limit is met."""

KEPT: Final = 8
"""Eighths of a tile that a Tane must gain to be placed before it is tried to keep it."""

DEEPEST: Final = 64
"""More actions than 20 hollows can take: each stone may be followed by two answers about a Tane."""


MOST_HOLLOWS: Final = 20
"""States with more empty hollows share the counts of wins."""

WIN_WORTH: Final = 4
"""Eighths of a tile that each win of an action counts in the order."""


class EndgameContext(NamedTuple):
    """What the endgame solver works on."""

    rules: Words  # the options, as the kernel reads them
    states: Words  # by ply: the state
    actions: Numbers  # by ply: the actions to try
    ranks: Numbers  # those of the actions, and from 64 on of the hollows
    wins: Numbers  # by empty hollows and seat: how often each action won in the search under way
    table: Words  # transposition table: rows of both seats' stones, the rest of the state, entry
    counters: Numbers  # those of the threat search


ENDGAME_CONTEXT: Final = tuple_type(
    EndgameContext, WORDS, WORD_ROWS, NUMBER_ROWS, NUMBERS, NUMBER_ROWS, WORD_ROWS, NUMBERS
)


@borrowing
def result_of(state: Words) -> int:
    """What a game that is over is worth for who would have been next."""
    winner = outcome_winner(signed(state[LAST]))
    return 0 if winner == NOBODY else 1 if winner == signed(state[TURN]) else -1


@borrowing
def forced_cells(state: Words, rules: Words) -> np.uint64:
    """The cells where a stone must go, 0 if it may go anywhere: those that win, else those where the opponent would."""
    lines = LINES[signed(rules[EYE_OPTION]), signed(state[BALL_AT])]
    empty = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT]))
    seat = signed(state[TURN])
    wins = winning(state[STONES + seat], lines) & empty
    return wins if wins != ZERO else winning(state[STONES + 1 - seat], lines) & empty


@borrowing
def open_cells(state: Words, rules: Words) -> np.uint64:
    """The empty hollows of open areas and lines, and of the others, which are all alike, one."""
    seat, ball_at = signed(state[TURN]), signed(state[BALL_AT])
    own, other, ball = state[STONES + seat], state[STONES + 1 - seat], bit(ball_at)
    empty = empty_hollows(own, other, ball)
    cells = cells_of_lines(own, other, MASKS[signed(rules[EYE_OPTION]), ball_at])
    if rules[VARIANT] != U(BEGINNER):
        cells |= cells_of_tiles(own, other, (state[TANES + seat], state[TANES + 1 - seat]), ball)
    return (cells & empty) | lowest_bit(empty & ~cells)


@borrowing
def known_value(state: Words, rules: Words) -> int:
    """The value where the game is over, or where neither tiles nor a Tane nor a line can change it; else UNSOLVED."""
    if state[STEP] == U(OVER):
        return result_of(state)
    if state[STEP] != U(LAY) or rules[VARIANT] == U(BEGINNER):
        return UNSOLVED
    seat, ball_at = signed(state[TURN]), signed(state[BALL_AT])
    own, other, ball = state[STONES + seat], state[STONES + 1 - seat], bit(ball_at)
    mine, opposing = state[TANES + seat], state[TANES + 1 - seat]
    masks = MASKS[signed(rules[EYE_OPTION]), ball_at]
    need = 0 if seat == signed(rules[STARTER]) else 1
    if not can_lead(own, other, (mine, opposing), need, ball) and not line_possible(other, masks):
        return -1
    if not can_lead(other, own, (opposing, mine), 1 - need, ball) and not line_possible(own, masks):
        return 1
    return UNSOLVED


@borrowing
def rank_placements(state: Words, actions: Numbers, count: int, ranks: Numbers) -> None:
    """Writes by number of action what each placement of a Tane gains, and what keeping it is worth."""
    seat = signed(state[TURN])
    own, other, ball = state[STONES + seat], state[STONES + 1 - seat], bit(state[BALL_AT])
    for number in range(count):
        tane = U(action_tane(actions[number]))
        kept = actions[number] == KEEP
        ranks[number] = KEPT if kept else tane_gain(own, other, ball, tane, state[TANES + 1 - seat])


@borrowing
def rank_stones(state: Words, rules: Words, actions: Numbers, count: int, ranks: Numbers) -> int:
    """Drops the stones that need no try and writes by number what the others gain; returns how many are left."""
    seat = signed(state[TURN])
    worth_trying = forced_cells(state, rules)
    if worth_trying == ZERO:
        worth_trying = open_cells(state, rules)
    ranks[:128] = 0
    closed = barred(state[TANES], state[TANES + 1])
    rank_tiles(state[STONES + seat], state[STONES + 1 - seat], bit(state[BALL_AT]), closed, 1, ranks[64:])
    kept = 0
    for number in range(count):
        action = actions[number]
        if action >= 64 or has_bit(worth_trying, action):
            actions[kept], ranks[kept] = action, ranks[64 + action] if action < 64 else 0
            kept += 1
    return kept


@borrowing
def wins_row(state: Words) -> int:
    """The row of a state in the counts of wins."""
    empty = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT]))
    return 2 * min(popcount(empty), MOST_HOLLOWS) + signed(state[TURN])


@borrowing
def order_actions(state: Words, context: EndgameContext, actions: Numbers, wins: Numbers) -> int:
    """Writes the actions worth trying, the most promising first; returns how many they are."""
    rules, ranks = context.rules, context.ranks
    count = legal(state, rules, actions)
    if signed(state[STEP]) == LAY:
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


@borrowing
def table_slot(state: Words, key: np.uint64, size: int) -> int:
    """The row of a state with this key in a table of this size, a power of two."""
    upper, lower = multiply(state[STONES] ^ U(0xA0761D6478BD642F), state[STONES + 1] ^ (key << U(20)) ^ key)
    return signed((upper ^ lower) & U(size - 1))


@recursive(NUMBER(NUMBER, WINDOW, ENDGAME_CONTEXT))
def solve(ply: int, window: Window, context: EndgameContext) -> int:
    """The value of the state in row `ply` for the seat to act: 1 won, 0 drawn, -1 lost, or UNSOLVED.

    It is exact within the window, whose bounds are such values too.
    """
    state, following, table, counters = context.states[ply], context.states[ply + 1], context.table, context.counters
    value = known_value(state, context.rules)
    if value != UNSOLVED:
        return value
    counters[TREE_NODES] += 1
    if counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]:
        return UNSOLVED
    alpha, beta = window
    key = pack_endgame_key(state[TANES:], state[TURN], state[STEP], state[LAST], state[BALL_AT])
    slot = table_slot(state, key, table.shape[0])
    if table[slot, 0] == state[STONES] and table[slot, 1] == state[STONES + 1] and table[slot, 2] == key:
        low, high = unpack_solved(table[slot, 3])
        if low == high or low >= beta or high <= alpha:
            return low if low >= beta else high
    best, wins = -1, context.wins[wins_row(state)]
    for number in range(order_actions(state, context, context.actions[ply], wins)):
        for word in range(STATE_WORDS):
            following[word] = state[word]
        apply(following, context.rules, context.actions[ply, number])
        if following[TURN] == state[TURN]:  # asked for his Tane, then to lay a stone
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
    table[slot, 0], table[slot, 1], table[slot, 2] = state[STONES], state[STONES + 1], key
    table[slot, 3] = pack_solved(low, high)
    return best


@borrowing
def solve_first(fields: Any) -> int:
    """The exact value of the state in row 0, or UNSOLVED.

    For calls from Python: `fields` is the `plain_tuple` of an EndgameContext.
    """
    rules, states, actions, ranks, wins, table, counters = fields
    wins[:] = 0
    return solve(0, Window(-1, 1), EndgameContext(rules, states, actions, ranks, wins, table, counters))
