"""Kuhn poker: three cards, one bet, hidden hands, and payoffs in chips."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from typing import Any, ClassVar, NamedTuple

from kemu.core.document import quote, read_object, read_text
from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE, SPECTATOR, Outcome, Seat

INK: dict[str, str] = {}
DEALS = tuple("".join(each) for each in permutations("JQK", 2))
HIDDEN = tuple(f"{card}{seat}" for seat in range(2) for card in "JQK")
ENDS = {"pp": 1, "bp": 1, "bb": 2, "pbp": 1, "pbb": 2}


class State(NamedTuple):
    """The cards of both seats and what they did."""

    cards: str = ""
    bets: str = ""


@dataclass(frozen=True)
class Kuhn:
    """Pass or bet."""

    key: ClassVar[str] = "kuhn"
    seats: ClassVar[int] = 2

    def initial(self) -> State:
        return State()

    def turn(self, state: State) -> Seat | None:
        if not state.cards:
            return CHANCE
        return None if state.bets in ENDS else len(state.bets) % 2

    def actions(self, state: State) -> Sequence[str]:
        turn = self.turn(state)
        return () if turn is None else DEALS if turn == CHANCE else ("p", "b")

    def odds(self, state: State) -> Sequence[tuple[str, Fraction]]:
        return [(deal, Fraction(1, 6)) for deal in DEALS] if self.turn(state) == CHANCE else ()

    def apply(self, state: State, action: str) -> State:
        if action not in self.actions(state):
            raise IllegalAction(f"{quote(action)} cannot be done now.")
        return State(state.cards, state.bets + action) if state.cards else State(action)

    def outcome(self, state: State) -> Outcome | None:
        if state.bets not in ENDS:
            return None
        winner = int("JQK".index(state.cards[0]) < "JQK".index(state.cards[1]))
        if state.bets in ("bp", "pbp"):
            winner = 0 if state.bets == "bp" else 1
        won = Fraction(ENDS[state.bets])
        return Outcome((winner,), "showdown", (won, -won) if winner == 0 else (-won, won))

    def view(self, state: State, seat: Seat) -> object:
        over = state.bets in ENDS
        own = state.cards if over else "" if seat == SPECTATOR or not state.cards else state.cards[seat]
        return {"seat": seat, "cards": own, "bets": state.bets, "turn": self.turn(state)}

    def seen(self, state: State, action: str, seat: Seat) -> str:
        if state.cards:
            return action
        return "deal" if seat == SPECTATOR else f"{action[seat]}{seat}"

    def format(self, action: str) -> str:
        return action

    def parse(self, text: str) -> str:
        if text not in (*DEALS, "p", "b"):
            raise ParseError(f"An action is p or b, not {quote(text)}.")
        return text

    def encode(self, state: State) -> dict[str, Any]:
        return {"cards": state.cards, "bets": state.bets}

    def decode(self, document: dict[str, Any]) -> State:
        fields = read_object(document, "A position", ("cards", "bets"))
        found = State(read_text(fields["cards"], "'cards'"), read_text(fields["bets"], "'bets'"))
        if found.cards not in ("", *DEALS) or found.bets not in ("", "p", "b", "pb", *ENDS):
            raise ParseError("There is no such position.")
        return found

    def sample_state(self, view: Any, log: Sequence[str], source: random.Random) -> State:
        others = [deal for deal in DEALS if deal[view["seat"]] == view["cards"]]
        return State(source.choice(others), view["bets"])


@dataclass(frozen=True)
class KuhnEncoding:
    """The own card, and the bets; an end is worth its chips."""

    game: Kuhn
    most_seats: ClassVar[int] = 2
    shape: ClassVar[tuple[int, ...]] = (6,)
    hidden_lines: ClassVar[Sequence[str]] = (*HIDDEN, "deal")
    payoff_range: ClassVar[tuple[float, float]] = (-2.0, 2.0)
    payoff_sum: ClassVar[float | None] = 0.0

    def longest(self, first: State) -> int:
        return 4

    def actions(self, seat: Seat) -> Sequence[str]:
        return DEALS if seat == CHANCE else ("p", "b")

    def observation(self, view: Any, seat: Seat) -> bytes:
        bets = [1 + "pb".index(bet) for bet in view["bets"]]
        return bytes(card in view["cards"] for card in "JQK") + bytes([*bets, 0, 0, 0][:3])

    def payoffs(self, outcome: Outcome) -> Sequence[float]:
        assert outcome.scores is not None, "every end has scores"
        return [float(score) for score in outcome.scores]


def draw(game: Kuhn, view: Any) -> str:
    return f"{view['cards'] or '?'} {view['bets']}"


tell = draw


def explain(game: Kuhn, view: Any, action: str) -> str:
    return "pass" if action == "p" else "bet"


def seat_name(game: Kuhn, seat: Seat) -> str:
    return ("First", "Second")[seat]
