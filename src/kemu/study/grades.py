"""The grades of actions: by loss of expected score, and apart from that by what is proved."""

from enum import StrEnum
from typing import Final

from kemu.engines.analysis import Verdict

INACCURACY_POINTS: Final = 5.0
MISTAKE_POINTS: Final = 10.0
BLUNDER_POINTS: Final = 15.0
"""An action that loses so many points of expected score, of 100, has this grade; those of lichess."""

BEST_POINTS: Final = 0.5
"""An action that loses less is as good as the best one."""

PASSING_POINTS: Final = 4.0
"""An answer in a retry that loses less passes."""


class Grade(StrEnum):
    """How much expected score an action lost."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class ProofGrade(StrEnum):
    """What is proved of an action."""

    KEPT_WIN = "kept-win"  # won before and after
    KEPT_DRAW = "kept-draw"  # drawn before and after
    GAVE_WIN = "gave-win"  # won before, drawn or lost after
    MISSED_WIN = "missed-win"  # won before, and nothing is proved after
    THREW_DRAW = "threw-draw"  # drawn before, lost after
    ALLOWED_LOSS = "allowed-loss"  # nothing was proved before, lost after
    LOST_ANYWAY = "lost-anyway"  # lost before: every action loses


def score_grade(loss: float) -> Grade:
    """The grade of an action that loses so many points of expected score."""
    if loss >= BLUNDER_POINTS:
        return Grade.BLUNDER
    if loss >= MISTAKE_POINTS:
        return Grade.MISTAKE
    if loss >= INACCURACY_POINTS:
        return Grade.INACCURACY
    return Grade.BEST if loss < BEST_POINTS else Grade.GOOD


def proof_grade(before: Verdict | None, after: Verdict | None) -> ProofGrade | None:
    """The grade of an action by what is proved for its seat before and after it, None if that says nothing."""
    following = after.result if after else None
    if before is None:
        return ProofGrade.ALLOWED_LOSS if following == "loss" else None
    if before.result == "loss":
        return ProofGrade.LOST_ANYWAY
    if before.result == "win":
        return {"win": ProofGrade.KEPT_WIN, None: ProofGrade.MISSED_WIN}.get(following, ProofGrade.GAVE_WIN)
    return {"draw": ProofGrade.KEPT_DRAW, "loss": ProofGrade.THREW_DRAW}.get(following or "")


def certain_score(verdict: Verdict) -> float:
    """The score that is proved, for the seat to act."""
    return {"win": 1.0, "draw": 0.5, "loss": 0.0}[verdict.result]
