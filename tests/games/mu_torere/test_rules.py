"""One test for each sentence and ruling of the rules of Mū tōrere."""

from typing import Any

import pytest

import kemu
from kemu.core.errors import IllegalAction, OptionError, ParseError
from kemu.core.game import Outcome
from kemu.games.mu_torere.rules import Move, MuTorere, State


def position(points: str, turn: int = 0, **options: Any) -> tuple[MuTorere, State]:
    game = MuTorere(**options)
    return game, game.decode({"points": points, "turn": turn})


def texts(game: MuTorere, state: State) -> list[str]:
    return [game.format(action) for action in game.actions(state)]


def after(game: MuTorere, *actions: str) -> State:
    *_, last = kemu.replay(game, actions)
    return last


# Board and start


def test_each_player_has_four_men_and_the_putahi_is_empty() -> None:
    assert MuTorere().encode(MuTorere().initial()) == {"points": "BBBBWWWW.", "turn": 0}


def test_black_moves_first_and_players_alternate() -> None:
    game = MuTorere()
    assert game.turn(game.initial()) == 0
    assert game.turn(after(game, "1-0")) == 1
    assert game.turn(after(game, "1-0", "8-1")) == 0


def test_legal_first_actions() -> None:
    game = MuTorere()
    assert texts(game, game.initial()) == ["1-0", "4-0"]


def test_kewai_eight_is_next_to_one() -> None:
    game, state = position(".BBBWWWBW", turn=0)
    assert "8-1" in texts(game, state)


def test_passing_is_not_an_action() -> None:
    with pytest.raises(ParseError):
        MuTorere().parse("-")


# Moves


def test_from_the_putahi_to_the_empty_kewai() -> None:
    game, state = position("BBB.WWWWB")
    assert "0-4" in texts(game, state)
    assert game.apply(state, Move(0, 4)).position.points == "BBBBWWWW."


def test_from_a_kewai_to_a_neighbouring_empty_kewai() -> None:
    game, state = position("BBB.WWWWB", turn=1)
    assert texts(game, state) == ["5-4"]
    assert game.apply(state, Move(5, 4)).position.points == "BBBW.WWWB"


def test_a_kewai_that_is_not_next_to_the_gap_cannot_reach_it() -> None:
    game, state = position("BBB.WWWWB", turn=1)
    with pytest.raises(IllegalAction, match="6 is not next to 4"):
        game.apply(state, Move(6, 4))


def test_flanking_rule_needs_an_enemy_beside_the_man_who_enters() -> None:
    game = MuTorere()
    with pytest.raises(IllegalAction, match="only from beside an enemy; 2 has none"):
        game.apply(game.initial(), Move(2, 0))


def test_flanking_rule_counts_an_enemy_on_either_side() -> None:
    game, state = position("BWBBWWWB.", turn=0)
    assert texts(game, state) == ["1-0", "3-0", "4-0", "8-0"]


def test_no_jumps_and_no_captures() -> None:
    game = MuTorere()
    with pytest.raises(IllegalAction, match="5 is not empty"):
        game.apply(game.initial(), Move(4, 5))


def test_only_own_men_move() -> None:
    game = MuTorere()
    with pytest.raises(IllegalAction, match="Black has no man on 5"):
        game.apply(game.initial(), Move(5, 0))


def test_the_empty_point_holds_no_man() -> None:
    game = MuTorere()
    with pytest.raises(IllegalAction, match="Black has no man on 0"):
        game.apply(game.initial(), Move(0, 1))


def test_who_must_move_and_cannot_has_lost() -> None:
    # The gap is kewai 4; White holds 3, 5 and the pūtahi, the only points next to it.
    game, state = position("BBW.WBBWW", turn=0)
    assert game.outcome(state) == Outcome((1,), "blocked")
    assert game.turn(state) is None
    assert game.actions(state) == ()
    with pytest.raises(IllegalAction, match="over"):
        game.apply(state, Move(3, 4))


def test_white_can_be_blocked_too() -> None:
    game, state = position("WWB.BWWBB", turn=1)
    assert game.outcome(state) == Outcome((0,), "blocked")


# Options


def test_flank_always_holds_all_game() -> None:
    game = MuTorere()
    state = after(game, "1-0", "8-1", "0-8", "1-0", "8-1", "0-8")
    assert state.position.points == "BBBBWWWW."
    assert texts(game, state) == ["1-0", "4-0"]


