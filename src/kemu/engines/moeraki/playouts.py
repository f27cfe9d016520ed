"""Random games at full speed: every legal action of every step is equally likely.

No stone depends on a decision about a Tane, and a seat's stones can come in any order. So it is drawn first which
hollows each seat would fill, and then only as much of the order as the end depends on: a random bit for each stone
splits a seat's stones into an earlier and a later part, and as a set of stones that wins wins with more stones too,
one test of the earlier part shows in which of the two the winning stone is: a binary search. What the players do with
their Tane is drawn last, from the order of those stones that were needed for the areas where it can be.
"""

from typing import Final, NamedTuple

import numpy as np

from kemu.engines.compiled import ONE, ZERO, below, bit, borrowing, compiled, has_several, next_random, popcount, signed
from kemu.engines.moeraki.kernel import (
    ACTION_COUNT,
    BALL_AT,
    BEGINNER,
    DRAW,
    EYE_OPTION,
    LAST,
    LAY,
    MARAE,
    MASTER,
    MOVED_FROM,
    NOBODY,
    OVER,
    PLACE,
    STATE_WORDS,
    STEP,
    STONES,
    SWAP_OPTION,
    TURN,
    VARIANT,
    Numbers,
    apply,
    empty_hollows,
    has_beach,
    has_line,
    legal,
    marae_winner,
    reason_of,
)
from kemu.engines.moeraki.packed import U, pack_outcome
from kemu.engines.moeraki.playout_tanes import place_tanes
from kemu.engines.moeraki.tables import BALL_LINES, LINES, MOERAKI, RIGID_LINES, Words

BALLS: Final = np.array([cell for cell in range(64) if MOERAKI >> U(cell) & ONE], np.uint64)
"""The bits of the hollows that may take the ball."""

# The rows of the scratch array of one game.
OWN: Final = 0  # by seat, stones that it has before anybody wins
CELLS: Final = 1  # by seat, the cells that it fills next
TANE_ROWS: Final = 2  # this and the next two are for `place_tanes`
SCRATCH: Final = (5, 64)

# The rows of the lanes.
OWN_LANES: Final = 0  # and 1
CELL_LANES: Final = 2  # and 3
RANDOM_LANES: Final = 4
BALL_LANES: Final = 5  # and more: the lines that depend on the ball
LANE_ROWS: Final = BALL_LANES + BALL_LINES.shape[2]
LANES: Final = 64
"""Games played side by side, in step, so that one vector instruction serves several."""

ROUNDS: Final = 8
"""How often the cells are split in all lanes; a seat in ten is not done by then and goes on alone."""


class Lanes(NamedTuple):
    """The arrays for the games that are played side by side."""

    states: Words  # by lane: the state
    words: Words  # LANE_ROWS rows of a word for each lane
    scratch: Words  # for the one game that is dealt or ended
    actions: Numbers  # the legal actions of one state


