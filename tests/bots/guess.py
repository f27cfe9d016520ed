"""A tiny game with chance and a secret, which samples its states: who has the higher card?"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

from kemu.core.document import Document
from kemu.core.errors import IllegalAction
from kemu.core.game import CHANCE, Choice, Outcome, Seat

CARDS = range(1, 8)


class State(NamedTuple):
    cards: tuple[int, ...] = ()
    guess: str = ""


@dataclass(frozen=True)
class Guess:
    """Each seat gets one of seven cards; seat 0 sees its own and says whether it is the higher one."""

    key: ClassVar[str] = "guess"
    seats: ClassVar[int] = 2

    def initial(self) -> State:
        return State()

    def turn(self, state: State) -> Seat | None:
        return None if state.guess else CHANCE if len(state.cards) < 2 else 0

    def actions(self, state: State) -> Sequence[str]:
        if len(state.cards) < 2:
            return tuple(str(card) for card in CARDS if card not in state.cards)
        return () if state.guess else ("higher", "lower")

    def odds(self, state: State) -> Sequence[tuple[str, Fraction]]:
        dealt = self.actions(state) if self.turn(state) == CHANCE else ()
        return [(card, Fraction(1, len(dealt))) for card in dealt]

    def apply(self, state: State, action: str) -> State:
        if action not in self.actions(state):
            raise IllegalAction("Not now.")
        return State(state.cards, action) if self.turn(state) == 0 else State((*state.cards, int(action)))

    def outcome(self, state: State) -> Outcome | None:
        if not state.guess:
            return None
        higher = state.cards[0] > state.cards[1]
        return Outcome((0 if (state.guess == "higher") == higher else 1,), "guessed")

    def view(self, state: State, seat: Seat) -> object:
        shown = [card if owner == seat else None for owner, card in enumerate(state.cards)]
        return {"cards": shown, "guess": state.guess}

    def seen(self, state: State, action: str, seat: Seat) -> str:
        return "?" if self.turn(state) == CHANCE and len(state.cards) != seat else action

    def sample_state(self, view: Any, log: Sequence[str], source: Choice) -> State:
        hidden = source.sample([card for card in CARDS if card not in view["cards"]], k=2)
        return State(tuple(card or hidden.pop() for card in view["cards"]), view["guess"])

    def format(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        return text

    def encode(self, state: State) -> Document:
        return {"cards": list(state.cards), "guess": state.guess}

    def decode(self, document: Document) -> State:
        return State(tuple(document["cards"]), document["guess"])
