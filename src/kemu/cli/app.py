"""The application of click: every command, in the order of `kemu --help`."""

from collections.abc import Callable
from typing import Final

import click
from click.shell_completion import get_completion_class

from kemu import __version__
from kemu.cli import admin, analysis, checkout, games, measure, serve
from kemu.cli.commands import command

COMMANDS: Final[dict[str, Callable[..., None]]] = {
    "games": games.list_games,
    "bots": games.list_bots,
    "play": games.play,
    "serve": serve.serve,
    "connect": serve.connect,
    "export": serve.export_matches,
    "import": serve.import_matches,
    "backup": serve.backup,
    "prune": admin.prune,
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

PUZZLES: Final[dict[str, Callable[..., None]]] = {
    "make": analysis.make_puzzles,
    "check": analysis.check_puzzles,
    "score": analysis.score_puzzles,
}
ADMIN: Final[dict[str, Callable[..., None]]] = {
    "find": admin.find,
    "show": admin.show,
    "rename": admin.rename,
    "ban": admin.ban,
    "unban": admin.unban,
    "reset-password": admin.reset_password,
    "reset-ratings": admin.reset_ratings,
    "reports": admin.reports,
    "settle": admin.settle,
    "pairs": admin.pairs,
    "delete": admin.delete,
}
SHELLS: Final = ("bash", "zsh", "fish")


class InOrder(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return list(self.commands)


def _print_version(context: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        click.echo(f"kemu {__version__}")
        context.exit()


def _print_completion(context: click.Context, parameter: click.Parameter, shell: str | None) -> None:
    if shell:
        made = get_completion_class(shell)
        assert made is not None, "click knows these shells"
        click.echo(made(app, {}, "kemu", "_KEMU_COMPLETE").source())
        context.exit()


@click.group(
    cls=InOrder,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    params=[
        click.Option(
            ["--version"],
            is_flag=True,
            expose_value=False,
            is_eager=True,
            callback=_print_version,
            help="Print the version.",
        ),
        click.Option(
            ["--show-completion"],
            type=click.Choice(SHELLS),
            expose_value=False,
            is_eager=True,
            callback=_print_completion,
            help="Print the script by which a shell completes commands, games and options.",
        ),
    ],
)
@click.pass_context
def app(context: click.Context) -> None:
    """Play, learn and study Moeraki-Kemu, Mū tōrere and MAUW. Without a command: play in the browser."""
    if context.invoked_subcommand is None:
        from kemu.server.run import serve as run

        run(open_browser=True)


for name, called in COMMANDS.items():
    app.add_command(command(name, called))

GROUPS: Final = {
    "puzzles": ("Make puzzles, or check those that come with Kemu.", PUZZLES),
    "admin": ("Look after the accounts of a server: find, rename, ban, reset, reports, delete.", ADMIN),
}
for group_name, (text, commands) in GROUPS.items():
    group = InOrder(group_name, help=text, no_args_is_help=True)
    for name, called in commands.items():
        group.add_command(command(name, called))
    app.add_command(group)
