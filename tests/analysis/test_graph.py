"""The graph of a small solved game has every position once, with its value."""

from typing import Any

import pytest

import kemu
from kemu.analysis.analyse import graph
from kemu.bots.engines import solution
from kemu.core.errors import OptionError, UnknownGame


def drawn() -> list[Any]:
    """All positions of the graph of Mū tōrere."""
    positions: list[Any] = next(graph({"game": "mu-torere"}))["positions"]
    return positions


def test_it_has_every_position_up_to_symmetry() -> None:
    positions = drawn()
    assert len(positions) == solution(kemu.game("mu-torere")).census().state_classes == 86
    assert {number for each in positions for number in each["after"]} == set(range(86))


def test_values_follow_from_those_of_the_positions_after() -> None:
    positions = drawn()
    for each in positions:
        after = {positions[number]["result"] for number in each["after"]}
        assert each["result"] == ("win" if "loss" in after else "draw" if "draw" in after else "loss")


def test_images_are_one_position() -> None:
    document = next(graph({"game": "mu-torere", "actions": ["4-0"]}))
    assert document["at"] == next(graph({"game": "mu-torere", "actions": ["1-0"]}))["at"]


def test_other_games_are_refused_in_a_sentence() -> None:
    with pytest.raises(UnknownGame, match="is not solved"):
        next(graph({"game": "mauw"}))
    with pytest.raises(OptionError, match="more than 300 positions"):
        next(graph({"game": "mu-torere", "options": {"arms": 16}}))
