"""An encoding for the game of tests/outside, as its package could supply it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from kemu.core.game import CHANCE, Seat


@dataclass(frozen=True)
class NimEncoding:
    """The sticks and whose turn it is."""

    game: Any

    most_seats: ClassVar[int] = 2
    shape: ClassVar[tuple[int, ...]] = (2,)
    hidden_lines: ClassVar[Sequence[str]] = ()

    def longest(self, first: Any) -> int:
        return int(first.sticks)

    def actions(self, seat: Seat) -> Sequence[int]:
        return () if seat == CHANCE else (1, 2, 3)

    def observation(self, view: Any, seat: Seat) -> bytes:
        return bytes((view["position"]["sticks"], view["position"]["turn"] == seat))
