"""The rules of MAUW on one small array, compiled: who acts, what is legal, and what each action does to a state.

Equal to the reference rules by differential tests. States and actions are written as layout.py says; `apply` expects
a legal action.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kemu.engines.compiled import no_refcount
from kemu.engines.mauw import layout
from kemu.engines.mauw.layout import Numbers, first_place, has_gain_column, owner_of, score, top_of
from kemu.engines.words import ONE, lowest
from kemu.games.mauw.state import FULL_COLUMNS, HAND, MAUI, NO_FACE
from kemu.games.mauw.turns import MOST_ATTACKS, MOST_TURNS

# Who acts, and what is legal


@no_refcount
def actor(state: Numbers) -> int:
    """Return the seat to act, CHANCE, or NOBODY once the game is over."""
    step = state[layout.STEP]
    if step in (layout.AT_TURN, layout.AT_PUT, layout.PRESS):
        return int(state[layout.TURN])
    if step == layout.DEFEND:
        return owner_of(int(state[layout.PLACE]))
    return layout.NOBODY if step >= layout.OVER else layout.CHANCE


@no_refcount
def hand_mask(state: Numbers) -> np.uint64:
    """The faces that the hand of the player whose turn it is can show, as bits."""
    return layout.PLAYABLE[state[layout.KINDS + state[layout.TURN]]]


@no_refcount
def accepted_mask(state: Numbers, place: int) -> np.uint64:
    """The faces that a place accepts from the player whose turn it is, whatever the hand, as bits."""
    return layout.ACCEPTED[int(owner_of(place) == state[layout.TURN]), state[layout.COLUMNS + place]]


@no_refcount
def is_repeated(state: Numbers, place: int) -> bool:
    """Whether a column before this one in the same zone is just the same."""
    alike = 0
    for other in range(first_place(owner_of(place)), place):
        alike += state[layout.COLUMNS + other] == state[layout.COLUMNS + place]
    return alike > 0


@no_refcount
def list_plays(state: Numbers, actions: Numbers, distinct: bool) -> int:
    """Writes the plays, or the discarding of the hand if there is none, and returns how many they are.

    Distinct ones are only those on the first of equal columns, here as in the other lists.
    """
    count = 0
    hand = hand_mask(state)
    for place in range(layout.PLACES * state[layout.PLAYERS]):
        rest = hand & accepted_mask(state, place)
        if distinct and rest and is_repeated(state, place):
            continue
        while rest:
            actions[count] = layout.play_action(place, lowest(rest))
            count += 1
            rest &= rest - ONE
    if count == 0:
        actions[0] = layout.DISCARD
        count = 1
    return count


@no_refcount
def list_placements(state: Numbers, actions: Numbers, distinct: bool) -> int:
    """Writes the columns on which the gain can be put, and returns how many they are."""
    count = 0
    first = first_place(state[layout.TURN])
    for column in range(layout.PLACES):
        if layout.TAKES_GAIN[state[layout.COLUMNS + first + column]] and not (
            distinct and is_repeated(state, first + column)
        ):
            actions[count] = layout.PUT + column
            count += 1
    return count


@no_refcount
def list_answers(state: Numbers, actions: Numbers) -> int:
    """Writes the answers in an attack, an identical card or a joker (R6) and giving in; returns how many they are."""
    count = 0
    held = layout.HELD + layout.CARDS * actor(state)
    if state[layout.STEP] == layout.DEFEND or state[layout.ATTACKS] < MOST_ATTACKS:
        value = layout.VALUE_OF[state[layout.FACE]]
        if state[held + value]:
            actions[count] = layout.ANSWER + value
            count += 1
        if state[held + MAUI]:
            actions[count] = layout.ANSWER + MAUI
            count += 1
    actions[count] = layout.GIVE_IN
    return count + 1


@no_refcount
def list_choices(state: Numbers, actions: Numbers, distinct: bool) -> int:
    """Writes the legal actions of the seat that acts, all or only distinct ones; returns how many they are."""
    if state[layout.STEP] == layout.AT_TURN:
        return list_plays(state, actions, distinct)
    if state[layout.STEP] == layout.AT_PUT:
        return list_placements(state, actions, distinct)
    return list_answers(state, actions)


@no_refcount
def legal(state: Numbers, actions: Numbers) -> int:
    """Writes the legal actions, the dealer's too, into an array and returns how many they are."""
    acting, count = actor(state), 0
    if acting >= 0:
        return list_choices(state, actions, False)
    if acting == layout.CHANCE:
        for card in range(layout.CARDS):
            if state[layout.PILE + card]:
                actions[count] = layout.GIVE + card
                count += 1
    return count


