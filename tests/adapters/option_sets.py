"""Every option set of every game, as the adapters' tests use them."""

from typing import Any

import pytest

from tests.laws.choices import GAMES

each_game = pytest.mark.parametrize(("key", "options"), GAMES, ids=[f"{key}-{options}" for key, options in GAMES])

HIDDEN: list[dict[str, Any]] = [options for key, options in GAMES if key == "mauw"]

SMALL_MAUW: dict[str, Any] = {
    "hands": [["1", "8", "s"], ["3", "1", "8"]],
    "zones": [
        [{"mauw": 3, "top": "1"}, {"mauw": 3, "top": "s"}, {"mauw": 2, "top": "5"}, {"mauw": 2, "top": "s"}],
        [{"mauw": 3, "top": "3"}, {"mauw": 3, "top": "s"}, {"mauw": 2, "top": "8"}, {"mauw": 2, "top": "s"}],
    ],
    "pile": {"8": 2, "6": 3},
    "discards": {"2": 5, "7": 5, "4": 4, "5": 3},
    "turn": 1,
    "turns": 498,
    "step": {"name": "refill"},
}
"""Two cards are dealt, one to each seat, and one turn is played: small enough to walk through the whole tree."""
