"""The greedy player takes the best immediate difference of scores, from its view alone."""

import random
from typing import Any

import pytest

from kemu.core.game import CHANCE
from kemu.engines.mauw.greedy import Greedy
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State
from tests.engines.mauw.games import playing
from tests.games.mauw.positions import go, position
from tests.games.mauw.twins import twin


def chosen(game: Mauw, state: State, seed: int = 0) -> str:
    seat = game.turn(state)
    assert seat is not None
    view: Any = game.view(state, seat)
    return game.format(Greedy(game, seed).choose(view, (), game.actions(state)))


@pytest.mark.parametrize(
    ("hand", "zones", "text"),
    [
        ("1 3 4 6", ["7 7 7 .", ". . . ."], "6>1D"),  # the highest warrior
        ("2 1 1 1", ["7 . . .", ". . . ."], "2>1A"),  # a Mauw is worth more
        ("s 1 1 1", ["###s . . .", "## . . ."], "s>1A"),  # 72 is more than 36
        ("s 1 1 1", ["4 4 4 4", "## . # ."], "s>2A"),  # 36 less for the enemy
        ("7 1 1 1", ["4 4 4 ##", "7 . # ."], "7>2A"),  # nobody is thought to answer
    ],
)
def test_it_takes_what_gains_most_at_once(hand: str, zones: list[str], text: str) -> None:
    game, state = position(hands=[hand], zones=zones)
    assert chosen(game, state) == text


def test_of_several_enemies_it_looks_at_the_best() -> None:
    game, state = position(3, hands=["s 1 1 1"], zones=["4 4 4 4", "# . . .", "## . . ."])
    assert chosen(game, state) == "s>3A"


def test_it_puts_a_gain_where_it_is_worth_most() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 ## . 4"])
    assert chosen(game, go(game, state, "2>1A ~1 ^1")) == "+B"


def test_it_defends_when_that_is_better_and_keeps_its_jokers() -> None:
    game, state = position(hands=["7 1 1 1", "7 m 3 3"], zones=["4 4 4 ##", "7 . # ."])
    assert chosen(game, go(game, state, "7>2A ~1")) == "!7"


def test_it_names_a_joker_only_if_nothing_else_is_as_good() -> None:
    game, state = position(hands=["8 m 1 1"])
    assert {chosen(game, state, seed)[0] for seed in range(8)} == {"8"}
    game, state = position(hands=["s m 1 1"], zones=["7 . . .", ". . . ."])
    assert chosen(game, state) == "m=2>1A"


def test_among_equals_it_takes_any() -> None:
    game, state = position(hands=["8 1 1 1"])
    assert {chosen(game, state, seed) for seed in range(40)} == {"8>1A", "8>1B", "8>1C", "8>1D"}


@pytest.mark.parametrize("players", [2, 5])
def test_secrets_do_not_matter(players: int) -> None:
    source = random.Random(players)
    for number, (played, _) in enumerate(playing(players, 4)):
        seat = played.game.turn(played.state)
        if seat is not None and seat != CHANCE and number % 6 == 0:
            other = twin(played.state, seat, source.shuffle)
            assert chosen(played.game, played.state) == chosen(played.game, other)
