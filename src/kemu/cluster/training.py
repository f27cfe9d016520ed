"""Learning by self-play: games, training, and a sequential test of the new weights against those in use.

Each step keeps what it found in one folder, so that a run that was stopped is taken up where it was. Games and pairs
are leaves: the same plan gives the same weights and the same verdict, whoever works on them and in whatever order.
"""

import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Final

from kemu.bots.ratings import SequentialTest, sequential, share_interval
from kemu.cluster.leaves import LeafStore
from kemu.cluster.plot import line_plot
from kemu.cluster.run import Report, finish_leaves
from kemu.cluster.workers import LeafResult, Work
from kemu.engines.player import Epoch, Trainer

Workers = Callable[[Work, Sequence[str]], Iterator[LeafResult]]
"""Who works on leaves, see `kemu.cluster.workers`."""

PAIRS_AT_ONCE: Final = 8
"""The test is asked after so many pairs, in their order."""

NO_GAIN_ELO: Final = 0.0
GAIN_ELO: Final = 35.0


@dataclass(frozen=True)
class TrainingPlan:
    """All that the weights and the verdict depend on."""

    game: str
    batches: int
    epochs: int
    pairs: int  # at most
    seed: int = 0


@dataclass(frozen=True)
class TrainingRun:
    """A plan, where its results are kept, and who works on it."""

    plan: TrainingPlan
    folder: Path
    workers: Workers
    say: Callable[[str], None]

    @property
    def store(self) -> LeafStore:
        """The database of games and pairs."""
        return LeafStore(f"sqlite:///{self.folder / 'training.db'}")

    @property
    def weights(self) -> Path:
        """The file of the weights."""
        return self.folder / f"weights-{self.plan.batches}-{self.plan.epochs}-{self.plan.seed}.npz"


def run_training(run: TrainingRun, trainer: Trainer) -> SequentialTest:
    """Plays, trains and tests, from wherever an earlier run stopped; the report is written into the folder."""
    run.folder.mkdir(parents=True, exist_ok=True)
    plan = run.plan
    leaves = trainer.batches(plan.seed, plan.batches)
    games = _finish(run, f"{plan.game} games", leaves, trainer.play_batch)
    history_file = run.weights.with_suffix(".json")
    if not run.weights.exists():
        history: list[Epoch] = []

        def report(epoch: Epoch) -> None:
            history.append(epoch)
            run.say(f"epoch {epoch.number}: cross entropy {epoch.trained:.4f} trained, {epoch.tested:.4f} not trained")

        data = trainer.train([games[leaf] for leaf in leaves], plan.epochs, plan.seed, report)
        history_file.write_text(json.dumps([asdict(epoch) for epoch in history]), encoding="utf-8")
        beside = run.weights.with_suffix(".part")
        beside.write_bytes(data)
        beside.replace(run.weights)
    scores = _play_pairs(run, trainer)
    history = [Epoch(**entry) for entry in json.loads(history_file.read_text(encoding="utf-8"))]
    write_report(run, history, scores)
    return sequential(scores, NO_GAIN_ELO, GAIN_ELO)


def _finish(run: TrainingRun, work: str, leaves: Sequence[str], do: Work) -> dict[str, str]:
    def report(now: Report) -> None:
        progress = now.progress
        run.say(f"{work}: {progress.found} done, {progress.left} left, about {now.minutes_left:.0f} minutes")

    return asyncio.run(finish_leaves(run.store, work, leaves, partial(run.workers, do), report))


def _play_pairs(run: TrainingRun, trainer: Trainer) -> list[float]:
    """The scores of pairs in their order, up to the one at which the test is decided."""
    scores: list[float] = []
    work = f"{run.plan.game} pairs of {run.weights.name}"
    for first in range(0, run.plan.pairs, PAIRS_AT_ONCE):
        leaves = trainer.pairs(first, min(PAIRS_AT_ONCE, run.plan.pairs - first))
        found = _finish(run, work, leaves, partial(trainer.play_pair, run.weights.read_bytes()))
        scores += [float(found[leaf]) for leaf in leaves]
        verdict = sequential(scores, NO_GAIN_ELO, GAIN_ELO)
        run.say(f"{work}: {sum(scores) / len(scores):.1%} of {len(scores)}, ratio {verdict.ratio:.2f}")
        if verdict.decided:
            break
    return scores


def write_report(run: TrainingRun, history: Sequence[Epoch], scores: Sequence[float]) -> None:
    """Writes the report of a run as a page of Markdown, with its plots beside it."""
    verdict = sequential(scores, NO_GAIN_ELO, GAIN_ELO)
    share, error = share_interval(scores)
    losses = {"trained": [epoch.trained for epoch in history], "not trained": [epoch.tested for epoch in history]}
    ratios = [sequential(scores[: count + 1], NO_GAIN_ELO, GAIN_ELO).ratio for count in range(len(scores))]
    (run.folder / "loss.svg").write_text(line_plot("Cross entropy by epoch", losses), encoding="utf-8")
    plot = line_plot("Log-likelihood ratio by pair", {"ratio": ratios})
    (run.folder / "ratio.svg").write_text(plot, encoding="utf-8")
    table = "\n".join(f"| {epoch.number} | {epoch.trained:.4f} | {epoch.tested:.4f} |" for epoch in history)
    page = f"""# Training of {run.plan.game}

Plan: {json.dumps(asdict(run.plan))}

| epoch | trained | not trained |
|---|---|---|
{table}

![Cross entropy by epoch](loss.svg)

Against the weights in use: {share:.1%} ± {error:.1%} of {len(scores)} pairs; the test between {NO_GAIN_ELO:g} and
{GAIN_ELO:g} Elo is {verdict.decided or "open"}, ratio {verdict.ratio:.2f} between {verdict.bounds[0]:.2f} and
{verdict.bounds[1]:.2f}.

![Log-likelihood ratio by pair](ratio.svg)
"""
    (run.folder / "report.md").write_text(page, encoding="utf-8")
