"""All that a cluster works on: python -m tests.cluster.on_ray FOLDER writes what was found into four files there."""

import asyncio
import json
import sys
from pathlib import Path

from kemu.cli.app import app
from kemu.cluster.training import TrainingPlan, TrainingRun, train
from kemu.cluster.workers import chosen_workers
from tests.cluster.learning import ToyLearner
from tests.cluster.squares import square

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
    best = asyncio.run(train(run, lambda rounds: None))
    assert best is not None
    assert all(marker.exists() for marker in markers)
    (folder / "training.jsonl").write_text(best.decode(), encoding="utf-8")


def squares(file: Path, marker: Path, cluster: str | None) -> None:
    """The squares of numbers, and one leaf that kills its process if the marker is not there."""
    leaves = ["2", "3", f"kill {marker}"]
    found = [json.dumps([leaf.split()[0], result]) for leaf, result, _ in chosen_workers(1, cluster)(square, leaves)]
    file.write_text("\n".join(found), encoding="utf-8")


if __name__ == "__main__":
    work(Path(sys.argv[1]), "local")
