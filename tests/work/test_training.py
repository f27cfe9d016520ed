"""Training: the same weights and the same test for any number of workers, also if one or all of them are killed."""

import json
import re
import sys
from collections.abc import Callable, Generator, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from kemu.bots import engines
from kemu.cli.measure import arena as arena_command
from kemu.cli.measure import train as train_command
from kemu.core.errors import MissingPart
from kemu.engines.capabilities import Learner
from kemu.engines.code_cache import source_hash
from kemu.engines.moeraki.learn.learner import MoerakiLearner
from kemu.work.parallel import FinishedTask, R, T, local_results, results_here
from kemu.work.reports import elo_plot, line_plot
from kemu.work.training import TrainingPlan, TrainingRound, TrainingRun, deciding_scores, digest, train
from tests.work.learning import ToyLearner

PLAN = TrainingPlan("mu-torere", rounds=1, batches=3, epochs=3, pairs=40, seed=7)
LEARNER = ToyLearner()


def run_here(folder: Path, plan: TrainingPlan = PLAN, learner: Learner = LEARNER) -> TrainingRun:
    return TrainingRun(plan, learner, folder, results_here, lambda text: None)


def finish(run: TrainingRun) -> tuple[bytes | None, list[TrainingRound]]:
    """The weights that passed, and the rounds without the time they took."""
    found: list[TrainingRound] = []
    best = train(run, lambda rounds: found.append(rounds[-1]))
    return best, [replace(each, seconds=0.0) for each in found]


def test_a_run_plays_fits_and_tests(tmp_path: Path) -> None:
    said: list[str] = []
    best, rounds = finish(replace(run_here(tmp_path), say=said.append))
    assert best is not None
    assert best.startswith(b"perfect 2 "), "the epoch with the least loss on games held out"
    assert best == rounds[0].weights
    assert rounds[0].seeds == (7, 10)
    assert rounds[0].passed
    assert len(rounds[0].scores) < 40, "a test that is decided ends"
    assert rounds[0].positions == 9
    assert said[:3] == [f"round 1 of 1, games: {done} of 3 batches; less than a minute left" for done in (1, 2, 3)]
    loss = "loss 0.3333 on games trained on, 0.6000 on games held out"
    assert f"round 1 of 1, fit: epoch 3 of 3, {loss}; less than a minute left" in said
    assert said[-1].startswith("round 1 of 1, test: ")
    assert said[-1].endswith(" of at most 40 pairs; less than a minute left unless it is decided before")


def test_after_a_failure_the_next_round_learns_from_more_games(tmp_path: Path) -> None:
    best, rounds = finish(run_here(tmp_path, replace(PLAN, rounds=3), ToyLearner(needed=4)))
    assert [each.passed for each in rounds] == [False, True, False]
    assert [each.seeds for each in rounds] == [(7, 10), (7, 13), (13, 16)]
    assert best == rounds[1].weights


def test_a_training_from_nothing_begins_with_untrained_weights(tmp_path: Path) -> None:
    _, trained = finish(run_here(tmp_path / "in use"))
    _, reproduced = finish(run_here(tmp_path / "nothing", replace(PLAN, untrained=True)))
    assert trained[0].weights != reproduced[0].weights, "the games were played with other weights"


