"""The lattice on a full screen."""

import pytest

from kemu.core.display import Board, Room
from kemu.games.moeraki import text as screen
from kemu.games.moeraki.board import AREAS, HOLLOWS
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.terminal.screen import with_log

SMALL, LARGE = Room(52, 20), Room(83, 35)


def after(texts: str, game: MoerakiKemu) -> State:
    state = game.initial()
    for text in texts.split():
        state = game.apply(state, game.parse(text))
    return state


def cell(board: Board, name: str) -> list[str]:
    place = board.places[name]
    rows = board.lines[place.row : place.row + place.height]
    return [row.ljust(100)[place.column : place.column + place.width] for row in rows]


@pytest.mark.parametrize("room", [SMALL, LARGE])
def test_hollows_and_areas_are_places_within_the_room(room: Room) -> None:
    game = MoerakiKemu()
    board = screen.board(game, game.view(game.initial(), 0), room)
    assert set(board.places) == {point.name for point in (*HOLLOWS, *AREAS)}
    assert [name for name, place in board.places.items() if place.field] == [point.name for point in HOLLOWS]
    assert len(board.lines) <= room.lines
    assert max(map(len, board.lines)) <= room.columns + 2


def test_a_small_room_has_the_lattice_of_the_text() -> None:
    game = MoerakiKemu()
    board = screen.board(game, game.view(after("@f6 h8", game), 0), SMALL)
    assert cell(board, "f6") == [" ◎ "]
    assert cell(board, "h8") == [" ○ "]


def test_a_large_room_has_discs_and_keeps_the_marks() -> None:
    game = MoerakiKemu()
    state = after("@f6 h8 a3 j8 a5 i9 i7 Ti8sw", game)
    view = with_log(game.view(state, 0), ["i7"])
    board = screen.board(game, view, LARGE)
    assert cell(board, "f6") == [" ╔═══╗ ", " ║ ◎ ║ ", " ╚═══╝ "]
    assert cell(board, "h8") == [" ╭───╮ ", " │   │ ", " ╰───╯ "]
    assert cell(board, "i7") == [" ▟███▙ ", "(█████)", " ▜███▛ "]
    assert cell(board, "i8") == ["       ", "  T○↙  ", "       "]
    assert cell(board, "h7") == ["       ", "   ×   ", "       "]


def test_what_is_pointed_at_for_each_action() -> None:
    game = MoerakiKemu(swap=True)
    view = game.view(game.initial(), 0)
    paths = {text: screen.path(game, view, game.parse(text)) for text in ("@f6", "c9", "Ti8sw", "Tk8ne", "-", "swap")}
    assert paths == {"@f6": ("f6",), "c9": ("c9",), "Ti8sw": ("i8", "h7"), "Tk8ne": ("k8",), "-": (), "swap": ()}


def test_what_a_tribe_has() -> None:
    game = MoerakiKemu()
    view = game.view(game.initial(), 0)
    assert screen.facts(game, view, 0) == ["● 28 stones left", "Score 0: 0 full and 0 half tiles", "Tane in its cave"]
    assert screen.now(game, view) == "Matau places the ball."
