"""Position documents: what they hold, and that they refuse the impossible with one sentence."""

import json
import random
from collections import Counter
from typing import Any

import pytest

import kemu
from kemu.core.errors import ParseError
from kemu.core.laws import play
from kemu.games.mauw.actions import TakeMauw
from kemu.games.mauw.documents import cards_seen, mauw_lying
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import deck
from tests.games.mauw.positions import choices, go, position


def test_at_the_start_of_a_turn_a_document_has_exactly_these_fields() -> None:
    game, state = position(hands=["7 m s 1", "3 3 3 3"], zones=["##3 . # #m=7", "#m=s . . ."], discards="8 5", turns=12)
    document = game.encode(state)
    assert [*document] == ["hands", "zones", "pile", "discards", "turn", "turns"]
    assert document["hands"][0] == ["1", "7", "s", "m"]
    assert document["zones"][0] == [
        {"mauw": 2, "top": "3"},
        {"mauw": 0, "top": None},
        {"mauw": 1, "top": None},
        {"mauw": 1, "top": "m=7"},
    ]
    assert document["zones"][1][0] == {"mauw": 1, "top": "m=s"}
    assert document["discards"] == {"5": 1, "8": 1}
    assert (document["turn"], document["turns"]) == (0, 12)


def test_hands_are_multisets_and_cards_come_in_one_order() -> None:
    game, state = position(hands=["m s 7 1"])
    other, again = position(hands=["1 7 s m"])
    assert state == again
    assert game.encode(state)["hands"][0] == ["1", "7", "s", "m"]
    assert [*game.encode(other.initial())["pile"]] == [*"12345678sm"]


def test_cards_that_are_missing_may_be_counted_as_zero_or_left_out() -> None:
    game, state = position()
    document = game.encode(state)
    assert document["discards"] == {}
    assert game.decode({**document, "discards": {"1": 0, "m": 0}}) == state


def test_a_puzzle_may_begin_with_any_player_after_any_number_of_turns() -> None:
    game, state = position(turn=1, turns=0)
    assert game.turn(state) == 1


@pytest.mark.parametrize(
    ("texts", "step"),
    [
        ("", None),
        ("7>2A", {"name": "draw", "play": "7>2A", "attacks": 1}),
        ("m=7>2A", {"name": "draw", "play": "m=7>2A", "attacks": 1}),
        ("1>1D", {"name": "draw", "play": "1>1D", "attacks": 0}),
        ("7>2A ~8", {"name": "defend", "play": "7>2A", "attacks": 1}),
        ("7>2A ~8 !m", {"name": "parry", "play": "7>2A", "attacks": 1, "answer": "m"}),
        ("m=7>2A ~8 !7 ~8", {"name": "press", "play": "7>2A", "attacks": 1}),
        ("7>2A ~8 -", {"name": "put", "top": "7"}),
        ("2>2A ~8 -", {"name": "take"}),
        ("2>2A ~8 - ^8", {"name": "put", "top": None}),
        ("2>2A ~8 - ^8 +D", None),
    ],
)
def test_inside_a_turn_a_document_adds_its_step(texts: str, step: object) -> None:
    game, state = position(hands=["7 m 2 1", "7 m 3 3"], zones=["4 4 4 .", "7 . . ."])
    state = go(game, state, texts)
    assert game.encode(state).get("step") == step
    assert game.decode(json.loads(json.dumps(game.encode(state)))) == state


def test_the_deal_and_the_refill_are_steps_too() -> None:
    game, state = position(hands=["1 1 8 8"], zones=["4 4 4 4"])
    assert game.encode(game.initial())["step"] == {"name": "deal"}
    assert game.encode(go(game, state, "x"))["step"] == {"name": "refill"}


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_conservation_of_all_cards_through_every_action(players: int) -> None:
    game, source = Mauw(players), random.Random(players)
    for _ in range(3):
        states, _ = play(game, source.randrange)
        for state in states:
            assert sum(cards_seen(state)) + mauw_lying(state) == sum(deck(players))
            assert all(seen <= cards for seen, cards in zip(cards_seen(state), deck(players), strict=True))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_a_card_that_is_not_turned_to_a_mauw_stays_the_card_it_is(players: int) -> None:
    """Face by face: only taking a Mauw and turning one of a pair hide a card, and nothing brings it back."""
    game, source = Mauw(players), random.Random(players)
    states, actions = play(game, source.randrange)
    for before, action, after in zip(states, actions, states[1:], strict=False):
        gone = Counter(dict(enumerate(cards_seen(before))))
        gone.subtract(dict(enumerate(cards_seen(after))))
        lost = {card: number for card, number in gone.items() if number}
        hidden = mauw_lying(after) - mauw_lying(before)
        assert sum(lost.values()) == hidden
        assert hidden in (0, 1)
        assert all(number == 1 for number in lost.values())
        if isinstance(action, TakeMauw) and hidden:
            assert lost == {action.card: 1}


# The impossible


