"""Two policies of MAUW on the kernel: playouts by what an action gains at once, and the learned one of the search.

A playout plays a turn to its end by the action that gains most at once, with some noise. Gains are in points of the
score, for the seat that acts: the change of its own score less that of the enemy concerned. An attack counts as if it
were not answered, a gain as if it were placed where it is worth most.

The learned policy says how likely a seat takes each of its actions, by what it sees itself. The chances are the softmax
of a logit for each action, and a logit is the sum of a few rows of one table: which face is played on which column,
what that gains at once, what else the hand holds, how the game stands. Of the hand, only two bits count for an action:
whether it holds the card of the action twice, and whether it holds the card that makes nine with it. So hands.py can
say how likely any hand would have taken an action.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import inlined, no_refcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.kernel import actor, apply, list_choices
from kemu.engines.mauw.layout import Numbers, Reals, first_place, full_columns, mauw_of, owner_of, score, top_of
from kemu.engines.words import below
from kemu.games.mauw.state import COLUMNS as ALL_COLUMNS
from kemu.games.mauw.state import FACE_NAMES, FULL_COLUMNS, MAUI, MOST_MAUW, NINE, NO_FACE, accepted_faces

Floats = NDArray[np.float32]
Table = NDArray[np.floating[Any]]
"""Weights in any precision: a fit has more of it than a search."""

JOKER_COST: Final = 8.0
"""Value of a joker in the hand, in points."""

DECISIVE: Final = 400.0
"""More than any gain: the third full column ends the game, well for the leader and badly for anybody else."""

DEFENCE: Final = 20.0
"""The gain of any answer in an attack, in points."""

NOISE: Final = 10.0
"""Points of noise that are added to a gain at most."""


@no_refcount
def random_card(state: Numbers, stream: np.uint64) -> tuple[int, np.uint64]:
    """Return the dealer's action, each single card of the pile equally likely, and the stream."""
    ticket, stream = below(state[layout.PILED], stream)
    card = 0
    while ticket >= state[layout.PILE + card]:
        ticket -= state[layout.PILE + card]
        card += 1
    return layout.GIVE + card, stream


class Choices(NamedTuple):
    """Buffers for the actions of a seat and a number for each: its gain at once, or its logit or weight in a policy."""

    actions: Numbers
    gains: Reals


@no_refcount
def gaps_of(state: Numbers, seat: int) -> int:
    """Where a gain finds a place in a zone: bit n if a column with n Mauw takes it."""
    gaps = 0
    for place in range(first_place(seat), first_place(seat) + layout.PLACES):
        column = state[layout.COLUMNS + place]
        if layout.TAKES_GAIN[column]:
            gaps |= 1 << mauw_of(column)
    return gaps


@no_refcount
def association_gain(state: Numbers, gaps: int, place: int, face: int) -> int:
    """Return what pairing a face with the top of a column adds to the player's own score."""
    column = state[layout.COLUMNS + place]
    alike = layout.VALUE_OF[top_of(column)] == layout.VALUE_OF[face]
    value = layout.VALUE_OF[face] if alike else NINE
    mauw = mauw_of(column)
    if owner_of(place) == state[layout.TURN] and mauw < MOST_MAUW:
        gaps |= 1 << mauw
    best = layout.BEST_PLACED[value, gaps]
    return 0 if best == layout.NO_PLACE else best


@no_refcount
def play_gain(state: Numbers, gaps: int, place: int, face: int) -> float:
    """Return the immediate gain of a play for the player to act, whose zone has these gaps."""
    column = state[layout.COLUMNS + place]
    top = top_of(column)
    cost = JOKER_COST if face > MAUI else 0.0
    change = (
        layout.WORTHS[column + layout.VALUE_OF[face] + 1] - layout.WORTHS[column]
        if top == NO_FACE
        else layout.BARED[column]
    )
    gain = change if owner_of(place) == state[layout.TURN] else -change
    if top != NO_FACE and layout.VALUE_OF[top] != 0:
        gain += association_gain(state, gaps, place, face)
    return gain - cost


