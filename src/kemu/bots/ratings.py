"""Ratings from results: Elo with error bars, and a sequential test.

The estimate is our own twenty lines: choix knows neither draws nor shares of a victory, and would bring scipy along.
"""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import exp, log, log10, sqrt
from typing import Final, TypeAlias

Result: TypeAlias = tuple[tuple[str, float], ...]
"""One game: who sat at the table, seat by seat, and the share of the victory each seat got; shares sum to 1."""

_ROUNDS: Final = 2000
_CLOSE: Final = 1e-6
"""When no strength changes by a greater part, all are found."""

_RESAMPLES: Final = 200
_SURE: Final = 0.95
_DEVIATIONS: Final = 1.96
"""Standard deviations on either side of the mean of a normal distribution that hold 95 %."""


@dataclass(frozen=True)
class EloEstimate:
    """Elo above the average of all entrants, and the interval that holds it with 95 % confidence."""

    elo: float
    low: float
    high: float


def strengths(results: Iterable[Result]) -> dict[str, float]:
    """Estimate Elo by maximum likelihood: a chance to win is one's strength divided by that of the whole table.

    Found by repeated correction (Hunter 2004, for tables of any size); a table of two is the usual Elo.
    """
    won: dict[str, float] = defaultdict(float)
    tables: dict[tuple[str, ...], int] = defaultdict(int)
    for result in results:
        tables[tuple(sorted(name for name, _ in result))] += 1
        for name, share in result:
            won[name] += share
    strength = dict.fromkeys(won, 1.0)
    for _ in range(_ROUNDS):
        expected: dict[str, float] = defaultdict(float)
        for table, games in tables.items():
            whole = sum(strength[name] for name in table)
            for name in table:
                expected[name] += games / whole
        before = strength
        # One more game, drawn against the average, so that nobody is infinitely strong.
        strength = {name: (won[name] + 0.5) / (expected[name] + 1 / (old + 1)) for name, old in before.items()}
        mean = sum(log(value) for value in strength.values()) / len(strength)
        strength = {name: value / exp(mean) for name, value in strength.items()}
        if all(abs(strength[name] / old - 1) < _CLOSE for name, old in before.items()):
            break
    return {name: 400 * log10(value) for name, value in strength.items()}


def ratings(results: Sequence[Sequence[Result]], seed: int = 0) -> dict[str, EloEstimate]:
    """Estimate Elo with error bars; results come in groups of games from one opening, which belong together.

    The intervals are those of resampled groups, among them for each pairing one group that each side wins: where
    all groups ended alike, nothing else would tell how few they were.
    """
    dice = random.Random(seed)
    pool = [*results, *_one_sided(results)]
    found = strengths(result for group in results for result in group)
    samples = [
        strengths(result for group in dice.choices(pool, k=len(results)) for result in group) for _ in range(_RESAMPLES)
    ]
    return {
        name: EloEstimate(elo, *_interval([sample.get(name, elo) for sample in samples])) for name, elo in found.items()
    }


def _one_sided(results: Sequence[Sequence[Result]]) -> list[list[Result]]:
    """Return for each set of entrants that met a group that each of them wins."""
    met = {frozenset(name for result in group for name, _ in result): group for group in results}
    return [[_won_by(name, result) for result in group] for names, group in met.items() for name in sorted(names)]


def _won_by(winner: str, result: Result) -> Result:
    """Return a game with the players of this one that an entrant wins alone."""
    place = next(place for place, (name, _) in enumerate(result) if name == winner)
    return tuple((name, float(seat == place)) for seat, (name, _) in enumerate(result))


def _interval(values: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(values)
    cut = round(len(ordered) * (1 - _SURE) / 2)
    return ordered[cut], ordered[-1 - cut]


@dataclass(frozen=True)
class SequentialTest:
    """How a sequential test stands: the log-likelihood ratio, its two bounds, and what is decided, if anything."""

    ratio: float
    bounds: tuple[float, float]
    decided: str | None


def sequential(scores: Sequence[float], weaker: float, stronger: float, error: float = 0.05) -> SequentialTest:
    """Test whether the first of two players is `stronger` Elo better or only `weaker`, by a score for each group.

    The generalised sequential probability ratio test: groups are as good as independent, their mean nearly normal.
    """
    bound = log((1 - error) / error)
    count = len(scores)
    mean = sum(scores) / count if count else 0.5
    # One group won and one lost besides, so that a player who wins them all is not without spread.
    spread = sum((score - mean) ** 2 for score in (*scores, 0.0, 1.0)) / (count + 2)
    low, high = expected_score(weaker), expected_score(stronger)
    ratio = count * (high - low) * (2 * mean - low - high) / (2 * spread)
    decided = "stronger" if ratio >= bound else "weaker" if ratio <= -bound else None
    return SequentialTest(ratio, (-bound, bound), decided)


def expected_score(elo: float, seats: int = 2) -> float:
    """Return the share of points that an advantage in Elo over each of the others, who are equals, promises."""
    return float(1 / (1 + (seats - 1) * 10 ** (-elo / 400)))


def share_interval(scores: Sequence[float]) -> tuple[float, float]:
    """Return the mean of some scores and the half width of its 95 % interval."""
    mean, low, high = score_interval(scores)
    return mean, (high - low) / 2


def score_interval(scores: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean of scores from 0 to 1 and the interval that holds the true mean with 95 % confidence.

    That of Wilson (1927) for scores of 0 and 1. Scores that vary less, such as those of pairs of games, get a narrower
    one, which is never a point: 30 losses leave up to 11 %.
    """
    count = len(scores)
    if not count:
        return 0.5, 0.0, 1.0
    mean = sum(scores) / count
    spread = sum((score - mean) ** 2 for score in scores) / count
    weight = _DEVIATIONS**2 / count
    middle = (mean + weight / 2) / (1 + weight)
    half = _DEVIATIONS * sqrt(spread / count + weight / (4 * count)) / (1 + weight)
    return mean, max(0.0, min(mean, middle - half)), min(1.0, max(mean, middle + half))
