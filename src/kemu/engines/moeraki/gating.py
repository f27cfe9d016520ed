"""Pairs of games between new weights and those in use: equal nodes, seats swapped, contested openings."""

import random
from functools import lru_cache
from typing import Final

import numpy as np

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.network import NetworkWeights
from kemu.engines.moeraki.packed import outcome_winner
from kemu.engines.moeraki.root import Root
from kemu.engines.moeraki.selfplay import random_opening
from kemu.engines.moeraki.tables import HOLLOW_BIT, Words
from kemu.engines.moeraki.weights import load_weights, shipped_weights
from kemu.engines.moeraki.workspace import Workspace
from kemu.games.moeraki.board import MOERAKI

VARIANTS: Final = (kernel.BASIC, kernel.MASTER)
PAIR_NODES: Final = 10_000
"""For each stone of a game that counts."""

OPENING_NODES: Final = 40_000
CONTESTED: Final = 700
"""An opening is contested if a search finds no greater score for either side."""

OPENING_STONES: Final = (4, 8)
OPENING_DEPTH: Final = 2


def pair_texts(first: int, count: int) -> list[str]:
    """The texts of so many pairs of games: the variants in turn."""
    return [f"{VARIANTS[number % len(VARIANTS)]} {number}" for number in range(first, first + count)]


def play_pair(weights: bytes, text: str) -> str:
    """The share of the points that new weights win in both games of a pair, against those in use."""
    variant, number = (int(word) for word in text.split())
    return str(pair_score(_loaded(weights), shipped_weights(), variant, number))


@lru_cache(maxsize=1)
def _loaded(weights: bytes) -> NetworkWeights:
    return load_weights(weights)


def pair_score(new: NetworkWeights, old: NetworkWeights, variant: int, number: int) -> float:
    """What the first weights score in both games of a pair, from 0 to 1."""
    dice = random.Random(f"pair/{variant}/{number}")
    rules = np.array([variant, number % 2, 0, 0, kernel.NOWHERE], np.uint64)
    workspaces = Workspace(rules, None, new), Workspace(rules, None, old)
    opening = _contested(workspaces[1], dice)
    return sum(_play(workspaces, opening, seat, dice.getrandbits(32)) for seat in (0, 1)) / 2


def _contested(workspace: Workspace, dice: random.Random) -> Words:
    """A state after a random opening that a search does not find decided."""
    while True:
        workspace.place_ball(HOLLOW_BIT[dice.choice(MOERAKI)])
        state = random_opening(workspace, OPENING_DEPTH, OPENING_STONES, dice)
        if state is None or state[kernel.STEP] != kernel.LAY:
            continue
        root = Root(workspace, state, 1, 0)
        root.run(Budget(nodes=OPENING_NODES), 1)
        if abs(root.candidates[0].score) < CONTESTED:
            return state


def _play(workspaces: tuple[Workspace, Workspace], state: Words, seat: int, seed: int) -> float:
    """What the first of two workspaces scores in this seat from a state on."""
    for workspace in workspaces:
        workspace.place_ball(int(state[kernel.BALL_AT]))
    while state[kernel.STEP] != kernel.OVER:
        root = Root(workspaces[0 if int(state[kernel.TURN]) == seat else 1], state, 1, seed)
        root.run(Budget(nodes=PAIR_NODES), 1)
        state = root.candidates[0].state
    winner = int(outcome_winner(int(state[kernel.LAST])))
    return 0.5 if winner == kernel.NOBODY else float(winner == seat)
