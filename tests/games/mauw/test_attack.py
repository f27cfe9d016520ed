"""One test for each sentence and ruling about attack, defence and the joker."""

import pytest

import kemu
from kemu.core.errors import IllegalAction
from tests.games.mauw.positions import choices, go, position, zone

OWN = "4 4 4 ."


@pytest.mark.parametrize(("card", "target"), [("7", "7"), ("7", "##2"), ("2", "#7")])
def test_6_a_warrior_attacks_an_enemys_warrior_of_the_same_colour(card: str, target: str) -> None:
    game, state = position(hands=[f"{card} 1 1 1", "3 3 3 3"], zones=[OWN, f"{target} . . ."])
    assert f"{card}>2A" in choices(game, state)
    state = go(game, state, f"{card}>2A ~8")
    assert game.turn(state) == 1


def test_r7_the_attacker_draws_before_the_defender_is_asked() -> None:
    game, state = position(hands=["7 1 1 1", "7 3 3 3"], zones=[OWN, "7 . . ."])
    state = go(game, state, "7>2A")
    assert game.turn(state) == kemu.CHANCE
    assert len(state.hands[0]) == 3
    assert game.turn(go(game, state, "~8")) == 1


def test_6_the_owner_may_defend_with_an_identical_warrior_or_a_joker() -> None:
    game, state = position(hands=["7 1 1 1", "2 7 s m"], zones=[OWN, "2 . . ."])
    state = go(game, state, "7>2A ~8")
    assert choices(game, state) == ["!7", "!m", "-"]
    for text in ("!2", "!s", "!1"):
        with pytest.raises(IllegalAction, match="Player 2 defends with !7 or !m from the hand"):
            go(game, state, text)


