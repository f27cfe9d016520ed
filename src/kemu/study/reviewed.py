"""A review as a value: the grades of every action, the accuracy of every player, and where the game turned."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from kemu.core.document import Document
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.engines.analysis import Verdict
from kemu.study.grades import Grade, ProofGrade

VERSION: Final = 1


@dataclass(frozen=True)
class Danger:
    """How another seat would have won: the points of its line in order, and those of them that were missing."""

    action: str
    cells: tuple[str, ...]
    missing: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class GradedAction:
    """An action of a seat with its grades; the dealer's have none.

    Scores are expected scores of the seat, from 0 to 1; the loss is in points of a hundred. `line` is how the game
    would have gone on with the best action, which comes first. `grade` is None if there was no other action, or if the
    search did not look at it.
    """

    ply: int  # how many actions were taken before it
    seat: Seat
    action: str
    line: tuple[str, ...]
    before: float
    after: float | None
    loss: float | None
    grade: Grade | None
    proof: ProofGrade | None
    proved_before: Verdict | None
    proved_after: Verdict | None
    punished: bool | None = None  # of a mistake or blunder: whether the others kept what it gave them
    threats: tuple[Danger, ...] = ()  # of the others, before the action


@dataclass(frozen=True)
class SeatReview:
    """How a seat did: its accuracy from 0 to 100, its mean loss in points, and how many actions have each grade."""

    seat: Seat
    accuracy: float | None
    loss: float | None
    grades: Mapping[str, int]


@dataclass(frozen=True)
class Result:
    """How a game ended; in a game that was given up, `expected` of the review has what was given up."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True)
class Review:
    """The review of one record.

    `expected` has for each ply, from the first position to the last, the expected score of every seat. In games with
    secrets a seat's score is what it could know when it last acted. `turning_points` are the plies of the mistakes by
    which somebody else came to stand better; the last of them decided the game.
    """

    game: str
    options: Mapping[str, Any]
    expected: tuple[tuple[float, ...], ...]
    actions: tuple[GradedAction, ...]
    seats: tuple[SeatReview, ...]
    turning_points: tuple[int, ...]
    result: Result | None
    nodes: int | None  # of the search of each position; None if it was a time
    complete: bool  # whether all passes are done
    version: int = VERSION

    def encode(self) -> Document:
        """This review as a JSON object."""
        document: Document = msgspec.to_builtins(self)
        return document

    @classmethod
    def decode(cls, document: object) -> "Review":
        """The review of a JSON object; raises ParseError if it is none of this version."""
        try:
            found = msgspec.convert(document, cls)
        except msgspec.ValidationError as error:
            raise ParseError(f"Not a review: {error}.") from None
        if found.version != VERSION:
            raise ParseError(f"A review has the version {VERSION}, not {found.version}.")
        return found