@no_refcount
def write_victory(state: Numbers, shares: NDArray[np.floating[Any]]) -> None:
    """Writes the share of the victory of each seat if the game ends now: all with the highest score share it (R9)."""
    best, winners = -1, 0
    for seat in range(state[layout.PLAYERS]):
        points = score(state, seat)
        if points > best:
            best, winners = points, 0
        winners += points == best
    for seat in range(state[layout.PLAYERS]):
        shares[seat] = 1.0 / winners if score(state, seat) == best else 0.0


# What actions do


@no_refcount
def hold(state: Numbers, seat: int, card: int) -> None:
    """A card comes into a hand."""
    state[layout.HELD + layout.CARDS * seat + card] += 1
    state[layout.SIZES + seat] += 1
    state[layout.KINDS + seat] |= 1 << card


@no_refcount
def release(state: Numbers, seat: int, card: int) -> None:
    """A card leaves a hand."""
    state[layout.HELD + layout.CARDS * seat + card] -= 1
    state[layout.SIZES + seat] -= 1
    if state[layout.HELD + layout.CARDS * seat + card] == 0:
        state[layout.KINDS + seat] &= ~(1 << card)


@no_refcount
def discard(state: Numbers, card: int) -> None:
    """A card goes to the discard pile."""
    state[layout.DISCARDS + card] += 1
    state[layout.DISCARDED] += 1


@no_refcount
def fill_pile(state: Numbers) -> bool:
    """Makes an empty pile of the discards, and returns whether there is a card to be given."""
    if state[layout.PILED] == 0:
        for card in range(layout.CARDS):
            state[layout.PILE + card] = state[layout.DISCARDS + card]
            state[layout.DISCARDS + card] = 0
        state[layout.PILED] = state[layout.DISCARDED]
        state[layout.DISCARDED] = 0
    return state[layout.PILED] > 0


@no_refcount
def first_short(state: Numbers) -> int:
    """The first seat with fewer than four cards, from the player whose turn it is; NOBODY if there is none."""
    players = state[layout.PLAYERS]
    seat = state[layout.TURN]
    for _ in range(players):
        if state[layout.SIZES + seat] < HAND:
            return int(seat)
        seat += 1
        if seat == players:
            seat = 0
    return layout.NOBODY


@no_refcount
def clear_step(state: Numbers, step: int) -> None:
    """Sets a step without a card, a place and an attack."""
    state[layout.STEP] = step
    state[layout.FACE] = NO_FACE
    state[layout.PLACE] = NO_FACE
    state[layout.ATTACKS] = 0
    state[layout.ANSWERED] = NO_FACE


@no_refcount
def end_turn(state: Numbers) -> None:
    """Hands that are short are filled (R8); then the next turn, or an end."""
    clear_step(state, layout.AT_TURN)
    if first_short(state) != layout.NOBODY:
        if fill_pile(state):
            state[layout.STEP] = layout.REFILL
            return
        state[layout.STEP] = layout.NO_CARDS
    elif state[layout.TURNS] + 1 >= MOST_TURNS:
        state[layout.STEP] = layout.LIMIT
    state[layout.TURN] = state[layout.TURN] + 1 if state[layout.TURN] + 1 < state[layout.PLAYERS] else 0
    state[layout.TURNS] += 1


@no_refcount
def take_effect(state: Numbers) -> None:
    """The played card is laid on its column, unblocks it, or is associated with its top."""
    place, face = state[layout.PLACE], state[layout.FACE]
    lying = state[layout.COLUMNS + place]
    top = top_of(lying)
    if top == NO_FACE:
        state[layout.COLUMNS + place] = lying + face + 1
        end_turn(state)
        return
    state[layout.COLUMNS + place] = lying - top - 1
    alike = layout.VALUE_OF[top] == layout.VALUE_OF[face]
    if alike and layout.VALUE_OF[face] != 0 and has_gain_column(state, state[layout.TURN]):
        clear_step(state, layout.AT_PUT)
        # With a joker in the pair it is the joker that is turned (R5).
        state[layout.FACE] = top if face > MAUI else face
        return
    discard(state, layout.CARD_OF[top])
    discard(state, layout.CARD_OF[face])
    if alike:
        end_turn(state)
        return
    clear_step(state, layout.TAKE)
    fill_pile(state)  # the two are on the discards, so there is a card


