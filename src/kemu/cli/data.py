"""Games as data for programs that learn: dataset."""

from pathlib import Path
from typing import Annotated

import typer

from kemu.cli.options import Key, Options, chosen_game
from kemu.core.errors import OptionError


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
    from kemu.core.game import options

    try:
        from kemu.adapters.parquet import write_games
    except ImportError as error:
        raise OptionError(f"A data set needs {error.name}: install kemu[dataset].") from None
    if results is not None:
        setting, finished = arena.read_results(results)
        if setting.game != key:
            raise OptionError(f"{results} holds games of {setting.game}, not of {key}.")
        games = iter(finished)
    else:
        names = tuple(entrants or ())
        if not names:
            raise OptionError("Name the bots that play, or a file of results.")
        setting = arena.Setting(key, options(chosen_game(key, option)), names, openings, opening, seed)
        games = arena.play_all(setting, arena.dataset_jobs(setting), workers)
    count = write_games(file, setting, games)
    typer.echo(f"{count} games in {file}, described in {file.with_suffix('.md')}")
