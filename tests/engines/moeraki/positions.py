"""Positions of Moeraki-Kemu for the tests of its engine."""

import random

import numpy as np

from kemu.engines.moeraki.board import kernel
from kemu.engines.moeraki.board.translation import kernel_rules, kernel_state
from kemu.engines.moeraki.search.workspace import Workspace
from kemu.games.moeraki.actions import KEEP
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu


def position(game: MoerakiKemu, ball: str, first: str, second: str) -> State:
    """The ball and the stones of both seats; who is to move follows from their number, seat 1 lays the first."""
    stones = [first.split(), second.split()]
    turn = 1 if len(stones[0]) == len(stones[1]) else 0
    return game.decode({"ball": ball, "stones": stones, "tane": [None, None], "turn": turn})


def ending() -> State:
    """Seven hollows before the end of a master's game, which seat 0 wins by its Tane and would lose without."""
    first = "g7 i9 b10 e3 g5 j8 a7 d10 e1 g3 b6 d8 f10 i3 k5 b4 c5 d6 e7 g9 i11 i1 k3 c3"
    second = "h8 j10 a9 d2 f4 i7 k9 b8 c9 f2 h4 i5 a5 c7 e9 g11 g1 h2 j4 a3 f8 h10 j2 d4 e5"
    return position(MoerakiKemu("master"), "h6", first, second)


def filled(seed: str) -> list[State]:
    """The last states of a master's game of random actions that shun early wins, to the full board."""
    source, game = random.Random(seed), MoerakiKemu("master")
    while True:
        states = [late_position(game, 12, f"{seed} {source.random()}")]
        while game.outcome(states[-1]) is None:
            actions = list(game.actions(states[-1]))
            source.shuffle(actions)
            following = [game.apply(states[-1], action) for action in actions]
            states.append(next((state for state in following if not _early(game, state)), following[0]))
        if not _early(game, states[-1]):
            return states


def _early(game: MoerakiKemu, state: State) -> bool:
    outcome = game.outcome(state)
    return outcome is not None and outcome.reason != "marae"


def random_position(game: MoerakiKemu, actions: int, seed: str) -> State:
    """A state after so many random actions in which a stone is to be laid."""
    source = random.Random(seed)
    while True:
        state = game.initial()
        for _ in range(actions):
            if game.outcome(state) is None:
                state = game.apply(state, source.choice(game.actions(state)))
        if game.outcome(state) is None and state.step is None:
            return state


def late_position(game: MoerakiKemu, left: int, seed: str) -> State:
    """A state with so few empty hollows, from a game of random actions that shun early wins and keep each Tane."""
    source = random.Random(seed)
    while True:
        state = game.initial()
        while game.outcome(state) is None and (state.step is not None or 57 - state.occupied.bit_count() > left):
            actions = [KEEP] if state.step is not None else list(game.actions(state))
            source.shuffle(actions)
            following = [game.apply(state, action) for action in actions[:6]]
            state = next((after for after in following if game.outcome(after) is None), following[0])
        if game.outcome(state) is None:
            return state


def workspace_at(game: MoerakiKemu, state: State) -> tuple[Workspace, np.uint64, np.uint64]:
    """A workspace for a state, and the stones of the side to move and of the other."""
    workspace = Workspace(kernel_rules(game))
    words = kernel_state(game, state)
    workspace.place_ball(int(words[kernel.BALL_AT]))
    workspace.begin(1 << 40)
    return workspace, np.uint64(words[state.turn]), np.uint64(words[1 - state.turn])