@borrowing
def half(cells: np.uint64, stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Draws half of some cells, of an odd number the greater half."""
    count = (popcount(cells) + 1) >> 1
    while True:
        stream, word = next_random(stream)
        if popcount(cells & word) == count:
            return cells & word, stream


@borrowing
def some(cells: np.uint64, count: int, stream: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Draws so many of some cells."""
    chosen = ZERO
    while count > 0:
        stream, word = next_random(stream)
        more = cells & word
        fits = popcount(more) <= count
        chosen |= more if fits else ZERO
        count -= popcount(more) if fits else 0
        cells &= ~word if fits else word
    return chosen, stream


@borrowing
def split(own: Words, cells: Words, randoms: Words, lines: Words) -> None:
    """Splits a seat's cells in each lane by random bits, and keeps the part with the stone that wins."""
    for lane in range(LANES):
        more = own[lane] | (cells[lane] & randoms[lane])
        missing = ~more
        for number in range(RIGID_LINES.shape[0]):
            missing = min(missing, RIGID_LINES[number] & ~more)
        for number in range(BALL_LINES.shape[2]):
            missing = min(missing, lines[number, lane] & ~more)
        won = has_beach(more) | (missing == ZERO)
        own[lane] = own[lane] if won else more
        cells[lane] &= randoms[lane] if won else ~randoms[lane]


@borrowing
def race(
    own: Words, cells: Words, less_0: int, less_1: int, lines: Words, stream: np.uint64
) -> tuple[int, int, np.uint64]:
    """Splits the cells of whoever may win first until the winner and the reason are known; it is -1 if nobody wins.

    The ply of a seat's next stone is twice the number of its stones less the number given for it.
    """
    while True:
        early = 1 if 2 * popcount(own[1]) - less_1 < 2 * popcount(own[0]) - less_0 else 0
        rest = cells[early]
        if not has_several(rest):
            reason = reason_of(own[early] | rest, lines)
            if reason >= 0 or rest == ZERO:
                return early, reason, stream
            own[early] |= rest
            cells[early] = ZERO
            continue
        stream, word = next_random(stream)
        more = own[early] | (rest & word)
        won = has_line(more, lines)
        own[early] = own[early] if won else more
        cells[early] = rest & (word if won else ~word)


@borrowing
def share(state: Words, scratch: Words, stream: np.uint64) -> np.uint64:
    """Draws the cells that each seat fills if nobody wins before."""
    seat = signed(state[TURN])
    empty = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT]))
    scratch[OWN, 0], scratch[OWN, 1] = state[STONES], state[STONES + 1]
    scratch[CELLS, seat], stream = half(empty, stream)
    scratch[CELLS, 1 - seat] = empty ^ scratch[CELLS, seat]
    return stream


@borrowing
def lay(state: Words, own: Words, first: int, stream: np.uint64) -> np.uint64:
    """Lays what a seat has before its next turn, and as many of the other's stones, which then are its own."""
    other = 1 - first
    count = popcount(own[first]) - popcount(state[STONES + first]) + (first ^ signed(state[TURN]))
    # What is known of the other's stones may go beyond this turn; any of them can be those that came before it.
    before = state[STONES + other]
    if popcount(own[other] ^ before) > count:
        laid, stream = some(own[other] ^ before, count, stream)
        own[other] = before | laid
    return stream


@borrowing
def settle(state: Words, rules: Words, scratch: Words, stream: np.uint64) -> np.uint64:
    """Plays a state that waits for a stone to its end, with the stones and cells in the scratch array."""
    own, cells = scratch[OWN], scratch[CELLS]
    lines = LINES[signed(rules[EYE_OPTION]), signed(state[BALL_AT])]
    while True:
        seat = signed(state[TURN])
        less_0, less_1 = 2 * popcount(state[STONES]) - seat, 2 * popcount(state[STONES + 1]) - (1 - seat)
        first, reason, stream = race(own, cells, less_0, less_1, lines, stream)
        stream = lay(state, own, first, stream)
        if rules[VARIANT] == U(MASTER):
            stream = place_tanes(state, own[0], own[1], scratch[TANE_ROWS:], stream)
        state[STONES], state[STONES + 1], state[TURN] = own[0], own[1], first
        if reason >= 0:
            state[STONES + first] |= cells[first]
            state[STEP], state[TURN], state[LAST] = OVER, 1 - first, pack_outcome(first, reason)
            return stream
        if empty_hollows(own[0], own[1], bit(state[BALL_AT])) == ZERO:
            break
        stream = share(state, scratch, stream)
    state[STEP] = OVER
    if rules[VARIANT] == U(BEGINNER):
        state[LAST] = pack_outcome(NOBODY, DRAW)
    else:
        state[LAST] = pack_outcome(marae_winner(state, rules), MARAE)
    return stream


