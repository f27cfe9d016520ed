"""The learned value of a state of MAUW at the start of a turn: what share of the victory each seat can expect.

A small net gives each seat a strength; the shares are the softmax of the strengths. The input of the net is sparse:
each of a few facts about the state (an own column, a card in the own hand, …) is one row of a table, and the rows are
summed up unit by unit. The strength is the sum of the positive parts of the units, weighed, and of the last unit.

The weights of the policy are kept beside those of the value, for each number of players.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from kemu.engines.arrays import dump_arrays, load_arrays
from kemu.engines.compiled import no_refcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.layout import Numbers, Reals, first_place, full_columns, mauw_of, owner_of, score, top_of
from kemu.engines.mauw.policy import Floats, Table
from kemu.games.mauw.state import FULL_COLUMNS, HAND, LEFT_OUT, MOST_MAUW, NINE, NO_FACE, SPIRIT, deck

SHIPPED: Final = Path(__file__).with_name("weights.npz")
"""The weights with which the engine plays."""

UNITS: Final = 16
"""Units of the net, with the linear one, which is the last."""

MOST_CARDS: Final = max(sum(deck(players)) for players in LEFT_OUT)

LEAD_STEP: Final = 6
"""Smallest lead in points over the best other seat that is distinguished from none."""

MOST_LEAD: Final = 20
"""Largest step of lead that is distinguished."""

# Kinds of matches: a column, and a card in a hand that goes well with it
ALIKE, SUM_NINE, UNBLOCK, BLOCK, KINDS_OF_MATCH = range(5)

# Rows of the table
OWN_COLUMN: Final = 0
OTHER_COLUMN: Final = OWN_COLUMN + layout.CODES
OWN_CARD: Final = OTHER_COLUMN + layout.CODES
OTHER_CARD: Final = OWN_CARD + layout.CARDS * (HAND + 1)
DISTANCE: Final = OTHER_CARD + layout.CARDS * (HAND + 1)  # turns until the seat has its turn
LEFT: Final = DISTANCE + layout.MOST_PLAYERS  # cards of the pile and the discard pile
LEAD: Final = LEFT + MOST_CARDS + 1
FULL_PAIR: Final = LEAD + 2 * MOST_LEAD + 1  # full columns of the seat, and the most of another
MATCH: Final = FULL_PAIR + (FULL_COLUMNS + 1) ** 2  # by whose column, whose card and turn, kind, and Mauw
ROWS: Final = MATCH + 8 * KINDS_OF_MATCH * (MOST_MAUW + 1)

MOST_FACTS: Final = layout.MOST_PLAYERS * (layout.PLACES + HAND) + 4 + 2 * layout.PLACES * layout.MOST_PLAYERS**2
"""No seat has more rows in one state."""


class Weights(NamedTuple):
    """The numbers of a value and of a policy."""

    rows: Floats  # of the value, by row and unit
    output: Floats  # of the value, by unit; that of the last one is not used
    policy: Floats  # by row


Nets: TypeAlias = Mapping[int, Weights]
"""Weights for each number of players."""


def write_nets(nets: Nets) -> bytes:
    """Weights as a file of numpy."""
    return dump_arrays(
        {f"{name}{players}": array for players, net in nets.items() for name, array in net._asdict().items()}
    )


def read_nets(data: bytes) -> dict[int, Weights]:
    """Return what `write_nets` wrote."""
    arrays = load_arrays(data)
    return {players: Weights(*(arrays[f"{name}{players}"] for name in Weights._fields)) for players in LEFT_OUT}


@cache
def shipped_nets() -> Nets:
    """The weights with which the engine plays."""
    return read_nets(SHIPPED.read_bytes())


class Units(NamedTuple):
    """Memory for the strength of one seat."""

    facts: Numbers
    sums: Floats


@no_refcount
def lead_row(lead: int) -> int:
    """The row of a lead over the best other seat."""
    steps = (lead + LEAD_STEP * MOST_LEAD + LEAD_STEP // 2) // LEAD_STEP
    return LEAD + min(max(steps, 0), 2 * MOST_LEAD)


@no_refcount
def list_matches(state: Numbers, seat: int, facts: Numbers, count: int) -> int:
    """Appends the rows of columns and cards in hands that go well with them; returns the count of all."""
    for place in range(layout.PLACES * state[layout.PLAYERS]):
        column = state[layout.COLUMNS + place]
        owner, top, mauw = owner_of(place), top_of(column), mauw_of(column)
        value = layout.VALUE_OF[top] if top != NO_FACE else NINE
        if column == 0:
            continue
        for holder in range(state[layout.PLAYERS]):
            if holder != seat and owner != seat:
                continue
            held = layout.HELD + layout.CARDS * holder
            seats = int(owner == seat) + 2 * int(holder == seat) + 4 * int(holder == state[layout.TURN])
            first = MATCH + (MOST_MAUW + 1) * KINDS_OF_MATCH * seats + mauw
            if 0 < value < NINE and state[held + value]:
                facts[count] = first + (MOST_MAUW + 1) * ALIKE
                count += 1
            if 0 < value < NINE and state[held + NINE - value]:
                facts[count] = first + (MOST_MAUW + 1) * SUM_NINE
                count += 1
            if value % NINE == 0 and state[held + SPIRIT] and (holder == owner) == (value == 0):
                facts[count] = first + (MOST_MAUW + 1) * (UNBLOCK if value == 0 else BLOCK)
                count += 1
    return count


@no_refcount
def list_facts(state: Numbers, seat: int, facts: Numbers) -> int:
    """Writes the rows that make up the units of a seat; returns how many they are."""
    count, best, full = 0, -1, 0
    for owner in range(state[layout.PLAYERS]):
        own = owner == seat
        column, card = (OWN_COLUMN, OWN_CARD) if own else (OTHER_COLUMN, OTHER_CARD)
        for place in range(first_place(owner), first_place(owner) + layout.PLACES):
            facts[count] = column + state[layout.COLUMNS + place]
            count += 1
        for each in range(layout.CARDS):
            number = state[layout.HELD + layout.CARDS * owner + each]
            if number:
                facts[count] = card + (HAND + 1) * each + number
                count += 1
        if not own:
            best = max(best, score(state, owner))
            full = max(full, full_columns(state, owner))
    distance = seat - state[layout.TURN]
    facts[count] = DISTANCE + (distance + state[layout.PLAYERS] if distance < 0 else distance)
    facts[count + 1] = LEFT + state[layout.PILED] + state[layout.DISCARDED]
    facts[count + 2] = lead_row(score(state, seat) - best)
    facts[count + 3] = FULL_PAIR + (FULL_COLUMNS + 1) * full_columns(state, seat) + full
    return list_matches(state, seat, facts, count + 4)


@no_refcount
def strength(facts: Numbers, count: int, rows: Table, output: Table, sums: Table) -> float:
    """Return how strong the position of a seat with these facts is; only differences between seats mean something."""
    for unit in range(UNITS):
        sums[unit] = 0.0
    for at in range(count):
        for unit in range(UNITS):
            sums[unit] += rows[facts[at], unit]
    total = sums[UNITS - 1]
    for unit in range(UNITS - 1):
        total += output[unit] * max(sums[unit], np.float32(0.0))
    return float(total)


@no_refcount
def soften(strengths: Reals, count: int) -> None:
    """Turns the strengths of seats, or the logits of actions, into shares that sum up to 1 (softmax)."""
    top = strengths[0]
    for each in range(count):
        top = max(top, strengths[each])
    total = 0.0
    for each in range(count):
        strengths[each] = np.exp(strengths[each] - top)
        total += strengths[each]
    for each in range(count):
        strengths[each] /= total


@no_refcount
def write_shares(state: Numbers, weights: Weights, units: Units, shares: Reals) -> None:
    """Writes the share of the victory that each seat can expect."""
    players = int(state[layout.PLAYERS])
    for seat in range(players):
        count = list_facts(state, seat, units.facts)
        shares[seat] = strength(units.facts, count, weights.rows, weights.output, units.sums)
    soften(shares, players)
