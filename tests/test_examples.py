"""The examples do what their first lines say, in a shorter run."""

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from examples import mauw_openspiel, moeraki_policy, mu_torere_values

NOTEBOOKS = sorted((Path(__file__).parent.parent / "examples").glob("*.ipynb"))


def test_tabular_learning_reaches_the_solved_values() -> None:
    assert mu_torere_values.compare(mu_torere_values.learn(1000)) == (1180, 1180)


def test_cfr_finds_a_strategy_for_a_small_mauw() -> None:
    uniform, found = mauw_openspiel.solve(100)
    assert found < uniform / 10


def test_mcts_plays_a_small_mauw() -> None:
    texts, returns = mauw_openspiel.play(30)
    assert texts[0][0] == "~"
    assert sum(returns) == 0


def test_a_small_policy_beats_random_play() -> None:
    _, rewards = moeraki_policy.train(500)
    last = rewards[-1000:]
    assert (sum(last) / len(last) + 1) / 2 > 0.85


def cells(notebook: Path) -> list[str]:
    document = json.loads(notebook.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.name)
def test_notebooks_run_and_show_pictures(notebook: Path) -> None:
    names: dict[str, Any] = {}
    pictures = 0
    for source in cells(notebook):
        *before, last = ast.parse(source).body
        shown = isinstance(last, ast.Expr)
        exec(compile(ast.Module(before if shown else [*before, last], []), notebook.name, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), notebook.name, "eval"), names)
            pictures += hasattr(value, "_repr_svg_") and value._repr_svg_().startswith("<svg")
    assert pictures


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS
