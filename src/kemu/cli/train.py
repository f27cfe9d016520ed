"""Learning by self-play: train."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated, Final

import typer

from kemu import __version__
from kemu.cli.options import Key

if TYPE_CHECKING:
    from kemu.cluster.training import TrainingRound, TrainingRun

REPRODUCED: Final = {"rounds": 2, "batches": 20, "epochs": 6, "pairs": 100}
"""A small training from nothing, within an hour on two cores."""


def train(
    key: Key,
    folder: Annotated[Path, typer.Option(help="Where all results are kept; the same command goes on from there.")],
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of games, fitting and test.")] = 1,
    batches: Annotated[int, typer.Option(min=1, help="Batches of games in each round.")] = 100,
    epochs: Annotated[int, typer.Option(min=1, help="How often all games are trained on.")] = 8,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of games of each test, at most.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the first batch.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes of this machine.")] = 2,
    cluster: Annotated[str | None, typer.Option(metavar="local|ADDRESS", help="Work with Ray instead.")] = None,
    reproduce: Annotated[bool, typer.Option("--reproduce", help="A small training that begins with nothing.")] = False,
) -> None:
    """Let an engine learn from games against itself, and test what it learned against the weights in use.

    The same seed gives the same weights with any number of workers.
    """
    from kemu.bots.registry import learner
    from kemu.cluster.training import TrainingPlan, TrainingRun
    from kemu.cluster.training import train as run_training
    from kemu.cluster.workers import chosen_workers
    from kemu.games import game

    sizes = REPRODUCED if reproduce else {"rounds": rounds, "batches": batches, "epochs": epochs, "pairs": pairs}
    plan = TrainingPlan(key, **sizes, seed=seed, untrained=reproduce)
    run = TrainingRun(plan, learner(game(key)), folder, chosen_workers(workers, cluster), _say)
    best = asyncio.run(run_training(run, lambda done: write_results(run, done)))
    if best is None:
        sys.stdout.write(f"No weights passed the test; see {folder / 'report.html'}\n")
    else:
        (folder / "weights.npz").write_bytes(best)
        sys.stdout.write(f"{folder / 'weights.npz'} passed the test; see {folder / 'report.html'}\n")


def write_results(run: "TrainingRun", rounds: Sequence["TrainingRound"]) -> None:
    """Writes card, report and the weights of the last round into the folder of a run."""
    from kemu.cluster.report import report_page, training_card

    card = training_card(run, rounds, _sources())
    (run.folder / "card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
    (run.folder / "report.html").write_text(report_page(card), encoding="utf-8")
    (run.folder / f"round-{len(rounds)}.npz").write_bytes(rounds[-1].weights)
    test = card["rounds"][-1]
    _say(f"round {len(rounds)}: {test['decided'] or 'open'}, {test['share']:.1%} ± {test['error']:.1%}")


def _sources() -> dict[str, str]:
    """The version of Kemu, and the commit of the checkout that this package is in, if it is in one."""
    checkout, found = Path(__file__).parents[3], {"version": __version__}
    if (checkout / ".git").exists() and which("git"):
        command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
        found["commit"] = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return found


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
