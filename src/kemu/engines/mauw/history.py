"""What the log of one seat tells: which cards came from which pile, and which were shown.

The log is followed with the reference rules on a stand-in state: what everybody sees does not depend on hidden
cards, so these may be anything, and whoever shows a card is simply said to have held it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from kemu.core.document import quote
from kemu.core.errors import IllegalAction, ParseError
from kemu.core.game import CHANCE, Seat
from kemu.engines.mauw.sight import View, counted
from kemu.games.mauw.cards import MAUI, NOTHING, Card, Counts, card, count, minus, plus
from kemu.games.mauw.legal import DEALT
from kemu.games.mauw.notation import DRAWS, TAKES
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import DISCARD, DRAW, PLAY, TAKE_MAUW, Action, State
from kemu.games.mauw.turns import discard_hand, drawer


@dataclass(frozen=True)
class Stacked:
    """A new pile, of cards that everybody has seen."""

    cards: Counts


@dataclass(frozen=True)
class Given:
    """A card comes from the pile to a hand, or as a Mauw; known only if this seat saw it."""

    seat: Seat | None
    card: Card | None


@dataclass(frozen=True)
class Shown:
    """A card leaves a hand openly."""

    seat: Seat
    card: Card


@dataclass(frozen=True)
class Turned:
    """A card that everybody has seen is turned to a Mauw."""

    card: Card


@dataclass(frozen=True)
class Tossed:
    """A whole hand goes to the discards; a log does not name its cards, so others stand in for them."""

    seat: Seat
    stand_ins: Counts


Event: TypeAlias = Stacked | Given | Shown | Turned | Tossed

OPEN: Final = ("hand", "hands", "zones", "pile", "turn", "turns", "step")
"""What a view and the stand-in state must agree on; the discards may hold stand-ins."""


@dataclass(frozen=True)
class History:
    """What a log tells: the cards that were turned openly, and all events if they are known to the end."""

    turned: tuple[Card, ...] = ()
    events: tuple[Event, ...] = ()


def retell(game: Mauw, view: View, log: Sequence[str]) -> History:
    """What a log tells up to a view; nothing if it does not lead from the opening deal to this view."""
    try:
        events, state = follow(game, view["seat"], log)
    except (ParseError, IllegalAction):
        return History()
    mine = game.view(state, view["seat"])
    assert isinstance(mine, dict)
    if any(mine[field] != view[field] for field in OPEN):
        return History()
    turned = tuple(event.card for event in events if isinstance(event, Turned))
    return History(turned, _named(events, state.discards, counted(view["discards"])))


def follow(game: Mauw, seat: Seat, log: Sequence[str]) -> tuple[list[Event], State]:
    """All events of a log and the stand-in state after them."""
    state = game.initial()
    events: list[Event] = [Stacked(state.pile)]
    for number, line in enumerate(log, start=1):
        try:
            state = _follow_line(game, seat, line, state, events)
        except (ParseError, IllegalAction) as error:
            raise type(error)(f"Action {number}, {quote(line)}: {error}") from None
    return events, state


def _follow_line(game: Mauw, seat: Seat, line: str, state: State, events: list[Event]) -> State:
    """The stand-in state after one line of the log; what it tells is added to the events."""
    before, left = state, sum(state.pile)
    if line[:1] in (DRAW, TAKE_MAUW):
        shown = None if line[1:] == "?" else game.parse(line).face
        state, action = _from_pile(state, shown, line[0])
        events.append(Given(drawer(state) if line[0] == DRAW else None, shown))
        left -= 1
    else:
        action = game.parse(line)
        state = _shown(game, state, action, seat, events)
    state = discard_hand(state) if action == DISCARD else game.apply(state, action)
    events += _turned(before, action, state)
    if sum(state.pile) > left:
        events.append(Stacked(state.pile))
    return state


def _named(events: list[Event], discards: Counts, real: Counts) -> tuple[Event, ...]:
    """The events with the cards of a tossed hand named, which can be told as long as it alone lies on the discards."""
    tossed = [at for at, event in enumerate(events) if isinstance(event, Tossed)]
    if not tossed:
        return tuple(events)
    toss = events[tossed[0]]
    if len(tossed) > 1 or any(isinstance(event, Stacked) for event in events[tossed[0] :]):
        return ()
    assert isinstance(toss, Tossed)
    cards = [
        each
        for each, (number, known, stand_in) in enumerate(zip(real, discards, toss.stand_ins, strict=True))
        for _ in range(number - known + stand_in)
    ]
    return (*events[: tossed[0]], *(Shown(toss.seat, each) for each in cards), *events[tossed[0] + 1 :])


def _from_pile(state: State, shown: Card | None, sign: str) -> tuple[State, Action]:
    """The dealer's action; the card is put into the pile in exchange for another if it is not there."""
    if state.step.name not in DEALT:
        raise IllegalAction("The dealer has nothing to give now.")
    any_card = next(each for each, number in enumerate(state.pile) if number)
    dealt = any_card if shown is None else shown
    if not state.pile[dealt]:
        state = state._replace(pile=plus(minus(state.pile, any_card), dealt))
    return state, (DRAWS if sign == DRAW else TAKES)[dealt]


def _shown(game: Mauw, state: State, action: Action, seat: Seat, events: list[Event]) -> State:
    """A state in which whoever acts holds what is shown."""
    actor = game.turn(state)
    if actor is None or actor == CHANCE or (action == DISCARD and state.step.name != "turn"):
        raise IllegalAction("Nobody can do that now.")
    if action == DISCARD and actor != seat:
        events.append(Tossed(actor, count(state.hands[actor])))
    elif action.sign in ">!" and actor != seat:
        events.append(Shown(actor, card(action.face)))
        hand = tuple(sorted((card(action.face), *state.hands[actor][1:])))
        return state._replace(hands=(*state.hands[:actor], hand, *state.hands[actor + 1 :]))
    return state


def _turned(before: State, action: Action, after: State) -> list[Event]:
    """Of a pair of the same value one card is turned: the joker if there is one (R5)."""
    if after.step.name != "put" or after.step.face == NOTHING:
        return []
    played = action if action.sign == PLAY else before.step
    top = before.zones[played.owner][played.column].top
    return [Turned(MAUI if played.face > MAUI else card(top))]
