"""The options under which every registered game must keep the laws, and the twins of the games with secrets.

A new game adds its lines.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from kemu.core.game import AnyGame, Seat
from kemu.core.laws import Twins
from tests.games.mauw import twins as mauw

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "moeraki-kemu": [
        {"variant": "beginner"},
        {"variant": "basic", "starter": 1, "moved_from": "f6"},
        {"variant": "basic", "swap": True, "stay": True},
        {"variant": "basic", "eye": True},
        {},
        {"eye": True, "starter": 1},
        {"eye": True, "swap": True, "moved_from": "e5"},
    ],
    "mu-torere": [
        {},
        {"flank": "opening"},
        {"flank": "never"},
        {"arms": 4},
        {"arms": 16, "flank": "opening"},
        {"repetition": False},
    ],
    "mauw": [{"players": players} for players in range(2, 7)],
}

GAMES = [(key, options) for key, choices in OPTIONS.items() for options in choices]


def _marks(options: dict[str, Any]) -> list[pytest.MarkDecorator]:
    """Games of many players are long, and run no line that those of few do not."""
    return [pytest.mark.no_cover] if options.get("players", 0) > 3 else []


each_game = pytest.mark.parametrize(
    ("key", "options"),
    [pytest.param(key, options, id=f"{key}-{options}", marks=_marks(options)) for key, options in GAMES],
)
"""For a test of every game with every set of options."""


def _mauw_twins(game: AnyGame, state: Any, seat: Seat, source: random.Random) -> Iterator[Any]:
    yield mauw.twin(state, seat, source.shuffle)


TWINS: dict[str, Twins] = {"mauw": _mauw_twins}
