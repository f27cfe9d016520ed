"""Games of the tree search against itself, from random openings, and what weights learn from.

The evaluation learns from the quiet positions of these games. The move ordering learns from cutoffs: positions within
the searches for which the transposition table knows a stone that was good enough.

A batch depends on its weights, its seed and the sources alone, so that batches can be played by any number of
processes, in any order, and played again.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from kemu.engines.analysis import Budget
from kemu.engines.arrays import Words
from kemu.engines.moeraki.board import kernel, packed
from kemu.engines.moeraki.board.tables import HOLLOW_BIT
from kemu.engines.moeraki.search.root import Root
from kemu.engines.moeraki.search.transposition import LOWER, PROVEN
from kemu.engines.moeraki.search.workspace import THREATS, Workspace
from kemu.engines.moeraki.value.evaluation import LOGIT
from kemu.engines.moeraki.value.weights import Weights
from kemu.games.moeraki.board import MOERAKI

VARIANTS_PLAYED: Final = (kernel.BASIC, kernel.MASTER)
"""In the beginner's game nothing but lines counts, of which the search proves more than it could learn."""

OPENING_STONES: Final = (2, 20)
"""How many random stones a game begins with, at least and at most."""

RANDOM_GAMES: Final = 0.25
RANDOM_STONES: Final = 0.06
"""Share of the games with random stones, and of such stones: they lead to positions that no search would choose."""

TABLE_ROWS: Final = 1 << 14

COLUMNS: Final = {
    "own": np.uint64,  # the stones of the side to move
    "other": np.uint64,
    "tanes": np.int64,  # both Tane and who placed the ball, see `packed`
    "ball": np.int64,  # its cell
    "variant": np.int64,
    "expected": np.float64,  # the expected score of the side to move, by the search
    "result": np.float64,  # the score of the side to move at the end: 1, 0.5 or 0
    "game": np.int64,  # its number in the batch
}
"""The arrays of a batch with their types, an element for each quiet position."""

CUTOFF_COLUMNS: Final = {
    "cutoff_own": np.uint64,
    "cutoff_other": np.uint64,
    "cutoff_ball": np.int64,
    "cutoff_variant": np.int64,
    "cutoff_stone": np.int64,  # the cell of the stone that cut off
}
"""The same for cutoffs."""

ROWS_ASKED: Final = 2
"""Rows of the transposition table that are looked at for a cutoff after each search."""


def play_games(weights: Sequence[Weights], games: int, nodes: int, seed: int) -> dict[str, NDArray[Any]]:
    """Return what games teach that the search plays with the weights of each variant: all columns, by their names.

    `nodes` are those of each action.
    """
    table = np.zeros((TABLE_ROWS, 4), np.uint64)
    workspaces = [
        Workspace(np.array([variant, 0, 0, 0, kernel.NOWHERE], np.uint64), table, weights[variant])
        for variant in VARIANTS_PLAYED
    ]
    rows: list[tuple[Any, ...]] = []
    cutoffs: list[tuple[int, ...]] = []
    for number in range(games):
        dice = random.Random(f"{seed}/{number}")
        rows += ((*row, number) for row in _play(dice.choice(workspaces), nodes, dice, cutoffs))
    return _arrays(COLUMNS, rows) | _arrays(CUTOFF_COLUMNS, cutoffs)


def _arrays(kinds: Mapping[str, Any], rows: Sequence[tuple[Any, ...]]) -> dict[str, NDArray[Any]]:
    columns = zip(*rows, strict=True) if rows else [()] * len(kinds)
    return {name: np.array(column, kind) for (name, kind), column in zip(kinds.items(), columns, strict=True)}


def _play(
    workspace: Workspace, nodes: int, dice: random.Random, cutoffs: list[tuple[int, ...]]
) -> Iterator[tuple[Any, ...]]:
    """Return the rows of one game, without its number in the batch; cutoffs are added to those given.

    Positions before a random stone are left out: the result says nothing about them.
    """
    while (state := _opening(workspace, dice)) is None:
        pass
    kept: list[tuple[int, tuple[Any, ...]]] = []
    variant = int(workspace.rules[kernel.VARIANT])
    slip = RANDOM_STONES if dice.random() < RANDOM_GAMES else 0.0
    while state[kernel.STEP] != kernel.OVER:
        quiet = state[kernel.STEP] == kernel.LAY and _is_quiet(workspace, state)
        root = Root(workspace, state, 1, dice.getrandbits(32))
        if quiet and dice.random() < slip:
            kept.clear()
            state = dice.choice(root.candidates).state
            continue
        root.run(Budget(nodes=nodes), 1)
        cutoffs += _cutoffs(workspace, dice)
        best = root.candidates[0]
        if quiet and not root.solved and abs(best.score) <= PROVEN:
            expected = 1 / (1 + np.exp(-best.score / LOGIT))
            kept.append((root.seat, (*workspace.sides(state), workspace.ball_at, variant, expected)))
        state = best.state
    winner = int(packed.outcome_winner(int(state[kernel.LAST])))
    for seat, row in kept:
        yield *row, 0.5 if winner == kernel.NOBODY else float(winner == seat)


def _cutoffs(workspace: Workspace, dice: random.Random) -> Iterator[tuple[int, ...]]:
    """Return the rows of some cutoffs that the transposition table holds."""
    used = np.flatnonzero(workspace.table[:, 3])
    for row in dice.choices(used, k=ROWS_ASKED) if len(used) else ():
        own, other, _, entry = workspace.table[row]
        stone = packed.move_cell(packed.entry_move(entry))
        searched = packed.entry_depth(entry) >= 1 and abs(packed.entry_score(entry)) <= PROVEN
        if searched and packed.entry_bound(entry) == LOWER and stone != packed.NO_STONE:
            yield int(own ^ entry), int(other ^ entry), workspace.ball_at, int(workspace.rules[kernel.VARIANT]), stone


def _opening(workspace: Workspace, dice: random.Random) -> Words | None:
    """Return the ball on a Moeraki and some random stones, None if they end the game or threats decide it."""
    ball = dice.choice([HOLLOW_BIT[hollow] for hollow in MOERAKI])
    workspace.place_ball(ball)
    state = np.zeros(kernel.STATE_WORDS, np.uint64)
    state[kernel.BALL_AT] = kernel.NOWHERE
    kernel.apply(state, workspace.rules, kernel.BALL + ball)
    stones, actions = dice.randint(*OPENING_STONES), np.zeros(kernel.ACTION_COUNT, np.int64)
    while stones or state[kernel.STEP] != kernel.LAY:
        if state[kernel.STEP] == kernel.OVER:
            return None
        # Who is asked for the Tane keeps it: random ones would be thrown away.
        asked = bool(state[kernel.STEP] != kernel.LAY)
        stones -= not asked
        count = kernel.legal(state, workspace.rules, actions)
        kernel.apply(state, workspace.rules, kernel.KEEP if asked else int(dice.choice(actions[:count])))
    return state if _is_quiet(workspace, state) else None


def _is_quiet(workspace: Workspace, state: Words) -> bool:
    """Return whether neither side has a win by threats, with the right to move."""
    own, other, _ = workspace.sides(state)
    workspace.begin(2 * THREATS)
    return workspace.attack(own, other, THREATS) is None and workspace.attack(other, own, THREATS) is None
