"""Inference of hidden cards from the log of one seat: which came from which pile, and which were shown.

The log is followed with the reference rules on a stand-in state. What everybody sees does not depend on hidden cards,
so the stand-in may hold any cards in their place; whoever shows a card is given it first.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import sub
from typing import Any, Final, TypeAlias

from kemu.core.document import quote
from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE, Seat
from kemu.games.mauw import state as rules
from kemu.games.mauw.actions import DEALER_ACTIONS, DRAWS, TAKES, Action, DiscardHand, PlayCard, card_from_hand
from kemu.games.mauw.rules import Mauw, View
from kemu.games.mauw.state import CARD_NAMES, FACES, MAUI, Card, Counts, State, card_of, read_counts, write_counts
from kemu.games.mauw.turns import DEALT, discard_hand, drawer

AnyView: TypeAlias = Mapping[str, Any]
"""A view as it came from JSON, possibly from a stranger; kemu.games.mauw.rules.View is what it should be."""


@dataclass(frozen=True)
class PileMade:
    """A new pile of cards that everybody has seen: the deck, or the discard pile."""

    cards: Counts


@dataclass(frozen=True)
class CardGiven:
    """A card comes from the pile to a hand, or as a Mauw if `seat` is None; `card` is None if it was not seen."""

    seat: Seat | None
    card: Card | None


@dataclass(frozen=True)
class CardShown:
    """A card leaves a hand openly."""

    seat: Seat
    card: Card


@dataclass(frozen=True)
class CardTurned:
    """A card that everybody has seen is turned to a Mauw."""

    card: Card


@dataclass(frozen=True)
class HandDiscarded:
    """A whole hand goes to the discard pile; a log does not name its cards, so others stand in for them."""

    seat: Seat
    stand_ins: Counts


@dataclass(frozen=True)
class Decided:
    """A seat other than the one whose log this is takes an action; its own cards in the state are stand-ins."""

    seat: Seat
    state: State
    action: Action


Event: TypeAlias = PileMade | CardGiven | CardShown | CardTurned | HandDiscarded | Decided

COMPARED: Final = ("hand", "hands", "zones", "pile", "turn", "turns", "step")
"""Parts in which a view and the stand-in state must agree; of the discard pile only known cards."""


@dataclass(frozen=True)
class History:
    """Contents of a log: the cards turned openly, and all events if they are known to the end."""

    turned: tuple[Card, ...] = ()
    events: tuple[Event, ...] = ()


class LogReader:
    """Follows logs of one game with the reference rules; a log that goes on is followed from where it left off."""

    def __init__(self, game: Mauw) -> None:
        self._game = game
        self._followed: dict[Seat, tuple[list[str], list[Event], State]] = {}

    def follow(self, seat: Seat, log: Sequence[str]) -> tuple[list[Event], State]:
        """All events of the log of a seat and the stand-in state after them; raises the error of the first bad line."""
        lines, events, state = self._followed.pop(seat, ([], [], self._game.initial()))
        if not lines or lines != list(log[: len(lines)]):
            state = self._game.initial()
            lines, events = [], [PileMade(state.pile)]
        for number, line in enumerate(log[len(lines) :], start=len(lines) + 1):
            try:
                state = _follow_line(self._game, seat, line, state, events)
            except (ParseError, IllegalAction) as error:
                raise error.located(f"Action {number}, {quote(line)}") from None
        self._followed[seat] = (list(log), events, state)
        return list(events), state

    def read(self, view: AnyView, log: Sequence[str]) -> History:
        """Return the history of a log up to a view; an empty one if it does not lead from the deal to the view."""
        try:
            events, state = self.follow(view["seat"], log)
        except (ParseError, IllegalAction):
            return History()
        followed: AnyView = self._game.view(state, view["seat"])
        discards = read_counts(view["discards"])
        if any(followed[field] != view[field] for field in COMPARED) or not _are_among(events, state, discards):
            return History()
        turned = tuple(event.card for event in events if isinstance(event, CardTurned))
        return History(turned, _name_discarded(events, state.discards, discards))


def _follow_line(game: Mauw, seat: Seat, line: str, state: State, events: list[Event]) -> State:
    """The stand-in state after one line of the log; its events are appended."""
    before, left = state, sum(state.pile)
    # What an unseen card is does not matter, so any text of a card will do.
    action = game.parse(f"{line[0]}1" if line in ("~?", "^?") else line)
    if isinstance(action, DEALER_ACTIONS):
        shown = None if line[1] == "?" else action.card
        state, action = _deal(state, shown, line[0] == "^")
        events.append(CardGiven(drawer(state) if line[0] == "~" else None, shown))
        left -= 1
    else:
        state = _show(game, state, action, seat, events)
    state = discard_hand(state) if isinstance(action, DiscardHand) else game.apply(state, action)
    events += _turned(before, action, state)
    if sum(state.pile) > left:
        events.append(PileMade(state.pile))
    return state


def _deal(state: State, shown: Card | None, mauw: bool) -> tuple[State, Action]:
    """The dealer's action; a shown card that is not in the stand-in's pile is exchanged for one that is."""
    if state.step.name not in DEALT:
        raise IllegalAction("The dealer has nothing to give now.")
    any_card = next(each for each, number in enumerate(state.pile) if number)
    dealt = any_card if shown is None else shown
    if not state.pile[dealt]:
        state = state._replace(pile=rules.add_cards(rules.remove_card(state.pile, any_card), dealt))
    return state, (TAKES if mauw else DRAWS)[dealt]


def _show(game: Mauw, state: State, action: Action, seat: Seat, events: list[Event]) -> State:
    """Return a state in which the acting seat holds the cards that the action shows; its events are appended."""
    actor = game.turn(state)
    discards = isinstance(action, DiscardHand)
    if actor is None or actor == CHANCE or (discards and state.step.name != "turn"):
        raise IllegalAction("Nobody can do that now.")
    if actor == seat:
        return state
    events.append(Decided(actor, state, action))
    if discards:
        events.append(HandDiscarded(actor, rules.count_cards(state.hands[actor])))
    elif (card := card_from_hand(action)) is not None:
        events.append(CardShown(actor, card))
        hand = tuple(sorted((card, *state.hands[actor][1:])))
        return state._replace(hands=(*state.hands[:actor], hand, *state.hands[actor + 1 :]))
    return state


def _turned(before: State, action: Action, after: State) -> list[Event]:
    """The card of a pair that an action turns to a Mauw: the joker if there is one (R5)."""
    if after.step.name != "put" or after.step.face == rules.NO_FACE:
        return []
    play = action if isinstance(action, PlayCard) else before.step
    top = before.zones[play.owner][play.column].top
    return [CardTurned(MAUI if play.face > MAUI else card_of(top))]


def stand_ins_on(events: Sequence[Event]) -> Counts:
    """The stand-ins on the discard pile: those of the hands that were discarded since the last pile was made."""
    last_pile = max(at for at, event in enumerate(events) if isinstance(event, PileMade))
    hands = [event.stand_ins for event in events[last_pile:] if isinstance(event, HandDiscarded)]
    return tuple(map(sum, zip(rules.EMPTY_COUNTS, *hands, strict=True)))


def _are_among(events: Sequence[Event], state: State, discards: Counts) -> bool:
    """Whether all discards of the stand-in state but the stand-ins are among these discards."""
    counts = zip(discards, state.discards, stand_ins_on(events), strict=True)
    return all(number >= known - stand_ins for number, known, stand_ins in counts)


def _name_discarded(events: list[Event], discards: Counts, real: Counts) -> tuple[Event, ...]:
    """The events with the cards of a discarded hand named; none if they cannot be distinguished.

    They can as long as one hand alone was discarded, and since then no pile was made of the discards.
    """
    discarded = [at for at, event in enumerate(events) if isinstance(event, HandDiscarded)]
    if not discarded:
        return tuple(events)
    first = discarded[0]
    event = events[first]
    if len(discarded) > 1 or any(isinstance(later, PileMade) for later in events[first:]):
        return ()
    assert isinstance(event, HandDiscarded)
    cards = [
        each
        for each, (number, known, stand_in) in enumerate(zip(real, discards, event.stand_ins, strict=True))
        for _ in range(number - known + stand_in)
    ]
    return (*events[:first], *(CardShown(event.seat, each) for each in cards), *events[first + 1 :])


# Views and states


def unseen_cards(game: Mauw, view: AnyView) -> list[Card]:
    """The cards that a seat does not see: in other hands, in the pile, or lying as a Mauw."""
    numbers = list(rules.deck(game.players))
    for name in view["hand"]:
        numbers[FACES[name]] -= 1
    for each, number in enumerate(read_counts(view["discards"])):
        numbers[each] -= number
    for face in _open_faces(view):
        numbers[card_of(FACES[face])] -= 1
    if min(numbers) < 0:
        raise ParseError("The view shows more cards of a kind than there are.")
    return [each for each, number in enumerate(numbers) for _ in range(number)]


def _open_faces(view: AnyView) -> list[str]:
    """The faces that lie open, or are just being played."""
    faces = [column["top"] for zone in view["zones"] for column in zone]
    step = view["step"]
    # In "press" the attacking card is already on the discard pile, and only its value counts.
    if step and step["name"] != "press":
        faces += [step.get("play", "").partition(">")[0], step.get("answer"), step.get("top")]
    return [face for face in faces if face]


def consistent_state(game: Mauw, view: AnyView) -> State:
    """A state that is consistent with the view of a player, its hidden cards in any places; otherwise ParseError."""
    if view["seat"] is None or view["end"] is not None:
        raise ParseError("Only the view of a player, in a game that goes on, has an action to find.")
    cards = unseen_cards(game, view)
    hands = [
        [CARD_NAMES[cards.pop()] for _ in range(number if seat != view["seat"] else 0)]
        for seat, number in enumerate(view["hands"])
    ]
    hands[view["seat"]] = list(view["hand"])
    pile = [CARD_NAMES[cards.pop()] for _ in range(view["pile"])]
    document = {
        "hands": hands,
        "pile": {name: pile.count(name) for name in pile},
        **{field: view[field] for field in ("zones", "discards", "turn", "turns")},
    }
    if view["step"] is not None:
        document["step"] = view["step"]
    return game.decode(document)


def view_from_log(game: Mauw, seat: Seat, log: Sequence[str], seed: int = 0) -> View:
    """The view of a seat after its log; raises the error of the first line that cannot be.

    A log says everything that a view shows, but for the cards of a hand that another seat discarded: in their place
    any cards that may have been among them are put on the discard pile, chosen by `seed`.
    """
    events, state = LogReader(game).follow(seat, log)
    if any(isinstance(event, CardGiven) and event.seat == seat and event.card is None for event in events):
        raise ParseError(f"Seat {seat} sees what it draws, so that none of its own draws is {quote('~?')}.")
    view = game.view(state, seat)
    stand_ins = stand_ins_on(events)
    if not any(stand_ins):
        return view
    known = tuple(map(sub, read_counts(view["discards"]), stand_ins))
    view["discards"] = write_counts(known)
    hidden = unseen_cards(game, view)
    for event in events:
        if isinstance(event, CardTurned) and event.card in hidden:
            hidden.remove(event.card)
    filled = random.Random(seed).sample(hidden, sum(stand_ins))
    view["discards"] = write_counts(tuple(number + filled.count(each) for each, number in enumerate(known)))
    return view
