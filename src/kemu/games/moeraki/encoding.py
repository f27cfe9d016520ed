"""The numbers of Moeraki-Kemu: action ids, and views as planes of the grid that hollows and areas share.

ids        actions                             The ids are the same with all options; without a Tane there
0 … 56     lay a stone, by hollow              are those below 67 only.
57 … 65    place the ball, by Moeraki hollow
66         swap
67         keep the tiles
68 … 275   place the Tane, 4 × area + direction

planes     cells of the grid, row 1 first, a row from column a to k
0 1        own stones, the other's stones
2          the ball
3          everywhere 1 for the seat that places the ball
4          everywhere 1 if this seat is to act
5 6        own tiles, the other's tiles, in half points (not in the beginner's game)
7 8        own Tane, the other's Tane (from here on in the master's game only)
9 10       the areas that the own Tane sees, that the other's sees
11 12      while somebody is asked for the Tane: the stone just laid, and the areas where it may stand
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Final

from kemu.core.game import CHANCE, Seat
from kemu.games.moeraki.actions import BALLS, KEEP, LAYS, SWAP, TANE, Action
from kemu.games.moeraki.board import AREA, AREAS, HOLLOW, HOLLOWS, MOERAKI, SIZE, Point
from kemu.games.moeraki.options import VARIANTS
from kemu.games.moeraki.position import STONES, State, View
from kemu.games.moeraki.rules import MoerakiKemu

WIDTH: Final = 2 * SIZE + 1
CELLS: Final = WIDTH * WIDTH
PLANES: Final = dict(zip(VARIANTS, (5, 7, 13), strict=True))
"""How many planes an observation has, by variant."""

BALL_IDS: Final = len(HOLLOWS)
SWAP_ID: Final = BALL_IDS + len(MOERAKI)
KEEP_ID: Final = SWAP_ID + 1
TANE_IDS: Final = KEEP_ID + 1

_WITHOUT_TANE: Final[tuple[Action, ...]] = (*LAYS, *(BALLS[hollow] for hollow in MOERAKI), SWAP)
_ALL: Final[tuple[Action, ...]] = (*_WITHOUT_TANE, KEEP, *(place for four in TANE for place in four))


def cell(point: Point) -> int:
    """The place of a point in a plane."""
    return (point.y + SIZE) * WIDTH + point.x + SIZE


_HOLLOW_CELLS: Final = {name: cell(HOLLOWS[number]) for name, number in HOLLOW.items()}
_AREA_CELLS: Final = {name: cell(AREAS[number]) for name, number in AREA.items()}


@dataclass(frozen=True)
class MoerakiEncoding:
    """The numbers of Moeraki-Kemu with its options."""

    game: MoerakiKemu

    most_seats: ClassVar[int] = 2
    hidden_lines: ClassVar[Sequence[str]] = ()

    def longest(self, first: State) -> int:
        """The ball, a swap, all stones, and with Tane a question to each seat for every area."""
        return 2 + 2 * STONES + (2 * len(AREAS) if self.game.variant == "master" else 0)

    @property
    def shape(self) -> tuple[int, ...]:
        """Planes, rows and columns."""
        return PLANES[self.game.variant], WIDTH, WIDTH

    def actions(self, seat: Seat) -> Sequence[Action]:
        """The actions by id; the dealer has none."""
        if seat == CHANCE:
            return ()
        return _ALL if self.game.variant == "master" else _WITHOUT_TANE

    def observation(self, view: View, seat: Seat) -> bytes:
        """The planes of a view."""
        numbers = bytearray(PLANES[self.game.variant] * CELLS)
        position = view["position"]
        for plane, owner in enumerate((seat, 1 - seat)):
            _mark(numbers, plane, (_HOLLOW_CELLS[name] for name in position["stones"][owner]))
        _mark(numbers, 2, [_HOLLOW_CELLS[position["ball"]]] if position["ball"] else ())
        _mark(numbers, 3, range(CELLS) if seat == self.game.starter else ())
        _mark(numbers, 4, range(CELLS) if seat == position["turn"] else ())
        for tile in view["tiles"]:
            plane = 5 if tile["tribe"] == seat else 6
            numbers[plane * CELLS + _AREA_CELLS[tile["at"]]] = int(2 * Fraction(tile["worth"]))
        if self.game.variant == "master":
            _mark_tane(numbers, view, seat)
        return bytes(numbers)


def _mark_tane(numbers: bytearray, view: View, seat: Seat) -> None:
    position, asked = view["position"], view["asked"]
    for plane, owner in enumerate((seat, 1 - seat)):
        if tane := position["tane"][owner]:
            _mark(numbers, 7 + plane, [_AREA_CELLS[tane["at"]]])
            _mark(numbers, 9 + plane, (_AREA_CELLS[name] for name in view["sees"][owner] or ()))
    if asked:
        _mark(numbers, 11, [_HOLLOW_CELLS[position["step"]["stone"]]])
        _mark(numbers, 12, (_AREA_CELLS[name] for name in asked["areas"]))


def _mark(numbers: bytearray, plane: int, cells: Iterable[int]) -> None:
    for each in cells:
        numbers[plane * CELLS + each] = 1
