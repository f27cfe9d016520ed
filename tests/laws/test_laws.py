"""Every registered game, with its options, keeps every law on random play, from the start to the end of the game."""

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kemu
from kemu.core import laws
from kemu.core.game import AnyGame
from kemu.games import manifest, symmetries
from tests.laws.choices import GAMES, OPTIONS, TWINS, each_game

pytestmark = pytest.mark.no_cover  # the rules are measured where each sentence of them is tested

LONGEST = 2000
LAST = 12

seeds = given(seed=st.integers(0, 2**32))


def random_play(game: AnyGame, seed: int) -> tuple[list[Any], list[Any]]:
    return laws.play(game, random.Random(seed).randrange, LONGEST)


def sample(states: list[Any], number: int) -> list[Any]:
    """About so many states from the whole of a play, and always its last ones."""
    return [*states[: -LAST : max(1, len(states) // number)], *states[-LAST:]]


def test_every_registered_game_is_here() -> None:
    assert set(OPTIONS) == set(kemu.game_keys())


@each_game
@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@settings(max_examples=8)
@seeds
def test_law(law: Any, key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    states, _ = random_play(game, seed)
    for state in sample(states, 60):
        law(game, state)


@each_game
@settings(max_examples=8)
@seeds
def test_what_is_not_listed_is_refused(key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    states, actions = random_play(game, seed)
    for state in sample(states, 10):
        laws.unlisted_actions_are_refused(game, state, sample(actions, 100))


@each_game
@settings(max_examples=8)
@seeds
def test_replay(key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    laws.replay_reproduces(game, *random_play(game, seed))


@pytest.mark.parametrize(
    ("key", "options"), [each for each in GAMES if manifest(each[0]).symmetry], ids=lambda part: str(part)
)
@settings(max_examples=2)
@seeds
def test_symmetries(key: str, options: dict[str, Any], seed: int) -> None:
    game = kemu.game(key, **options)
    states, _ = random_play(game, seed)
    for state in sample(states, 12)[::3]:
        laws.symmetries_keep_the_rules(game, state, symmetries(game))


def test_how_many_symmetries_there_are() -> None:
    chosen: list[tuple[str, dict[str, Any]]] = [
        ("moeraki-kemu", {}),
        ("moeraki-kemu", {"moved_from": "f6"}),  # the centre stays where it is
        ("moeraki-kemu", {"moved_from": "e5"}),  # one mirror keeps it
        ("mu-torere", {}),
        ("mu-torere", {"arms": 4}),
        ("mauw", {}),
    ]
    numbers = [len(symmetries(kemu.game(key, **options))) for key, options in chosen]
    assert numbers == [8, 8, 2, 16, 8, 1]


@each_game
def test_random_plays_reach_the_end(key: str, options: dict[str, Any]) -> None:
    game = kemu.game(key, **options)
    ends = [game.outcome(random_play(game, seed)[0][-1]) for seed in range(8)]
    assert sum(end is not None for end in ends) >= 6


@pytest.mark.parametrize(
    ("key", "options"), [(key, options) for key, options in GAMES if key in TWINS], ids=lambda part: str(part)
)
def test_secrets_do_not_matter(key: str, options: dict[str, Any]) -> None:
    game = kemu.game(key, **options)
    compared: Counter[str] = Counter()
    for seed in range(4):
        source = random.Random(seed)
        states, _ = random_play(game, seed)
        for state in sample(states, 60):
            for seat in range(game.seats):
                for twin in TWINS[key](game, state, seat, source):
                    laws.secrets_do_not_matter(game, state, twin, seat)
                    compared["different states"] += state != twin
                    compared["own turns"] += state != twin and game.turn(state) == seat
                    compared["ends"] += state != twin and game.turn(state) is None
    # Of 70 states in each of 4 plays, most differ from their twins, one in three is a choice of somebody's.
    assert compared["different states"] >= 200 * game.seats
    assert compared["own turns"] >= 60
    assert compared["ends"] >= 4
