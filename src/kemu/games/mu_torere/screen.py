"""Mū tōrere on a full screen: the star with its lines; of the men that may step, one is pointed at."""

from collections.abc import Sequence
from typing import Final

from kemu.core.display import Board, Place, Room
from kemu.core.game import Seat
from kemu.games.mu_torere.rules import EMPTY, MEN, PUTAHI, Move, MuTorere, View
from kemu.games.mu_torere.text import GLYPHS, INK, NAMES, position

__all__ = ["CHOICES", "INK", "board", "facts", "now", "path"]

CHOICES: Final = {"flank": ("always", "opening"), "arms": (8, 4, 6, 10, 12, 14, 16)}

_FIELD: Final = 5
_UP: Final = range(8, 17)  # from the pūtahi to the outermost kewai, in rows
_COLUMNS_A_ROW: Final = 2.4
_LEFT: Final = _FIELD // 2

# A character of braille holds four rows of two dots; the bit of each dot, by row and column.
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_NO_DOTS: Final = 0x2800
_STEPS: Final = 160


def board(game: MuTorere, view: View, room: Room) -> Board:
    """The star: each point with its number, on lines of dots; as large as the room allows."""
    fitting = min((room.lines - 1) / 2, (room.columns - _FIELD) / 2 / _COLUMNS_A_ROW)
    up = min(max(int(fitting), _UP[0]), _UP[-1])
    canvas = _lines(game, up)
    points = view["position"]["points"]
    places = {}
    for point in range(game.arms + 1):
        row, column = (round(part) for part in _position(game, point, up))
        places[str(point)] = Place(row, column, _FIELD, field=True)
        canvas[row][column : column + _FIELD] = f" {GLYPHS[points[point - 1]]} {point:<2}"
    return Board(tuple("".join(line).rstrip() for line in canvas), places)


def facts(game: MuTorere, view: View, seat: Seat) -> Sequence[str]:
    """The sign of the men."""
    return (f"{GLYPHS[MEN[seat]]} {game.arms // 2} men",)


def now(game: MuTorere, view: View) -> str:
    """Who is to move, or how it ended, and how often the position has come up."""
    shown, count = view["position"], view["occurrences"]
    name = NAMES[shown["turn"]]
    again = f" This position has come up {count} times." if count > 1 else ""
    if not game.actions(game.decode(dict(shown))):
        return f"{name} cannot move and has lost."
    gap = (shown["points"].index(EMPTY) + 1) % (game.arms + 1)
    return f"{name} moves a man to {gap or 'the pūtahi'}.{again}"


def path(game: MuTorere, view: View, action: Move) -> tuple[str, ...]:
    """The man alone: there is only one point it can go to."""
    return (str(action.start),)


def _lines(game: MuTorere, up: int) -> list[list[str]]:
    """The arms and the ring of neighbours, in dots."""
    bits = [[0] * (2 * int(_COLUMNS_A_ROW * up) + _FIELD) for _ in range(2 * up + 1)]
    for kewai in range(1, game.arms + 1):
        for end in (PUTAHI, kewai % game.arms + 1):
            (row, column), (last_row, last_column) = _position(game, kewai, up), _position(game, end, up)
            for step in range(_STEPS + 1):
                part = step / _STEPS
                y = row + 0.5 + (last_row - row) * part
                x = column + _LEFT + 0.5 + (last_column - column) * part
                bits[int(y)][int(x)] |= _DOTS[int(y % 1 * 4)][int(x % 1 * 2)]
    return [[chr(_NO_DOTS + dots) if dots else " " for dots in line] for line in bits]


def _position(game: MuTorere, point: int, up: int) -> tuple[float, float]:
    """Return the row and the first column of a point."""
    return position(game, point, up, int(_COLUMNS_A_ROW * up))
