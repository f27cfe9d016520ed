"""The Typer application: every command, in the order of `kemu --help`."""

from collections.abc import Callable
from typing import Annotated, Final

import typer

from kemu import __version__
from kemu.cli import analysis, checkout, games, measure, serve

app = typer.Typer(
    name="kemu",
    help="Play, learn and study Moeraki-Kemu, Mū tōrere and MAUW.",
    invoke_without_command=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "games": games.list_games,
    "bots": games.list_bots,
    "play": games.play,
    "serve": serve.serve,
    "export": serve.export_matches,
    "import": serve.import_matches,
    "backup": serve.backup,
    "replay": games.replay,
    "review": analysis.review,
    "puzzle": analysis.puzzle,
    "solve": analysis.solve,
    "verify": analysis.verify,
    "perft": checkout.perft,
    "golden": checkout.golden,
    "schema": games.schema,
    "picture": games.picture,
    "arena": measure.arena,
    "dataset": measure.dataset,
    "analyse": analysis.analyse,
    "train": measure.train,
    "bench": checkout.bench,
}


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"kemu {__version__}")
        raise typer.Exit


@app.callback()
def root(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Play, learn and study Moeraki-Kemu, Mū tōrere and MAUW. Without a command: play in the browser."""
    if context.invoked_subcommand is None:
        from kemu.server.run import serve as run

        run(open_browser=True)


for name, command in COMMANDS.items():
    app.command(name)(command)
app.add_typer(analysis.puzzles_app, name="puzzles")
