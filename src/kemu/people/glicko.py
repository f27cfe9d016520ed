"""Ratings of two-player games by Glicko-2, with the constants of lichess and an advantage of the first to act.

Formulas and numbering of the steps: Mark E. Glickman, "Example of the Glicko-2 system", 2022. Between two games the
deviation grows with time, so that a rating period is no date: the game ends one that began with the game before.
"""

from collections.abc import Sequence
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

TAU: Final = 0.75
"""How much a volatility changes."""

POINTS: Final = 173.7178
"""Points of a rating for one unit of the formulas."""

MIDDLE: Final = 1500.0
LEAST_RATING: Final = 400.0
MOST_RATING: Final = 4000.0
LEAST_DEVIATION: Final = 45.0
MOST_DEVIATION: Final = 500.0
MOST_VOLATILITY: Final = 0.1
MOST_CHANGE: Final = 700.0
"""How far one game moves a rating at most."""

PROVISIONAL: Final = 110.0
"""From this deviation on a rating is provisional."""

PERIODS_PER_DAY: Final = 0.21436
"""With these a deviation of 60 grows to 110 in a year at a volatility of 0.06."""

_CLOSE: Final = 1e-6


class Strength(NamedTuple):
    """How strong somebody is: a rating in points, how sure it is, and how much it varies; at first that of a newcomer.

    The true strength is within two deviations of the rating nineteen times in twenty.
    """

    rating: float = MIDDLE
    deviation: float = MOST_DEVIATION
    volatility: float = 0.09

    @property
    def provisional(self) -> bool:
        """Whether there are too few games, or none lately, to rely on the rating."""
        return self.deviation >= PROVISIONAL


class Score(NamedTuple):
    """A result against an opponent: 1, 0.5 or 0, and the advantage in points with which it began."""

    opponent: Strength
    score: float
    advantage: float = 0.0


def aged(strength: Strength, periods: float) -> Strength:
    """Return a strength after rating periods without games, which is less sure: step 6."""
    grown = POINTS * sqrt((strength.deviation / POINTS) ** 2 + max(0.0, periods) * strength.volatility**2)
    return strength._replace(deviation=min(MOST_DEVIATION, grown))


def periods_until_provisional(strength: Strength) -> float:
    """Return after how many rating periods without games a strength is provisional; 0 if it is."""
    left = (PROVISIONAL / POINTS) ** 2 - (strength.deviation / POINTS) ** 2
    return max(0.0, left) / strength.volatility**2


def after_game(strength: Strength, score: Score, periods: float) -> Strength:
    """Return a strength after one game that ended some rating periods after the one before, within all bounds."""
    found = after_period(strength, [score], periods)
    change = max(-MOST_CHANGE, min(MOST_CHANGE, found.rating - strength.rating))
    return Strength(
        max(LEAST_RATING, min(MOST_RATING, strength.rating + change)),
        max(LEAST_DEVIATION, min(MOST_DEVIATION, found.deviation)),
        min(MOST_VOLATILITY, found.volatility),
    )


def after_period(strength: Strength, scores: Sequence[Score], periods: float = 1.0, tau: float = TAU) -> Strength:
    """Return a strength after some games that end a time of rating periods; without bounds: steps 2 to 8."""
    mu, phi = (strength.rating - MIDDLE) / POINTS, strength.deviation / POINTS
    information = improvement = 0.0
    for opponent, score, advantage in scores:
        weight = _weight(opponent.deviation / POINTS)
        expected = 1 / (1 + exp(-weight * (mu + (advantage + MIDDLE - opponent.rating) / POINTS)))
        information += weight**2 * expected * (1 - expected)
        improvement += weight * (score - expected)
    if not information:
        return aged(strength, periods)
    variance = 1 / information
    volatility = _volatility(strength.volatility, phi, variance, variance * improvement, tau)
    before = sqrt(phi**2 + periods * volatility**2)
    after = 1 / sqrt(1 / before**2 + information)
    return Strength(POINTS * (mu + after**2 * improvement) + MIDDLE, POINTS * after, volatility)


def _weight(phi: float) -> float:
    """Return how much a result against somebody of this deviation says: the function g."""
    return 1 / sqrt(1 + 3 * phi**2 / pi**2)


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Return the new volatility: the root of f by the Illinois algorithm, step 5."""
    start = log(sigma**2)

    def f(x: float) -> float:
        e = exp(x)
        spread = phi**2 + variance + e
        return e * (delta**2 - spread) / (2 * spread**2) - (x - start) / tau**2

    a = start
    if delta**2 > phi**2 + variance:
        b = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(start - steps * tau) < 0:
            steps += 1
        b = start - steps * tau
    f_a, f_b = f(a), f(b)
    while abs(b - a) > _CLOSE:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return exp(a / 2)
