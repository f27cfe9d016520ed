"""The learned value of a state of MAUW at the start of a turn: what share of the victory each seat can expect.

A small net gives each seat a strength; the shares are the softmax of the strengths. The input of the net is sparse:
each of a few facts about the state (an own column, a card in the own hand, …) is one row of a table, and the rows are
summed up unit by unit. The strength is the sum of the positive parts of the units, weighed, and of the last unit.
"""

from typing import Final, NamedTuple

import numpy as np

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
    mauw_of,
    owner_of,
    top_of,
)
from kemu.engines.mauw.legal import full_columns, score
from kemu.engines.mauw.tables import CODES, VALUE_OF
from kemu.engines.mauw.weights import Floats, Weights
from kemu.games.mauw.state import FULL_COLUMNS, HAND, LEFT_OUT, MOST_MAUW, NINE, NO_FACE, SPIRIT, deck

UNITS: Final = 16
"""Units of the net, with the linear one, which is the last."""

MOST_CARDS: Final = max(sum(deck(players)) for players in LEFT_OUT)

LEAD_STEP: Final = 6
"""So many points of lead over the best other seat are told apart from none."""

MOST_LEAD: Final = 20
"""More than so many steps of lead are not told apart."""

# Kinds of matches: a column, and a card in a hand that goes well with it
ALIKE: Final = 0
SUM_NINE: Final = 1
UNBLOCK: Final = 2
BLOCK: Final = 3
KINDS_OF_MATCH: Final = 4

# Rows of the table
OWN_COLUMN: Final = 0
OTHER_COLUMN: Final = OWN_COLUMN + CODES
OWN_CARD: Final = OTHER_COLUMN + CODES
OTHER_CARD: Final = OWN_CARD + CARDS * (HAND + 1)
DISTANCE: Final = OTHER_CARD + CARDS * (HAND + 1)  # turns until the seat has its turn
LEFT: Final = DISTANCE + MOST_PLAYERS  # cards of the pile and the discard pile
LEAD: Final = LEFT + MOST_CARDS + 1
FULL_PAIR: Final = LEAD + 2 * MOST_LEAD + 1  # full columns of the seat, and the most of another
MATCH: Final = FULL_PAIR + (FULL_COLUMNS + 1) ** 2  # by whose column, whose card and turn, kind, and Mauw
ROWS: Final = MATCH + 8 * KINDS_OF_MATCH * (MOST_MAUW + 1)

MOST_FACTS: Final = MOST_PLAYERS * (PLACES + HAND) + 4 + 2 * PLACES * MOST_PLAYERS**2
"""No seat has more rows in one state."""


class Units(NamedTuple):
    """Memory for the strength of one seat."""

    facts: Numbers
    sums: Floats


@borrowing
def lead_row(lead: int) -> int:
    """The row of a lead over the best other seat."""
    steps = (lead + LEAD_STEP * MOST_LEAD + LEAD_STEP // 2) // LEAD_STEP
    return LEAD + min(max(steps, 0), 2 * MOST_LEAD)


@borrowing
def list_matches(state: Numbers, seat: int, facts: Numbers, count: int) -> int:
    """Appends the rows of columns and cards in hands that go well with them; returns the count of all."""
    for place in range(PLACES * state[PLAYERS]):
        column = state[COLUMNS + place]
        owner, top, mauw = owner_of(place), top_of(column), mauw_of(column)
        value = VALUE_OF[top] if top != NO_FACE else NINE
        if column == 0:
            continue
        for holder in range(state[PLAYERS]):
            if holder != seat and owner != seat:
                continue
            held = HELD + CARDS * holder
            seats = int(owner == seat) + 2 * int(holder == seat) + 4 * int(holder == state[TURN])
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


@borrowing
def list_facts(state: Numbers, seat: int, facts: Numbers) -> int:
    """Writes the rows that make up the units of a seat; returns how many they are."""
    count, best, full = 0, -1, 0
    for owner in range(state[PLAYERS]):
        own = owner == seat
        column, card = (OWN_COLUMN, OWN_CARD) if own else (OTHER_COLUMN, OTHER_CARD)
        for place in range(first_place(owner), first_place(owner) + PLACES):
            facts[count] = column + state[COLUMNS + place]
            count += 1
        for each in range(CARDS):
            number = state[HELD + CARDS * owner + each]
            if number:
                facts[count] = card + (HAND + 1) * each + number
                count += 1
        if not own:
            best = max(best, score(state, owner))
            full = max(full, full_columns(state, owner))
    distance = seat - state[TURN]
    facts[count] = DISTANCE + (distance + state[PLAYERS] if distance < 0 else distance)
    facts[count + 1] = LEFT + state[PILED] + state[DISCARDED]
    facts[count + 2] = lead_row(score(state, seat) - best)
    facts[count + 3] = FULL_PAIR + (FULL_COLUMNS + 1) * full_columns(state, seat) + full
    return list_matches(state, seat, facts, count + 4)


@borrowing
def strength(state: Numbers, seat: int, weights: Weights, units: Units) -> float:
    """How strong the position of a seat is; only the differences between seats mean something."""
    facts, sums = units
    for unit in range(UNITS):
        sums[unit] = 0.0
    for at in range(list_facts(state, seat, facts)):
        for unit in range(UNITS):
            sums[unit] += weights.rows[facts[at], unit]
    total = sums[UNITS - 1]
    for unit in range(UNITS - 1):
        total += weights.output[unit] * max(sums[unit], np.float32(0.0))
    return float(total)


@borrowing
def soften(strengths: Reals, players: int) -> None:
    """Turns the strengths of the seats into their shares of the victory (softmax)."""
    top = strengths[0]
    for seat in range(players):
        top = max(top, strengths[seat])
    total = 0.0
    for seat in range(players):
        strengths[seat] = np.exp(strengths[seat] - top)
        total += strengths[seat]
    for seat in range(players):
        strengths[seat] /= total


@borrowing
def write_shares(state: Numbers, weights: Weights, units: Units, shares: Reals) -> None:
    """Writes the share of the victory that each seat can expect."""
    players = int(state[PLAYERS])
    for seat in range(players):
        shares[seat] = strength(state, seat, weights, units)
    soften(shares, players)
