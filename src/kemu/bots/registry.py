"""The bots of each game by name, and the engines behind them."""

from functools import partial
from typing import Final

from kemu.bots.generic import GENERIC, RandomBot
from kemu.bots.ladder import LadderBot, level_number
from kemu.core.bot import Bot
from kemu.core.errors import OptionError, UnknownGame
from kemu.core.game import AnyGame, SamplesStates
from kemu.core.manifest import load
from kemu.engines.analysis import Budget
from kemu.engines.learning import Learner
from kemu.engines.player import ONE_SECOND, EnginePlayer, Maker, Progress, SolvedGame, Theorems
from kemu.games import games, manifest

DEFAULT: Final = "3"
"""The level that a newcomer meets, where a game has it."""


def bots(game: AnyGame) -> dict[str, Maker]:
    """The bots that people meet in this game, from the weakest to the strongest, and how to make each."""
    player = engine_player(game)
    levels = range(1, len(player.levels(game)) + 1) if player else ()
    return {"random": RandomBot, **{str(number): partial(_level_bot, number) for number in levels}}


RANDOM_ELO: Final = -150
"""Of the random bot, against the weakest level."""


def bot_elo(name: str, game: AnyGame) -> float | None:
    """The Elo of a bot that people meet, above the bot that a newcomer meets; None if there is no such bot.

    It is fixed by the matches of docs/strength.md: nothing that happens on a server moves it.
    """
    player = engine_player(game)
    levels = [level.elo for level in player.levels(game)] if player else []
    elos = {"random": RANDOM_ELO if levels else 0, **{str(number): elo for number, elo in enumerate(levels, start=1)}}
    return elos[name] - elos[default_bot(game)] if name in elos else None


def default_bot(game: AnyGame) -> str:
    """The name of the bot that a newcomer meets in this game."""
    return DEFAULT if DEFAULT in bots(game) else next(iter(bots(game)))


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """The bot of a name such as 5 or random, or with a budget such as 5@nodes=2000, 8@ms=300@threads=2.

    With a seed it always plays the same, unless its budget is a time. Raises OptionError if there is no such bot.
    """
    plain, *settings = name.split("@")
    player = engine_player(game)
    number = level_number(plain, len(player.levels(game))) if player else None
    budget, threads = _settings(name, settings)
    if player and number:
        return LadderBot(game, player, number, seed, budget, threads)
    searching = player.searching_bots if player else {}
    if plain in searching:
        if threads != 1:
            raise OptionError(f"The bot '{plain}' searches by one thread, not {threads}.")
        return searching[plain](game, seed, budget or ONE_SECOND)
    known: dict[str, Maker] = {"random": RandomBot, **(player.bots if player else {})}
    if plain not in known:
        names = dict.fromkeys([*bots(game), *known, *searching])
        raise OptionError(f"{game.key} has no bot '{plain}'; its bots are {', '.join(names)}.")
    if settings:
        raise OptionError(f"The bot '{plain}' has no settings; leave '@{settings[0]}' out.")
    return known[plain](game, seed)


def engine_player(game: AnyGame) -> EnginePlayer | None:
    """What plays this game: its engine, or the generic searcher.

    None if the game is not registered, or if it has secrets, no engine, and rules that sample no states: then there is
    nothing to search, and its only bot is the random one.
    """
    try:
        found = manifest(game.key)
    except UnknownGame:
        return None
    if found.player:
        player: EnginePlayer = load(found.player)
        return player
    return GENERIC if not found.hidden or isinstance(game, SamplesStates) else None


def require_player(game: AnyGame) -> EnginePlayer:
    """What plays this game; raises OptionError if nothing can search it."""
    player = engine_player(game)
    if player is None:
        engines = [key for key in games() if manifest(key).player]
        raise OptionError(f"{game.key} has no engine; games with one are {', '.join(engines)}.")
    return player


def solution(game: AnyGame, progress: Progress | None = None) -> SolvedGame:
    """The strong solution of a game that has one; raises UnknownGame for the others."""
    player = engine_player(game)
    if player is None or player.solution is None:
        raise UnknownGame(f"{game.key} is not solved; solved is {', '.join(_solved_games())}.")
    return player.solution(game, progress)


def is_solved(game: AnyGame) -> bool:
    """Whether `solution` has one for this game."""
    player = engine_player(game)
    return player is not None and player.solution is not None


def theorems(game: AnyGame) -> Theorems:
    """What the engine of a game can prove; raises UnknownGame if it proves nothing."""
    player = engine_player(game)
    if player is None or player.theorems is None:
        raise UnknownGame(f"The engine of {game.key} writes no certificates.")
    return player.theorems()


def learner(game: AnyGame) -> Learner:
    """What learns the weights of a game's engine; raises OptionError if nothing of it is learned."""
    player = engine_player(game)
    if player is None or player.learner is None:
        paths = {key: manifest(key).player for key in games()}
        learned = [key for key, path in paths.items() if path and load(path).learner]
        raise OptionError(f"Nothing is learned for {game.key}; games with a learner are {', '.join(learned)}.")
    return player.learner()


def _solved_games() -> list[str]:
    paths = {key: manifest(key).player for key in games()}
    return [key for key, path in paths.items() if path and load(path).solution]


def _level_bot(number: int, game: AnyGame, seed: int | None) -> Bot:
    return LadderBot(game, require_player(game), number, seed)


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
