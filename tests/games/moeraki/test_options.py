"""Options: what may be chosen, and what is refused."""

from typing import Any

import pytest

from kemu import OptionError, game
from kemu.core.game import options


def test_the_defaults_are_the_masters_game_with_seat_0_as_starter() -> None:
    assert options(game("moeraki-kemu")) == {
        "variant": "master",
        "starter": 0,
        "moved_from": None,
        "eye": False,
        "swap": False,
        "stay": False,
    }


def test_it_is_a_game_for_two_without_chance() -> None:
    moeraki = game("moeraki-kemu")
    assert moeraki.seats == 2
    assert moeraki.odds(moeraki.initial()) == ()


@pytest.mark.parametrize(
    ("chosen", "sentence"),
    [
        ({"variant": "expert"}, "variant is 'beginner', 'basic' or 'master', not \"expert\"."),
        ({"starter": 2}, "starter is seat 0 or 1, not 2."),
        ({"starter": True}, "starter is seat 0 or 1, not true."),
        (
            {"moved_from": "a3"},
            'moved_from is one of f4, e5, g5, d6, f6, h6, e7, g7, f8 or nothing, not "a3".',
        ),
        ({"eye": 1}, "eye is true or false, not 1."),
        ({"swap": "yes"}, 'swap is true or false, not "yes".'),
        ({"stay": 0}, "stay is true or false, not 0."),
        (
            {"eye": True, "variant": "beginner"},
            "eye belongs to the basic and the master's game, not to variant 'beginner'.",
        ),
    ],
)
def test_what_is_no_option_is_refused(chosen: dict[str, Any], sentence: str) -> None:
    with pytest.raises(OptionError) as error:
        game("moeraki-kemu", **chosen)
    assert str(error.value) == sentence


def test_swap_goes_with_any_variant_and_eye_with_the_basic_and_the_masters_game() -> None:
    for variant in ("beginner", "basic", "master"):
        assert options(game("moeraki-kemu", variant=variant, swap=True))["swap"]
    for variant in ("basic", "master"):
        assert options(game("moeraki-kemu", variant=variant, eye=True))["eye"]
