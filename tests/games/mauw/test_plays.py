"""One test for each sentence about the deal, the turn and the ways to play a card."""

from fractions import Fraction

import pytest

import kemu
from kemu.core.errors import IllegalAction
from kemu.games.mauw.rules import Mauw
from tests.games.mauw.positions import choices, go, position, stack, zone

# Deal and turn


def test_the_deal_goes_round_one_card_at_a_time() -> None:
    game = Mauw(3)
    state = go(game, game.initial(), "~1 ~2 ~3 ~4")
    assert game.encode(state)["hands"] == [["1", "4"], ["2"], ["3"]]
    assert game.turn(state) == kemu.CHANCE


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_four_cards_are_dealt_to_each_and_seat_0_begins(players: int) -> None:
    game = Mauw(players)
    cards = ["~1", "~2", "~3", "~4", "~5", "~6"][:players] * 4
    state = go(game, game.initial(), " ".join(cards[:-1]))
    assert game.turn(state) == kemu.CHANCE
    state = go(game, state, cards[-1])
    assert [len(hand) for hand in state.hands] == [4] * players
    assert game.turn(state) == 0


def test_each_single_card_of_the_pile_is_equally_likely() -> None:
    game = Mauw(2)
    odds = dict(game.odds(game.initial()))
    assert [game.format(action) for action in odds] == [f"~{card}" for card in "12345678sm"]
    assert [*odds.values()] == [Fraction(5, 56)] * 8 + [Fraction(12, 56), Fraction(4, 56)]


def test_odds_follow_the_cards_that_are_left() -> None:
    game = Mauw(2)
    state = go(game, game.initial(), "~1 ~1 ~1 ~1 ~1")
    odds = {game.format(action): chance for action, chance in game.odds(state)}
    assert "~1" not in odds
    assert odds["~2"] == Fraction(5, 51)
    with pytest.raises(IllegalAction, match="~1 is not one that can be given"):
        go(game, state, "~1")


def test_turns_go_clockwise_and_each_plays_one_card() -> None:
    game, state = position(3, hands=["1 1 1 1", "2 2 2 2", "3 3 3 3"])
    for text, seat in (("1>1A ~8", 1), ("2>2A ~8", 2), ("3>3A ~8", 0)):
        state = go(game, state, text)
        assert game.turn(state) == seat
    assert game.encode(state)["turns"] == 3


def test_a_played_card_is_replaced_at_once_from_the_pile() -> None:
    game, state = position(hands=["1 2 3 4"])
    state = go(game, state, "2>1A")
    assert game.turn(state) == kemu.CHANCE
    assert game.encode(state)["hands"][0] == ["1", "3", "4"]
    state = go(game, state, "~m")
    assert game.encode(state)["hands"][0] == ["1", "3", "4", "m"]


def test_when_the_pile_is_empty_the_discards_become_the_pile() -> None:
    game, state = position(hands=["1 2 3 4"], pile="")
    before = game.encode(state)
    state = go(game, state, "2>1A")
    after = game.encode(state)
    assert (after["pile"], after["discards"]) == (before["discards"], {})
    assert sum(chance for _, chance in game.odds(state)) == 1


def test_the_last_card_of_the_pile_is_drawn_before_the_discards_are_shuffled() -> None:
    game, state = position(hands=["1 2 3 4"], pile="8")
    state = go(game, state, "2>1A")
    assert [(game.format(action), chance) for action, chance in game.odds(state)] == [("~8", Fraction(1))]
    assert game.encode(go(game, state, "~8"))["pile"] == {}


# 1 and 2: warriors on an own empty place and on own bare Mauw


def test_1_a_warrior_goes_on_an_own_empty_place() -> None:
    game, state = position(hands=["7 7 7 7"])
    assert zone(game, go(game, state, "7>1C ~1"), 0) == ". . 7 ."


def test_2_a_warrior_goes_on_own_bare_mauw() -> None:
    game, state = position(hands=["7 7 7 7"], zones=["# ## ### ."])
    assert choices(game, state) == ["7>1A", "7>1B", "7>1C", "7>1D"]
    assert zone(game, go(game, state, "7>1C ~1"), 0) == "# ## ###7 ."


def test_r2_a_spirit_goes_neither_on_an_empty_place_nor_on_own_bare_mauw() -> None:
    game, state = position(hands=["s s s s"], zones=["# ## ### ."])
    assert choices(game, state) == ["x"]
    for column in "AD":
        with pytest.raises(IllegalAction, match="A spirit goes neither"):
            go(game, state, f"s>1{column}")


