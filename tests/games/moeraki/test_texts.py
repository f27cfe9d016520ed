"""Notation: one text for each action, and sentences for what is none."""

from typing import Any, cast

import pytest

from kemu.core.errors import IllegalAction, ParseError
from kemu.games.moeraki.actions import (
    BALLS,
    KEEP,
    LAYS,
    SWAP,
    TANE,
    Action,
    Keep,
    LayStone,
    PlaceBall,
    PlaceTane,
    Swap,
)
from kemu.games.moeraki.board import AREA, HOLLOW
from tests.games.moeraki.positions import MASTER, play
from tests.games.moeraki.test_tane import FOR_WHITE


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("@f6", PlaceBall(HOLLOW["f6"])),
        ("i11", LayStone(HOLLOW["i11"])),
        ("Tf7sw", PlaceTane(AREA["f7"], "sw")),
        ("-", Keep()),
        ("swap", Swap()),
    ],
)
def test_each_action_has_the_text_of_the_notation(text: str, action: Any) -> None:
    assert MASTER.parse(text) == action
    assert MASTER.format(action) == text


def test_every_text_parses_to_its_action() -> None:
    actions: list[Action] = [*BALLS, *LAYS, *(tane for four in TANE for tane in four), KEEP, SWAP]
    assert len({MASTER.format(action) for action in actions}) == len(actions) == 57 + 57 + 4 * 52 + 2
    assert [MASTER.parse(MASTER.format(action)) for action in actions] == actions


def test_actions_of_different_kinds_are_different() -> None:
    assert len({PlaceBall(3), LayStone(3), PlaceTane(3, "ne"), Keep(), Swap()}) == 5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("f7", "f7 is an area, not a hollow."),
        ("@f7", "f7 is an area, not a hollow."),
        ("Tf6ne", "A Tane stands on an area, and f6 is a hollow."),
        ("Tf7", 'A Tane looks ne, nw, se, sw, as in Tf7sw, not as in "Tf7".'),
        ("Tf7n", 'A Tane looks ne, nw, se, sw, as in Tf7sw, not as in "Tf7n".'),
        ("a1", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "a1".'),
        ("", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "".'),
        ("F6", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "F6".'),
        ("f6 ", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "f6 ".'),
        ("f6\n", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "f6\\n".'),
        ("f06", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "f06".'),
        ("f٦", 'An action is @f6, f6, Tf7sw, - or swap with the points of this board, not "f\\u0666".'),
    ],
)
def test_what_is_no_action_is_refused_with_the_fault(text: str, sentence: str) -> None:
    with pytest.raises(ParseError) as error:
        MASTER.parse(text)
    assert str(error.value) == sentence


@pytest.mark.parametrize(
    "stranger",
    [
        None,
        "f6",
        7,
        LayStone(57),
        LayStone(-1),
        LayStone(True),
        LayStone(cast("int", 3.0)),
        PlaceBall(99),
        PlaceTane(AREA["i8"], "n"),
        PlaceTane(52, "ne"),
    ],
)
def test_what_is_no_action_of_this_board_is_refused_in_every_phase(stranger: Any) -> None:
    for moves in ("", "@f6", FOR_WHITE):
        with pytest.raises(IllegalAction, match=r"is no action of this game\.$"):
            MASTER.apply(play(MASTER, moves), stranger)


def test_everybody_is_told_the_text_of_an_action() -> None:
    state = play(MASTER, "@f6")
    assert [MASTER.seen(state, LayStone(HOLLOW["a3"]), seat) for seat in (0, 1, -2)] == ["a3"] * 3
