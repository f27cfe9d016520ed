"""What is proved over the empty board, proved again from nothing, and searches for better bounds in parts.

A goal is a text such as "g7 16": with the ball there, the side that answers keeps the other from every line
of the basic game and is behind by at most so many half tiles at its end. Its leaves are the first stones that differ
by symmetry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from kemu.core.errors import OptionError
from kemu.engines.moeraki.bounds import BoundSearch, BoundTree, bound_certificate, leaf_text
from kemu.engines.moeraki.lineproof import NAMES, LineProver
from kemu.engines.moeraki.linewriter import certificate, distinct_replies
from kemu.engines.moeraki.tables import HOLLOW_BIT
from kemu.games.moeraki.board import HOLLOW, MOERAKI

CLASSES: Final = ("f6", "h6", "g7")
"""One hollow of the ball of each class; the others follow by symmetry."""

BOUNDS: Final = {"f6": 8, "h6": 11, "g7": 17}
"""The least half tiles for which a proof is known to be found."""

NEXT_GOAL: Final = "g7 14"
FIRST_BOUNDS: Final = {"f6": (7, "i9", "j10"), "h6": (8, "h10", "g11"), "g7": (8, "h8", "i1")}
"""The same for the side that lays the first stone: half tiles, that stone, and a hollow that is left to the other."""

STEPS: Final = 3_000
ATTEMPTS: Final = 4_000
TREE_EFFORT: Final = (60, 6)
TREE_DEPTH: Final = 4
"""Steps of the walk from a pairing, pairings to begin with, both for a leaf of a tree, and answers after the first."""


def prove_again() -> Iterator[tuple[str, str]]:
    """The names and texts of all certificates that come with Kemu, found by new searches."""
    for ball in CLASSES:
        prover = LineProver(ball)
        yield f"beginner-{ball}-second", certificate(prover, 0, 0, "other", "hold")
        yield f"beginner-{ball}-first", certificate(prover, 0, 0, "prover", "hold")
        yield f"basic-{ball}-second", _bound(prover, BOUNDS[ball])
        yield f"basic-{ball}-first", _first_bound(prover, *FIRST_BOUNDS[ball])


def _bound(prover: LineProver, target: int) -> str:
    """A certificate that the answering side is behind by at most so many half tiles, by a pairing or a tree."""
    ball = prover.ball_name
    for bound in BoundSearch(prover).bounds(target, STEPS, ATTEMPTS if prover.pairs(0, 0) else 0):
        if bound.lead <= target:
            return bound_certificate(ball, bound.lead, leaf_text(bound.pairs))
    goal = f"{ball} {target}"
    found = {leaf: prove_leaf(f"{goal} {leaf}") for leaf in goal_leaves(goal)}
    return join_leaves(goal, {leaf: text for leaf, text in found.items() if text is not None})


def _first_bound(prover: LineProver, target: int, stone: str, left: str) -> str:
    """The same for the side that lays the first stone: a stone, then a pairing of all hollows but one."""
    mine, theirs = (1 << HOLLOW_BIT[HOLLOW[name]] for name in (stone, left))
    *_, best = BoundSearch(prover, mine, theirs).bounds(target, STEPS, ATTEMPTS)
    return bound_certificate(prover.ball_name, best.lead, f"{stone} {leaf_text(best.pairs, theirs)}", "prover")


def goal_leaves(goal: str) -> Sequence[str]:
    """The first stones of a goal that differ by symmetry; raises OptionError for a text that is no goal."""
    ball, _ = _read_goal(goal)
    return [NAMES[bit] for bit in distinct_replies(0, 0, 1 << HOLLOW_BIT[HOLLOW[ball]])]


def prove_leaf(text: str) -> str | None:
    """The proof for one first stone of a goal, a text such as "g7 16 a3"; None if none is found."""
    goal, _, stone = text.rpartition(" ")
    ball, target = _read_goal(goal)
    return BoundTree(ball, target, TREE_EFFORT).answer(0, 1 << HOLLOW_BIT[HOLLOW[stone]], TREE_DEPTH)


def join_leaves(goal: str, proofs: Mapping[str, str]) -> str:
    """The certificate of a goal from the proofs of its leaves; one that lacks some is refused by the verifier."""
    ball, target = _read_goal(goal)
    return bound_certificate(ball, target, f"( {' '.join(f'{leaf} {proof}' for leaf, proof in proofs.items())} )")


def _read_goal(goal: str) -> tuple[str, int]:
    """The hollow of the ball and the half tiles of a goal."""
    ball, _, target = goal.partition(" ")
    if HOLLOW.get(ball) not in MOERAKI or not target.isdecimal():
        raise OptionError(f"A goal is a hollow of the ball and a number of half tiles, such as 'g7 16', not '{goal}'.")
    return ball, int(target)
