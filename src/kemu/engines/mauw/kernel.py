"""The rules of MAUW on one small array, compiled; equal to the reference rules by differential tests.

States and actions are written as layout.py says.
"""

import numpy as np

from kemu.engines.compiled import ONE, borrowing, lowest
from kemu.engines.mauw.layout import (
    ANSWER,
    ANSWERED,
    AT_PUT,
    AT_TURN,
    ATTACKS,
    CHANCE,
    COLUMNS,
    DEAL,
    DEFEND,
    DISCARD,
    DISCARDED,
    DISCARDS,
    DRAW,
    FACE,
    FACES,
    GIVE,
    GIVE_IN,
    HELD,
    KINDS,
    LIMIT,
    NO_CARDS,
    NOBODY,
    OVER,
    PARRY,
    PILE,
    PILED,
    PLACE,
    PLACES,
    PLAYERS,
    PRESS,
    PUT,
    REFILL,
    SIZES,
    STEP,
    TAKE,
    THREE_COLUMNS,
    TURN,
    TURNS,
)
from kemu.engines.mauw.tables import (
    CARD_OF,
    CARDS,
    DECKS,
    FULL,
    PLAYABLE,
    TAKES_GAIN,
    TOPS,
    VALUE_OF,
    WARRIOR_ON_TOP,
    WELCOME,
    WORTHS,
    Numbers,
)
from kemu.games.mauw.cards import MAUI, NOTHING
from kemu.games.mauw.state import HAND
from kemu.games.mauw.turns import MOST_ATTACKS, MOST_TURNS
from kemu.games.mauw.zones import FULL_COLUMNS


@borrowing
def actor(state: Numbers) -> int:
    """Who acts: a seat, CHANCE, or NOBODY once the game is over."""
    step = state[STEP]
    if step in (AT_TURN, AT_PUT, PRESS):
        return int(state[TURN])
    if step == DEFEND:
        return int(state[PLACE]) >> 2
    return NOBODY if step >= OVER else CHANCE


@borrowing
def plays(state: Numbers, place: int) -> np.uint64:
    """The faces that the player whose turn it is may play on a place, as bits."""
    seat = state[TURN]
    return WELCOME[int(place >> 2 == seat), state[COLUMNS + place]] & PLAYABLE[state[KINDS + seat]]


@borrowing
def list_plays(state: Numbers, actions: Numbers) -> int:
    """Writes the plays, or the discarding of the hand if there is none, and says how many they are."""
    count = 0
    for place in range(PLACES * state[PLAYERS]):
        rest = plays(state, place)
        while rest:
            actions[count] = FACES * place + lowest(rest)
            count += 1
            rest &= rest - ONE
    if count == 0:
        actions[0] = DISCARD
        count = 1
    return count


@borrowing
def list_answers(state: Numbers, actions: Numbers) -> int:
    """Writes the answers in an attack and says how many they are: an identical card or a joker (R6), or giving in."""
    count = 0
    held = HELD + CARDS * actor(state)
    if state[STEP] == DEFEND or state[ATTACKS] < MOST_ATTACKS:
        value = VALUE_OF[state[FACE]]
        if state[held + value]:
            actions[count] = ANSWER + value
            count += 1
        if state[held + MAUI]:
            actions[count] = ANSWER + MAUI
            count += 1
    actions[count] = GIVE_IN
    return count + 1


@borrowing
def legal(state: Numbers, actions: Numbers) -> int:
    """Writes the legal actions, the dealer's too, into an array and says how many they are."""
    step = state[STEP]
    if step == AT_TURN:
        return list_plays(state, actions)
    if step in (DEFEND, PRESS):
        return list_answers(state, actions)
    count = 0
    if step == AT_PUT:
        for column in range(PLACES):
            if TAKES_GAIN[state[COLUMNS + PLACES * state[TURN] + column]]:
                actions[count] = PUT + column
                count += 1
    elif step < OVER:
        for card in range(CARDS):
            if state[PILE + card]:
                actions[count] = GIVE + card
                count += 1
    return count