def good() -> dict[str, Any]:
    game, state = position(hands=["7 m 2 1", "7 m 3 3"], zones=["4 4 4 .", "##7 # . ."])
    return game.encode(state)


COLUMN = {"mauw": 0, "top": None}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"hands": 1}, "'hands' must be a list"),
        ({"hands": [["1"]]}, "'hands' must have 2 entries"),
        ({"hands": [["1", "2", "3", "4", "5"], []]}, "hand of player 1 has at most 4 cards, not 5"),
        ({"hands": [["9", "2", "3", "4"], []]}, "must be one of 1, 2, 3, 4, 5, 6, 7, 8, s, m, not \"9\""),
        ({"hands": [["m=7", "2", "3", "4"], []]}, "must be one of"),
        ({"hands": [[7, 7, 7, 7], []]}, "must be a text"),
        ({"zones": []}, "'zones' must have 2 entries"),
        ({"zones": [[], []]}, "zone of player 1 must have 4 entries"),
        ({"zones": [[{"mauw": 4, "top": None}] + [COLUMN] * 3, [COLUMN] * 4]}, "column 1A must be a whole"),
        ({"zones": [[{"mauw": -1, "top": None}] + [COLUMN] * 3, [COLUMN] * 4]}, "from 0 to 3"),
        ({"zones": [[{"mauw": True, "top": None}] + [COLUMN] * 3, [COLUMN] * 4]}, "from 0 to 3"),
        ({"zones": [[COLUMN] * 4, [COLUMN, {"mauw": 1, "top": "m"}, COLUMN, COLUMN]]}, "of column 2B must be null"),
        ({"zones": [[COLUMN] * 4, [COLUMN, {"mauw": 1, "top": "9"}, COLUMN, COLUMN]]}, "'top' of column 2B"),
        ({"zones": [[COLUMN] * 4, [COLUMN, {"mauw": 1}, COLUMN, COLUMN]]}, "Column 2B needs a field 'top'"),
        ({"pile": []}, "'pile' must be a JSON object"),
        ({"pile": {"9": 1}}, "'pile' has no field \"9\""),
        ({"pile": {"1": -1}}, "The number of 1 in 'pile' must be a whole number"),
        ({"discards": {"m=7": 1}}, "'discards' has no field"),
        ({"discards": {"1": 4}}, "There are 9 cards 1; with 2 players there are 5"),
        ({"discards": {"m": 10**9}}, "with 2 players there are 4"),
        ({"discards": {"s": 1}}, "There are 57 cards with the Mauw; with 2 players there are 56"),
        ({"turn": 2}, "'turn' must be a whole number from 0 to 1"),
        ({"turn": -1}, "'turn' must be a whole number"),
        ({"turns": 501}, "'turns' must be a whole number from 0 to 500"),
        ({"who": 1}, "has no field \"who\""),
        ({"step": "draw"}, "'step' must be a JSON object"),
        ({"step": {"name": "dream"}}, "must be one of deal, take, refill, draw, defend, press, parry, put"),
        ({"step": {"name": "turn"}}, "'name' of 'step' must be one of"),
        ({"step": {"name": "draw", "play": "7>2A"}}, "The step 'draw' needs a field 'attacks'"),
        ({"step": {"name": "take", "top": None}}, "The step 'take' has no field \"top\""),
        ({"step": {"name": "draw", "play": "+A", "attacks": 0}}, "must be a card on a column, such as 7>1B"),
        ({"step": {"name": "draw", "play": "7>3A", "attacks": 0}}, "There are 2 players"),
        ({"step": {"name": "defend", "play": "7>2A", "attacks": 13}}, "'attacks' of 'step' must be a whole number"),
        ({"step": {"name": "parry", "play": "7>2A", "attacks": 1, "answer": "m=7"}}, "'answer' of 'step' must be one"),
        ({"step": {"name": "put", "top": "m"}}, "'top' of 'step' must be null"),
    ],
)  # fmt: skip
def test_impossible_documents_are_refused(change: dict[str, Any], fault: str) -> None:
    with pytest.raises(ParseError) as caught:
        Mauw().decode({**good(), **change})
    assert fault in str(caught.value)