@borrowing
def step(state: Words, rules: Words, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Takes one random action."""
    number, stream = below(legal(state, rules, actions), stream)
    apply(state, rules, actions[number])
    return stream


@borrowing
def place_ball(state: Words, rules: Words, stream: np.uint64) -> np.uint64:
    """Puts the ball into a random one of the hollows that may take it."""
    hollow = rules[MOVED_FROM]
    while hollow == rules[MOVED_FROM]:
        number, stream = below(BALLS.shape[0], stream)
        hollow = BALLS[number]
    state[BALL_AT], state[STEP], state[TURN] = hollow, U(LAY), ONE - state[TURN]
    return stream


@borrowing
def before_stones(state: Words, rules: Words) -> bool:
    """Whether something other than a stone can be next: the ball, a Tane, an answer to the first stone."""
    if state[STEP] == U(LAY):
        return rules[SWAP_OPTION] != ZERO and popcount(state[STONES] | state[STONES + 1]) < 2
    return state[STEP] != U(OVER)


@borrowing
def begin(state: Words, rules: Words, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Plays on until only stones can be next."""
    if state[STEP] == U(PLACE):
        stream = place_ball(state, rules, stream)
    while before_stones(state, rules):
        stream = step(state, rules, actions, stream)
    return stream


@borrowing
def play(state: Words, rules: Words, scratch: Words, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Plays any state to its end at random."""
    stream = begin(state, rules, actions, stream)
    if state[STEP] == U(LAY):
        stream = share(state, scratch, stream)
        stream = settle(state, rules, scratch, stream)
    return stream


@borrowing
def deal_lanes(start: Words, rules: Words, lanes: Lanes, stream: np.uint64) -> np.uint64:
    """Begins a game in each lane; a random bit for each cell says who fills it, as long as both have some left."""
    words, eye = lanes.words, signed(rules[EYE_OPTION])
    for lane in range(LANES):
        state = lanes.states[lane]
        for word in range(STATE_WORDS):
            state[word] = start[word]
        stream = begin(state, rules, lanes.actions, stream)
        empty = empty_hollows(state[STONES], state[STONES + 1], bit(state[BALL_AT]))
        stream, bits = next_random(stream)
        words[OWN_LANES, lane], words[CELL_LANES, lane] = state[STONES], empty & bits
        words[OWN_LANES + 1, lane], words[CELL_LANES + 1, lane] = state[STONES + 1], empty & ~bits
        for number in range(BALL_LINES.shape[2]):
            words[BALL_LANES + number, lane] = BALL_LINES[eye, signed(state[BALL_AT]), number]
    return stream


@borrowing
def split_lanes(words: Words, stream: np.uint64) -> np.uint64:
    """Splits the cells of both seats in each lane several times."""
    randoms, lines = words[RANDOM_LANES], words[BALL_LANES:]
    for _ in range(ROUNDS):
        # The seats have no cell in common, so that one random word splits the cells of both.
        for lane in range(LANES):
            stream, randoms[lane] = next_random(stream)
        for seat in range(2):
            split(words[OWN_LANES + seat], words[CELL_LANES + seat], randoms, lines)
    return stream


@borrowing
def settle_lanes(rules: Words, lanes: Lanes, stream: np.uint64) -> np.uint64:
    """Ends the game of each lane."""
    words, scratch = lanes.words, lanes.scratch
    for lane in range(LANES):
        state = lanes.states[lane]
        for seat in range(2):
            scratch[OWN, seat], scratch[CELLS, seat] = words[OWN_LANES + seat, lane], words[CELL_LANES + seat, lane]
        if state[STEP] == U(LAY):
            stream = settle(state, rules, scratch, stream)
    return stream


@compiled
def playouts(start: Words, rules: Words, games: int, seed: int, ends: Words) -> int:
    """Plays random games from a state and counts the stones; the last of them end as the rows of `ends`."""
    states, words = np.empty((LANES, STATE_WORDS), np.uint64), np.empty((LANE_ROWS, LANES), np.uint64)
    lanes = Lanes(states, words, np.empty(SCRATCH, np.uint64), np.empty(ACTION_COUNT, np.int64))
    stream, stones = U(seed), 0
    for done in range(0, games, LANES):
        stream = deal_lanes(start, rules, lanes, stream)
        stream = split_lanes(words, stream)
        stream = settle_lanes(rules, lanes, stream)
        for lane in range(min(LANES, games - done)):
            stones += popcount(states[lane, STONES] | states[lane, STONES + 1])
            if done + lane >= games - ends.shape[0]:
                ends[(done + lane) % ends.shape[0]] = states[lane]
    return stones
