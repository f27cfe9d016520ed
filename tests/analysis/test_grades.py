"""Thresholds, labels of proofs and accuracy."""

import math

import pytest

import kemu
from kemu.analysis.grades import (
    Grade,
    ProofGrade,
    action_accuracy,
    game_accuracy,
    loss_points,
    proof_grade,
    score_grade,
    sight,
)
from kemu.bots.engines import expected_score
from kemu.engines.analysis import Verdict, calibrated, read_verdict

WIN, DRAW, LOSS = Verdict("win", 3), Verdict("draw"), Verdict("loss", 2)


@pytest.mark.parametrize(
    ("loss", "grade"),
    [
        (0, Grade.BEST),
        (0.5, Grade.GOOD),
        (4.9, Grade.GOOD),
        (5, Grade.INACCURACY),
        (9.9, Grade.INACCURACY),
        (10, Grade.MISTAKE),
        (14.9, Grade.MISTAKE),
        (15, Grade.BLUNDER),
        (100, Grade.BLUNDER),
    ],
)
def test_points_make_the_grade(loss: float, grade: Grade) -> None:
    assert score_grade(loss) == grade


@pytest.mark.parametrize(
    ("before", "after", "grade"),
    [
        (WIN, WIN, ProofGrade.KEPT_WIN),
        (WIN, DRAW, ProofGrade.GAVE_WIN),
        (WIN, LOSS, ProofGrade.GAVE_WIN),
        (WIN, None, ProofGrade.MISSED_WIN),
        (DRAW, DRAW, ProofGrade.KEPT_DRAW),
        (DRAW, LOSS, ProofGrade.THREW_DRAW),
        (DRAW, None, None),
        (LOSS, LOSS, ProofGrade.LOST_ANYWAY),
        (LOSS, None, ProofGrade.LOST_ANYWAY),
        (None, LOSS, ProofGrade.ALLOWED_LOSS),
        (None, DRAW, None),
        (None, None, None),
    ],
)
def test_two_verdicts_make_the_label(before: Verdict | None, after: Verdict | None, grade: ProofGrade | None) -> None:
    assert proof_grade(before, after) == grade


def test_a_verdict_is_read_from_what_a_line_says_and_turned_for_the_other_seat() -> None:
    assert read_verdict("win in 12") == Verdict("win", 12)
    assert read_verdict("draw") == DRAW
    assert read_verdict(None) is None
    assert (WIN.reversed(), DRAW.reversed()) == (Verdict("loss", 3), DRAW)


def test_the_curve_of_the_expected_score_rises_and_leaves_what_is_certain() -> None:
    curve = ((-2.0, -1.0, 1.0, 2.0), (-1.0, -0.8, 0.8, 1.0))
    values = [calibrated(value / 10, curve) for value in range(-10, 11)]
    assert values == sorted(values)
    assert (values[0], values[-1]) == (0.0, 1.0)
    assert calibrated(0, curve) == 0.5


@pytest.mark.parametrize(("odds", "expected"), [(-9, -4.0), (-1.5, -0.25), (0, 0.5), (1, 1.0), (1.5, 2.0), (9, 17.0)])
def test_a_curve_is_straight_between_its_points_and_beyond_them(odds: float, expected: float) -> None:
    curve = ((-2.0, -1.0, 1.0, 2.0), (-0.5, 0.0, 1.0, 3.0))
    found = calibrated(math.tanh(odds / 2), curve)
    assert math.log(found / (1 - found)) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("variant", ["beginner", "basic", "master"])
def test_what_one_side_of_an_open_game_expects_the_other_does_not(variant: str) -> None:
    game = kemu.game("moeraki-kemu", variant=variant)
    scores = [expected_score(game, value / 20) for value in range(-20, 21)]
    assert scores == sorted(scores)
    assert [1 - score for score in reversed(scores)] == pytest.approx(scores)


def test_accuracy_falls_with_the_loss() -> None:
    assert action_accuracy(0) == 100
    assert action_accuracy(10) == pytest.approx(64.6, abs=0.2)
    assert action_accuracy(100) == 0


def test_one_blunder_pulls_the_accuracy_of_a_game_down() -> None:
    assert game_accuracy([0.0] * 10) == 100
    blundered = game_accuracy([40.0, *[0.0] * 9])
    assert blundered is not None
    assert 90 < blundered < 95
    assert game_accuracy([]) is None


@pytest.mark.parametrize("seats", [2, 3, 4, 6])
def test_a_loss_is_measured_against_what_was_left(seats: int) -> None:
    even = 1 / seats
    assert loss_points(even, 0.0, seats) == 50
    assert loss_points(even / 2, even / 4, seats) == loss_points(even, even / 2, seats) == 25
    assert loss_points(1.0, even, seats) == 50
    assert loss_points(1.0, 0.0, seats) == 100
    assert loss_points(0.001, 0.0, seats) < 5, "of a lost game little can be lost"
    assert loss_points(even, 1.0, seats) == 0


@pytest.mark.parametrize(
    ("tests", "depth"),
    [
        ([], 1),
        ([(1, True)], 1),
        ([(1, False), (2, True)], 1),
        ([(1, True), (2, True), (3, False)], 3),
        ([(3, True)], 3),
        ([(2, False), (5, True)], 1),
        ([(1, True), (2, True), (5, True), (6, False), (9, True)], 6),
    ],
)
def test_a_seat_sees_as_deep_as_it_notices_half_of_what_there_is(tests: list[tuple[int, bool]], depth: int) -> None:
    assert sight(tests) == depth
