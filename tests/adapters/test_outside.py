"""A game of another package comes with its own encoding and is behind every adapter; batches need a kernel."""

from dataclasses import replace
from typing import Any

import pyspiel
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import seed_test

import kemu
from kemu.adapters import openspiel
from kemu.adapters.gymnasium import KemuEnv
from kemu.adapters.pettingzoo import env
from kemu.core.errors import OptionError
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


def test_it_has_no_batches_without_a_kernel(nim: Any) -> None:
    with pytest.raises(OptionError, match="nim has no batches"):
        kemu.batch("nim", 4)
