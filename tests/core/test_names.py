"""Names are found where they are looked for: docstrings of every game, drawings by print, and seats that exist."""

import inspect
from typing import Any

import pytest

import kemu
from kemu.core.game import CHANCE, SPECTATOR, Game
from kemu.games import text

KEYS = kemu.game_keys()[:3]
METHODS = [name for name, method in vars(Game).items() if inspect.isfunction(method) and name[0] != "_"]


@pytest.mark.parametrize("key", KEYS)
def test_every_method_of_a_game_explains_itself(key: str) -> None:
    game = kemu.game(key)
    assert {"apply", "view", "odds"} <= set(METHODS)
    assert [name for name in METHODS if not inspect.getdoc(getattr(game, name))] == []


@pytest.mark.parametrize("key", KEYS)
def test_a_printed_state_is_its_drawing(key: str) -> None:
    game = kemu.game(key)
    state: Any = game.initial()
    assert str(state) == text(key).draw(game, game.view(state, SPECTATOR))
    assert repr(state).startswith("State(")


@pytest.mark.parametrize("key", KEYS)
def test_a_view_is_for_a_seat_that_exists(key: str) -> None:
    game = kemu.game(key)
    state: Any = game.initial()
    for seat in (SPECTATOR, CHANCE, *range(game.seats)):
        game.view(state, seat)
    nobodies: list[Any] = [game.seats, -3, "x", None]
    for nobody in nobodies:
        with pytest.raises(kemu.KemuError, match=f"The seats of {key} are 0 to {game.seats - 1} here, not ") as refused:
            game.view(state, nobody)
        assert refused.value.code == "unknown-seat"


def test_all_public_names_are_offered() -> None:
    assert set(kemu.__all__) <= set(dir(kemu))
