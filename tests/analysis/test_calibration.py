"""The curve of the expected score as bench/calibration.py fits it: a known one is found, and games are what counts."""

import math
import random

import pytest

from bench import calibration
from kemu.engines.analysis import calibrated

CURVE = ((-2.5, 2.5, 5.0), (-0.5, 0.5, 2.0))


def drawn(count: int) -> list[calibration.Sample]:
    """Positions of so many games whose results follow `CURVE` for values above 0."""
    dice, samples = random.Random(1), []
    for game in range(count):
        value = math.tanh(dice.uniform(0, 6) / 2)
        score = float(dice.random() < calibrated(value, CURVE))
        samples += [calibration.Sample(game, game, f"{game}/{place}", value, score) for place in range(2)]
    return samples


def test_a_symmetric_curve_is_found_from_one_side_of_it() -> None:
    curve = calibration.fit(drawn(3000), is_symmetric=True)
    for odds in (1.0, 2.5, 4.0, 5.0):
        value = math.tanh(odds / 2)
        assert calibrated(value, curve) == pytest.approx(calibrated(value, CURVE), abs=0.03)
        assert calibrated(-value, curve) == pytest.approx(1 - calibrated(value, curve))


def test_without_samples_a_value_is_its_own_score() -> None:
    assert calibrated(0.5, calibration.fit([], is_symmetric=False)) == pytest.approx(0.75, abs=0.001)


def test_what_is_held_out_was_not_fitted() -> None:
    samples = drawn(300)
    twice = samples[0]._replace(opening=1, game=300)  # a position that another opening leads to as well
    tested = list(calibration.held_out([*samples, twice], is_symmetric=True))
    assert len(tested) == len(samples) - 1
    assert twice.position not in {sample.position for sample, _ in tested}


def test_errors_are_by_games_not_by_positions() -> None:
    samples = [
        calibration.Sample(game, game, f"{game}/{place}", 0.5, float(game % 2)) for game in range(8) for place in "ab"
    ]
    (row,) = calibration.bins([(sample, 0.75) for sample in samples], is_symmetric=True)
    assert (row.expected, row.score, row.positions, row.games) == (0.75, 0.5, 16, 8)
    assert row.error == pytest.approx(1.96 * 0.5 / math.sqrt(8))


def test_a_side_that_expects_less_is_told_from_the_other() -> None:
    lost = calibration.Sample(0, 0, "a", -0.5, 0.0)
    (row,) = calibration.bins([(lost, 0.3)], is_symmetric=True)
    assert (row.expected, row.score) == (0.7, 1.0)