@borrowing
def score(state: Numbers, seat: int) -> int:
    """The worth of all columns of a seat."""
    total = 0
    for place in range(PLACES * seat, PLACES * seat + PLACES):
        total += WORTHS[state[COLUMNS + place]]
    return total


@borrowing
def full_columns(state: Numbers, seat: int) -> int:
    """How many columns of a seat have three Mauw."""
    count = 0
    for place in range(PLACES * seat, PLACES * seat + PLACES):
        count += FULL[state[COLUMNS + place]]
    return count


@borrowing
def has_place(state: Numbers, seat: int) -> bool:
    """Whether a gain finds a place in the zone of a seat."""
    count = 0
    for place in range(PLACES * seat, PLACES * seat + PLACES):
        count += TAKES_GAIN[state[COLUMNS + place]]
    return count > 0


@borrowing
def hold(state: Numbers, seat: int, card: int) -> None:
    """A card comes into a hand."""
    state[HELD + CARDS * seat + card] += 1
    state[SIZES + seat] += 1
    state[KINDS + seat] |= 1 << card


@borrowing
def release(state: Numbers, seat: int, card: int) -> None:
    """A card leaves a hand."""
    state[HELD + CARDS * seat + card] -= 1
    state[SIZES + seat] -= 1
    if state[HELD + CARDS * seat + card] == 0:
        state[KINDS + seat] &= ~(1 << card)


@borrowing
def discard(state: Numbers, card: int) -> None:
    """A card goes to the discards."""
    state[DISCARDS + card] += 1
    state[DISCARDED] += 1


@borrowing
def stack(state: Numbers) -> bool:
    """Whether there is a card to be given; an empty pile is made of the discards first."""
    if state[PILED] == 0:
        for card in range(CARDS):
            state[PILE + card] = state[DISCARDS + card]
            state[DISCARDS + card] = 0
        state[PILED] = state[DISCARDED]
        state[DISCARDED] = 0
    return state[PILED] > 0


@borrowing
def first_short(state: Numbers) -> int:
    """The first seat with fewer than four cards, from the player whose turn it is; NOBODY if there is none."""
    players = state[PLAYERS]
    seat = state[TURN]
    for _ in range(players):
        if state[SIZES + seat] < HAND:
            return int(seat)
        seat += 1
        if seat == players:
            seat = 0
    return NOBODY


@borrowing
def clear_step(state: Numbers, step: int) -> None:
    """A step without a card, a place and an attack."""
    state[STEP] = step
    state[FACE] = NOTHING
    state[PLACE] = NOTHING
    state[ATTACKS] = 0
    state[ANSWERED] = NOTHING


@borrowing
def end_turn(state: Numbers) -> None:
    """Hands that are short are filled (R8); then the next turn, or an end."""
    clear_step(state, AT_TURN)
    if first_short(state) != NOBODY:
        if stack(state):
            state[STEP] = REFILL
            return
        state[STEP] = NO_CARDS
    elif state[TURNS] + 1 >= MOST_TURNS:
        state[STEP] = LIMIT
    state[TURN] = state[TURN] + 1 if state[TURN] + 1 < state[PLAYERS] else 0
    state[TURNS] += 1


@borrowing
def take_effect(state: Numbers) -> None:
    """The card that was played does what it was played for."""
    place, face = state[PLACE], state[FACE]
    lying = state[COLUMNS + place]
    top = (lying & (TOPS - 1)) - 1
    if top == NOTHING:
        state[COLUMNS + place] = lying + face + 1
        end_turn(state)
        return
    state[COLUMNS + place] = lying - top - 1
    alike = VALUE_OF[top] == VALUE_OF[face]
    if alike and VALUE_OF[face] != 0 and has_place(state, state[TURN]):
        clear_step(state, AT_PUT)
        # With a joker in the pair it is the joker that is turned (R5).
        state[FACE] = top if face > MAUI else face
        return
    discard(state, CARD_OF[top])
    discard(state, CARD_OF[face])
    if alike:
        end_turn(state)
        return
    clear_step(state, TAKE)
    stack(state)  # the two are on the discards, so there is a card


