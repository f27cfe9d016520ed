"""The server and its matches: serve, export, import, backup."""

from pathlib import Path
from typing import Annotated

import click

from kemu.cli.commands import Argument, Exit, Option
from kemu.cli.options import Database, Key


def serve(
    host: Annotated[str, Option(help="Address to listen on; 0.0.0.0 for all.")] = "127.0.0.1",
    port: Annotated[int, Option(min=0, max=65535, help="Port to listen on.")] = 8000,
    database: Database = None,
    workers: Annotated[int, Option(min=1, help="Processes; more than one needs PostgreSQL.")] = 1,
    config: Annotated[Path | None, Option(help="A settings file (TOML); see docs/operate.md.")] = None,
) -> None:
    """Serve live play to browsers and programs."""
    from kemu.server.run import serve as run
    from kemu.server.settings import read_settings

    run(host, port, database, workers, settings=read_settings(config))


def connect(
    address: Annotated[str, Argument(metavar="ADDRESS", help="The server, such as https://play.example.org.")],
    key: Key,
    bot: Annotated[str, Argument(metavar="BOT", help="Who plays, such as 5 or my_agent.py:Agent.")],
    token_file: Annotated[Path, Option(help="A file with a token of your account, see docs/bots.md.")],
    against: Annotated[str | None, Option(metavar="BOT", help="A bot of the server; without it the lobby.")] = None,
    games: Annotated[int, Option(min=1, help="Matches to play, one after the other.")] = 1,
) -> None:
    """Let a bot of this computer play matches on a server."""
    from kemu.client import Server

    server = Server(address, token_file.read_text(encoding="utf-8").strip())
    for _ in range(games):
        match = server.challenge(key, against) if against else server.seek(key)
        click.echo(f"{server.address}/match/{match}")
        outcome = server.play(match, bot)
        click.echo(f"winners {outcome['winners']}, {outcome['reason']}")


def export_matches(
    file: Annotated[Path, Argument(help="Where the JSON lines go.")],
    database: Database = None,
    studies: Annotated[bool, Option(help="Studies too, with the secrets of their links.")] = True,
    players: Annotated[bool, Option(help="Players too: accounts with password hashes, ratings, puzzles.")] = True,
) -> None:
    """Write all matches, studies and players of a server as lines of JSON; exit code 1 if some cannot be read."""
    from kemu.server.transfer import export_file

    written, unreadable = export_file(file, database, studies, players)
    for line in unreadable:
        click.echo(f"kemu: match {line.match} cannot be read and was skipped: {line.reason}", err=True)
    skipped = f", {len(unreadable)} skipped" if unreadable else ""
    click.echo(f"{written.matches} matches, {written.studies} studies and {written.players} players written{skipped}.")
    if unreadable:
        raise Exit(1)


def backup(file: Annotated[Path, Argument(help="Where the copy goes.")], database: Database = None) -> None:
    """Copy the SQLite database of a server, accounts and all, while it runs."""
    from kemu.server.transfer import backup_database

    backup_database(file, database)
    click.echo(f"Copied to {file}.")


def import_matches(
    file: Annotated[Path, Argument(help="What kemu export or kemu arena --results wrote.")],
    database: Database = None,
) -> None:
    """Add the matches, studies and players of a file, or the games of an arena, to a server's database."""
    from kemu.server.transfer import import_file

    added = import_file(file, database)
    counts = f"{added.matches} matches, {added.studies} studies and {added.players} players added"
    click.echo(f"{counts}, {added.known} matches and studies were there already.")
