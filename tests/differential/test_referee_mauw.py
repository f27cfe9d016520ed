"""MAUW against its independent referee: the same games, step by step, for 2 to 6 players and from set-up positions."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import pytest

from kemu import game
from tests.differential.duel import ANY, Style, duel
from tests.differential.referee_mauw import COLUMNS, MauwReferee, deck, is_warrior, value

pytestmark = pytest.mark.no_cover  # the rules are measured where each sentence of them is tested

# Ways of playing.


def kind(referee: MauwReferee, text: str) -> str:
    """What an action is, in one word."""
    if ">" not in text:
        return {"~": "dealt", "^": "dealt", "+": "gain", "!": "answer", "-": "give in", "x": "discard"}[text[0]]
    card, target = text.split(">")
    column = referee.zones[int(target[0]) - 1][target[1]]
    own = int(target[0]) - 1 == referee.turn()
    if column.top is None:
        return "build" if own else "block"
    if not is_warrior(column.top):
        return "unblock"
    return ("same " if value(card) == value(column.top) else "nine ") + ("own" if own else "attack")


def preferring(name: str, *kinds: str, card: str = "") -> Style:
    """Mostly the first of these kinds that is possible, else any action; the dealer mostly deals `card`."""

    def choose(referee: MauwReferee, texts: list[str], random: Random) -> str:
        if referee.turn() == -1:
            wanted = [text for text in texts if text[1:] in card]
            return random.choice(wanted if wanted and random.random() < 0.7 else texts)
        for wish in kinds if random.random() < 0.9 else ():
            wished = [text for text in texts if kind(referee, text) == wish]
            if wished:
                return random.choice(wished)
        return random.choice(texts)

    return Style(name, choose)


def maui(referee: MauwReferee, texts: list[str], random: Random) -> str:
    """Mostly a joker, in each of its roles alike; the dealer mostly deals jokers."""
    jokers = [text for text in texts if text.startswith("m=") or text == "~m"]
    if not jokers or random.random() < 0.2:
        return random.choice(texts)
    roles = {text: kind(referee, text) + (" as spirit" if text.startswith("m=s") else "") for text in jokers}
    role = random.choice(sorted(set(roles.values())))
    return random.choice([text for text in jokers if roles[text] == role])


GATHERER = preferring("gatherer", "same own", "nine own", "unblock", "build")
FIGHTER = preferring("fighter", "answer", "same attack", "nine attack", "build")
BLOCKER = preferring("blocker", "unblock", "block", "same own", "nine own")
TRICKSTER = preferring("trickster", "answer", "same own", "same attack", "nine attack", "block", card="m")
DUELLIST = preferring("duellist", "answer", "nine attack", card="m4")
HOARDER = preferring("hoarder", "build", "same own", card="12")
HAUNTED = preferring("haunted", "block", card="s")
MAUI = Style("maui", maui)


# Positions to start from.


class Setup(NamedTuple):
    """A random position with so many cards left in the pile and on the discards; all others lie in the zones."""

    players: int
    pile: int
    discards: int
    turns: int = 0
    hands: tuple[str, ...] = ()
    tops: tuple[str, ...] = ()

    def document(self, seed: int) -> dict[str, Any]:
        """One such position: `hands` and `tops` (in column A) as given for the first seats, the rest by chance."""
        random = Random(seed)
        cards = deck(self.players)
        for card in "".join((*self.hands, *self.tops)):
            cards.remove(card)
        random.shuffle(cards)
        hands = [list(hand) for hand in self.hands]
        hands += [[cards.pop() for _ in range(4)] for _ in range(self.players - len(hands))]
        pile = Counter(cards.pop() for _ in range(self.pile))
        discards = Counter(cards.pop() for _ in range(self.discards))
        return {
            "hands": hands,
            "zones": self._zones(cards, random),
            "pile": dict(pile),
            "discards": dict(discards),
            "turn": self.turns % self.players,
            "turns": self.turns,
        }

    def _zones(self, cards: list[str], random: Random) -> list[list[dict[str, Any]]]:
        zones: list[list[dict[str, Any]]] = [[{"mauw": 0, "top": None} for _ in COLUMNS] for _ in range(self.players)]
        for zone, top in zip(zones, self.tops, strict=False):
            zone[0]["top"] = top
        while cards:
            card = cards.pop()
            zone = random.choice(zones)
            column = random.choice(zone)
            if column["top"] is None and random.random() < 0.5 and (card != "s" or column["mauw"] > 0):
                meanings = "12345678s" if column["mauw"] > 0 else "12345678"
                column["top"] = f"m={random.choice(meanings)}" if card == "m" else card
            elif column["mauw"] < 2 or (column["mauw"] == 2 and sum(other["mauw"] == 3 for other in zone) < 2):
                column["mauw"] += 1
            else:
                cards.append(card)
        return zones


class Piece(NamedTuple):
    """A few games of one kind, and the situations that they must reach."""

    name: str
    players: int
    style: Style
    games: int
    reach: frozenset[str] = frozenset()
    setup: Setup | None = None
    most: int = 400


PLAYS = frozenset(
    {
        "warrior on own empty place",
        "warrior on own bare Mauw",
        "warrior on own nine",
        "warrior on own same value",
        "spirit on own spirit",
        "spirit on enemy's bare Mauw",
        "warrior on enemy's bare Mauw",
        "warrior on enemy's nine",
        "warrior on enemy's same value",
        "hand discarded",
    }
)
GAINS = frozenset(
    {
        "Mauw on an empty place",
        "Mauw on a bare column",
        "Mauw on the column it came from",
        "Mauw finds no place",
        "pair on an empty place",
        "pair on a bare column",
        "pair on the column it came from",
        "pair with 0 jokers",
        "pair finds no place",
        "three-columns",
    }
)
JOKERS = frozenset(
    {
        "joker as warrior on own empty place",
        "joker as warrior on own bare Mauw",
        "joker as warrior on own nine",
        "joker as warrior on own same value",
        "joker as warrior on enemy's bare Mauw",
        "joker as warrior on enemy's nine",
        "joker as warrior on enemy's same value",
        "joker as spirit on own spirit",
        "joker as spirit on enemy's bare Mauw",
        "a lying joker is met",
        "pair with 1 jokers",
        "pair with 2 jokers",
        "joker of a pair that finds no place",
    }
)
ATTACKS = frozenset(
    {
        "attack wins",
        "attack wins after a defence",
        "attacker gives in",
        "defence with a warrior",
        "defence with a joker",
        "attack goes on with a warrior",
        "attack goes on with a joker",
    }
)
SHUFFLES = frozenset(
    {
        "reshuffle",
        "Mauw taken after a reshuffle",
        "reshuffle while a played card waits",
        "reshuffle while attack and defence wait",
    }
)
SHORTAGE = frozenset(
    {
        "no card to take",
        "made up for the mover",
        "made up for another",
        "refill of a hand that was short",
        "three columns with a short hand",
        "three-columns",
        "no-cards",
    }
)
ENDLESS = frozenset({"twelve attacking cards", "twelve attacking cards and one in hand"})

STYLES = (ANY, GATHERER, FIGHTER, BLOCKER, TRICKSTER, DUELLIST, HOARDER, HAUNTED, MAUI)
LEFT = ((4, 0, 0), (4, 2, 0), (5, 0, 0), (5, 0, 3), (6, 1, 1), (6, 0, 6))
"""Players with cards in the pile and on the discards, few enough that drawing soon fails."""

SEVENS = Setup(5, 0, 0, hands=("777m", "77mm"), tops=("1", "2"))
"""Two hands of sevens and jokers, and nothing to draw but what the two throw at each other."""


def short_of_cards() -> Iterator[Piece]:
    """Each style from crowded zones with next to nothing left to draw."""
    for style in STYLES:
        for players, pile, discards in LEFT:
            yield Piece("crowded", players, style, 12, setup=Setup(players, pile, discards))


PIECES = [
    *(Piece("whole", players, style, 3) for players in (2, 3, 4, 5, 6) for style in STYLES),
    *short_of_cards(),
    Piece("plays", 3, BLOCKER, 12, PLAYS),
    Piece("gains", 2, GATHERER, 30, GAINS),
    Piece("jokers", 4, MAUI, 20, JOKERS),
    Piece("attacks", 3, FIGHTER, 15, ATTACKS | SHUFFLES),
    Piece("attacks", 2, DUELLIST, 15, ATTACKS | SHUFFLES),
    Piece("shortage", 4, FIGHTER, 60, SHORTAGE, Setup(4, 0, 0)),
    Piece("shared", 6, HAUNTED, 30, frozenset({"shared victory"}), Setup(6, 40, 5, 498)),
    *(Piece("limit", players, ANY, 3, frozenset({"limit"}), Setup(players, 30, 5, 495)) for players in (2, 3, 4, 5, 6)),
    Piece("last turn", 5, ANY, 15, frozenset({"no cards after 500 turns", "limit"}), Setup(5, 0, 0, 499)),
    Piece("endless attack", 5, DUELLIST, 8, ENDLESS, SEVENS),
]


def start(piece: Piece, seed: int) -> tuple[MauwReferee, dict[str, Any] | None]:
    """The referee of one game, and the document to start from, None for a game from its beginning."""
    if piece.setup is None:
        return MauwReferee(piece.players), None
    document = piece.setup.document(seed)
    return MauwReferee.from_document(document), document


def name(piece: Piece) -> str:
    left = f"{piece.setup.pile}+{piece.setup.discards} left, " if piece.setup else ""
    return f"{piece.name}, {piece.players} players, {left}{piece.style.name}"


@pytest.mark.parametrize("piece", PIECES, ids=name)
def test_games_agree_with_the_referee(piece: Piece) -> None:
    rules = game("mauw", players=piece.players)
    met: Counter[str] = Counter()
    for seed in range(piece.games):
        referee, document = start(piece, seed)
        state = None if document is None else rules.decode(document)
        duel(rules, referee, piece.style, seed, state=state, most=piece.most)
        met += referee.met
    assert piece.reach <= set(met), f"not reached: {sorted(piece.reach - set(met))}"
