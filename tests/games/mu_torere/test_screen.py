"""The star on a full screen."""

import pytest

from kemu.core.display import Room
from kemu.games.mu_torere import text as screen
from kemu.games.mu_torere.rules import MuTorere, View

SMALL = Room(52, 20)


@pytest.mark.parametrize("arms", [4, 8, 16])
@pytest.mark.parametrize("room", [Room(0, 0), SMALL, Room(200, 80)])
def test_every_point_stands_at_its_place(arms: int, room: Room) -> None:
    game = MuTorere(arms=arms)
    board = screen.board(game, game.view(game.initial(), 0), room)
    assert set(board.places) == {str(point) for point in range(arms + 1)}
    for name, place in board.places.items():
        shown = board.lines[place.row].ljust(200)[place.column : place.column + place.width]
        assert shown.split()[1] == name
    assert len(board.lines) <= max(room.lines, SMALL.lines)
    assert max(map(len, board.lines)) <= max(room.columns, SMALL.columns)


def test_the_man_is_pointed_at() -> None:
    game = MuTorere()
    view = game.view(game.initial(), 0)
    assert [screen.path(game, view, action) for action in game.actions(game.initial())] == [("1",), ("4",)]
    assert screen.facts(game, view, 1) == ("○ 4 men",)


@pytest.mark.parametrize(
    ("points", "occurrences", "sentence"),
    [
        ("BBBBWWWW.", 1, "Black moves a man to the pūtahi."),
        ("BBB.WWWWB", 2, "Black moves a man to 4. This position has come up 2 times."),
        (".WBBBBWWW", 1, "Black cannot move and has lost."),
    ],
)
def test_the_sentence_says_what_is_to_be_done(points: str, occurrences: int, sentence: str) -> None:
    game = MuTorere()
    view: View = {"position": {"points": points, "turn": 0}, "occurrences": occurrences}
    assert screen.now(game, view) == sentence
