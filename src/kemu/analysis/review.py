"""The review of a record: where each player went wrong, and what is proved.

    from kemu import Record
    from kemu.analysis.review import review

    found = review(Record.from_text(open("match.json").read()))
    for action in found.actions:
        print(action.ply, action.action, action.grade, action.proof)

A first pass looks at every position for a moment, so that there is a graph at once. A second pass searches each of
them. Then what would be called worse than good is checked: the position is searched deeper, and so is what follows from
the actions that should have been taken, so that a mistake is named only beside an action that a search of its
consequences found better.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from typing import Final

from kemu.analysis.grades import INACCURACY_POINTS, PASSING_POINTS, GradedAction, ProofGrade, Review
from kemu.analysis.grading import POINTS, Assessment, Findings, Grading, Positions
from kemu.bots.engines import capability, review_budget, threats
from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.record import Record
from kemu.engines.analysis import Budget, ThreatLine
from kemu.engines.capabilities import ThreatFinder

SNAPSHOTS: Final = 8
"""How many unfinished reviews the second pass gives."""

DEEPER: Final = 4
"""Factor by which a check multiplies the budget of a position."""

CANDIDATES: Final = 3
"""Number of alternatives searched when an action seems worse than good."""


@dataclass(frozen=True)
class ReviewStep:
    """How far a review has come: the pass, "first", "second" or "checks", what is done of it, and the review so far."""

    phase: str
    done: int
    total: int
    review: Review | None = None  # not with every step

    def encode(self) -> Document:
        """Return this step as a JSON object."""
        document: Document = {"phase": self.phase, "done": self.done, "total": self.total}
        if self.review is not None:
            document["review"] = self.review.encode()
        return document


@dataclass(frozen=True)
class Retry:
    """Assessment of another action in place of a mistake: its loss in points, and whether that passes."""

    action: str
    loss: float
    passed: bool


def review(record: Record, budget: Budget | None = None) -> Review:
    """Return the grades of all actions of a record, which may be unfinished.

    Args:
        record: A record of any game that can be searched.
        budget: For each position; in nodes the review is repeatable. Without it, what the engine of the game proposes.

    Returns:
        The review.

    Raises:
        KemuError: The record is none, or nothing can search its game.
    """
    *_, last = review_steps(record, budget)
    assert last.review is not None, "the last step has the whole review"
    return last.review


def review_steps(record: Record, budget: Budget | None = None) -> Iterator[ReviewStep]:
    """Review step by step; the first review comes after the first pass, the last step has the whole one."""
    positions = Positions(record)
    deep = budget or Budget(nodes=review_budget(positions.game).second)
    return _Passes(positions, deep).run()


def retry(record: Record, ply: int, action: str, budget: Budget | None = None) -> Retry:
    """Return the assessment of another action at a ply of a record.

    Raises OptionError if nobody was to act there, and another KemuError if the action is not legal.
    """
    positions = Positions(record)
    deep = budget or Budget(nodes=review_budget(positions.game).second)
    if ply not in positions.decisions:
        raise OptionError(f"Nobody was to act after {ply} actions of this record.")
    positions.game.apply(positions.states[ply], positions.game.parse(action))
    # Where one search compares all actions, it is the one by which a review has checked its grade.
    found = positions.assess(ply, deep if positions.is_chained(ply) else _deeper(deep))
    best, taken = found.expected, found.choices.get(positions.searched(ply, action))
    if taken is None and positions.is_chained(ply):
        # Both are judged by what follows, so that they are searched equally deep.
        best = max(positions.assess_after(ply, text, deep).expected for text in {found.line[0], action})
        taken = positions.assess_after(ply, action, deep).expected
        best = 1.0 if found.verdict is not None and found.verdict.result == "win" else best
    if taken is None:
        taken = best if action == found.line[0] else 0.0
    loss = round(POINTS * max(0.0, best - taken), 1)
    return Retry(action, loss, loss < PASSING_POINTS)


class _Passes:
    """The passes of one review."""

    def __init__(self, positions: Positions, budget: Budget) -> None:
        self.positions = positions
        self.budget = budget
        self.deeper = _deeper(budget)
        self.findings = Findings()

    def run(self) -> Iterator[ReviewStep]:
        """Yield all steps."""
        plies = self.positions.decisions
        total = len(plies)
        first = Budget(nodes=review_budget(self.positions.game).first)
        for done, ply in enumerate(plies):
            yield ReviewStep("first", done, total)
            self.findings.assessments[ply] = self.positions.assess(ply, first)
        yield ReviewStep("first", total, total, self._review(False))
        for done, ply in enumerate(plies, start=1):
            self.findings.assessments[ply] = self.positions.assess(ply, self.budget)
            self.findings.threats[ply] = self._threats(ply)
            snapshot = done % max(1, total // SNAPSHOTS) == 0
            yield ReviewStep("second", done, total, self._review(False) if snapshot else None)
        graded = Grading(self.positions, self.findings).actions
        doubtful = {each.ply for each in graded if _is_doubtful(each)}
        checked = sorted(doubtful | {each.ply for each in graded if (each.loss or 0.0) >= INACCURACY_POINTS})
        for done, ply in enumerate(checked):
            yield ReviewStep("checks", done, len(checked))
            steps = chain(self._check(ply) if ply in doubtful else (), self._lengthen(ply))
            yield from (ReviewStep("checks", done, len(checked)) for _ in steps)
        yield ReviewStep("checks", len(checked), len(checked), self._review(True))

    def _review(self, complete: bool) -> Review:
        return Grading(self.positions, self.findings).review(self.budget, complete)

    def _check(self, ply: int) -> Iterator[None]:
        """Search again what seems worse than good, a search at each step."""
        positions, found = self.positions, self.findings
        if not positions.is_chained(ply):
            found.assessments[ply] = positions.assess(ply, self.deeper)
            return
        if ply + 1 in found.assessments and found.assessments[ply + 1].verdict is None:
            found.assessments[ply + 1] = positions.assess(ply + 1, self.deeper)
            yield
        if found.assessments[ply].verdict is None:
            again, candidates = positions.alternatives(ply, self.deeper, CANDIDATES)
            found.assessments[ply] = again
            yield
            if again.verdict is None:
                others = [text for text in candidates if text != positions.texts[ply]]
                yield from self._compare(ply, others)

    def _compare(self, ply: int, others: list[str]) -> Iterator[None]:
        """Search what follows from other actions; the best of them is kept."""
        best: Assessment | None = None
        for text in others:
            after = self.positions.assess_after(ply, text, self.budget)
            best = after if best is None or after.expected > best.expected else best
            yield
        if best is not None:
            self.findings.alternatives[ply] = best

    def _lengthen(self, ply: int) -> Iterator[None]:
        """Search what follows from the best action, if its line says no more than the action itself."""
        found = self.findings.assessments[ply]
        if len(found.line) == 1 and ply not in self.findings.alternatives and self.positions.is_chained(ply):
            after = self.positions.assess_after(ply, found.line[0], self.budget)
            self.findings.assessments[ply] = replace(found, line=after.line)
            yield

    def _threats(self, ply: int) -> tuple[ThreatLine, ...]:
        """Return how the others threatened to win, where the engine of the game proves that."""
        positions = self.positions
        if positions.hidden or capability(positions.game, ThreatFinder) is None:
            return ()
        game, seat = positions.game, positions.turn(ply)
        assert seat is not None, "somebody acts"
        return threats(game, game.view(positions.states[ply], seat)).lines


def _deeper(budget: Budget) -> Budget:
    """Return the budget of a check."""
    return Budget(budget.nodes and DEEPER * budget.nodes, budget.ms and DEEPER * budget.ms)


def _is_doubtful(action: GradedAction) -> bool:
    """Return whether a grade needs a check: what would be worse than good, and what a proof leaves open."""
    if action.proof in (ProofGrade.LOST_ANYWAY, ProofGrade.GAVE_WIN, ProofGrade.THREW_DRAW) or action.grade is None:
        return False
    unclear = action.proof in (ProofGrade.ALLOWED_LOSS, ProofGrade.MISSED_WIN)
    return unclear or (action.loss or 0.0) >= INACCURACY_POINTS
