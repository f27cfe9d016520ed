"""What is proved of the stones at a root of the beginner's game, so that the search chooses among sound ones only."""

from typing import Final

from kemu.engines.analysis import Budget
from kemu.engines.moeraki import kernel
from kemu.engines.moeraki.lineproof import Board, Limit, LineProver
from kemu.engines.moeraki.root import Candidate, Root
from kemu.engines.moeraki.transposition import PROVEN, WINS

FIRST_NODES: Final = 500
GROWTH: Final = 8
"""Nodes for the proof about one stone in the first round, and how many times as many in each further round."""


def prove_stones(root: Root, prover: LineProver, budget: Budget) -> None:
    """Works on the proofs that a stone wins, loses or draws, for every stone of a root, and keeps what is proved there.

    If the root is asked for one line only, stones after which the other side may win are dropped if another is sound.
    """
    halves = Budget(budget.nodes and max(budget.nodes // 2, 1), budget.ms and max(budget.ms // 2, 1))
    if kernel.SWAP not in [candidate.action for candidate in root.candidates]:  # the prover knows stones only
        root.verdict, stone, _ = prover.prove(Board(int(root.own), int(root.other)), halves)
        if stone is not None:
            root.promote(stone, WINS - root.left if root.verdict == "won" else 0)
    if root.verdict in ("won", "lost"):
        return
    _prove_each(root, prover, halves)
    for candidate in root.candidates:
        candidate.drawn = candidate.sound and (root.verdict == "drawn" or _answered(root, prover, candidate))
    if root.lines == 1 and any(candidate.sound for candidate in root.candidates):
        root.candidates = [candidate for candidate in root.candidates if candidate.sound]


def _prove_each(root: Root, prover: LineProver, budget: Budget) -> None:
    """Looks after each stone for a proof that the other side completes a line, or does not."""
    limit, nodes, open_ones = Limit(prover, budget), FIRST_NODES, list(root.candidates)
    while open_ones and not limit.met:
        for candidate in open_ones:
            theirs, mine = root.against(candidate)
            pn, dn, _ = prover.decide(int(theirs), int(mine), True, nodes)
            candidate.sound = dn == 0
            if pn == 0:
                candidate.score = -(WINS - root.left)
            if limit.met:
                break
        if root.lines == 1 and any(candidate.sound for candidate in root.candidates):
            return
        open_ones = [each for each in open_ones if not each.sound and abs(each.score) <= PROVEN]
        nodes *= GROWTH


def _answered(root: Root, prover: LineProver, candidate: Candidate) -> bool:
    """Whether the other side, to move after a stone, is shown to keep the side at the root from a line."""
    theirs, mine = root.against(candidate)
    return prover.decide(int(mine), int(theirs), False, FIRST_NODES)[1] == 0
