"""What an engine offers for puzzles: positions in which one action is the only right one, with what proves it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal

from kemu.core.document import Document
from kemu.core.errors import KemuError
from kemu.core.game import AnyGame

Verifier = Callable[[str], object]
"""Takes the text of a certificate and raises ValueError if it proves nothing, see `kemu.engines.certificates`."""

Goal = Literal["win", "draw", "save", "best"]
"""What the only right action does: it wins, draws, avoids a loss that every other one allows, or is the best by far."""


class UnsoundPuzzle(KemuError, code="unsound-puzzle"):
    """A claim of a puzzle cannot be proved."""


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


@dataclass(frozen=True)
class PuzzleFinder:
    """Finds puzzles of one game and proves them again."""

    themes: tuple[str, ...]
    options: tuple[Mapping[str, Any], ...]  # the sets of options for which puzzles are made
    bots: tuple[str, ...]  # whose games are searched; none: `find` is called once for each set of options
    find: Callable[[AnyGame, Sequence[str], int], Iterator[FoundPuzzle]]  # from game, actions of a record and seed
    # From game, puzzle and what gives a certificate to a verifier: proves every claim again and raises UnsoundPuzzle.
    check: Callable[[AnyGame, FoundPuzzle, Verifier], None]
    canonical: Callable[[FoundPuzzle], str]  # the same text for puzzles that a symmetry turns into each other
    shipped: Path  # the puzzles that come with Kemu
    alike_share: Fraction = Fraction(1, 3)  # of the puzzles of a set of options, how many may have the same themes
