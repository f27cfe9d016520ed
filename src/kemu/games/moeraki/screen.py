"""Moeraki-Kemu on a full screen: the lattice, whose hollows and areas are pointed at."""

from typing import Final

from kemu.core.display import Board, Place, Room
from kemu.games.moeraki.actions import Action, LayStone, PlaceBall, PlaceTane
from kemu.games.moeraki.board import AREAS, DIRECTIONS, HOLLOW, HOLLOWS, SIZE
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.text import INK as TEXT_INK
from kemu.games.moeraki.text import cells, facts, lattice, now
from kemu.games.moeraki.views import View

__all__ = ["CHOICES", "INK", "board", "facts", "now", "path"]

CHOICES: Final = {"variant": VARIANTS, "swap": (False, True)}

DISCS: Final = {
    "●": ("▟███▙", "█████", "▜███▛"),
    "○": ("╭───╮", "│   │", "╰───╯"),
    "◎": ("╔═══╗", "║ ◎ ║", "╚═══╝"),
}
"""Stones and ball in three lines, for large cells."""

INK: Final = {
    **TEXT_INK,
    **{part: TEXT_INK[glyph] for glyph, lines in DISCS.items() for part in "".join(lines) if part != " "},
}

_SMALL, _LARGE = (3, 1), (7, 3)  # columns and lines of a cell
_MARGIN: Final = 3  # columns before the first cell and after the last, for the numbers of the rows
_CELLS: Final = 2 * SIZE + 1  # in a row and in a column
_LARGE_ROOM: Final = Room(2 * _MARGIN + _CELLS * _LARGE[0], 2 + _CELLS * _LARGE[1])


def board(game: MoerakiKemu, view: View, room: Room) -> Board:
    """The lattice; hollows and areas are places by their names."""
    large = room.columns >= _LARGE_ROOM.columns and room.lines >= _LARGE_ROOM.lines
    size = _LARGE if large else _SMALL
    shown = {name: _large_cell(cell) if large else (cell,) for name, cell in cells(game, view).items()}
    return Board(tuple(lattice(shown, *size)), _places(*size))


def _places(width: int, height: int) -> dict[str, Place]:
    return {
        point.name: Place(
            row=1 + height * (SIZE - point.y),
            column=_MARGIN + width * (point.x + SIZE),
            width=width,
            height=height,
            field=point.name in HOLLOW,
        )
        for point in (*HOLLOWS, *AREAS)
    }


def _large_cell(cell: str) -> tuple[str, ...]:
    """Three lines for a cell of the small lattice, with discs for stones and ball; marks around it stay around it."""
    glyph = cell.strip(" ()[]")
    before, after = (cell[0], cell[-1]) if len(glyph) == 1 else (" ", " ")
    top, middle, bottom = DISCS.get(glyph, ("", glyph, ""))
    width = _LARGE[0]
    return f"{top:^{width}}", f"{before}{middle:^{width - 2}}{after}", f"{bottom:^{width}}"


def path(game: MoerakiKemu, view: View, action: Action) -> tuple[str, ...]:
    """The hollow; for a Tane its area and then the next area that it looks at, if there is one."""
    match action:
        case PlaceBall(hollow) | LayStone(hollow):
            return (HOLLOWS[hollow].name,)
        case PlaceTane(number, looks):
            area = AREAS[number]
            seen = area.step(*DIRECTIONS[looks])
            return (area.name, seen.name) if seen in AREAS else (area.name,)
    return ()
