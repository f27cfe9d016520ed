"""A review as a value, and the scales it is made by: losses, grades, what is too deep to see, and accuracy.

A loss is measured against the best choice of its moment. In a bad position an action can lose no more than what was
left, so that it is measured in parts of that: who comes from two chances in a hundred to one lost as much of the game
that was left as who comes from even to a quarter.
"""

from bisect import bisect
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp
from statistics import fmean
from typing import Any, Final

import msgspec

from kemu.core.document import Document
from kemu.core.errors import ParseError
from kemu.core.game import Seat
from kemu.engines.analysis import ThreatLine, Verdict

VERSION: Final = 2

INACCURACY_POINTS: Final = 5.0
MISTAKE_POINTS: Final = 10.0
BLUNDER_POINTS: Final = 15.0
"""The points of expected score, of 100, from which on a loss has this grade; those of lichess."""

BEST_POINTS: Final = 0.5
"""An action that loses less is as good as the best one."""

PASSING_POINTS: Final = 4.0
"""An answer in a retry that loses less passes."""

EVEN: Final = 0.5
LEAST_STANDING: Final = 0.05
"""In a position worse than this a loss counts as if it had been this good."""

DEPTHS: Final = (1, 3, 6)
"""Actions of the winner: what completes next, double threats, and forced wins that strong players see."""


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


def standing(score: float, seats: int) -> float:
    """Return an expected score on the scale of a game of two: an equal share is one half."""
    even = 1 / seats
    return EVEN * score / even if score <= even else EVEN + EVEN * (score - even) / (1 - even)


def loss_points(best: float, taken: float, seats: int) -> float:
    """Return how many points of a hundred an action lost, from its expected score and that of the best choice."""
    before, after = standing(best, seats), standing(taken, seats)
    return round(100 * max(0.0, before - after) * EVEN / min(max(before, LEAST_STANDING), EVEN), 1)


def sight(tests: Iterable[tuple[int, bool]]) -> int:
    """Return how deep a seat saw: in how many actions of the winner it noticed at least half of all wins and losses.

    Takes the depth of each, and whether the seat did what it asked for. Without any, what completes next is seen.
    """
    seen, known = DEPTHS[0], list(tests)
    for low, high in zip((0, *DEPTHS), DEPTHS, strict=False):
        found = [passed for depth, passed in known if low < depth <= high]
        if found and 2 * sum(found) < len(found):
            break
        seen = high if found else seen
    return seen


def action_accuracy(loss: float) -> float:
    """Return the accuracy of an action from the points of expected score it loses (0 to 100), by that of lichess."""
    if loss <= 0:
        return 100.0
    return min(100.0, max(0.0, 103.1668 * exp(-0.043544 * loss) - 3.1669 + 1))


def game_accuracy(losses: Sequence[float]) -> float | None:
    """Return the accuracy of one player in a game from the losses of their actions, `None` without an action."""
    return fmean(map(action_accuracy, losses)) if losses else None


@dataclass(frozen=True)
class GradedAction:
    """An action of a seat with its grades; the dealer's have none.

    Scores are expected scores of the seat, from 0 to 1; the loss is in points of a hundred. `line` is how the game
    would have gone on with the best action, which comes first. `grade` is `None` if there was no other action, if all
    were proved to lose, if the search did not look at it, or if what it lost was too hard to see, as `hard` says.
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
    hard: bool = False  # whether it missed what was too deep for its player, as far as this game shows


@dataclass(frozen=True)
class SeatReview:
    """How a seat did: its accuracy from 0 to 100, its mean loss in points, and how many actions have each grade.

    `hard` counts the actions that missed what was too deep for it, and `sight` is how deep it saw.
    """

    seat: Seat
    accuracy: float | None
    loss: float | None
    grades: Mapping[str, int]
    hard: int = 0
    sight: int = DEPTHS[0]


@dataclass(frozen=True)
class Ending:
    """How a game ended; in a game that was given up, `expected` of the review has what was given up."""

    winners: tuple[Seat, ...]
    reason: str


@dataclass(frozen=True)
class Review:
    """The review of one record.

    `expected` has for each ply, from the first position to the last, the expected score of every seat. In games with
    secrets a seat's score is what it could know when it last acted. `turning_points` are the plies of at
    most three moments that decided the game at the level at which it was played; the last of them decided it.
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
