"""Opponents by name."""

from collections.abc import Callable

from kemu.bots.perfect import PERFECT
from kemu.bots.uniform import Uniform
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame


def bots(game: AnyGame) -> dict[str, Callable[[AnyGame, int | None], Bot]]:
    """Every bot that plays this game: its name and how to make it from game and seed."""
    known: dict[str, Callable[[AnyGame, int | None], Bot]] = {"random": Uniform}
    if game.key in PERFECT:
        known["perfect"] = PERFECT[game.key]
    return known


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """The bot of this name, for this game; with a seed it always plays the same."""
    known = bots(game)
    if name not in known:
        raise OptionError(f"{game.key} has no bot '{name}'; its bots are {', '.join(known)}.")
    return known[name](game, seed)
