"""A second implementation of MAUW, written from the rules text alone and as plainly as can be.

The whole game is told as one story: a generator that stops at every question, to a player or to the dealer,
and goes on with the text of the answer. Piles and hands are plain lists of cards in no particular order.
"""

from collections import Counter
from collections.abc import Generator
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

COPIES = {2: 5, 3: 6, 4: 6, 5: 7, 6: 7}
"""How many warriors of each value are in play, by the number of players: 7 less those with dots."""

WARRIORS = ["1", "2", "3", "4", "5", "6", "7", "8"]
COLUMNS = "ABCD"
CHANCE = -1


class Question(NamedTuple):
    """Who is asked, and the texts that may answer, with their odds if the dealer is asked."""

    seat: int
    answers: set[str]
    odds: dict[str, Fraction]


Story: TypeAlias = Generator[Question, str, None]
Taking: TypeAlias = Generator[Question, str, str | None]


def deck(players: int) -> list[str]:
    """All cards in play."""
    return WARRIORS * COPIES[players] + ["s"] * 12 + ["m"] * 4


def value(card: str) -> str:
    """What a played card stands for: `7` for `7` and `m=7`, `s` for `s` and `m=s`."""
    return card.split("=")[-1]


def face(card: str) -> str:
    """The card itself, as it lies in a hand or on the discards."""
    return card.split("=")[0]


def is_warrior(card: str) -> bool:
    return value(card) in WARRIORS


def makes_nine(one: str, other: str) -> bool:
    return int(value(one)) + int(value(other)) == 9


def same_colour(one: str, other: str) -> bool:
    return value(one) == value(other) or makes_nine(one, other)


class Column:
    """Some Mauw, and the face-up card on top, if any."""

    def __init__(self, mauw: int = 0, top: str | None = None) -> None:
        self.mauw = mauw
        self.top = top

    def is_empty(self) -> bool:
        return self.mauw == 0 and self.top is None

    def is_bare(self) -> bool:
        return self.mauw > 0 and self.top is None

    def worth(self) -> int:
        if self.is_empty():
            return 0
        top = 9 if self.top is None else 0 if value(self.top) == "s" else int(value(self.top))
        return top * (1, 2, 4, 8)[self.mauw]


