"""Random games at full speed: every legal action of every step is equally likely.

No stone depends on a decision about a Tane, so a whole run of stones is drawn first, as a shuffle of the empty
hollows, and the ply that wins is found by halving: whether a seat's first stones hold a line only ever changes
from no to yes. What the players do with their Tane is drawn afterwards, stone by stone, up to that ply.
"""

from typing import Final

import numpy as np

from kemu.engines.compiled import ONE, borrowing, compiled, lowest, multiply, next_random, popcount, signed
from kemu.engines.moeraki.kernel import (
    ACTION_COUNT,
    BALL,
    BALL_AT,
    BEGINNER,
    DRAW,
    LAST,
    LAY,
    MARAE,
    MASTER,
    MOVED_FROM,
    NOBODY,
    NOWHERE,
    OVER,
    PLACE,
    STARTER,
    STATE_WORDS,
    STEP,
    STONES,
    SWAP_OPTION,
    TANES,
    TURN,
    VARIANT,
    ZERO,
    Numbers,
    U,
    apply,
    barred,
    completed,
    has_line,
    legal,
    majorities,
    points,
    reason_of,
)
from kemu.engines.moeraki.tables import HOLLOWS, MOERAKI, OPEN_CELLS, Words

BATCH: Final = 8
"""Stones drawn before the next look whether somebody has won."""

DRAWS: Final = 5
"""Draws from one random word: 57⁵ is under 2³⁰, so what is left of its 64 bits keeps each draw even to 2⁻³⁴."""


@borrowing
def extend(boards: Words, cells: Words, start: int, end: int, count: int, stream: np.uint64) -> np.uint64:
    """Draws the stones from one ply to another; boards[ply + 2] are the mover's stones after the ply."""
    ply = start
    while ply < end:
        stream, word = next_random(stream)
        for _ in range(min(DRAWS, end - ply)):
            upper, word = multiply(word, U(count - ply))
            at = ply + signed(upper)
            cell = cells[at]
            cells[at] = cells[ply]
            cells[ply] = cell
            boards[ply + 2] = boards[ply] | cell
            ply += 1
    return stream


@borrowing
def first_win(boards: Words, start: int, end: int, lines: Words) -> int:
    """The first ply from `start` to before `end` that wins, or `end`; nothing has won before `start`."""
    best = end
    for low in range(start, min(start + 2, end)):
        high = (best - 1 - low) >> 1
        if high < 0 or not has_line(boards[low + 2 * high + 2], lines):
            continue
        least = 0
        while least < high:
            middle = (least + high) >> 1
            won = has_line(boards[low + 2 * middle + 2], lines)
            high = middle if won else high
            least = least if won else middle + 1
        best = low + 2 * least
    return best


@borrowing
def lay_stones(boards: Words, cells: Words, count: int, lines: Words, stream: np.uint64) -> tuple[int, np.uint64]:
    """Plays stones at random into `count` hollows; the ply that won or `count`, and the stream."""
    ply = 0
    end = min(max(count - BATCH * 4, BATCH), count)
    while True:
        stream = extend(boards, cells, ply, end, count, stream)
        won = first_win(boards, ply, end, lines)
        if won < end or end == count:
            return won, stream
        ply, end = end, min(end + BATCH, count)


@borrowing
def place_tanes(state: Words, cells: Words, boards: Words, end: int, stream: np.uint64) -> np.uint64:
    """Draws what the players do with their Tane along a run of stones that has not won before ply `end`."""
    seat = signed(state[TURN])
    ball = ONE << state[BALL_AT]
    occupied = boards[0] | boards[1] | ball
    done = completed(occupied)
    for ply in range(end):
        if state[TANES] != ZERO and state[TANES + 1] != ZERO:
            break
        occupied |= cells[ply]
        now = completed(occupied)
        fresh = now & ~done
        done = now
        if fresh == ZERO:
            continue
        for turn in range(2):
            owner = (seat + ply + turn) & 1
            if state[TANES + owner] != ZERO:
                continue
            own = boards[ply + 2 - turn]
            areas = fresh & majorities(own, ball)[1] & ~barred(state[TANES], state[TANES + 1])
            if areas == ZERO:
                continue
            stream, word = next_random(stream)
            choice = signed(multiply(word, U(4 * popcount(areas) + 1))[0])
            if choice == 0:
                continue
            for _ in range((choice - 1) >> 2):
                areas &= areas - ONE
            state[TANES + owner] = 4 * lowest(areas) + ((choice - 1) & 3) + 1
    return stream


