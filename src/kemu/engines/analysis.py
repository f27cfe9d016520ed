"""The budget of a search and what it found, the same for every game."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import atanh, exp
from typing import Any, Final, Generic, Protocol, TypeAlias, runtime_checkable

from kemu.core.errors import OptionError
from kemu.core.game import A, Seat


@dataclass(frozen=True)
class Budget:
    """How much a search may do: a number of nodes, which makes it repeatable, or a time in milliseconds.

    OptionError if not exactly one of them is given, as a whole number of at least 1.
    """

    nodes: int | None = None
    ms: int | None = None

    def __post_init__(self) -> None:
        given = [limit for limit in (self.nodes, self.ms) if limit is not None]
        if len(given) != 1 or type(given[0]) is not int or given[0] < 1:
            raise OptionError("A budget is a whole number of nodes or of milliseconds, at least 1, and not both.")


@dataclass(frozen=True)
class Verdict:
    """Proven result of a state for the seat to act."""

    result: str  # "win", "draw" or "loss"
    actions: int | None = None  # of the winner, at most so many; None for a draw

    def reversed(self) -> "Verdict":
        """The same for the other one of two seats."""
        return Verdict({"win": "loss", "loss": "win"}.get(self.result, self.result), self.actions)


@dataclass(frozen=True)
class LikelyEnding:
    """One way in which a game may end, and its chance; `winner` is null for a draw."""

    reason: str  # as that of an outcome
    winner: Seat | None
    chance: float


@dataclass(frozen=True)
class Prediction:
    """How a game for two is expected to end: the score of seat 0, from 0 to 1, its lead in points, and all endings.

    The most likely ending comes first. `lead` is null where no points are counted.
    """

    score: float
    lead: float | None
    endings: tuple[LikelyEnding, ...]


@dataclass(frozen=True)
class Forecast:
    """How a game is expected to end, and by area the tiles to expect there, from -1, all of seat 1, to 1, of seat 0."""

    prediction: Prediction
    ownership: Mapping[str, float]


def read_verdict(proven: str | None) -> Verdict | None:
    """The verdict of a line's `proven`, such as "win in 5" or "draw"."""
    if proven is None:
        return None
    result, _, actions = proven.partition(" in ")
    return Verdict(result, int(actions) if actions else None)


Curve: TypeAlias = tuple[Sequence[float], Sequence[float]]
"""From the log odds of a value to those of the expected score: both of at least two points, straight lines between."""


def calibrated(value: float, curve: Curve) -> float:
    """Return the expected score of a value by a curve, extrapolated beyond its ends; 1 and -1 stay certain."""
    if abs(value) >= 1:
        return 1.0 if value > 0 else 0.0
    odds, knots = 2 * atanh(value), curve[0]
    end = min(max(bisect_left(knots, odds), 1), len(knots) - 1)
    (left, right), (low, high) = (row[end - 1 : end + 1] for row in curve)
    return 1 / (1 + exp(-(low + (high - low) * (odds - left) / (right - left))))


@dataclass(frozen=True)
class Line(Generic[A]):
    """One line of an analysis: its first action, the value of that action, and the principal variation."""

    action: A
    value: float  # for the side to act, from -1, lost, to 1, won
    pv: tuple[A, ...]  # the principal variation; the action itself comes first
    proven: str | None = None  # such as "win in 5": certain, with so many stones of the winner at most


@dataclass(frozen=True)
class Analysis(Generic[A]):
    """Result of a search: the lines, best first, and the nodes and milliseconds spent."""

    lines: tuple[Line[A], ...]
    nodes: int
    ms: int
    depth: int | None = None  # the plies that it has searched in full; None for a search that does not count them

    @property
    def action(self) -> A:
        """The action of the best line."""
        return self.lines[0].action

    @property
    def value(self) -> float:
        """The value of the best line."""
        return self.lines[0].value

    @property
    def proven(self) -> str | None:
        """Return the proof of the best line."""
        return self.lines[0].proven


CLEAR: Final = 2.0
"""By how many standard errors two values differ where one action is clearly better than another."""


@dataclass(frozen=True)
class Comparison(Generic[A]):
    """An action and its alternatives, compared inside one search: the lines, best first, and the error of each value.

    An error is the standard error that the search itself has; that of a proof is 0.
    """

    lines: tuple[Line[A], ...]
    errors: tuple[float, ...]


@runtime_checkable
class Comparer(Protocol):
    """An analyst that searches actions equally deep; those of an analyst without it are compared by its lines."""

    def compare(self, view: Any, log: Sequence[str], budget: Budget, action: Any, seed: int) -> Comparison[Any]:
        """Return this action and its alternatives; with a budget in nodes the same question gets the same answer."""


@runtime_checkable
class Explainer(Protocol):
    """A player that says in points what an action is about, for a coach."""

    def stakes(self, game: Any, view: Any, action: Any) -> Mapping[str, int]:
        """Return by name what an action gains, takes, saves and spends; what is 0 is left out."""


@dataclass(frozen=True)
class ThreatLine:
    """How another seat would win: its next action as text, the points of its line in order, and those that are missing.

    Of the missing points, that of the action is the first. `reason` is that of the outcome.
    """

    action: str
    cells: tuple[str, ...]
    missing: tuple[str, ...]
    reason: str


@dataclass(frozen=True)
class ThreatAnalysis(Generic[A]):
    """Immediate wins, threats and defences of the seat to act; all of them are proved.

    `stops` are the actions after which the others have no forced win that the proof can find; if there are none, those
    after which they cannot win with their next turn. It is empty unless other actions are proved to lose. `lines` are
    how the others would win. `lost` says whether a loss is proved that no action is proved to avoid, None if the proof
    gave up.
    """

    wins: tuple[A, ...] = ()
    stops: tuple[A, ...] = ()
    lines: tuple[ThreatLine, ...] = ()
    lost: bool | None = None


@dataclass(frozen=True)
class RescueAnalysis(Generic[A]):
    """The last state of a lost game in which the loser could still avoid the loss.

    `saves` are the actions that are proved to avoid what followed; it is empty if nothing threatened yet. `lines` are
    how the others won or were about to.
    """

    ply: int  # how many actions were taken before it
    saves: tuple[A, ...] = ()
    lines: tuple[ThreatLine, ...] = ()
