"""A review as a value, and the scales it is made by: grades by loss and by proof, and accuracy.

An action that loses expected score has the accuracy of an exponential curve, by the formulas of lichess. A game has the
mean of two means: the one that weighs actions by how much the expected score moved around them, and the harmonic one,
which a single bad action pulls down.
"""

from bisect import bisect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import pstdev
from typing import Any, Final

import msgspec

from kemu.core.document import Document
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.engines.analysis import ThreatLine, Verdict

VERSION: Final = 1

INACCURACY_POINTS: Final = 5.0
MISTAKE_POINTS: Final = 10.0
BLUNDER_POINTS: Final = 15.0
"""The points of expected score, of 100, from which on a loss has this grade; those of lichess."""

BEST_POINTS: Final = 0.5
"""An action that loses less is as good as the best one."""

PASSING_POINTS: Final = 4.0
"""An answer in a retry that loses less passes."""

LEAST_WINDOW, MOST_WINDOW = 2, 8
WINDOWS: Final = 10
"""A window is this part of the game, within the two limits."""

LEAST_WEIGHT_POINTS, MOST_WEIGHT_POINTS = 0.5, 12.0


class Grade(StrEnum):
    """How much expected score an action lost, the least first."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class ProofGrade(StrEnum):
    """Proof verdict of an action."""

    KEPT_WIN = "kept-win"  # won before and after
    KEPT_DRAW = "kept-draw"  # drawn before and after
    GAVE_WIN = "gave-win"  # won before, drawn or lost after
    MISSED_WIN = "missed-win"  # won before, and nothing is proved after
    THREW_DRAW = "threw-draw"  # drawn before, lost after
    ALLOWED_LOSS = "allowed-loss"  # nothing was proved before, lost after
    LOST_ANYWAY = "lost-anyway"  # lost before: every action loses


def score_grade(loss: float) -> Grade:
    """Return the grade of an action by the points of expected score that it loses."""
    return tuple(Grade)[bisect((BEST_POINTS, INACCURACY_POINTS, MISTAKE_POINTS, BLUNDER_POINTS), loss)]


def proof_grade(before: Verdict | None, after: Verdict | None) -> ProofGrade | None:
    """Return the grade that the proofs before and after an action imply, `None` if they imply none."""
    following = after.result if after else None
    if before is None:
        return ProofGrade.ALLOWED_LOSS if following == "loss" else None
    if before.result == "loss":
        return ProofGrade.LOST_ANYWAY
    if before.result == "win":
        return {"win": ProofGrade.KEPT_WIN, None: ProofGrade.MISSED_WIN}.get(following, ProofGrade.GAVE_WIN)
    return {"draw": ProofGrade.KEPT_DRAW, "loss": ProofGrade.THREW_DRAW}.get(following or "")


def certain_score(verdict: Verdict) -> float:
    """Return the score that is proved, for the seat to act."""
    return {"win": 1.0, "draw": 0.5, "loss": 0.0}[verdict.result]


def action_accuracy(loss: float) -> float:
    """Return the accuracy of an action from the points of expected score it loses (0 to 100)."""
    if loss <= 0:
        return 100.0
    return min(100.0, max(0.0, 103.1668 * exp(-0.043544 * loss) - 3.1669 + 1))


def game_accuracy(course: Sequence[float], losses: Sequence[tuple[int, float]]) -> float | None:
    """Return the accuracy of one player in a game, None without an action of theirs.

    Takes the player's expected score in points at every ply, and the ply and the loss of each of their actions.
    """
    if not losses:
        return None
    size = min(MOST_WINDOW, max(LEAST_WINDOW, len(course) // WINDOWS))
    accuracies = [action_accuracy(loss) for _, loss in losses]
    weights = [_weight(course, ply, size) for ply, _ in losses]
    weighted = sum(each * weight for each, weight in zip(accuracies, weights, strict=True)) / sum(weights)
    harmonic = len(accuracies) / sum(1 / max(each, 1.0) for each in accuracies)
    return (weighted + harmonic) / 2


def _weight(course: Sequence[float], ply: int, size: int) -> float:
    """Return how much the expected score moved in the window that ends after an action."""
    end = min(len(course), max(ply + 2, size))
    return min(MOST_WEIGHT_POINTS, max(LEAST_WEIGHT_POINTS, pstdev(course[max(0, end - size) : end])))


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
    threats: tuple[ThreatLine, ...] = ()  # of the others, before the action


@dataclass(frozen=True)
class SeatReview:
    """How a seat did: its accuracy from 0 to 100, its mean loss in points, and how many actions have each grade."""

    seat: Seat
    accuracy: float | None
    loss: float | None
    grades: Mapping[str, int]


@dataclass(frozen=True)
class Ending:
    """How a game ended; in a game that was given up, `expected` of the review has what was given up."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True)
class Review:
    """The review of one record.

    `expected` has for each ply, from the first position to the last, the expected score of every seat. In games with
    secrets a seat's score is what it could know when it last acted. `turning_points` are the plies of a few
    mistakes by which somebody else came to stand better; the last of them decided the game.
    """

    game: str
    options: Mapping[str, Any]
    expected: tuple[tuple[float, ...], ...]
    actions: tuple[GradedAction, ...]
    seats: tuple[SeatReview, ...]
    turning_points: tuple[int, ...]
    result: Ending | None
    nodes: int | None  # of the search of each position; None if it was a time
    complete: bool  # whether all passes are done
    version: int = VERSION

    def encode(self) -> Document:
        """Return this review as a JSON object."""
        document: Document = msgspec.to_builtins(self)
        return document

    @classmethod
    def decode(cls, document: object) -> "Review":
        """Return the review in a JSON object; raises ParseError if it is not one of this version."""
        try:
            found = msgspec.convert(document, cls)
        except msgspec.ValidationError as error:
            raise ParseError(f"Not a review: {error}.") from None
        if found.version != VERSION:
            raise ParseError(f"A review has the version {VERSION}, not {found.version}.")
        return found
