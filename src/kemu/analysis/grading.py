"""From the facts about the positions of a record to its review."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from statistics import fmean, median_low
from typing import Final

from kemu.analysis import grades
from kemu.analysis.grades import Ending, Grade, GradedAction, ProofGrade, Review, SeatReview, loss_points
from kemu.analysis.positions import ActionWorth, Facts, Positions, end_verdict, is_clear, judge
from kemu.core.game import CHANCE, Seat, options
from kemu.engines.analysis import Budget, Verdict

DIGITS: Final = 4
"""Digits to which scores are rounded."""

MOST_TURNING_POINTS: Final = 3

CROWDED: Final = 0.5
"""The share of the actions that must be proved to lose for a position to ask for an answer."""


@dataclass
class Findings:
    """Findings of a review so far: the facts about each ply at which a seat is to act."""

    facts: dict[int, Facts] = field(default_factory=dict)


class Grading:
    """Grades the actions of a record by what was found."""

    def __init__(self, positions: Positions, findings: Findings) -> None:
        self.positions = positions
        self.facts = findings.facts
        self.verdicts = _verdicts(positions, findings.facts) if positions.is_open_pair else {}
        self.expected = self._expected()
        self.judged = {ply: self._judged(ply) for ply in self._taken()}
        self.sights = [grades.sight(self._tests(seat)) for seat in range(positions.game.seats)]
        self.actions = [self._graded(ply) for ply in self._taken()]

    def review(self, budget: Budget, complete: bool) -> Review:
        """Return the review as far as it is."""
        game = self.positions.game
        outcome = self.positions.result or self.positions.outcome
        return Review(
            game=game.key,
            options=options(game),
            expected=tuple(self.expected),
            actions=tuple(self.actions),
            seats=tuple(self._seat_review(seat) for seat in range(game.seats)),
            turning_points=self._turning_points(),
            result=Ending(outcome.winners, outcome.reason) if outcome else None,
            nodes=budget.nodes,
            complete=complete,
        )

    def proved(self, ply: int, seat: Seat) -> Verdict | None:
        """Return what is proved of a position for a seat."""
        return _of(self.verdicts[ply], seat) if ply in self.verdicts else None

    def _taken(self) -> list[int]:
        """Return the plies of the actions that seats took and that were looked at."""
        return [ply for ply in self.positions.decisions if ply < len(self.positions.texts) and ply in self.facts]

    def _judged(self, ply: int) -> ActionWorth | None:
        """Return what an action is worth, `None` before its position was searched for all actions."""
        found = self.facts[ply]
        if not found.choices:
            return None
        text = self.positions.searched(ply, self.positions.texts[ply])
        return judge(found, text, self.proved(ply + 1, found.seat), self.positions.game.seats)

    def _expected(self) -> list[tuple[float, ...]]:
        """Return the expected score of every seat at every ply; of a seat that does not act, what was known last.

        In open games of two it is the mean of what the search of the position before said of the action that led
        here, and of what that of the position says: a single search thinks too well of the side that is to act.
        """
        positions = self.positions
        now = [1 / positions.game.seats] * positions.game.seats
        course = []
        for ply in range(len(positions.states)):
            if ply in self.verdicts:
                first = {"win": 1.0, "draw": 0.5, "loss": 0.0}[self.verdicts[ply].result]
                now = [first, 1 - first]
            elif ply in self.facts:
                found = self.facts[ply]
                now[found.seat] = found.expected
                if positions.is_open_pair:
                    now[found.seat] = fmean([found.expected, *self._led_here(ply, found.seat)])
                    now[1 - found.seat] = 1 - now[found.seat]
            elif ply == len(positions.states) - 1 and positions.outcome is not None:
                now = list(positions.outcome.shares(positions.game.seats))
            course.append(tuple(round(score, DIGITS) for score in now))
        return course

    def _led_here(self, ply: int, seat: Seat) -> Iterator[float]:
        """Yield what the search of the position before says of a position, for a seat."""
        before = self.facts.get(ply - 1)
        choice = before.choices.get(self.positions.texts[ply - 1]) if before else None
        if before and choice:
            yield choice.score if before.seat == seat else 1 - choice.score

    def _graded(self, ply: int) -> GradedAction:
        found, judged = self.facts[ply], self.judged[ply]
        known = self.proved(ply, found.seat), self.proved(ply + 1, found.seat)
        only = self.positions.choices(ply) == 1
        proof = grades.proof_grade(*known)
        loss = None if judged is None else 0.0 if only else judged.loss
        hard = judged is not None and bool(loss) and self._is_hard(ply, judged, proof)
        ungraded = only or hard or loss is None or found.is_lost
        before, after = (judged.best.score, judged.after) if judged else (found.expected, None)
        if known[0] is not None:
            before = {"win": 1.0, "draw": 0.5, "loss": 0.0}[known[0].result]
        return GradedAction(
            ply=ply,
            seat=found.seat,
            action=self.positions.texts[ply],
            line=judged.best.line if judged else found.line,
            before=round(before, DIGITS),
            after=None if after is None else round(after, DIGITS),
            loss=loss,
            grade=None if ungraded or loss is None else _grade(loss, judged),
            proof=proof,
            proved_before=known[0],
            proved_after=known[1],
            punished=self._punished(ply, None if hard else loss, before),
            threats=found.threats,
            hard=hard,
        )

    def _is_hard(self, ply: int, judged: ActionWorth, proof: ProofGrade | None) -> bool:
        """Return whether what an action lost was too deep for its player, or for the search of its position."""
        depth = self._depth(ply, judged)
        missed = proof in (ProofGrade.GAVE_WIN, ProofGrade.MISSED_WIN, ProofGrade.THREW_DRAW, ProofGrade.ALLOWED_LOSS)
        if not (missed or judged.loses):
            return False
        return not judged.shown or depth is None or depth > self.sights[self.facts[ply].seat]

    def _depth(self, ply: int, judged: ActionWorth) -> int | None:
        """Return in how many actions of the winner the win was that an action missed, or the loss that it allowed."""
        seat = self.facts[ply].seat
        before, after = self.proved(ply, seat), self.proved(ply + 1, seat)
        if before is not None and before.result == "win":
            return before.actions
        if after is not None and after.result == "loss":
            return after.actions
        return None

    def _tests(self, seat: Seat) -> Iterator[tuple[int, bool]]:
        """Yield the depth of each win that a seat had and of each loss that threatened it, and whether it saw it."""
        for ply, judged in self.judged.items():
            found = self.facts[ply]
            if found.seat != seat or judged is None or found.is_lost or self.positions.choices(ply) == 1:
                continue
            before = self.proved(ply, seat)
            if before is not None and before.result == "win":
                after = self.proved(ply + 1, seat)
                yield before.actions or 1, after is not None and after.result == "win"
            elif judged.loses and (depth := self._depth(ply, judged)):
                yield depth, False
            elif depth := _avoided(found):
                yield depth, True

    def _punished(self, ply: int, loss: float | None, before: float) -> bool | None:
        """Return whether a seat still lacks at least half of what a mistake lost when it acts again, or at the end."""
        if loss is None or loss < grades.MISTAKE_POINTS:
            return None
        seats, seat = self.positions.game.seats, self.facts[ply].seat
        later = [each for each in self.positions.decisions if each > ply and self._acts(each, seat)]
        then = self.expected[later[0] if later else -1][seat]
        return loss_points(before, then, seats) >= loss / 2

    def _acts(self, ply: int, seat: Seat) -> bool:
        return ply in self.facts and self.facts[ply].seat == seat

    def _seat_review(self, seat: Seat) -> SeatReview:
        own = [each for each in self.actions if each.seat == seat and each.loss is not None]
        losses = [each.loss for each in own if each.loss is not None and (each.loss or self._is_at_stake(each.ply))]
        accuracy = grades.game_accuracy(losses)
        return SeatReview(
            seat,
            None if accuracy is None else round(accuracy, 1),
            round(fmean(losses), 1) if losses else None,
            {str(grade): sum(each.grade == grade for each in own) for grade in Grade},
            sum(each.hard for each in own),
            self.sights[seat],
        )

    def _is_at_stake(self, ply: int) -> bool:
        """Return whether another choice could have lost something, as far as is known."""
        found, actions = self.facts[ply], self.positions.choices(ply)
        if found.is_lost or actions == 1:
            return False
        best, *others = found.choices.values()
        return len(found.choices) < actions or any(is_clear(best, other) for other in others)

    def _turning_points(self) -> tuple[int, ...]:
        """Return the mistakes by which a seat fell below or to an even share: the last, and the plainest of the others.

        Without such a mistake, the largest of all. Of those as plain as each other the largest come first.
        """
        even = 1 / self.positions.game.seats
        mistakes = [each for each in self.actions if each.loss is not None and each.loss >= grades.MISTAKE_POINTS]
        crossed = [
            each for each in mistakes if each.after is not None and _side(each.before, even) > _side(each.after, even)
        ]
        plainest = sorted(crossed[:-1] or mistakes, key=lambda each: (each.hard, (each.after or 0.0) - each.before))
        chosen = {each.ply for each in (*crossed[-1:], *plainest[: MOST_TURNING_POINTS - 1])}
        return tuple(sorted(chosen)) if crossed else tuple(each.ply for each in plainest[:1])


def _grade(loss: float, judged: ActionWorth | None) -> Grade:
    """Return the grade of a loss; what is proved to lose where another action is not is never good."""
    found = grades.score_grade(loss)
    if judged is not None and judged.loses and found in (Grade.BEST, Grade.GOOD):
        return Grade.INACCURACY
    return found


def _avoided(found: Facts) -> int | None:
    """Return in how many actions the others would have won after most of the actions, `None` if nothing threatened."""
    lost = [
        each.verdict.actions or 1 for each in found.choices.values() if each.verdict and each.verdict.result == "loss"
    ]
    return median_low(lost) if lost and len(lost) >= CROWDED * len(found.choices) else None


def _side(score: float, even: float) -> int:
    return (score > even) - (score < even)


def _verdicts(positions: Positions, facts: Mapping[int, Facts]) -> dict[int, Verdict]:
    """Return the proofs of all positions of an open two-player game, for seat 0, also those that others imply."""
    known = {ply: _of(found.verdict, found.seat) for ply, found in facts.items() if found.verdict is not None}
    for ply, found in facts.items():
        if ply not in known and found.is_lost:
            known[ply] = _of(Verdict("loss"), found.seat)
    last = len(positions.states) - 1
    if positions.outcome is not None:
        known[last] = end_verdict(positions.outcome, 0)
    for ply in range(last):
        seat = positions.turn(ply)
        if ply in known and seat != CHANCE and _of(known[ply], seat).result == "loss":
            known.setdefault(ply + 1, known[ply])  # whatever a lost side does, it is lost
    for ply in range(last - 1, -1, -1):
        seat, text = positions.turn(ply), positions.texts[ply]
        choice = facts[ply].choices.get(text) if ply in facts else None
        if choice is not None and choice.verdict is not None:
            known.setdefault(ply + 1, _of(choice.verdict, seat))
        after = known.get(ply + 1)
        if ply not in known and seat != CHANCE and after is not None and _of(after, seat).result == "win":
            known[ply] = _of(Verdict("win", (_of(after, seat).actions or 0) + 1), seat)
    return known


def _of(verdict: Verdict, seat: Seat | None) -> Verdict:
    """Return a verdict for seat 0 as one for a seat, or one for a seat as one for seat 0."""
    return verdict if seat == 0 else verdict.reversed()
