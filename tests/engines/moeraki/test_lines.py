"""Proofs about lines: pairings, verdicts on positions of the beginner's game, and their certificates."""

from collections import Counter
from functools import cache

import pytest

from kemu.engines.analysis import Budget
from kemu.engines.moeraki.board.translation import kernel_state
from kemu.engines.moeraki.certify.verify import Proof
from kemu.engines.moeraki.certify.writers import certificate, certificates
from kemu.engines.moeraki.prove.lines import Board, LineProver, Verdict
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from tests.differential.brute_force import brute_force, quiet_ending
from tests.engines.moeraki.positions import position, random_position

BEGINNER = MoerakiKemu("beginner")


@cache
def prover(ball: str) -> LineProver:
    return LineProver(ball)


def board(state: State) -> tuple[LineProver, Board]:
    """The prover for a state, and its stones."""
    words = kernel_state(BEGINNER, state)
    ball = HOLLOWS[state.ball.bit_length() - 1].name
    return prover(ball), Board(int(words[state.turn]), int(words[1 - state.turn]))


def verdict(state: State) -> Verdict:
    who, stones = board(state)
    return who.prove(stones, Budget(nodes=10_000_000))


@pytest.mark.parametrize("ball", ["f6", "d6", "f4", "f8", "h6"])
def test_over_the_empty_board_there_is_a_pairing(ball: str) -> None:
    pairs = prover(ball).pairs(0, 0)
    assert pairs is not None
    assert len({bit for pair in pairs for bit in pair}) == 2 * len(pairs) <= 56


@pytest.mark.parametrize("ball", ["e5", "e7", "g5", "g7"])
def test_with_the_ball_beside_the_centre_there_is_none(ball: str) -> None:
    assert prover(ball).pairs(0, 0, limit=1 << 40) is None


def test_a_pairing_holds_a_hollow_of_every_open_line() -> None:
    for number in range(20):
        who, (own, other) = board(random_position(BEGINNER, 9, f"pairing {number}"))
        pairs = who.pairs(own, other)
        if pairs is None:
            continue
        boards = [1 << a | 1 << b for a, b in pairs]
        assert sum(boards) & (own | other | int(who.ball)) == 0
        for line in [int(mask) for mask in who.masks if int(mask) >> 1 != (1 << 63) - 1 and not int(mask) & own]:
            assert any(pair & ~line == 0 for pair in boards)


@pytest.mark.parametrize("ball", ["f6", "h6", "g7", "e5"])
@pytest.mark.parametrize("turn", ["prover", "other"])
def test_both_sides_hold_the_beginners_game(ball: str, turn: str) -> None:
    text = certificate(prover(ball), 0, 0, turn, "hold")
    Proof(text.splitlines())


def test_verdicts_have_certificates() -> None:
    results: Counter[str | None] = Counter()
    for number in range(30):
        state = random_position(BEGINNER, 5 + number % 12, f"verdict {number}")
        who, stones = board(state)
        found = who.prove(stones, Budget(nodes=300_000))
        results[found.result] += 1
        for text in certificates(who, stones, found.result) if found.result else ():
            assert Proof(text.splitlines()).nodes >= 0
    assert results["won"] >= 5
    assert results["drawn"] >= 2
    assert results["lost"] >= 1
    assert results[None] <= 3


def test_verdicts_are_what_brute_force_finds() -> None:
    names = {"won": 1, "drawn": 0, "lost": -1}
    for number in range(12):
        state = quiet_ending(BEGINNER, 6 + number % 3, f"verdict {number}")
        result = verdict(state).result
        assert result is not None
        assert names[result] == brute_force(BEGINNER, state, {})


def test_a_win_a_loss_and_a_draw() -> None:
    assert verdict(position(BEGINNER, "f6", "k5 k7", "c1 b2")).result == "won"
    assert verdict(position(BEGINNER, "f6", "", "")).result == "drawn"
