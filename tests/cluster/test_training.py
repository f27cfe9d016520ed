"""Training: the same weights, verdict and report for any number of workers, also if one of them is killed."""

import sys
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from kemu.cluster.plot import line_plot
from kemu.cluster.training import TrainingPlan, TrainingRun, run_training
from kemu.cluster.workers import LeafResult, Work, local_results
from kemu.engines.player import Trainer
from tests.cluster.learning import MARKER, make_trainer

PLAN = TrainingPlan("toy", 5, 2, 40, 3)


def here(work: Work, leaves: Sequence[str]) -> Iterator[LeafResult]:
    return (LeafResult(leaf, work(leaf), 0.1) for leaf in leaves)


def test_a_run_plays_trains_and_tests(tmp_path: Path) -> None:
    said: list[str] = []
    run = TrainingRun(PLAN, tmp_path, here, said.append)
    assert run_training(run, make_trainer()).decided == "stronger"
    assert run.weights.read_text() == "games of 3; games of 4; games of 5; games of 6; games of 7; seed 3"
    assert "epoch 2: cross entropy 0.5000 trained, 0.5000 not trained" in said
    report = (tmp_path / "report.md").read_text()
    assert "is stronger" in report
    assert "| 1 | 1.0000 | 0.5000 |" in report
    assert (tmp_path / "loss.svg").read_text().count("<polyline") == 2


def test_a_second_run_does_nothing_again(tmp_path: Path) -> None:
    first = run_training(TrainingRun(PLAN, tmp_path, here, lambda text: None), make_trainer())
    done: list[str] = []

    def counted(work: Work, leaves: Sequence[str]) -> Iterator[LeafResult]:
        done.extend(leaves)
        return here(work, leaves)

    def refuse(*_: object) -> bytes:
        raise AssertionError("it is trained already")

    made = make_trainer()
    trainer = Trainer(made.batches, made.play_batch, refuse, made.pairs, made.play_pair)
    assert run_training(TrainingRun(PLAN, tmp_path, counted, lambda text: None), trainer) == first
    assert done == []


@pytest.mark.skipif(sys.platform == "win32", reason="a batch of this test kills its process by a signal")
@pytest.mark.parametrize("processes", [1, 2, 4])
def test_any_number_of_workers_finds_the_same(processes: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MARKER, str(tmp_path / "marker"))
    plan = TrainingPlan("toy", 4, 1, 1)
    run = TrainingRun(plan, tmp_path / "many", partial(local_results, processes=processes), lambda text: None)
    verdict = run_training(run, make_trainer())
    assert (tmp_path / "marker").exists(), "one worker was killed"
    alone = TrainingRun(plan, tmp_path / "alone", here, lambda text: None)
    assert run_training(alone, make_trainer()) == verdict
    assert alone.weights.read_bytes() == run.weights.read_bytes()
    assert (run.folder / "report.md").read_text() == (alone.folder / "report.md").read_text()


def test_a_plot_of_one_number_has_no_range() -> None:
    assert 'points="70.0,290.0"' in line_plot("One", {"only": [2.0]})
