"""The ladder: the levels of a game, weaker by less search and by slips, never by absurd actions.

A slip is a quick choice in the place of the action that a search would find. All random numbers come from the seed and
the number of lines in the log, so that with a budget in nodes the same question always gets the same answer.
"""

import random
from collections.abc import Sequence
from dataclasses import replace
from math import exp
from typing import Any, Final, TypeVar

from kemu.core.game import AnyGame, AnyView
from kemu.engines.analysis import Budget, Line
from kemu.engines.capabilities import EnginePlayer

A = TypeVar("A")

AUDIENCES: Final = ("first game", "learning", "casual", "regular", "club", "tournament", "championship", "strongest")
"""For whom the levels are, from the first to the eighth, in all games."""

LINES: Final = 3
"""The number of lines that a bot with a temperature chooses from."""


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

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A]) -> A:
        """What the search of this level finds, or a quick choice when it slips."""
        return self._choose(view, log, actions, self._level.budget)

    def choose_within(self, view: AnyView, log: Sequence[str], actions: Sequence[A], limit_ms: int) -> A:
        """The same in less time, if the budget of the level is a longer time; budgets of nodes are quick anyway."""
        budget = self._level.budget
        hurried = budget if budget.ms is None else Budget(ms=max(1, min(budget.ms, limit_ms)))
        return self._choose(view, log, actions, hurried)

    def _choose(self, view: AnyView, log: Sequence[str], actions: Sequence[A], budget: Budget) -> A:
        if len(actions) == 1:
            return actions[0]
        dice = random.Random(None if self._seed is None else f"{self._seed}/{len(log)}")
        level = self._level
        if dice.random() < level.slip:
            found: A = self._quick_choice(self._game, view, actions, level.attention, dice)
            return found
        count = LINES if level.temperature else 1
        analysis = self._analyst.analyse(view, log, budget, count, dice.getrandbits(48))
        chosen: A = _pick(analysis.lines, level.temperature, dice)
        assert chosen in actions, "engines know what is legal"
        return chosen


def _pick(lines: Sequence[Line[Any]], temperature: float, dice: random.Random) -> Any:
    """One of some lines: the best, or any by its value, though no loss that is seen while there is another."""
    if not temperature:
        return lines[0].action
    if lines[0].proven and lines[0].value > 0:
        return lines[0].action
    sound = [line for line in lines if line.value > -1] or lines
    weights = [exp((line.value - sound[0].value) / temperature) for line in sound]
    return dice.choices(sound, weights)[0].action


def level_number(name: str, levels: int) -> int | None:
    """Return the level that a text names by its number, None if a game with this many levels has none."""
    return int(name) if name in map(str, range(1, levels + 1)) else None


def level_title(name: str) -> str:
    """A level as people choose it, such as "level 5, club"; other bots by their names."""
    return f"level {name}, {AUDIENCES[int(name) - 1]}" if name.isdecimal() else name
