"""Puzzles: make them, and check those that come with Kemu."""

import random
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kemu.cli.options import Key, TaskDatabase

puzzles_app = typer.Typer(no_args_is_help=True, help="Make puzzles, or check those that come with Kemu.")

Seed = Annotated[int, typer.Option(help="Makes the result repeatable.")]


@puzzles_app.command()
def make(
    key: Key,
    file: Annotated[Path, typer.Argument(help="The file to write, compressed if its name ends with .gz.")],
    count: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 100,
    seed: Seed = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes of this machine.")] = 2,
    cluster: Annotated[str | None, typer.Option(metavar="local|ADDRESS", help="Work with Ray instead.")] = None,
    database: TaskDatabase = None,
) -> None:
    """Make puzzles out of games between bots; the same seed gives the same puzzles with any number of workers.

    Results are kept in the database, by default an SQLite file beside FILE, so that the same command goes on where an
    earlier one was stopped.
    """
    from kemu.analysis.puzzles.making import Collection, work_on_batch
    from kemu.analysis.puzzles.puzzle import write_puzzles
    from kemu.engines.code_cache import source_hash
    from kemu.work.parallel import chosen_workers
    from kemu.work.task_store import Progress, TaskStore, finish_tasks

    made = Collection(key, count, seed)
    store = TaskStore.at(database or f"sqlite:///{file}.batches")
    find = partial(chosen_workers(workers, cluster), partial(work_on_batch, key, seed))

    def report(now: Progress) -> None:
        typer.echo(f"{len(made.puzzles)} of {count} puzzles; {now.left} batches of this round left", err=True)

    # Batches of other sources are left alone: their puzzles may differ.
    work = ("puzzles", key, seed, source_hash())
    while batches := made.next_batches():
        made.add(finish_tasks(store, work, batches, find, report))
        write_puzzles(file, made.puzzles)
    typer.echo(f"{len(made.puzzles)} puzzles in {file}")


@puzzles_app.command()
def check(
    key: Key,
    file: Annotated[Path | None, typer.Argument(help="A file of puzzles; those that come with Kemu if none.")] = None,
    count: Annotated[int | None, typer.Option(min=1, help="Number drawn at random instead of all.")] = None,
    seed: Seed = 0,
) -> None:
    """Prove every claim of puzzles again and give the proofs to the verifiers."""
    from kemu.analysis.puzzles.making import check_puzzle
    from kemu.analysis.puzzles.puzzle import read_puzzles, shipped_puzzles
    from kemu.engines.capabilities import UnsoundPuzzle

    puzzles = list(shipped_puzzles(key).values() if file is None else read_puzzles(key, file))
    if count is not None:
        puzzles = random.Random(seed).sample(puzzles, min(count, len(puzzles)))
    unsound = 0
    for puzzle in puzzles:
        try:
            check_puzzle(puzzle)
        except UnsoundPuzzle as error:
            unsound += 1
            typer.echo(f"{puzzle.id}: {error}")
    typer.echo(f"{len(puzzles) - unsound} of {len(puzzles)} puzzles are sound")
    if unsound:
        raise typer.Exit(1)


def puzzle(
    key: Key,
    which: Annotated[str, typer.Argument(metavar="WHICH", help="The id of a puzzle, or next or daily.")] = "next",
    theme: Annotated[str | None, typer.Option(help="Only puzzles of this theme.")] = None,
) -> None:
    """Solve puzzles in the terminal; mistakes come again."""
    from kemu.terminal.puzzles import solve_puzzles
    from kemu.terminal.screen import PlainScreen

    solve_puzzles(key, which, theme, PlainScreen())
