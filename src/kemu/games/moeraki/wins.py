"""Wins of Moeraki-Kemu: lines of stones that decide a game early, and the tiles that count on a full board.

Sets of hollows are bit masks, bit n for hollow n of the board. A line is the set of own stones that it takes; which
lines there are follows from the ball alone. Tiles are a pure function of ball, stones and Tane, never stored.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import Final, NamedTuple, TypeAlias

from kemu.core.game import Seat
from kemu.games.moeraki.board import AREAS, BEACHES, BESIDE, CORNERS, DIAGONALS, EYE, MOERAKI, OUTER_ROWS, SIGHT, mask

Stones: TypeAlias = tuple[int, int]
"""The stones of both seats."""

FULL: Final = Fraction(1)
HALF: Final = Fraction(1, 2)

_CORNERS: Final = tuple(mask(corners) for corners in CORNERS)
_BEACHES: Final = frozenset(BEACHES)


class WinningLine(NamedTuple):
    """Hollows that win when one player's stones fill them."""

    hollows: int
    reason: str


def _awa(ball: int) -> Iterator[tuple[int, ...]]:
    for diagonal in DIAGONALS:
        if ball in diagonal:
            at = diagonal.index(ball)
            yield diagonal[:at]
            yield diagonal[at + 1 :]
        else:
            yield diagonal


def _lines(ball: int, eye: bool) -> tuple[WinningLine, ...]:
    """Every line, in the order in which reasons are named when one stone completes several (R8)."""
    # The ball is no stone, so that a beach or a row beside it is out of reach; only the eye counts it in.
    shapes = {
        "tahuna": [CORNERS[beach] for beach in BEACHES if ball not in CORNERS[beach]],
        "awa": list(_awa(ball)),
        "ara": list(OUTER_ROWS),
        "eye": [tuple(hollow for hollow in EYE if hollow != ball)] if eye else [],
    }
    return tuple(WinningLine(mask(hollows), reason) for reason, found in shapes.items() for hollows in found)


_LINES: Final = {(1 << ball, eye): _lines(ball, eye) for ball in MOERAKI for eye in (False, True)}


def lines(ball: int, eye: bool) -> tuple[WinningLine, ...]:
    """Every line that wins with the ball here, none before it is placed."""
    return _LINES.get((ball, eye), ())


def filled(ball: int, stones: int, eye: bool) -> list[WinningLine]:
    """The lines that these stones of one player fill, none before the ball is placed."""
    empty = ~stones
    return [line for line in lines(ball, eye) if not line.hollows & empty]


def early_win(ball: int, stones: int, eye: bool) -> WinningLine | None:
    """Return what the stones of one player win by: the first reason that applies, and all hollows of its lines."""
    found = filled(ball, stones, eye)
    if not found:
        return None
    reason = found[0].reason
    return WinningLine(reduce(or_, (line.hollows for line in found if line.reason == reason)), reason)


class Tane(NamedTuple):
    """A warrior on an area, and the direction in which he looks."""

    area: int
    looks: str


Warriors: TypeAlias = tuple[Tane | None, Tane | None]
"""The Tane of both seats, None while one is in its cave."""


class Tile(NamedTuple):
    """A tile of a tribe on an area."""

    area: int
    tribe: Seat
    worth: Fraction


def earned(area: int, ball: int, stones: Stones) -> Tile | None:
    """The tile that an area earns by its stones alone: none before it is complete, and none for 2:2."""
    corners = _CORNERS[area]
    matau, manaia = stones
    if corners & ~(matau | manaia | ball):
        return None
    of_matau, of_manaia = (corners & matau).bit_count(), (corners & manaia).bit_count()
    if of_matau == of_manaia:
        return None
    full = area in _BEACHES or not of_matau or not of_manaia
    return Tile(area, 0 if of_matau > of_manaia else 1, FULL if full else HALF)


def sight(tane: Tane | None, other: Tane | None) -> tuple[int, ...]:
    """The areas a Tane sees, in their order: from the next one to the sideline, or up to the other Tane."""
    if tane is None:
        return ()
    seen = SIGHT[tane.area][tane.looks]
    if other is not None and other.area in seen:
        seen = seen[: seen.index(other.area)]
    return seen


def barred(tane: Warriors) -> frozenset[int]:
    """The areas where no tile can lie: those that one Tane sees, but not the one where two lines of sight cross.

    Two lines of sight never share more than that one area: on one and the same diagonal either they look apart, or one
    of them stops before the other Tane, and no Tane can have been placed where the other was looking already.
    """
    first, second = tane
    return frozenset(sight(first, second)) ^ frozenset(sight(second, first))


def tiles(ball: int, stones: Stones, tane: Warriors) -> tuple[Tile, ...]:
    """All the tiles that lie on the board, by area."""
    closed = barred(tane).union(warrior.area for warrior in tane if warrior)
    return tuple(
        tile for area in range(len(AREAS)) if area not in closed and (tile := earned(area, ball, stones)) is not None
    )


def laid(hollow: int, ball: int, stones: Stones, tane: Warriors) -> tuple[Tile, ...]:
    """The tiles that the stone in this hollow brings by completing areas, by area; the Tane bar some."""
    found = [tile for area in BESIDE[hollow] if (tile := earned(area, ball, stones)) is not None]
    if not found or tane == (None, None):
        return tuple(found)
    closed = barred(tane)
    return tuple(tile for tile in found if tile.area not in closed)


def scores(found: tuple[Tile, ...]) -> tuple[Fraction, Fraction]:
    """Return the points of the tiles of each tribe."""
    matau, manaia = (sum((tile.worth for tile in found if tile.tribe == seat), Fraction()) for seat in (0, 1))
    return matau, manaia