@no_refcount
def placement_gain(state: Numbers, column: int) -> float:
    """Return the immediate gain of placing the gain on a column."""
    seat = state[layout.TURN]
    mauw = mauw_of(state[layout.COLUMNS + first_place(seat) + column])
    face = state[layout.FACE]
    gain = float(layout.PLACED[NINE if face == NO_FACE else layout.VALUE_OF[face], mauw])
    if mauw == MOST_MAUW - 1 and full_columns(state, seat) == FULL_COLUMNS - 1:
        own = score(state, seat) + gain
        for other in range(state[layout.PLAYERS]):
            if other != seat and score(state, other) > own:
                return gain - DECISIVE
        return gain + DECISIVE
    return gain


@no_refcount
def gain_of(state: Numbers, action: int) -> float:
    """Return what placing a gain or answering in an attack gains at once for the seat that acts."""
    if action < layout.ANSWER:
        return placement_gain(state, action - layout.PUT)
    if action >= layout.GIVE_IN:
        return 0.0
    return DEFENCE - JOKER_COST if action == layout.ANSWER + MAUI else DEFENCE


@no_refcount
def finish_turn(state: Numbers, actions: Numbers, stream: np.uint64) -> np.uint64:
    """Play on to the start of the next turn or the end of the game; return the stream. `actions` is a buffer."""
    while state[layout.STEP] != layout.AT_TURN and state[layout.STEP] < layout.OVER:
        if actor(state) == layout.CHANCE:
            action, stream = random_card(state, stream)
        else:
            best = -1e9
            action = 0
            for at in range(list_choices(state, actions, True)):
                ticket, stream = below(1 << 20, stream)
                gain = gain_of(state, actions[at]) + ticket * (NOISE / (1 << 20))
                if gain > best:
                    best = gain
                    action = actions[at]
        apply(state, action)
    return stream


# The learned policy

FACES: Final = len(FACE_NAMES)

# Kinds of actions; a play with a joker has the kind of the play without it + JOKER.
LAY_EMPTY, LAY_BARE, MAKE_NINE, PAIR, UNBLOCK, BLOCK, BLOCK_BY_SPIRIT, ATTACK_NINE, ATTACK_PAIR, JOKER = range(10)
PLACEMENT: Final = 2 * JOKER  # and the Mauw of the column
DEFENDING: Final = PLACEMENT + MOST_MAUW  # with the card itself, with a joker, and giving in
PRESSING: Final = DEFENDING + 3
KINDS: Final = PRESSING + 3

LEAD_STEP: Final = 12
MOST_LEAD: Final = 5
"""Largest step of the lead over the best other seat that is distinguished."""

GAIN_STEP: Final = 4
LEAST_GAIN: Final = -80
GAINS: Final = 48
"""Number of steps of gain that are distinguished, the first from LEAST_GAIN."""

MOST_SEEN: Final = 3
"""More discards of one kind are not told apart."""

FULLS: Final = (FULL_COLUMNS + 1) ** 2
"""Number of pairs of full-column counts."""

LEFT_STEP: Final = 8
LEFTS: Final = 5
"""Number of steps of remaining cards that are distinguished."""

# Rows of the table
PLAYED: Final = 0  # by own or not, column and face
# By kind, Mauw and value: of a gain placed, or of the column under attack.
STAKE: Final = PLAYED + 2 * layout.CODES * FACES
IN_HAND: Final = STAKE + KINDS * (MOST_MAUW + 1) * (NINE + 1)  # by kind, value and the two bits of the hand
GAINED: Final = IN_HAND + 4 * KINDS * (NINE + 1)  # by kind and gain
LEADING: Final = GAINED + KINDS * GAINS  # by kind, full columns to be made by this action or not, and lead
FULL_PAIR: Final = LEADING + 2 * KINDS * (2 * MOST_LEAD + 1)  # by kind, own full columns and the most of another
OWNER: Final = FULL_PAIR + KINDS * FULLS  # by kind, and whether the owner leads, and acts next
LEFT: Final = OWNER + 4 * KINDS  # by kind and cards left
ROOM: Final = LEFT + KINDS * LEFTS  # by kind, and the empty and the bare columns of the seat that take a gain
# By kind, and how many discards have the value, or make nine with it.
SEEN: Final = ROOM + KINDS * (layout.PLACES + 1) ** 2
ROWS: Final = SEEN + KINDS * (MOST_SEEN + 1) ** 2

EACH: Final = 9
"""Number of rows that make up the logit of an action."""

SHARPNESS: Final = 20.0
"""Points of gain by which an action is e times as likely before anything is learned."""


