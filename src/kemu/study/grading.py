"""From what searches say of the positions of a record to its review."""

from dataclasses import dataclass, field, replace
from typing import Final

from kemu.core.game import CHANCE, Seat, options
from kemu.engines.analysis import Budget, Verdict
from kemu.study.accuracy import game_accuracy
from kemu.study.assessment import Assessment, Positions, end_verdict
from kemu.study.grades import MISTAKE_POINTS, Grade, certain_score, proof_grade, score_grade
from kemu.study.reviewed import Danger, GradedAction, Result, Review, SeatReview

POINTS: Final = 100.0
"""A whole score in points."""

DIGITS: Final = 4
"""Scores are rounded to so many digits."""


@dataclass
class Findings:
    """What the passes of a review have found so far, by ply."""

    assessments: dict[int, Assessment] = field(default_factory=dict)
    alternatives: dict[int, Assessment] = field(default_factory=dict)  # after the best other action that was looked at
    threats: dict[int, tuple[Danger, ...]] = field(default_factory=dict)


class Grading:
    """The grades by what was found so far; every decision must have been assessed."""

    def __init__(self, positions: Positions, findings: Findings) -> None:
        self.positions = positions
        self.findings = findings
        self.verdicts = _verdicts(positions, findings) if positions.is_open_pair else {}
        self.expected = self._expected()
        plies = [ply for ply in positions.decisions if ply < len(positions.texts)]
        actions = [self._graded(ply) for ply in plies]
        self.actions = [replace(each, punished=self._punished(each)) for each in actions]

    def review(self, budget: Budget, complete: bool) -> Review:
        """The review as it stands."""
        game = self.positions.game
        outcome = self.positions.result or self.positions.outcome
        return Review(
            game=game.key,
            options=options(game),
            expected=tuple(self.expected),
            actions=tuple(self.actions),
            seats=tuple(self._seat_review(seat) for seat in range(game.seats)),
            turning_points=self._turning_points(),
            result=Result(outcome.winners, outcome.reason) if outcome else None,
            nodes=budget.nodes,
            complete=complete,
        )

    def proved(self, ply: int, seat: Seat) -> Verdict | None:
        """What is proved of a position for a seat."""
        found = self.verdicts.get(ply)
        return found if found is None or seat == 0 else found.reversed()

    def _expected(self) -> list[tuple[float, ...]]:
        """The expected score of every seat at every ply; of a seat that does not act, what was known last."""
        positions, found = self.positions, self.findings.assessments
        now = [1 / positions.game.seats] * positions.game.seats
        course = []
        for ply in range(len(positions.states)):
            if ply in self.verdicts:
                first = certain_score(self.verdicts[ply])
                now = [first, 1 - first]
            elif ply in found:
                now[found[ply].seat] = found[ply].expected
                if positions.is_open_pair:
                    now[1 - found[ply].seat] = 1 - found[ply].expected
            elif ply == len(positions.states) - 1 and positions.outcome is not None:
                now = list(positions.outcome.shares(positions.game.seats))
            course.append(tuple(round(score, DIGITS) for score in now))
        return course

    def _graded(self, ply: int) -> GradedAction:
        positions, found = self.positions, self.findings.assessments[ply]
        seat, text = found.seat, positions.texts[ply]
        before, after = self._scores(ply)
        known = self.proved(ply, seat), self.proved(ply + 1, seat)
        only = len(positions.game.actions(positions.states[ply])) == 1
        loss = None if after is None else 0.0 if only else round(POINTS * max(0.0, before - after), 1)
        grade = None if loss is None or only else score_grade(loss)
        return GradedAction(
            ply=ply,
            seat=seat,
            action=text,
            line=self._line(ply, loss or 0.0),
            before=round(before, DIGITS),
            after=None if after is None else round(after, DIGITS),
            loss=loss,
            grade=grade,
            proof=proof_grade(*known),
            proved_before=known[0],
            proved_after=known[1],
            threats=self.findings.threats.get(ply, ()),
        )

    def _scores(self, ply: int) -> tuple[float, float | None]:
        """The expected score of who acts with the best action, and with the one taken; None if nobody looked at it."""
        found, text = self.findings.assessments[ply], self.positions.texts[ply]
        if not self.positions.is_chained(ply):
            best = found.choices.get(found.line[0], found.expected)
            return best, found.choices.get(text, found.expected if text == found.line[0] else None)
        before, after = (self.expected[each][found.seat] for each in (ply, ply + 1))
        if self.proved(ply, found.seat):
            return before, after
        if ply in self.findings.alternatives:
            return max(after, self.findings.alternatives[ply].expected), after
        return (after if text == found.line[0] else before), after

    def _line(self, ply: int, loss: float) -> tuple[str, ...]:
        """How the game goes on with the best action that is known."""
        found, other = self.findings.assessments[ply], self.findings.alternatives.get(ply)
        if other is not None:
            return other.line if loss > 0 else (self.positions.texts[ply],)
        return found.line

    def _punished(self, action: GradedAction) -> bool | None:
        """Whether the seat still lacks at least half of what a mistake lost when it acts again, or at the end."""
        if action.loss is None or action.loss < MISTAKE_POINTS:
            return None
        later = [ply for ply in self.positions.decisions if ply > action.ply and self._acts(ply) == action.seat]
        then = self.expected[later[0] if later else -1][action.seat]
        return then <= action.before - action.loss / POINTS / 2

    def _acts(self, ply: int) -> Seat:
        return self.findings.assessments[ply].seat

    def _seat_review(self, seat: Seat) -> SeatReview:
        own = [each for each in self.actions if each.seat == seat and each.grade is not None]
        losses = [(each.ply, each.loss) for each in own if each.loss is not None]
        accuracy = game_accuracy([POINTS * scores[seat] for scores in self.expected], losses)
        return SeatReview(
            seat,
            None if accuracy is None else round(accuracy, 1),
            round(sum(loss for _, loss in losses) / len(losses), 1) if losses else None,
            {str(grade): sum(each.grade == grade for each in own) for grade in Grade},
        )

    def _turning_points(self) -> tuple[int, ...]:
        """The mistakes by which a seat came to stand worse than before, seen from an even share; else the largest."""
        even = 1 / self.positions.game.seats
        mistakes = [each for each in self.actions if each.loss is not None and each.loss >= MISTAKE_POINTS]
        crossed = [
            each.ply
            for each in mistakes
            if each.after is not None and _side(each.before, even) > _side(each.after, even)
        ]
        largest = max(mistakes, key=lambda each: each.loss or 0.0, default=None)
        return tuple(crossed) or (() if largest is None else (largest.ply,))


