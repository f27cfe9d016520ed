"""What the engines know of a position: analyse, solve."""

import sys
from typing import Annotated

import typer

from kemu.cli.options import Json, Key, Options, chosen_game


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
) -> None:
    """Solve a game: count all its states and show perfect play."""
    from kemu.terminal.census import print_census

    short = [f"{name}={value}" for name, value in (("arms", arms), ("flank", flank)) if value is not None]
    print_census(chosen_game(key, [*(option or ()), *short]), as_json)
