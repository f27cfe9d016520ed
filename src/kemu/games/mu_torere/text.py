"""Mū tōrere in a terminal: the star as a drawing, in sentences, and with its lines on a full screen.

Of the men that may step on the full screen, one is pointed at.
"""

from collections.abc import Sequence
from math import cos, pi, sin
from typing import Final

from kemu.core.display import Board, Place, Room
from kemu.core.game import Seat
from kemu.games.mu_torere.rules import EMPTY, MEN, PUTAHI, Move, MuTorere, View

INK: Final = {"●": "bold magenta", "○": "bold cyan", "┄": "dim", "·": "dim"}
NAMES: Final = ("Black", "White")
GLYPHS: Final = {MEN[0]: "●", MEN[1]: "○", EMPTY: "·"}
_UP, _ACROSS = 7, 15

CHOICES: Final = {"flank": ("always", "opening"), "arms": (8, 4, 6, 10, 12, 14, 16)}

_FIELD: Final = 5
_ROWS_UP: Final = range(8, 17)  # from the pūtahi to the outermost kewai, in rows
_COLUMNS_A_ROW: Final = 2.4

# A character of braille holds four rows of two dots; the bit of each dot, by row and column.
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_NO_DOTS: Final = 0x2800
_STEPS: Final = 160


def draw(game: MuTorere, view: View) -> str:
    """The star: each point with its number, joined to the pūtahi by its arm."""
    points = view["position"]["points"]
    canvas = [[" "] * (2 * _ACROSS + 5) for _ in range(2 * _UP + 1)]
    for kewai in range(1, game.arms + 1):
        for part in (0.3, 0.45, 0.6, 0.75):
            row, column = map(round, _position(game, kewai, _UP, _ACROSS, part))
            canvas[row][column] = "┄"
    for point in range(game.arms + 1):
        row, column = map(round, _position(game, point, _UP, _ACROSS))
        label = f"{GLYPHS[points[point - 1]]}{point}"
        canvas[row][column : column + len(label)] = label
    legend = "   ".join(f"{GLYPHS[man]} {name}" for man, name in zip(MEN, NAMES, strict=True))
    return "\n".join([*("".join(line).rstrip() for line in canvas), "", legend])


def tell(game: MuTorere, view: View) -> str:
    """Return the men on each point, in sentences."""
    points = view["position"]["points"]
    lines = []
    for man, name in zip(MEN, NAMES, strict=True):
        places = [_point(number) for number in (*range(1, game.arms + 1), PUTAHI) if points[number - 1] == man]
        lines.append(f"{name} stands on {', '.join(places)}.")
    again = [f"This position has come up {count} times."] if (count := view["occurrences"]) > 1 else []
    return "\n".join([*lines, f"Empty is {_gap(game, points)}.", *again])


def explain(game: MuTorere, view: View, action: Move) -> str:
    """The step in words."""
    return f"from {_point(action.start)} to {_point(action.end)}"


def seat_name(game: MuTorere, seat: Seat) -> str:
    """Black or White."""
    return NAMES[seat]


def _position(game: MuTorere, point: int, up: int, across: int, part: float = 1) -> tuple[float, float]:
    """Return the row and column of a point, or of a part of the way there from the pūtahi.

    The pūtahi is `up` rows under the first kewai and `across` columns beside the outermost one.
    """
    if point == PUTAHI:
        return up, across
    angle = 2 * pi * (point - 1) / game.arms
    return up - up * part * cos(angle), across + across * part * sin(angle)


def _gap(game: MuTorere, points: str) -> str:
    """Return the name of the empty point."""
    return _point((points.index(EMPTY) + 1) % (game.arms + 1))


def _point(number: int) -> str:
    return "the pūtahi" if number == PUTAHI else str(number)


def board(game: MuTorere, view: View, room: Room) -> Board:
    """The star: each point with its number, on lines of dots; as large as the room allows."""
    fitting = min((room.lines - 1) / 2, (room.columns - _FIELD) / 2 / _COLUMNS_A_ROW)
    up = min(max(int(fitting), _ROWS_UP[0]), _ROWS_UP[-1])
    canvas = _lines(game, up)
    points = view["position"]["points"]
    places = {}
    for point in range(game.arms + 1):
        row, column = map(round, _position(game, point, up, _across(up)))
        places[str(point)] = Place(row, column, _FIELD, field=True)
        canvas[row][column : column + _FIELD] = f" {GLYPHS[points[point - 1]]} {point:<2}"
    return Board(tuple("".join(line).rstrip() for line in canvas), places)


def facts(game: MuTorere, view: View, seat: Seat) -> Sequence[str]:
    """The sign of the men."""
    return (f"{GLYPHS[MEN[seat]]} {game.arms // 2} men",)


def now(game: MuTorere, view: View) -> str:
    """Return the side to move or the result, and how often the position has come up."""
    shown, count = view["position"], view["occurrences"]
    name = NAMES[shown["turn"]]
    again = f" This position has come up {count} times." if count > 1 else ""
    if not game.actions(game.decode(dict(shown))):
        return f"{name} cannot move and has lost."
    return f"{name} moves a man to {_gap(game, shown['points'])}.{again}"


def path(game: MuTorere, view: View, action: Move) -> tuple[str, ...]:
    """The man alone: there is only one point it can go to."""
    return (str(action.start),)


def _lines(game: MuTorere, up: int) -> list[list[str]]:
    """The arms and the ring of neighbours, in dots."""
    bits = [[0] * (2 * _across(up) + _FIELD) for _ in range(2 * up + 1)]
    for kewai in range(1, game.arms + 1):
        for end in (PUTAHI, kewai % game.arms + 1):
            row, column = _position(game, kewai, up, _across(up))
            last_row, last_column = _position(game, end, up, _across(up))
            for step in range(_STEPS + 1):
                part = step / _STEPS
                y = row + 0.5 + (last_row - row) * part
                x = column + _FIELD // 2 + 0.5 + (last_column - column) * part
                bits[int(y)][int(x)] |= _DOTS[int(y % 1 * 4)][int(x % 1 * 2)]
    return [[chr(_NO_DOTS + dots) if dots else " " for dots in line] for line in bits]


def _across(up: int) -> int:
    """Return the columns from the pūtahi to the outermost kewai of a star with this many rows."""
    return int(_COLUMNS_A_ROW * up)