def opening(plies: int, turn: int) -> list[str]:
    game = MuTorere(flank="opening")
    return texts(game, game.decode({"points": "BBBBWWWW.", "turn": turn, "ply": plies}))


def test_flank_opening_holds_in_the_first_two_turns_of_each_player() -> None:
    assert opening(0, 0) == ["1-0", "4-0"]
    assert opening(1, 1) == ["5-0", "8-0"]
    assert opening(2, 0) == ["1-0", "4-0"]
    assert opening(3, 1) == ["5-0", "8-0"]


def test_flank_opening_is_lifted_from_the_fifth_ply_on() -> None:
    assert opening(4, 0) == ["1-0", "2-0", "3-0", "4-0"]
    assert opening(5, 1) == ["5-0", "6-0", "7-0", "8-0"]


def test_flank_opening_counts_plies_as_they_are_played() -> None:
    game = MuTorere(flank="opening")
    state = after(game, "1-0", "8-1", "0-8")
    assert game.encode(state)["ply"] == 3
    assert texts(game, after(game, "1-0", "8-1", "0-8", "7-0")) == ["8-7"]
    assert game.encode(after(game, "1-0", "8-1", "0-8", "7-0", "8-7"))["ply"] == 4


def test_flank_never_is_there_for_study() -> None:
    game = MuTorere(flank="never")
    assert texts(game, game.initial()) == ["1-0", "2-0", "3-0", "4-0"]


@pytest.mark.parametrize("arms", range(4, 17, 2))
def test_any_even_number_of_arms_from_4_to_16(arms: int) -> None:
    game = MuTorere(arms=arms)
    half = arms // 2
    assert game.initial().position.points == "B" * half + "W" * half + "."
    assert texts(game, game.initial()) == ["1-0", f"{half}-0"]


@pytest.mark.parametrize("arms", [2, 3, 5, 18, "8", 8.0, True, None])
def test_other_numbers_of_arms_are_refused(arms: Any) -> None:
    with pytest.raises(OptionError, match="even number from 4 to 16"):
        MuTorere(arms=arms)


@pytest.mark.parametrize("flank", ["Always", "", 1, None])
def test_other_flanking_rules_are_refused(flank: Any) -> None:
    with pytest.raises(OptionError, match="'always', 'opening'"):
        MuTorere(flank=flank)


@pytest.mark.parametrize("repetition", [1, 0, None, "true"])
def test_repetition_is_true_or_false(repetition: Any) -> None:
    with pytest.raises(OptionError, match="true or false"):
        MuTorere(repetition=repetition)


# Rulings

ROUND = ("1-0", "8-1", "0-8", "1-0", "8-1", "0-8")
"""Both sides go round and come back to the start, with Black to move."""


def test_r1_the_third_occurrence_is_a_draw() -> None:
    game = MuTorere()
    assert game.outcome(after(game, *ROUND)) is None
    assert game.outcome(after(game, *ROUND, *ROUND[:-1])) is None
    last = after(game, *ROUND, *ROUND)
    assert game.outcome(last) == Outcome((), "repetition")
    assert game.turn(last) is None
    assert game.actions(last) == ()


def test_r1_the_same_points_with_the_other_player_to_move_are_another_position() -> None:
    game = MuTorere()
    document = {"points": "BBBBWWWW.", "turn": 0, "past": [["BBBBWWWW.", 1], ["BBBBWWWW.", 1]]}
    assert game.outcome(game.decode(document)) is None
    document["past"] = [["BBBBWWWW.", 0], ["BBBBWWWW.", 0]]
    assert game.outcome(game.decode(document)) == Outcome((), "repetition")


def test_r1_the_option_lifts_it_for_study() -> None:
    game = MuTorere(repetition=False)
    state = after(game, *ROUND, *ROUND, *ROUND)
    assert state == game.initial()
    assert game.outcome(state) is None


def test_r2_reasons() -> None:
    game, state = position("BBW.WBBWW")
    outcome = game.outcome(state)
    assert outcome
    assert outcome.reason == "blocked"
    assert outcome.scores is None


# Notation


def test_texts_are_from_to() -> None:
    game = MuTorere(arms=16)
    assert game.format(Move(16, 0)) == "16-0"
    assert game.parse("5-16") == Move(5, 16)


