"""Mū tōrere in text: the star as a picture, and in sentences."""

from math import cos, pi, sin
from typing import Final

from kemu.core.game import Seat
from kemu.games.mu_torere.rules import EMPTY, MEN, PUTAHI, Move, MuTorere, View

INK: Final = {"●": "bold magenta", "○": "bold cyan", "┄": "dim", "·": "dim"}
NAMES: Final = ("Black", "White")
GLYPHS: Final = {MEN[0]: "●", MEN[1]: "○", EMPTY: "·"}
_UP, _ACROSS = 7, 15


def draw(game: MuTorere, view: View) -> str:
    """The star: each point with its number, joined to the pūtahi by its arm."""
    points = view["position"]["points"]
    canvas = [[" "] * (2 * _ACROSS + 5) for _ in range(2 * _UP + 1)]
    for kewai in range(1, game.arms + 1):
        for part in (0.3, 0.45, 0.6, 0.75):
            row, column = map(round, position(game, kewai, _UP, _ACROSS, part))
            canvas[row][column] = "┄"
    for point in range(game.arms + 1):
        row, column = map(round, position(game, point, _UP, _ACROSS))
        label = f"{GLYPHS[points[point - 1]]}{point}"
        canvas[row][column : column + len(label)] = label
    legend = "   ".join(f"{GLYPHS[man]} {name}" for man, name in zip(MEN, NAMES, strict=True))
    return "\n".join([*("".join(line).rstrip() for line in canvas), "", legend])


def tell(game: MuTorere, view: View) -> str:
    """Who stands where."""
    points = view["position"]["points"]
    lines = []
    for man, name in zip(MEN, NAMES, strict=True):
        places = [_point(number) for number in (*range(1, game.arms + 1), PUTAHI) if points[number - 1] == man]
        lines.append(f"{name} stands on {', '.join(places)}.")
    gap = (points.index(EMPTY) + 1) % (game.arms + 1)
    again = [f"This position has come up {count} times."] if (count := view["occurrences"]) > 1 else []
    return "\n".join([*lines, f"Empty is {_point(gap)}.", *again])


def explain(game: MuTorere, view: View, action: Move) -> str:
    """The step in words."""
    return f"from {_point(action.start)} to {_point(action.end)}"


def seat_name(game: MuTorere, seat: Seat) -> str:
    """Black or White."""
    return NAMES[seat]


def position(game: MuTorere, point: int, up: int, across: int, part: float = 1) -> tuple[float, float]:
    """Return the row and column of a point, or of a part of the way there from the pūtahi.

    The pūtahi is `up` rows under the first kewai and `across` columns beside the outermost one.
    """
    if point == PUTAHI:
        return up, across
    angle = 2 * pi * (point - 1) / game.arms
    return up - up * part * cos(angle), across + across * part * sin(angle)


def _point(number: int) -> str:
    return "the pūtahi" if number == PUTAHI else str(number)
