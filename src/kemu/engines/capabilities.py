"""The capabilities of engines: small protocols, of which the engine of a game has those it has.

The manifest of a game names its player, a module or other object with the functions of `EnginePlayer` and of as many
other protocols as it likes. `kemu.bots.engines.capability` asks for one of them. A player imports nothing slow before
it is used.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import inf
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeAlias, runtime_checkable

from kemu.core.bot import Bot
from kemu.core.document import Document
from kemu.core.errors import KemuError, OptionError
from kemu.core.game import AnyGame, AnyView, Seat
from kemu.engines.analysis import Analysis, Budget, Forecast, RescueAnalysis, ThreatAnalysis

ONE_SECOND: Final = Budget(ms=1000)
"""Budget of the highest level of every game."""

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

    def analyse(self, view: AnyView, log: Sequence[str], budget: Budget, lines: int, seed: int) -> Analysis[Any]:
        """Return the best lines, the best one first; with a budget in nodes the same question gets the same answer."""

    def state(self, view: AnyView) -> Any:
        """Return a state with this view; what the view hides may be anything that is possible."""


class EnginePlayer(Protocol):
    """Plays a game at several levels; every engine has this."""

    def levels(self, game: AnyGame) -> Sequence[Level]:
        """Return the ladder, from the weakest to the strongest; at most eight."""

    def quick_choice(
        self, game: Any, view: AnyView, actions: Sequence[Any], attention: float, dice: random.Random
    ) -> Any:
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


Maker: TypeAlias = Callable[[Any, int | None], Bot]
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

    def solution(self, game: Any, progress: Progress | None = None) -> SolvedGame:
        """Return the strong solution."""

    def states_to_solve(self, game: Any) -> int:
        """Return how many states are looked at before the first answer."""


class Theorems(Protocol):
    """The theorems of an engine, as texts of certificates, see `kemu.engines.certificates`; a module.

    A goal is the text of a statement that is not proved yet. Its search has leaves, which can be worked on apart.
    """

    NEXT_GOAL: str

    def prove_again(self) -> Iterator[tuple[str, str]]:
        """Return name and text of every certificate that comes with Kemu, found by new searches."""

    def goal_leaves(self, goal: str) -> Sequence[str]:
        """Return the leaves of a goal; raises OptionError if the text is not a goal."""

    def prove_leaf(self, text: str) -> str | None:
        """Return the proof of goal and leaf, with a space between, None if none is found."""

    def join_leaves(self, goal: str, proofs: Mapping[str, str]) -> str:
        """Return the certificate of a goal from the proofs of all its leaves."""


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

    def draw_odds(self, game: Any, view: AnyView, log: Sequence[str]) -> Mapping[str, float]:
        """Return how likely the next card drawn is of each kind, as the seat of this view and log knows it."""

    def alike(self, game: AnyGame, view: AnyView, action: Any) -> Any:
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


# Puzzles: positions in which one action is the only right one, with what proves it


Verifier = Callable[[str], object]
"""Takes the text of a certificate and raises ValueError if it proves nothing, see `kemu.engines.certificates`."""

Goal = Literal["win", "draw", "save", "best"]
"""Effect of the only right action: it wins, draws, avoids a loss that every other one allows, or is the best by far."""


class UnsoundPuzzle(KemuError, code="unsound-puzzle"):
    """Raised when a claim of a puzzle cannot be proved."""


@dataclass(frozen=True)
class PuzzleStep:
    """One action of the solver, what follows it, and the reply that refutes each other action."""

    action: str
    replies: tuple[str, ...]  # the actions until the solver acts again; none after his last action
    refutations: Mapping[str, str]  # by wrong action; "" where the solver acts again or the game is over


@dataclass(frozen=True)
class FoundPuzzle:
    """A puzzle as an engine finds it.

    `tree` is a solution that covers every reply: `{"do": action, "then": {reply: node, …}, "else": node}`, where `else`
    is for all replies that are not named; None where it is too large to keep or where the claim is no win.
    `certificate` is the proof that the solver does not lose, in the form of docs/certificates.md without its head.
    """

    options: Mapping[str, Any]
    position: Document  # of a game with secrets: the view of the seat to act
    goal: Goal
    steps: tuple[PuzzleStep, ...]
    themes: tuple[str, ...]
    depth: int  # actions of the solver to the end, or that the opponent's win would take
    grade: int  # the rating to begin with
    tree: Document | None = None
    certificate: str | None = None
    log: tuple[str, ...] = ()  # of a game with secrets: the lines that the seat has seen


class PuzzleFinder(Protocol):
    """Finds puzzles of one game and proves them again; a module."""

    THEMES: tuple[str, ...]
    OPTIONS: tuple[Mapping[str, Any], ...]  # the sets of options for which puzzles are made
    BOTS: tuple[str, ...]  # whose games are searched; none: `find` is called once for each set of options
    ALIKE_SHARE: Fraction  # of the puzzles of a set of options, how many may have the same themes
    SHIPPED: Path  # the puzzles that come with Kemu

    def find(self, game: Any, actions: Sequence[str], seed: int) -> Iterator[FoundPuzzle]:
        """Return the puzzles of a game with the actions of a record."""

    def check(self, game: Any, puzzle: FoundPuzzle, verify: Verifier) -> None:
        """Prove every claim again, and give the certificates to the verifier; raises UnsoundPuzzle."""

    def canonical(self, puzzle: FoundPuzzle) -> str:
        """Return a text that is the same for puzzles that a symmetry turns into each other."""


@runtime_checkable
class PuzzleMaker(Protocol):
    """Finds puzzles."""

    def puzzles(self) -> PuzzleFinder:
        """Return what finds them and proves them again."""


# Learning from games against itself: what `kemu train` asks


class Epoch(NamedTuple):
    """Losses of one pass over all samples."""

    number: int  # from 1
    trained: float  # the mean loss on the games that were trained on
    held_out: float  # the same on games that were not
    weights: bytes


class Learner(Protocol):
    """Learns one game. It is sent to other processes and machines, so it must pickle, best a dataclass without state.

    Weights and samples are files of numpy (npz) as bytes; nobody but the learner looks into them, except that samples
    have an array `game` with the number of its game for each position. Every method gives the same for the same
    arguments, in any process: random numbers come from the seed, budgets are in nodes. All its settings are in its
    repr, by which a training notices that they have changed.
    """

    @property
    def batch_games(self) -> int:
        """How many games a batch has; one batch should take some seconds to a minute."""

    @property
    def options(self) -> Sequence[Mapping[str, Any]]:
        """The options of the games in which weights are tested against each other, in turn."""

    @property
    def opening_actions(self) -> Sequence[int]:
        """How many random actions an opening of those games may have; empty: chance makes the games differ."""

    def weights_in_use(self) -> bytes:
        """The weights with which the engine plays now."""

    def untrained_weights(self) -> bytes:
        """The weights of an engine that has learned nothing, from which `kemu train --reproduce` begins."""

    def play_batch(self, weights: bytes, seed: int) -> bytes:
        """The samples of a batch of whole games of the engine against itself."""

    def fit(self, weights: bytes, samples: Sequence[bytes], epochs: int, seed: int) -> Iterator[Epoch]:
        """Trains weights further on the samples of batches, some games of which are held out; one result an epoch."""

    def bot(self, game: Any, weights: bytes, seed: int) -> Bot:
        """A bot that plays with these weights, with a small budget in nodes."""


class SearchBot:
    """Plays what a search finds, such as one with weights of its own."""

    name: Final = "search"

    def __init__(self, search: Callable[[Any, Sequence[str], int], Any], seed: int) -> None:
        self._search = search  # from view, log and seed to the best action
        self._source = random.Random(seed)

    def choose(self, view: AnyView, log: Sequence[str], actions: Sequence[Any]) -> Any:
        """Return the action that the search finds best."""
        return actions[0] if len(actions) == 1 else self._search(view, log, self._source.getrandbits(32))


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
