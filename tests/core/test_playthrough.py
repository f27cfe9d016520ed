"""Playthroughs: the head is read, the rest is written."""

import pytest

import kemu
from kemu.core.errors import ParseError
from kemu.core.playthrough import Script, playthrough, read_script
from tests.toss import Toss

SCRIPT = Script("a first step", "mu-torere", {"arms": 4}, None, ("1-0",))


def test_the_head_of_what_is_written_is_what_was_read() -> None:
    assert read_script(playthrough(kemu.game, SCRIPT)) == SCRIPT


def test_a_set_up_position_is_kept() -> None:
    script = Script("one left", "mu-torere", {}, {"points": "BBW.WBWWB", "turn": 0}, ("0-4",))
    assert read_script(playthrough(kemu.game, script)) == script


@pytest.mark.parametrize(
    ("head", "fault"),
    [
        ("about: x\nmoves: 1-0\n\n", "needs a field 'game'"),
        ("about: x\ngame: toss\noptions: {}\nactions:\nmoves: 1-0\n\n", 'has no field "moves"'),
        ("hello\n", "needs a field 'about'"),
        ("about: x\ngame: toss\noptions: {\nactions: h\n", "Not JSON at line 1"),
        ("about: x\ngame: toss\noptions: []\nactions: h\n", "'options' must be a JSON object"),
    ],
)
def test_a_wrong_head_is_refused(head: str, fault: str) -> None:
    with pytest.raises(ParseError, match=fault):
        read_script(head)


def test_views_that_differ_are_printed_one_by_one() -> None:
    class Peeking(Toss):
        def view(self, state: str, seat: int) -> object:
            return state if seat == 0 else "hidden"

    text = playthrough(lambda key: Peeking(), Script("a toss", "toss", {}, None, ("h", "done")))
    assert "odds h 1/2, t 1/2" in text
    assert (
        '# 1. chance: h\nlog of all h\nposition {"state": "h"}\nview of seat 0 "h"\nview of spectator "hidden"' in text
    )
    assert 'outcome {"winners": [], "reason": "done", "scores": null, "at": []}' in text
