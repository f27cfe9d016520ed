"""Ratings of tables of three and more by openskill, in the points of the other ratings."""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final

from openskill.models import PlackettLuce

from kemu.people.glicko import LEAST_DEVIATION, MIDDLE, MOST_DEVIATION, Strength

_MODEL: Final = PlackettLuce()

POINTS_PER_UNIT: Final = 400 / log(10) / (sqrt(2) * _MODEL.beta)
"""Elo for one unit of openskill's mean, between two players who are known well."""

DEVIATION_PER_UNIT: Final = MOST_DEVIATION / _MODEL.sigma
"""A newcomer has the greatest deviation in both models."""


def from_openskill(mu: float, sigma: float) -> Strength:
    """Return the strength of a mean and a standard deviation of openskill, within the bounds of deviations."""
    deviation = max(LEAST_DEVIATION, min(MOST_DEVIATION, DEVIATION_PER_UNIT * sigma))
    return Strength(MIDDLE + POINTS_PER_UNIT * (mu - _MODEL.mu), deviation)


def after_table(strengths: Sequence[Strength], ranks: Sequence[float]) -> list[Strength]:
    """Return the strengths after a match of these players, of whom a lower rank is better; equals share one."""
    teams = [
        [_MODEL.rating(_MODEL.mu + (each.rating - MIDDLE) / POINTS_PER_UNIT, each.deviation / DEVIATION_PER_UNIT)]
        for each in strengths
    ]
    rated = _MODEL.rate(teams, ranks=list(ranks))
    return [
        from_openskill(after.mu, after.sigma)._replace(volatility=before.volatility)
        for before, (after,) in zip(strengths, rated, strict=True)
    ]
