"""The numbers of MAUW: action ids, and views as a row of numbers, both from the side of the seat that looks.

Seats are counted from the own one: 0 is the own seat, 1 the next to the left. With n players:

ids of a seat                                     ids of the dealer
72 × seat + 18 × column + face   play a card       0 … 9    draw this card
72n + column                     place the gain    10 … 19  take this card as a Mauw
72n + 4 + card                   answer
72n + 14, 72n + 15               give in, discard the hand

A face is 0 … 8 for a spirit or a warrior of this value, 9 … 17 for a joker that stands for it. How many numbers of an
observation stand for what, in their order:

10       how many of each card the seat holds      n    1 for the seat that is to act; none for the dealer
n        how many cards each seat holds            1    the turns played, halved
76n      by seat and column: the number of Mauw,   12   1 for the step, the ends included
         and 18 faces, 1 for the one on top        18   1 for the face that is played or lies on the gain
10       how many of each card are discarded       4n   1 for the column that it is played on
1        how many cards are in the pile            1    the attacking cards so far
n        1 for the seat whose turn it is           10   1 for the card that answered
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, get_args

from kemu.core.game import CHANCE, Seat
from kemu.games.mauw import actions
from kemu.games.mauw import state as cards
from kemu.games.mauw.actions import Action, PlayCard
from kemu.games.mauw.rules import Mauw, View
from kemu.games.mauw.state import State, StepName
from kemu.games.mauw.turns import MOST_ATTACKS, MOST_TURNS

SHOWN: Final = tuple(face for face in range(len(cards.FACE_NAMES)) if face != cards.MAUI)
"""The faces there are, by the number that an id or an observation gives them."""

STEPS: Final = ("turn", *get_args(StepName), *cards.ENDS)
COLUMN_NUMBERS: Final = 1 + len(SHOWN)
PLAY_IDS: Final = len(cards.LETTERS) * len(SHOWN)
"""How many ids there are for the plays on one zone."""


@dataclass(frozen=True)
class MauwEncoding:
    """Encoding of MAUW for a number of players."""

    game: Mauw

    most_seats: ClassVar[int] = max(cards.LEFT_OUT)
    hidden_lines: ClassVar[Sequence[str]] = ("~?", "^?")

    def longest(self, first: State) -> int:
        """The deal, and in each turn four actions for every attacking card, a gain, and new cards for everybody."""
        dealt = cards.HAND * self.game.players
        return dealt + (MOST_TURNS - first.turns) * (4 * MOST_ATTACKS + 4 + dealt)

    @property
    def shape(self) -> tuple[int, ...]:
        """All numbers in a row."""
        players, kinds = self.game.players, len(cards.CARD_NAMES)
        zones = players * len(cards.LETTERS) * (COLUMN_NUMBERS + 1)
        return (3 * kinds + 3 * players + zones + len(STEPS) + len(SHOWN) + 3,)

    def actions(self, seat: Seat) -> Sequence[Action]:
        """The actions of a seat or of the dealer by id."""
        if seat == CHANCE:
            return (*actions.DRAWS, *actions.TAKES)
        zones = (actions.PLAYS[(seat + distance) % self.game.players] for distance in range(self.game.players))
        plays = (column[face] for zone in zones for column in zone for face in SHOWN)
        return (*plays, *actions.PLACEMENTS, *actions.ANSWERS, actions.GIVE_IN, actions.DISCARD_HAND)

    def observation(self, view: View, seat: Seat) -> bytes:
        """The numbers of a view."""
        players = self.game.players
        order = [(seat + distance) % players for distance in range(players)]
        numbers = list(cards.count_cards(cards.FACES[card] for card in view["hand"] or ()))
        numbers += (view["hands"][other] for other in order)
        for other in order:
            for column in view["zones"][other]:
                numbers += (column["mauw"], *_one_of(SHOWN, cards.FACES[column["top"]] if column["top"] else None))
        numbers += (*cards.read_counts(view["discards"]), view["pile"])
        numbers += (*_one_of(order, view["turn"]), *_one_of(order, view["to_act"]), view["turns"] // 2)
        return bytes((*numbers, *_step_numbers(view, order)))


def _step_numbers(view: View, order: list[Seat]) -> Sequence[int]:
    """Where inside a turn, or at which end, a view is."""
    step = view["step"]
    name = step["name"] if step else view["end"] or "turn"
    places = [(owner, column) for owner in order for column in range(len(cards.LETTERS))]
    face, place = None, None
    if step and "play" in step:
        play = actions.parse_action(step["play"], len(order))
        assert isinstance(play, PlayCard)
        face, place = play.face, (play.owner, play.column)
    elif step and (top := step.get("top")):
        face = cards.FACES[top]
    return (
        *_one_of(STEPS, name),
        *_one_of(SHOWN, face),
        *_one_of(places, place),
        step.get("attacks", 0) if step else 0,
        *_one_of(cards.CARD_NAMES, step.get("answer") if step else None),
    )


def _one_of(values: Sequence[object], value: object) -> list[int]:
    """A 1 at the place of a value, 0 everywhere else; 0 everywhere for a value that is not there."""
    return [int(each == value) for each in values]
