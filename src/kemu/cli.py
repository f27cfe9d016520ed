"""`kemu …`: every command, each with its imports inside, so that none waits for another's."""

import gc
import sys
from pathlib import Path
from typing import Annotated, Any

# What is imported here is never garbage; to look for some, now and at the end, would be a fifth of a short command.
gc.disable()

import typer  # noqa: E402

from kemu import __version__, game, games  # noqa: E402
from kemu.core.errors import KemuError, OptionError, ParseError  # noqa: E402

gc.freeze()
gc.enable()

app = typer.Typer(
    name="kemu",
    help="Play, learn and study Moeraki-Kemu, Mū tōrere and MAUW.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run a command; what bad input causes is told in one sentence, with exit code 2."""
    try:
        app(prog_name="kemu")
    except KemuError as error:
        _refuse(str(error))
    except BrokenPipeError:
        sys.stderr.close()  # whoever read our output has gone; there is nobody left to tell
    except OSError as error:
        _refuse(f"{error.filename}: {error.strerror}." if error.filename else f"{error}.")


def _refuse(sentence: str) -> None:
    sys.stderr.write(f"kemu: {sentence}\n")
    sys.exit(2)


def _keys(incomplete: str) -> list[str]:
    return [key for key in games() if key.startswith(incomplete)]


def _option_names(context: typer.Context, incomplete: str) -> list[str]:
    from kemu.core.game import options

    key = context.params.get("key")
    names = options(game(key)) if key in games() else {}
    return [f"{name}=" for name in names if name.startswith(incomplete)]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kemu {__version__}")
        raise typer.Exit


Key = Annotated[str, typer.Argument(metavar="GAME", autocompletion=_keys, help="Key of a game; see kemu games.")]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", autocompletion=_option_names, help="An option of the game."),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play, learn and study Moeraki-Kemu, Mū tōrere and MAUW. Without a command: play in the browser."""
    if context.invoked_subcommand is None:
        from kemu.server.run import serve as run

        run(open_browser=True)


def _game(key: str, texts: list[str] | None) -> Any:
    """The game of a key and `NAME=VALUE` texts; a value is JSON or else plain text."""
    from kemu.core.document import read_json

    chosen = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"An option is NAME=VALUE, not '{text}'.")
        try:
            chosen[name] = read_json(value)
        except ParseError:
            chosen[name] = value
    return game(key, **chosen)


@app.command("games")
def list_games(as_json: Json = False) -> None:
    """List the games and their options."""
    import json

    from kemu.core.game import options
    from kemu.games import package

    made = {key: (package(key), options(game(key))) for key in games()}
    if as_json:
        entries = [{"key": key, "title": folder.TITLE, "options": chosen} for key, (folder, chosen) in made.items()]
        typer.echo(json.dumps(entries, ensure_ascii=False))
        return
    for key, (folder, chosen) in made.items():
        typer.echo(f"{key:13} {folder.TITLE}: {folder.SUMMARY}")
        for name, value in chosen.items():
            typer.echo(f"{'':13}   {name}={json.dumps(value)}")


@app.command()
def play(
    key: Annotated[
        str | None, typer.Argument(metavar="GAME", autocompletion=_keys, help="Key of a game; asked for if missing.")
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
        chosen = _game(key or start.ask_game(setup.screen), option)
    except (EOFError, KeyboardInterrupt):
        return
    if series:
        start.play_series(chosen, setup, series)
    else:
        start.play_new(chosen, setup, save)


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    database: Annotated[str | None, typer.Option(help="sqlite:///path or postgresql://host/name.")] = None,
    workers: Annotated[int, typer.Option(min=1, help="Processes; more than one needs PostgreSQL.")] = 1,
    config: Annotated[Path | None, typer.Option(help="A settings file (TOML); see docs/operate.md.")] = None,
) -> None:
    """Serve live play to browsers and programs."""
    from kemu.server.run import serve as run
    from kemu.server.settings import read_settings

    run(host, port, database, workers, settings=read_settings(config))


@app.command("export")
def export_matches(
    file: Annotated[Path, typer.Argument(help="Where the JSON lines go.")],
    database: Annotated[str | None, typer.Option(help="sqlite:///path or postgresql://host/name.")] = None,
) -> None:
    """Write all matches of a server, one JSON line each."""
    from kemu.server.transfer import export_file

    typer.echo(f"{export_file(file, database)} matches written.")


@app.command("import")
def import_matches(
    file: Annotated[Path, typer.Argument(help="JSON lines written by kemu export.")],
    database: Annotated[str | None, typer.Option(help="sqlite:///path or postgresql://host/name.")] = None,
) -> None:
    """Add the matches of a file to a server's database."""
    from kemu.server.transfer import import_file

    added, known = import_file(file, database)
    typer.echo(f"{added} matches added, {known} were there already.")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
    as_json: Json = False,
    at: Annotated[int | None, typer.Option("--at", metavar="N", help="Only the position after N actions.")] = None,
) -> None:
    """Show a record, action by action."""
    from kemu.terminal.replay import replay_file

    replay_file(file, as_json, at)


