"""Ratings of players and puzzles by Glicko (Glickman 1999): an answer is a game between the two."""

import math
from typing import Final, NamedTuple

FIRST_RATING: Final = 1200.0
FIRST_DEVIATION: Final = 350.0
PUZZLE_DEVIATION: Final = 150.0
"""Of a puzzle that nobody has answered: its grade says something of it."""

LEAST_DEVIATION: Final = 45.0
GROWTH_PER_DAY: Final = 6.0
"""How much an unused rating becomes less sure."""

MS_PER_DAY: Final = 24 * 60 * 60 * 1000

_Q: Final = math.log(10) / 400


class GlickoRating(NamedTuple):
    """What is known of a strength: its mean and its standard deviation."""

    mean: float = FIRST_RATING
    deviation: float = FIRST_DEVIATION

    def after_days(self, days: float) -> "GlickoRating":
        """The rating after some days without an answer."""
        wider = math.sqrt(self.deviation**2 + GROWTH_PER_DAY**2 * max(0.0, days))
        return self._replace(deviation=min(FIRST_DEVIATION, wider))


class Standing(NamedTuple):
    """How a player does with the puzzles of a game."""

    rating: GlickoRating = GlickoRating()
    answered: int = 0
    solved: int = 0
    streak: int = 0  # puzzles solved one after the other
    best: int = 0  # the longest streak
    at: int = 0  # ms, of the last answer; 0 before the first

    def after_answer(self, puzzle: GlickoRating, solved: bool, at: int) -> tuple["Standing", GlickoRating]:
        """The standing and the rating of the puzzle after a first answer to it."""
        own = self.rating.after_days((at - self.at) / MS_PER_DAY) if self.at else self.rating
        rated, other = rate(own, puzzle, solved)
        streak = self.streak + 1 if solved else 0
        best = max(streak, self.best)
        return Standing(rated, self.answered + 1, self.solved + solved, streak, best, at), other


def expected(player: GlickoRating, other: GlickoRating) -> float:
    """The chance that a player wins against another, or solves a puzzle."""
    return 1 / (1 + 10 ** (-_weight(other.deviation) * (player.mean - other.mean) / 400))


def rate(player: GlickoRating, puzzle: GlickoRating, solved: bool) -> tuple[GlickoRating, GlickoRating]:
    """The ratings of a player and a puzzle after an answer."""
    score = 1.0 if solved else 0.0
    return _changed(player, puzzle, score), _changed(puzzle, player, 1 - score)


def _weight(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * (_Q * deviation / math.pi) ** 2)


def _changed(own: GlickoRating, other: GlickoRating, score: float) -> GlickoRating:
    chance, weight = expected(own, other), _weight(other.deviation)
    information = 1 / own.deviation**2 + (_Q * weight) ** 2 * chance * (1 - chance)
    mean = own.mean + _Q * weight * (score - chance) / information
    return GlickoRating(mean, max(LEAST_DEVIATION, math.sqrt(1 / information)))
