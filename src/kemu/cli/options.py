"""Arguments and options that several commands share."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import click

from kemu.cli.commands import Argument, Option
from kemu.core.errors import OptionError
from kemu.games import game, game_keys


def complete_key(context: click.Context, incomplete: str) -> list[str]:
    """Return the keys of games that begin with what was typed."""
    return [key for key in game_keys() if key.startswith(incomplete)]


def _complete_option(context: click.Context, incomplete: str) -> list[str]:
    from kemu.core.game import options

    # An option that still lacks its value ends the parsing, so the key is among the words that are left.
    keys = [word for word in context.args if word in game_keys()]
    return [f"{name}=" for key in keys[:1] for name in options(game(key)) if name.startswith(incomplete)]


Key = Annotated[str, Argument(metavar="GAME", complete=complete_key, help="Key of a game; see kemu games.")]
Options = Annotated[
    list[str] | None,
    Option("--option", "-o", metavar="NAME=VALUE", complete=_complete_option, help="An option of the game."),
]
Json = Annotated[bool, Option("--json", help="Print JSON.")]
Database = Annotated[str | None, Option(help="sqlite:///path or postgresql://host/name.")]
TaskDatabase = Annotated[str | None, Option("--database", help="Where results are kept: sqlite:///path.")]


BotCommands = Annotated[
    list[str] | None,
    Option("--bot-command", metavar="COMMAND", help="A program that plays too, see docs/agents.md; may be repeated."),
]


WeightFiles = Annotated[
    list[Path] | None,
    Option(
        "--weights", metavar="FILE", help="Weights of kemu train, with which the engine plays too; may be repeated."
    ),
]


def all_bots(names: Sequence[str], commands: Sequence[str] | None, weights: Sequence[Path] | None) -> tuple[str, ...]:
    """Return the names of bots, and after them those of programs and of weights."""
    programs = (f"command:{command}" for command in commands or ())
    return (*names, *programs, *(f"weights:{file}" for file in weights or ()))


def chosen_game(key: str, texts: list[str] | None) -> Any:
    """Return the game of a key and `NAME=VALUE` texts, whose values are JSON or else plain text; raises OptionError."""
    from kemu.core.document import read_option

    chosen = {}
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(f"An option is NAME=VALUE, not '{text}'.")
        chosen[name] = read_option(value)
    return game(key, **chosen)


def chosen_state(chosen: Any, position: str | None) -> Any:
    """Return the state of a position document in JSON, or the first one if it is None; raises ParseError."""
    from kemu.core.document import read_json

    return chosen.initial() if position is None else chosen.decode(read_json(position))
