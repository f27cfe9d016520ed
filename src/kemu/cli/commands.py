"""Commands of click from annotated functions: each parameter is an argument or an option, as its annotation says.

The type, the default and the name of the parameter give what the annotation leaves open, so that a command is declared
once and stays a function that tests and programs can call.
"""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import click
from click.exceptions import Exit as Exit  # what commands raise to end with a code
from click.shell_completion import CompletionItem

Completion = Callable[[click.Context, str], Sequence[str]]
"""Returns what can follow the beginning of a word."""

TYPES: Final[Mapping[Any, click.ParamType[Any]]] = {
    str: click.STRING,
    int: click.INT,
    float: click.FLOAT,
    bool: click.BOOL,
    Path: click.Path(path_type=Path),
}


@dataclass(frozen=True)
class Parameter:
    """Notes on a parameter of a command: its names, its help, and what is allowed."""

    name: str = ""  # of an option, with its dashes
    short: str = ""
    _: KW_ONLY
    metavar: str | None = None
    help: str = ""
    min: int | None = None
    max: int | None = None
    complete: Completion | None = None

    @property
    def names(self) -> list[str]:
        """The names that are given here; without one an option has that of its parameter."""
        return list(filter(None, (self.name, self.short)))


class Argument(Parameter):
    """Notes on a parameter that is given by its place."""


class Option(Parameter):
    """Notes on a parameter that is given by its name."""


class ArgumentWithHelp(click.Argument):
    """An argument that `--help` explains."""

    def __init__(self, name: str, meaning: str, **settings: Any) -> None:
        super().__init__([name], **settings)
        self.meaning = meaning

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return the name of this argument and what it means."""
        default = self.get_default(ctx)
        shown = "required" if self.required else f"default: {default}" if default not in (None, ()) else ""
        return self.make_metavar(ctx), f"{self.meaning}  [{shown}]" if shown else self.meaning


class CommandWithArguments(click.Command):
    """A command whose help lists arguments before options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write both lists."""
        for title, is_argument in (("Arguments", True), ("Options", False)):
            chosen = [each for each in self.get_params(ctx) if isinstance(each, click.Argument) == is_argument]
            if rows := [row for each in chosen if (row := each.get_help_record(ctx))]:
                with formatter.section(title):
                    formatter.write_dl(rows)


def command(name: str, function: Callable[..., None]) -> click.Command:
    """Return the command of a function; its docstring is the help."""
    hints = get_type_hints(function, include_extras=True)
    known = inspect.signature(function).parameters
    text = inspect.getdoc(function) or ""
    first, _, _ = text.partition("\n")
    params = [parameter(key, hints[key], each.default) for key, each in known.items()]
    return CommandWithArguments(name, callback=function, params=params, help=text, short_help=first)


def parameter(name: str, hint: Any, default: Any) -> click.Parameter:
    """Return the argument or option of a parameter with this annotation and default."""
    plain, notes = _notes(hint)
    settings = _values(plain, notes) | {"metavar": notes.metavar, "required": default is inspect.Parameter.empty}
    if not settings["required"]:
        settings["default"] = default
    if notes.complete:
        settings["shell_complete"] = _completion(notes.complete)
    if isinstance(notes, Argument):
        return ArgumentWithHelp(name, notes.help, **settings)
    names = notes.names or [f"--{name.replace('_', '-')}"]
    if plain is bool:
        settings["is_flag"] = True
        if not notes.names:
            names = [f"{names[0]}/--no-{names[0][2:]}"]
    return click.Option([name, *names], help=notes.help, show_default=True, **settings)


def _notes(hint: Any) -> tuple[Any, Parameter]:
    """Return the type of a parameter without None, and its notes."""
    plain, notes = hint, Option()
    if get_origin(plain) is Annotated:
        plain, notes = get_args(plain)[:2]
    if get_origin(plain) in (Union, UnionType):
        (inner,) = [each for each in get_args(plain) if each is not NoneType]
        return (inner, notes) if get_origin(inner) is not Annotated else _notes(inner)
    return plain, notes


def _values(plain: Any, notes: Parameter) -> dict[str, Any]:
    """Return the settings of click for a type: which values there are, and how many."""
    if get_origin(plain) is list:
        many = {"nargs": -1} if isinstance(notes, Argument) else {"multiple": True}
        return many | {"type": _type(get_args(plain)[0], notes), "callback": _as_list}
    if get_origin(plain) is tuple:
        return {"nargs": len(get_args(plain)), "type": _type(get_args(plain)[0], notes)}
    return {"type": _type(plain, notes)}


def _type(plain: Any, notes: Parameter) -> click.ParamType[Any]:
    if get_origin(plain) is Literal:
        return click.Choice(get_args(plain))
    if plain is int and (notes.min, notes.max) != (None, None):
        return click.IntRange(notes.min, notes.max)
    return TYPES[plain]


def _as_list(context: click.Context, parameter: click.Parameter, value: Sequence[Any] | None) -> list[Any]:
    return list(value or ())


def _completion(complete: Completion) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem]]:
    def offer(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(each) for each in complete(context, incomplete)]

    return offer
