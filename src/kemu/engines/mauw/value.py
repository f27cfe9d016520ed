"""The learned value of a state of MAUW at the start of a turn: what share of the victory each seat can expect.

A small net gives each seat a strength; the shares are the softmax of the strengths. The input of the net is sparse:
each of a few facts about the state (an own column, a card in the own hand, …) is one row of a table, the rows are
summed up, and the output is the sum of the positive parts of the units, weighed, and of one linear unit, the last.
"""

import io
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import borrowing
from kemu.engines.mauw.layout import (
    CARDS,
    COLUMNS,
    DISCARDED,
    HELD,
    MOST_PLAYERS,
    PILED,
    PLACES,
    PLAYERS,
    TURN,
    Numbers,
    Reals,
    first_place,
)
from kemu.engines.mauw.legal import full_columns, score
from kemu.engines.mauw.tables import CODES
from kemu.games.mauw.state import FULL_COLUMNS, HAND, LEFT_OUT, deck

Floats = NDArray[np.float32]

UNITS: Final = 16
"""Units of the net, with the linear one."""

SHIPPED: Final = Path(__file__).with_name("value.npz")
"""The weights with which the engine plays."""

MOST_CARDS: Final = max(sum(deck(players)) for players in LEFT_OUT)
LEAD_STEP: Final = 6
"""Points of lead over the best other seat that are one fact."""

MOST_LEAD: Final = 20
"""So many steps of lead or more are one fact."""

# Rows of the table
OWN_COLUMN: Final = 0
OTHER_COLUMN: Final = OWN_COLUMN + CODES
OWN_CARD: Final = OTHER_COLUMN + CODES
OTHER_CARD: Final = OWN_CARD + CARDS * (HAND + 1)
DISTANCE: Final = OTHER_CARD + CARDS * (HAND + 1)  # turns until the seat has its turn
LEFT: Final = DISTANCE + MOST_PLAYERS  # cards of the pile and the discard pile
LEAD: Final = LEFT + MOST_CARDS + 1
FULL_PAIR: Final = LEAD + 2 * MOST_LEAD + 1  # full columns of the seat and of the best other
ROWS: Final = FULL_PAIR + (FULL_COLUMNS + 1) ** 2


class Weights(NamedTuple):
    """The numbers of a net."""

    rows: Floats  # by row and unit
    output: Floats  # by unit


Nets: TypeAlias = Mapping[int, Weights]
"""A net for each number of players."""


class Sums(NamedTuple):
    """Memory for the units of every seat."""

    own: Floats  # by seat and unit
    other: Floats  # by seat and unit: what the seat adds to the units of each other one


def write_nets(nets: Nets) -> bytes:
    """Nets as a file of numpy."""
    file = io.BytesIO()
    arrays = {f"{field}{players}": array for players, net in nets.items() for field, array in net._asdict().items()}
    np.savez_compressed(file, **arrays)
    return file.getvalue()


def read_nets(data: bytes) -> Nets:
    """The inverse of `write_nets`."""
    with np.load(io.BytesIO(data)) as arrays:
        return {players: Weights(arrays[f"rows{players}"], arrays[f"output{players}"]) for players in LEFT_OUT}


@cache
def shipped_nets() -> Nets:
    """The nets with which the engine plays."""
    return read_nets(SHIPPED.read_bytes())


@borrowing
def add_row(weights: Weights, row: int, sums: Floats, at: int) -> None:
    """Adds a row of the table to the units of a seat."""
    for unit in range(UNITS):
        sums[at, unit] += weights.rows[row, unit]


@borrowing
def add_zone(state: Numbers, seat: int, weights: Weights, sums: Sums) -> None:
    """Writes what the columns and the hand of a seat add to its own units and to those of the others."""
    for unit in range(UNITS):
        sums.own[seat, unit] = 0.0
        sums.other[seat, unit] = 0.0
    for place in range(first_place(seat), first_place(seat) + PLACES):
        column = state[COLUMNS + place]
        add_row(weights, OWN_COLUMN + column, sums.own, seat)
        add_row(weights, OTHER_COLUMN + column, sums.other, seat)
    for card in range(CARDS):
        number = state[HELD + CARDS * seat + card]
        if number:
            add_row(weights, OWN_CARD + (HAND + 1) * card + number, sums.own, seat)
            add_row(weights, OTHER_CARD + (HAND + 1) * card + number, sums.other, seat)


@borrowing
def lead_row(lead: int) -> int:
    """The row of a lead over the best other seat."""
    steps = (lead + LEAD_STEP * MOST_LEAD + LEAD_STEP // 2) // LEAD_STEP
    return LEAD + min(max(steps, 0), 2 * MOST_LEAD)


@borrowing
def add_position(state: Numbers, seat: int, weights: Weights, sums: Sums) -> None:
    """Adds what depends on all seats to the units of one."""
    players = state[PLAYERS]
    best, full = -1000, 0
    for other in range(players):
        if other != seat:
            best = max(best, score(state, other))
            full = max(full, full_columns(state, other))
    distance = seat - state[TURN]
    distance = distance + players if distance < 0 else distance
    add_row(weights, DISTANCE + distance, sums.own, seat)
    add_row(weights, LEFT + state[PILED] + state[DISCARDED], sums.own, seat)
    add_row(weights, lead_row(score(state, seat) - best), sums.own, seat)
    add_row(weights, FULL_PAIR + (FULL_COLUMNS + 1) * full_columns(state, seat) + full, sums.own, seat)
    for other in range(players):
        if other != seat:
            for unit in range(UNITS):
                sums.own[seat, unit] += sums.other[other, unit]


@borrowing
def write_shares(state: Numbers, weights: Weights, sums: Sums, shares: Reals) -> None:
    """Writes the share of the victory that each seat can expect."""
    players = state[PLAYERS]
    for seat in range(players):
        add_zone(state, seat, weights, sums)
    top = -1e9
    for seat in range(players):
        add_position(state, seat, weights, sums)
        strength = sums.own[seat, UNITS - 1]
        for unit in range(UNITS - 1):
            strength += weights.output[unit] * max(sums.own[seat, unit], np.float32(0.0))
        shares[seat] = strength
        top = max(top, shares[seat])
    total = 0.0
    for seat in range(players):
        shares[seat] = np.exp(shares[seat] - top)
        total += shares[seat]
    for seat in range(players):
        shares[seat] /= total