@no_refcount
def go_on(state: Numbers) -> None:
    """Continue after a card was drawn or could not be drawn."""
    step = state[layout.STEP]
    if step == layout.DRAW:
        if state[layout.ATTACKS]:
            state[layout.STEP] = layout.DEFEND
        else:
            take_effect(state)
    elif step == layout.PARRY:
        discard(state, layout.CARD_OF[state[layout.FACE]])
        discard(state, state[layout.ANSWERED])
        state[layout.FACE] = layout.VALUE_OF[state[layout.FACE]]
        state[layout.ANSWERED] = NO_FACE
        state[layout.STEP] = layout.PRESS
    elif step == layout.DEAL:
        if first_short(state) == layout.NOBODY:
            state[layout.STEP] = layout.AT_TURN
    else:
        end_turn(state)


@no_refcount
def drawer(state: Numbers) -> int:
    """The seat that the dealer's next card is for, if it is not a Mauw."""
    step = state[layout.STEP]
    if step == layout.PARRY:
        return owner_of(int(state[layout.PLACE]))
    if step == layout.REFILL:
        return first_short(state)
    if step == layout.DEAL:
        dealt = 0
        for seat in range(state[layout.PLAYERS]):
            dealt += state[layout.SIZES + seat]
        return dealt % int(state[layout.PLAYERS])
    return int(state[layout.TURN])


@no_refcount
def give(state: Numbers, card: int) -> None:
    """The dealer gives a card from the pile, into a hand or as a Mauw."""
    state[layout.PILE + card] -= 1
    state[layout.PILED] -= 1
    if state[layout.STEP] != layout.TAKE:
        hold(state, drawer(state), card)
        go_on(state)
    elif has_gain_column(state, state[layout.TURN]):
        state[layout.STEP] = layout.AT_PUT
    else:
        discard(state, card)
        end_turn(state)


@no_refcount
def put(state: Numbers, column: int) -> None:
    """The gain is put on an own column; the third column with three Mauw ends the game at once."""
    state[layout.COLUMNS + first_place(state[layout.TURN]) + column] += layout.ONE_MAUW + state[layout.FACE] + 1
    if layout.full_columns(state, state[layout.TURN]) >= FULL_COLUMNS:
        clear_step(state, layout.THREE_COLUMNS)
    else:
        end_turn(state)


@no_refcount
def answer(state: Numbers, card: int) -> None:
    """Defend, or attack again."""
    release(state, actor(state), card)
    if state[layout.STEP] == layout.DEFEND:
        state[layout.ANSWERED] = card
        state[layout.STEP] = layout.PARRY
    else:
        state[layout.FACE] = MAUI + 1 + state[layout.FACE] if card == MAUI else card
        state[layout.ATTACKS] += 1
        state[layout.STEP] = layout.DRAW
    if not fill_pile(state):
        go_on(state)


@no_refcount
def discard_hand(state: Numbers) -> None:
    """The whole hand goes to the discard pile before four new cards are drawn (R15)."""
    seat = state[layout.TURN]
    for card in range(layout.CARDS):
        number = state[layout.HELD + layout.CARDS * seat + card]
        state[layout.DISCARDS + card] += number
        state[layout.DISCARDED] += number
        state[layout.HELD + layout.CARDS * seat + card] = 0
    state[layout.SIZES + seat] = 0
    state[layout.KINDS + seat] = 0
    end_turn(state)


@no_refcount
def play(state: Numbers, place: int, face: int) -> None:
    """A card is played on a column; its player draws, and only then it takes effect."""
    attack = owner_of(place) != state[layout.TURN] and layout.WARRIOR_ON_TOP[state[layout.COLUMNS + place]]
    release(state, state[layout.TURN], layout.CARD_OF[face])
    state[layout.STEP] = layout.DRAW
    state[layout.FACE] = face
    state[layout.PLACE] = place
    state[layout.ATTACKS] = 1 if attack else 0
    if not fill_pile(state):
        go_on(state)


@no_refcount
def apply(state: Numbers, action: int) -> None:
    """Changes a state by a legal action."""
    if action < layout.PUT:
        play(state, layout.played_place(action), layout.played_face(action))
    elif action >= layout.GIVE:
        give(state, action - layout.GIVE)
    elif action < layout.ANSWER:
        put(state, action - layout.PUT)
    elif action < layout.GIVE_IN:
        answer(state, action - layout.ANSWER)
    elif action == layout.DISCARD:
        discard_hand(state)
    elif state[layout.STEP] == layout.DEFEND:
        take_effect(state)
    else:
        end_turn(state)


@no_refcount
def begin(state: Numbers, players: int) -> None:
    """Makes a state the one before the deal."""
    state[:] = 0
    state[layout.PLAYERS] = players
    clear_step(state, layout.DEAL)
    for card in range(layout.CARDS):
        state[layout.PILE + card] = layout.DECKS[players, card]
        state[layout.PILED] += layout.DECKS[players, card]
