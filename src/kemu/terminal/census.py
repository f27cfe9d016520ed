"""The report of `kemu solve`."""

import json
import sys
from typing import Any

from kemu.bots import solution
from kemu.core.game import AnyGame


def print_census(game: AnyGame, as_json: bool) -> None:
    """Solve a game and print its census and the line of perfect play; raises OptionError if it cannot be solved."""
    solved = _solve(game)
    census = solved.census()
    line = [game.format(move) for move in solved.line(game.initial())]
    if as_json:
        numbers = vars(census) | {"start": census.start._asdict(), "line": line}
        sys.stdout.write(json.dumps({"game": game.key, "options": vars(game)} | numbers) + "\n")
        return
    result, plies = census.start
    start = result if plies is None else f"{result} in {plies} plies"
    rows = [
        ("states", f"{census.states}, in {census.state_classes} classes up to rotation and reflection"),
        ("boards", f"{census.boards}, in {census.board_classes} classes"),
        ("side to move", f"wins {census.wins}, loses {census.losses}, draws {census.draws}"),
        *[(f"{distance} plies left", str(count)) for distance, count in census.by_distance.items()],
        ("the start", f"{start} for the first player"),
        ("perfect play", " ".join(line) + (" and round again" if plies is None else "")),
    ]
    sys.stdout.write("".join(f"{name + ':':16} {text}\n" for name, text in rows))


def _solve(game: AnyGame) -> Any:
    """Solve a game; if standard error is a terminal, with a progress bar there."""
    if not sys.stderr.isatty():
        return solution(game)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.completed:.0f}"), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("solving", total=None)
        return solution(game, lambda what, done: bar.update(task, description=what, completed=done))