def _kinds_of_plays() -> Numbers:
    """By own or not, packed column and face: the kind of the play, of legal plays only."""
    table = np.zeros((2, layout.CODES, FACES), np.int64)
    for column in ALL_COLUMNS:
        code = layout.pack_column(column)
        for own in (0, 1):
            for face in accepted_faces(column, bool(own)):
                table[own, code, face] = _kind_of_play(bool(own), column.mauw, column.top, face)
    return table


def _kind_of_play(own: bool, mauw: int, top: int, face: int) -> int:
    value = face % 10
    joker = JOKER if face > MAUI else 0
    if top == NO_FACE:
        bare = LAY_BARE if own else BLOCK if value else BLOCK_BY_SPIRIT
        return joker + (bare if mauw else LAY_EMPTY)
    if value == 0:
        return joker + UNBLOCK
    if top % 10 == value:
        return joker + (PAIR if own else ATTACK_PAIR)
    return joker + (MAKE_NINE if own else ATTACK_NINE)


KIND_OF_PLAY: Final = _kinds_of_plays()


def gain_policy() -> Floats:
    """The policy before anything is learned: what gains more at once is likelier."""
    policy = np.zeros(ROWS, np.float32)
    gains = LEAST_GAIN + GAIN_STEP * np.arange(GAINS)
    for kind in range(DEFENDING):
        policy[GAINED + kind * GAINS : GAINED + (kind + 1) * GAINS] = gains / SHARPNESS
    for first in (DEFENDING, PRESSING):
        for kind, gain in ((first, DEFENCE), (first + 1, DEFENCE - JOKER_COST)):
            policy[FULL_PAIR + kind * FULLS : FULL_PAIR + (kind + 1) * FULLS] = gain / SHARPNESS
    return policy


class Standing(NamedTuple):
    """How the game stands for the seat that acts, for all its actions alike."""

    seat: int
    lead: int  # in steps, from 0
    full: int  # own full columns and the most of another, as one number
    best: int  # the other seat with the highest score
    left: int  # cards left, in steps
    room: int  # empty and bare columns that take a gain, as one number
    finishes: bool  # whether one more full column ends the game
    gaps: int  # of the player whose turn it is


