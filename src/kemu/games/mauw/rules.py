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
from typing import ClassVar, NotRequired, TypedDict

from kemu.core.document import Document, quote
from kemu.core.errors import IllegalAction, OptionError
from kemu.core.game import Outcome, Seat, check_viewer, documented
from kemu.games.mauw import actions, documents, turns
from kemu.games.mauw import state as cards
from kemu.games.mauw.actions import Action, DiscardHand, Draw, PlaceGain, PlayCard, TakeMauw
from kemu.games.mauw.documents import ColumnDocument, StepDocument
from kemu.games.mauw.state import CardName, EndName, State


class View(TypedDict):
    """The view of a seat; `seat` and `hand` are null for a spectator."""

    seat: int | None
    hand: list[CardName] | None  # the own cards, in the order 1…8, s, m
    hands: list[int]  # the number of cards in each hand
    zones: list[list[ColumnDocument]]  # by seat, four columns each
    worths: list[list[int]]  # by seat, what each column is worth
    scores: list[int]
    pile: int  # the number of cards in the pile
    discards: dict[CardName, int]  # how many of each card are on the discard pile; missing cards have no entry
    turn: int  # the seat whose turn it is
    turns: int  # the turns played
    to_act: int | None  # a seat, -1 for the dealer, null once the game is over
    step: StepDocument | None  # null at the start of a turn and once the game is over
    end: EndName | None
    drawer: NotRequired[int]  # who gets the card that the dealer is to give; only there while one is to be drawn


@documented
@dataclass(frozen=True)
class Mauw:
    """The rules of MAUW for two to six players."""

    players: int = 2

    key: ClassVar[str] = "mauw"

    def __post_init__(self) -> None:
        if type(self.players) is not int or self.players not in cards.LEFT_OUT:
            raise OptionError(f"players is a number from 2 to 6, not {quote(self.players)}.")

    @property
    def seats(self) -> int:
        return self.players

    def initial(self) -> State:
        return cards.initial_state(self.players)

    def turn(self, state: State) -> Seat | None:
        return turns.to_act(state)

    def actions(self, state: State) -> Sequence[Action]:
        return turns.legal_actions(state)

    def odds(self, state: State) -> Sequence[tuple[Action, Fraction]]:
        return turns.odds(state)

    def apply(self, state: State, action: Action) -> State:
        if not actions.is_action(action, self.players) or not turns.is_legal(state, action):
            raise _refusal(state, action)
        return turns.apply(state, action)

    def outcome(self, state: State) -> Outcome | None:
        if state.step.name not in cards.ENDS:
            return None
        scores = [cards.score(zone) for zone in state.zones]
        return Outcome(
            winners=tuple(seat for seat in range(self.players) if scores[seat] == max(scores)),
            reason=state.step.name,
            scores=tuple(map(Fraction, scores)),
            at=tuple(
                cards.place_name(seat, column)
                for seat, zone in enumerate(state.zones)
                if len(cards.full_columns(zone)) >= cards.FULL_COLUMNS
                for column in cards.full_columns(zone)
            ),
        )

    def view(self, state: State, seat: Seat) -> View:
        """All that a seat, or a spectator, may know now (R12).

        Whatever is not written here stays secret: other hands, the composition of the pile, and the faces of the Mauw.
        """
        check_viewer(self, seat)
        seated = seat in range(self.players)
        name = state.step.name
        known: View = {
            "seat": seat if seated else None,
            "hand": cards.write_cards(state.hands[seat]) if seated else None,
            "hands": [len(hand) for hand in state.hands],
            "zones": [documents.write_zone(zone) for zone in state.zones],
            "worths": [[cards.worth(column) for column in zone] for zone in state.zones],
            "scores": [cards.score(zone) for zone in state.zones],
            "pile": sum(state.pile),
            "discards": cards.write_counts(state.discards),
            "turn": state.turn,
            "turns": state.turns,
            "to_act": turns.to_act(state),
            "step": documents.write_step(state.step),
            "end": name if name in cards.ENDS else None,
        }
        if name in turns.DEALT and name != "take":
            known["drawer"] = turns.drawer(state)
        return known

    def seen(self, state: State, action: Action, seat: Seat) -> str:
        """The log line of a seat for an action taken in this state.

        A drawn card is seen by its turns.drawer alone, a Mauw by nobody, or by all if it finds no place (R7).
        """
        if isinstance(action, Draw) and seat != turns.drawer(state):
            return "~?"
        if isinstance(action, TakeMauw) and cards.gain_columns(state.zones[state.turn]):
            return "^?"
        return actions.format_action(action)

    def format(self, action: Action) -> str:
        return actions.format_action(action)

    def parse(self, text: str) -> Action:
        return actions.parse_action(text, self.players)

    def encode(self, state: State) -> Document:
        return documents.encode(state)

    def decode(self, document: Document) -> State:
        return documents.decode(document, self.players)


