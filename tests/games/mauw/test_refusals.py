"""Every refusal names the fault in one sentence, and leaves the state as it was."""

from typing import Any

import pytest

from kemu.core.errors import IllegalAction
from kemu.games.mauw.actions import Answer, Draw, PlaceGain, PlayCard, TakeMauw
from kemu.games.mauw.rules import Mauw
from tests.games.mauw.positions import go, position

play: Any = PlayCard
"""Plays as a stranger may make them, whatever the types say."""


@pytest.mark.parametrize(
    "action",
    [
        *(None, "7>1A", 7, (), (7, 0, 0), PlayCard),
        *(play("7", 0, 0), play([], 0, 0), play(-1, 0, 0), play(7, 2, 0), play(7, 0, 4), play(9, 0, 0)),
        *(play(19, 0, 0), play(7, -1, 0), play(7.0, 0, 0), play(7, 0.0, 0), play(7, 0, 0.0), play(True, 0, 0)),
        *(PlaceGain(4), PlaceGain(-1), PlaceGain(False), Answer(10), Answer(True), Draw(-1), TakeMauw(17)),
    ],
)
def test_what_is_no_action_is_refused(action: Any) -> None:
    game, state = position(hands=["7 1 1 1"])
    with pytest.raises(IllegalAction, match="no action of this game"):
        game.apply(state, action)


@pytest.mark.parametrize(
    ("texts", "action", "sentence"),
    [
        ("", "5>1A", "Player 1 holds no 5."),
        ("", "m=7>1A", "Player 1 holds no m."),
        ("", "-", "Player 1 is to play a card, such as 7>1B, not -."),
        ("", "+A", "Player 1 is to play a card, such as 7>1B, not +A."),
        ("", "~8", "Player 1 is to play a card, such as 7>1B, not ~8."),
        ("", "1>1A", "On the 4 of 1A goes only a 4 or a 5."),
        ("", "7>2B", "Nothing goes on the enemy's empty place 2B."),
        ("7>2A", "7>2A", "The dealer gives a card now, and 7>2A is not one that can be given."),
        ("7>2A ~8", "x", "Player 2 defends with !7 or !m from the hand, or gives in with -, not x."),
        ("7>2A ~8 !7 ~8", "!2", "Player 1 goes on attacking with !7 or !m from the hand, or gives in with -, not !2."),
        ("7>2A ~8 -", "-", "Player 1 is to put the gain down with +D, not -."),
        ("7>2A ~8 -", "+A", "Player 1 is to put the gain down with +D, not +A."),
    ],
)
def test_sentences(texts: str, action: str, sentence: str) -> None:
    game, state = position(hands=["7 1 2 1", "7 m 3 3"], zones=["4 4 4 .", "7 . . ."])
    state = go(game, state, texts)
    before = game.encode(state)
    with pytest.raises(IllegalAction) as caught:
        game.apply(state, game.parse(action))
    assert str(caught.value) == sentence
    assert game.encode(state) == before


def test_a_game_that_is_over_takes_no_action() -> None:
    game, state = position(hands=["7 1 2 1"], zones=["### ### ### ."])
    assert game.actions(state) == ()
    assert game.odds(state) == ()
    for text in ("7>1A", "x", "-", "+A", "~7"):
        with pytest.raises(IllegalAction, match=r"^The game is over\.$"):
            game.apply(state, game.parse(text))


def test_a_document_may_say_that_the_cards_ran_out() -> None:
    zones = ["### ## ## #7", *["### ## ## #"] * 5]
    hands = ["1 1 1", "2 2 2 2", "3 3 3 3", "4 4 4 4", "5 5 5 5", "6 6 6 6"]
    game, state = position(6, hands=hands, zones=zones, pile="", discards="", turn=1, turns=1)
    outcome = game.outcome(state)
    assert outcome
    assert outcome.reason == "no-cards"
    assert game.decode(game.encode(state)) == state


def test_a_document_may_say_that_all_turns_were_played() -> None:
    game, state = position(turns=500)
    outcome = game.outcome(state)
    assert outcome
    assert (outcome.reason, outcome.winners) == ("limit", (0, 1))


def test_the_dealer_cannot_draw_and_take_at_once() -> None:
    game = Mauw()
    with pytest.raises(IllegalAction, match=r"\^1 is not one that can be given"):
        game.apply(game.initial(), game.parse("^1"))


@pytest.mark.parametrize(
    ("texts", "action", "reason", "values"),
    [
        ("", "5>1A", "not-held", {"card": "5"}),
        ("", "x", "can-play", {}),
        ("", "-", "play-first", {}),
        ("", "1>1A", "other-colour", {"card": "1", "place": "1A", "takes": ["4", "5"]}),
        ("", "s>1A", "spirit-on-warrior", {"card": "s", "place": "1A", "takes": ["4", "5"]}),
        ("", "s>1C", "spirit-on-own-mauw", {"card": "s", "place": "1C"}),
        ("", "s>1D", "spirit-on-empty", {"card": "s", "place": "1D"}),
        ("", "7>1B", "own-spirit", {"card": "7", "place": "1B"}),
        ("", "7>2B", "enemy-spirit", {"card": "7", "place": "2B"}),
        ("", "7>2C", "enemy-empty", {"card": "7", "place": "2C"}),
        ("7>2A", "7>2A", "not-dealt", {}),
        ("7>2A ~8", "x", "other-answer", {"card": "7"}),
        ("7>2A ~8 -", "s>1A", "gain-first", {}),
        ("7>2A ~8 -", "+A", "gain-covered", {"card": "4"}),
        ("7>2A ~8 -", "+C", "gain-full", {"mauw": 3}),
    ],
)
def test_reasons(texts: str, action: str, reason: str, values: dict[str, Any]) -> None:
    game, state = position(hands=["7 1 s 1", "7 m 3 3"], zones=["4 #s ### .", "7 #s . ."])
    with pytest.raises(IllegalAction) as caught:
        game.apply(go(game, state, texts), game.parse(action))
    assert (caught.value.reason, caught.value.values) == (reason, values)


@pytest.mark.parametrize(
    ("hand", "action", "reason", "fits"),
    [("s s s s", "s>1A", "spirit-nowhere", []), ("1 1 1 1", "1>1A", "nowhere", ["1", "8"])],
)
def test_a_card_that_no_column_takes(hand: str, action: str, reason: str, fits: list[str]) -> None:
    game, state = position(hands=[hand], zones=["4 4 4 4"])
    with pytest.raises(
        IllegalAction, match=r"On the 4 of 1A goes only a 4 or a 5, and no other column takes the card\.$"
    ) as caught:
        game.apply(state, game.parse(action))
    assert (caught.value.reason, caught.value.values["fits"]) == (reason, fits)
