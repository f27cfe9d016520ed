"""What the engines know of a position and of a game: analyse, solve, review."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from kemu.cli.options import Database, Json, Key, Options, chosen_game


def analyse() -> None:
    """Answer questions to the engines: a JSON request on each line of standard input, an answer on each line out."""
    from kemu.bots.analysis import AnalysisHandler

    analysis = AnalysisHandler()
    for line in sys.stdin:
        if line.strip():
            sys.stdout.write(analysis.answer_text(line) + "\n")
            sys.stdout.flush()


def solve(
    key: Key,
    option: Options = None,
    arms: Annotated[int | None, typer.Option(metavar="N", help="Short for --option arms=N.")] = None,
    flank: Annotated[str | None, typer.Option(metavar="RULE", help="Short for --option flank=RULE.")] = None,
    as_json: Json = False,
    again: Annotated[bool, typer.Option("--again", help="Prove from nothing what the certificates say.")] = False,
    goal: Annotated[str | None, typer.Option(help="Prove this, for which no certificate is shipped.")] = None,
    cluster: Annotated[str | None, typer.Option(metavar="local|ADDRESS", help="Work on a goal with Ray.")] = None,
    database: Database = None,
    folder: Annotated[Path | None, typer.Option(help="Write certificates into this folder.")] = None,
) -> None:
    """Solve a game: count all its states and show perfect play, or tell what is proved of it by certificates."""
    from kemu.bots.registry import is_solved
    from kemu.cli import proofs
    from kemu.terminal.census import print_census

    short = [f"{name}={value}" for name, value in (("arms", arms), ("flank", flank)) if value is not None]
    chosen = chosen_game(key, [*(option or ()), *short])
    if goal or cluster:
        proofs.prove_goal(chosen, goal, cluster, database or f"sqlite:///{key}.proofs", folder)
    elif again:
        proofs.prove_again(chosen, folder)
    elif is_solved(chosen):
        print_census(chosen, as_json)
    else:
        proofs.print_theorems(chosen, as_json)


def review(
    file: Annotated[Path, typer.Argument(help="A record.")],
    nodes: Annotated[int | None, typer.Option(min=1, help="Nodes of the search of each position.")] = None,
    as_json: Json = False,
) -> None:
    """Grade every action of a record by what it lost and by what is proved."""
    from kemu.engines.analysis import Budget
    from kemu.study.review import review_steps
    from kemu.terminal.review import review_file

    budget = Budget(nodes=nodes) if nodes else None
    review_file(file, as_json, lambda record: review_steps(record, budget))
