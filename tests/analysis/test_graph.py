"""The graph of a small solved game has every position once, with its value."""

import pytest

import kemu
from kemu.analysis.analyse import StateGraph, graph
from kemu.bots.engines import solution
from kemu.core.errors import OptionError, UnknownGame


def test_it_has_every_position_up_to_symmetry() -> None:
    game = kemu.game("mu-torere")
    drawn = StateGraph(game)
    assert len(drawn.positions) == solution(game).census().state_classes == 86
    assert {number for each in drawn.positions for number in each.after} == set(range(86))


def test_values_follow_from_those_of_the_positions_after() -> None:
    positions = StateGraph(kemu.game("mu-torere")).positions
    for each in positions:
        after = {positions[number].result for number in each.after}
        assert each.result == ("win" if "loss" in after else "draw" if "draw" in after else "loss")


def test_images_are_one_position() -> None:
    document = next(graph({"game": "mu-torere", "actions": ["4-0"]}))
    assert document["at"] == next(graph({"game": "mu-torere", "actions": ["1-0"]}))["at"]


def test_other_games_are_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownGame, match="is not solved"):
        next(graph({"game": "mauw"}))
    with pytest.raises(OptionError, match="more than 300 positions"):
        next(graph({"game": "mu-torere", "options": {"arms": 16}}))
