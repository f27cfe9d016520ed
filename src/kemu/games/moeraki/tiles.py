"""Tribal tiles of Moeraki-Kemu: a pure function of ball, stones and Tane, never stored.

Ball and stones are bit masks of hollows, bit n for hollow n of the board; areas are numbers.
"""

from fractions import Fraction
from typing import Final, NamedTuple, TypeAlias

from kemu.core.game import Seat
from kemu.games.moeraki.board import AREAS, BEACHES, BESIDE, CORNERS, SIGHT, mask

Stones: TypeAlias = tuple[int, int]
"""The stones of both seats."""

FULL: Final = Fraction(1)
HALF: Final = Fraction(1, 2)

_CORNERS: Final = tuple(mask(corners) for corners in CORNERS)
_BEACHES: Final = frozenset(BEACHES)


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
    """What the tiles of each tribe are worth together."""
    matau, manaia = (sum((tile.worth for tile in found if tile.tribe == seat), Fraction()) for seat in (0, 1))
    return matau, manaia
