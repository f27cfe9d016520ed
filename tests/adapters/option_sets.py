"""Every option set of every game, as the adapters' tests use them."""

from typing import Any

import pytest

from tests.laws.choices import GAMES

each_game = pytest.mark.parametrize(("key", "options"), GAMES, ids=[f"{key}-{options}" for key, options in GAMES])

HIDDEN: list[dict[str, Any]] = [options for key, options in GAMES if key == "mauw"]
