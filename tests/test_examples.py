"""The examples do what their first lines say, in a shorter run."""

import json
import time
from pathlib import Path

import pytest

from examples import mauw_openspiel, moeraki_policy, mu_torere_values
from tests.notebooks import NOTEBOOKS, run

TRAINING_SECONDS = 240
"""The processor time of two minutes on two cores, in which a policy has to learn to beat random play."""


@pytest.mark.no_cover
def test_tabular_learning_reaches_the_solved_values() -> None:
    assert mu_torere_values.compare(mu_torere_values.learn(1000)) == (1180, 1180)


@pytest.mark.no_cover
def test_cfr_finds_a_strategy_for_a_small_mauw() -> None:
    uniform, found = mauw_openspiel.solve(100)
    assert found < uniform / 10


@pytest.mark.no_cover
def test_mcts_plays_a_small_mauw() -> None:
    texts, returns = mauw_openspiel.play(30)
    assert texts[0][0] == "~"
    assert sum(returns) == 0


@pytest.mark.no_cover
def test_a_small_policy_beats_random_play() -> None:
    began = time.process_time()
    _, rewards = moeraki_policy.train(500)
    assert time.process_time() - began < TRAINING_SECONDS
    last = rewards[-1000:]
    assert (sum(last) / len(last) + 1) / 2 > 0.85


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_run_and_show_what_they_hold(notebook: Path) -> None:
    document = json.loads(notebook.read_text(encoding="utf-8"))
    held = [cell["outputs"] for cell in document["cells"] if cell["cell_type"] == "code"]
    assert run(document, notebook.name) == held, "python -m tests.notebooks writes them again"
    pictures = [
        output["data"]["image/svg+xml"]
        for outputs in held
        for output in outputs
        if "image/svg+xml" in output.get("data", {})
    ]
    assert all(picture[0].startswith("<svg") for picture in pictures)
    assert len(pictures) >= 3


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
