"""The owners' tests of every adapter for the values of options that are in no set of `tests/laws/choices.py`."""

from typing import Any

import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test

import kemu
from kemu.adapters import openspiel
from kemu.adapters.gymnasium import KemuEnv
from kemu.adapters.pettingzoo import env
from kemu.core.errors import OptionError
from tests.adapters.test_pettingzoo import expected_warnings
from tests.laws.choices import OPTIONS

VALUES: dict[str, dict[str, tuple[Any, ...]]] = {
    "moeraki-kemu": {
        "variant": ("beginner", "basic", "master"),
        "starter": (0, 1),
        "moved_from": ("f4", "e5", "g5", "d6", "f6", "h6", "e7", "g7", "f8"),
        "eye": (False, True),
        "swap": (False, True),
        "stay": (False, True),
    },
    "mu-torere": {
        "arms": (4, 6, 8, 10, 12, 14, 16),
        "flank": ("always", "opening", "never"),
        "repetition": (False, True),
    },
    "mauw": {"players": (2, 3, 4, 5, 6)},
}
"""Every value of every option."""


def is_in_a_set(key: str, name: str, value: Any) -> bool:
    return any(options.get(name) == value for options in OPTIONS[key])


OTHERS = [
    (key, {name: value})
    for key, options in VALUES.items()
    for name, values in options.items()
    for value in values
    if not is_in_a_set(key, name, value)
]


@pytest.mark.no_cover
@pytest.mark.parametrize(("key", "options"), OTHERS, ids=str)
@expected_warnings
def test_every_other_value_passes_the_tests_of_all_owners(
    key: str, options: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(openspiel.name(key), options), num_sims=1, serialize=False, verbose=False)
    api_test(env(key, **options), num_cycles=10)
    check_env(KemuEnv(key, **options), skip_render_check=True)


@pytest.mark.parametrize(("key", "name"), [(key, name) for key, options in VALUES.items() for name in options])
def test_no_value_and_no_option_is_missing(key: str, name: str) -> None:
    game = pyspiel.load_game(openspiel.name(key))
    assert set(game.get_parameters()) - {"position"} == set(VALUES[key])
    beyond: Any = {"arms": 18, "players": 7, "starter": 2, "moved_from": "a3"}.get(name, "other")
    with pytest.raises(OptionError, match=name):
        kemu.game(key, **{name: beyond})
