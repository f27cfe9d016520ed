"""The engines can be compiled ahead."""

import pytest

from kemu.bots.warm import ACTIONS, warm
from kemu.core.game import CHANCE
from kemu.games import game, games


@pytest.mark.parametrize("key", games())
def test_the_strongest_bot_begins_a_game(key: str) -> None:
    assert sum(ply.actor != CHANCE for ply in warm(game(key)).past()) == ACTIONS