# Why an action is illegal, in one sentence that says no more than the acting seat knows.


def _refusal(state: State, action: Action) -> IllegalAction:
    if not actions.is_action(action, len(state.hands)):
        return IllegalAction(f"{quote(action)} is no action of this game.", "no-action")
    text, step = actions.format_action(action), state.step
    if step.name == "turn":
        return _play_refusal(state, action)
    if step.name in cards.ENDS:
        return IllegalAction("The game is over.", "game-over")
    if step.name in turns.DEALT:
        # Which cards are left in the pile is secret, so there is one sentence for them all.
        return IllegalAction(f"The dealer gives a card now, and {text} is not one that can be given.", "not-dealt")
    if step.name == "put":
        return _gain_refusal(state, action)
    seat = step.owner if step.name == "defend" else state.turn
    if step.name == "press" and step.attacks >= turns.MOST_ATTACKS:
        allowed = f"can only give in with - after {turns.MOST_ATTACKS} attacking cards"
        return IllegalAction(f"Player {seat + 1} {allowed}, not {text}.", "attack-over", cards=turns.MOST_ATTACKS)
    verb, card = "defends" if step.name == "defend" else "goes on attacking", cards.CARD_NAMES[step.face % 10]
    sentence = f"Player {seat + 1} {verb} with !{card} or !m from the hand, or gives in with -, not {text}."
    return IllegalAction(sentence, "other-answer", card=card)


def _gain_refusal(state: State, action: Action) -> IllegalAction:
    """Return why the gain cannot be put down so."""
    zone = state.zones[state.turn]
    columns = " or ".join(f"+{cards.LETTERS[column]}" for column in cards.gain_columns(zone))
    sentence = f"Player {state.turn + 1} is to put the gain down with {columns}, not {actions.format_action(action)}."
    if not isinstance(action, PlaceGain):
        return IllegalAction(sentence, "gain-first")
    if (top := zone[action.column].top) != cards.NO_FACE:
        return IllegalAction(sentence, "gain-covered", card=cards.FACE_NAMES[top])
    return IllegalAction(sentence, "gain-full", mauw=cards.MOST_MAUW)


def _play_refusal(state: State, action: Action) -> IllegalAction:
    """Return why this is no play for the player whose turn it is."""
    player = f"Player {state.turn + 1}"
    if isinstance(action, DiscardHand):
        return IllegalAction(f"{player} can play a card, and x is legal only if nothing else is.", "can-play")
    if not isinstance(action, PlayCard):
        sentence = f"{player} is to play a card, such as 7>1B, not {actions.format_action(action)}."
        return IllegalAction(sentence, "play-first")
    played = cards.card_of(action.face)
    if played not in state.hands[state.turn]:
        return IllegalAction(
            f"{player} holds no {cards.CARD_NAMES[played]}.", "not-held", card=cards.CARD_NAMES[played]
        )
    return _column_refusal(state, action)


def _column_refusal(state: State, play: PlayCard) -> IllegalAction:
    """Return why the card cannot lie on the column: one sentence for each of R2 and R3."""
    column = state.zones[play.owner][play.column]
    place = cards.place_name(play.owner, play.column)
    own, spirit = play.owner == state.turn, play.face % 10 == cards.SPIRIT
    values: dict[str, object] = {"card": cards.FACE_NAMES[play.face], "place": place}
    if cards.has_warrior(column):
        takes = column.top % 10, cards.NINE - column.top % 10
        values["takes"] = list(map(str, takes))
        sentence = f"On the {takes[0]} of {place} goes only a {takes[0]} or a {takes[1]}"
        reason = "spirit-on-warrior" if spirit else "other-colour"
    elif column.top != cards.NO_FACE:
        sentence = f"On the spirit of {place} goes only a spirit of player {play.owner + 1}, who is blocked by it"
        reason = "own-spirit" if own else "enemy-spirit"
    elif not own:
        sentence, reason = f"Nothing goes on the enemy's empty place {place}", "enemy-empty"
    else:
        assert spirit
        sentence = f"A spirit goes neither on an own empty place nor on own bare Mauw, as {place} is"
        reason = "spirit-on-own-mauw" if column.mauw else "spirit-on-empty"
    played = cards.card_of(play.face)
    if not any(actions.card_from_hand(action) == played for action in turns.legal_actions(state)):
        sentence += ", and no other column takes the card"
        reason = "spirit-nowhere" if spirit else "nowhere"
        values["fits"] = [] if spirit else [str(played), str(cards.NINE - played)]
    return IllegalAction(f"{sentence}.", reason, **values)