@pytest.mark.parametrize("answer", ["7", "m"])
def test_6_a_defence_discards_both_cards_and_the_target_stays(answer: str) -> None:
    game, state = position(hands=["7 1 1 1", f"{answer} 3 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, f"7>2A ~8 !{answer}")
    assert game.turn(state) == kemu.CHANCE
    state = go(game, state, "~5")
    assert sum(game.encode(state)["discards"].values()) == 2
    assert game.encode(state)["discards"][answer] >= 1
    assert zone(game, state, 1) == "##2 . . ."
    assert game.encode(state)["hands"][1] == ["3", "3", "3", "5"]
    assert game.turn(state) == 0


def test_6_the_attacker_may_go_on_with_an_identical_card_or_a_joker() -> None:
    game, state = position(hands=["7 7 2 m", "7 7 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8 !7 ~5")
    assert choices(game, state) == ["!7", "!m", "-"]
    with pytest.raises(IllegalAction, match="Player 1 goes on attacking with !7 or !m"):
        go(game, state, "!2")
    state = go(game, state, "!7 ~8")
    assert game.turn(state) == 1
    state = go(game, state, "!7 ~5")
    assert choices(game, state) == ["!m", "-"]


def test_6_if_the_attacker_gives_in_the_turn_is_over() -> None:
    game, state = position(hands=["7 7 2 m", "7 7 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8 !7 ~5 -")
    assert (game.turn(state), state.turns) == (1, 1)
    assert zone(game, state, 1) == "##2 . . ."


def test_6_if_the_defender_gives_in_a_sum_9_is_the_attackers() -> None:
    game, state = position(hands=["7 1 1 1", "3 3 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8 -")
    assert game.encode(state)["discards"] == {"2": 1, "7": 1}
    assert zone(game, state, 1) == "## . . ."
    state = go(game, state, "^3")
    assert (game.turn(state), choices(game, state)) == (0, ["+D"])
    assert zone(game, go(game, state, "+D"), 0) == "4 4 4 #"


def test_6_if_the_defender_gives_in_a_pair_goes_to_the_attackers_zone() -> None:
    game, state = position(hands=["7 1 1 1", "3 3 3 3"], zones=["4 4 ## .", "##7 . . ."])
    state = go(game, state, "7>2A ~8 -")
    assert choices(game, state) == ["+C", "+D"]
    state = go(game, state, "+C")
    assert (zone(game, state, 0), zone(game, state, 1)) == ("4 4 ###7 .", "## . . .")


@pytest.mark.parametrize(("card", "left"), [("7", {"7": 2}), ("2", {"2": 1, "7": 1, "8": 1})])
def test_6_a_gain_of_an_attack_with_no_place_in_the_attackers_zone_is_discarded(
    card: str, left: dict[str, int]
) -> None:
    game, state = position(hands=[f"{card} 1 1 1", "3 3 3 3"], zones=["4 4 ### #s", "##7 . . ."])
    state = go(game, state, f"{card}>2A ~6 -" + (" ^8" if card == "2" else ""))
    assert game.encode(state)["discards"] == left
    assert game.turn(state) == 1


def test_defender_and_attacker_are_asked_even_if_they_can_only_give_in() -> None:
    game, state = position(hands=["7 1 1 1", "7 3 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8 !7 ~5")
    assert (game.turn(state), choices(game, state)) == (0, ["-"])
    game, state = position(hands=["7 1 1 1", "3 3 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8")
    assert (game.turn(state), choices(game, state)) == (1, ["-"])


def test_only_the_one_attacked_defends() -> None:
    game, state = position(3, hands=["7 1 1 1", "3 3 3 3", "7 7 7 m"], zones=[OWN, ". . . .", "2 . . ."])
    state = go(game, state, "7>3A ~8")
    assert (game.turn(state), choices(game, state)) == (2, ["!7", "!m", "-"])


def test_r6_defence_and_attack_match_the_first_attacking_card_not_the_target() -> None:
    game, state = position(hands=["7 2 1 1", "2 2 2 7"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8")
    assert choices(game, state) == ["!7", "-"]
    assert choices(game, go(game, state, "!7 ~3")) == ["-"]


def test_r6_a_joker_attacks_with_the_value_it_was_named() -> None:
    game, state = position(hands=["m 2 7 1", "2 7 3 3"], zones=[OWN, "##2 . . ."])
    named_2, named_7 = go(game, state, "m=2>2A ~8"), go(game, state, "m=7>2A ~8")
    assert choices(game, named_2) == ["!2", "-"]
    assert choices(game, named_7) == ["!7", "-"]
    assert choices(game, go(game, named_2, "!2 ~8")) == ["!2", "-"]
    assert choices(game, go(game, named_7, "!7 ~8")) == ["!7", "-"]


def test_r6_a_joker_that_continues_has_the_value_of_the_first_card() -> None:
    game, state = position(hands=["7 m 1 1", "7 7 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8 !7 ~3 !m ~8")
    assert choices(game, state) == ["!7", "-"]
    state = go(game, state, "-")
    assert game.encode(state)["discards"] == {"2": 1, "7": 2, "m": 1}


def attacked(attacks: int, name: str) -> list[str]:
    game, state = position(
        hands=["7 7 m m", "7 7 3 3"],
        zones=[OWN, "##2 . . ."],
        step={"name": name, "play": "7>2A", "attacks": attacks},
    )
    return choices(game, state)


def test_r13_after_twelve_attacking_cards_the_attacker_can_only_give_in() -> None:
    assert attacked(11, "press") == ["!7", "!m", "-"]
    assert attacked(12, "press") == ["-"]
    assert attacked(12, "defend") == ["!7", "-"]


def test_r13_says_why() -> None:
    step = {"name": "press", "play": "7>2A", "attacks": 12}
    game, state = position(hands=["7 7 m m", "7 7 3 3"], zones=[OWN, "##2 . . ."], step=step)
    with pytest.raises(IllegalAction, match="can only give in with - after 12 attacking cards"):
        go(game, state, "!7")


def test_r13_counts_every_attacking_card_with_the_first() -> None:
    step = {"name": "press", "play": "7>2A", "attacks": 10}
    game, state = position(hands=["7 7 m m", "7 7 7 3"], zones=[OWN, "##2 . . ."], step=step)
    state = go(game, state, "!7 ~8 !7 ~8")
    assert choices(game, state) == ["!7", "!m", "-"]
    assert choices(game, go(game, state, "!m ~8 !7 ~8")) == ["-"]


def test_r13_another_attack_counts_anew() -> None:
    game, state = position(hands=["7 7 3 3", "7 7 3 3"], zones=[OWN, "##2 . . ."])
    state = go(game, state, "7>2A ~8 !7 ~8")
    assert game.encode(state)["step"] == {"name": "press", "play": "7>2A", "attacks": 1}
    state = go(game, state, "!7 ~8")
    assert game.encode(state)["step"] == {"name": "defend", "play": "7>2A", "attacks": 2}


# The joker


def test_r4_a_joker_goes_wherever_its_card_may_and_its_value_is_named() -> None:
    game, state = position(hands=["m m m m"], zones=[". # #s 7", "# #s 3 ."])
    own_empty = [f"m={value}>1A" for value in "12345678"]
    own_bare = [f"m={value}>1B" for value in "12345678"]
    enemy_bare = [f"m={value}>2A" for value in "12345678s"]
    rest = ["m=s>1C", "m=2>1D", "m=7>1D", "m=3>2C", "m=6>2C"]
    assert sorted(choices(game, state)) == sorted(own_empty + own_bare + enemy_bare + rest)


def test_a_joker_keeps_its_value_while_it_lies() -> None:
    game, state = position(hands=["m 1 1 1", "2 7 s s"], zones=["4 4 4 #"])
    state = go(game, state, "m=7>1D ~8")
    assert zone(game, state, 0) == "4 4 4 #m=7"
    assert choices(game, state)[:2] == ["2>1D", "7>1D"]


def test_a_joker_that_lies_as_a_spirit_is_a_spirit() -> None:
    game, state = position(hands=["m 1 1 1", "s m 7 2"], zones=["4 4 4 4", "# 5 5 5"])
    state = go(game, state, "m=s>2A ~8")
    assert [text for text in choices(game, state) if text.endswith("2A")] == ["s>2A", "m=s>2A"]
    after = go(game, state, "s>2A ~8")
    assert game.encode(after)["discards"] == {"s": 1, "m": 1}


def test_r10_a_joker_that_leaves_a_column_goes_to_the_discards_as_a_joker() -> None:
    game, state = position(hands=["2 1 1 1"], zones=["m=7 4 4 4"])
    state = go(game, state, "2>1A ~8")
    assert game.encode(state)["discards"] == {"2": 1, "m": 1}


def test_a_joker_makes_nine() -> None:
    game, state = position(hands=["m 1 1 1"], zones=["7 4 4 4"])
    state = go(game, state, "m=2>1A ~8")
    assert game.encode(state)["discards"] == {"7": 1, "m": 1}
    assert zone(game, go(game, state, "^1 +A"), 0) == "# 4 4 4"


@pytest.mark.parametrize(
    ("played", "lying", "open_card"),
    [("7", "7", "7"), ("m=7", "7", "7"), ("7", "m=7", "7"), ("m=7", "m=7", "m=7")],
)
def test_r5_in_a_pair_the_joker_is_the_card_that_is_turned(played: str, lying: str, open_card: str) -> None:
    game, state = position(hands=[f"{played[0]} 1 1 1"], zones=[f"{lying} 4 4 4"])
    state = go(game, state, f"{played}>1A ~8 +A")
    assert zone(game, state, 0) == f"#{open_card} 4 4 4"


@pytest.mark.parametrize(
    ("chain", "lying", "open_card"),
    [
        ("7>2A ~8", "7", "7"),
        ("m=7>2A ~8", "7", "7"),
        ("m=7>2A ~8", "m=7", "m=7"),
        ("7>2A ~8 !7 ~8 !m ~8", "m=7", "m=7"),
    ],
)
def test_r5_holds_in_an_attack_too(chain: str, lying: str, open_card: str) -> None:
    game, state = position(hands=["7 m 1 1", "7 3 3 3"], zones=[OWN, f"{lying} . . ."])
    assert zone(game, go(game, state, f"{chain} - +D"), 0) == f"4 4 4 #{open_card}"


def test_r10_a_pair_with_a_joker_and_no_place_goes_to_the_discards_as_cards() -> None:
    game, state = position(hands=["m 1 1 1"], zones=["###7 4 4 4"])
    assert game.encode(go(game, state, "m=7>1A ~8"))["discards"] == {"7": 1, "m": 1}


def test_a_joker_is_named_a_value_that_fits() -> None:
    game, state = position(hands=["m 1 1 1"], zones=["7 # . #s"])
    with pytest.raises(IllegalAction, match="On the 7 of 1A goes only a 7 or a 2"):
        go(game, state, "m=5>1A")
    for column in "BC":
        with pytest.raises(IllegalAction, match="A spirit goes neither"):
            go(game, state, f"m=s>1{column}")
    with pytest.raises(IllegalAction, match="only a spirit of player 1"):
        go(game, state, "m=7>1D")
