"""The ladder: eight levels for each game, weaker by shorter sight and by slips, never by absurd actions.

A slip is an action taken at a glance in the place of the one that was searched for. All of it is decided by the seed
and the number of lines in the log, so that with a budget of nodes the same question always gets the same answer.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp
from typing import Any, Final, TypeVar

from kemu.bots.analysts import Analyst, analyst
from kemu.bots.glances import GLANCES
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame
from kemu.engines.analysis import Budget, Line

A = TypeVar("A")

NAMES: Final = ("Paddler", "Wader", "Swimmer", "Diver", "Sailor", "Helmsman", "Navigator", "Voyager")
"""What the levels are called, from the first to the eighth, in all games."""

SECOND: Final = Budget(ms=1000)
"""What the highest level takes."""

_LINES: Final = 3
"""So many lines a bot with a temperature chooses from."""


@dataclass(frozen=True)
class Level:
    """How well a bot sees, and how often it does not look."""

    budget: Budget
    slip: float = 0.0  # the chance to act at a glance
    attention: float = 1.0  # of a glance
    temperature: float = 0.0  # above 0, lines of nearly the same value are as likely as each other
    sight: int | None = None  # in plies, where the game is solved; None sees all


def _nodes(number: int, **rest: Any) -> Level:
    return Level(Budget(nodes=number), **rest)


LADDER: Final[Mapping[str, tuple[Level, ...]]] = {
    "moeraki-kemu": (
        _nodes(1, slip=1.0, attention=0.29),
        _nodes(1, slip=1.0, attention=0.54),
        _nodes(1, slip=1.0, attention=0.81),
        _nodes(2_000, slip=0.63, attention=0.84),
        _nodes(2_000, slip=0.39, attention=0.92),
        _nodes(4_000, slip=0.15),
        _nodes(20_000, slip=0.03),
        Level(SECOND),
    ),
    "mu-torere": (
        _nodes(1, slip=0.92, attention=0.3, sight=1, temperature=1.0),
        _nodes(1, slip=0.54, sight=1, temperature=1.0),
        _nodes(1, slip=0.38, sight=2, temperature=1.0),
        _nodes(1, slip=0.27, sight=3, temperature=1.0),
        _nodes(1, slip=0.18, sight=5, temperature=1.0),
        _nodes(1, slip=0.11, sight=9, temperature=1.0),
        _nodes(1, slip=0.06, sight=15),
        Level(SECOND),
    ),
    "mauw": (
        _nodes(1, slip=1.0, attention=0.0),
        _nodes(1, slip=1.0, attention=0.3),
        _nodes(1, slip=1.0, attention=0.55),
        _nodes(1, slip=1.0, attention=0.76),
        _nodes(1, slip=1.0, attention=0.96),
        _nodes(150),
        _nodes(1_000),
        Level(SECOND),
    ),
}
"""By the key of the game. Chosen by matches, see docs/strength.md."""


class LadderBot:
    """Plays at one level."""

    def __init__(self, game: AnyGame, number: int, seed: int | None, budget: Budget | None, threads: int = 1) -> None:
        level = LADDER[game.key][number - 1]
        self.name: Final = NAMES[number - 1]
        self._level = replace(level, budget=budget) if budget else level
        self._game = game
        self._seed = seed
        self._analyst: Analyst = analyst(game, level.sight, threads)

    def choose(self, view: Any, log: Sequence[str], actions: Sequence[A]) -> A:
        """What the level sees, or slips into."""
        if len(actions) == 1:
            return actions[0]
        dice = random.Random(None if self._seed is None else f"{self._seed}/{len(log)}")
        level = self._level
        if dice.random() < level.slip:
            found: A = GLANCES[self._game.key](self._game, view, actions, level.attention, dice)
            return found
        count = _LINES if level.temperature else 1
        analysis = self._analyst.analyse(view, log, level.budget, count, dice.getrandbits(48))
        chosen: A = _pick(analysis.lines, level.temperature, dice)
        assert chosen in actions, "engines know what is legal"
        return chosen


def _pick(lines: Sequence[Line[Any]], temperature: float, dice: random.Random) -> Any:
    """One of some lines: the best, or any by how good it looks, though no loss that is seen while there is another."""
    if not temperature:
        return lines[0].action
    if lines[0].proven and lines[0].value > 0:
        return lines[0].action
    sound = [line for line in lines if line.value > -1] or lines
    weights = [exp((line.value - sound[0].value) / temperature) for line in sound]
    return dice.choices(sound, weights)[0].action


def level_number(name: str) -> int | None:
    """The level of this number or name."""
    if name in map(str, range(1, len(NAMES) + 1)):
        return int(name)
    lower = [each.lower() for each in NAMES]
    return lower.index(name.lower()) + 1 if name.lower() in lower else None


def ladder_bot(
    game: AnyGame, number: int, seed: int | None, budget: Budget | None = None, threads: int = 1
) -> LadderBot:
    """The bot of a level."""
    if game.key not in LADDER:
        raise OptionError(f"{game.key} has no ladder; games with one are {', '.join(LADDER)}.")
    return LadderBot(game, number, seed, budget, threads)