class Counted:
    """Works on at most `most` tasks, then ends like a process that is killed."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.done: list[object] = []

    def __call__(self, run: Callable[[T], R], tasks: Iterable[T]) -> Generator[FinishedTask[T, R], None, None]:
        for finished in results_here(run, tasks):
            if len(self.done) == self.most:
                raise KeyboardInterrupt
            self.done.append(finished.task)
            yield finished


@pytest.mark.parametrize("survived", [0, 2, 4])
def test_a_run_that_was_killed_is_taken_up(survived: int, tmp_path: Path) -> None:
    alone, first, second = (Counted(most) for most in (1_000, survived, 1_000))
    with pytest.raises(KeyboardInterrupt):
        finish(replace(run_here(tmp_path / "killed"), workers=first))
    found = finish(replace(run_here(tmp_path / "killed"), workers=second))
    assert found == finish(replace(run_here(tmp_path / "alone"), workers=alone))
    assert first.done + second.done == alone.done, "nothing is done twice"


@pytest.mark.skipif(sys.platform == "win32", reason="a batch of this test kills its process by a signal")
@pytest.mark.parametrize("processes", [1, 2, 4])
def test_any_number_of_workers_finds_the_same_also_if_one_is_killed(processes: int, tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    learner = ToyLearner(marker=str(marker))
    run = run_here(tmp_path / "many", PLAN, learner)
    found = finish(replace(run, workers=partial(local_results, processes=processes)))
    assert marker.exists(), "one worker was killed"
    assert found == finish(run_here(tmp_path / "alone"))


@pytest.mark.no_cover  # the search is measured where it is tested
def test_an_engine_learns_the_same_in_two_processes(tmp_path: Path) -> None:
    # Without openings, whose choice takes longer than all else and is tested in tests/bots/test_pairs.py.
    learner = MoerakiLearner(12, nodes=50, test_nodes=50, options=({"variant": "beginner"},), opening_actions=())
    here = run_here(tmp_path / "here", TrainingPlan("moeraki-kemu", 1, 2, 2, 4, untrained=True), learner)
    found = finish(here)
    assert found == finish(replace(here, folder=tmp_path / "many", workers=partial(local_results, processes=2)))
    assert len(found[1][0].scores) == 4


def test_scores_count_in_the_order_of_the_pairs() -> None:
    assert deciding_scores({1: 1.0, 2: 1.0}) == ((), False)
    assert deciding_scores({0: 0.5, 1: 0.0, 3: 1.0}) == ((0.5, 0.0), False)
    assert deciding_scores(dict.fromkeys(range(99), 1.0))[1], "the rest is not asked for"
    assert len(deciding_scores(dict.fromkeys(range(99), 1.0))[0]) < 99


def test_the_command_writes_weights_card_and_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "learner", lambda game: ToyLearner())
    train_command("mu-torere", tmp_path, batches=2, epochs=3, pairs=40, workers=1)
    assert "passed the test" in capsys.readouterr().out
    card = json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))
    assert card["plan"]["batches"] == 2
    assert card["rounds"][0]["games"] == 6
    assert card["rounds"][0]["positions"] == 6
    assert card["rounds"][0]["decided"] == "stronger"
    assert card["weights"] == digest((tmp_path / "weights.npz").read_bytes())
    assert card["rounds"][0]["before"] == digest(b"random in use")
    assert card["sources"]["engines"] == source_hash()
    assert (tmp_path / "weights.npz").read_bytes() == (tmp_path / "candidates" / "round-1.npz").read_bytes()
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    loss, test = page.split("<svg")[1:]
    assert all(f">{word}<" in loss for word in ("Loss", "epoch", "trained on", "held out"))
    assert all(f">{word}<" in test for word in ("Course of the test", "pair", "pass", "fail"))
    assert "prefers-color-scheme: dark" in page
    assert not re.search(r'(src|href)="(?!#)|url\((?!#)|@import', page), "nothing is loaded from elsewhere"


def test_the_command_says_if_nothing_passed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "learner", lambda game: ToyLearner(needed=99))
    train_command("mu-torere", tmp_path, batches=1, epochs=1, pairs=4, workers=1)
    assert "No weights passed" in capsys.readouterr().out
    assert not (tmp_path / "weights.npz").exists()
    assert (tmp_path / "candidates" / "round-1.npz").exists()
    assert json.loads((tmp_path / "card.json").read_text(encoding="utf-8"))["weights"] is None


def test_without_matplotlib_there_is_a_report_that_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(engines, "learner", lambda game: ToyLearner())
    train_command("mu-torere", tmp_path, batches=1, epochs=1, pairs=4, workers=1)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Plots need matplotlib, which is not installed; pip install &#x27;kemu[plots]&#x27; adds it." in page
    assert "<svg" not in page
    with pytest.raises(MissingPart, match=r"kemu\[plots\]"):
        arena_command("mu-torere", ["random", "1"], plot=tmp_path / "elo.svg")


def test_plots_are_pictures_with_words_and_the_same_every_time() -> None:
    draw = partial(line_plot, "One < two", {"only": [2.0]}, "epoch")
    assert ElementTree.fromstring(draw()).tag.endswith("svg")
    assert draw() == draw()
    rated = {"strong": {"elo": 40.0, "low": 10.0, "high": 70.0}, "a & b": {"elo": -40.0, "low": -70.0, "high": -10.0}}
    words = {
        "".join(each.itertext()).strip() for each in ElementTree.fromstring(elo_plot("Elo", rated)).iter() if each.text
    }
    assert {"Elo", "strong", "a & b", "+40", "-40"} <= words
