"""The early wins of Moeraki-Kemu: lines of stones that decide a game before the board is full.

Sets of hollows are bit masks, bit n for hollow n of the board. A line is the set of own stones that it takes; which
lines there are follows from the ball alone.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from kemu.games.moeraki.board import BEACHES, CORNERS, DIAGONALS, EYE, MOERAKI, OUTER_ROWS, mask


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
    """What these stones of one player win by: the first reason that applies, and all hollows of its lines."""
    found = filled(ball, stones, eye)
    if not found:
        return None
    reason = found[0].reason
    return WinningLine(reduce(or_, (line.hollows for line in found if line.reason == reason)), reason)
