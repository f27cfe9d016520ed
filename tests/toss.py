"""The smallest game with chance and a secret, for tests of what serves every game."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, Outcome, Seat


@dataclass(frozen=True)
class Toss:
    """A coin is tossed, heads up or down; only seat 0 may look; then seat 0 says done."""

    blind: bool = True

    key: ClassVar[str] = "toss"
    seats: ClassVar[int] = 1

    def initial(self) -> str:
        return "start"

    def turn(self, state: str) -> Seat | None:
        return {"start": CHANCE, "end": None}.get(state, 0)

    def actions(self, state: str) -> Sequence[str]:
        return {"start": ("h", "t"), "end": ()}.get(state, ("done",))

    def odds(self, state: str) -> Sequence[tuple[str, Fraction]]:
        return (("h", Fraction(1, 2)), ("t", Fraction(1, 2))) if state == "start" else ()

    def apply(self, state: str, action: str) -> str:
        if action not in self.actions(state):
            raise IllegalAction("Not now.")
        return "end" if action == "done" else action

    def outcome(self, state: str) -> Outcome | None:
        return Outcome((), "done") if state == "end" else None

    def view(self, state: str, seat: Seat) -> object:
        return "hidden" if self.blind else state

    def seen(self, state: str, action: str, seat: Seat) -> str:
        return action

    def format(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        return text

    def encode(self, state: str) -> dict[str, Any]:
        return {"state": state}

    def decode(self, document: dict[str, Any]) -> str:
        return str(document["state"])
