"""From what searches say of the positions of a record to its review.

Each position is searched for the seat that acts there and from what it may know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from kemu.analysis import grades
from kemu.analysis.grades import Ending, Grade, GradedAction, Review, SeatReview
from kemu.bots.engines import capability, expected_score, require_player
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import CHANCE, AnyGame, Outcome, Seat, options
from kemu.core.record import Record, replay, seat_log
from kemu.engines.analysis import Analysis, Budget, ThreatLine, Verdict, read_verdict
from kemu.engines.capabilities import CardReader
from kemu.games import game, manifest

MOST_ACTIONS: Final = 2_000
"""A longer record is refused: its review would take too long."""

ALL_LINES: Final = 10_000
"""More than any state has actions."""

POINTS: Final = 100.0
"""A whole score in points."""

DIGITS: Final = 4
"""Digits to which scores are rounded."""

MOST_TURNING_POINTS: Final = 3


@dataclass(frozen=True)
class Assessment:
    """Result of a search of one position, for the seat to act."""

    seat: Seat
    expected: float  # the expected score, from 0 to 1
    line: tuple[str, ...]  # the best action and how the game may go on, as far as nothing hidden and no chance is in it
    verdict: Verdict | None = None
    choices: Mapping[str, float] = field(default_factory=dict)  # by action, where one search compares them all


class Positions:
    """The states of a record, and searches of them; raises ParseError, IllegalAction or OptionError."""

    def __init__(self, record: Record) -> None:
        if len(record.actions) > MOST_ACTIONS:
            raise OptionError(f"A review takes records of at most {MOST_ACTIONS} actions; this one has more.")
        self.game: AnyGame = game(record.game, **record.options)
        self.texts = record.actions
        self.states: Sequence[Any] = list(replay(self.game, record.actions))
        self.result = record.result
        self.hidden = manifest(record.game).hidden
        self._analyst = require_player(self.game).analyst(self.game, None, 1)

    def turn(self, ply: int) -> Seat | None:
        """Return the seat to act at a ply, `None` once the rules have ended the game."""
        return self.game.turn(self.states[ply])

    @cached_property
    def decisions(self) -> Sequence[int]:
        """The plies at which a seat acted or was to act, not the dealer."""
        return [ply for ply in range(len(self.states)) if self.turn(ply) not in (None, CHANCE)]

    @property
    def outcome(self) -> Outcome | None:
        """Return the outcome by the rules, `None` if they did not end the game."""
        return self.game.outcome(self.states[-1])

    def is_chained(self, ply: int) -> bool:
        """Return whether an action is worth what the position after it is worth.

        It is in open games of two, unless the dealer acts next; elsewhere one search compares all actions.
        """
        following = self.game.turn(self.states[ply + 1]) if ply + 1 < len(self.states) else None
        return self.is_open_pair and following != CHANCE

    @property
    def is_open_pair(self) -> bool:
        """Whether two play and see the same."""
        return not self.hidden and self.game.seats == 2

    def assess(self, ply: int, budget: Budget) -> Assessment:
        """Return the search result of the position at a ply, where a seat must be to act."""
        state = self.states[ply]
        lines = 1 if self.is_chained(ply) else ALL_LINES
        return self._assessment(state, self._search(state, ply, budget, lines))

    def search(self, ply: int, budget: Budget) -> Analysis[Any]:
        """Return the best line of the position after `ply` actions."""
        return self._search(self.states[ply], ply, budget, 1)

    def searched(self, ply: int, text: str) -> str:
        """Return the action that a search tells in the place of this one, itself unless others come to the same."""
        reader, seat, state = capability(self.game, CardReader), self.turn(ply), self.states[ply]
        if reader is None or seat is None:
            return text
        return self.game.format(reader.alike(self.game, self.game.view(state, seat), self.game.parse(text)))

    def alternatives(self, ply: int, budget: Budget, lines: int) -> tuple[Assessment, Sequence[str]]:
        """Return the position once more, and the actions that a search for so many lines thinks the best."""
        found = self._search(self.states[ply], ply, budget, lines)
        return self._assessment(self.states[ply], found), [self.game.format(line.action) for line in found.lines]

    def assess_after(self, ply: int, text: str, budget: Budget) -> Assessment:
        """Return the assessment of another action for its seat, in open two-player games.

        Raises IllegalAction or ParseError.
        """
        seat, state = self.turn(ply), self.states[ply]
        assert seat is not None, "somebody acts"
        after = self.game.apply(state, self.game.parse(text))
        turn = self.game.turn(after)
        if turn is None:
            outcome = self.game.outcome(after)
            assert outcome is not None, "nobody acts, so it has ended"
            return Assessment(seat, outcome.shares(2)[seat], (text,), end_verdict(outcome, seat))
        if turn == CHANCE:
            raise IllegalAction("The dealer acts next, so this action is not judged alone.")
        found = self._assessment(after, self._search(after, ply + 1, budget, 1))
        return for_seat(found, seat, text)

    def _search(self, state: Any, ply: int, budget: Budget, lines: int) -> Analysis[Any]:
        seat = self.game.turn(state)
        assert seat is not None, "somebody acts"
        log = self._logs[seat][:ply]
        # The number of the ply is all that the random numbers depend on: nothing hidden does.
        return self._analyst.analyse(self.game.view(state, seat), log, budget, lines, ply)

    def _assessment(self, state: Any, found: Analysis[Any]) -> Assessment:
        best, seat = found.lines[0], self.game.turn(state)
        assert seat is not None, "somebody acts"
        pv = best.pv[:1] if self.hidden else best.pv
        choices = {self.game.format(line.action): expected_score(self.game, line.value) for line in found.lines}
        return Assessment(
            seat,
            expected_score(self.game, best.value),
            tuple(map(self.game.format, pv)),
            read_verdict(best.proven),
            choices if len(found.lines) > 1 else {},
        )

    @cached_property
    def _logs(self) -> Sequence[Sequence[str]]:
        """The log of each seat."""
        return [seat_log(self.game, self.states, self.texts, seat) for seat in range(self.game.seats)]


def for_seat(found: Assessment, seat: Seat, *first: str) -> Assessment:
    """Return an assessment in a game of two from the view of this seat, with actions put before its line."""
    line = (*first, *found.line)
    if found.seat == seat:
        return Assessment(seat, found.expected, line, found.verdict)
    return Assessment(seat, 1 - found.expected, line, found.verdict and found.verdict.reversed())


def end_verdict(outcome: Outcome, seat: Seat) -> Verdict:
    """Return the assessment of a finished game for a seat."""
    if not outcome.winners:
        return Verdict("draw")
    return Verdict("win" if seat in outcome.winners else "loss", 0)


@dataclass
class Findings:
    """Findings of a review so far, by ply."""

    assessments: dict[int, Assessment] = field(default_factory=dict)
    alternatives: dict[int, Assessment] = field(default_factory=dict)  # after the best other action that was looked at
    threats: dict[int, tuple[ThreatLine, ...]] = field(default_factory=dict)


class Grading:
    """The grades by what was found so far; every decision must have been assessed."""

    def __init__(self, positions: Positions, findings: Findings) -> None:
        self.positions = positions
        self.findings = findings
        self.verdicts = _verdicts(positions, findings) if positions.is_open_pair else {}
        self.expected = self._expected()
        plies = [ply for ply in positions.decisions if ply < len(positions.texts)]
        self.actions = [self._graded(ply) for ply in plies]

    def review(self, budget: Budget, complete: bool) -> Review:
        """Return the review as it stands."""
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

    def _expected(self) -> list[tuple[float, ...]]:
        """Return the expected score of every seat at every ply; of a seat that does not act, what was known last."""
        positions, found = self.positions, self.findings.assessments
        now = [1 / positions.game.seats] * positions.game.seats
        course = []
        for ply in range(len(positions.states)):
            if ply in self.verdicts:
                first = grades.certain_score(self.verdicts[ply])
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
        grade = None if loss is None or only else grades.score_grade(loss)
        return GradedAction(
            ply=ply,
            seat=seat,
            action=text,
            line=self._line(ply, loss or 0.0),
            before=round(before, DIGITS),
            after=None if after is None else round(after, DIGITS),
            loss=loss,
            grade=grade,
            proof=grades.proof_grade(*known),
            proved_before=known[0],
            proved_after=known[1],
            punished=self._punished(ply, loss, round(before, DIGITS)),
            threats=self.findings.threats.get(ply, ()),
        )

    def _scores(self, ply: int) -> tuple[float, float | None]:
        """Return the expected scores of the best action and of the one taken, `None` if that was not searched."""
        found, text = self.findings.assessments[ply], self.positions.searched(ply, self.positions.texts[ply])
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
        """Return the line that begins with the best known action."""
        found, other = self.findings.assessments[ply], self.findings.alternatives.get(ply)
        if other is not None:
            return other.line if loss > 0 else (self.positions.texts[ply],)
        return found.line

    def _punished(self, ply: int, loss: float | None, before: float) -> bool | None:
        """Return whether a seat still lacks at least half of what a mistake lost when it acts again, or at the end."""
        if loss is None or loss < grades.MISTAKE_POINTS:
            return None
        found, seat = self.findings.assessments, self.findings.assessments[ply].seat
        later = [each for each in self.positions.decisions if each > ply and found[each].seat == seat]
        then = self.expected[later[0] if later else -1][seat]
        return then <= before - loss / POINTS / 2

    def _seat_review(self, seat: Seat) -> SeatReview:
        own = [each for each in self.actions if each.seat == seat and each.grade is not None]
        losses = [(each.ply, each.loss) for each in own if each.loss is not None]
        accuracy = grades.game_accuracy([POINTS * scores[seat] for scores in self.expected], losses)
        return SeatReview(
            seat,
            None if accuracy is None else round(accuracy, 1),
            round(sum(loss for _, loss in losses) / len(losses), 1) if losses else None,
            {str(grade): sum(each.grade == grade for each in own) for grade in Grade},
        )

    def _turning_points(self) -> tuple[int, ...]:
        """Return the mistakes by which a seat fell below or to an even share: the last and the largest of the others.

        Without such a mistake, the largest of all.
        """
        even = 1 / self.positions.game.seats
        mistakes = [each for each in self.actions if each.loss is not None and each.loss >= grades.MISTAKE_POINTS]
        crossed = [
            each for each in mistakes if each.after is not None and _side(each.before, even) > _side(each.after, even)
        ]
        by_loss = sorted(crossed[:-1] or mistakes, key=lambda each: each.loss or 0.0, reverse=True)
        chosen = {each.ply for each in (*crossed[-1:], *by_loss[: MOST_TURNING_POINTS - 1])}
        return tuple(sorted(chosen)) if crossed else tuple(each.ply for each in by_loss[:1])


def _side(score: float, even: float) -> int:
    return (score > even) - (score < even)


def _verdicts(positions: Positions, findings: Findings) -> dict[int, Verdict]:
    """Return the proofs of all positions of an open two-player game, for seat 0, also those that later ones imply."""
    known = {
        ply: _of(found.verdict, found.seat) for ply, found in findings.assessments.items() if found.verdict is not None
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
    """Return what an action proves of the position before it, for its seat: the action taken, or the best other one."""
    taken = _of(after, seat) if after else None
    for found in (taken, other.verdict if other else None):
        if found is not None and found.result == "win":
            return Verdict("win", (found.actions or 0) + 1)
    if taken is not None and taken.result == "loss" and other is not None and other.verdict == Verdict("draw"):
        return Verdict("draw")  # at least; what was thrown is at least a draw
    return None


def _of(verdict: Verdict, seat: Seat | None) -> Verdict:
    """Return a verdict for seat 0 as one for a seat, or one for a seat as one for seat 0."""
    return verdict if seat == 0 else verdict.reversed()
