"""Many games of Mū tōrere at once: the rules on two bit masks, compiled; ids and rows of games/mu_torere/encoding.py.

A state is six numbers (see the names below). Point p from 1 to n is bit p - 1 of a mask, and the pūtahi is bit n. The
positions that came up before stand in a row beside it, each as one number, so that a repetition can be counted.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.errors import OptionError
from kemu.core.game import Seat
from kemu.engines.batch import LEFT_ALONE, Buffers, Bytes, Flags, Numbers, Words, flat
from kemu.engines.compiled import borrowing, compiled, inlined, lowest
from kemu.games.mu_torere.encoding import ROWS, MuTorereEncoding
from kemu.games.mu_torere.rules import MEN, OCCURRENCES, OPENING, Position, State

# The numbers of a state.
OWN: Final = 0  # and 1: the men of the seats
TURN: Final = 2
PLY: Final = 3  # plies played, counted only as far as the opening rule needs
LENGTH: Final = 4  # plies played since the lane began the game
PAST: Final = 5  # how many positions stand in the row of the past
STATE_SIZE: Final = 6

FLANKS: Final = ("always", "opening", "never")


class Rules(NamedTuple):
    """The options as numbers."""

    arms: int
    flank: int
    repetition: int
    longest: int


@inlined
def position_code(state: Numbers) -> int:
    """Who stands where and who moves, as one number."""
    return state[OWN] | state[OWN + 1] << 20 | state[TURN] << 40


@borrowing
def occurrences(state: Numbers, past: Numbers) -> int:
    """How often the position has come up, this time included."""
    code, count = position_code(state), 1
    for number in range(state[PAST]):
        count += past[number] == code
    return count


@borrowing
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


@borrowing
def move(state: Numbers, past: Numbers, rules: Rules, number: int) -> None:
    """Changes a state by a legal action."""
    arms, turn = rules.arms, state[TURN]
    kind, kewai = number // arms, number % arms
    start = arms if kind == 1 else kewai
    end = arms if kind == 0 else kewai if kind == 1 else (kewai + 1) % arms if kind == 2 else (kewai + arms - 1) % arms
    if rules.repetition:
        past[state[PAST]] = position_code(state)
        state[PAST] += 1
    state[OWN + turn] ^= 1 << start | 1 << end
    state[TURN] = 1 - turn
    state[LENGTH] += 1
    if rules.flank == 1 and state[PLY] < OPENING:
        state[PLY] += 1


@borrowing
def mask(state: Numbers, rules: Rules, row: Flags) -> bool:
    """Writes the legal actions, without regard to repetition; returns whether there is one."""
    arms, found = rules.arms, False
    for number in range(row.shape[0]):
        row[number] = False
    gap = lowest(~np.uint64(state[OWN] | state[OWN + 1]))
    if gap == arms:
        for kewai in range(arms):
            row[kewai] = may_move(state, rules, kewai)
            found |= row[kewai]
        return found
    following, before = (gap + 1) % arms, (gap + arms - 1) % arms
    for number in (arms + gap, 2 * arms + before, 3 * arms + following):
        row[number] = may_move(state, rules, number)
        found |= row[number]
    return found


@borrowing
def observe(state: Numbers, past: Numbers, rules: Rules, seat: int, row: Bytes) -> None:
    """Writes what a seat sees."""
    width = rules.arms + 1
    acts, before = int(state[TURN] == seat), occurrences(state, past) - 1
    for point in range(width):
        row[point] = state[OWN + seat] >> point & 1
        row[width + point] = state[OWN + 1 - seat] >> point & 1
        row[2 * width + point] = acts
        row[3 * width + point] = before
        row[4 * width + point] = OPENING - state[PLY]


@borrowing
def begin_game(state: Numbers, rules: Rules) -> None:
    """Sets a state to the initial one."""
    half = rules.arms // 2
    state[OWN] = (1 << half) - 1
    state[OWN + 1] = ((1 << half) - 1) << half
    state[TURN], state[LENGTH], state[PAST] = 0, 0, 0
    state[PLY] = 0 if rules.flank == 1 else OPENING


@compiled
def begin_lanes(states: Numbers, rules: Rules) -> None:
    """Begins a game in every lane."""
    for lane in range(states.shape[0]):
        begin_game(states[lane], rules)


@compiled
def observe_lanes(states: tuple[Numbers, Numbers], rules: Rules, viewer: int, rows: Bytes, buffers: Buffers) -> None:
    """Writes observations, masks and seats of all lanes; `rows` are the observations, flat."""
    for lane in range(rows.shape[0]):
        state = states[0][lane]
        buffers.seats[lane] = state[TURN]
        observe(state, states[1][lane], rules, state[TURN] if viewer < 0 else viewer, rows[lane])
        mask(state, rules, buffers.masks[lane])


@compiled
def first_illegal(states: Numbers, rules: Rules, actions: Numbers) -> int:
    """The first lane whose action is not legal, -1 if there is none."""
    for lane in range(states.shape[0]):
        number = actions[lane]
        if number != LEFT_ALONE and (
            number < 0 or number >= 4 * rules.arms or not may_move(states[lane], rules, number)
        ):
            return lane
    return -1


@borrowing
def end_game(state: Numbers, past: Numbers, rules: Rules, blocked: bool, rewards: NDArray[np.float32]) -> int:
    """Whether a game goes on (0), is over (1) or was stopped (2); writes what it was worth to each seat."""
    if rules.repetition and occurrences(state, past) >= OCCURRENCES:
        return 1
    if blocked:
        rewards[state[TURN]], rewards[1 - state[TURN]] = -1.0, 1.0
        return 1
    return 2 if state[LENGTH] >= rules.longest else 0


@compiled
def step_lanes(
    states: tuple[Numbers, Numbers],
    rules: Rules,
    actions: Numbers,
    viewer: int,
    rows: tuple[Bytes, Bytes],
    buffers: Buffers,
) -> None:
    """Takes a legal action in every lane; `rows` are observations and finals, flat."""
    for lane in range(actions.shape[0]):
        state, past = states[0][lane], states[1][lane]
        rewards, seat, ended = buffers.rewards[lane], state[TURN], 0
        rewards[0], rewards[1] = 0.0, 0.0
        can_move = mask(state, rules, buffers.masks[lane])
        if actions[lane] != LEFT_ALONE:
            move(state, past, rules, actions[lane])
            can_move = mask(state, rules, buffers.masks[lane])
            ended = end_game(state, past, rules, not can_move, rewards)
        buffers.terminated[lane] = ended == 1
        buffers.truncated[lane] = ended == 2
        if ended:
            observe(state, past, rules, seat if viewer < 0 else viewer, rows[1][lane])
            begin_game(state, rules)
            mask(state, rules, buffers.masks[lane])
        buffers.seats[lane] = state[TURN]
        observe(state, past, rules, state[TURN] if viewer < 0 else viewer, rows[0][lane])


class MuTorereKernel:
    """Mū tōrere with its options, for batches."""

    def __init__(self, encoding: MuTorereEncoding) -> None:
        game = encoding.game
        self._rules = Rules(game.arms, FLANKS.index(game.flank), int(game.repetition), encoding.longest(game.initial()))
        assert encoding.shape == (ROWS, game.arms + 1)

    def new_states(self, lanes: int) -> tuple[Numbers, Numbers]:
        """The numbers of the states, and the rows of their past."""
        past = np.zeros((lanes, self._rules.longest if self._rules.repetition else 1), np.int64)
        return np.zeros((lanes, STATE_SIZE), np.int64), past

    def set_state(self, states: tuple[Numbers, Numbers], lane: int, state: State) -> None:
        """Writes a state of the reference rules into a lane; raises OptionError if its past is too long."""
        men = [_men(state.position, seat) for seat in (0, 1)]
        if len(state.past) >= self._rules.longest:
            raise OptionError(f"A batch holds games of at most {self._rules.longest} plies, not {len(state.past)}.")
        for number, position in enumerate(state.past):
            states[1][lane, number] = _men(position, 0) | _men(position, 1) << 20 | position.turn << 40
        states[0][lane] = (*men, state.position.turn, state.ply, len(state.past), len(state.past))

    def begin(self, states: tuple[Numbers, Numbers], streams: Words) -> None:
        """Begins a game in every lane."""
        begin_lanes(states[0], self._rules)

    def observe(self, states: tuple[Numbers, Numbers], viewer: Seat, buffers: Buffers) -> None:
        """Writes observations, masks and seats of all lanes."""
        observe_lanes(states, self._rules, viewer, flat(buffers.observations), buffers)

    def step(
        self, states: tuple[Numbers, Numbers], streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers
    ) -> int:
        """Takes an action in every lane; returns the first lane whose action is not legal, or -1."""
        if (lane := first_illegal(states[0], self._rules, actions)) < 0:
            rows = flat(buffers.observations), flat(buffers.finals)
            step_lanes(states, self._rules, actions, viewer, rows, buffers)
        return lane


def _men(position: Position, seat: Seat) -> int:
    return sum(1 << point for point, man in enumerate(position.points) if man == MEN[seat])
