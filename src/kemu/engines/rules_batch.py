"""Batches of a game that has no compiled functions: the same lanes, stepped by the reference rules.

A state of a lane is one object, so such batches are as fast as Python plays, and any game with an encoding has them.
"""

import random
from bisect import bisect_right
from itertools import accumulate
from math import lcm
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.core.encoding import Encoding, action_ids, payoffs
from kemu.core.game import CHANCE, Seat
from kemu.core.record import SeatLogs
from kemu.engines.arrays import Numbers, Words
from kemu.engines.batch import GOES_ON, LEFT_ALONE, OVER, STOPPED, Buffers, LaneLoops, Lanes

States = NDArray[Any]


class Lane(NamedTuple):
    """A game of a lane: its state, what each seat was told, and how many actions there were."""

    state: Any
    logs: SeatLogs
    length: int = 0


def lanes(encoding: Encoding) -> Lanes:
    """Return the lanes of a game, for a manifest's `batch` or where it has none."""
    blank = np.empty(1, object)
    loops = LaneLoops(_begin, _observe, _first_illegal, _step)

    def row(state: Any) -> States:
        filled = np.empty(1, object)
        filled[0] = _first(encoding, state)
        return filled

    return Lanes(loops, encoding, blank, row)


def _first(encoding: Encoding, state: Any) -> Lane:
    return Lane(state, SeatLogs(encoding.game, tuple(range(encoding.game.seats))))


def _begin(states: States, encoding: Encoding, streams: Words) -> None:
    """Begin a game in every lane."""
    for number in range(len(states)):
        streams[number] = _begin_one(states, number, encoding, int(streams[number]))


def _begin_one(states: States, number: int, encoding: Encoding, stream: int) -> int:
    states[number, 0], stream = _dealt(encoding, _first(encoding, encoding.game.initial()), stream)
    return stream


def _dealt(encoding: Encoding, lane: Lane, stream: int) -> tuple[Lane, int]:
    """Return a game after the dealer has acted for as long as it is its turn, and the stream of random numbers."""
    if encoding.game.turn(lane.state) != CHANCE:
        return lane, stream
    dice = random.Random(stream)
    while encoding.game.turn(lane.state) == CHANCE:
        odds = encoding.game.odds(lane.state)
        whole = lcm(*(chance.denominator for _, chance in odds))
        shares = list(accumulate(int(chance * whole) for _, chance in odds))
        ticket = dice.randrange(whole)
        lane = _after(encoding, lane, odds[bisect_right(shares, ticket)][0])
    return lane, dice.getrandbits(64)


def _after(encoding: Encoding, lane: Lane, action: Any) -> Lane:
    state = encoding.game.apply(lane.state, action)
    return Lane(state, lane.logs.after(lane.state, action), lane.length + 1)


def _seat(encoding: Encoding, lane: Lane) -> Seat:
    seat = encoding.game.turn(lane.state)
    assert seat is not None, "a lane whose game is over has begun another"
    return seat


def _legal(encoding: Encoding, lane: Lane) -> list[int]:
    ids = action_ids(encoding, _seat(encoding, lane))
    return [ids[action] for action in encoding.game.actions(lane.state)]


def _write(states: States, number: int, encoding: Encoding, viewer: Seat, buffers: Buffers) -> None:
    """Write observation, mask and seat of a lane."""
    lane = states[number, 0]
    seat = _seat(encoding, lane)
    buffers.seats[number] = seat
    buffers.observations[number] = _observed(encoding, lane, seat if viewer < 0 else viewer)
    buffers.masks[number] = False
    buffers.masks[number, _legal(encoding, lane)] = True


def _observed(encoding: Encoding, lane: Lane, seat: Seat) -> NDArray[np.uint8]:
    return np.frombuffer(encoding.observation(encoding.game.view(lane.state, seat), seat), np.uint8)


def _observe(states: States, encoding: Encoding, viewer: Seat, buffers: Buffers) -> None:
    for number in range(len(states)):
        _write(states, number, encoding, viewer, buffers)


def _first_illegal(states: States, encoding: Encoding, actions: Numbers) -> int:
    """Return the first lane whose action is not legal, -1 if there is none."""
    for number, action in enumerate(actions):
        if action != LEFT_ALONE and action not in _legal(encoding, states[number, 0]):
            return number
    return -1


def _step(states: States, encoding: Encoding, streams: Words, actions: Numbers, viewer: Seat, buffers: Buffers) -> None:
    """Take a legal action in every lane; all rewards are 0 before."""
    for number, action in enumerate(actions):
        ended, lane = GOES_ON, states[number, 0]
        seat = _seat(encoding, lane)
        if action != LEFT_ALONE:
            lane = _after(encoding, lane, encoding.actions(seat)[action])
            states[number, 0], stream = _dealt(encoding, lane, int(streams[number]))
            streams[number] = stream
            ended = _ending(encoding, states[number, 0])
        buffers.terminated[number] = ended == OVER
        buffers.truncated[number] = ended == STOPPED
        if ended != GOES_ON:
            _end(states, number, encoding, seat if viewer < 0 else viewer, buffers)
            streams[number] = _begin_one(states, number, encoding, int(streams[number]))
        _write(states, number, encoding, viewer, buffers)


def _end(states: States, number: int, encoding: Encoding, viewer: Seat, buffers: Buffers) -> None:
    """Write what a game that ended was worth and what was last seen of it."""
    lane = states[number, 0]
    outcome = encoding.game.outcome(lane.state)
    if outcome is not None:
        buffers.rewards[number] = payoffs(encoding, outcome)
    buffers.finals[number] = _observed(encoding, lane, viewer)


def _ending(encoding: Encoding, lane: Lane) -> int:
    if encoding.game.outcome(lane.state) is not None:
        return OVER
    return STOPPED if lane.length >= encoding.longest(encoding.game.initial()) else GOES_ON
