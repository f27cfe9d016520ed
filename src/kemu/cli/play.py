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
    clock: Annotated[
        str | None, typer.Option(metavar="TIME", help="Minutes for the game and seconds for each turn: 5+3.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Make cards and bots repeatable.")] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Plain lines, for screen readers and pipes.")] = False,
) -> None:
    """Play in the terminal."""
    from kemu.terminal.screen import wants_lines
    from kemu.terminal.start import Seating, clock_terms, loaded_match, new_match, series_length

    seating = Seating(seat or [], seed, clock_terms(clock))
    if series and (load or save):
        raise OptionError("A series keeps each game in a file of its own; leave --load and --save out.")
    lines = plain or wants_lines()
    if load:
        match = loaded_match(load, seating, save)
    elif key or lines:
        try:
            chosen = chosen_game(key or _asked_game(), option)
        except (EOFError, KeyboardInterrupt):
            return
        match = new_match(chosen, seating, save, series_length(chosen, series) if series else 1)
    elif seat or option or series or save:
        raise OptionError("Name a game too, or leave the other options out and choose them on the screen.")
    else:
        match = None
    if match and lines:
        from kemu.terminal.plain import play_plain
        from kemu.terminal.screen import PlainScreen

        play_plain(match, seating, PlainScreen())
    else:
        from kemu.terminal.full_screen.app import play_full_screen

        play_full_screen(match, seating)


def _asked_game() -> str:
    from kemu.terminal.plain import ask_game
    from kemu.terminal.screen import PlainScreen

    return ask_game(PlainScreen())


def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
    as_json: Json = False,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="Only the position after N actions.")] = None,
) -> None:
    """Show a record, action by action."""
    from kemu.terminal.replay import replay_file

    replay_file(file, as_json, at)
