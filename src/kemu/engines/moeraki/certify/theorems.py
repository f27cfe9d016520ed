"""Theorems about the empty board, proved again from nothing, and searches for better bounds in parts.

A goal is a text such as "g7 16": with the ball there, the side that answers keeps the other from every line
of the basic game and is behind by at most this many half tiles at its end. Its leaves are the first stones that differ
by symmetry.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from kemu.core.errors import OptionError
from kemu.engines.compiled import plain_tuple
from kemu.engines.moeraki.board.packed import U
from kemu.engines.moeraki.board.tables import HOLLOW_AT, NAMED_BIT, NAMES, bits
from kemu.engines.moeraki.certify import margins
from kemu.engines.moeraki.certify.writers import certificate, distinct_replies, head
from kemu.engines.moeraki.prove.lines import ALL, LineProver
from kemu.games.moeraki.board import HOLLOW, MOERAKI
from kemu.games.moeraki.board import HOLLOWS as POINTS

CLASSES: Final = ("f6", "h6", "g7")
"""One hollow of the ball of each class; the others follow by symmetry."""

BOUNDS: Final = {"f6": 8, "h6": 11, "g7": 17}
"""The least half tiles for which a proof is known to be found."""

NEXT_GOAL = "g7 14"
FIRST_BOUNDS: Final = {"f6": (7, "i9", "j10"), "h6": (8, "h10", "g11"), "g7": (8, "h8", "i1")}
"""The same for the side that lays the first stone: half tiles, that stone, and a hollow that is left to the other."""

STEPS: Final = 3_000
ATTEMPTS: Final = 4_000
TREE_EFFORT: Final = (60, 6)
TREE_DEPTH: Final = 4
"""Steps of the walk from a pairing, pairings to begin with, both for a leaf of a tree, and answers after the first."""

TREE_ANSWERS: Final = 20
"""Answers that a tree tries to each stone."""


def prove_again() -> Iterator[tuple[str, str]]:
    """Return the names and texts of all certificates that come with Kemu, found by new searches."""
    for ball in CLASSES:
        prover = LineProver(ball)
        yield f"beginner-{ball}-second", certificate(prover, 0, 0, "other", "hold")
        yield f"beginner-{ball}-first", certificate(prover, 0, 0, "prover", "hold")
        yield f"basic-{ball}-second", _bound(prover, BOUNDS[ball])
        yield f"basic-{ball}-first", _first_bound(prover, *FIRST_BOUNDS[ball])


def _bound(prover: LineProver, target: int) -> str:
    """Return a certificate that the answering side is behind by at most `target` half tiles, by a pairing or a tree."""
    ball = prover.ball_name
    for bound in BoundSearch(prover).bounds(target, STEPS, ATTEMPTS if prover.pairs(0, 0) else 0):
        if bound.lead <= target:
            return bound_certificate(ball, bound.lead, leaf_text(bound.pairs))
    goal = f"{ball} {target}"
    found = {leaf: prove_leaf(f"{goal} {leaf}") for leaf in goal_leaves(goal)}
    return join_leaves(goal, {leaf: text for leaf, text in found.items() if text is not None})


def _first_bound(prover: LineProver, target: int, stone: str, left: str) -> str:
    """Return the same for the side that lays the first stone: a stone, then a pairing of all hollows but one."""
    mine, theirs = (1 << NAMED_BIT[name] for name in (stone, left))
    *_, best = BoundSearch(prover, mine, theirs).bounds(target, STEPS, ATTEMPTS)
    return bound_certificate(prover.ball_name, best.lead, f"{stone} {leaf_text(best.pairs, theirs)}", "prover")


def goal_leaves(goal: str) -> Sequence[str]:
    """Return the first stones of a goal that differ by symmetry; raises OptionError for a text that is no goal."""
    ball, _ = _read_goal(goal)
    return [NAMES[bit] for bit in distinct_replies(0, 0, 1 << NAMED_BIT[ball])]


def prove_leaf(text: str) -> str | None:
    """Return the proof for one first stone of a goal, a text such as "g7 16 a3"; None if none is found."""
    goal, _, stone = text.rpartition(" ")
    ball, target = _read_goal(goal)
    return BoundTree(ball, target, TREE_EFFORT).answer(0, 1 << NAMED_BIT[stone], TREE_DEPTH)


def join_leaves(goal: str, proofs: Mapping[str, str]) -> str:
    """The certificate of a goal from the proofs of its leaves; one that lacks some is refused by the verifier."""
    ball, target = _read_goal(goal)
    return bound_certificate(ball, target, f"( {' '.join(f'{leaf} {proof}' for leaf, proof in proofs.items())} )")


def _read_goal(goal: str) -> tuple[str, int]:
    """Return the hollow of the ball and the half tiles of a goal."""
    ball, _, target = goal.partition(" ")
    if HOLLOW.get(ball) not in MOERAKI or not target.isdecimal():
        raise OptionError(f"A goal is a hollow of the ball and a number of half tiles, such as 'g7 16', not '{goal}'.")
    return ball, int(target)


BETA: Final = 1.0
HEAT: Final = 0.3
HOLD_NODES: Final = 3_000_000
AREAS: Final = [int(corners) for corners in margins.AREA_CORNERS]
WORST: Final = 2 * len(AREAS) + 1
"""Instead of a lead that would take too large tables to find."""


class Bound(NamedTuple):
    """A pairing, and the greatest lead in half tiles that it concedes."""

    lead: int
    pairs: tuple[int, ...]


class BoundSearch:
    """Looks for pairings that concede little; the prover's and the other's stones as boards of the kernel."""

    def __init__(self, prover: LineProver, mine: int = 0, theirs: int = 0, seed: int = 0) -> None:
        self.prover = prover
        self.mine, self.theirs = mine, theirs
        self.empty = self.prover.empty(mine, theirs)
        assert self.empty.bit_count() % 2 == 0, "every hollow has a partner"
        lines = [int(mask) for mask in self.prover.masks if not int(mask) & ~ALL and not int(mask) & mine]
        self.context = margins.margin_context(int(prover.ball), theirs, lines)
        self.fields = plain_tuple(self.context)
        self.stream = U(seed)

    def random_pairing(self) -> tuple[int, ...] | None:
        """Return a pairing by chance, None if this attempt failed."""
        pairs = np.zeros(self.empty.bit_count() // 2, np.uint64)
        sound, stream = margins.repair(pairs, 0, U(self.empty), self.context.open_lines, self.stream)
        self.stream = U(stream)
        return tuple(int(pair) for pair in pairs) if sound else None

    def exact_pairing(self) -> tuple[int, ...] | None:
        """Return the pairing of the exact search, with the hollows that it leaves paired with one nearby."""
        found = self.prover.pairs(self.mine, self.theirs)
        if found is None:
            return None
        pairs = [1 << one | 1 << two for one, two in found]
        rest = bits(self.empty & ~sum(pairs))
        while rest:
            one = rest.pop()
            two = min(rest, key=lambda bit: _distance(one, bit))
            rest.remove(two)
            pairs.append(1 << one | 1 << two)
        return tuple(pairs)

    def improved(self, pairs: tuple[int, ...], target: int, steps: int) -> Bound:
        """Return the best pairing that a walk of `steps` steps meets."""
        array = np.array(pairs, np.uint64)
        spare = np.zeros((2, len(pairs)), np.uint64)
        plan = (BETA, HEAT, steps)
        lead, stream = margins.anneal(array, spare, target, plan, self.stream, self.fields)
        self.stream = U(stream)
        return Bound(int(lead) if lead >= -WORST else WORST, tuple(int(pair) for pair in array))

    def bounds(self, target: int, steps: int, attempts: int) -> Iterator[Bound]:
        """Ever better bounds, until the target is met or the attempts are used up."""
        best = WORST
        for attempt in range(attempts):
            pairs = self.random_pairing() if attempt else self.exact_pairing()
            if pairs is None:
                continue
            found = self.improved(pairs, target, steps)
            if found.lead < best:
                best = found.lead
                yield found
            if best <= target:
                return

    def leaf(self, target: int, steps: int, attempts: int) -> str | None:
        """Return a pairing that meets the target as a leaf of a certificate, None if none is found."""
        found = [bound for bound in self.bounds(target, steps, attempts) if bound.lead <= target]
        return leaf_text(found[-1].pairs) if found else None


class BoundTree:
    """A tree above pairings: an answer to every stone of the other, so that all leaves meet the target."""

    def __init__(self, ball: str, target: int, effort: tuple[int, int] = TREE_EFFORT) -> None:
        """`effort` are the steps of a walk and the attempts for a leaf."""
        self.prover = LineProver(ball)
        self.target = target
        self.effort = effort
        self.leaves = 0

    def proof(self, mine: int, theirs: int, depth: int) -> str | None:
        """The proof where the other is to move, with at most `depth` answers before a leaf; None if none is found."""
        empty = self.prover.empty(mine, theirs)
        if self.prover.holes(theirs, empty):
            return None
        if threats := self.prover.holes(mine, empty):
            return "" if len(threats) > 1 else self.answer(mine, theirs | 1 << threats[0], depth)
        text = BoundSearch(self.prover, mine, theirs, self.leaves).leaf(self.target, *self.effort)
        if text is not None or depth == 0:
            self.leaves += text is not None
            return text
        replies = []
        for bit in distinct_replies(mine, theirs, int(self.prover.ball)):
            answer = self.answer(mine, theirs | 1 << bit, depth - 1)
            if answer is None:
                return None
            replies.append(f"{NAMES[bit]} {answer}")
        return f"( {' '.join(replies)} )"

    def answer(self, mine: int, theirs: int, depth: int) -> str | None:
        """Return the proof where the prover is to move."""
        if wins := self.prover.holes(mine, self.prover.empty(mine, theirs)):
            return NAMES[wins[0]]
        for bit in self.candidates(mine, theirs)[:TREE_ANSWERS]:
            text = self.proof(mine | 1 << bit, theirs, depth)
            if text is not None:
                return f"{NAMES[bit]} {text}".strip()
        return None

    def candidates(self, mine: int, theirs: int) -> list[int]:
        """The answers after which there is a pairing, those with the least lead first, else the one that holds."""
        empty = self.prover.empty(mine, theirs)
        if holes := self.prover.holes(theirs, empty):
            return holes
        if (stone := self.prover.attack(mine, theirs)) is not None:
            return [stone]
        found = []
        for bit in bits(empty):
            search = BoundSearch(self.prover, mine | 1 << bit, theirs)
            if (pairs := search.exact_pairing()) is not None:
                found.append((search.improved(pairs, self.target, 0).lead, bit))
        if found:
            return [bit for _, bit in sorted(found)]
        _, dn, bit = self.prover.search(theirs, mine, False, HOLD_NODES)
        return [bit] if dn == 0 else []


def bound_certificate(ball: str, lead: int, proof: str, turn: str = "other") -> str:
    """Return the certificate that the prover is behind by at most `lead` half tiles from an empty board on."""
    return f"{head('basic', ball, 0, 0, turn, f'margin {lead}')}{proof}\nend\n"


def leaf_text(pairs: tuple[int, ...], left: int = 0) -> str:
    """Pairs as the leaf of a certificate, with a board of hollows that are left to the other."""
    items = ["-".join(NAMES[bit] for bit in bits(pair)) for pair in in_order(pairs)]
    return f"{{ {' '.join([*items, *(NAMES[bit] for bit in bits(left))])} }}"


def _distance(one: int, two: int) -> int:
    """Return how far two hollows are apart."""
    first, second = POINTS[HOLLOW_AT[one]], POINTS[HOLLOW_AT[two]]
    return abs(first.x - second.x) + abs(first.y - second.y)


def in_order(pairs: tuple[int, ...]) -> list[int]:
    """Pairs in an order in which few hollows of unfinished areas are open at a time, to spare the verifier work."""
    left, ordered, whole = list(pairs), list[int](), sum(pairs)
    done = ALL & ~whole
    while left:
        best = min(left, key=lambda pair: _live(done | pair, whole))
        left.remove(best)
        ordered.append(best)
        done |= best
    return ordered


def _live(done: int, whole: int) -> int:
    """Return how many hollows of pairs done so far belong to areas that are not."""
    cells = 0
    for corners in AREAS:
        if corners & ~done:
            cells |= corners
    return (cells & done & whole).bit_count()
