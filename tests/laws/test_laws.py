"""Every registered game, with its options, keeps every law on random play."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kemu
from kemu.core import laws
from tests.laws.choices import GAMES, OPTIONS

LONGEST = 120


def test_every_registered_game_is_here() -> None:
    assert set(OPTIONS) == set(kemu.games())


def each_game(test: Any) -> Any:
    return pytest.mark.parametrize(("key", "options"), GAMES, ids=[f"{key}-{options}" for key, options in GAMES])(test)


@each_game
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_law(law: Any, key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    states, _ = laws.play(game, random.Random(seed).randrange, LONGEST)
    for state in states:
        law(game, state)


@each_game
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_what_is_not_listed_is_refused(key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    states, actions = laws.play(game, random.Random(seed).randrange, LONGEST)
    for state in states[:: max(1, len(states) // 20)]:
        laws.strangers_are_refused(game, state, actions)


@each_game
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_replay_and_choices(key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    states, actions = laws.play(game, random.Random(seed).randrange, LONGEST)
    laws.replay_reproduces(game, states, actions)
    choices: dict[str, object] = {}
    for state in states:
        laws.equal_views_mean_equal_choices(game, state, choices)
