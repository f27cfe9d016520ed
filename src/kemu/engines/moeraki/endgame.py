"""The last hollows solved exactly, with every use of a Tane and the tie that goes to who placed the ball."""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, multiply, recursive, signed
from kemu.engines.moeraki.hopes import rank_tiles
from kemu.engines.moeraki.kernel import (
    BALL_AT,
    EYE_OPTION,
    KEEP,
    LAST,
    LAY,
    NOBODY,
    OVER,
    STATE_WORDS,
    STEP,
    STONES,
    TANE,
    TANES,
    TURN,
    ZERO,
    Numbers,
    U,
    apply,
    barred,
    legal,
)
from kemu.engines.moeraki.tables import HOLLOWS, LINES, Words
from kemu.engines.moeraki.tane import gain_of
from kemu.engines.moeraki.threats import NODES, STOP, TOTAL_LIMIT, TREE_NODES, winning

UNSOLVED: Final = 9
"""Instead of 1, 0 or -1 when the limit is met."""

KEPT: Final = 8
"""Eighths of a tile that a use of a Tane must gain to be tried before keeping it."""

DEEPEST: Final = 40
"""More actions than the last hollows can take: each stone may be followed by two answers about a Tane."""


@borrowing
def outcome_of(state: Words) -> int:
    """What a game that is over is worth for who would have been next."""
    winner = signed(state[LAST] >> U(3))
    return 0 if winner == NOBODY else 1 if winner == signed(state[TURN]) else -1


@borrowing
def forced(state: Words, rules: Words) -> np.uint64:
    """The hollows where a stone must go, if any: those that win, else those where the opponent would win."""
    lines = LINES[signed(rules[EYE_OPTION]), signed(state[BALL_AT])]
    empty = HOLLOWS & ~(state[STONES] | state[STONES + 1] | (ONE << state[BALL_AT]))
    seat = signed(state[TURN])
    wins = winning(state[STONES + seat], lines) & empty
    return wins if wins != ZERO else winning(state[STONES + 1 - seat], lines) & empty


@borrowing
def rank_uses(state: Words, actions: Numbers, count: int, ranks: Numbers) -> None:
    """Writes by number of action what each use of a Tane gains, and what keeping it is worth."""
    seat = signed(state[TURN])
    own, other, ball = state[STONES + seat], state[STONES + 1 - seat], ONE << state[BALL_AT]
    for number in range(count):
        tane = U(actions[number] - TANE + 1)
        kept = actions[number] == KEEP
        ranks[number] = KEPT if kept else gain_of(own, other, ball, tane, state[TANES + 1 - seat])


@borrowing
def rank_stones(state: Words, rules: Words, actions: Numbers, count: int, ranks: Numbers) -> int:
    """Drops the stones that need no try, writes by number what the others gain, and says how many they are."""
    must = forced(state, rules)
    seat = signed(state[TURN])
    ranks[:128] = 0
    closed = barred(state[TANES], state[TANES + 1])
    rank_tiles(state[STONES + seat], state[STONES + 1 - seat], ONE << state[BALL_AT], closed, 1, ranks[64:])
    kept = 0
    for number in range(count):
        action = actions[number]
        if must == ZERO or (action < 64 and (must >> U(action)) & ONE != ZERO):
            actions[kept], ranks[kept] = action, ranks[64 + action] if action < 64 else 0
            kept += 1
    return kept


@borrowing
def arrange(state: Words, rules: Words, actions: Numbers, ranks: Numbers) -> int:
    """Writes the actions worth trying, the most promising first, and says how many they are."""
    count = legal(state, rules, actions)
    if signed(state[STEP]) == LAY:
        count = rank_stones(state, rules, actions, count, ranks)
    else:
        rank_uses(state, actions, count, ranks)
    for number in range(1, count):
        action, worth, at = actions[number], ranks[number], number
        while at > 0 and ranks[at - 1] < worth:
            actions[at], ranks[at] = actions[at - 1], ranks[at - 1]
            at -= 1
        actions[at], ranks[at] = action, worth
    return count


@borrowing
def entry_of(state: Words, size: int) -> tuple[int, np.uint64]:
    """Where a table keeps a state, and the part of its key that is not stones."""
    rest = state[TANES] | (state[TANES + 1] << U(9)) | (state[TURN] << U(18)) | (state[STEP] << U(19))
    rest |= (state[LAST] << U(22)) | (state[BALL_AT] << U(29)) | (ONE << U(40))
    upper, lower = multiply(state[STONES] ^ U(0xA0761D6478BD642F), state[STONES + 1] ^ (rest << U(20)) ^ rest)
    return signed((upper ^ lower) & U(size - 1)), rest


@recursive(
    "int64(uint64[:, ::1], int64, int64, int64, uint64[::1], uint64[:, ::1], int64[:, ::1], int64[::1], int64[::1])"
)
def solve(
    states: Words,
    ply: int,
    alpha: int,
    beta: int,
    rules: Words,
    table: Words,
    actions: Numbers,
    ranks: Numbers,
    counters: Numbers,
) -> int:
    """The value of row `ply` of the states for the seat to act: 1 won, 0 drawn, -1 lost, or UNSOLVED."""
    state = states[ply]
    if state[STEP] == U(OVER):
        return outcome_of(state)
    counters[TREE_NODES] += 1
    if counters[STOP] != 0 or counters[TREE_NODES] + counters[NODES] >= counters[TOTAL_LIMIT]:
        return UNSOLVED
    slot, rest = entry_of(state, table.shape[0])
    if table[slot, 0] == state[STONES] and table[slot, 1] == state[STONES + 1] and table[slot, 2] == rest:
        # Kept as lower bound + 1 and upper bound + 1.
        low, high = signed(table[slot, 3] & U(3)) - 1, signed(table[slot, 3] >> U(2)) - 1
        if low == high or low >= beta or high <= alpha:
            return low if low >= beta else high
    best = -1
    for number in range(arrange(state, rules, actions[ply], ranks)):
        for word in range(STATE_WORDS):
            states[ply + 1, word] = state[word]
        apply(states[ply + 1], rules, actions[ply, number])
        if states[ply + 1, TURN] == state[TURN]:  # asked for his Tane, then to lay a stone
            value = solve(states, ply + 1, max(alpha, best), beta, rules, table, actions, ranks, counters)
        else:
            value = solve(states, ply + 1, -beta, -max(alpha, best), rules, table, actions, ranks, counters)
            value = value if value == UNSOLVED else -value
        if value == UNSOLVED:
            return UNSOLVED
        best = max(best, value)
        if best >= beta or best == 1:
            break
    low, high = (best if best > alpha else -1), (best if best < beta else 1)
    table[slot, 0], table[slot, 1], table[slot, 2] = state[STONES], state[STONES + 1], rest
    table[slot, 3] = U(low + 1) | (U(high + 1) << U(2))
    return best
