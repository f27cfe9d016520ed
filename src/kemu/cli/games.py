"""The games: games, bots, play, replay, schema, picture."""

import json
from pathlib import Path
from typing import Annotated, Literal

import click

from kemu.cli.commands import Argument, Option
from kemu.cli.options import Json, Key, Options, chosen_game, chosen_state, complete_key
from kemu.core.errors import OptionError
from kemu.core.game import options
from kemu.games import game, game_keys, manifest


def list_games(as_json: Json = False) -> None:
    """List the games and their options."""
    if as_json:
        entries = [{"key": key, "title": manifest(key).title, "options": options(game(key))} for key in game_keys()]
        click.echo(json.dumps(entries, ensure_ascii=False))
        return
    for key in game_keys():
        click.echo(f"{key:13} {manifest(key).title}: {manifest(key).summary}")
        for name, value in options(game(key)).items():
            click.echo(f"{'':13}   {name}={json.dumps(value)}")


def list_bots(key: Key, option: Options = None, as_json: Json = False) -> None:
    """List the bots of a game: for whom each is, how strong, how it thinks and what it misses."""
    from dataclasses import asdict

    from kemu.bots.registry import bot_cards
    from kemu.terminal.reports import bot_lines

    chosen = chosen_game(key, option)
    lines = [json.dumps([asdict(card) for card in bot_cards(chosen)])] if as_json else bot_lines(chosen)
    click.echo("\n".join(lines))


def play(
    key: Annotated[
        str | None,
        Argument(metavar="GAME", complete=complete_key, help="Key of a game; asked for if missing."),
    ] = None,
    seat: Annotated[
        list[str] | None,
        Option(
            "--seat",
            "-s",
            metavar="WHO",
            help="Who sits there, seat by seat: human, or a bot such as 5 or my_agent.py:Agent.",
        ),
    ] = None,
    option: Options = None,
    series: Annotated[
        str | None, Option(metavar="LENGTH", help="Games to win, as a number or a name such as Uira.")
    ] = None,
    load: Annotated[Path | None, Option(help="Go on with this record.")] = None,
    save: Annotated[Path | None, Option(help="Keep the record in this new file.")] = None,
    clock: Annotated[
        str | None, Option(metavar="TIME", help="Minutes for the game and seconds for each turn: 5+3.")
    ] = None,
    seed: Annotated[int | None, Option(help="Make cards and bots repeatable.")] = None,
    plain: Annotated[bool, Option("--plain", help="Plain lines, for screen readers and pipes.")] = False,
) -> None:
    """Play in the terminal."""
    from kemu.terminal.match import Seating, clock_terms, loaded_match, new_match, series_length
    from kemu.terminal.plain import ask_game, play_plain
    from kemu.terminal.screen import PlainScreen, wants_lines

    seating = Seating(seat or [], seed, clock_terms(clock))
    if series and (load or save):
        raise OptionError("A series keeps each game in a file of its own; leave --load and --save out.")
    lines = plain or wants_lines() or not _has_full_screen()
    if load:
        match = loaded_match(load, seating, save)
    elif key or lines:
        try:
            chosen = chosen_game(key or ask_game(PlainScreen()), option)
        except (EOFError, KeyboardInterrupt):
            return
        match = new_match(chosen, seating, save, series_length(chosen, series) if series else 1)
    elif seat or option or series or save:
        raise OptionError("Name a game too, or leave the other options out and choose them on the screen.")
    else:
        match = None
    if match and lines:
        play_plain(match, seating, PlainScreen())
    else:
        from kemu.terminal.full_screen.app import play_full_screen

        play_full_screen(match, seating)


def _has_full_screen() -> bool:
    """Return whether Textual is installed; if not, say how to install it."""
    from kemu.core.parts import is_installed

    if is_installed("terminal"):
        return True
    click.echo("You play in plain lines; pip install 'kemu[terminal]' adds the full screen.", err=True)
    return False


def replay(
    file: Annotated[Path, Argument(help="A record.")],
    as_json: Json = False,
    at: Annotated[int | None, Option("--at", metavar="N", help="Only the position after N actions.")] = None,
) -> None:
    """Show a record, action by action."""
    from kemu.terminal.reports import replay_file

    replay_file(file, as_json, at)


def schema(of: Annotated[Literal["record", "study"], Argument(help="Of which files.")] = "record") -> None:
    """Print the JSON Schema of records or studies."""
    from kemu.core import record
    from kemu.studies import documents

    click.echo(json.dumps(record.SCHEMA if of == "record" else documents.SCHEMA, indent=2))


def picture(
    source: Annotated[str, Argument(metavar="GAME|FILE", complete=complete_key, help="A game or a record.")],
    option: Options = None,
    position: Annotated[str | None, Option(help="Draw this position document (JSON).")] = None,
    actions: Annotated[str, Option(metavar="TEXTS", help="First take these actions, chance included.")] = "",
    at: Annotated[int | None, Option("--at", metavar="N", help="Of a record: after N actions.")] = None,
    seat: Annotated[int | None, Option(min=0, help="What this seat sees; a spectator without it.")] = None,
    out: Annotated[Path | None, Option("--out", metavar="FILE", help="Write it here.")] = None,
) -> None:
    """Print a position, or one of a record, as an SVG picture."""
    from kemu.core.record import replay as replay_states
    from kemu.games import picture as draw

    if source in game_keys() or not Path(source).is_file():
        if at is not None:
            raise OptionError("--at is for a record; give a file.")
        chosen = chosen_game(source, option)
        *_, state = replay_states(chosen, actions.split(), chosen_state(chosen, position))
    else:
        if option or position or actions:
            raise OptionError("A record has its own options and actions; leave yours out.")
        from kemu.terminal.reports import load_states

        _, chosen, states = load_states(Path(source), at)
        state = states[-1 if at is None else at]
    if seat is not None and seat >= chosen.seats:
        raise OptionError(f"The seats are 0 to {chosen.seats - 1}, not {seat}.")
    drawn = str(draw(chosen, state, seat))
    if out is None:
        click.echo(drawn)
    else:
        out.write_text(f"{drawn}\n", encoding="utf-8")
