"""Encodings: ids for exactly the actions there are, observations of the right size, and nothing secret in them."""

import random
from itertools import pairwise
from typing import Any

import pytest

import kemu
from kemu.core.encoding import Encoding, action_ids, line_ids, returns
from kemu.core.errors import OptionError
from kemu.core.game import CHANCE, AnyGame, Outcome
from kemu.core.laws import play
from kemu.games import encoding
from tests.laws.choices import GAMES, TWINS, each_game
from tests.outside_package import OutsideGame


def made(key: str, options: dict[str, Any]) -> tuple[AnyGame, Encoding]:
    game = kemu.game(key, **options)
    return game, encoding(game)


def size(numbers: Encoding) -> int:
    product = 1
    for length in numbers.shape:
        product *= length
    return product


@each_game
def test_every_legal_action_has_an_id_of_its_own(key: str, options: dict[str, Any]) -> None:
    game, numbers = made(key, options)
    counts = {len(numbers.actions(seat)) for seat in range(game.seats)}
    assert len(counts) == 1
    for seat in (CHANCE, *range(game.seats)):
        ids = action_ids(numbers, seat)
        assert len(ids) == len(numbers.actions(seat))
    for seed in range(4):
        states, actions = play(game, random.Random(seed).randrange, 10_000)
        assert len(actions) <= numbers.longest(states[0])
        for state in states:
            seat = game.turn(state)
            if seat is not None:
                assert set(game.actions(state)) <= action_ids(numbers, seat).keys()


@each_game
def test_every_log_line_has_a_number(key: str, options: dict[str, Any]) -> None:
    game, numbers = made(key, options)
    lines = line_ids(numbers)
    assert sorted(lines.values()) == list(range(1, len(lines) + 1))
    states, actions = play(game, random.Random(1).randrange, 500)
    for state, action in zip(states, actions, strict=False):
        for seat in range(game.seats):
            assert game.seen(state, action, seat) in lines


@each_game
def test_observations_have_their_size_and_show_every_action(key: str, options: dict[str, Any]) -> None:
    game, numbers = made(key, options)
    for seed in range(3):
        states, _ = play(game, random.Random(seed).randrange, 300)
        for seat in range(game.seats):
            views = [game.view(state, seat) for state in states]
            observations = [numbers.observation(view, seat) for view in views]
            assert {len(seen) for seen in observations} == {size(numbers)}
            for before, after in pairwise(zip(views, observations, strict=True)):
                assert before[0] == after[0] or before[1] != after[1]


@pytest.mark.parametrize(("key", "options"), [each for each in GAMES if each[0] in TWINS], ids=str)
def test_equal_views_have_equal_observations(key: str, options: dict[str, Any]) -> None:
    game, numbers = made(key, options)
    for state in play(game, random.Random(1).randrange, 150)[0][::5]:
        for seat in range(game.seats):
            for twin in TWINS[key](game, state, seat, random.Random(1)):
                pair = [numbers.observation(game.view(each, seat), seat) for each in (state, twin)]
                assert pair[0] == pair[1]


def test_an_action_has_the_same_id_for_every_seat() -> None:
    game, numbers = made("mauw", {"players": 3})
    own = [numbers.actions(seat)[7] for seat in range(3)]
    assert [game.format(action) for action in own] == ["7>1A", "7>2A", "7>3A"]
    next_zone = [numbers.actions(seat)[72 + 18 + 9] for seat in range(3)]
    assert [game.format(action) for action in next_zone] == ["m=s>2B", "m=s>3B", "m=s>1B"]


def test_ids_do_not_depend_on_the_variant() -> None:
    basic, master = (encoding(kemu.game("moeraki-kemu", variant=name)).actions(0) for name in ("basic", "master"))
    assert list(master[: len(basic)]) == list(basic)
    assert (len(basic), len(master)) == (67, 276)


@pytest.mark.parametrize(
    ("outcome", "seats", "expected"),
    [
        (Outcome((0,), "marae"), 2, (1.0, -1.0)),
        (Outcome((), "draw"), 2, (0.0, 0.0)),
        (Outcome((2,), "limit"), 5, (-0.25, -0.25, 1.0, -0.25, -0.25)),
        (Outcome((0, 1), "limit"), 3, (0.25, 0.25, -0.5)),
    ],
)
def test_returns_add_up_to_nothing(outcome: Outcome, seats: int, expected: tuple[float, ...]) -> None:
    assert returns(outcome, seats) == expected
    assert sum(returns(outcome, seats)) == 0


def test_a_game_of_few_arms_ends_by_itself() -> None:
    def longest(**options: Any) -> int:
        game, numbers = made("mu-torere", options)
        return numbers.longest(game.initial())

    assert [longest(arms=4), longest(arms=8), longest(arms=4, repetition=False)] == [120, 1000, 1000]


def test_a_game_without_an_encoding_says_so(outside_game: OutsideGame) -> None:
    with pytest.raises(OptionError) as caught:
        encoding(kemu.game("nim"))
    assert str(caught.value) == "nim has no encoding; games with one are moeraki-kemu, mu-torere, mauw."
