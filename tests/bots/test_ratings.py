"""What results say about strength."""

import random
from itertools import pairwise

import pytest

from kemu.bots.ratings import (
    Result,
    expected_score,
    ratings,
    score_interval,
    sequential,
    share_interval,
    strengths,
)


def results(wins: int, losses: int, draws: int = 0) -> list[Result]:
    return [
        *[(("a", 1.0), ("b", 0.0))] * wins,
        *[(("a", 0.0), ("b", 1.0))] * losses,
        *[(("a", 0.5), ("b", 0.5))] * draws,
    ]


def test_the_difference_in_elo_is_that_of_the_score() -> None:
    found = strengths(results(7600, 2400))
    assert expected_score(found["a"] - found["b"]) == pytest.approx(0.76, abs=0.001)
    assert found["a"] == pytest.approx(-found["b"])


def test_draws_count_half() -> None:
    assert strengths(results(50, 50))["a"] == pytest.approx(strengths(results(0, 0, 100))["a"], abs=1e-3)


def test_nobody_is_infinitely_strong() -> None:
    assert 300 < strengths(results(20, 0))["a"] < 1000


def test_a_chain_of_neighbours_adds_up() -> None:
    names = "abcdefgh"
    games: list[Result] = []
    for weaker, stronger in pairwise(names):
        games += [((stronger, 1.0), (weaker, 0.0))] * 2000 + [((stronger, 0.0), (weaker, 1.0))] * 1000
    found = strengths(games)
    assert found["h"] - found["a"] == pytest.approx(7 * 120.4, rel=0.02)


def test_at_a_table_of_four_the_fair_share_is_a_quarter() -> None:
    table: list[Result] = [
        (("a", float(winner == 0)), *((name, float(winner == seat)) for seat, name in enumerate("bcd", start=1)))
        for winner in range(4)
    ] * 50
    assert all(abs(elo) < 1 for elo in strengths(table).values())


def test_the_interval_holds_the_truth_about_nineteen_times_of_twenty() -> None:
    dice = random.Random(1)
    hits = 0
    for seed in range(20):
        groups = [results(*((1, 0) if dice.random() < 0.64 else (0, 1))) for _ in range(80)]
        rating = ratings(groups, seed)["a"]
        assert rating.low < rating.elo < rating.high
        hits += rating.low < 50 < rating.high  # 64 % is 100 Elo, half of it above the average
    assert hits >= 17


def test_a_sequential_test_decides_for_the_truth_and_not_too_soon() -> None:
    better = [1.0, 0.5, 1.0, 1.0, 0.0] * 12
    assert sequential(better[:2], 0, 50).decided is None
    assert sequential(better, 0, 50).decided == "stronger"
    assert sequential([1 - score for score in better], 0, 50).decided == "weaker"
    assert sequential([], 0, 50).decided is None


def test_a_sequential_test_ends_when_one_side_wins_everything() -> None:
    assert sequential([1.0] * 40, 0, 50).decided == "stronger"
    assert sequential([0.0] * 40, 0, 50).decided == "weaker"


def test_a_share_has_its_error() -> None:
    mean, error = share_interval([1.0, 0.0] * 50)
    assert mean == 0.5
    assert error == pytest.approx(0.096, abs=0.001)


@pytest.mark.parametrize(
    ("scores", "low", "high"),
    [([0.0] * 30, 0, 0.114), ([0.0] * 6, 0, 0.390), ([1.0] * 6, 0.610, 1), ([0.5] * 4, 0.255, 0.745), ([], 0, 1)],
)
def test_an_interval_of_few_games_is_never_a_point(scores: list[float], low: float, high: float) -> None:
    mean, *found = score_interval(scores)
    assert found == pytest.approx([low, high], abs=0.001)
    assert low <= mean <= high


def test_pairs_that_vary_less_have_a_narrower_interval() -> None:
    _, low, high = score_interval([0.5, 0.5, 0.5, 1.0] * 10)
    _, lowest, highest = score_interval([1.0, 1.0, 0.0, 0.5] * 10)
    assert high - low < highest - lowest


def test_the_rating_of_one_who_lost_all_games_is_not_certain() -> None:
    rating = ratings([results(0, 2)] * 3)["a"]
    assert rating.low < rating.high - 100
