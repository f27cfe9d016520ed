"""All that a cluster works on: python -m tests.work.on_ray FOLDER writes what was found into four files there."""

import json
import os
import sys
from pathlib import Path

from kemu.cli.app import app
from kemu.work.parallel import chosen_workers
from kemu.work.training import TrainingPlan, TrainingRun, train
from tests.unmeasured import unmeasured
from tests.work.learning import ToyLearner
from tests.work.squares import square

PLAN = TrainingPlan("mu-torere", rounds=1, batches=2, epochs=2, pairs=24)


def work(folder: Path, cluster: str | None) -> None:
    """The same by a cluster or, with None, by this process; only on a cluster two workers are killed on the way."""
    folder.mkdir()
    markers = folder / "square", folder / "batch"
    if cluster is None:
        for marker in markers:
            marker.touch()
    squares(folder / "squares.jsonl", markers[0], cluster)
    where = ["--cluster", cluster] if cluster else ["--workers", "1"]
    bots = ["mu-torere", "perfect", "random"]
    app(["arena", *bots, "--openings", "2", "--results", str(folder / "arena.jsonl"), *where], standalone_mode=False)
    puzzles = str(folder / "puzzles.jsonl")
    app(["puzzles", "make", "mu-torere", puzzles, "--count", "3", *where], standalone_mode=False)
    run = TrainingRun(PLAN, ToyLearner(marker=str(markers[1])), folder, chosen_workers(1, cluster), lambda text: None)
    best = train(run, lambda rounds: None)
    assert best is not None
    assert all(marker.exists() for marker in markers)
    (folder / "training.jsonl").write_text(best.decode(), encoding="utf-8")


def squares(file: Path, marker: Path, cluster: str | None) -> None:
    """The squares of numbers, and one task that kills its process if the marker is not there."""
    tasks = ["2", "3", f"kill {marker}"]
    found = [json.dumps([task.split()[0], result]) for task, result, _ in chosen_workers(1, cluster)(square, tasks)]
    file.write_text("\n".join(found), encoding="utf-8")


if __name__ == "__main__":
    for measuring in os.environ.keys() - unmeasured().keys():
        del os.environ[measuring]  # this process is measured, the dozen that Ray starts need not be
    work(Path(sys.argv[1]), "local")
