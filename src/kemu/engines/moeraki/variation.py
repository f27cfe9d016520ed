"""What a search found of an action: its value, what is proven, and the principal variation."""

from math import tanh
from typing import Final

import numpy as np

from kemu.engines.analysis import Line
from kemu.engines.moeraki import kernel, threats
from kemu.engines.moeraki.alphabeta import INFINITE, MARAE_WINS
from kemu.engines.moeraki.packed import NO_STONE, entry_move, entry_score, move_cell
from kemu.engines.moeraki.root import UNLIMITED, Candidate, Root
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import rules_action
from kemu.engines.moeraki.transposition import PROVEN, WINS, probe
from kemu.games.moeraki.actions import Action

SCALE: Final = 1200.0
"""The evaluation by which values are scaled: at 600 a win is e times as likely as a loss."""

LONGEST_PV: Final = 24
PV_THREATS: Final = 10_000
"""Nodes of the threat search for each stone of a principal variation."""


def analysis_line(root: Root, candidate: Candidate) -> Line[Action]:
    """The line of the analysis that begins with this action; the search of the root must have ended."""
    pv = tuple(rules_action(action) for action in _principal_variation(root, candidate))
    score = (
        0 if candidate.drawn else min(candidate.score, root.left - WINS) if root.verdict == "lost" else candidate.score
    )
    return Line(pv[0], _value(score), pv, "draw" if candidate.drawn else _proven(root, score))


def _value(score: int) -> float:
    if abs(score) >= MARAE_WINS:
        return 1.0 if score > 0 else -1.0
    return round(tanh(score / SCALE), 4)


def _proven(root: Root, score: int) -> str | None:
    """What is certain of a score, counted in stones of the winner."""
    if score > PROVEN:
        return f"win in {(WINS - score + 1) // 2}"
    if score < -PROVEN:
        return f"loss in {(WINS + score) // 2}"
    if not root.solved:
        return None
    if score == 0:
        return "draw"
    return f"{'win' if score > 0 else 'loss'} in {root.left // 2 + root.left % 2 * (score > 0)}"


def _principal_variation(root: Root, candidate: Candidate) -> list[int]:
    """The action and how both sides are expected to go on."""
    actions, state = [candidate.action], candidate.state
    root.workspace.begin(UNLIMITED)
    while len(actions) < LONGEST_PV and state[kernel.STEP] != kernel.OVER:
        laying = state[kernel.STEP] == kernel.LAY
        action = _best_stone(root, state) if laying else _best_placement(root, state)
        if action not in root.legal(state):
            break
        actions.append(action)
        state = root.after(state, action)
    return actions


def _best_stone(root: Root, state: Words) -> int:
    """The stone that the searches expect in a state, NO_STONE if they have none."""
    workspace = root.workspace
    sides = workspace.sides(state)
    own, other, _ = sides
    if (found := workspace.attack(own, other, PV_THREATS)) is not None:
        return found[0]
    must = int(threats.winning(other, workspace.lines) & ~(own | other | workspace.ball))
    if must:
        return (must & -must).bit_length() - 1
    entry = np.uint64(probe(sides, workspace.table))
    return move_cell(entry_move(entry)) if entry else NO_STONE


def _best_placement(root: Root, state: Words) -> int:
    """What the searches expect of a seat that is asked for its Tane: the best placement in the table, else KEEP."""

    def score(action: int) -> int:
        after = root.after(state, action)
        if after[kernel.STEP] != kernel.LAY:
            return -INFINITE
        entry = np.uint64(probe(root.workspace.sides(after), root.workspace.table))
        if not entry:
            return -INFINITE
        value = int(entry_score(entry))
        return value if after[kernel.TURN] == state[kernel.TURN] else -value

    return max([kernel.KEEP, *root.legal(state)], key=score)
