"""The numbers of Mū tōrere: action ids, and views as rows of points.

With n arms, for kewai k from 1 to n:

id             action                          rows of n + 1 points, kewai first, then the pūtahi
k - 1          from k to the pūtahi            0   own men
n + k - 1      from the pūtahi to k            1   the other's men
2n + k - 1     from k to the next, clockwise   2   everywhere 1 if this seat is to act
3n + k - 1     from k to the one before        3   everywhere how often the position came up before
                                               4   everywhere the plies that the opening rule still holds
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import ClassVar, Final

from kemu.core.game import CHANCE, Seat
from kemu.games.mu_torere.rules import MEN, OCCURRENCES, OPENING, PUTAHI, Move, MuTorere, State, View

MOST_PLIES: Final = 1000
"""Plies after which adapters and batches truncate a game."""

ROWS: Final = 5


@dataclass(frozen=True)
class MuTorereEncoding:
    """The numbers of Mū tōrere with its options."""

    game: MuTorere

    most_seats: ClassVar[int] = 2
    hidden_lines: ClassVar[Sequence[str]] = ()

    def longest(self, first: State) -> int:
        """As many plies as there can be without a third occurrence, but no more than MOST_PLIES."""
        if not self.game.repetition:
            return MOST_PLIES
        half = self.game.arms // 2
        positions = 2 * comb(self.game.arms + 1, half) * (half + 1)
        return min((OCCURRENCES - 1) * positions, MOST_PLIES)

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows and points."""
        return ROWS, self.game.arms + 1

    def actions(self, seat: Seat) -> Sequence[Move]:
        """The actions by id; the dealer has none."""
        if seat == CHANCE:
            return ()
        arms = self.game.arms
        kewai = range(1, arms + 1)
        return (
            *(Move(start, PUTAHI) for start in kewai),
            *(Move(PUTAHI, end) for end in kewai),
            *(Move(start, start % arms + 1) for start in kewai),
            *(Move(start, (start - 2) % arms + 1) for start in kewai),
        )

    def observation(self, view: View, seat: Seat) -> bytes:
        """The rows of a view."""
        position = view["position"]
        points, width = position["points"], self.game.arms + 1
        return b"".join(
            (
                bytes(man == MEN[seat] for man in points),
                bytes(man == MEN[1 - seat] for man in points),
                bytes([position["turn"] == seat]) * width,
                bytes([view["occurrences"] - 1]) * width,
                bytes([OPENING - position.get("ply", OPENING)]) * width,
            )
        )
