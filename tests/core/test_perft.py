"""Counting, and reading tables of counts."""

import pytest

import kemu
from kemu.core.errors import ParseError
from kemu.core.perft import perft, split
from tests.perft.tables import read_table


def test_depth_zero_is_the_position_itself() -> None:
    game = kemu.game("mu-torere")
    assert perft(game, game.initial(), 0) == 1


def test_the_split_adds_up_to_the_count() -> None:
    game = kemu.game("mu-torere")
    for depth in (1, 2, 6):
        assert sum(split(game, game.initial(), depth).values()) == perft(game, game.initial(), depth)


def test_a_table_gives_its_entries() -> None:
    first, second = read_table(
        '# a comment\n\nid start\nguards the first ply\noptions {"arms": 4}\nperft 1 2\nperft 2 2\n\n'
        'id set-up\nguards decode\nposition {"points": "BBBBWWWW.", "turn": 1}\nperft 1 2\n'
    )
    assert (first.name, first.options, first.position, first.counts) == ("start", {"arms": 4}, None, ((1, 2), (2, 2)))
    assert first.state(kemu.game("mu-torere")) == kemu.game("mu-torere").initial()
    assert second.state(kemu.game("mu-torere")).position.turn == 1


def test_a_table_with_another_line_is_refused() -> None:
    with pytest.raises(ParseError, match="no line 'depth'"):
        list(read_table("id a\nguards b\ndepth 3\n"))
