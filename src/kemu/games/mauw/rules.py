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
from kemu.games.mauw import documents, turns, views
from kemu.games.mauw.actions import Action, DiscardHand, PlayCard, format_action, is_action, parse_action
from kemu.games.mauw.state import (
    CARD_NAMES,
    ENDS,
    FULL_COLUMNS,
    LEFT_OUT,
    LETTERS,
    NINE,
    NO_FACE,
    SPIRIT,
    State,
    Step,
    card_of,
    full_columns,
    gain_columns,
    has_warrior,
    initial_state,
    place_name,
    score,
)


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
        return initial_state(self.players)

    def turn(self, state: State) -> Seat | None:
        return turns.to_act(state)

    def actions(self, state: State) -> Sequence[Action]:
        return turns.legal_actions(state)

    def odds(self, state: State) -> Sequence[tuple[Action, Fraction]]:
        return turns.odds(state)

    def apply(self, state: State, action: Action) -> State:
        if not is_action(action, self.players) or not turns.is_legal(state, action):
            raise IllegalAction(_refusal(state, action))
        return turns.apply(state, action)

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
                if len(full_columns(zone)) >= FULL_COLUMNS
                for column in full_columns(zone)
            ),
        )

    def view(self, state: State, seat: Seat) -> views.View:
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


# Why an action is illegal, in one sentence that says no more than the acting seat knows.


def _refusal(state: State, action: Action) -> str:
    if not is_action(action, len(state.hands)):
        return f"{quote(action)} is no action of this game."
    text, step = format_action(action), state.step
    if step.name == "turn":
        return _play_refusal(state, action)
    if step.name in ENDS:
        return "The game is over."
    if step.name in turns.DEALT:
        # Which cards are left in the pile is secret, so there is one sentence for them all.
        return f"The dealer gives a card now, and {text} is not one that can be given."
    if step.name == "put":
        columns = " or ".join(f"+{LETTERS[column]}" for column in gain_columns(state.zones[state.turn]))
        return f"Player {state.turn + 1} is to put the gain down with {columns}, not {text}."
    seat = step.owner if step.name == "defend" else state.turn
    return f"Player {seat + 1} {_answers(step)}, not {text}."


def _answers(step: Step) -> str:
    """What may be answered in an attack."""
    if step.name == "press" and step.attacks >= turns.MOST_ATTACKS:
        return f"can only give in with - after {turns.MOST_ATTACKS} attacking cards"
    verb = "defends" if step.name == "defend" else "goes on attacking"
    return f"{verb} with !{step.face % 10} or !m from the hand, or gives in with -"


def _play_refusal(state: State, action: Action) -> str:
    """Why this is no play for the player whose turn it is."""
    player = f"Player {state.turn + 1}"
    if isinstance(action, DiscardHand):
        return f"{player} can play a card, and x is legal only if nothing else is."
    if not isinstance(action, PlayCard):
        return f"{player} is to play a card, such as 7>1B, not {format_action(action)}."
    played = card_of(action.face)
    if played not in state.hands[state.turn]:
        return f"{player} holds no {CARD_NAMES[played]}."
    return _column_refusal(state, action)


def _column_refusal(state: State, play: PlayCard) -> str:
    """Why the card cannot lie on the column: one sentence for each of R2 and R3."""
    column = state.zones[play.owner][play.column]
    place = place_name(play.owner, play.column)
    if has_warrior(column):
        value = column.top % 10
        return f"On the {value} of {place} goes only a {value} or a {NINE - value}."
    if column.top != NO_FACE:
        return f"On the spirit of {place} goes only a spirit of player {play.owner + 1}, who is blocked by it."
    if play.owner != state.turn:
        return f"Nothing goes on the enemy's empty place {place}."
    assert play.face % 10 == SPIRIT
    return f"A spirit goes neither on an own empty place nor on own bare Mauw, as {place} is."
