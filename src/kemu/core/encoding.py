"""Actions, views and log lines of a game as numbers, for programs that learn: the interface that each game implements.

Adapters, batches and data sets are all made from the encoding that a game names in its manifest.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Protocol, runtime_checkable

from kemu.core.game import CHANCE, AnyGame, AnyView, Outcome, Seat


class Encoding(Hashable, Protocol):
    """The numbers of one game with its options chosen; a frozen, hashable value that is made from the game."""

    @property
    def game(self) -> AnyGame:
        """The game with its options."""

    @property
    def most_seats(self) -> int:
        """How many seats the game has with the options for most players."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of an observation."""

    @property
    def hidden_lines(self) -> Sequence[str]:
        """The log lines that are the text of no action, because they hide it."""

    def longest(self, first: Any) -> int:
        """Return the number of actions, including chance, after which adapters truncate a game as a draw.

        It is at least any limit of the rules.
        """

    def actions(self, seat: Seat) -> Sequence[Any]:
        """Return every action that a seat, or CHANCE, can ever take; the id of an action is its place here.

        All seats have equally many, and actions that mean the same to each seat have the same id.
        """

    def observation(self, view: AnyView, seat: Seat) -> bytes:
        """Return a view of a seat as numbers from 0 to 255 in the order of `shape`, row by row."""


@lru_cache(maxsize=256)
def action_ids(encoding: Encoding, seat: Seat) -> Mapping[Any, int]:
    """Return the id of each action of a seat, or of CHANCE."""
    return {action: number for number, action in enumerate(encoding.actions(seat))}


@lru_cache(maxsize=32)
def line_ids(encoding: Encoding) -> Mapping[str, int]:
    """Return a number from 1 on for each line that a log of this game can hold."""
    return {line: number for number, line in enumerate(dict.fromkeys(_lines(encoding)), start=1)}


def _lines(encoding: Encoding) -> Iterator[str]:
    for seat in (CHANCE, *range(encoding.game.seats)):
        yield from (encoding.game.format(action) for action in encoding.actions(seat))
    yield from encoding.hidden_lines


@runtime_checkable
class PaysScores(Protocol):
    """Optional part of an encoding: what the ends of a game are worth, where a win is not simply a win."""

    @property
    def payoff_range(self) -> tuple[float, float]:
        """The least and the greatest payoff of a seat."""

    @property
    def payoff_sum(self) -> float | None:
        """What the payoffs of all seats add up to, None if that differs."""

    def payoffs(self, outcome: Outcome) -> Sequence[float]:
        """Return the payoff of each seat."""


def returns(outcome: Outcome, seats: int) -> tuple[float, ...]:
    """Return the rewards of all seats; they sum to 0, and an unshared win is worth 1."""
    return tuple((seats * share - 1) / (seats - 1) for share in outcome.shares(seats))


def payoffs(encoding: Encoding, outcome: Outcome) -> tuple[float, ...]:
    """Return what an outcome is worth to each seat: what the encoding pays, or else the shares of the victory."""
    if isinstance(encoding, PaysScores):
        return tuple(encoding.payoffs(outcome))
    return returns(outcome, encoding.game.seats)


def payoff_bounds(encoding: Encoding) -> tuple[float, float, float | None]:
    """Return the least and the greatest payoff of a seat, and the sum of all, None if that differs."""
    if isinstance(encoding, PaysScores):
        return (*encoding.payoff_range, encoding.payoff_sum)
    return -1.0 / (encoding.game.seats - 1), 1.0, 0.0