@pytest.mark.parametrize(("lying", "held"), [("7", "1 3 4 8"), ("#7", "5 6 4 1"), ("#s", "1 2 7 8")])
def test_r3_a_warrior_goes_neither_on_another_colour_nor_on_a_spirit(lying: str, held: str) -> None:
    game, state = position(hands=[held], zones=[" ".join([lying] * 4)])
    assert choices(game, state) == ["x"]
    with pytest.raises(IllegalAction, match="goes only"):
        go(game, state, f"{held[0]}>1A")


# 3: association


def test_3_sum_9_discards_both_and_takes_a_mauw_from_the_pile() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["2 4 4 ."])
    state = go(game, state, "7>1A ~3")
    assert game.encode(state)["discards"] == {"2": 1, "7": 1}
    assert {game.format(action)[0] for action in game.actions(state)} == {"^"}
    state = go(game, state, "^8")
    assert choices(game, state) == ["+A", "+D"]
    state = go(game, state, "+A")
    assert zone(game, state, 0) == "# 4 4 ."
    assert game.turn(state) == 1


def test_3_the_odds_of_a_mauw_are_those_of_the_pile() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["2 4 4 ."])
    pile = game.encode(go(game, state, "7>1A ~3"))["pile"]
    odds = {game.format(action): chance for action, chance in game.odds(go(game, state, "7>1A ~3"))}
    assert odds == {f"^{card}": Fraction(number, sum(pile.values())) for card, number in pile.items()}


def test_3_same_value_turns_one_and_lays_the_other_on_it() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["7 ## . #4"])
    state = go(game, state, "7>1A ~3")
    assert choices(game, state) == ["+A", "+B", "+C"]
    assert zone(game, go(game, state, "+A"), 0) == "#7 ## . #4"
    assert zone(game, go(game, state, "+B"), 0) == ". ###7 . #4"
    assert game.encode(go(game, state, "+B"))["discards"] == {}


@pytest.mark.parametrize("played", ["2", "7"])
def test_3_a_gain_goes_on_an_empty_place_or_bare_mauw_of_at_most_two(played: str) -> None:
    game, state = position(hands=[f"{played} 1 1 1"], zones=["7 # ## ###"])
    state = go(game, state, f"{played}>1A ~3" + (" ^8" if played == "2" else ""))
    assert choices(game, state) == ["+A", "+B", "+C"]
    with pytest.raises(IllegalAction, match=r"put the gain down with \+A or \+B or \+C, not \+D"):
        go(game, state, "+D")


@pytest.mark.parametrize(("under", "fits"), [("", True), ("#", True), ("##", True), ("###", False)])
@pytest.mark.parametrize("played", ["2", "7"])
def test_3_the_column_that_the_two_leave_may_take_the_gain(under: str, fits: bool, played: str) -> None:
    game, state = position(hands=[f"{played} 1 1 1"], zones=[f"{under}7 4 4 4"])
    state = go(game, state, f"{played}>1A ~3" + (" ^8" if played == "2" else ""))
    assert choices(game, state) == ["+A"] if fits else game.turn(state) == 1


def test_3_a_pair_with_no_place_goes_to_the_discards() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["###7 ### 4 #s"])
    state = go(game, state, "7>1A ~3")
    assert game.encode(state)["discards"] == {"7": 2}
    assert zone(game, state, 0) == "### ### 4 #s"
    assert game.turn(state) == 1


def test_r7_a_mauw_with_no_place_is_taken_all_the_same_and_laid_on_the_discards() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["###7 ### 4 #s"])
    state = go(game, state, "2>1A ~3")
    assert game.turn(state) == kemu.CHANCE
    state = go(game, state, "^8")
    assert stack(game.encode(state)["discards"]) == "2 7 8"
    assert game.turn(state) == 1


def test_a_gain_is_asked_for_even_if_only_one_column_fits() -> None:
    game, state = position(hands=["7 1 1 1"], zones=["7 4 4 4"])
    state = go(game, state, "7>1A ~3")
    assert game.turn(state) == 0
    assert choices(game, state) == ["+A"]


# 4 and 5: spirits, blocking and unblocking


