"""The rules of MAUW on one small array, compiled: what each action does to a state, in place.

Equal to the reference rules by differential tests. States and actions are written as layout.py says; `apply` expects
a legal action, which legal.py lists.
"""

from kemu.engines.compiled import borrowing
from kemu.engines.mauw.layout import (
    ANSWER,
    ANSWERED,
    AT_PUT,
    AT_TURN,
    ATTACKS,
    CARDS,
    COLUMNS,
    DEAL,
    DEFEND,
    DISCARD,
    DISCARDED,
    DISCARDS,
    DRAW,
    FACE,
    GIVE,
    GIVE_IN,
    HELD,
    KINDS,
    LIMIT,
    NO_CARDS,
    NOBODY,
    ONE_MAUW,
    PARRY,
    PILE,
    PILED,
    PLACE,
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
    Numbers,
    first_place,
    owner_of,
    played_face,
    played_place,
    top_of,
)
from kemu.engines.mauw.legal import actor, full_columns, has_gain_column
from kemu.engines.mauw.tables import CARD_OF, DECKS, VALUE_OF, WARRIOR_ON_TOP
from kemu.games.mauw.state import FULL_COLUMNS, HAND, MAUI, NO_FACE
from kemu.games.mauw.turns import MOST_TURNS


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
    """A card goes to the discard pile."""
    state[DISCARDS + card] += 1
    state[DISCARDED] += 1


@borrowing
def fill_pile(state: Numbers) -> bool:
    """Makes an empty pile of the discards, and returns whether there is a card to be given."""
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
    """Sets a step without a card, a place and an attack."""
    state[STEP] = step
    state[FACE] = NO_FACE
    state[PLACE] = NO_FACE
    state[ATTACKS] = 0
    state[ANSWERED] = NO_FACE


@borrowing
def end_turn(state: Numbers) -> None:
    """Hands that are short are filled (R8); then the next turn, or an end."""
    clear_step(state, AT_TURN)
    if first_short(state) != NOBODY:
        if fill_pile(state):
            state[STEP] = REFILL
            return
        state[STEP] = NO_CARDS
    elif state[TURNS] + 1 >= MOST_TURNS:
        state[STEP] = LIMIT
    state[TURN] = state[TURN] + 1 if state[TURN] + 1 < state[PLAYERS] else 0
    state[TURNS] += 1


@borrowing
def take_effect(state: Numbers) -> None:
    """The played card is laid on its column, unblocks it, or is associated with its top."""
    place, face = state[PLACE], state[FACE]
    lying = state[COLUMNS + place]
    top = top_of(lying)
    if top == NO_FACE:
        state[COLUMNS + place] = lying + face + 1
        end_turn(state)
        return
    state[COLUMNS + place] = lying - top - 1
    alike = VALUE_OF[top] == VALUE_OF[face]
    if alike and VALUE_OF[face] != 0 and has_gain_column(state, state[TURN]):
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
    fill_pile(state)  # the two are on the discards, so there is a card


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
        state[ANSWERED] = NO_FACE
        state[STEP] = PRESS
    elif step == DEAL:
        if first_short(state) == NOBODY:
            state[STEP] = AT_TURN
    else:
        end_turn(state)


@borrowing
def drawer(state: Numbers) -> int:
    """The seat that the dealer's next card is for, if it is not a Mauw."""
    step = state[STEP]
    if step == PARRY:
        return owner_of(int(state[PLACE]))
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
    elif has_gain_column(state, state[TURN]):
        state[STEP] = AT_PUT
    else:
        discard(state, card)
        end_turn(state)


@borrowing
def put(state: Numbers, column: int) -> None:
    """The gain is put on an own column; the third column with three Mauw ends the game at once."""
    state[COLUMNS + first_place(state[TURN]) + column] += ONE_MAUW + state[FACE] + 1
    if full_columns(state, state[TURN]) >= FULL_COLUMNS:
        clear_step(state, THREE_COLUMNS)
    else:
        end_turn(state)


@borrowing
def answer(state: Numbers, card: int) -> None:
    """The defender defends, or the attacker goes on."""
    release(state, actor(state), card)
    if state[STEP] == DEFEND:
        state[ANSWERED] = card
        state[STEP] = PARRY
    else:
        state[FACE] = MAUI + 1 + state[FACE] if card == MAUI else card
        state[ATTACKS] += 1
        state[STEP] = DRAW
    if not fill_pile(state):
        go_on(state)


@borrowing
def discard_hand(state: Numbers) -> None:
    """The whole hand goes to the discard pile before four new cards are drawn (R15)."""
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
def play(state: Numbers, place: int, face: int) -> None:
    """A card is played on a column; its player draws, and only then it takes effect."""
    attack = owner_of(place) != state[TURN] and WARRIOR_ON_TOP[state[COLUMNS + place]]
    release(state, state[TURN], CARD_OF[face])
    state[STEP] = DRAW
    state[FACE] = face
    state[PLACE] = place
    state[ATTACKS] = 1 if attack else 0
    if not fill_pile(state):
        go_on(state)


@borrowing
def apply(state: Numbers, action: int) -> None:
    """Changes a state by a legal action."""
    if action < PUT:
        play(state, played_place(action), played_face(action))
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
