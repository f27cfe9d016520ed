"""Opponents by name."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from kemu.bots.glances import REFLEXES, Reflex
from kemu.bots.ladder import LADDER, NAMES, SECOND, LadderBot, level_number
from kemu.bots.perfect import PERFECT
from kemu.bots.uct import Uct
from kemu.bots.uniform import Uniform
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget
from kemu.engines.mauw.greedy import Greedy

Maker = Callable[[AnyGame, int | None], Bot]

GREEDY: Final[Mapping[str, Maker]] = {"mauw": Greedy}
UCT: Final[Mapping[str, Callable[[AnyGame, int | None, Budget], Bot]]] = {"moeraki-kemu": Uct}
"""The one bot beside the ladder that has a budget."""

DEFAULT = "3"
"""The level that a newcomer meets."""


def bots(game: AnyGame) -> dict[str, Maker]:
    """The bots that people meet in this game, from the weakest to the strongest, and how to make each."""
    levels = range(1, len(NAMES) + 1) if game.key in LADDER else ()
    return {"random": Uniform, **{str(number): partial(_level, number) for number in levels}}


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """The bot of a name such as 5, Sailor or random, or with a budget such as 5@nodes=2000, 8@ms=300@threads=2.

    With a seed it always plays the same, unless its budget is a time.
    """
    plain, *settings = name.split("@")
    number = level_number(plain) if game.key in LADDER else None
    budget, threads = _settings(name, settings)
    if number:
        return LadderBot(game, number, seed, budget, threads)
    if plain == "uct" and game.key in UCT and threads == 1:
        return UCT[game.key](game, seed, budget or SECOND)
    known = _plain(game)
    if plain not in known:
        others = [*known, *(["uct"] if game.key in UCT else [])]
        raise OptionError(
            f"{game.key} has no bot '{plain}'; its bots are {', '.join(dict.fromkeys([*bots(game), *others]))}."
        )
    if settings:
        raise OptionError(f"The bot '{plain}' has no settings; leave '@{settings[0]}' out.")
    return known[plain](game, seed)


def _level(number: int, game: AnyGame, seed: int | None) -> Bot:
    return LadderBot(game, number, seed, None)


def _plain(game: AnyGame) -> dict[str, Maker]:
    """The bots beside the ladder, which it is measured by."""
    known: dict[str, Maker] = {"random": Uniform}
    if game.key in REFLEXES:
        known["reflex"] = Reflex
    if game.key in PERFECT:
        known["perfect"] = PERFECT[game.key]
    if game.key in GREEDY:
        known["greedy"] = GREEDY[game.key]
    return known


def _settings(name: str, settings: list[str]) -> tuple[Budget | None, int]:
    """The budget and the threads of texts such as nodes=2000."""
    numbers: dict[str, int] = {}
    for setting in settings:
        field, _, value = setting.partition("=")
        known = field in ("nodes", "ms", "threads") and field not in numbers
        if not known or not value.isdecimal() or not 1 <= int(value) <= 10**9:
            raise OptionError(f"A bot is NAME, NAME@nodes=N or NAME@ms=N, also @threads=N, not '{name}'.")
        numbers[field] = int(value)
    threads = numbers.pop("threads", 1)
    return (Budget(**numbers) if numbers else None), threads