def test_4_a_spirit_on_an_own_spirit_discards_both() -> None:
    game, state = position(hands=["s 1 1 1"], zones=["##s 4 4 4"])
    assert choices(game, state) == ["s>1A"]
    state = go(game, state, "s>1A ~3")
    assert zone(game, state, 0) == "## 4 4 4"
    assert game.encode(state)["discards"] == {"s": 2}
    assert game.turn(state) == 1


@pytest.mark.parametrize(("card", "points"), [("s", 0), ("3", 12)])
def test_5_a_spirit_or_warrior_blocks_bare_mauw_of_an_enemy(card: str, points: int) -> None:
    game, state = position(hands=[f"{card} 8 8 8"], zones=[". . . .", "## . . ."])
    view = game.view(go(game, state, f"{card}>2A ~1"), 0)
    assert view["zones"][1][0] == {"mauw": 2, "top": card}
    assert view["scores"] == [0, points]


def test_5_a_blocking_spirit_is_removed_only_by_the_owner_of_the_zone() -> None:
    game, state = position(3, hands=["s s 1 1", "s s 1 1", "s s 1 1"], zones=["4 4 4 4", "#s . . .", "5 5 5 5"])
    assert choices(game, state) == ["x"]
    with pytest.raises(IllegalAction, match="only a spirit of player 2"):
        go(game, state, "s>2A")
    game, state = position(3, hands=["s s 1 1", "s s 1 1", "s s 1 1"], zones=["4 4 4 4", "#s . . ."], turn=1)
    assert "s>2A" in choices(game, state)


def test_5_a_blocking_warrior_is_a_warrior_of_that_zone() -> None:
    game, state = position(3, hands=["7 1 1 1", "2 8 8 8", "2 8 8 8"], zones=["4 4 4 4", "## . . .", "5 5 5 5"])
    state = go(game, state, "7>2A ~1")
    assert "2>2A" in choices(game, state)
    owner = go(game, state, "2>2A ~3 ^3")
    assert choices(game, owner) == ["+A", "+B", "+C", "+D"]
    other = go(game, state, "8>2B ~3")
    assert choices(game, other) == ["2>2A", "8>2B"]


def test_5_a_warrior_does_not_go_on_an_enemys_warrior_of_another_colour() -> None:
    game, state = position(hands=["1 1 1 1"], zones=["4 4 4 4", "7 ##7 #s ."])
    assert choices(game, state) == ["x"]


@pytest.mark.parametrize("card", ["7", "s"])
def test_r3_nothing_goes_on_an_empty_place_or_a_spirit_of_an_enemy(card: str) -> None:
    game, state = position(hands=[f"{card} 1 1 1"], zones=["4 4 4 4", ". #s #m=s #"])
    assert {text.partition(">")[2] for text in choices(game, state)} == {"2D"}
    with pytest.raises(IllegalAction, match="enemy's empty place 2A"):
        go(game, state, f"{card}>2A")
    for column in "BC":
        with pytest.raises(IllegalAction, match="only a spirit of player 2"):
            go(game, state, f"{card}>2{column}")


# x: no legal play


def test_who_has_no_play_discards_the_hand_draws_four_and_the_turn_is_over() -> None:
    game, state = position(hands=["1 1 s 8"], zones=["4 4 4 4"])
    assert choices(game, state) == ["x"]
    state = go(game, state, "x")
    assert game.encode(state)["discards"] == {"1": 2, "8": 1, "s": 1}
    state = go(game, state, "~2 ~2 ~3")
    assert game.turn(state) == kemu.CHANCE
    state = go(game, state, "~m")
    assert game.encode(state)["hands"][0] == ["2", "2", "3", "m"]
    assert (game.turn(state), state.turns) == (1, 1)


def test_x_is_legal_only_if_nothing_else_is() -> None:
    game, state = position(hands=["1 1 s 8"], zones=["4 4 4 1"])
    assert choices(game, state) == ["1>1D", "8>1D"]
    with pytest.raises(IllegalAction, match="x is legal only if nothing else is"):
        go(game, state, "x")


def test_r15_the_hand_is_on_the_discards_before_the_four_are_drawn() -> None:
    game, state = position(hands=["1 1 s 8"], zones=["4 4 4 4"], pile="2 3")
    state = go(game, state, "x ~2 ~3")
    assert "~8" in choices(game, state)
    pile = game.encode(state)["pile"]
    assert dict(game.odds(state))[game.parse("~8")] == Fraction(pile["8"], sum(pile.values()))
    assert game.encode(go(game, state, "~1 ~1"))["hands"][0] == ["1", "1", "2", "3"]
