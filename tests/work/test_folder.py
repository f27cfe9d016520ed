"""The folder of a training: no other training, sources or settings get in, and every failure is one sentence."""

import os
import signal
import sqlite3
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.exceptions import Exit

from kemu.bots import engines
from kemu.cli.measure import INTERRUPTED
from kemu.cli.measure import train as train_command
from kemu.core.errors import OptionError
from kemu.work import training
from kemu.work.parallel import TasksUnavailable, results_here
from kemu.work.training import TrainingPlan, TrainingRun, held_folder, train
from tests.unmeasured import unmeasured
from tests.work.learning import ToyLearner

ROOT = Path(__file__).parents[2]
PLAN = TrainingPlan("mu-torere", rounds=1, batches=2, epochs=1, pairs=4)


def finish(folder: Path, plan: TrainingPlan = PLAN, learner: ToyLearner | None = None) -> bytes:
    """The weights of the last round."""
    rounds: list[bytes] = []
    run = TrainingRun(plan, learner or ToyLearner(), folder, results_here, lambda text: None)
    train(run, lambda found: rounds.append(found[-1].weights))
    return rounds[-1]


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"game": "mauw"}, "holds a training with game mu-torere, not mauw; name another folder."),
        ({"seed": 5}, "holds a training with seed 0, not 5; name another folder."),
        ({"batches": 3}, "holds a training with batches 2, not 3; name another folder."),
        ({"epochs": 2}, "holds a training with epochs 1, not 2; name another folder."),
        ({"untrained": True}, "was begun with other weights than those in use now; name another folder."),
        ({"pairs": 3}, "has 4 pairs already; 3 would be fewer."),
    ],
)
def test_a_folder_of_another_plan_is_refused(changed: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    weights = finish(tmp_path)
    with pytest.raises(OptionError) as refused:
        finish(tmp_path, replace(PLAN, **changed))
    assert str(refused.value).endswith(sentence)
    assert finish(tmp_path) == weights, "nothing is lost"


def test_rounds_and_pairs_may_grow(tmp_path: Path) -> None:
    finish(tmp_path)
    more = replace(PLAN, rounds=2, pairs=8)
    assert finish(tmp_path, more) == finish(tmp_path.with_name("at once"), more)
    with pytest.raises(OptionError, match="has 2 rounds already; 1 would be fewer"):
        finish(tmp_path)


def test_other_settings_of_the_learner_are_refused(tmp_path: Path) -> None:
    finish(tmp_path)
    with pytest.raises(OptionError, match=r"holds a training with learner ToyLearner.*batch_games=3.*batch_games=4"):
        finish(tmp_path, learner=ToyLearner(batch_games=4))


def test_other_weights_in_use_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    finish(tmp_path)
    monkeypatch.setattr(ToyLearner, "weights_in_use", lambda self: b"random installed since")
    with pytest.raises(OptionError, match="was begun with other weights than those in use now"):
        finish(tmp_path)


def test_other_sources_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = finish(tmp_path)
    with monkeypatch.context() as changed:
        changed.setattr(training, "source_hash", lambda: "of other sources")
        with pytest.raises(OptionError, match="was begun with other sources of the engines: go on with those, or name"):
            finish(tmp_path)
    assert finish(tmp_path) == weights


def test_one_training_runs_in_a_folder(tmp_path: Path) -> None:
    with held_folder(tmp_path), pytest.raises(OptionError, match="Another training is running in"):
        finish(tmp_path)
    finish(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="the process of this test kills itself by a signal")
def test_a_process_that_was_killed_holds_no_folder(tmp_path: Path) -> None:
    code = (
        "import os, signal, sys, pathlib, kemu.work.training as training\n"
        "with training.held_folder(pathlib.Path(sys.argv[1])): os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    finish(tmp_path)


def _text(folder: Path) -> None:
    (folder / "training.db").write_text("This is no database. " * 9, encoding="ascii")


def _foreign(folder: Path) -> None:
    connection = sqlite3.connect(folder / "training.db")
    connection.execute("CREATE TABLE tasks (name TEXT)")
    connection.close()


def _lock(folder: Path) -> None:
    (folder / "training.lock").mkdir()


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        (_text, "cannot be used: file is not a database."),
        (_foreign, "cannot be used: no such column: task."),
        (_lock, "cannot be written to: unable to open database file."),
    ],
)
def test_what_is_no_database_of_a_training_gets_one_sentence(spoil: Any, reason: str, tmp_path: Path) -> None:
    spoil(tmp_path)
    with pytest.raises(TasksUnavailable) as refused:
        finish(tmp_path)
    assert str(refused.value).endswith(reason)
    assert str(refused.value).count(".\n") == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no limit for the size of files")
def test_a_full_disk_gets_one_sentence_and_loses_nothing(tmp_path: Path) -> None:
    """In a process that may not write more than so many bytes to a file."""
    code = (
        "import resource, sys, pathlib; from tests.work.test_folder import PLAN, finish\n"
        "from dataclasses import replace; from kemu.core.errors import KemuError\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))\n"
        "try: finish(pathlib.Path(sys.argv[1]), replace(PLAN, batches=60))\n"
        "except KemuError as error: sys.exit(str(error))"
    )
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-c", code, str(tmp_path)]
    environment = {**unmeasured(), "PYTHONPATH": path}  # coverage could not write its file either
    full = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT, check=False)
    assert full.returncode == 1
    assert full.stderr.startswith("The tasks in "), full.stderr
    assert full.stderr.count("\n") == 1, full.stderr
    assert finish(tmp_path, replace(PLAN, batches=60)) == finish(tmp_path / "alone", replace(PLAN, batches=60))


def test_the_command_says_how_to_go_on_after_an_interrupt(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(self: ToyLearner, *arguments: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(engines, "learner", lambda game: ToyLearner())
    with monkeypatch.context() as once:
        once.setattr(ToyLearner, "fit", interrupted)
        with pytest.raises(Exit, check=lambda end: end.exit_code == INTERRUPTED):
            train_command("mu-torere", tmp_path, batches=2, epochs=1, pairs=4, workers=1)
    assert capsys.readouterr().err.endswith("\nStopped; the same command goes on from here.\n")
    train_command("mu-torere", tmp_path, batches=2, epochs=1, pairs=4, workers=1)
    assert "games:" not in capsys.readouterr().err, "the batches were kept"


def test_sizes_that_are_said_hold_for_a_training_from_nothing_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(engines, "learner", lambda game: ToyLearner())
    train_command("mu-torere", tmp_path, rounds=1, batches=1, pairs=4, workers=1, reproduce=True)
    said = capsys.readouterr().err
    assert "round 1 of 1, games: 1 of 1 batches" in said
    assert "epoch 6 of 6" in said
