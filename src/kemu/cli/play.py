"""Play in the terminal and look at records: play, replay."""

from pathlib import Path
from typing import Annotated

import typer

from kemu.cli.options import Json, Options, chosen_game, complete_key
from kemu.core.errors import OptionError


def play(
    key: Annotated[
        str | None,
        typer.Argument(metavar="GAME", autocompletion=complete_key, help="Key of a game; asked for if missing."),
    ] = None,
    seat: Annotated[
        list[str] | None,
        typer.Option("--seat", "-s", metavar="WHO", help="Who sits there, seat by seat: human, or the name of a bot."),
    ] = None,
    option: Options = None,
    series: Annotated[
        str | None, typer.Option(metavar="LENGTH", help="Games to win, as a number or a name such as Uira.")
    ] = None,
    load: Annotated[Path | None, typer.Option(help="Go on with this record.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the record in this new file.")] = None,
    seed: Annotated[int | None, typer.Option(help="Make cards and bots repeatable.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, for screen readers and pipes.")] = False,
) -> None:
    """Play in the terminal."""
    from kemu.terminal import start
    from kemu.terminal.screen import open_screen

    setup = start.Setup(seat or [], seed, open_screen(plain))
    if series and (load or save):
        raise OptionError("A series keeps each game in a file of its own; leave --load and --save out.")
    if load:
        start.play_on(load, setup, save)
        return
    try:
        chosen = chosen_game(key or start.ask_game(setup.screen), option)
    except (EOFError, KeyboardInterrupt):
        return
    if series:
        start.play_series(chosen, setup, series)
    else:
        start.play_new(chosen, setup, save)


def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
    as_json: Json = False,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="Only the position after N actions.")] = None,
) -> None:
    """Show a record, action by action."""
    from kemu.terminal.replay import replay_file

    replay_file(file, as_json, at)
