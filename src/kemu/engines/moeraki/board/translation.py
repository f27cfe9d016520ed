"""Between the reference rules of Moeraki-Kemu and the kernel: options, states and actions."""

import numpy as np

from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.packed import pack_outcome, pack_tane, tane_area, tane_direction
from kemu.engines.moeraki.board.tables import AREA_AT, AREA_BIT, DIRECTIONS, HOLLOW_AT, HOLLOW_BIT
from kemu.games.moeraki.actions import BALLS, KEEP, LAYS, SWAP, TANE, Action, Keep, LayStone, PlaceBall, PlaceTane
from kemu.games.moeraki.board import HOLLOW, numbers
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu


def kernel_rules(game: MoerakiKemu) -> Words:
    """Return the options of a game as the kernel reads them."""
    moved_from = kernel.NOWHERE if game.moved_from is None else HOLLOW_BIT[HOLLOW[game.moved_from]]
    options = (VARIANTS.index(game.variant), game.starter, int(game.swap), int(game.eye), moved_from)
    return np.array(options, np.uint64)


def kernel_state(game: MoerakiKemu, state: State) -> Words:
    """Return a state of the reference rules as the kernel holds it."""
    words = np.zeros(kernel.STATE_WORDS, np.uint64)
    words[kernel.STONES : kernel.STONES + 2] = [
        sum(1 << HOLLOW_BIT[hollow] for hollow in numbers(stones)) for stones in state.stones
    ]
    words[kernel.BALL_AT] = HOLLOW_BIT[state.ball.bit_length() - 1] if state.ball else kernel.NOWHERE
    words[kernel.TANES : kernel.TANES + 2] = [_pack_tane(tane.area, tane.looks) if tane else 0 for tane in state.tane]
    words[kernel.TURN] = state.turn
    if (outcome := game.outcome(state)) is not None:
        winner = outcome.winners[0] if outcome.winners else kernel.NOBODY
        words[kernel.STEP] = kernel.OVER
        words[kernel.LAST] = pack_outcome(winner, kernel.REASONS.index(outcome.reason))
    elif state.step is not None:
        words[kernel.STEP] = kernel.ASK_MOVER if state.turn == state.mover else kernel.ASK_OTHER
        words[kernel.LAST] = HOLLOW_BIT[state.step]
    else:
        words[kernel.STEP] = kernel.LAY if state.ball else kernel.PLACE
    return words


def kernel_action(action: Action) -> int:
    """Return an action of the reference rules as the kernel numbers it."""
    match action:
        case LayStone(hollow):
            return HOLLOW_BIT[hollow]
        case PlaceBall(hollow):
            return kernel.BALL + HOLLOW_BIT[hollow]
        case PlaceTane(area, looks):
            return kernel.tane_action(_pack_tane(area, looks))
        case Keep():
            return kernel.KEEP
    return kernel.SWAP


def rules_action(number: int) -> Action:
    """Return the action that the kernel gives this number."""
    if number < kernel.BALL:
        return LAYS[HOLLOW_AT[number]]
    if number < kernel.TANE:
        return BALLS[HOLLOW_AT[number - kernel.BALL]]
    if number < kernel.KEEP:
        tane = np.uint64(kernel.action_tane(number))
        return TANE[AREA_AT[int(tane_area(tane))]][int(tane_direction(tane))]
    return KEEP if number == kernel.KEEP else SWAP


def _pack_tane(area: int, looks: str) -> int:
    return pack_tane(AREA_BIT[area], DIRECTIONS.index(looks))
