"""The rules of MAUW, a card game by Vincent Joassin (2017).

A    B    C    D        The zone of a player: four places, each empty or a column.
4    .    s    .        The one open card on top, if any: a warrior, a spirit or a joker.
#    #    #    #        Under it at most three Mauw, cards that lie face down.
#    #    .    #
#    #    .    #        The top, or 9 on bare Mauw, is doubled by each Mauw:
32 + 72 + 0  + 72 = 176
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from kemu.core.document import Document, quote
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import Outcome, Seat
from kemu.games.mauw import documents, legal, turns, views
from kemu.games.mauw.cards import LEFT_OUT, NONE, deck
from kemu.games.mauw.notation import format_action, is_action, parse_action
from kemu.games.mauw.refusals import refusal
from kemu.games.mauw.state import ANSWER, DEAL, DRAW, EMPTY, ENDS, GIVE_IN, LETTERS, PLAY, PUT, TAKE_MAUW, Action, State
from kemu.games.mauw.zones import FULL_COLUMNS, full, place_name, score


@dataclass(frozen=True)
class Mauw:
    """MAUW for so many players."""

    players: int = 2

    key: ClassVar[str] = "mauw"

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players not in LEFT_OUT:
            raise OptionError(f"players is a number from 2 to 6, not {quote(self.players)}.")

    @property
    def seats(self) -> int:
        return self.players

    def initial(self) -> State:
        zone = (EMPTY,) * len(LETTERS)
        return State(((),) * self.players, (zone,) * self.players, deck(self.players), NONE, 0, 0, DEAL)

    def turn(self, state: State) -> Seat | None:
        return legal.to_act(state)

    def actions(self, state: State) -> Sequence[Action]:
        return legal.actions(state)

    def odds(self, state: State) -> Sequence[tuple[Action, Fraction]]:
        return legal.odds(state)

    def apply(self, state: State, action: Action) -> State:
        if not is_action(action, self.players) or not legal.is_legal(state, action):
            raise IllegalAction(refusal(state, action))
        if action.sign == PLAY:
            return turns.play(state, action)
        if action.sign == DRAW:
            return turns.draw(state, action.face)
        if action.sign == TAKE_MAUW:
            return turns.take(state, action.face)
        if action.sign == PUT:
            return turns.put(state, action.column)
        if action.sign == ANSWER:
            return turns.answer(state, action.face)
        return turns.give_in(state) if action == GIVE_IN else turns.discard_hand(state)

    def outcome(self, state: State) -> Outcome | None:
        if state.step.name not in ENDS:
            return None
        scores = [score(zone) for zone in state.zones]
        return Outcome(
            winners=tuple(seat for seat in range(self.players) if scores[seat] == max(scores)),
            reason=state.step.name,
            scores=tuple(map(Fraction, scores)),
            at=tuple(
                place_name(seat, column)
                for seat, zone in enumerate(state.zones)
                if len(full(zone)) >= FULL_COLUMNS
                for column in full(zone)
            ),
        )

    def view(self, state: State, seat: Seat) -> object:
        return views.view(state, seat)

    def seen(self, state: State, action: Action, seat: Seat) -> str:
        return views.seen(state, action, seat)

    def format(self, action: Action) -> str:
        return format_action(action)

    def parse(self, text: str) -> Action:
        return parse_action(text, self.players)

    def encode(self, state: State) -> Document:
        return documents.encode(state)

    def decode(self, document: Document) -> State:
        return documents.decode(document, self.players)
