"""The bots of each game by name, and the ladder: levels weaker by less search and by slips, never by absurd actions.

A slip is a quick choice in the place of the action that a search would find. All random numbers come from the seed and
the number of lines in the log, so that with a budget in nodes the same question always gets the same answer.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import exp
from typing import Any, Final, TypeVar

from kemu.bots.engines import capability, engine_player
from kemu.bots.generic import RandomBot
from kemu.bots.ratings import expected_score
from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, AnyView
from kemu.engines.analysis import Budget, Line
from kemu.engines.capabilities import EnginePlayer, Level, Maker, Noticing, Solver, Sparring, chance_to_notice
from kemu.games import game_keys, manifest

DEFAULT: Final = "3"
"""The level that a newcomer meets, where a game has it."""

RANDOM: Final = "random"
RANDOM_ELO: Final = -150
"""Elo of the random bot above the weakest level."""

A = TypeVar("A")

AUDIENCES: Final = (
    "first game",
    "learner",
    "casual player",
    "regular player",
    "club player",
    "tournament player",
    "champion",
    "strongest",
)
"""For whom the levels are, from the first to the eighth, in all games."""

LINES: Final = 3
"""The number of lines that a bot with a temperature chooses from."""


def bots(game: AnyGame) -> dict[str, Maker]:
    """Return the bots that people meet in a game, from the weakest to the strongest, and how to make each."""
    numbers = range(1, len(_levels(game)) + 1)
    return {name: partial(bot, name) for name in (RANDOM, *map(str, numbers))}


def bot_elo(name: str, game: AnyGame) -> float | None:
    """Return the Elo of a bot that people meet, above the bot that a newcomer meets; None if there is no such bot.

    It is fixed by the matches of docs/strength.md: nothing that happens on a server moves it.
    """
    levels = [level.elo for level in _levels(game)]
    elos = {RANDOM: RANDOM_ELO if levels else 0, **{str(number): elo for number, elo in enumerate(levels, start=1)}}
    return elos[name] - elos[default_bot(game)] if name in elos else None


def is_measured(game: AnyGame) -> bool:
    """Return whether matches have measured the ladder of a game, which those of the generic searcher have not."""
    return game.key in game_keys() and manifest(game.key).player is not None


def default_bot(game: AnyGame) -> str:
    """Return the name of the bot that a newcomer meets in a game."""
    return DEFAULT if DEFAULT in bots(game) else next(iter(bots(game)))


def bot(name: str, game: AnyGame, seed: int | None = None) -> Bot:
    """Return the bot of a name such as 5 or random, or with a budget such as 5@nodes=2000, 8@ms=300@threads=2.

    With a seed it always plays the same, unless its budget is a time. Raises OptionError if there is no such bot.
    """
    plain, *settings = name.split("@")
    player = engine_player(game)
    number = level_number(plain, len(_levels(game)))
    budget, threads = _settings(name, settings)
    if player and number:
        return LadderBot(game, player, number, seed, budget, threads)
    sparring = capability(game, Sparring)
    known: dict[str, Maker] = {RANDOM: RandomBot, **(sparring.sparring_bots() if sparring else {})}
    if plain not in known:
        names = dict.fromkeys([*bots(game), *known])
        raise OptionError(f"{game.key} has no bot '{plain}'; its bots are {', '.join(names)}.")
    if settings:
        raise OptionError(f"The bot '{plain}' has no settings; leave '@{settings[0]}' out.")
    return known[plain](game, seed)


@dataclass(frozen=True)
class BotCard:
    """Description of a bot of the ladder: what it notices, how it thinks and how strong it is."""

    bot: str  # its number as a text
    audience: str  # for whom it is, in a word or two
    elo: int  # above the bot that a newcomer meets
    quick: float  # the share of its actions that it chooses without a search
    nodes: int | None  # of a search; None: it reads a solution, never searches, or searches by time
    ms: int | None  # of a search by time
    depth: int | None  # the plies of the solution that it looks ahead; None: all of them, or there is no solution
    notices: dict[str, float]  # by what there is to see, the chance that it does
    scores: dict[str, float]  # against the next levels, by name, its share to expect; empty if nobody measured it


def bot_cards(game: AnyGame) -> list[BotCard]:
    """Return the cards of all levels, from the weakest to the strongest."""
    levels = _levels(game)
    return [_card(game, levels, number) for number in range(1, len(levels) + 1)]


def _card(game: AnyGame, levels: list[Level], number: int) -> BotCard:
    level, searches, noticing = levels[number - 1], capability(game, Solver) is None, capability(game, Noticing)
    motifs = noticing.motifs(game) if noticing else {}
    beside = {
        str(other): round(expected_score(level.elo - levels[other - 1].elo, game.seats), 2)
        for other in (number - 1, number + 1)
        if is_measured(game) and 1 <= other <= len(levels)
    }
    return BotCard(
        bot=str(number),
        audience=AUDIENCES[number - 1],
        elo=round(bot_elo(str(number), game) or 0),
        quick=level.slip,
        nodes=level.budget.nodes if searches and level.slip < 1 else None,
        ms=level.budget.ms if searches else None,
        depth=level.depth,
        notices={motif: round(_chance(level, hard), 2) for motif, hard in motifs.items()},
        scores=beside,
    )


def _chance(level: Level, difficulty: float) -> float:
    """Return the chance to notice something: always by a search, by a quick choice as its attention goes."""
    return 1 - level.slip * (1 - chance_to_notice(level.attention, difficulty))


def _levels(game: AnyGame) -> list[Level]:
    player = engine_player(game)
    return list(player.levels(game)) if player else []


def _settings(name: str, settings: list[str]) -> tuple[Budget | None, int]:
    """Return the budget and the threads of texts such as nodes=2000."""
    numbers: dict[str, int] = {}
    for setting in settings:
        field, _, value = setting.partition("=")
        known = field in ("nodes", "ms", "threads") and field not in numbers
        if not known or not value.isdecimal() or not 1 <= int(value) <= 10**9:
            raise OptionError(f"A bot is NAME, NAME@nodes=N or NAME@ms=N, also @threads=N, not '{name}'.")
        numbers[field] = int(value)
    threads = numbers.pop("threads", 1)
    return (Budget(**numbers) if numbers else None), threads


class LadderBot:
    """Plays at one level of a game."""

    def __init__(
        self,
        game: AnyGame,
        player: EnginePlayer,
        number: int,
        seed: int | None,
        budget: Budget | None = None,
        threads: int = 1,
    ) -> None:
        level = player.levels(game)[number - 1]
        self.name: Final = f"Level {number}"
        self._level = replace(level, budget=budget) if budget else level
        self._game = game
        self._seed = seed
        self._quick_choice = player.quick_choice
        self._analyst = player.analyst(game, level.depth, threads)
        self.last_search: tuple[float, int] | None = None  # value and nodes of the last choice, None without a search

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """Return the result of this level's search, or a quick choice when it slips."""
        return self._choose(view, log, actions, self._level.budget)

    def choose_within(self, view: AnyView, log: Sequence[str], actions: Sequence[A], limit_ms: int) -> A:
        """Choose in less time, if the budget of the level is a longer time; budgets of nodes are quick anyway."""
        budget = self._level.budget
        hurried = budget if budget.ms is None else Budget(ms=max(1, min(budget.ms, limit_ms)))
        return self._choose(view, log, actions, hurried)

    def _choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A], budget: Budget) -> A:
        self.last_search = None
        if len(actions) == 1:
            return actions[0]
        dice = random.Random(None if self._seed is None else f"{self._seed}/{len(log)}")
        level = self._level
        if dice.random() < level.slip:
            found: A = self._quick_choice(self._game, view, actions, level.attention, dice)
            return found
        count = LINES if level.temperature else 1
        analysis = self._analyst.analyse(view, log, budget, count, dice.getrandbits(48))
        line = _pick(analysis.lines, level.temperature, dice)
        chosen: A = line.action
        assert chosen in actions, "engines know what is legal"
        self.last_search = (line.value, analysis.nodes)
        return chosen


def _pick(lines: Sequence[Line[Any]], temperature: float, dice: random.Random) -> Line[Any]:
    """Return one of some lines: the best, or any by its value, though no loss that is seen while there is another."""
    if not temperature:
        return lines[0]
    if lines[0].proven and lines[0].value > 0:
        return lines[0]
    sound = [line for line in lines if line.value > -1] or lines
    weights = [exp((line.value - sound[0].value) / temperature) for line in sound]
    return dice.choices(sound, weights)[0]


def level_number(name: str, levels: int) -> int | None:
    """Return the level that a text names by its number, None if a game with this many levels has none."""
    return int(name) if name in map(str, range(1, levels + 1)) else None


def level_title(name: str) -> str:
    """Return a level as people choose it, such as "level 5, club"; other bots by their names."""
    return f"level {name}, {AUDIENCES[int(name) - 1]}" if name.isdecimal() else name
