"""Between the reference rules of MAUW and the kernel: states and actions."""

import numpy as np

from kemu.engines.mauw import kernel
from kemu.engines.mauw.tables import CARDS, Numbers, code
from kemu.games.mauw.notation import ANSWERS, DRAWS, PLAYS, PUTS, TAKES
from kemu.games.mauw.state import ANSWER, DISCARD, GIVE_IN, PLAY, PUT, Action, State


def kernel_state(state: State) -> Numbers:
    """A state of the reference rules as the kernel holds it."""
    numbers = np.zeros(kernel.STATE_SIZE, np.int64)
    for seat, hand in enumerate(state.hands):
        for card in hand:
            kernel.hold(numbers, seat, card)
    for seat, zone in enumerate(state.zones):
        for number, column in enumerate(zone):
            numbers[kernel.COLUMNS + kernel.PLACES * seat + number] = code(column)
    numbers[kernel.PILE : kernel.PILE + CARDS] = state.pile
    numbers[kernel.PILED] = sum(state.pile)
    numbers[kernel.DISCARDS : kernel.DISCARDS + CARDS] = state.discards
    numbers[kernel.DISCARDED] = sum(state.discards)
    numbers[kernel.PLAYERS], numbers[kernel.TURN], numbers[kernel.TURNS] = len(state.hands), state.turn, state.turns
    step = state.step
    numbers[kernel.STEP], numbers[kernel.FACE] = kernel.STEPS.index(step.name), step.face
    numbers[kernel.PLACE] = kernel.NOTHING if step.owner < 0 else kernel.PLACES * step.owner + step.column
    numbers[kernel.ATTACKS], numbers[kernel.ANSWERED] = step.attacks, step.answer
    return numbers


def kernel_action(action: Action) -> int:
    """An action of the reference rules as the kernel numbers it."""
    if action.sign == PLAY:
        return kernel.FACES * (kernel.PLACES * action.owner + action.column) + action.face
    if action.sign == PUT:
        return kernel.PUT + action.column
    if action.sign == ANSWER:
        return kernel.ANSWER + action.face
    if action == GIVE_IN:
        return kernel.GIVE_IN
    return kernel.DISCARD if action == DISCARD else kernel.GIVE + action.face


def rules_action(number: int, take: bool = False) -> Action:
    """The action that the kernel gives this number; of the dealer's, `take` says whether it is a Mauw."""
    if number < kernel.PUT:
        place, face = divmod(number, kernel.FACES)
        return PLAYS[place // kernel.PLACES][place % kernel.PLACES][face]
    if number < kernel.ANSWER:
        return PUTS[number - kernel.PUT]
    if number < kernel.GIVE_IN:
        return ANSWERS[number - kernel.ANSWER]
    if number >= kernel.GIVE:
        return (TAKES if take else DRAWS)[number - kernel.GIVE]
    return GIVE_IN if number == kernel.GIVE_IN else DISCARD
