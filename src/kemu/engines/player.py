"""What an engine offers to bots and programs: one EnginePlayer for each game, named by its manifest."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from typing import Any, Final, Protocol, TypeAlias

from kemu.core.bot import Bot
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Seat
from kemu.engines.analysis import Analysis, Budget, Prediction, RescueAnalysis, ThreatAnalysis, Verdict
from kemu.engines.learning import Learner
from kemu.engines.puzzles import PuzzleFinder

ONE_SECOND: Final = Budget(ms=1000)
"""What the highest level of every game takes."""

NEEDS_SEARCH: Final = inf
"""The difficulty of what no quick choice can notice."""


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
    """The chance that a quick choice with this attention notices something of this difficulty, 0 being plain to see."""
    return 0.0 if difficulty == NEEDS_SEARCH else float(attention**difficulty)


def searching(nodes: int, **rest: Any) -> Level:
    """A level with a budget in nodes."""
    return Level(Budget(nodes=nodes), **rest)


def quick(attention: float) -> Level:
    """A level that never searches."""
    return searching(1, slip=1.0, attention=attention)


def with_elo(levels: Sequence[Level], elos: Sequence[int]) -> tuple[Level, ...]:
    """A ladder from the weakest level to the strongest, each with its Elo above the weakest."""
    return tuple(replace(level, elo=elo) for level, elo in zip(levels, elos, strict=True))


class Analyst(Protocol):
    """Finds the best actions for whoever has this view and this log."""

    def analyse(self, view: Any, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        """The best lines, the best one first; with a budget in nodes the same question gets the same answer."""

    def state(self, view: Any) -> Any:
        """A state with this view; what the view hides may be anything that is possible."""


Maker: TypeAlias = Callable[[AnyGame, int | None], Bot]
"""Makes a bot from game and seed."""

SearchingMaker: TypeAlias = Callable[[AnyGame, int | None, Budget], Bot]
"""Makes a bot from game, seed and budget."""

QuickChoice: TypeAlias = Callable[[Any, Any, Sequence[Any], float, random.Random], Any]
"""An action from game, view, legal actions, attention and a source of random numbers, without a search."""


class SolvedGame(Protocol):
    """All states of a solved game with their values."""

    def census(self) -> Any:
        """The solution in numbers, as a dataclass."""

    def line(self, state: Any) -> Sequence[Any]:
        """A line of perfect play from a state."""

    def value(self, state: Any) -> tuple[str, int | None]:
        """What a state is for the side to act, "win", "draw" or "loss", and the plies to the end, None for a draw."""


Progress: TypeAlias = Callable[[str, int], None]
"""Is called now and then with what is being done and how many states are done."""


@dataclass(frozen=True)
class Recall:
    """For games with secrets: the view of a seat from its log."""

    hides: Callable[[str], bool]  # whether a line of a log hides something, so that no record holds it
    view: Callable[[Any, Seat, Sequence[str], int], Any]  # from game, seat, log and seed; raises KemuError


@dataclass(frozen=True)
class Theorems:
    """What an engine can prove of its game, as texts of certificates, see `kemu.certificates`.

    A goal is the text of a statement that is not proved yet. Its search has leaves, which can be worked on apart.
    """

    prove_again: Callable[[], Iterator[tuple[str, str]]]  # name and text of every certificate that comes with Kemu
    next_goal: str
    leaves: Callable[[str], Sequence[str]]  # the leaves of a goal; raises OptionError if the text is none
    prove_leaf: Callable[[str], str | None]  # the proof of goal and leaf, with a space between, None if none is found
    join: Callable[[str, Mapping[str, str]], str]  # the certificate of a goal from the proofs of all its leaves


@dataclass(frozen=True)
class ReviewBudget:
    """Nodes for each position of a review: in its first pass and in its second."""

    first: int = 30
    second: int = 300


def no_motifs(game: AnyGame) -> Mapping[str, float]:
    """Of a quick choice that sees nothing."""
    return {}


@dataclass(frozen=True)
class EnginePlayer:
    """All that an engine can do for one game; nothing slow to import is imported before it is used."""

    levels: Callable[[AnyGame], Sequence[Level]]  # the ladder, from the weakest to the strongest; at most eight
    quick_choice: QuickChoice
    analyst: Callable[[AnyGame, int | None, int], Analyst]  # from game, depth and threads
    # From game: by name what a quick choice may notice, and how difficult that is, see chance_to_notice.
    motifs: Callable[[AnyGame], Mapping[str, float]] = no_motifs
    bots: Mapping[str, Maker] = field(default_factory=dict)  # bots beside the ladder, by name
    searching_bots: Mapping[str, SearchingMaker] = field(default_factory=dict)  # those that take a budget
    solution: Callable[[AnyGame, Progress | None], SolvedGame] | None = None  # None: the game is not solved
    # How many states are looked at before the first answer; None: none, because it searches or reads a table.
    states_to_solve: Callable[[AnyGame], int] | None = None
    recall: Recall | None = None
    # From game and state of an open game; None: the turns are played out by the rules, see engines/whole_turns.py.
    threats: Callable[[AnyGame, Any], ThreatAnalysis[Any]] | None = None
    theorems: Callable[[], Theorems] | None = None
    warm: Callable[[], None] | None = None  # compiles what a search with the least budget does not use
    # From game, all states and the seat that lost; None: the decisions are judged by `threats`.
    rescue: Callable[[AnyGame, Sequence[Any], Seat], RescueAnalysis[Any] | None] | None = None
    # The expected score from 0 to 1 for the value of a line, fitted by bench/calibration.py; None: (1 + value) / 2.
    expected_score: Callable[[AnyGame, float], float] | None = None
    # What is proved of a state of an open game for the seat to act, None if nothing is.
    verdict: Callable[[AnyGame, Any, Budget], Verdict | None] | None = None
    review: ReviewBudget = ReviewBudget()
    # From game and state of an open game: by area the tiles to expect there, from -1, all of seat 1, to 1, of seat 0.
    ownership: Callable[[AnyGame, Any], Mapping[str, float]] | None = None
    # From game and state of an open game; None where there is nothing to predict yet.
    prediction: Callable[[AnyGame, Any], Prediction | None] | None = None
    # From game, view and log of a seat: how likely the next card drawn is of each kind, as this seat knows it.
    draw_odds: Callable[[AnyGame, Any, Sequence[str]], Mapping[str, float]] | None = None
    puzzles: Callable[[], PuzzleFinder] | None = None
    # From game, view and action: the one that a search tells of several that come to the same; None: it tells all.
    alike: Callable[[AnyGame, Any, Any], Any] | None = None
    learner: Callable[[], Learner] | None = None  # None: nothing of this engine is learned


def require_one_thread(game: AnyGame, threads: int) -> None:
    """Raise OptionError if a game whose search knows no threads is to be searched by several."""
    if threads != 1:
        raise OptionError(f"{game.key} is searched by one thread, not {threads}.")
