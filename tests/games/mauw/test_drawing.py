"""MAUW in text."""

import random

import pytest

from kemu.core.game import SPECTATOR
from kemu.core.laws import play
from kemu.games.mauw import text as drawing
from kemu.games.mauw.rules import Mauw
from tests.games.mauw.positions import go, position

PICTURE = """\
▶Player 1: 160 you         Player 2: 14
 A     B     C     D       A     B     C     D
 4♠          s             m=7♦  ·     m=s   ·
 ▒▒    ▒▒▒   ▒     ▒▒▒     ▒           ▒
 16    72    0     72      14    0     0     0

Hand      1♥  6♣  s  m
Pile      30 cards
Discards  5♠×2  s×1
Player 1 is to play a card."""


def test_the_zones_side_by_side() -> None:
    game, state = position(hands=["m s 6 1", "2 2 2 2"], zones=["##4 ### #s ###", "#m=7 . #m=s ."], discards="5 5 s")
    assert drawing.draw(game, game.view(state, 0)) == PICTURE


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_every_picture_fits(players: int) -> None:
    game = Mauw(players)
    states, _ = play(game, random.Random(players).randrange)
    for state in states[::5]:
        for seat in (0, players - 1, SPECTATOR):
            lines = drawing.draw(game, game.view(state, seat)).splitlines()
            assert len(lines) <= 18
            assert max(map(len, lines)) <= 80
            assert all(any(f"Player {number + 1}: " in line for line in lines) for number in range(players))


def test_a_spectator_sees_no_hand() -> None:
    game, state = position(hands=["8 8 8 8", "2 2 2 2"])
    view = game.view(state, SPECTATOR)
    assert "Hand" not in drawing.draw(game, view)
    assert "hand" not in drawing.tell(game, view)
    assert "♥" not in drawing.draw(game, view)


def test_a_hand_that_is_short_is_shown() -> None:
    game, state = position(hands=["8 8 8 8", "2 2 2 2"])
    assert "Player 1: 0, 3 cards" in drawing.draw(game, game.view(go(game, state, "8>1A"), 1))


def test_every_colour_has_its_own_sign_and_ink() -> None:
    assert len(set(drawing.SIGNS.values())) == 4
    assert len({drawing.INK[sign] for sign in drawing.SIGNS.values()}) == 4


def test_in_sentences() -> None:
    game, state = position(
        hands=["m s 6 1", "2 2 2 2"], zones=["##4 ### #s .", "m=7 . . ."], discards="5 5 s", turns=12
    )
    assert drawing.tell(game, game.view(state, 0)).splitlines() == [
        "Your hand: 1, 6, spirit, joker.",
        "Player 1 (you) has 88 points and 4 cards.",
        "Player 1's columns: A has 4 on 2 Mauw, worth 16; B has 3 Mauw, worth 72; "
        "C has spirit on 1 Mauw, worth 0; D is empty.",
        "Player 2 has 7 points and 4 cards.",
        "Player 2's columns: A has joker as 7, worth 7; B is empty; C is empty; D is empty.",
        "The pile has 36 cards.",
        "The discards: 2 cards 5, 1 card spirit.",
        "12 turns were played.",
        "Player 1 is to play a card.",
    ]