class MauwReferee:
    """Holds every card that is not a Mauw where it lies, and the story of the game up to now."""

    def __init__(self, players: int = 2) -> None:
        self.players = players
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.zones = [{letter: Column() for letter in COLUMNS} for _ in range(players)]
        self.pile = deck(players)
        self.discards: list[str] = []
        self.turns = 0
        self.result: tuple[tuple[int, ...], str, tuple[Fraction, ...] | None] | None = None
        self.starting = False
        self.met: Counter[str] = Counter()
        self._begin(self._whole_game())

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> "MauwReferee":
        """The game at the start of the turn that a document describes."""
        referee = cls(len(document["hands"]))
        referee.hands = [list(hand) for hand in document["hands"]]
        referee.zones = [
            {letter: Column(column["mauw"], column["top"]) for letter, column in zip(COLUMNS, zone, strict=True)}
            for zone in document["zones"]
        ]
        referee.pile = [card for card, count in document["pile"].items() for _ in range(count)]
        referee.discards = [card for card, count in document["discards"].items() for _ in range(count)]
        referee.turns = document["turns"]
        referee.met = Counter()
        referee._begin(referee._turns(document["turn"]))
        return referee

    # The contract.

    def _begin(self, story: Story) -> None:
        self.story = story
        self.question: Question | None = next(story)

    def play(self, text: str) -> None:
        """Answer the question."""
        assert text in self.legal(), text
        self.starting = False
        try:
            self.question = self.story.send(text)
        except StopIteration:
            self.question = None

    def turn(self) -> int | None:
        """Who is asked."""
        return None if self.question is None else self.question.seat

    def legal(self) -> set[str]:
        """Every answer."""
        return set() if self.question is None else self.question.answers

    def odds(self) -> dict[str, Fraction]:
        """How likely each answer of the dealer is."""
        return {} if self.question is None else self.question.odds

    def outcome(self) -> tuple[tuple[int, ...], str, tuple[Fraction, ...] | None] | None:
        """Winners, reason and scores once the game is over."""
        return self.result

    def document(self) -> dict[str, Any] | None:
        """The position at the start of a turn."""
        if not self.starting or self.question is None:
            return None
        return {
            "hands": [list(hand) for hand in self.hands],
            "zones": [
                [{"mauw": zone[letter].mauw, "top": zone[letter].top} for letter in COLUMNS] for zone in self.zones
            ],
            "pile": dict(Counter(self.pile)),
            "discards": dict(Counter(self.discards)),
            "turn": self.question.seat,
            "turns": self.turns,
        }

    # Questions.

    def _ask(self, seat: int, answers: set[str]) -> Generator[Question, str, str]:
        return (yield Question(seat, answers, {}))

    def _take(self, sign: str) -> Taking:
        """One card from the pile, which the discards become if it is empty; None if there is none at all."""
        if not self.pile:
            self.met["reshuffle"] += bool(self.discards)
            self.pile, self.discards = self.discards, []
        if not self.pile:
            self.met["no card to take"] += 1
            return None
        odds = {f"{sign}{card}": Fraction(self.pile.count(card), len(self.pile)) for card in set(self.pile)}
        text = yield Question(CHANCE, set(odds), odds)
        card = text[1:]
        self.pile.remove(card)
        return card

    def _draw(self, seat: int) -> Story:
        card = yield from self._take("~")
        if card is not None:
            self.hands[seat].append(card)

    # The game.

    def _whole_game(self) -> Story:
        for _ in range(4):
            for seat in range(self.players):
                yield from self._draw(seat)
        yield from self._turns(0)

    def _turns(self, seat: int) -> Story:
        while True:
            self.starting = True
            text = yield from self._ask(seat, self._plays(seat) or {"x"})
            if text == "x":
                yield from self._discard_hand(seat)
            else:
                card, target = text.split(">")
                yield from self._play_card(seat, card, int(target[0]) - 1, target[1])
            if self.result is None:
                yield from self._end_of_turn(seat)
            if self.result is not None:
                self.met[self.result[1]] += 1
                self.met["shared victory"] += len(self.result[0]) > 1
                return
            seat = (seat + 1) % self.players

    def _plays(self, seat: int) -> set[str]:
        """Every card of the hand, a joker in all its meanings, on every column that takes it."""
        cards = {card for card in self.hands[seat] if card != "m"}
        if "m" in self.hands[seat]:
            cards |= {f"m={meaning}" for meaning in [*WARRIORS, "s"]}
        return {
            f"{card}>{owner + 1}{letter}"
            for card in cards
            for owner in range(self.players)
            for letter in COLUMNS
            if self._takes(self.zones[owner][letter], card, own=owner == seat)
        }

    def _takes(self, column: Column, card: str, *, own: bool) -> bool:
        if column.top is not None:
            if is_warrior(card) and is_warrior(column.top):
                return same_colour(card, column.top)  # 3 and 6
            return own and value(card) == "s" and value(column.top) == "s"  # 4
        if is_warrior(card):
            return own or column.is_bare()  # 1, 2 and 5
        return column.is_bare() and not own  # 5

    def _discard_hand(self, seat: int) -> Story:
        self.met["hand discarded"] += 1
        self.discards += self.hands[seat]
        self.hands[seat] = []
        for _ in range(4):
            yield from self._draw(seat)

    def _play_card(self, seat: int, card: str, owner: int, letter: str) -> Story:
        self.hands[seat].remove(face(card))
        self.met["reshuffle while a played card waits"] += not self.pile and bool(self.discards)
        yield from self._draw(seat)
        column = self.zones[owner][letter]
        own = owner == seat
        self._note_play(card, column, own=own)
        if column.top is None:
            column.top = card
        elif value(column.top) == "s":
            self.discards += [face(card), face(column.top)]
            column.top = None
        elif own:
            yield from self._associate(seat, card, column)
        else:
            yield from self._attack(seat, card, owner, column)

    def _attack(self, attacker: int, card: str, defender: int, column: Column) -> Story:
        number = value(card)
        cards = 1
        while True:
            answer = yield from self._ask(defender, {"-"} | self._matches(defender, number))
            if answer == "-":
                self.met["attack wins" if cards == 1 else "attack wins after a defence"] += 1
                yield from self._associate(attacker, card, column)
                return
            defence = answer[1:]
            self.hands[defender].remove(defence)
            self.met["reshuffle while attack and defence wait"] += not self.pile and bool(self.discards)
            yield from self._draw(defender)
            self.discards += [face(card), defence]
            self.met["defence with a joker" if defence == "m" else "defence with a warrior"] += 1
            if cards == 12:
                self.met["twelve attacking cards"] += 1
                self.met["twelve attacking cards and one in hand"] += bool(self._matches(attacker, number))
            answer = yield from self._ask(attacker, {"-"} | (self._matches(attacker, number) if cards < 12 else set()))
            if answer == "-":
                self.met["attacker gives in"] += 1
                return
            card = f"m={number}" if answer == "!m" else number
            self.hands[attacker].remove(face(card))
            short = len(self.hands[attacker]) < 3
            yield from self._draw(attacker)
            self.met["refill of a hand that was short"] += short and len(self.hands[attacker]) < 4
            self.met["attack goes on with a joker" if answer == "!m" else "attack goes on with a warrior"] += 1
            cards += 1

    def _matches(self, seat: int, number: str) -> set[str]:
        return {f"!{card}" for card in (number, "m") if card in self.hands[seat]}

    def _associate(self, seat: int, played: str, column: Column) -> Story:
        """The played card and the top of the column leave; the gain goes to the zone of the seat."""
        target = column.top
        assert target is not None
        column.top = None
        if makes_nine(played, target):
            self.discards += [face(played), face(target)]
            yield from self._gain_mauw(seat, column)
        else:
            yield from self._gain_pair(seat, played, target, column)
        if any(self._has_three_columns(zone) for zone in self.zones):
            self.met["three columns with a short hand"] += any(len(hand) < 4 for hand in self.hands)
            self._finish("three-columns")

    def _places(self, seat: int) -> set[str]:
        """An own empty place, or an own bare column with at most 2 Mauw."""
        zone = self.zones[seat]
        return {f"+{letter}" for letter in COLUMNS if zone[letter].is_empty() or self._has_room(zone[letter])}

    def _has_room(self, column: Column) -> bool:
        return column.is_bare() and column.mauw <= 2

    def _gain_mauw(self, seat: int, left: Column) -> Story:
        empty = not self.pile
        card = yield from self._take("^")
        assert card is not None, "the two associated cards lie on the discards"
        self.met["Mauw taken after a reshuffle"] += empty
        if not self._places(seat):
            self.met["Mauw finds no place"] += 1
            self.discards.append(card)
            return
        answer = yield from self._ask(seat, self._places(seat))
        column = self.zones[seat][answer[1]]
        self._note_gain("Mauw", column, left)
        column.mauw += 1

    def _gain_pair(self, seat: int, played: str, target: str, left: Column) -> Story:
        if not self._places(seat):
            self.met["pair finds no place"] += 1
            self.met["joker of a pair that finds no place"] += "m" in (face(played), face(target))
            self.discards += [face(played), face(target)]
            return
        answer = yield from self._ask(seat, self._places(seat))
        column = self.zones[seat][answer[1]]
        self._note_gain("pair", column, left)
        jokers = [card for card in (played, target) if face(card) == "m"]
        others = [card for card in (played, target) if face(card) != "m"]
        self.met[f"pair with {len(jokers)} jokers"] += 1
        column.mauw += 1
        # A joker of the two is turned, so the other card lies on top; of two alike either.
        column.top = others[0] if others else jokers[0]

    def _has_three_columns(self, zone: dict[str, Column]) -> bool:
        return sum(column.mauw == 3 for column in zone.values()) >= 3

    def _end_of_turn(self, seat: int) -> Story:
        for step in range(self.players):
            other = (seat + step) % self.players
            while len(self.hands[other]) < 4 and (self.pile or self.discards):
                self.met["made up for the mover" if step == 0 else "made up for another"] += 1
                yield from self._draw(other)
        self.turns += 1
        if any(len(hand) < 4 for hand in self.hands):
            self.met["no cards after 500 turns"] += self.turns == 500
            self._finish("no-cards")
        elif self.turns >= 500:
            self._finish("limit")

    def _finish(self, reason: str) -> None:
        scores = [sum(column.worth() for column in zone.values()) for zone in self.zones]
        winners = tuple(seat for seat in range(self.players) if scores[seat] == max(scores))
        self.result = winners, reason, tuple(Fraction(score) for score in scores)

    # What follows only counts which situations came up; no rule looks at it.

    def _note_play(self, card: str, column: Column, *, own: bool) -> None:
        whose = "own" if own else "enemy's"
        kind = "empty place" if column.is_empty() else "bare Mauw"
        if column.top is not None:
            kind = (
                "spirit" if value(column.top) == "s" else "same value" if value(card) == value(column.top) else "nine"
            )
            self.met["a lying joker is met"] += face(column.top) == "m"
        player = "joker as " if face(card) == "m" else ""
        self.met[f"{player}{'warrior' if is_warrior(card) else 'spirit'} on {whose} {kind}"] += 1

    def _note_gain(self, gain: str, column: Column, left: Column) -> None:
        self.met[f"{gain} on an empty place" if column.is_empty() else f"{gain} on a bare column"] += 1
        self.met[f"{gain} on the column it came from"] += column is left
