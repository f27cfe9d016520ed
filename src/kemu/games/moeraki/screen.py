"""Moeraki-Kemu on a full screen: the lattice, whose hollows and areas are pointed at."""

from collections.abc import Sequence
from typing import Any, Final

from kemu.core.game import Seat
from kemu.core.screen import Board, Place
from kemu.games.moeraki.actions import Action, LayStone, PlaceBall, PlaceTane
from kemu.games.moeraki.board import AREAS, DIRECTIONS, HOLLOW, HOLLOWS, SIZE
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.text import lattice, now, seat_facts

__all__ = ["CHOICES", "board", "facts", "now", "path"]

CHOICES: Final = {"variant": VARIANTS, "swap": (False, True)}

_LEFT: Final = 3  # columns before the first cell
_CELL: Final = 3


def board(game: MoerakiKemu, view: Any) -> Board:
    """The lattice; hollows and areas are places by their names."""
    places = {
        point.name: Place(1 + SIZE - point.y, _LEFT + _CELL * (point.x + SIZE), _CELL, field=point.name in HOLLOW)
        for point in (*HOLLOWS, *AREAS)
    }
    return Board(tuple(lattice(game, view)), places)


def facts(game: MoerakiKemu, view: Any, seat: Seat) -> Sequence[str]:
    """Stones, score and Tane."""
    return seat_facts(game, view, seat)


def path(game: MoerakiKemu, view: Any, action: Action) -> tuple[str, ...]:
    """The hollow; for a Tane its area and then the next area that it looks at, if there is one."""
    match action:
        case PlaceBall(hollow) | LayStone(hollow):
            return (HOLLOWS[hollow].name,)
        case PlaceTane(number, looks):
            area = AREAS[number]
            seen = area.step(*DIRECTIONS[looks])
            return (area.name, seen.name) if seen in AREAS else (area.name,)
    return ()
