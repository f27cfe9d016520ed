"""What a search that has ended tells of an action: its value, what is proven, and how the game is expected to go on."""

from math import tanh
from typing import Final

import numpy as np

from kemu.engines.analysis import Line
from kemu.engines.moeraki import kernel, threats
from kemu.engines.moeraki.alphabeta import INFINITE, MARAE_WINS
from kemu.engines.moeraki.entries import NO_STONE, PROVEN, WINS, known_entry, score_of
from kemu.engines.moeraki.root import UNLIMITED, Candidate, Root
from kemu.engines.moeraki.tables import Words
from kemu.engines.moeraki.translation import rules_action
from kemu.games.moeraki.actions import Action

SCALE: Final = 1200.0
"""The evaluation by which values are scaled: at 600 a win is e times as likely as a loss."""

LONGEST_PV: Final = 24


def line(root: Root, candidate: Candidate) -> Line[Action]:
    """What is known of an action, for the analysis."""
    pv = tuple(rules_action(action) for action in _variation(root, candidate))
    return Line(pv[0], _worth(candidate.score), pv, _proven(root, candidate.score))


def _worth(score: int) -> float:
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


def _variation(root: Root, candidate: Candidate) -> list[int]:
    """The action and how both sides are expected to go on."""
    actions, state = [candidate.action], candidate.state
    root.workspace.begin(UNLIMITED)
    while len(actions) < LONGEST_PV and state[kernel.STEP] != kernel.OVER:
        action = _stone(root, state) if state[kernel.STEP] == kernel.LAY else _use(root, state)
        if action not in root.legal(state):
            break
        actions.append(action)
        state = root.after(state, action)
    return actions


def _stone(root: Root, state: Words) -> int:
    """The stone that the searches have in mind for a state."""
    workspace = root.workspace
    own, other, extra = workspace.sides(state)
    if (found := workspace.attack(own, other, 10_000)) is not None:
        return found[0]
    must = int(threats.winning(other, workspace.lines) & ~(own | other | workspace.ball))
    if must:
        return (must & -must).bit_length() - 1
    entry = int(known_entry(own, other, extra, workspace.table))
    return entry & 127 if entry else NO_STONE


def _use(root: Root, state: Words) -> int:
    """What the searches expect of a seat that is asked for its Tane: the use that they found best, else to keep it."""

    def score(action: int) -> int:
        after = root.after(state, action)
        if after[kernel.STEP] != kernel.LAY:
            return -INFINITE
        entry = np.uint64(known_entry(*root.workspace.sides(after), root.workspace.table))
        worth = int(score_of(entry)) if entry else -INFINITE
        return worth if after[kernel.TURN] == state[kernel.TURN] or not entry else -worth

    return max([kernel.KEEP, *root.legal(state)], key=score)
