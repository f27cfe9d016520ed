"""What a state and an action of MAUW are made of."""

from typing import Final, NamedTuple, TypeAlias

from kemu.core.game import Seat
from kemu.games.mauw.cards import NOTHING, Counts, Face, Hand

HAND: Final = 4
"""How many cards each player holds."""

LETTERS: Final = "ABCD"
"""The places of a zone."""


class Column(NamedTuple):
    """What lies on one place: some Mauw and at most one open card on them; the Mauw's faces no longer matter."""

    mauw: int = 0
    top: Face = NOTHING


Zone: TypeAlias = tuple[Column, ...]

EMPTY: Final = Column()


class Step(NamedTuple):
    """Where inside a turn, or at which end, the game stands.

    name       who acts         what is awaited
    turn       the player       a card to be played, or the hand to be discarded
    deal       the dealer       a card of the opening deal
    draw       the dealer       a card for the player whose turn it is; `face` is played and not yet laid
    defend     the one attacked an answer to the attacking card `face`
    parry      the dealer       a card for the one attacked, who answered with `answer`
    press      the attacker     another card of the value `face`
    take       the dealer       a Mauw
    put        the player       a place for the gain: a Mauw, and `face` on it if there is one
    refill     the dealer       a card for the first hand, from the player whose turn it was, that is short
    three-columns, no-cards and limit are the ends, named by their reason.
    """

    name: str
    face: Face = NOTHING
    owner: Seat = -1  # whose column is aimed at
    column: int = -1
    attacks: int = 0  # the attacking cards so far, 0 where there is no attack
    answer: Face = NOTHING


TURN: Final = Step("turn")
DEAL: Final = Step("deal")
TAKE: Final = Step("take")
REFILL: Final = Step("refill")
THREE_COLUMNS: Final = Step("three-columns")
NO_CARDS: Final = Step("no-cards")
LIMIT: Final = Step("limit")
ENDS: Final = ("three-columns", "no-cards", "limit")


class State(NamedTuple):
    """Hands, zones and the two stacks as multisets: there is no order of the pile that could be known."""

    hands: tuple[Hand, ...]
    zones: tuple[Zone, ...]
    pile: Counts
    discards: Counts
    turn: Seat
    turns: int
    step: Step


class Action(NamedTuple):
    """One action, told apart by the sign of its text: > play, + put, ! answer, - give in, x, ~ draw, ^ take."""

    sign: str
    face: Face = -1
    owner: Seat = -1
    column: int = -1


PLAY: Final = ">"
PUT: Final = "+"
ANSWER: Final = "!"
GIVE_IN: Final = Action("-")
DISCARD: Final = Action("x")
DRAW: Final = "~"
TAKE_MAUW: Final = "^"
