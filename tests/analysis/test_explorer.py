"""The explorer: what was played from a position, merged under symmetry, and refused where cards are hidden."""

import random

import pytest

import kemu
from kemu.analysis.explorer import Tally, explore_index, index
from kemu.core.errors import OptionError
from kemu.core.game import Outcome
from kemu.core.laws import play
from kemu.core.record import Record
from kemu.games import symmetries


def a_record(key: str, seed: int) -> Record:
    game = kemu.game(key)
    return Record(key, {}, tuple(game.format(action) for action in play(game, random.Random(seed).randrange)[1]))


def test_balls_that_are_mirrored_count_as_one() -> None:
    game = kemu.game("moeraki-kemu")
    ended = Outcome((1,), "resignation")
    known = index([Record("moeraki-kemu", {}, (ball,), (), ended) for ball in ("@e5", "@g7", "@f6")])
    corners, centre = explore_index(game, game.initial(), known)
    assert corners.actions == ("@e5", "@g5", "@e7", "@g7")
    assert corners.tally == Tally(lost=2)
    assert centre.actions == ("@f6",)


def test_the_image_of_a_position_has_the_images_of_what_was_played() -> None:
    game = kemu.game("moeraki-kemu")
    known = index([a_record("moeraki-kemu", seed) for seed in range(3)])
    for symmetry in symmetries(game):
        state = game.initial()
        for text in a_record("moeraki-kemu", 1).actions[:5]:
            found = explore_index(game, symmetry.state(state), known)
            image = game.format(symmetry.action(game.parse(text)))
            assert any(image in each.actions for each in found)
            state = game.apply(state, game.parse(text))


def test_each_side_sees_its_own_results() -> None:
    game = kemu.game("mu-torere")
    won = Record("mu-torere", {}, ("1-0", "8-1"), (), Outcome((0,), "resignation"))
    drawn = Record("mu-torere", {}, ("4-0", "5-4"), (), Outcome((), "agreed"))
    known = index([won, drawn])
    (first,) = explore_index(game, game.initial(), known)
    assert (first.actions, first.tally) == (("1-0", "4-0"), Tally(won=1, drawn=1))
    (second,) = explore_index(game, game.apply(game.initial(), game.parse("1-0")), known)
    assert second.tally == Tally(drawn=1, lost=1)


def test_unfinished_games_do_not_count() -> None:
    assert index([Record("mu-torere", {}, ("1-0",))]) == {}


def test_options_are_kept_apart() -> None:
    game = kemu.game("moeraki-kemu", variant="basic")
    assert explore_index(game, game.initial(), index([a_record("moeraki-kemu", 1)])) == []


def test_games_with_hidden_cards_are_refused_in_one_sentence() -> None:
    game = kemu.game("mauw")
    with pytest.raises(OptionError, match="MAUW has no explorer: its cards are hidden"):
        explore_index(game, game.initial(), {})
