"""The engines can be compiled ahead."""

import pytest

from kemu.bots.warm import ACTIONS, warm
from kemu.core.game import CHANCE
from kemu.games import game, game_keys


@pytest.mark.parametrize("key", game_keys())
def test_the_strongest_bot_begins_a_game(key: str) -> None:
    assert sum(ply.actor != CHANCE for ply in warm(game(key)).past()) == ACTIONS
