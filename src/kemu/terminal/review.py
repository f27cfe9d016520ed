"""The output of `kemu review`."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from kemu.core.game import AnyGame
from kemu.core.record import Record
from kemu.games import text
from kemu.study.grades import Grade, ProofGrade
from kemu.study.review import ReviewStep
from kemu.study.reviewed import GradedAction, Review
from kemu.terminal.records import load
from kemu.terminal.screen import open_screen
from kemu.terminal.words import seat_name

BARS: Final = "▁▂▃▄▅▆▇█"
WIDTH: Final = 72
"""The most columns of a sparkline."""

PROOFS: Final = {
    ProofGrade.KEPT_WIN: "won",
    ProofGrade.KEPT_DRAW: "drawn",
    ProofGrade.GAVE_WIN: "had a proved win and gave it away",
    ProofGrade.MISSED_WIN: "had a proved win; none is proved any more",
    ProofGrade.THREW_DRAW: "had a proved draw and lost it",
    ProofGrade.ALLOWED_LOSS: "lost from here on, by proof",
    ProofGrade.LOST_ANYWAY: "was lost anyway",
}


def review_file(file: Path, as_json: bool, steps: Callable[[Record], Iterator[ReviewStep]]) -> None:
    """Review a record by these steps and print it as a table, or as one JSON object; raises KemuError."""
    record, chosen = load(file)
    *_, last = _shown(steps(record))
    assert last.review is not None, "the last step has the whole review"
    if as_json:
        sys.stdout.write(json.dumps(last.review.encode(), ensure_ascii=False) + "\n")
        return
    names = _names(record, chosen)
    open_screen().say(*_lines(last.review, names))


def _shown(steps: Iterator[ReviewStep]) -> Iterator[ReviewStep]:
    """The steps; if standard error is a terminal, with a progress bar there."""
    if not sys.stderr.isatty():
        yield from steps
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("first", total=None)
        for step in steps:
            bar.update(task, description=step.phase, completed=step.done, total=step.total)
            yield step


def _names(record: Record, chosen: AnyGame) -> Sequence[str]:
    shown = text(chosen.key)
    seats = [seat_name(shown, chosen, seat) for seat in range(chosen.seats)]
    return [f"{seat} ({name})" for seat, name in zip(seats, record.players, strict=True)] if record.players else seats


def _lines(review: Review, names: Sequence[str]) -> Iterator[str]:
    """The report: how the game went, what each seat did, and the table of actions."""
    wide = max(len(name) for name in names)
    shown = names[:1] if len(names) == 2 and all(abs(sum(each) - 1) < 1e-3 for each in review.expected) else names
    for seat, name in enumerate(shown):
        yield f"{name:{wide}}  {sparkline([scores[seat] for scores in review.expected])}"
    yield ""
    for each in review.seats:
        counted = ", ".join(f"{number} {grade}" for grade, number in each.grades.items() if number)
        accuracy = "no choice" if each.accuracy is None else f"accuracy {each.accuracy:.0f} %"
        yield f"{names[each.seat]:{wide}}  {accuracy}{f': {counted}' if counted else ''}"
    yield ""
    yield f"{'#':>4}  {'seat':{wide}}  {'action':8}  {'score':>5}  {'loss':>4}  {'grade':10}  {'best':8}  proof"
    for action in review.actions:
        mark = "*" if action.ply in review.turning_points else " "
        yield f"{action.ply + 1:>4}{mark} {names[action.seat]:{wide}}  {_row(action)}".rstrip()
    if review.turning_points:
        yield from ("", "* where the game turned")


def _row(action: GradedAction) -> str:
    loss = "" if action.loss is None else f"{action.loss:.0f}"
    best = action.line[0] if action.line and action.line[0] != action.action and action.grade != Grade.BEST else ""
    score = f"{100 * action.before:.0f} %"
    return f"{action.action:8}  {score:>5}  {loss:>4}  {action.grade or '':10}  {best:8}  {proof_words(action)}"


def proof_words(action: GradedAction) -> str:
    """What is proved of an action, in words."""
    if action.proof is None:
        return ""
    fallen = action.proof in (ProofGrade.THREW_DRAW, ProofGrade.ALLOWED_LOSS)
    verdict = action.proved_after if fallen else action.proved_before
    return PROOFS[action.proof] + (f" (in {verdict.actions})" if verdict is not None and verdict.actions else "")


def sparkline(scores: Sequence[float]) -> str:
    """Scores from 0 to 1 as a row of bars; a long row is thinned out evenly."""
    step = max(1.0, len(scores) / WIDTH)
    chosen = [scores[int(number * step)] for number in range(min(len(scores), WIDTH))]
    return "".join(BARS[min(len(BARS) - 1, int(score * len(BARS)))] for score in chosen)