@borrowing
def go_on(state: Numbers) -> None:
    """What follows once a card was drawn, or could not be."""
    step = state[STEP]
    if step == DRAW:
        if state[ATTACKS]:
            state[STEP] = DEFEND
        else:
            take_effect(state)
    elif step == PARRY:
        discard(state, CARD_OF[state[FACE]])
        discard(state, state[ANSWERED])
        state[FACE] = VALUE_OF[state[FACE]]
        state[ANSWERED] = NOTHING
        state[STEP] = PRESS
    elif step == DEAL:
        if first_short(state) == NOBODY:
            state[STEP] = AT_TURN
    else:
        end_turn(state)


@borrowing
def drawer(state: Numbers) -> int:
    """The seat that the next card of the dealer is for, if it is not a Mauw."""
    step = state[STEP]
    if step == PARRY:
        return int(state[PLACE]) >> 2
    if step == REFILL:
        return first_short(state)
    if step == DEAL:
        dealt = 0
        for seat in range(state[PLAYERS]):
            dealt += state[SIZES + seat]
        return dealt % int(state[PLAYERS])
    return int(state[TURN])


@borrowing
def give(state: Numbers, card: int) -> None:
    """The dealer gives a card from the pile, into a hand or as a Mauw."""
    state[PILE + card] -= 1
    state[PILED] -= 1
    if state[STEP] != TAKE:
        hold(state, drawer(state), card)
        go_on(state)
    elif has_place(state, state[TURN]):
        state[STEP] = AT_PUT
    else:
        discard(state, card)
        end_turn(state)


@borrowing
def put(state: Numbers, column: int) -> None:
    """The gain is put on an own column; the third column with three Mauw ends the game at once."""
    state[COLUMNS + PLACES * state[TURN] + column] += TOPS + state[FACE] + 1
    if full_columns(state, state[TURN]) >= FULL_COLUMNS:
        clear_step(state, THREE_COLUMNS)
    else:
        end_turn(state)


@borrowing
def answer(state: Numbers, card: int) -> None:
    """The one attacked defends, or the attacker goes on."""
    release(state, actor(state), card)
    if state[STEP] == DEFEND:
        state[ANSWERED] = card
        state[STEP] = PARRY
    else:
        state[FACE] = MAUI + 1 + state[FACE] if card == MAUI else card
        state[ATTACKS] += 1
        state[STEP] = DRAW
    if not stack(state):
        go_on(state)


@borrowing
def discard_hand(state: Numbers) -> None:
    """The whole hand goes to the discards before four new cards are drawn (R15)."""
    seat = state[TURN]
    for card in range(CARDS):
        number = state[HELD + CARDS * seat + card]
        state[DISCARDS + card] += number
        state[DISCARDED] += number
        state[HELD + CARDS * seat + card] = 0
    state[SIZES + seat] = 0
    state[KINDS + seat] = 0
    end_turn(state)


@borrowing
def apply(state: Numbers, action: int) -> None:
    """Changes a state by a legal action."""
    if action < PUT:
        place, face = action // FACES, action % FACES
        attack = place >> 2 != state[TURN] and WARRIOR_ON_TOP[state[COLUMNS + place]]
        release(state, state[TURN], CARD_OF[face])
        state[STEP] = DRAW
        state[FACE] = face
        state[PLACE] = place
        state[ATTACKS] = 1 if attack else 0
        if not stack(state):
            go_on(state)
    elif action >= GIVE:
        give(state, action - GIVE)
    elif action < ANSWER:
        put(state, action - PUT)
    elif action < GIVE_IN:
        answer(state, action - ANSWER)
    elif action == DISCARD:
        discard_hand(state)
    elif state[STEP] == DEFEND:
        take_effect(state)
    else:
        end_turn(state)


@borrowing
def begin(state: Numbers, players: int) -> None:
    """Makes a state the one before the deal."""
    state[:] = 0
    state[PLAYERS] = players
    clear_step(state, DEAL)
    for card in range(CARDS):
        state[PILE + card] = DECKS[players, card]
        state[PILED] += DECKS[players, card]
