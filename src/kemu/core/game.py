"""The protocol of games: frozen states, frozen actions, and pure functions between them."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Protocol, TypeAlias, TypeVar, runtime_checkable

from kemu.core.document import Document, quote
from kemu.core.errors import UnknownSeat

Seat: TypeAlias = int

CHANCE: Final = -1
"""The dealer: owns every deal and draw."""

SPECTATOR: Final = -2
"""A viewer with no seat."""

S = TypeVar("S", bound=Hashable)
A = TypeVar("A", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended; a draw has no winners."""

    winners: tuple[Seat, ...]
    reason: str
    scores: tuple[Fraction, ...] | None = None
    # The points that decided it, for an interface to show; two outcomes are equal without them.
    at: tuple[str, ...] = field(default=(), compare=False)

    def shares(self, seats: int) -> tuple[float, ...]:
        """Return the part of the victory that each seat got; winners share it, and a draw is shared by all.

        Args:
            seats: How many seats the game has.

        Returns:
            A number from 0 to 1 for each seat; their sum is 1.
        """
        winners = self.winners or tuple(range(seats))
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))

    def encode(self) -> Document:
        """Return this outcome as a JSON object.

        Returns:
            `winners`, `reason`, `scores` and `at`; scores are texts such as "21/2".
        """
        return {
            "winners": list(self.winners),
            "reason": self.reason,
            "scores": None if self.scores is None else [str(score) for score in self.scores],
            "at": list(self.at),
        }


class Game(Hashable, Protocol[S, A]):
    """The rules of one game with its options chosen, a frozen and hashable value; see docs/add-a-game.md."""

    @property
    def key(self) -> str: ...

    @property
    def seats(self) -> int: ...

    def initial(self) -> S:
        """Return the first state.

        Returns:
            The state before the first action.
        """

    def turn(self, state: S) -> Seat | None:
        """Return the seat to act.

        Returns:
            A seat, `CHANCE` for the dealer, None once the game is over.
        """

    def actions(self, state: S) -> Sequence[A]:
        """Return the legal actions.

        Returns:
            Every legal action in a stable order; empty once the game is over.
        """

    def odds(self, state: S) -> Sequence[tuple[A, Fraction]]:
        """Return the chances of the dealer's actions.

        Returns:
            Each action with its exact probability, in the order of `actions`; empty when it is not the dealer's turn.
        """

    def apply(self, state: S, action: A) -> S:
        """Take an action; the state that it is taken in stays as it was.

        Returns:
            The state after the action.

        Raises:
            IllegalAction: The rules do not allow the action in this state.
        """

    def outcome(self, state: S) -> Outcome | None:
        """Return the outcome of the game.

        Returns:
            The outcome, None while the game is running.
        """

    def view(self, state: S, seat: Seat) -> object:
        """Return all that a seat may know now, ready for JSON.

        In an open game (`hidden` of the manifest is false) a view is a JSON object whose field "position" is a position
        document: `decode(view["position"])` has the same actions and the same future, so programs can search it.

        Args:
            state: A state of this game.
            seat: Who looks; `SPECTATOR` knows no more than any seat.

        Returns:
            A value that JSON can carry.

        Raises:
            UnknownSeat: There is no such seat.
        """

    def seen(self, state: S, action: A, seat: Seat) -> str:
        """Return the log line that a seat gets for an action.

        Args:
            state: The state in which the action is taken.
            action: A legal action.
            seat: Who is told.

        Returns:
            One line for the log of this seat.
        """

    def format(self, action: A) -> str:
        """Return the text of an action.

        Returns:
            A short text that `parse` reads back; every action has exactly one.
        """

    def parse(self, text: str) -> A:
        """Return the action of a text; whether it is legal, `apply` tells.

        Returns:
            The action.

        Raises:
            ParseError: The text is no action of this game.
        """

    def encode(self, state: S) -> Document:
        """Return the position document of a state.

        Returns:
            A JSON object that `decode` reads back.
        """

    def decode(self, document: Document) -> S:
        """Return the state of a position document.

        Returns:
            The state.

        Raises:
            ParseError: The document is not one of this game, or its position is impossible.
        """


