"""Proofs: what the search claims is written out and checked by the verifier; what is wrong is refused."""

import copy
import json
import re
from typing import Any

import pytest

from kemu.core.errors import KemuError
from kemu.engines.analysis import Budget
from kemu.engines.moeraki.certify.win_checker import BrokenProof, verify
from kemu.engines.moeraki.certify.writers import write_proof
from kemu.engines.moeraki.search.searcher import Searcher
from kemu.games.moeraki.rules import MoerakiKemu
from tests.engines.moeraki.positions import ending, position, random_position

BASIC = MoerakiKemu("basic")
MASTER = MoerakiKemu("master")


@pytest.mark.parametrize("game", [BASIC, MASTER], ids=str)
def test_what_is_claimed_is_proved(game: MoerakiKemu) -> None:
    proved = 0
    for seed in range(10):
        state = random_position(game, 6 + seed % 4, f"proof {seed}")
        searcher = Searcher(game)
        claim = searcher.search(state, Budget(nodes=20_000)).proven
        if claim is not None and claim.startswith("win"):
            proof = write_proof(searcher, state)
            assert verify(json.loads(json.dumps(proof))) > 0
            proved += 1
    assert proved >= 3


def test_a_quiet_win_is_proved() -> None:
    for seed in range(12):
        state = random_position(BASIC, 5, f"quiet {seed}")
        searcher = Searcher(BASIC)
        if searcher.search(state, Budget(nodes=30)).proven is None:
            claim = searcher.search(state, Budget(nodes=60_000)).proven
            if claim is not None and claim.startswith("win"):
                proof = write_proof(searcher, state)
                assert proof is not None
                assert "else" in proof["tree"]
                assert verify(proof) > 100
                return
    pytest.fail("no quiet win among the positions")


def test_there_is_no_proof_where_nothing_is_won() -> None:
    state = position(BASIC, "g7", "d6 e5 d8", "a9 b10 k7 i11")
    assert write_proof(Searcher(BASIC), state) is None
    assert write_proof(Searcher(BASIC), BASIC.initial()) is None


def test_a_win_of_an_ending_is_proved_to_the_full_board() -> None:
    searcher = Searcher(MASTER)
    state = ending()
    assert searcher.search(state, Budget(nodes=1_000_000)).proven == "win in 4"
    proof = json.loads(json.dumps(write_proof(searcher, state)))
    assert verify(proof) > 300
    uses = [text for text in re.findall('"T[a-z0-9]+"', json.dumps(proof)) if text]
    assert uses, "it is won by the Tane alone"
    broken = json.loads(re.sub('"(before|after)": "T[a-z0-9]+", ', "", json.dumps(proof)))
    with pytest.raises(BrokenProof, match="has not won"):
        verify(broken)
    broken = json.loads(json.dumps(proof).replace(uses[0], '"Ta6sw"'))
    with pytest.raises(BrokenProof, match="cannot play Ta6sw"):
        verify(broken)


def double_threat() -> dict[str, Any]:
    proof = write_proof(Searcher(BASIC), position(BASIC, "g7", "d6 e5 d8", "a3 k5 k7 i11"))
    assert proof is not None
    return proof


def test_a_changed_proof_is_refused() -> None:
    proof = double_threat()
    assert verify(proof) > 10
    changes: list[dict[str, Any]] = [
        {"do": "a11"},
        {"do": "d6"},
        {"do": "a9"},
        {"then": {}, "else": None},
        {"more": 1},
    ]
    for change in changes:
        broken = copy.deepcopy(proof)
        broken["tree"].update(change)
        with pytest.raises(KemuError):
            verify(broken)


def test_a_missing_reply_is_named() -> None:
    proof = double_threat()
    del proof["tree"]["else"]
    with pytest.raises(BrokenProof, match="has no reply"):
        verify(proof)


def test_a_reply_that_does_not_win_is_named() -> None:
    proof = double_threat()
    proof["tree"]["else"] = {"do": "g1"}
    with pytest.raises(BrokenProof, match="has no reply"):
        verify(proof)


def test_a_loss_is_not_taken_for_a_win() -> None:
    """The loser completes a line of his own while the winner makes threats."""
    proof = double_threat()
    proof["position"]["stones"][1] = ["a9", "b10", "k7", "i11"]
    with pytest.raises(BrokenProof, match="has not won"):
        verify(proof)


def test_a_proof_of_another_game_or_state_is_refused() -> None:
    proof = double_threat()
    with pytest.raises(BrokenProof, match="knows moeraki-kemu"):
        verify({**proof, "game": "mauw"})
    with pytest.raises(BrokenProof, match="begins where"):
        verify({**proof, "position": BASIC.encode(BASIC.initial())})
