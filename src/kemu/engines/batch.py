"""Many games of one kind at once, stepped by compiled code on arrays; importing this imports numba.

Each game has a lane of its own, a row in every array. Nothing of Python runs for a single lane, and the content of a
lane depends on its seed and its actions alone. A game supplies a module with the functions of `LaneGame`, each for a
single lane; `lane_loops` compiles the loops over all lanes with these functions in them.
"""

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any, Final, NamedTuple, Protocol, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kemu.core.encoding import Encoding
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import AnyGame, Seat
from kemu.core.manifest import load
from kemu.engines.arrays import Numbers, Words
from kemu.engines.compiled import compiled, no_refcount
from kemu.engines.words import WORD_BITS, below, next_random, popcount, row_bits, set_bit
from kemu.games import encoding as encoding_of
from kemu.games import game as make_game
from kemu.games import manifest

F = TypeVar("F", bound=Callable[..., Any])
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
State = NDArray[Any]
Rewards = NDArray[np.float32]

LEFT_ALONE: Final = -1
"""The action of a lane that is not to be stepped."""

WHOEVER_ACTS: Final = -1
"""The viewer of a batch whose observations are those of the seat that is to act."""

BY_RULES: Final = "kemu.engines.rules_batch:lanes"
"""The lanes of a game that has no compiled functions."""

GOES_ON, OVER, STOPPED = range(3)
"""Return values of `LaneGame.ending`."""


class Buffers(NamedTuple):
    """The arrays that `reset` and `step` write, a row for each lane, made by `Batch.new_buffers` and used again."""

    observations: Bytes  # what the viewer of the batch sees, in the shape of the encoding
    masks: Flags  # by action id: whether the seat that is to act may take it
    seats: Numbers  # the seat that is to act
    rewards: Rewards  # by seat: what the game that this step ended was worth, 0 where it ended none
    terminated: Flags  # whether this step ended a game by its rules; the lane has begun another one
    truncated: Flags  # whether this step stopped a game that went on for too long; the lane has begun another one
    finals: Bytes  # where a game ended: the last observation of it; elsewhere what was there before


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


class Lanes(NamedTuple):
    """The compiled game that a batch plays, as the manifest's `batch` makes it from an encoding."""

    loops: LaneLoops
    rules: Any  # the options of the game, as its compiled functions take them
    blank: State  # a state before it is set to anything
    row: Callable[[Any], Any]  # from a state of the reference rules to the numbers of a lane; may raise OptionError


