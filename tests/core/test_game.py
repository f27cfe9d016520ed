"""The vocabulary itself."""

from fractions import Fraction

import kemu
from kemu.core.game import Outcome, options


def test_outcomes_are_equal_whatever_they_point_at() -> None:
    assert Outcome((0,), "tahuna", None, ("f6",)) == Outcome((0,), "tahuna", None)
    assert Outcome((0,), "tahuna") != Outcome((1,), "tahuna")


def test_an_outcome_goes_into_json() -> None:
    assert Outcome((1,), "marae", (Fraction(11), Fraction(21, 2)), ("f6",)).encode() == {
        "winners": [1],
        "reason": "marae",
        "scores": ["11", "21/2"],
        "at": ["f6"],
    }


def test_the_options_of_a_game_make_it_again() -> None:
    game = kemu.game("mu-torere", arms=6, flank="opening")
    assert options(game) == {"flank": "opening", "arms": 6, "repetition": True}
    assert kemu.game("mu-torere", **options(game)) == game


def test_winners_share_the_victory_and_all_seats_a_draw() -> None:
    assert Outcome((0, 2), "limit").shares(3) == (0.5, 0.0, 0.5)
    assert Outcome((), "draw").shares(4) == (0.25,) * 4
