"""Many games of Mū tōrere at once: the rules on two bit masks, compiled; ids and rows of games/mu_torere/encoding.py.

A state is six numbers (see the names below). Point p from 1 to n is bit p - 1 of a mask, and the pūtahi is bit n. The
positions that came up before follow them, each as one number, so that a repetition can be counted.
"""

import sys
from typing import Final, NamedTuple

import numpy as np

from kemu.core.errors import OptionError
from kemu.core.game import Seat
from kemu.engines.arrays import Numbers
from kemu.engines.batch import GOES_ON, OVER, STOPPED, Bytes, Flags, Lanes, Rewards, lane_loops
from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.words import lowest
from kemu.games.mu_torere.encoding import ROWS, MuTorereEncoding
from kemu.games.mu_torere.rules import MEN, OCCURRENCES, OPENING, Position, State

OWN, _, TURN, PLY, LENGTH, PAST, STATE_SIZE = range(7)
"""The numbers of a state: the men of both seats, who is to move, plies and positions.

PLY counts the plies played only as far as the opening rule needs, LENGTH those since the lane began the game. PAST is
how many positions of the past follow these numbers.
"""

FLANKS: Final = ("always", "opening", "never")


class Rules(NamedTuple):
    """The options as numbers."""

    arms: int
    flank: int
    repetition: int
    longest: int


@inlined
def position_code(state: Numbers) -> int:
    """Position and side to move as one number."""
    return state[OWN] | state[OWN + 1] << 20 | state[TURN] << 40


@no_refcount
def occurrences(state: Numbers) -> int:
    """How often the position has come up, this time included."""
    code, count = position_code(state), 1
    for number in range(STATE_SIZE, STATE_SIZE + state[PAST]):
        count += state[number] == code
    return count


@no_refcount
def may_move(state: Numbers, rules: Rules, number: int) -> bool:
    """Whether the action of this id is a legal move, without regard to repetition."""
    arms = rules.arms
    own, other = state[OWN + state[TURN]], state[OWN + 1 - state[TURN]]
    kind, kewai = number // arms, number % arms
    following, before = (kewai + 1) % arms, (kewai + arms - 1) % arms
    start = arms if kind == 1 else kewai
    end = arms if kind == 0 else kewai if kind == 1 else following if kind == 2 else before
    if not own >> start & 1 or (own | other) >> end & 1:
        return False
    flanked = rules.flank == 0 or (rules.flank == 1 and state[PLY] < OPENING)
    return kind != 0 or not flanked or (other >> following | other >> before) & 1 != 0


@no_refcount
def is_legal(state: Numbers, rules: Rules, number: int) -> bool:
    """Whether an id is that of a legal action."""
    return 0 <= number < 4 * rules.arms and may_move(state, rules, number)


@no_refcount
def act(state: Numbers, rules: Rules, number: int, stream: np.uint64) -> np.uint64:
    """Changes a state by a legal action."""
    arms, turn = rules.arms, state[TURN]
    kind, kewai = number // arms, number % arms
    start = arms if kind == 1 else kewai
    end = arms if kind == 0 else kewai if kind == 1 else (kewai + 1) % arms if kind == 2 else (kewai + arms - 1) % arms
    if rules.repetition:
        state[STATE_SIZE + state[PAST]] = position_code(state)
        state[PAST] += 1
    state[OWN + turn] ^= 1 << start | 1 << end
    state[TURN] = 1 - turn
    state[LENGTH] += 1
    if rules.flank == 1 and state[PLY] < OPENING:
        state[PLY] += 1
    return stream


@inlined
def acting(state: Numbers) -> int:
    """The seat that is to act."""
    return state[TURN]


@no_refcount
def mask(state: Numbers, rules: Rules, row: Flags) -> None:
    """Writes the legal actions, without regard to repetition."""
    arms = rules.arms
    for number in range(row.shape[0]):
        row[number] = False
    gap = lowest(~np.uint64(state[OWN] | state[OWN + 1]))
    if gap == arms:
        for kewai in range(arms):
            row[kewai] = may_move(state, rules, kewai)
        return
    following, before = (gap + 1) % arms, (gap + arms - 1) % arms
    for number in (arms + gap, 2 * arms + before, 3 * arms + following):
        row[number] = may_move(state, rules, number)


@no_refcount
def observe(state: Numbers, rules: Rules, seat: int, row: Bytes) -> None:
    """Writes what a seat sees."""
    width = rules.arms + 1
    acts, before = int(state[TURN] == seat), occurrences(state) - 1
    for point in range(width):
        row[point] = state[OWN + seat] >> point & 1
        row[width + point] = state[OWN + 1 - seat] >> point & 1
        row[2 * width + point] = acts
        row[3 * width + point] = before
        row[4 * width + point] = OPENING - state[PLY]


@no_refcount
def begin_game(state: Numbers, rules: Rules, stream: np.uint64) -> np.uint64:
    """Sets a state to the initial one."""
    half = rules.arms // 2
    state[OWN] = (1 << half) - 1
    state[OWN + 1] = ((1 << half) - 1) << half
    state[TURN], state[LENGTH], state[PAST] = 0, 0, 0
    state[PLY] = 0 if rules.flank == 1 else OPENING
    return stream


@no_refcount
def can_move(state: Numbers, rules: Rules) -> bool:
    """Whether there is a legal action, without regard to repetition."""
    arms, own = rules.arms, state[OWN + state[TURN]]
    gap = lowest(~np.uint64(state[OWN] | state[OWN + 1]))
    if gap < arms:
        return (own >> (gap + 1) % arms | own >> (gap + arms - 1) % arms | own >> arms) & 1 != 0
    kewai = 0
    while kewai < arms and not may_move(state, rules, kewai):
        kewai += 1
    return kewai < arms


@no_refcount
def ending(state: Numbers, rules: Rules) -> int:
    """Return whether a game is running, over or truncated."""
    if (rules.repetition and occurrences(state) >= OCCURRENCES) or not can_move(state, rules):
        return OVER
    return STOPPED if state[LENGTH] >= rules.longest else GOES_ON


@no_refcount
def write_rewards(state: Numbers, rules: Rules, rewards: Rewards) -> None:
    """Writes what a game that is over was worth to each seat; one that ends by repetition is a draw."""
    if not (rules.repetition and occurrences(state) >= OCCURRENCES):
        rewards[state[TURN]], rewards[1 - state[TURN]] = -1.0, 1.0


LOOPS: Final = lane_loops(sys.modules[__name__])


def mu_torere_lanes(encoding: MuTorereEncoding) -> Lanes:
    """Return the kernel of a batch for the options of a game."""
    game = encoding.game
    longest = encoding.longest(game.initial())
    rules = Rules(game.arms, FLANKS.index(game.flank), int(game.repetition), longest)

    def row(state: State) -> list[int]:
        if len(state.past) >= longest:
            raise OptionError(f"A batch holds games of at most {longest} plies, not {len(state.past)}.")
        past = [_men(each, 0) | _men(each, 1) << 20 | each.turn << 40 for each in state.past]
        men = [_men(state.position, seat) for seat in (0, 1)]
        return [*men, state.position.turn, state.ply, len(past), len(past), *past]

    assert encoding.shape == (ROWS, game.arms + 1)
    return Lanes(LOOPS, rules, np.zeros(STATE_SIZE + longest * game.repetition, np.int64), row)


def _men(position: Position, seat: Seat) -> int:
    return sum(1 << point for point, man in enumerate(position.points) if man == MEN[seat])
