"""Two players say good, bad or blind in turn, for ever; bad breaks the rules, blind breaks the next view."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from kemu.core.document import Document
from kemu.core.errors import IllegalAction
from kemu.core.game import Outcome, Seat

WORDS = ("good", "bad", "blind")


@dataclass(frozen=True)
class Broken:
    """The state is all that was said."""

    key: ClassVar[str] = "broken"
    seats: ClassVar[int] = 2

    def initial(self) -> tuple[str, ...]:
        return ()

    def turn(self, state: tuple[str, ...]) -> Seat | None:
        return len(state) % 2

    def actions(self, state: tuple[str, ...]) -> Sequence[str]:
        return WORDS

    def odds(self, state: tuple[str, ...]) -> Sequence[tuple[str, Fraction]]:
        return ()

    def apply(self, state: tuple[str, ...], action: str) -> tuple[str, ...]:
        if action not in WORDS:
            raise IllegalAction("Say good, bad or blind.")
        if action == "bad":
            raise ZeroDivisionError("a secret in the text of an error")
        return (*state, action)

    def outcome(self, state: tuple[str, ...]) -> Outcome | None:
        return None

    def view(self, state: tuple[str, ...], seat: Seat) -> object:
        if state and state[-1] == "blind":
            raise ZeroDivisionError("a secret in the text of an error")
        return list(state)

    def seen(self, state: tuple[str, ...], action: str, seat: Seat) -> str:
        return action

    def format(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        return text

    def encode(self, state: tuple[str, ...]) -> Document:
        return {"said": list(state)}

    def decode(self, document: Document) -> tuple[str, ...]:
        return tuple(document["said"])
