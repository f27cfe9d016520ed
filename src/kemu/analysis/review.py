"""The review of a record: where each player went wrong, and what is proved.

    from kemu import Record
    from kemu.analysis.review import review

    found = review(Record.from_text(open("match.json").read()))
    for action in found.actions:
        print(action.ply, action.action, action.grade, action.proof)

A first pass looks at every position for a moment, so that there is a graph at once. A second pass compares all actions
of each position inside one search. Then what would be called worse than good is checked by a search of the same kind
with a larger budget. What such a search cannot tell apart is not graded.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from kemu.analysis.grades import INACCURACY_POINTS, PASSING_POINTS, Review
from kemu.analysis.grading import Findings, Grading
from kemu.analysis.positions import Positions, judge
from kemu.bots.engines import review_budget
from kemu.core.document import Document
from kemu.core.errors import OptionError
from kemu.core.record import Record
from kemu.engines.analysis import Budget

SNAPSHOTS: Final = 8
"""How many unfinished reviews the second pass gives."""

DEEPER: Final = 4
"""Factor by which a check multiplies the budget of a position."""


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
    # The search is the one by which a review has checked its grades, so that both say the same.
    found = positions.facts(ply, _deeper(deep), action)
    loss = judge(found, positions.searched(ply, action), None, positions.game.seats).loss
    loss = 100.0 if loss is None else loss
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
            self.findings.facts[ply] = self.positions.look(ply, first)
        yield ReviewStep("first", total, total, self._review(False))
        for done, ply in enumerate(plies, start=1):
            self.findings.facts[ply] = self.positions.facts(ply, self.budget)
            snapshot = done % max(1, total // SNAPSHOTS) == 0
            yield ReviewStep("second", done, total, self._review(False) if snapshot else None)
        actions = Grading(self.positions, self.findings).actions
        checked = [each.ply for each in actions if each.loss is None or each.loss >= INACCURACY_POINTS or each.hard]
        for done, ply in enumerate(checked):
            yield ReviewStep("checks", done, len(checked))
            self.findings.facts[ply] = self.positions.facts(ply, self.deeper)
        yield ReviewStep("checks", len(checked), len(checked), self._review(True))

    def _review(self, complete: bool) -> Review:
        return Grading(self.positions, self.findings).review(self.budget, complete)


def _deeper(budget: Budget) -> Budget:
    """Return the budget of a check."""
    return Budget(budget.nodes and DEEPER * budget.nodes, budget.ms and DEEPER * budget.ms)