@no_refcount
def standing_of(state: Numbers) -> Standing:
    """How the game stands for the seat that acts."""
    seat = actor(state)
    best, points, full = 0, -1, 0
    for other in range(state[layout.PLAYERS]):
        if other != seat:
            full = max(full, full_columns(state, other))
            their = score(state, other)
            if their > points:
                best, points = other, their
    steps = (score(state, seat) - points + LEAD_STEP * MOST_LEAD + LEAD_STEP // 2) // LEAD_STEP
    lead, own = min(max(steps, 0), 2 * MOST_LEAD), full_columns(state, seat)
    left = int(min((state[layout.PILED] + state[layout.DISCARDED]) // LEFT_STEP, LEFTS - 1))
    room = 0
    for place in range(first_place(seat), first_place(seat) + layout.PLACES):
        column = state[layout.COLUMNS + place]
        if layout.TAKES_GAIN[column]:
            room += 1 if column else layout.PLACES + 1
    both, gaps = (FULL_COLUMNS + 1) * own + full, gaps_of(state, state[layout.TURN])
    return Standing(seat, lead, both, best, left, room, own == FULL_COLUMNS - 1, gaps)


@inlined
def hand_bits(numbers: Numbers, first: int, card: int) -> int:
    """The two bits of a hand that count for a card of it: 1 if it is held twice, 2 if what makes nine with it is.

    How many of each card the hand has is in some numbers, from the first on.
    """
    bits = 1 if numbers[first + card] > 1 else 0
    if 0 < card < NINE and numbers[first + NINE - card]:
        bits += 2
    return bits


@inlined
def gain_step(gain: float) -> int:
    """The step of a gain."""
    return min(max((int(gain) - LEAST_GAIN + GAIN_STEP // 2) // GAIN_STEP, 0), GAINS - 1)


@inlined
def seen_pair(state: Numbers, value: int) -> int:
    """How many discards have this value and how many make nine with it, as one number."""
    alike = min(state[layout.DISCARDS + value % NINE], MOST_SEEN)
    other = min(state[layout.DISCARDS + (NINE - value) % NINE], MOST_SEEN)
    return int(alike * (MOST_SEEN + 1) + other)


@inlined
def list_rows(state: Numbers, standing: Standing, action: int, bits: int, rows: Numbers) -> None:
    """Writes the rows that make up the logit of an action, with two bits of the hand; always EACH of them."""
    place, ends = int(state[layout.PLACE]), 0
    if action < layout.PUT:
        place, face = layout.played_place(action), layout.played_face(action)
        own, column = int(owner_of(place) == standing.seat), state[layout.COLUMNS + place]
        kind, value = KIND_OF_PLAY[own, column, face], layout.VALUE_OF[face]
        rows[0] = PLAYED + (own * layout.CODES + column) * FACES + face
        gain = play_gain(state, standing.gaps, place, face)
    elif action < layout.ANSWER:
        place = first_place(standing.seat) + action - layout.PUT
        mauw = mauw_of(state[layout.COLUMNS + place])
        kind, value = PLACEMENT + mauw, NINE if state[layout.FACE] == NO_FACE else layout.VALUE_OF[state[layout.FACE]]
        rows[0] = STAKE + (kind * (MOST_MAUW + 1) + mauw) * (NINE + 1) + value
        gain = placement_gain(state, action - layout.PUT)
        ends = int(standing.finishes and mauw == MOST_MAUW - 1)
    else:
        kind = 2 if action == layout.GIVE_IN else 1 if action == layout.ANSWER + MAUI else 0
        kind += DEFENDING if state[layout.STEP] == layout.DEFEND else PRESSING
        column, value = state[layout.COLUMNS + place], layout.VALUE_OF[state[layout.FACE]]
        rows[0] = STAKE + (kind * (MOST_MAUW + 1) + mauw_of(column)) * (NINE + 1) + layout.VALUE_OF[top_of(column)]
        gain = play_gain(state, standing.gaps, place, state[layout.FACE])
    rows[1] = IN_HAND + 4 * ((NINE + 1) * kind + value) + bits
    rows[2] = GAINED + kind * GAINS + gain_step(gain)
    rows[3] = LEADING + (2 * kind + ends) * (2 * MOST_LEAD + 1) + standing.lead
    rows[4] = FULL_PAIR + kind * FULLS + standing.full
    owner = owner_of(place)
    follows = owner == standing.seat + 1 or (owner == 0 and standing.seat + 1 == state[layout.PLAYERS])
    rows[5] = OWNER + 4 * kind + int(owner == standing.best) + 2 * int(follows)
    rows[6] = LEFT + kind * LEFTS + standing.left
    rows[7] = ROOM + kind * (layout.PLACES + 1) ** 2 + standing.room
    rows[8] = SEEN + kind * (MOST_SEEN + 1) ** 2 + seen_pair(state, value)


@no_refcount
def card_of_action(state: Numbers, action: int) -> int:
    """The card whose bits of the hand count for an action: the one shown, or for a gain the one on top of it."""
    if action < layout.PUT:
        return int(layout.CARD_OF[layout.played_face(action)])
    if action < layout.ANSWER:
        return int(NO_FACE if state[layout.FACE] == NO_FACE else layout.VALUE_OF[state[layout.FACE]])
    return NO_FACE if action == layout.GIVE_IN else action - layout.ANSWER


@no_refcount
def bits_of(state: Numbers, seat: int, action: int) -> int:
    """The two bits of the hand of a seat that count for an action."""
    card = card_of_action(state, action)
    return 0 if card == NO_FACE else hand_bits(state, layout.HELD + layout.CARDS * seat, card)


@no_refcount
def logit(state: Numbers, standing: Standing, action: int, bits: int, policy: Table, rows: Numbers) -> np.floating[Any]:
    """The logit of an action of the seat that acts, for a hand with these bits; `rows` is a buffer of EACH numbers."""
    list_rows(state, standing, action, bits, rows)
    total = policy[rows[0]]
    for at in range(1, EACH):
        total += policy[rows[at]]
    return total


@no_refcount
def list_logits(state: Numbers, policy: Table, choices: Choices, rows: Numbers) -> int:
    """Write the actions of the seat that acts, with the logit and the rows of each; return how many they are."""
    actions, logits = choices
    count = list_choices(state, actions, True)
    if count == 1:
        logits[0] = 0.0
        return count
    standing = standing_of(state)
    for at in range(count):
        bits = bits_of(state, standing.seat, actions[at])
        logits[at] = logit(state, standing, actions[at], bits, policy, rows[at])
    return count
