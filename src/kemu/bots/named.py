"""Bots by any name that a person may give on this machine: Kemu's own, and those of other packages, files and programs.

`kemu.bots.bot` knows only Kemu's own, so that names from strangers, such as those of a server's clients or in a record,
never run anything. `named_bot` takes these names besides:

- `my_agent.py:Agent`, a class or function in a file
- `package.module:Agent`, one that can be imported
- `name`, an entry point of the group `kemu.bots`
- `command:./engine --fast`, a program that answers lines of JSON, see docs/agents.md
- `weights:training/weights.npz`, the engine of the game with weights that `kemu train` made

A class or function is called with the game and a seed, or with the game alone, and gives a `kemu.core.bot.Bot`.
"""

import importlib
import importlib.util
import inspect
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeVar

from kemu.bots.command import CommandBot
from kemu.bots.engines import learner
from kemu.bots.registry import bot
from kemu.core.bot import Bot
from kemu.core.errors import IllegalAction, KemuError, OptionError
from kemu.core.game import AnyGame, AnyView

GROUP: Final = "kemu.bots"
"""The entry-point group of bots in other packages; an entry names what makes a bot."""

COMMAND: Final = "command:"
WEIGHTS: Final = "weights:"

A = TypeVar("A")


class CheckedBot:
    """A bot of somebody else, whose choices are checked."""

    def __init__(self, name: str, made: Bot) -> None:
        self.name: Final = name
        self.made: Final = made

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """Return what the bot chooses; raises IllegalAction if that is none of the legal actions."""
        chosen = self.made.choose(view, log, actions)
        if chosen not in actions:
            raise IllegalAction(f"The bot {self.name} chose {chosen!r}, which is none of {len(actions)} actions.")
        return chosen


def named_bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """Return the bot of a name, of whatever kind the name is; raises OptionError if there is none.

    A name with a colon is a file, a module or a program, and runs it.
    """
    if name.startswith(COMMAND):
        return CommandBot(name.removeprefix(COMMAND), game, seed)
    if name.startswith(WEIGHTS):
        return _with_weights(Path(name.removeprefix(WEIGHTS)), game, seed)
    if ":" in name:
        return _made(name, _object(name), game, seed)
    if name in (found := entry_points()):
        return _made(name, found[name](), game, seed)
    return bot(name, game, seed)


def entry_points() -> dict[str, Callable[[], Any]]:
    """Return what loads each bot of other packages, by name."""
    from importlib.metadata import entry_points as installed  # slow to import

    return {entry.name: entry.load for entry in installed(group=GROUP)}


def _with_weights(file: Path, game: AnyGame, seed: int | None) -> Bot:
    """Return the search of a game's engine with the weights of a file; raises OptionError."""
    try:
        weights = file.read_bytes()
    except OSError as error:
        raise OptionError(f"{file}: {error.strerror}.") from None
    try:
        return learner(game).bot(game, weights, seed or 0)
    except (ValueError, KeyError, EOFError) as error:
        if isinstance(error, KemuError):
            raise
        raise OptionError(f"{file} holds no weights of {game.key}.") from None


def _made(name: str, maker: Any, game: AnyGame, seed: int | None) -> Bot:
    """Return a bot by what makes it."""
    if not callable(maker):
        raise OptionError(f"{name} is no class or function, so it makes no bot.")
    made = maker(game, seed) if _takes_seed(maker) else maker(game)
    if not callable(getattr(made, "choose", None)):
        raise OptionError(f"{name} makes no bot: what it returns has no method 'choose(view, log, actions)'.")
    return CheckedBot(name, made)


def _takes_seed(maker: Callable[..., Any]) -> bool:
    try:
        inspect.signature(maker).bind(None, None)
    except TypeError:
        return False
    return True


def _object(name: str) -> Any:
    """Return the object of `file.py:Name` or `package.module:Name`; raises OptionError."""
    place, _, attribute = name.rpartition(":")
    try:
        module = _file(Path(place)) if place.endswith(".py") else importlib.import_module(place)
        return getattr(module, attribute)
    except FileNotFoundError:
        raise OptionError(f"There is no file {place}, so there is no bot {name}.") from None
    except ModuleNotFoundError as error:
        if error.name is None or not f"{place}.".startswith(f"{error.name}."):
            raise  # the agent is there, and what it imports is not
        raise OptionError(f"There is no module {place}, so there is no bot {name}.") from None
    except AttributeError:
        raise OptionError(f"{place} has nothing of the name '{attribute}'.") from None


def _file(path: Path) -> Any:
    """Return the module of a file, which may import what lies beside it."""
    return _loaded(path.resolve(strict=True))


@cache
def _loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None, "its name ends with .py"
    module = importlib.util.module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)  # for dataclasses and pickles
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module
