"""The result of an ending of Moeraki-Kemu by the reference rules alone, with every action tried."""

import random
from functools import reduce
from operator import or_

from kemu.games.moeraki.actions import KEEP, LayStone
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import lines


def brute_force(game: MoerakiKemu, state: State, known: dict[State, int]) -> int:
    """What the seat to act reaches: 1 won, 0 drawn, -1 lost; `known` keeps what was met before."""
    if state in known:
        return known[state]
    outcome = game.outcome(state)
    if outcome is not None:
        return 0 if not outcome.winners else 1 if outcome.winners[0] == state.turn else -1
    best = -1
    for action in game.actions(state):
        after = game.apply(state, action)
        value = brute_force(game, after, known)
        best = max(best, value if after.turn == state.turn else -value)
        if best == 1:
            break
    known[state] = best
    return best


def quiet_ending(game: MoerakiKemu, left: int, seed: str) -> State:
    """A state with so many empty hollows out of a random game in which lines are blocked and nobody wins at once.

    Each Tane is kept, so that the endings of the master's game still have both.
    """
    source = random.Random(seed)
    while True:
        state: State | None = game.initial()
        while state is not None and (not state.ball or 57 - state.occupied.bit_count() > left):
            state = _laid(game, state, source)
        if state is not None and _laid(game, state, source) is not None:
            return state


def _laid(game: MoerakiKemu, state: State, source: random.Random) -> State | None:
    """The state after one more stone, None if somebody wins at once or cannot block."""
    if not state.ball:
        return game.apply(state, source.choice(game.actions(state)))
    actions = [action for action in game.actions(state) if isinstance(action, LayStone)]
    source.shuffle(actions)
    threats = _holes(game, state, 1 - state.turn)
    if threats.bit_count() > 1 or _holes(game, state, state.turn):
        return None
    threatened = [action for action in actions if threats >> action.hollow & 1]
    after = game.apply(state, (threatened or actions)[0])
    while after.step is not None:
        after = game.apply(after, KEEP)
    return after


def _holes(game: MoerakiKemu, state: State, seat: int) -> int:
    """The empty hollows that complete a line of a seat, as bits."""
    missing = (line.hollows & ~state.stones[seat] for line in lines(state.ball, game.eye))
    return reduce(or_, (hollow for hollow in missing if hollow.bit_count() == 1 and not hollow & state.occupied), 0)