OWN = {"name": "draw", "play": "1>1A", "attacks": 0}
BLOCK = {"name": "draw", "play": "1>2A", "attacks": 0}
DEFENCE = {"name": "parry", "play": "7>2A", "attacks": 1, "answer": "7"}
HANDS = ["7 m 2 1", "7 m 3 3"]
ZONES = ["4 4 4 .", "##7 # . ."]


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"zones": ["s . . ."]}, "A spirit lies only on Mauw, and column 1A has none"),
        ({"zones": [". . . .", ". . m=s ."]}, "A spirit lies only on Mauw, and column 2C has none"),
        ({"zones": ["### ### ### .", "### ### ### ."]}, "Only one player can have three columns"),
        ({"hands": ["1 1 1", "2 2 2 2"]}, "Each hand has 4 cards at the start of a turn"),
        ({"hands": ["1 1 1", "2 2 2 2"], "pile": ""}, "Each hand has 4 cards at the start of a turn"),
        ({"zones": ["### ### ### ."], "step": {"name": "take"}}, "The game is over"),
        ({"turns": 500, "step": {"name": "take"}}, "The game is over"),
        ({"pile": "", "step": {"name": "take"}}, "the pile cannot be empty"),
        ({"hands": ["", "1"], "step": {"name": "deal"}}, "The deal goes round from player 1"),
        ({"hands": ["1 2", ""], "step": {"name": "deal"}}, "The deal goes round from player 1"),
        ({"hands": HANDS, "step": {"name": "deal"}}, "The deal goes round from player 1"),
        ({"hands": ["1", ""], "turn": 1, "step": {"name": "deal"}}, "In the opening deal it is turn 0"),
        ({"hands": ["1", ""], "turns": 1, "step": {"name": "deal"}}, "In the opening deal it is turn 0"),
        ({"hands": ["1", ""], "discards": "2", "step": {"name": "deal"}}, "In the opening deal it is turn 0"),
        ({"hands": ["1", ""], "zones": ["2 . . ."], "step": {"name": "deal"}}, "In the opening deal it is turn 0"),
        ({"step": {"name": "put", "top": "s"}}, "A gain is a Mauw, alone or with a warrior"),
        ({"step": {"name": "put", "top": "m=s"}}, "A gain is a Mauw, alone or with a warrior"),
        ({"zones": ["### 4 4 #s"], "step": {"name": "put", "top": None}}, "A gain that finds no place is discarded"),
        ({"zones": ZONES, "step": {"name": "draw", "play": "7>1A", "attacks": 0}}, "plays 7 on 1A, where it may not"),
        ({"zones": ZONES, "step": {"name": "draw", "play": "s>1D", "attacks": 0}}, "plays s on 1D, where it may not"),
        ({"zones": ZONES, "step": {"name": "draw", "play": "7>2A", "attacks": 0}}, "'attacks' counts"),
        ({"zones": ZONES, "step": {"name": "draw", "play": "7>1D", "attacks": 1}}, "'attacks' counts"),
        ({"zones": ZONES, "step": {"name": "defend", "play": "7>1D", "attacks": 0}}, "'attacks' counts"),
        (
            {"zones": ZONES, "step": {"name": "parry", "play": "7>2A", "attacks": 1, "answer": "2"}},
            "An attack of 7 is answered with that value or m, not 2",
        ),
        ({"zones": ZONES, "step": {"name": "press", "play": "m=7>2A", "attacks": 1}}, "named by its value 7"),
        (
            {"hands": ["1 1 1", "7 7 7", "2 2 2 2"], "players": 3, "step": OWN},
            "Each hand has 4 cards unless its player took part",
        ),
        (
            {"hands": ["1 1 1", "7 7 7", "2 2 2"], "players": 3, "step": {"name": "refill"}},
            "Each hand has 4 cards unless its player took part",
        ),
        ({"hands": HANDS, "step": {"name": "refill"}}, "they cannot all be full"),
        ({"hands": HANDS, "step": OWN}, "hand of player 1 cannot be full"),
        (
            {"hands": ["1 1 1", "3 3 3 3"], "zones": ZONES, "step": DEFENCE},
            "hand of player 2 cannot be full",
        ),
        ({"hands": ["1 1"], "step": OWN}, "short by more cards than"),
        (
            {"hands": ["1 1 1", "2 2 2"], "zones": [". . . .", "# . . ."], "step": BLOCK},
            "short by more cards than",
        ),
        (
            {"hands": ["1 1 1 1", "2 2 2"], "zones": ZONES, "step": {"name": "defend", "play": "7>2A", "attacks": 1}},
            "short by more cards than",
        ),
    ],
)  # fmt: skip
def test_impossible_positions_are_refused(fields: dict[str, Any], fault: str) -> None:
    with pytest.raises(ParseError) as caught:
        position(**fields)
    assert fault in str(caught.value)


def test_a_hand_may_be_short_when_cards_ran_out_in_the_turn() -> None:
    step = {"name": "defend", "play": "7>2A", "attacks": 2}
    game, state = position(hands=["1 1", "2 2 2"], zones=ZONES, step=step)
    assert choices(game, state) == ["-"]


def test_a_game_that_is_over_needs_no_step() -> None:
    game, state = position(hands=["1 1 1", "2 2 2 2"], zones=["### ### ###7 .", "7 . . ."], turn=1)
    outcome = game.outcome(state)
    assert outcome
    assert (outcome.reason, game.turn(state)) == ("three-columns", None)
    assert game.decode(game.encode(state)) == state


@pytest.mark.parametrize("document", [None, 1, "x", [], {}, {"hands": {}}])
def test_what_is_no_position_is_refused(document: Any) -> None:
    with pytest.raises(ParseError):
        kemu.game("mauw").decode(document)
