"""The capabilities of engines: small protocols, of which the engine of a game has those it has.

The manifest of a game names its player, a module or other object with the functions of `EnginePlayer` and of as many
other protocols as it likes. `kemu.bots.engines.capability` asks for one of them. A player imports nothing slow before
it is used.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Seat
from kemu.engines.analysis import Analysis, Budget, Forecast, RescueAnalysis, ThreatAnalysis
from kemu.engines.learning import Learner
from kemu.engines.puzzles import PuzzleFinder

ONE_SECOND: Final = Budget(ms=1000)
"""What the highest level of every game takes."""

NEEDS_SEARCH: Final = inf
"""The difficulty of what no quick choice can notice."""


# Levels


@dataclass(frozen=True)
class Level:
    """How well a bot of one level plays.

    A slip is a quick choice taken in the place of the action that a search would find.
    """

    budget: Budget
    slip: float = 0.0  # the chance of a slip at each action
    attention: float = 1.0  # how much a quick choice notices, see chance_to_notice
    temperature: float = 0.0  # above 0 the bot chooses among its best lines, the more evenly the higher
    depth: int | None = None  # for solved games: the plies that it looks ahead; None looks to the end
    elo: int = 0  # above the weakest level, measured in matches


def chance_to_notice(attention: float, difficulty: float) -> float:
    """Return the chance that a quick choice with this attention notices something; difficulty 0 is plain to see."""
    return 0.0 if difficulty == NEEDS_SEARCH else float(attention**difficulty)


def searching(nodes: int, **rest: Any) -> Level:
    """Return a level with a budget in nodes."""
    return Level(Budget(nodes=nodes), **rest)


def quick(attention: float) -> Level:
    """Return a level that never searches."""
    return searching(1, slip=1.0, attention=attention)


def with_elo(levels: Sequence[Level], elos: Sequence[int]) -> tuple[Level, ...]:
    """Return a ladder from the weakest level to the strongest, each with its Elo above the weakest."""
    return tuple(replace(level, elo=elo) for level, elo in zip(levels, elos, strict=True))


# What every player has


class Analyst(Protocol):
    """Finds the best actions for the seat that has a view and a log."""

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        """Return the best lines, the best one first; with a budget in nodes the same question gets the same answer."""

    def state(self, view: Any) -> Any:
        """Return a state with this view; what the view hides may be anything that is possible."""


class EnginePlayer(Protocol):
    """Plays a game at several levels; every engine has this."""

    def levels(self, game: AnyGame) -> Sequence[Level]:
        """Return the ladder, from the weakest to the strongest; at most eight."""

    def quick_choice(self, game: Any, view: Any, actions: Sequence[Any], attention: float, dice: random.Random) -> Any:
        """Return one of the legal actions without a search."""

    def analyst(self, game: AnyGame, depth: int | None, threads: int) -> Analyst:
        """Return an analyst; `depth` is that of a level. Raises OptionError for threads that the search cannot use."""


def require_one_thread(game: AnyGame, threads: int) -> None:
    """Raise OptionError if a game whose search knows no threads is to be searched by several."""
    if threads != 1:
        raise OptionError(f"{game.key} is searched by one thread, not {threads}.")


# What a player may have


@runtime_checkable
class Noticing(Protocol):
    """Tells what its quick choice may notice."""

    def motifs(self, game: AnyGame) -> Mapping[str, float]:
        """Return by name what a quick choice may notice, and how difficult that is, see `chance_to_notice`."""


Maker: TypeAlias = Callable[[AnyGame, int | None], Bot]
"""Makes a bot from game and seed."""


@runtime_checkable
class Sparring(Protocol):
    """Has bots beside the ladder, to measure it by."""

    def sparring_bots(self) -> Mapping[str, Maker]:
        """Return the makers of these bots by name."""


class SolvedGame(Protocol):
    """All states of a solved game with their values."""

    def census(self) -> Any:
        """Return the solution in numbers, as a dataclass."""

    def line(self, state: Any) -> Sequence[Any]:
        """Return a line of perfect play from a state."""

    def value(self, state: Any) -> tuple[str, int | None]:
        """Return "win", "draw" or "loss" for the side to act, and the plies to the end, None for a draw."""


Progress: TypeAlias = Callable[[str, int], None]
"""Is called now and then with what is being done and how many states are done."""


@runtime_checkable
class Solver(Protocol):
    """Solves its game."""

    def solution(self, game: AnyGame, progress: Progress | None = None) -> SolvedGame:
        """Return the strong solution."""

    def states_to_solve(self, game: AnyGame) -> int:
        """Return how many states are looked at before the first answer."""


@dataclass(frozen=True)
class Theorems:
    """What an engine can prove of its game, as texts of certificates, see `kemu.engines.certificates`.

    A goal is the text of a statement that is not proved yet. Its search has leaves, which can be worked on apart.
    """

    prove_again: Callable[[], Iterator[tuple[str, str]]]  # name and text of every certificate that comes with Kemu
    next_goal: str
    leaves: Callable[[str], Sequence[str]]  # the leaves of a goal; raises OptionError if the text is none
    prove_leaf: Callable[[str], str | None]  # the proof of goal and leaf, with a space between, None if none is found
    join: Callable[[str, Mapping[str, str]], str]  # the certificate of a goal from the proofs of all its leaves


@runtime_checkable
class Prover(Protocol):
    """Writes certificates."""

    def theorems(self) -> Theorems:
        """Return what it can prove."""


@runtime_checkable
class ThreatFinder(Protocol):
    """Proves wins and defences in an open game; without it, whole turns are played out by the rules."""

    def threats(self, game: AnyGame, state: Any) -> ThreatAnalysis[Any]:
        """Return what wins, what threatens and what defends in a state."""


@runtime_checkable
class Rescuer(Protocol):
    """Finds the last chance to save a lost open game; without it, every decision is judged by its threats."""

    def rescue(self, game: AnyGame, states: Sequence[Any], seat: Seat) -> RescueAnalysis[Any] | None:
        """Return the last decision of a seat before its loss was proved, from all states; None if none is found."""


@runtime_checkable
class CardReader(Protocol):
    """Knows what a seat of a game with secrets may conclude from its log."""

    def hides(self, line: str) -> bool:
        """Return whether a line of a log hides something, so that no record holds it."""

    def view_from_log(self, game: Any, seat: Seat, log: Sequence[str], seed: int) -> Any:
        """Return the view of a seat from its log; raises KemuError."""

    def draw_odds(self, game: Any, view: Any, log: Sequence[str]) -> Mapping[str, float]:
        """Return how likely the next card drawn is of each kind, as the seat of this view and log knows it."""

    def alike(self, game: AnyGame, view: Any, action: Any) -> Any:
        """Return the action that a search tells, of several that come to the same."""


@runtime_checkable
class Forecaster(Protocol):
    """Foresees the end of an open game."""

    def forecast(self, game: AnyGame, state: Any) -> Forecast | None:
        """Return how a game is expected to end, None where there is nothing to forecast yet."""


@runtime_checkable
class Calibrated(Protocol):
    """Knows what its values mean; without it, the expected score is (1 + value) / 2."""

    def expected_score(self, game: AnyGame, value: float) -> float:
        """Return the expected score from 0 to 1 for the value of a line, fitted by bench/calibration.py."""


@dataclass(frozen=True)
class ReviewBudget:
    """Nodes for each position of a review: in its first pass and in its second."""

    first: int = 30
    second: int = 300


@runtime_checkable
class Reviewing(Protocol):
    """Says how much a review of its game should search; without it, the defaults of ReviewBudget hold."""

    def review_budget(self) -> ReviewBudget:
        """Return the nodes for each position."""


@runtime_checkable
class PuzzleMaker(Protocol):
    """Finds puzzles."""

    def puzzles(self) -> PuzzleFinder:
        """Return what finds them and proves them again."""


@runtime_checkable
class Trainable(Protocol):
    """Learns from games against itself."""

    def learner(self) -> Learner:
        """Return what learns its weights."""


@runtime_checkable
class Warmable(Protocol):
    """Has compiled code that a search with the least budget does not use."""

    def warm(self) -> None:
        """Compile that code."""
