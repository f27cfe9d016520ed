"""Many games of one kind at once, stepped by compiled code on arrays; importing this imports numba.

Each game has a lane of its own, a row in every array. Nothing of Python runs for a single lane, and what comes of a
lane depends on its seed and its actions alone.
"""

from typing import Any, Final, NamedTuple, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from kemu.core.encoding import Encoding
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import AnyGame, Seat
from kemu.core.manifest import load
from kemu.engines.bit_rows import WORD_BITS, row_bits, set_bit
from kemu.engines.compiled import below, compiled, next_random, popcount
from kemu.games import encoding as encoding_of
from kemu.games import game as make_game
from kemu.games import manifest

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]

LEFT_ALONE: Final = -1
"""The action of a lane that is not to be stepped."""

WHOEVER_ACTS: Final = -1
"""The viewer of a batch whose observations are those of the seat that is to act."""


class Buffers(NamedTuple):
    """What `reset` and `step` write, a row for each lane; make them with `Batch.new_buffers`, and use them again."""

    observations: Bytes  # what the viewer of the batch sees, in the shape of the encoding
    masks: Flags  # by action id: whether the seat that is to act may take it
    seats: Numbers  # the seat that is to act
    rewards: NDArray[np.float32]  # by seat: what the game that this step ended was worth, 0 where it ended none
    terminated: Flags  # whether this step ended a game by its rules; the lane has begun another one
    truncated: Flags  # whether this step stopped a game that went on for too long; the lane has begun another one
    finals: Bytes  # where a game ended: the last observation of it; elsewhere what was there before


class LaneKernel(Protocol):
    """The compiled rules of one game for many lanes, made from the encoding; `kemu.engines.lanes` has one."""

    def new_states(self, lanes: int) -> Any:
        """Return arrays for the states of this number of lanes."""

    def set_state(self, states: Any, lane: int, state: Any) -> None:
        """Write a state of the reference rules into a lane."""

    def begin(self, states: Any, streams: Words) -> None:
        """Begin a game in every lane; the dealer acts first where it is its turn."""

    def observe(self, states: Any, viewer: Seat, buffers: Buffers) -> None:
        """Write observations, masks and seats of all lanes."""

    def step(self, states: Any, streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers) -> int:
        """Take an action in every lane, of the dealer too while it is its turn, and write all buffers.

        Returns the first lane whose action is not legal, and then changes nothing; -1 if there is none.
        """


class Batch:
    """Games of one kind that are played at once; `reset` begins them, `step` takes an action in each.

    A lane whose game ends begins another one in the same step: rewards, terminated, truncated and finals are of the
    game that ended, everything else is of the new one.
    """

    def __init__(self, encoding: Encoding, lanes: int, seed: int = 0, viewer: Seat = WHOEVER_ACTS) -> None:
        path = manifest(encoding.game.key).batch
        if path is None:
            raise OptionError(f"{encoding.game.key} has no batches.")
        if lanes < 1:
            raise OptionError(f"A batch has at least one lane, not {lanes}.")
        if viewer not in (WHOEVER_ACTS, *range(encoding.game.seats)):
            raise OptionError(f"The viewer is a seat from 0 to {encoding.game.seats - 1}, not {viewer}.")
        self.encoding = encoding
        self.lanes = lanes
        self.viewer = viewer
        self._kernel = cast(LaneKernel, load(path)(encoding))
        self._states = self._kernel.new_states(lanes)
        self._streams = np.empty(lanes, np.uint64)
        self._choices = np.empty(lanes, np.uint64)
        self._accepted: Buffers | None = None
        self._seed(seed)
        self._kernel.begin(self._states, self._streams)

    @property
    def game(self) -> AnyGame:
        """The game that is played."""
        return self.encoding.game

    @property
    def action_count(self) -> int:
        """How many action ids there are."""
        return len(self.encoding.actions(0))

    def new_buffers(self) -> Buffers:
        """Buffers for this batch."""
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
        """Begins a game in every lane and returns the buffers it was given, or new ones.

        `seed` is a number for each lane, or one from which the lanes count on; without it random numbers go on.
        """
        if seed is not None:
            self._seed(seed)
        self._kernel.begin(self._states, self._streams)
        buffers = self._checked(buffers)
        for ended in (buffers.rewards, buffers.terminated, buffers.truncated):
            ended[...] = 0
        return self.observe(buffers)

    def step(self, actions: NDArray[Any], buffers: Buffers | None = None) -> Buffers:
        """Takes the action of this id in each lane, none where it is LEFT_ALONE; returns the buffers.

        Raises IllegalAction, and changes no lane, if one of them is not legal.
        """
        buffers, chosen = self._checked(buffers), np.ascontiguousarray(actions, np.int64)
        if chosen.shape != (self.lanes,):
            raise IllegalAction(f"There is one action for each of {self.lanes} lanes, not {chosen.shape}.")
        lane = self._kernel.step(self._states, self._streams, chosen, self.viewer, buffers)
        if lane >= 0:
            raise IllegalAction(f"Action {chosen[lane]} is not legal in lane {lane}.")
        return buffers

    def observe(self, buffers: Buffers | None = None) -> Buffers:
        """Writes observations, masks and seats as they are now; returns the buffers."""
        buffers = self._checked(buffers)
        self._kernel.observe(self._states, self.viewer, buffers)
        return buffers

    def random_actions(self, masks: Flags) -> Numbers:
        """One of the actions that are set for each lane, each equally likely; LEFT_ALONE where none is set.

        Raises OptionError for masks of another shape.
        """
        if masks.shape != (self.lanes, self.action_count):
            raise OptionError(f"Masks have the shape {(self.lanes, self.action_count)}, not {masks.shape}.")
        actions = np.empty(self.lanes, np.int64)
        choose(masks, self._choices, actions)
        return actions

    def set_state(self, lane: int, state: Any) -> None:
        """Sets a lane to a state of the reference rules in which a seat is to act; raises OptionError if none is."""
        if self.game.turn(state) not in range(self.game.seats):
            raise OptionError("A lane waits for the action of a seat; in this state no seat is to act.")
        self._kernel.set_state(self._states, lane, state)

    def _seed(self, seed: ArrayLike) -> None:
        given = np.asarray(seed)
        seeds = given.astype(np.uint64) if given.ndim else np.arange(self.lanes, dtype=np.uint64) + np.uint64(given)
        if seeds.shape != (self.lanes,):
            raise OptionError(f"There is one seed for each of {self.lanes} lanes, not {seeds.shape}.")
        seed_streams(seeds, self._streams, self._choices)

    def _checked(self, buffers: Buffers | None) -> Buffers:
        """The buffers, new ones for None; raises OptionError if compiled code could not write to them."""
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
        OptionError: The game has no such options, no encoding or no batch.
    """
    return Batch(encoding_of(make_game(key, **options)), lanes, seed, viewer)


@compiled
def seed_streams(seeds: Words, streams: Words, choices: Words) -> None:
    """Sets the streams of random words of each lane, one for the dealer and one for random actions, by its seed."""
    for lane in range(seeds.shape[0]):
        place, streams[lane] = next_random(seeds[lane])
        _, choices[lane] = next_random(place)


@compiled
def choose(masks: Flags, streams: Words, actions: Numbers) -> None:
    """Draws one of the ids that are set in each row, LEFT_ALONE where none is."""
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