def test_an_empty_hand_is_told() -> None:
    game = Mauw()
    text = drawing.tell(game, game.view(game.initial(), 0))
    assert text.startswith("Your hand: no cards.\n")
    assert text.endswith("The discards: none.\n0 turns were played.\nPlayer 1 draws a card.")


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ("", "Player 1 is to play a card."),
        ("7>2A", "Player 1 draws a card."),
        ("7>2A ~8", "Player 1 attacks 2A with 7; player 2 may defend."),
        ("m=2>2A ~8", "Player 1 attacks 2A with joker as 2; player 2 may defend."),
        ("7>2A ~8 !7", "Player 2 draws a card."),
        ("7>2A ~8 !7 ~8", "The attack of 7 on 2A was defended; player 1 may go on."),
        ("7>2A ~8 -", "Player 1 is to put the pair with 7 on it on a column."),
        ("2>2A ~8 -", "A Mauw is taken from the pile."),
        ("2>2A ~8 - ^8", "Player 1 is to put the Mauw on a column."),
        ("2>2A ~8 - ^8 +D", "The game is over: three-columns."),
    ],
)
def test_what_is_awaited(texts: str, sentence: str) -> None:
    game, state = position(hands=["7 m 2 1", "7 m 3 3"], zones=["### 4 ### ##", "7 . . ."])
    view = game.view(go(game, state, texts), 1)
    assert drawing.draw(game, view).splitlines()[-1] == sentence


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("2>1A", "associates 2 with the 7 on A: both go to the discards and a Mauw is taken"),
        ("7>1A", "associates 7 with the 7 on A: one is turned to a Mauw under the other"),
        ("m=2>1A", "associates joker as 2 with the 7 on A: both go to the discards and a Mauw is taken"),
        ("7>1B", "lays 7 on B: worth 28 instead of 36"),
        ("s>1C", "takes the spirit off C: the column is worth 18 again"),
        ("7>1D", "lays 7 on the empty place D: worth 7"),
        ("s>2A", "blocks 2A with spirit: worth 0 instead of 36"),
        ("m=3>2A", "blocks 2A with joker as 3: worth 12 instead of 36"),
        ("2>2B", "attacks the 2 on 2B with 2; if nobody defends it, one is turned to a Mauw under the other"),
        ("7>2B", "attacks the 2 on 2B with 7; if nobody defends it, both go to the discards and a Mauw is taken"),
    ],
)
def test_what_a_play_does(action: str, words: str) -> None:
    game, state = position(hands=["7 m 2 s"], zones=["7 ## #s .", "## 2 . ."])
    assert game.parse(action) in game.actions(state)
    assert drawing.explain(game, game.view(state, 0), game.parse(action)) == words


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("2>1A", "associates 2 with the 7 on A: both go to the discards and a Mauw is taken, which finds no place"),
        ("7>1A", "associates 7 with the 7 on A: both go to the discards for lack of a place"),
    ],
)
def test_a_gain_with_no_place_is_foretold(action: str, words: str) -> None:
    game, state = position(hands=["7 m 2 s"], zones=["###7 4 4 4"])
    assert drawing.explain(game, game.view(state, 0), game.parse(action)) == words


@pytest.mark.parametrize(
    ("texts", "action", "words"),
    [
        ("7>2A ~8", "!7", "defends with 7"),
        ("7>2A ~8", "!m", "defends with joker"),
        ("7>2A ~8", "-", "gives in: player 1 gets the two cards"),
        ("7>2A ~8 !7 ~8", "!m", "goes on attacking with joker"),
        ("7>2A ~8 !7 ~8", "-", "gives in: the turn is over"),
        ("7>2A ~8 -", "+A", "puts the pair with 7 on it on A: worth 14"),
        ("7>2A ~8 -", "+C", "puts the pair with 7 on it on C: worth 56, and the game ends"),
        ("2>2A ~8 - ^8", "+C", "puts the Mauw on C: worth 72, and the game ends"),
        ("2>2A", "~8", "the dealer gives 8"),
    ],
)
def test_what_an_answer_or_a_place_does(texts: str, action: str, words: str) -> None:
    game, state = position(hands=["7 m 2 1", "7 m 3 3"], zones=[". ### ## ###", "7 . . ."])
    state = go(game, state, texts)
    assert game.parse(action) in game.actions(state)
    assert drawing.explain(game, game.view(state, 0), game.parse(action)) == words


def test_what_discarding_the_hand_does() -> None:
    game, state = position(hands=["1 1 8 8"], zones=["4 4 4 4"])
    words = drawing.explain(game, game.view(state, 0), game.parse("x"))
    assert words == "discards the whole hand and draws four new cards"


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_action_can_be_explained_to_every_seat(players: int) -> None:
    game = Mauw(players)
    states, actions = play(game, random.Random(players).randrange)
    for state, action in zip(states, actions, strict=False):
        for seat in (0, SPECTATOR):
            assert drawing.explain(game, game.view(state, seat), action)


def test_the_seats() -> None:
    assert [drawing.seat_name(Mauw(), seat) for seat in (0, 1)] == ["Player 1", "Player 2"]