class Batch:
    """Games of one kind that are played at once; `reset` begins them, `step` takes an action in each.

    A lane whose game ends begins another one in the same step: rewards, terminated, truncated and finals are of the
    game that ended, everything else is of the new one.
    """

    def __init__(self, encoding: Encoding, lanes: int, seed: int = 0, viewer: Seat = WHOEVER_ACTS) -> None:
        path = manifest(encoding.game.key).batch or BY_RULES
        if lanes < 1:
            raise OptionError(f"A batch has at least one lane, not {lanes}.")
        if viewer not in (WHOEVER_ACTS, *range(encoding.game.seats)):
            raise OptionError(f"The viewer is a seat from 0 to {encoding.game.seats - 1}, not {viewer}.")
        self.encoding = encoding
        self.lanes = lanes
        self.viewer = viewer
        self._game: Lanes = load(path)(encoding)
        self._states = np.tile(self._game.blank, (lanes, 1))
        self._streams = np.empty(lanes, np.uint64)
        self._choices = np.empty(lanes, np.uint64)
        self._accepted: Buffers | None = None
        self._begin(seed)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.encoding.game

    @property
    def action_count(self) -> int:
        """How many action ids there are."""
        return len(self.encoding.actions(0))

    def new_buffers(self) -> Buffers:
        """Return buffers for this batch."""
        observations = np.zeros((self.lanes, *self.encoding.shape), np.uint8)
        return Buffers(
            observations=observations,
            masks=np.zeros((self.lanes, self.action_count), np.bool_),
            seats=np.zeros(self.lanes, np.int64),
            rewards=np.zeros((self.lanes, self.game.seats), np.float32),
            terminated=np.zeros(self.lanes, np.bool_),
            truncated=np.zeros(self.lanes, np.bool_),
            finals=np.zeros_like(observations),
        )

    def reset(self, seed: ArrayLike | None = None, buffers: Buffers | None = None) -> Buffers:
        """Begin a game in every lane and return the buffers it was given, or new ones.

        `seed` is a number for each lane, or one from which those of the lanes follow; without it the
        random streams continue.
        """
        self._begin(seed)
        buffers = self._checked(buffers)
        for ended in (buffers.rewards, buffers.terminated, buffers.truncated):
            ended[...] = 0
        return self.observe(buffers)

    def step(self, actions: NDArray[Any], buffers: Buffers | None = None) -> Buffers:
        """Take the action of this id in each lane, none where it is LEFT_ALONE, and return the buffers.

        Raises IllegalAction, and changes no lane, if one of them is not legal.
        """
        buffers, chosen = self._checked(buffers), np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.lanes,):
            raise IllegalAction(f"There is one action for each of {self.lanes} lanes, not {chosen.shape}.")
        loops, rules = self._game.loops, self._game.rules
        lane = loops.first_illegal(self._states, rules, chosen)
        if lane >= 0:
            raise IllegalAction(f"Action {chosen[lane]} is not legal in lane {lane}.")
        buffers.rewards.fill(0)
        loops.step(self._states, rules, self._streams, chosen, self.viewer, _flat(buffers))
        return buffers

    def observe(self, buffers: Buffers | None = None) -> Buffers:
        """Write observations, masks and seats as they are now, and return the buffers."""
        buffers = self._checked(buffers)
        self._game.loops.observe(self._states, self._game.rules, self.viewer, _flat(buffers))
        return buffers

    def random_actions(self, masks: Flags) -> Numbers:
        """Return one of the actions that are set for each lane, each equally likely; LEFT_ALONE where none is set.

        Raises OptionError for masks of another shape.
        """
        if masks.shape != (self.lanes, self.action_count):
            raise OptionError(f"Masks have the shape {(self.lanes, self.action_count)}, not {masks.shape}.")
        actions = np.empty(self.lanes, np.int64)
        choose(masks, self._choices, actions)
        return actions

    def set_state(self, lane: int, state: Any) -> None:
        """Set a lane to a state of the reference rules in which a seat is to act; raises OptionError if none is."""
        if self.game.turn(state) not in range(self.game.seats):
            raise OptionError("A lane waits for the action of a seat; in this state no seat is to act.")
        row = self._game.row(state)
        self._states[lane, : len(row)] = row

    def _begin(self, seed: ArrayLike | None) -> None:
        """Begin a game in every lane, with new streams of random words if there is a seed."""
        if seed is not None:
            given = np.asarray(seed)
            seeds = given.astype(np.uint64) if given.ndim else np.arange(self.lanes, dtype=np.uint64) + np.uint64(given)
            if seeds.shape != (self.lanes,):
                raise OptionError(f"There is one seed for each of {self.lanes} lanes, not {seeds.shape}.")
            seed_streams(seeds, self._streams, self._choices)
        self._game.loops.begin(self._states, self._game.rules, self._streams)

    def _checked(self, buffers: Buffers | None) -> Buffers:
        """Return the buffers, new ones for None; raises OptionError if compiled code could not write to them."""
        if buffers is None:
            return self.new_buffers()
        if buffers is not self._accepted:
            arrays: tuple[NDArray[Any], ...] = buffers
            wanted: tuple[NDArray[Any], ...] = self.new_buffers()
            for given, needed in zip(arrays, wanted, strict=True):
                alike = given.shape == needed.shape and given.dtype == needed.dtype
                if not (alike and given.flags.c_contiguous and given.flags.writeable):
                    raise OptionError("These buffers are of another kind; make them with the batch's new_buffers.")
            self._accepted = buffers
        return buffers


def _flat(buffers: Buffers) -> Buffers:
    """Return buffers in which all numbers of an observation stand in one row; the same memory."""
    lanes = len(buffers.seats)
    return buffers._replace(
        observations=buffers.observations.reshape(lanes, -1), finals=buffers.finals.reshape(lanes, -1)
    )


def batch(key: str, lanes: int, /, *, seed: int = 0, viewer: Seat = WHOEVER_ACTS, **options: Any) -> Batch:
    """Make many games of one kind that are stepped at once.

    Args:
        key: The key of the game.
        lanes: How many games there are.
        seed: What makes the dealer's cards and random actions repeatable; each lane has its own stream.
        viewer: Whose observations are written; those of the seat that is to act if missing.
        options: The options of the game.

    Returns:
        A batch whose lanes stand at the beginning of their first games.

    Raises:
        UnknownGame: No game has this key.
        OptionError: The game has no such options, or no encoding.
    """
    return Batch(encoding_of(make_game(key, **options)), lanes, seed, viewer)


@compiled
def seed_streams(seeds: Words, streams: Words, choices: Words) -> None:
    """Set the streams of random words of each lane, one for the dealer and one for random actions, by its seed."""
    for lane in range(seeds.shape[0]):
        place, streams[lane] = next_random(seeds[lane])
        _, choices[lane] = next_random(place)


@compiled
def choose(masks: Flags, streams: Words, actions: Numbers) -> None:
    """Draw one of the ids that are set in each row, LEFT_ALONE where none is."""
    for lane in range(masks.shape[0]):
        row = masks[lane]
        count = 0
        for start in range(0, row.shape[0], WORD_BITS):
            count += popcount(row_bits(row, start))
        if count == 0:
            actions[lane] = LEFT_ALONE
            continue
        ticket, streams[lane] = below(count, streams[lane])
        start, word = 0, row_bits(row, 0)
        while ticket >= popcount(word):
            ticket -= popcount(word)
            start += WORD_BITS
            word = row_bits(row, start)
        actions[lane] = start + set_bit(word, ticket)