def _side(score: float, even: float) -> int:
    return (score > even) - (score < even)


def _verdicts(positions: Positions, findings: Findings) -> dict[int, Verdict]:
    """What is proved of the positions of an open game of two, for seat 0, with what follows from one for the next."""
    known = {
        ply: found.verdict if found.seat == 0 else found.verdict.reversed()
        for ply, found in findings.assessments.items()
        if found.verdict is not None
    }
    last = len(positions.states) - 1
    if positions.outcome is not None:
        known[last] = end_verdict(positions.outcome, 0)
    for ply in range(last):
        seat = positions.turn(ply)
        if ply in known and seat != CHANCE and _of(known[ply], seat).result == "loss":
            known.setdefault(ply + 1, known[ply])  # whatever a lost side does, it is lost
    for ply in range(last - 1, -1, -1):
        seat = positions.turn(ply)
        if ply not in known and seat != CHANCE:
            better = _proved_by_action(seat, known.get(ply + 1), findings.alternatives.get(ply))
            if better is not None:
                known[ply] = _of(better, seat)
    return known


def _proved_by_action(seat: Seat | None, after: Verdict | None, other: Assessment | None) -> Verdict | None:
    """What an action proves of the position before it, for its seat: the action taken, or the best other one."""
    taken = _of(after, seat) if after else None
    for found in (taken, other.verdict if other else None):
        if found is not None and found.result == "win":
            return Verdict("win", (found.actions or 0) + 1)
    if taken is not None and taken.result == "loss" and other is not None and other.verdict == Verdict("draw"):
        return Verdict("draw")  # at least; what was thrown is at least a draw
    return None


def _of(verdict: Verdict, seat: Seat | None) -> Verdict:
    return verdict if seat == 0 else verdict.reversed()
