"""Games of bots among themselves: arena, dataset."""

import os
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from kemu.cli.options import Json, Key, Options, chosen_game
from kemu.core.errors import OptionError
from kemu.core.game import options


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
    from kemu.bots.arena import Setting
    from kemu.terminal.reports import run_arena
    from kemu.work.parallel import chosen_workers, results_alone
    from kemu.work.reports import check_plots, elo_plot

    chosen = options(chosen_game(key, option))
    setting = Setting(key, chosen, tuple(entrants), openings, opening, seed, neighbours)
    if plot:
        check_plots()  # before all games are played
    players = partial(results_alone, chosen_workers(workers or os.cpu_count() or 1, cluster))
    report = run_arena(setting, results, players, sprt, as_json)
    if plot:
        plot.write_text(elo_plot(f"{key}: Elo", report["elo"]), encoding="utf-8")


def dataset(
    key: Key,
    file: Annotated[Path, typer.Argument(help="The Parquet file to write; its card is written beside it.")],
    entrants: Annotated[
        list[str] | None, typer.Argument(metavar="BOT...", help="One bot plays itself, several play each other.")
    ] = None,
    option: Options = None,
    openings: Annotated[int, typer.Option(min=1, help="Games of one bot, or openings for each pair of several.")] = 100,
    opening: Annotated[int, typer.Option(min=0, help="Random actions at the start of each game.")] = 0,
    seed: Annotated[int, typer.Option(help="Makes openings, cards and bots repeatable.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes.")] = 1,
    results: Annotated[Path | None, typer.Option(help="Take the games of this file of `kemu arena` instead.")] = None,
) -> None:
    """Write games of bots as Parquet; needs the extra `dataset`."""
    from kemu.bots import arena
    from kemu.work.parallel import chosen_workers, results_alone

    try:
        from kemu.adapters.parquet import write_games
    except ImportError as error:
        raise OptionError(f"A data set needs {error.name}: install kemu[dataset].") from None
    if results is not None:
        setting, finished = arena.read_results(results)
        if setting.game != key:
            raise OptionError(f"{results} holds games of {setting.game}, not of {key}.")
        games: Iterable[arena.Played] = finished
    else:
        if not entrants:
            raise OptionError("Name the bots that play, or a file of results.")
        setting = arena.Setting(key, options(chosen_game(key, option)), tuple(entrants), openings, opening, seed)
        games = results_alone(chosen_workers(workers), partial(arena.play, setting), arena.dataset_jobs(setting))
    count = write_games(file, setting, games)
    typer.echo(f"{count} games in {file}, described in {file.with_suffix('.md')}")
