"""Rulings R7 and R8, the order of draws and effects, and the ends with R9, R11 and R14."""

from fractions import Fraction

import pytest

import kemu
from kemu.core.game import Outcome
from kemu.games.mauw.rules import Mauw
from kemu.games.mauw.state import State
from tests.games.mauw.positions import choices, go, position, stack, zone

FULL = "### ## ## #"
"""Eight cards; six such zones and six hands are all 72."""


def no_cards_left(first: str, second: str, hands: list[str], turn: int = 0) -> tuple[Mauw, State]:
    """A game of six with nothing in pile and discards; the first two zones are given."""
    return position(6, hands=hands, zones=[first, second, FULL, FULL, FULL, FULL], pile="", discards="", turn=turn)


# R7


def test_r7_a_played_card_is_in_no_reshuffle_of_its_own_refill() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 4 4 4"], pile="")
    before = game.encode(state)["discards"]
    state = go(game, state, "2>1A")
    assert game.encode(state)["pile"] == before
    assert zone(game, state, 0) == "7 4 4 4"


def test_r7_the_card_lies_only_after_the_refill() -> None:
    game, state = position(hands=["2 1 1 1"])
    state = go(game, state, "2>1A")
    assert zone(game, state, 0) == ". . . ."
    assert zone(game, go(game, state, "~8"), 0) == "2 . . ."


def test_r7_attacking_and_defending_card_reach_the_discards_after_the_defenders_refill() -> None:
    game, state = position(hands=["7 1 1 1", "7 3 3 3"], zones=["4 4 4 4", "2 . . ."], pile="8")
    before = game.encode(state)["discards"]
    state = go(game, state, "7>2A ~8")
    assert game.encode(state)["discards"] == before
    state = go(game, state, "!7")
    assert game.encode(state)["pile"] == before
    state = go(game, state, "~5")
    assert game.encode(state)["discards"] == {"7": 2}


def test_r7_each_side_refills_after_each_card() -> None:
    game, state = position(hands=["7 7 1 1", "7 7 3 3"], zones=["4 4 4 4", "2 . . ."])
    sizes = []
    for text in ["7>2A", "~8", "!7", "~8", "!7", "~8", "!7", "~8"]:
        state = go(game, state, text)
        sizes.append([len(hand) for hand in state.hands])
    assert sizes == [[3, 4], [4, 4], [4, 3], [4, 4], [3, 4], [4, 4], [4, 3], [4, 4]]


def test_r7_the_associated_cards_are_on_the_discards_before_the_mauw_is_taken() -> None:
    game, state = no_cards_left("2 ### ## ##", FULL, ["7 1 1 1"])
    state = go(game, state, "7>1A")
    assert [(game.format(action), chance) for action, chance in game.odds(state)] == [
        ("^2", Fraction(1, 2)),
        ("^7", Fraction(1, 2)),
    ]


def test_r7_the_mauw_is_taken_before_its_place_is_chosen() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["7 4 4 4"])
    state = go(game, state, "2>1A ~8")
    assert game.turn(state) == kemu.CHANCE
    assert game.turn(go(game, state, "^8")) == 0


# R8


def test_r8_a_draw_that_fails_is_made_up_at_the_end_of_the_turn() -> None:
    game, state = no_cards_left("2 ### ## ##", FULL, ["7 1 1 1"])
    state = go(game, state, "7>1A ^2 +A")
    assert game.encode(state)["step"] == {"name": "refill"}
    assert choices(game, state) == ["~7"]
    state = go(game, state, "~7")
    assert game.encode(state)["hands"][0] == ["1", "1", "1", "7"]
    assert (game.turn(state), state.turns) == (1, 1)


def test_r8_the_player_whose_turn_it_was_draws_first_then_round() -> None:
    hands = ["7 1 1 1", "7 3 3 3"]
    game, state = no_cards_left("2 ### ## ##", "2 ### ## ##", hands, turn=1)
    state = go(game, state, "7>1A !7 -")
    assert [len(hand) for hand in state.hands[:2]] == [3, 3]
    assert choices(game, state) == ["~7"]
    state = go(game, state, "~7")
    assert [len(hand) for hand in state.hands[:2]] == [3, 4]
    state = go(game, state, "~7")
    assert [len(hand) for hand in state.hands[:2]] == [4, 4]
    assert game.turn(state) == 2


def test_r8_inside_a_turn_each_card_played_is_one_draw_and_no_more() -> None:
    game, state = no_cards_left("### ## ## .", "7 ### ### ##", ["7 7 1 1", "7 3 3 3"])
    state = go(game, state, "7>2A !7")
    assert game.encode(state)["discards"] == {"7": 2}
    assert [len(hand) for hand in state.hands[:2]] == [3, 3]
    state = go(game, state, "!7 ~7")
    assert [len(hand) for hand in state.hands[:2]] == [3, 3]
    assert game.turn(state) == 1


def test_r8_each_is_filled_up_to_four_before_the_next() -> None:
    game, state = no_cards_left("### ## ## .", "2 ### ### ##", ["7 7 7 1", "7 7 3 3"])
    state = go(game, state, "7>2A !7 !7 ~7 !7 ~7 -")
    # Of four cards 7 two were drawn again and two lie on the discards; both players are one short.
    assert [len(hand) for hand in state.hands[:2]] == [3, 3]
    state = go(game, state, "~7")
    assert [len(hand) for hand in state.hands[:2]] == [4, 3]
    assert game.turn(go(game, state, "~7")) == 1


