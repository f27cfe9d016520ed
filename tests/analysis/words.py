"""A game of any words, so that trees and texts meet every action a game may have."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from kemu.core.document import Document, read_text
from kemu.core.game import Outcome, Seat
from kemu.core.manifest import Manifest
from kemu.games import register, unregister

MANIFEST = Manifest(
    "words", "Words", "any word", "Say a word.", "tests.analysis.words:Words", "kemu.games.mu_torere.text"
)


@dataclass(frozen=True)
class Words:
    """Whoever is next says a word; a state is the last one."""

    key: ClassVar[str] = "words"
    seats: ClassVar[int] = 1

    def initial(self) -> str:
        return ""

    def turn(self, state: str) -> Seat | None:
        return 0

    def actions(self, state: str) -> Sequence[str]:
        return ("a", "b")

    def odds(self, state: str) -> Sequence[tuple[str, Fraction]]:
        return ()

    def apply(self, state: str, action: str) -> str:
        return action

    def outcome(self, state: str) -> Outcome | None:
        return None

    def view(self, state: str, seat: Seat) -> object:
        return {"position": self.encode(state)}

    def seen(self, state: str, action: str, seat: Seat) -> str:
        return action

    def format(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        return text

    def encode(self, state: str) -> Document:
        return {"word": state}

    def decode(self, document: Document) -> str:
        return read_text(document["word"], "'word'")


@contextmanager
def words_registered() -> Iterator[None]:
    """The game is there for a while."""
    register(MANIFEST)
    try:
        yield
    finally:
        unregister("words")
