"""What a game is: frozen states, frozen actions, and pure functions between them."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from fractions import Fraction
from typing import Any, Final, Protocol, TypeAlias, TypeVar, runtime_checkable

from kemu.core.document import Document

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
        """The part of the victory that each of so many seats got; winners share it, and a draw is shared by all."""
        winners = self.winners or tuple(range(seats))
        return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(seats))

    def encode(self) -> Document:
        """This outcome as a JSON object; scores are texts such as "21/2"."""
        return {
            "winners": list(self.winners),
            "reason": self.reason,
            "scores": None if self.scores is None else [str(score) for score in self.scores],
            "at": list(self.at),
        }


class Game(Protocol[S, A]):
    """The rules of one game with its options chosen; see docs/add-a-game.md."""

    @property
    def key(self) -> str: ...

    @property
    def seats(self) -> int: ...

    def initial(self) -> S:
        """The state before the first action."""

    def turn(self, state: S) -> Seat | None:
        """Who acts now, `CHANCE` for the dealer, None once the game is over."""

    def actions(self, state: S) -> Sequence[A]:
        """Every legal action in a stable order; empty once the game is over."""

    def odds(self, state: S) -> Sequence[tuple[A, Fraction]]:
        """Each action of the dealer with its probability; empty when it is not the dealer's turn."""

    def apply(self, state: S, action: A) -> S:
        """The state after a legal action, or IllegalAction."""

    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, None while it goes on."""

    def view(self, state: S, seat: Seat) -> object:
        """All that a seat may know now, ready for JSON.

        In an open game (`hidden` of the manifest is false) a view is a JSON object whose field "position" is a position
        document: `decode(view["position"])` has the same actions and the same future, so that programs can search it.
        """

    def seen(self, state: S, action: A, seat: Seat) -> str:
        """What a seat is told of an action taken in this state: its line in the log."""

    def format(self, action: A) -> str:
        """The text of an action."""

    def parse(self, text: str) -> A:
        """The action of a text, or ParseError."""

    def encode(self, state: S) -> Document:
        """The position document of a state."""

    def decode(self, document: Document) -> S:
        """The state of a position document, or ParseError."""


AnyGame: TypeAlias = Game[Any, Any]


class Choice(Protocol):
    """A source of random numbers, such as random.Random; rules never make one themselves."""

    def choice(self, values: Sequence[Any], /) -> Any: ...

    def sample(self, values: Sequence[Any], /, k: int) -> list[Any]: ...


@runtime_checkable
class SamplesStates(Protocol):
    """What the rules of a game with secrets may offer besides, so that it can be searched without an engine."""

    def sample_state(self, view: Any, log: Sequence[str], source: Choice) -> Any:
        """Some state with this view after this log of the same seat; what it hides is as likely as the log allows."""


def options(game: AnyGame) -> dict[str, Any]:
    """The options a game was made with, ready for JSON."""
    assert is_dataclass(game), "a game is a frozen dataclass whose fields are its options"
    return {option.name: getattr(game, option.name) for option in fields(game)}
