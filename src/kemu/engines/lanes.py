"""The loops over the lanes of a batch, compiled for each game; importing this imports numba.

A game supplies a module with the functions of `LaneGame`, each for a single lane; `lane_loops` compiles the loops over
all lanes with these functions in them.
"""

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from kemu.core.game import Seat
from kemu.engines.batch import LEFT_ALONE, Buffers, Bytes, Flags, Numbers, Words
from kemu.engines.compiled import no_refcount

F = TypeVar("F", bound=Callable[..., Any])
State = NDArray[Any]
Rewards = NDArray[np.float32]

GOES_ON: Final = 0
OVER: Final = 1
STOPPED: Final = 2
"""What `LaneGame.ending` returns."""


class LaneGame(Protocol):
    """A module with the compiled functions of one game; a state is a row of numbers, `rules` are the chosen options."""

    def begin_game(self, state: State, rules: Any, stream: np.uint64) -> np.uint64:
        """Set a state to one at the beginning of a game in which a seat is to act; return the stream."""

    def acting(self, state: State) -> Seat:
        """Return the seat that is to act."""

    def observe(self, state: State, rules: Any, seat: Seat, row: Bytes) -> None:
        """Write what a seat sees."""

    def mask(self, state: State, rules: Any, row: Flags) -> None:
        """Write which action ids are legal."""

    def is_legal(self, state: State, rules: Any, number: int) -> bool:
        """Return whether an id, which may be any number, is that of a legal action."""

    def act(self, state: State, rules: Any, number: int, stream: np.uint64) -> np.uint64:
        """Take the legal action of an id, and those of the dealer that follow; return the stream."""

    def ending(self, state: State, rules: Any) -> int:
        """Return GOES_ON, OVER or STOPPED."""

    def write_rewards(self, state: State, rules: Any, rewards: Rewards) -> None:
        """Write what a game that is over was worth to each seat; `rewards` are all 0 before."""


game: Final = cast(LaneGame, None)
"""The module whose functions the loops below call; `lane_loops` puts that of a game in its place."""


def begin_lanes(states: State, rules: Any, streams: Words) -> None:
    """Begin a game in every lane."""
    for lane in range(states.shape[0]):
        streams[lane] = game.begin_game(states[lane], rules, streams[lane])


def observe_lanes(states: State, rules: Any, viewer: Seat, buffers: Buffers) -> None:
    """Write observations, masks and seats of all lanes."""
    for lane in range(states.shape[0]):
        state = states[lane]
        seat = game.acting(state)
        buffers.seats[lane] = seat
        game.observe(state, rules, seat if viewer < 0 else viewer, buffers.observations[lane])
        game.mask(state, rules, buffers.masks[lane])


def first_illegal(states: State, rules: Any, actions: Numbers) -> int:
    """Return the first lane whose action is not legal, -1 if there is none."""
    for lane in range(states.shape[0]):
        if actions[lane] != LEFT_ALONE and not game.is_legal(states[lane], rules, actions[lane]):
            return lane
    return -1


def step_lanes(states: State, rules: Any, streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers) -> None:
    """Take a legal action in every lane; all rewards are 0 before."""
    for lane in range(actions.shape[0]):
        state, ended = states[lane], GOES_ON
        seat = game.acting(state)
        if actions[lane] != LEFT_ALONE:
            streams[lane] = game.act(state, rules, actions[lane], streams[lane])
            ended = game.ending(state, rules)
        buffers.terminated[lane] = ended == OVER
        buffers.truncated[lane] = ended == STOPPED
        if ended != GOES_ON:
            if ended == OVER:
                game.write_rewards(state, rules, buffers.rewards[lane])
            game.observe(state, rules, seat if viewer < 0 else viewer, buffers.finals[lane])
            streams[lane] = game.begin_game(state, rules, streams[lane])
        seat = game.acting(state)
        buffers.seats[lane] = seat
        game.observe(state, rules, seat if viewer < 0 else viewer, buffers.observations[lane])
        game.mask(state, rules, buffers.masks[lane])


class LaneLoops(NamedTuple):
    """The compiled loops of one game."""

    begin: Callable[[State, Any, Words], None]
    observe: Callable[[State, Any, Seat, Buffers], None]
    first_illegal: Callable[[State, Any, Numbers], int]
    step: Callable[[State, Any, Words, Numbers, Seat, Buffers], None]


def lane_loops(module: ModuleType) -> LaneLoops:
    """Return the loops with the functions of a module, see `LaneGame`; they are compiled when they are first called.

    The module becomes a global name of copies of the loops. Functions given as arguments or kept in closures would be
    part of the key in numba's cache, under a name that is new in each process, so that nothing would be found there.
    """

    def with_game(loop: F) -> F:
        copy = FunctionType(loop.__code__, {**globals(), "game": module}, loop.__name__)
        copy.__qualname__ = f"{module.__name__.replace('.', '_')}_{loop.__name__}"
        copy.__module__ = __name__
        return cast(F, no_refcount(copy))

    return LaneLoops(with_game(begin_lanes), with_game(observe_lanes), with_game(first_illegal), with_game(step_lanes))


class Lanes:
    """The kernel of a batch whose loops are those of this module, see `kemu.engines.batch.LaneKernel`."""

    def __init__(self, loops: LaneLoops, rules: Any, blank: State, row: Callable[[Any], Any]) -> None:
        self._loops = loops
        self._rules = rules
        self._blank = blank  # a state before it is set to anything
        self._row = row  # from a state of the reference rules to the numbers of a lane; may raise OptionError

    def new_states(self, lanes: int) -> State:
        """Return an array with a row for each lane."""
        return np.tile(self._blank, (lanes, 1))

    def set_state(self, states: State, lane: int, state: Any) -> None:
        """Write a state of the reference rules into a lane."""
        row = self._row(state)
        states[lane, : len(row)] = row

    def begin(self, states: State, streams: Words) -> None:
        """Begin a game in every lane."""
        self._loops.begin(states, self._rules, streams)

    def observe(self, states: State, viewer: Seat, buffers: Buffers) -> None:
        """Write observations, masks and seats of all lanes."""
        self._loops.observe(states, self._rules, viewer, _flat(buffers))

    def step(self, states: State, streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers) -> int:
        """Take an action in every lane; return the first lane whose action is not legal, or -1."""
        lane = self._loops.first_illegal(states, self._rules, actions)
        if lane < 0:
            buffers.rewards.fill(0)
            self._loops.step(states, self._rules, streams, actions, viewer, _flat(buffers))
        return lane


def _flat(buffers: Buffers) -> Buffers:
    """Return buffers in which all numbers of an observation stand in one row; the same memory."""
    lanes = len(buffers.seats)
    return buffers._replace(
        observations=buffers.observations.reshape(lanes, -1), finals=buffers.finals.reshape(lanes, -1)
    )
