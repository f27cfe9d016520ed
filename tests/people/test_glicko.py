"""Glicko-2 against the published example, a second implementation, and the bounds that lichess sets."""

from math import erf, exp, log, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kemu.people.glicko import (
    LEAST_DEVIATION,
    MOST_CHANGE,
    MOST_DEVIATION,
    PERIODS_PER_DAY,
    PROVISIONAL,
    Score,
    Strength,
    after_game,
    after_period,
    aged,
    periods_until_provisional,
)

RATINGS = st.floats(400, 3000)
DEVIATIONS = st.floats(45, 500)
VOLATILITIES = st.floats(0.03, 0.1)
STRENGTHS = st.builds(Strength, RATINGS, DEVIATIONS, VOLATILITIES)
SCORES = st.builds(Score, STRENGTHS, st.sampled_from([0.0, 0.5, 1.0]), st.floats(-150, 150))


def test_the_example_of_the_paper() -> None:
    """Glickman, "Example of the Glicko-2 system": three games in one period, tau 0.5."""
    scores = [
        Score(Strength(1400, 30, 0.06), 1),
        Score(Strength(1550, 100, 0.06), 0),
        Score(Strength(1700, 300, 0.06), 0),
    ]
    found = after_period(Strength(1500, 200, 0.06), scores, 1.0, tau=0.5)
    assert found.rating == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def second_implementation(strength: Strength, score: Score, periods: float) -> Strength:
    """The same by other means: Bayes by hand for one game, the volatility by bisection, no logarithm of it."""
    scale = 400 / log(10)
    q = 1 / scale
    g = 1 / sqrt(1 + 3 * (q * score.opponent.deviation / pi) ** 2)
    expected = 1 / (1 + 10 ** (-g * (strength.rating + score.advantage - score.opponent.rating) / 400))
    variance = 1 / (g * g * expected * (1 - expected))
    surprise = variance * g * (score.score - expected)
    phi = strength.deviation * q

    def slope(sigma: float) -> float:
        spread = phi**2 + variance + sigma**2
        return sigma**2 * (surprise**2 - spread) / (2 * spread**2) - 2 * log(sigma / strength.volatility) / 0.75**2

    low, high = 1e-6, 10.0
    while high - low > 1e-12:
        middle = (low + high) / 2
        low, high = (middle, high) if slope(middle) > 0 else (low, middle)
    precision = 1 / (phi**2 + periods * low**2) + 1 / variance
    rating = strength.rating + scale * g * (score.score - expected) / precision
    return Strength(rating, scale / sqrt(precision), low)


@given(STRENGTHS, SCORES, st.floats(0, 100))
def test_a_second_implementation_finds_the_same(strength: Strength, score: Score, periods: float) -> None:
    ours, theirs = after_period(strength, [score], periods), second_implementation(strength, score, periods)
    assert ours.rating == pytest.approx(theirs.rating, abs=0.01)
    assert ours.deviation == pytest.approx(theirs.deviation, abs=0.01)
    assert ours.volatility == pytest.approx(theirs.volatility, abs=1e-5)


@given(STRENGTHS, SCORES, st.floats(0, 10_000))
def test_a_game_stays_within_the_bounds(strength: Strength, score: Score, periods: float) -> None:
    after = after_game(strength, score, periods)
    assert LEAST_DEVIATION <= after.deviation <= MOST_DEVIATION
    assert 400 <= after.rating <= 4000
    assert after.volatility <= 0.1
    assert abs(after.rating - strength.rating) <= MOST_CHANGE
    if score.score == 1:
        assert after.rating >= strength.rating
    if score.score == 0:
        assert after.rating <= strength.rating


def test_the_advantage_of_the_first_is_worth_as_many_points() -> None:
    even = after_game(Strength(1578, 60), Score(Strength(1500, 60), 1), 0)
    helped = after_game(Strength(1500, 60), Score(Strength(1500, 60), 1, 78), 0)
    assert helped.rating - 1500 == pytest.approx(even.rating - 1578)
    against = after_game(Strength(1500, 60), Score(Strength(1500, 60), 1, -78), 0)
    assert against.rating > helped.rating, "a win against the advantage says more"


def test_a_deviation_grows_with_time_to_that_of_a_newcomer_and_no_further() -> None:
    year = aged(Strength(1500, 60, 0.06), 365 * PERIODS_PER_DAY)
    assert year.deviation == pytest.approx(110, abs=0.5)
    assert aged(Strength(1500, 60, 0.06), -5).deviation == pytest.approx(60)
    assert aged(Strength(1500, 60, 0.06), 1e9).deviation == MOST_DEVIATION
    assert after_period(Strength(1500, 60, 0.06), [], 365 * PERIODS_PER_DAY) == year


@given(STRENGTHS)
def test_a_rating_is_provisional_when_the_formula_says(strength: Strength) -> None:
    left = periods_until_provisional(strength)
    assert (left == 0) == (strength.provisional or strength.deviation == PROVISIONAL)
    if left:
        assert aged(strength, left).deviation == pytest.approx(PROVISIONAL)
        assert not aged(strength, 0.99 * left).provisional


def test_results_tell_apart_whom_the_ratings_tell_apart() -> None:
    """Players of known strength meet each other for long; the ratings find their order and about their distance."""
    truth = [1300, 1500, 1700]
    found = [Strength()] * 3
    state = 1
    for number in range(900):
        one, other = ((0, 1), (1, 2), (2, 0))[number % 3]
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        won = float(state / 0x7FFFFFFF < 1 / (1 + exp((truth[other] - truth[one]) * log(10) / 400)))
        found[one], found[other] = (
            after_game(found[one], Score(found[other], won), 0.2),
            after_game(found[other], Score(found[one], 1 - won), 0.2),
        )
    middle = sum(each.rating for each in found) / 3
    for each, real in zip(found, truth, strict=True):
        sure = erf(abs(each.rating - middle - (real - 1500)) / each.deviation / sqrt(2))
        assert sure < 0.997, "within three deviations"
