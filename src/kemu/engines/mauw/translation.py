"""Between the reference rules of MAUW and the kernel: states and actions."""

import numpy as np

from kemu.engines.mauw import kernel, layout
from kemu.engines.mauw.tables import CARDS, Numbers, code
from kemu.games.mauw.cards import NOTHING
from kemu.games.mauw.notation import ANSWERS, DRAWS, PLAYS, PUTS, TAKES
from kemu.games.mauw.state import ANSWER, DISCARD, GIVE_IN, PLAY, PUT, Action, State


def kernel_state(state: State) -> Numbers:
    """A state of the reference rules as the kernel holds it."""
    numbers = np.zeros(layout.STATE_SIZE, np.int64)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            kernel.hold(numbers, seat, card)
    for seat, zone in enumerate(state.zones):
        for number, column in enumerate(zone):
            numbers[layout.COLUMNS + layout.PLACES * seat + number] = code(column)
    numbers[layout.PILE : layout.PILE + CARDS] = state.pile
    numbers[layout.PILED] = sum(state.pile)
    numbers[layout.DISCARDS : layout.DISCARDS + CARDS] = state.discards
    numbers[layout.DISCARDED] = sum(state.discards)
    numbers[layout.PLAYERS], numbers[layout.TURN], numbers[layout.TURNS] = len(state.hands), state.turn, state.turns
    step = state.step
    numbers[layout.STEP], numbers[layout.FACE] = layout.STEPS.index(step.name), step.face
    numbers[layout.PLACE] = NOTHING if step.owner < 0 else layout.PLACES * step.owner + step.column
    numbers[layout.ATTACKS], numbers[layout.ANSWERED] = step.attacks, step.answer
    return numbers


def kernel_action(action: Action) -> int:
    """An action of the reference rules as the kernel numbers it."""
    if action.sign == PLAY:
        return layout.FACES * (layout.PLACES * action.owner + action.column) + action.face
    if action.sign == PUT:
        return layout.PUT + action.column
    if action.sign == ANSWER:
        return layout.ANSWER + action.face
    if action == GIVE_IN:
        return layout.GIVE_IN
    return layout.DISCARD if action == DISCARD else layout.GIVE + action.face


def rules_action(number: int, take: bool = False) -> Action:
    """The action that the kernel gives this number; of the dealer's, `take` says whether it is a Mauw."""
    if number < layout.PUT:
        place, face = divmod(number, layout.FACES)
        return PLAYS[place // layout.PLACES][place % layout.PLACES][face]
    if number < layout.ANSWER:
        return PUTS[number - layout.PUT]
    if number < layout.GIVE_IN:
        return ANSWERS[number - layout.ANSWER]
    if number >= layout.GIVE:
        return (TAKES if take else DRAWS)[number - layout.GIVE]
    return GIVE_IN if number == layout.GIVE_IN else DISCARD