@app.command()
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
    print_census(_game(key, [*(option or ()), *short]), as_json)


@app.command()
def perft(
    key: Key,
    depth: Annotated[int, typer.Argument(min=0, max=100, help="How many actions deep.")],
    option: Options = None,
    position: Annotated[str | None, typer.Option(help="Count from this position document (JSON).")] = None,
    split: Annotated[bool, typer.Option("--split", help="Count for each first action.")] = False,
) -> None:
    """Count the ways a game can go on."""
    from kemu.core import perft as counting
    from kemu.core.document import read_json

    made = _game(key, option)
    state = made.initial() if position is None else made.decode(read_json(position))
    if split and depth:
        for text, count in counting.split(made, state, depth).items():
            typer.echo(f"{text:8} {count}")
    typer.echo(counting.perft(made, state, depth))


@app.command()
def golden(
    folder: Annotated[Path, typer.Argument(help="Where the playthroughs are.")] = Path("tests/golden"),
    write: Annotated[bool, typer.Option("--write", help="Write them anew instead of comparing.")] = False,
) -> None:
    """Compare the golden playthroughs with what the rules do now."""
    from kemu.core.playthrough import playthrough, read_script

    files = sorted(folder.glob("*/*.txt"))
    if not files:
        raise ParseError(f"There is no playthrough in {folder}.")
    changed = 0
    for file in files:
        try:
            text = file.read_text(encoding="utf-8")
            now = playthrough(game, read_script(text))
        except (KemuError, UnicodeDecodeError) as error:
            raise ParseError(f"{file}: {error}") from None
        if now != text:
            changed += 1
            typer.echo(f"{'written' if write else 'changed'}: {file}")
            if write:
                file.write_text(now, encoding="utf-8", newline="\n")
    typer.echo(f"{len(files)} playthroughs, {changed} {'written' if write else 'changed'}")
    if changed and not write:
        raise typer.Exit(1)


@app.command()
def schema() -> None:
    """Print the JSON Schema of records."""
    import json

    from kemu.core.record import SCHEMA

    typer.echo(json.dumps(SCHEMA, indent=2))


@app.command()
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
    sprt: Annotated[
        tuple[float, float] | None, typer.Option(metavar="ELO ELO", help="Stop once one of two advantages is sure.")
    ] = None,
    results: Annotated[Path | None, typer.Option(help="Keep every game in this file, and go on from it.")] = None,
    as_json: Json = False,
    plot: Annotated[Path | None, typer.Option(help="Draw the ratings into this SVG file.")] = None,
) -> None:
    """Let bots play each other and rate them."""
    import os

    from kemu.bots.arena import Setting
    from kemu.core.game import options
    from kemu.terminal.arena import run_arena

    chosen = options(_game(key, option))
    setting = Setting(key, chosen, tuple(entrants), openings, opening, seed, neighbours)
    run_arena(setting, results, workers or os.cpu_count() or 1, sprt, as_json, plot)


@app.command()
def analyse() -> None:
    """Answer questions to the engines: a JSON request on each line of standard input, an answer on each line out."""
    from kemu.bots.analysis import Desk

    desk = Desk()
    for line in sys.stdin:
        if line.strip():
            sys.stdout.write(desk.answer_text(line) + "\n")
            sys.stdout.flush()


@app.command()
def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Which; all if none is named.")] = None,
    folder: Annotated[Path, typer.Option(help="Where the benchmarks are.")] = Path("bench"),
) -> None:
    """Run the benchmarks of a checkout; their figures are in docs/performance.md and docs/strength.md."""
    from kemu.terminal.benchmarks import run_benchmarks

    run_benchmarks(folder, names or [])