def test_r8_only_if_somebody_still_has_fewer_than_four_is_the_game_over() -> None:
    game, state = no_cards_left("### ## ## .", "7 ### ### ##", ["7 7 1 1", "7 3 3 3"])
    state = go(game, state, "7>2A !7 !7 ~7 - +D")
    # One card is left: the player whose turn it was gets it, the defender stays short.
    assert choices(game, state) == ["~7"]
    state = go(game, state, "~7")
    assert [len(hand) for hand in state.hands] == [4, 3, 4, 4, 4, 4]
    outcome = game.outcome(state)
    assert outcome
    assert (outcome.reason, game.turn(state), game.actions(state)) == ("no-cards", None, ())


# Ends


def test_no_cards_ends_the_game_at_the_end_of_a_turn() -> None:
    game, state = no_cards_left("### ## ## #", FULL, ["7 1 1 1"])
    state = go(game, state, "7>1D")
    outcome = game.outcome(state)
    assert outcome
    # 72 + 36 + 36 + 14 against five times 72 + 36 + 36 + 18
    assert outcome == Outcome((1, 2, 3, 4, 5), "no-cards", tuple(map(Fraction, (158, 162, 162, 162, 162, 162))))
    assert outcome.at == ()


def test_r8_an_empty_pile_is_no_end_as_long_as_all_hands_are_full() -> None:
    game, state = no_cards_left("### ## ## #", FULL, ["7 1 1 1"])
    assert game.outcome(state) is None
    assert game.turn(state) == 0


@pytest.mark.parametrize(
    ("zone_before", "end"), [("### ###s ## .", True), ("### ### # ##", False), ("### ### ##5 #", False)]
)
def test_three_columns_with_three_mauw_end_the_game_at_once(zone_before: str, end: bool) -> None:
    game, state = position(hands=["7 1 1 1"], zones=[zone_before, "2 . . ."])
    state = go(game, state, "7>2A ~8 - ^8")
    state = go(game, state, choices(game, state)[0])
    assert (game.outcome(state) is not None) == end


def test_three_columns_count_whatever_lies_on_top() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["###s ###m=4 ## .", "7 . . ."])
    state = go(game, state, "7>2A ~8 - +C")
    outcome = game.outcome(state)
    assert outcome == Outcome((0,), "three-columns", (Fraction(0 + 32 + 56), Fraction(0)))
    assert outcome
    assert outcome.at == ("1A", "1B", "1C")


def test_two_columns_with_three_mauw_are_no_end() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["### ### ## ##"])
    assert game.outcome(state) is None


def test_r14_three_columns_come_without_refills() -> None:
    game, state = no_cards_left("2 ### ### ##", "### ## # #", ["7 1 1 1"])
    state = go(game, state, "7>1A ^2 +D")
    assert game.encode(state)["pile"] == {"7": 1}
    assert [len(hand) for hand in state.hands[:2]] == [3, 4]
    outcome = game.outcome(state)
    assert outcome
    assert outcome.reason == "three-columns"


def test_r14_three_columns_come_before_no_cards() -> None:
    game, state = no_cards_left("7 ### ### ##", "### ## # #", ["7 1 1 1"])
    state = go(game, state, "7>1A +D")
    assert [len(hand) for hand in state.hands[:2]] == [3, 4]
    outcome = game.outcome(state)
    assert outcome
    assert outcome.reason == "three-columns"


def test_r14_no_cards_come_before_the_limit() -> None:
    game, state = no_cards_left("### ## ## #", FULL, ["7 1 1 1"])
    state = go(game, game.decode({**game.encode(state), "turns": 499}), "7>1D")
    outcome = game.outcome(state)
    assert outcome
    assert outcome.reason == "no-cards"


def test_r14_three_columns_come_before_the_limit() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["### ### ## 7"], turns=499)
    outcome = game.outcome(go(game, state, "7>1D ~8 +C"))
    assert outcome
    assert outcome.reason == "three-columns"


@pytest.mark.parametrize(("turns", "over"), [(498, False), (499, True)])
def test_r11_after_500_turns_the_game_ends_and_is_scored(turns: int, over: bool) -> None:
    game, state = position(hands=["7 1 1 1"], turns=turns)
    state = go(game, state, "7>1A ~8")
    assert game.outcome(state) == (Outcome((0,), "limit", (Fraction(7), Fraction(0))) if over else None)
    assert game.turn(state) == (None if over else 1)


def test_r9_equal_scores_share_the_victory() -> None:
    game, state = position(3, hands=["7 1 1 1"], zones=[". . . .", "7 . . .", "6 . . ."], turns=499)
    outcome = game.outcome(go(game, state, "7>1A ~8"))
    assert outcome == Outcome((0, 1), "limit", (Fraction(7), Fraction(7), Fraction(6)))


def test_r14_the_highest_score_wins_whoever_ended_the_game() -> None:
    game, state = position(hands=["1 8 8 8"], zones=["###s ###1 ## 1", "### ### . ."])
    outcome = game.outcome(go(game, state, "1>1D ~8 +C"))
    assert outcome == Outcome((1,), "three-columns", (Fraction(0 + 8 + 8), Fraction(144)))


def test_a_turn_that_is_ended_at_once_is_not_counted_as_played() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["### ### ## 7"], turns=4)
    document = game.encode(go(game, state, "7>1D ~8 +C"))
    assert (document["turn"], document["turns"], "step" in document) == (0, 4, False)


def test_stack_of_a_refused_gain_is_open() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["###7 4 4 4"])
    state = go(game, state, "2>1A ~8 ^5")
    assert stack(game.encode(state)["discards"]) == "2 5 7"
