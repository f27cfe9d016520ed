"""A game of another package comes with its own encoding and is behind every adapter; its rules step batches."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import seed_test

import kemu
from kemu.adapters import openspiel
from kemu.adapters.gymnasium import KemuEnv
from kemu.adapters.pettingzoo import env
from kemu.core.errors import IllegalAction
from kemu.games import manifest, register, unregister
from tests.outside_package import OutsideGame


@pytest.fixture
def nim(outside_game: OutsideGame) -> Any:
    """Nim with an encoding."""
    described = replace(manifest("nim"), encoding="tests.adapters.nim_encoding:NimEncoding")
    unregister("nim")
    register(described)
    return kemu.game("nim")


def test_it_is_behind_every_adapter(nim: Any, capfd: pytest.CaptureFixture[str]) -> None:
    openspiel.register_games()
    game = pyspiel.load_game("kemu_nim(sticks=7)")
    assert game.max_game_length() == 7
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)
    seed_test(lambda: env("nim", sticks=9), num_cycles=10)
    check_env(KemuEnv("nim", sticks=9), skip_render_check=True)


def test_its_batches_are_stepped_by_the_rules(nim: Any) -> None:
    games = kemu.batch("nim", 3, seed=1, sticks=2)
    seen = games.reset(1)
    assert seen.masks.tolist() == [[True, True, False]] * 3
    after = games.step(np.array([1, 0, -1]))
    assert after.terminated.tolist() == [True, False, False]
    assert after.rewards[0].tolist() == [1, -1]
    assert after.seats.tolist() == [0, 1, 0]
    assert after.finals[0].tolist() == [0, 0]
    with pytest.raises(IllegalAction, match="Action 2 is not legal in lane 0"):
        games.step(np.array([2, 0, 0]))
