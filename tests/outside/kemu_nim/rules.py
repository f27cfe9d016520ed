"""The rules of Nim: players take one to three sticks in turn; the player who takes the last one wins."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple, TypedDict

from kemu.core.document import quote, read_number, read_object
from kemu.core.errors import IllegalAction, OptionError, ParseError
from kemu.core.game import Outcome, Seat


class State(NamedTuple):
    sticks: int
    turn: Seat


class Position(TypedDict):
    sticks: int
    turn: int


class View(TypedDict):
    position: Position


@dataclass(frozen=True)
class Nim:
    sticks: int = 12

    key: ClassVar[str] = "nim"
    seats: ClassVar[int] = 2

    def __post_init__(self) -> None:
        if type(self.sticks) is not int or not 1 <= self.sticks <= 100:
            raise OptionError(f"sticks is a number from 1 to 100, not {quote(self.sticks)}.")

    def initial(self) -> State:
        return State(self.sticks, 0)

    def turn(self, state: State) -> Seat | None:
        return state.turn if state.sticks else None

    def actions(self, state: State) -> Sequence[int]:
        return range(1, min(3, state.sticks) + 1)

    def odds(self, state: State) -> Sequence[tuple[int, Fraction]]:
        return ()

    def apply(self, state: State, action: int) -> State:
        if action not in self.actions(state):
            raise IllegalAction(f"{quote(action)} sticks cannot be taken from {state.sticks}.")
        return State(state.sticks - action, 1 - state.turn)

    def outcome(self, state: State) -> Outcome | None:
        return None if state.sticks else Outcome((1 - state.turn,), "last-stick")

    # Nothing is hidden in Nim, but every game must say so: view and seen have no default.
    def view(self, state: State, seat: Seat) -> object:
        return {"position": self.encode(state)}

    def seen(self, state: State, action: int, seat: Seat) -> str:
        return self.format(action)

    def format(self, action: int) -> str:
        return str(action)

    def parse(self, text: str) -> int:
        if text not in ("1", "2", "3"):
            raise ParseError(f"An action is 1, 2 or 3, not {quote(text)}.")
        return int(text)

    def encode(self, state: State) -> dict[str, Any]:
        return {"sticks": state.sticks, "turn": state.turn}

    def decode(self, document: dict[str, Any]) -> State:
        fields = read_object(document, "A position", ("sticks", "turn"))
        sticks = read_number(fields["sticks"], "'sticks'", 0, self.sticks)
        return State(sticks, read_number(fields["turn"], "'turn'", 0, 1))