@borrowing
def finish(
    state: Words, rules: Words, table: Words, boards: Words, cells: Words, count: int, stream: np.uint64
) -> np.uint64:
    """Plays a state that waits for a stone to its end at random; `cells` are its `count` empty hollows."""
    seat = signed(state[TURN])
    boards[0], boards[1] = state[STONES + seat], state[STONES + 1 - seat]
    lines = table[signed(state[BALL_AT])]
    won, stream = lay_stones(boards, cells, count, lines, stream)
    if rules[VARIANT] == U(MASTER):
        stream = place_tanes(state, cells, boards, won, stream)
    last = min(won, count - 1)
    mover = (seat + last) & 1
    state[STONES + mover], state[STONES + 1 - mover] = boards[last + 2], boards[last + 1]
    state[STEP] = OVER
    state[TURN] = 1 - mover
    if won < count:
        state[LAST] = 8 * mover + reason_of(boards[won + 2], lines)
    elif rules[VARIANT] == U(BEGINNER):
        state[LAST] = 8 * NOBODY + DRAW
    else:
        lead = points(state, 0) - points(state, 1)
        state[LAST] = 8 * (signed(rules[STARTER]) if lead == 0 else 0 if lead > 0 else 1) + MARAE
    return stream


@borrowing
def step(state: Words, rules: Words, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Takes one random action."""
    stream, word = next_random(stream)
    apply(state, rules, actions[signed(multiply(word, U(legal(state, rules, actions)))[0])])
    return stream


@borrowing
def place_ball(state: Words, rules: Words, stream: np.uint64) -> np.uint64:
    """Puts the ball into a random one of the hollows that may take it."""
    hollows = MOERAKI & ~(ONE << rules[MOVED_FROM]) if rules[MOVED_FROM] < U(NOWHERE) else MOERAKI
    stream, word = next_random(stream)
    for _ in range(signed(multiply(word, U(popcount(hollows)))[0])):
        hollows &= hollows - ONE
    apply(state, rules, BALL + lowest(hollows))
    return stream


@borrowing
def before_stones(state: Words, rules: Words) -> bool:
    """Whether something other than a stone can be next: the ball, a Tane, an answer to the first stone."""
    if state[STEP] == U(LAY):
        return rules[SWAP_OPTION] != ZERO and popcount(state[STONES] | state[STONES + 1]) < 2
    return state[STEP] != U(OVER)


@borrowing
def list_cells(empty: np.uint64, cells: Words) -> None:
    """Writes each of these hollows into an array, as a board with one bit."""
    if popcount(empty) == OPEN_CELLS.shape[1]:
        ball = lowest(HOLLOWS & ~empty)
        for number in range(OPEN_CELLS.shape[1]):
            cells[number] = OPEN_CELLS[ball, number]
        return
    count = 0
    while empty != ZERO:
        cells[count] = empty & -empty
        empty &= empty - ONE
        count += 1


@compiled
def play(state: Words, rules: Words, table: Words, boards: Words, cells: Words, stream: np.uint64) -> np.uint64:
    """Plays any state to its end at random; `table` are the lines by the bit of the ball."""
    if state[STEP] == U(PLACE):
        stream = place_ball(state, rules, stream)
    if before_stones(state, rules):
        actions = np.empty(ACTION_COUNT, np.int64)
        while before_stones(state, rules):
            stream = step(state, rules, actions, stream)
    if state[STEP] == U(LAY):
        empty = HOLLOWS & ~(state[STONES] | state[STONES + 1] | (ONE << state[BALL_AT]))
        list_cells(empty, cells)
        stream = finish(state, rules, table, boards, cells, popcount(empty), stream)
    return stream


@compiled
def playouts(start: Words, rules: Words, table: Words, games: int, seed: int, ends: Words) -> int:
    """Plays random games from a state and counts the stones; the last of them end as the rows of `ends`."""
    state = np.empty_like(start)
    boards = np.empty(60, np.uint64)
    cells = np.empty(60, np.uint64)
    stream = U(seed)
    stones, end = 0, 0
    for _ in range(games):
        for word in range(STATE_WORDS):
            state[word] = start[word]
        stream = play(state, rules, table, boards, cells, stream)
        stones += popcount(state[STONES] | state[STONES + 1])
        for word in range(STATE_WORDS):
            ends[end, word] = state[word]
        end = end + 1 if end + 1 < ends.shape[0] else 0
    return stones
