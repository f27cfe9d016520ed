"""Strength and speed: arena, bench."""

from pathlib import Path
from typing import Annotated

import typer

from kemu.cli.options import Json, Key, Options, chosen_game


def arena(
    key: Key,
    entrants: Annotated[list[str], typer.Argument(metavar="BOT BOT...", help="Bots, such as random or 5@nodes=2000.")],
    option: Options = None,
    openings: Annotated[
        int, typer.Option(min=1, help="Openings for each pair; every seat and starter plays each.")
    ] = 20,
    opening: Annotated[int, typer.Option(min=0, help="Random actions at the start of each game.")] = 0,
    neighbours: Annotated[bool, typer.Option("--neighbours", help="Only bots named one after the other meet.")] = False,
    seed: Annotated[int, typer.Option(help="Makes openings, cards and bots repeatable.")] = 0,
    workers: Annotated[int, typer.Option(min=0, help="Processes; 0 is one for each core.")] = 0,
    cluster: Annotated[str | None, typer.Option(help="Play on Ray instead: an address, or local.")] = None,
    sprt: Annotated[
        tuple[float, float] | None, typer.Option(metavar="ELO ELO", help="Stop once one of two advantages is sure.")
    ] = None,
    results: Annotated[Path | None, typer.Option(help="Keep every game in this file, and go on from it.")] = None,
    as_json: Json = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratings into this SVG file.")] = None,
) -> None:
    """Let bots play each other and rate them."""
    import os
    from functools import partial

    from kemu.bots.arena import Setting
    from kemu.cluster.arena import cluster_games
    from kemu.core.game import options
    from kemu.terminal.arena import run_arena

    chosen = options(chosen_game(key, option))
    setting = Setting(key, chosen, tuple(entrants), openings, opening, seed, neighbours)
    players = partial(cluster_games, address=cluster) if cluster else workers or os.cpu_count() or 1
    run_arena(setting, results, players, sprt, as_json, plot)


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Which; all if none is named.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the benchmarks are.")] = Path("bench"),
) -> None:
    """Run the benchmarks of a checkout; their figures are in docs/performance.md and docs/strength.md."""
    from kemu.terminal.benchmarks import run_benchmarks

    run_benchmarks(folder, names or [])