@pytest.mark.parametrize("text", ["", "1", "1-", "1-9", "9-0", "01-0", "1-0 ", " 1-0", "1–0", "a-b", "１-0", "1-0\n"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ParseError, match="from-to with points from 0 to 8"):
        MuTorere().parse(text)


@pytest.mark.parametrize("action", [None, "1-0", (1,), Move(9, 0), Move(-1, 0), 7])
def test_what_is_no_action_is_refused(action: Any) -> None:
    game = MuTorere()
    with pytest.raises(IllegalAction, match="no action of this game"):
        game.apply(game.initial(), action)


# Position documents


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ([], "must be a JSON object"),
        ({"turn": 0}, "needs a field 'points'"),
        ({"points": "BBBBWWWW.", "turn": 0, "who": 1}, 'no field "who"'),
        ({"points": 1, "turn": 0}, "'points' must be a text"),
        ({"points": "BBBBWWWW", "turn": 0}, "4 B, 4 W and one '.'"),
        ({"points": "BBBBBWWW.", "turn": 0}, "4 B, 4 W and one '.'"),
        ({"points": "BBBBWWWW.", "turn": 2}, "'turn' must be a whole number from 0 to 1"),
        ({"points": "BBBBWWWW.", "turn": True}, "'turn' must be a whole number"),
        ({"points": "BBBBWWWW.", "turn": 0, "ply": -1}, "'ply' must be a whole number"),
        ({"points": "BBBBWWWW.", "turn": 0, "past": 3}, "'past' must be a list"),
        ({"points": "BBBBWWWW.", "turn": 0, "past": [["x"]]}, "must have 2 entries"),
        ({"points": "BBBBWWWW.", "turn": 0, "past": [["x", 0]]}, "4 B, 4 W and one '.'"),
        (
            {"points": "BBBBWWWW.", "turn": 0, "past": [[".BBBWWWWB", 1]] * 3},
            "came up 3 times, and that ended the game",
        ),
    ],
)
def test_impossible_documents_are_refused(document: Any, fault: str) -> None:
    with pytest.raises(ParseError) as caught:
        MuTorere().decode(document)
    assert fault in str(caught.value)


def test_documents_carry_the_past_only_where_repetition_needs_it() -> None:
    with_it, without = MuTorere(), MuTorere(repetition=False)
    assert with_it.encode(after(with_it, "1-0"))["past"] == [["BBBBWWWW.", 0]]
    assert "past" not in without.encode(after(without, "1-0"))
    assert without.decode({"points": "BBBBWWWW.", "turn": 0, "past": [["BBBBWWWW.", 0]]}) == without.initial()


# Views: an open game


def test_everybody_sees_everything() -> None:
    game = MuTorere()
    state = game.initial()
    views = [game.view(state, seat) for seat in (0, 1, kemu.SPECTATOR)]
    assert views == [{"position": {"points": "BBBBWWWW.", "turn": 0}, "occurrences": 1}] * 3
    assert {game.seen(state, Move(1, 0), seat) for seat in (0, 1, kemu.SPECTATOR)} == {"1-0"}


def test_a_view_counts_how_often_the_position_has_come_up() -> None:
    game = MuTorere()
    for rounds in (0, 1, 2):
        view = game.view(after(game, *ROUND * rounds), 0)
        assert view == {"position": {"points": "BBBBWWWW.", "turn": 0}, "occurrences": rounds + 1}


def test_there_is_no_chance() -> None:
    game = MuTorere()
    assert game.odds(game.initial()) == ()


@pytest.mark.parametrize(
    ("points", "move", "reason", "values"),
    [
        ("BBBBWWWW.", Move(0, 0), "no-man", {"start": 0}),
        ("BBBBWWWW.", Move(5, 0), "enemy-man", {"start": 5}),
        ("BBBBWWWW.", Move(4, 5), "not-empty", {"end": 5}),
        ("BBBBWWWW.", Move(2, 0), "not-flanked", {"start": 2}),
        ("BBB.WWWWB", Move(1, 4), "not-adjacent", {"start": 1, "end": 4}),
    ],
)
def test_a_refusal_has_a_reason_and_its_values(points: str, move: Move, reason: str, values: dict[str, int]) -> None:
    game, state = position(points)
    with pytest.raises(IllegalAction) as error:
        game.apply(state, move)
    assert (error.value.reason, error.value.values) == (reason, values)
