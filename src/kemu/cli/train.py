"""Learning by self-play: train."""

import sys
from pathlib import Path
from typing import Annotated, Final

import typer

from kemu.cli.options import Key

REPRODUCED_BATCHES: Final = 60
REPRODUCED_EPOCHS: Final = 4
REPRODUCED_PAIRS: Final = 64
"""A small network, made from nothing within an hour on two cores."""


def train(
    key: Key,
    folder: Annotated[Path, typer.Option(help="Where everything is kept; a later run goes on from it.")] = Path(
        "training"
    ),
    batches: Annotated[int, typer.Option(min=2, help="Batches of 400 games to learn from.")] = 1000,
    epochs: Annotated[int, typer.Option(min=1, help="How often all positions are trained on.")] = 5,
    pairs: Annotated[int, typer.Option(min=1, help="Pairs of games of the test, at most.")] = 400,
    seed: Annotated[int, typer.Option(min=0, help="The seed of the first batch.")] = 0,
    cluster: Annotated[str | None, typer.Option(help="Work on Ray: an address, or local.")] = None,
    reproduce: Annotated[bool, typer.Option("--reproduce", help="Make a small network from nothing.")] = False,
) -> None:
    """Let an engine learn from games against itself, and test what it learned."""
    from functools import partial

    from kemu.bots.registry import trainer
    from kemu.cluster.training import TrainingPlan, TrainingRun, run_training
    from kemu.cluster.workers import local_results, ray_results
    from kemu.games import game

    chosen = trainer(game(key))
    plan = TrainingPlan(key, batches, epochs, pairs, seed)
    if reproduce:
        plan = TrainingPlan(key, REPRODUCED_BATCHES, REPRODUCED_EPOCHS, REPRODUCED_PAIRS, seed)
    workers = partial(ray_results, address=cluster) if cluster else local_results

    def say(text: str) -> None:
        sys.stderr.write(f"{text}\n")

    run = TrainingRun(plan, folder, workers, say)
    verdict = run_training(run, chosen)
    sys.stdout.write(f"{run.weights}: {verdict.decided or 'open'}, ratio {verdict.ratio:.2f}; see {folder}/report.md\n")