AnyGame: TypeAlias = Game[Any, Any]

_Rules = TypeVar("_Rules", bound=type)


def documented(rules: _Rules) -> _Rules:
    """Give the methods of a class of rules that have no docstring those of `Game`, so that `help` explains them."""
    for name, method in vars(rules).items():
        if callable(method) and not method.__doc__ and hasattr(Game, name):
            method.__doc__ = getattr(Game, name).__doc__
    return rules


def check_viewer(game: AnyGame, seat: Seat) -> None:
    """Raise UnknownSeat unless a view is for a seat of the game, the dealer or a spectator."""
    if seat not in range(SPECTATOR, game.seats):
        raise UnknownSeat(f"The seats of {game.key} are 0 to {game.seats - 1} here, not {quote(seat)}.")


AnyView: TypeAlias = Any
"""A view of a game that is not known here; a game that is known has a TypedDict of its views."""


class Choice(Protocol):
    """A source of random numbers, such as random.Random; rules never make one themselves."""

    def choice(self, values: Sequence[Any], /) -> Any: ...

    def sample(self, values: Sequence[Any], /, k: int) -> list[Any]: ...


@runtime_checkable
class SamplesStates(Protocol):
    """Optional part of the rules of a game with hidden information, so that it can be searched without an engine."""

    def sample_state(self, view: AnyView, log: Sequence[str], source: Choice) -> Any:
        """Draw a state with this view after this log of the same seat; what it hides is as likely as the log allows."""


def options(game: AnyGame) -> dict[str, Any]:
    """Return the options a game was made with, ready for JSON."""
    assert is_dataclass(game), "a game is a frozen dataclass whose fields are its options"
    return {option.name: getattr(game, option.name) for option in fields(game)}


@dataclass(frozen=True)
class Symmetry:
    """A way to turn or mirror states that changes nothing but names of places.

    What is legal, whose turn it is and how the game ends is the same in a state and in its image, and taking the image
    of an action in the image of a state gives the image of what follows; `kemu.core.laws` checks it.
    """

    state: Callable[[Any], Any]
    action: Callable[[Any], Any]


IDENTITY: Final = Symmetry(lambda state: state, lambda action: action)
"""Changes nothing; the one symmetry of a game that names no module."""


class SymmetryRules(Protocol):
    """The symmetry module of a game."""

    def symmetries(self, game: AnyGame) -> Sequence[Symmetry]:
        """Return all symmetries of a game with its options: a group, the identity among them."""


class SeriesRules(Protocol):
    """The series module of a game."""

    LENGTHS: Mapping[str, int]
    """The lengths that have a name: how many won games win the series."""

    def following(self, game: AnyGame, state: Any, outcome: Outcome) -> tuple[AnyGame, tuple[Seat, ...]]:
        """Return the next game with its options, and for each of its seats the seat its player had before.

        The outcome may come from the players instead of the rules, so the state need not be over.
        """

    def starters(self, game: AnyGame) -> tuple[AnyGame, ...]:
        """Return the game once for each seat that may start it, where that is an option; for matches that are fair."""


class SeatsRotate:
    """The series of a game without a series module: the same game again, and every player moves up by one seat."""

    LENGTHS: Mapping[str, int] = MappingProxyType({})

    def following(self, game: AnyGame, state: Any, outcome: Outcome) -> tuple[AnyGame, tuple[Seat, ...]]:
        """Return the same game; the player of the first seat goes to the last one, so that each starts in turn."""
        return game, (*range(1, game.seats), 0)

    def starters(self, game: AnyGame) -> tuple[AnyGame, ...]:
        """Return the game itself: who starts is no option."""
        return (game,)
