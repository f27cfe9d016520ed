"""Bounds of the tile margin: the elimination against all ways one by one, and certificates of what is found."""

import random
from itertools import product

import numpy as np
import pytest

from kemu.engines.moeraki.board.packed import U
from kemu.engines.moeraki.board.tables import bits
from kemu.engines.moeraki.certify.margins import AREA_CORNERS, MAXIMUM, area_worth, eliminate
from kemu.engines.moeraki.certify.theorems import BoundSearch, BoundTree, bound_certificate, in_order, leaf_text
from kemu.engines.moeraki.certify.verify import Proof
from kemu.engines.moeraki.prove.lines import ALL, LineProver


def greatest_lead(pairs: list[int], theirs: int, ball: int) -> int:
    """The other's greatest lead, by trying all ways to split the pairs."""
    ways = product(*(bits(pair) for pair in pairs))
    leads = []
    for way in ways:
        held = theirs | sum(1 << bit for bit in way)
        leads.append(sum(int(area_worth(corners, U(held), U(ball))) for corners in AREA_CORNERS))
    return max(leads)


@pytest.mark.no_cover  # all ways are tried; bounds are measured below
@pytest.mark.parametrize("ball", ["f6", "h6", "g7"])
def test_the_lead_is_the_maximum_over_all_ways(ball: str) -> None:
    prover = LineProver(ball)
    source = random.Random(ball)
    cells = bits(ALL & ~int(prover.ball))
    source.shuffle(cells)
    pairs = [1 << one | 1 << two for one, two in zip(cells[:16:2], cells[1:16:2], strict=True)]
    theirs = sum(1 << bit for bit in cells[16:36])
    mine = sum(1 << bit for bit in cells[36:])
    search = BoundSearch(prover, mine, theirs)
    found = eliminate(np.array(pairs, np.uint64), MAXIMUM, search.context)
    assert found == greatest_lead(pairs, theirs, int(prover.ball))


def test_a_bound_has_a_certificate() -> None:
    bound = list(BoundSearch(LineProver("h6"), seed=1).bounds(16, 20, 20))[-1]
    assert bound.lead <= 16
    assert sorted(in_order(bound.pairs)) == sorted(bound.pairs)
    Proof(bound_certificate("h6", bound.lead, leaf_text(bound.pairs)).splitlines())
    with pytest.raises(ValueError, match="lead by more"):
        Proof(bound_certificate("h6", bound.lead - 1, leaf_text(bound.pairs)).splitlines())


def test_without_a_pairing_and_without_a_tree_there_is_no_bound() -> None:
    assert BoundTree("g7", 104).proof(0, 0, 0) is None


def test_a_tree_has_an_answer_to_every_stone() -> None:
    """Nine tiles are easy to hold, so that a tree of one answer is found at once where a pairing is not asked for."""
    tree = BoundTree("h6", 14, (20, 1))
    proof = tree.proof(0, 0, 1)
    assert proof is not None
    Proof(bound_certificate("h6", 14, proof).splitlines())
