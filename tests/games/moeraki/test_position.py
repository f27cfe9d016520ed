"""Position documents: what they hold, and every impossible position that is refused."""

from typing import Any

import pytest

from kemu.core.errors import ParseError
from kemu.games.moeraki.board import HOLLOW
from kemu.games.moeraki.rules import MoerakiKemu
from tests.games.moeraki.positions import (
    BASIC,
    BEGINNER,
    MANAIA,
    MASTER,
    MATAU,
    document,
    drawn_document,
    play,
    tane,
    texts,
)
from tests.games.moeraki.test_tane import DOWN_LEFT, FOR_BOTH, FOR_WHITE, IN_SIGHT
from tests.games.moeraki.test_tiles import LEAFLET

SWAP = MoerakiKemu(swap=True)
HOLLOWS = list(HOLLOW)


def refusal(position: Any, game: MoerakiKemu = MASTER) -> str:
    """The sentence with which a document is refused."""
    with pytest.raises(ParseError) as error:
        game.decode(position)
    return str(error.value)


def test_a_position_at_the_start_of_a_turn_has_exactly_the_fields_of_the_contract() -> None:
    state = play(MASTER, f"{FOR_WHITE} Ti8sw")
    assert MASTER.encode(state) == {
        "ball": "f6",
        "stones": [["a3", "a5", "i7"], ["h8", "j8", "i9"]],
        "tane": [None, {"at": "i8", "looks": "sw"}],
        "turn": 1,
    }


def test_before_the_ball_is_placed_there_is_none() -> None:
    assert MASTER.encode(MASTER.initial()) == {"ball": None, "stones": [[], []], "tane": [None, None], "turn": 0}


def test_inside_a_turn_the_step_names_the_stone_and_the_turn_who_is_asked() -> None:
    mover = play(MASTER, FOR_BOTH)
    opponent = play(MASTER, f"{FOR_BOTH} -")
    assert MASTER.encode(mover)["step"] == MASTER.encode(opponent)["step"] == {"stone": "h8"}
    assert (MASTER.encode(mover)["turn"], MASTER.encode(opponent)["turn"]) == (MATAU, MANAIA)
    assert MASTER.decode(MASTER.encode(mover)) == mover
    assert MASTER.decode(MASTER.encode(opponent)) == opponent


def test_stones_may_be_listed_in_any_order_and_come_back_in_that_of_the_board() -> None:
    state = BASIC.decode(document("k9 a3", "c11 c1", turn=MANAIA))
    assert BASIC.encode(state)["stones"] == [["a3", "k9"], ["c1", "c11"]]


def test_the_turn_of_a_finished_position_is_whose_it_would_be() -> None:
    state = BASIC.decode(document("k3 k5", "a9 b10 c11", turn=MATAU))
    assert BASIC.turn(state) is None
    assert BASIC.encode(state)["turn"] == MATAU


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ([], "A position must be a JSON object, not []."),
        ({"ball": "f6"}, "A position needs a field 'stones'."),
        (document(ply=3), 'A position has no field "ply"; it has ball, stones, tane, turn, step.'),
        (document(ball="f7"), "'ball' must be a hollow such as f6, not \"f7\"."),
        (document(ball="h8"), "The ball lies in one of the nine Moeraki hollows, not in h8."),
        (document(ball=None, turn=MANAIA), "'turn' must be 0, the seat that places the ball."),
        (document("a3", ball=None, turn=MATAU), "There can be no stone before the ball is placed."),
        (document(turn=2), "'turn' must be a whole number from 0 to 1, not 2."),
        (document("f7"), 'Each stone of Matau must be a hollow such as f6, not "f7".'),
        (document("a3 a3"), "a3 can hold only one stone of Matau."),
        (document("a3", "a3"), "a3 can hold only one stone, not one of each tribe."),
        (document("f6", "a3"), "f6 cannot hold a stone and the ball."),
        (document(" ".join(HOLLOWS[:29])), "Matau has 28 stones, not 29."),
        (
            document("a3"),
            "1 stones of Matau and 0 of Manaia are no turn of Manaia when Manaia lays the first stone.",
        ),
        (
            document("a3", "a5", turn=MATAU),
            "1 stones of Matau and 1 of Manaia are no turn of Matau when Manaia lays the first stone.",
        ),
        ({**document(), "stones": [[]]}, "'stones' must have 2 entries, not 1."),
        ({**document(), "stones": [[], [7]]}, "Entry 1 of the stones of Manaia must be a text, not 7."),
        ({**document(), "tane": []}, "'tane' must have 2 entries, not 0."),
        ({**document(), "tane": [None, "i8"]}, 'The Tane of Manaia must be a JSON object, not "i8".'),
        (
            {**document(), "tane": [tane("f6", "ne"), None]},
            'The Tane of Matau must stand on an area such as f7, not on "f6".',
        ),
        (
            {**document(), "tane": [tane("f7", "n"), None]},
            'The Tane of Matau must look ne, nw, se, sw, not "n".',
        ),
        ({**document(), "step": None}, "'step' must be a JSON object, not null."),
        ({**document(), "step": {}}, "'step' needs a field 'stone'."),
        (
            {**document(), "step": {"stone": "a3"}},
            "The stone of 'step' must lie on the board, and a3 holds none.",
        ),
    ],
)
def test_what_cannot_be_read_or_cannot_be_is_refused_with_the_fault(position: Any, sentence: str) -> None:
    assert refusal(position) == sentence


def test_r2_the_ball_cannot_lie_where_it_lay_in_the_game_before() -> None:
    game = MoerakiKemu(moved_from="f6")
    assert refusal(document(), game) == "The ball cannot lie in f6, where it lay in the game before."
    assert game.decode(document(ball="e5"))


def test_the_other_starter_makes_the_other_turn() -> None:
    game = MoerakiKemu(starter=1)
    assert game.decode(document("a3", turn=MANAIA))
    assert game.decode(document(turn=MATAU))
    assert "are no turn of Manaia when Matau lays the first stone" in refusal(document(turn=MANAIA), game)


@pytest.mark.parametrize(
    ("matau", "manaia", "turn", "possible"),
    [
        ("", "", MANAIA, True),
        ("", "", MATAU, False),
        ("", "a3", MATAU, True),
        ("a3", "", MANAIA, True),  # swapped just now
        ("a3", "", MATAU, False),
        ("a3", "k3", MATAU, True),  # swapped before
        ("a3", "k3", MANAIA, True),  # not swapped
        ("a3", "k3 k5", MATAU, True),
        ("a3", "k3 k5", MANAIA, False),
        ("a3 a5", "k3", MANAIA, True),
        ("a3 a5", "k3", MATAU, False),
    ],
)
def test_r9_the_stones_may_show_that_the_first_was_swapped(matau: str, manaia: str, turn: int, possible: bool) -> None:
    position = document(matau, manaia, turn=turn)
    if possible:
        assert SWAP.encode(SWAP.decode(position)) == position
    else:
        assert "are no turn of" in refusal(position, SWAP)


def test_r9_swap_is_offered_from_a_document_only_where_it_is_in_play() -> None:
    assert "swap" in texts(SWAP, SWAP.decode(document("", "a3", turn=MATAU)))
    assert "swap" not in texts(SWAP, SWAP.decode(document("a3", "", turn=MANAIA)))


WON = "a9 b10 c11"


def test_who_did_not_lay_the_last_stone_cannot_have_won() -> None:
    assert BASIC.decode(document(WON, "k3 k5 k7", turn=MANAIA))
    sentence = refusal(document("k3 k5 k7", WON, turn=MANAIA), BASIC)
    assert sentence == "Manaia cannot have won already with Matau laying the last stone."


def test_two_wins_at_once_must_share_the_last_stone() -> None:
    sharing = document(f"{WON} e11 g11 i11", "k3 k5 k7 b2 c3 d2", turn=MANAIA)
    assert BASIC.outcome(BASIC.decode(sharing))
    apart = document(f"{WON} i1 j2 k3", "a3 a5 a7 b2 d2 f2", turn=MANAIA)
    assert refusal(apart, BASIC) == ("Matau had won before the last stone, for no single stone can have brought this.")


def test_r7_only_with_the_eye_the_eye_is_a_win() -> None:
    position = document("k3 k5 k7 j2", "f8 d6 f4 h6", turn=MANAIA)
    assert MASTER.decode(position)
    sentence = "Manaia cannot have won already with Matau laying the last stone."
    assert refusal(position, MoerakiKemu(eye=True)) == sentence


def placed(game: MoerakiKemu, moves: str, **changes: Any) -> Any:
    """The document after some actions, with changes."""
    return {**game.encode(play(game, moves)), **changes}


def test_there_is_no_tane_outside_the_masters_game() -> None:
    position = placed(MASTER, f"{FOR_WHITE} Ti8sw")
    assert refusal(position, BASIC) == "There is no Tane in variant 'basic'."
    assert refusal(position, BEGINNER) == "There is no Tane in variant 'beginner'."


@pytest.mark.parametrize(
    "warriors",
    [
        [None, tane("c10", "ne")],  # not complete
        [tane("i8", "ne"), None],  # Manaia's majority
    ],
)
def test_a_tane_stands_only_on_a_full_tile_of_its_tribe(warriors: Any) -> None:
    sentence = refusal(placed(MASTER, f"{FOR_WHITE} -", tane=warriors))
    assert "must stand on a full tile of its tribe" in sentence


def test_no_tane_stands_on_two_to_two_or_on_half_a_tile() -> None:
    even = placed(MASTER, "@f6 h8 i7 j8 i9", tane=[tane("i8", "ne"), None])
    assert refusal(even) == "The Tane of Matau must stand on a full tile of its tribe, i8 is none."
    half = placed(MASTER, "@f6 j6 k5 k7", tane=[None, tane("k6", "ne")])
    assert refusal(half) == "The Tane of Manaia must stand on a full tile of its tribe, k6 is none."


LOOKING = f"{DOWN_LEFT} Ti8nw e5 f4 - d4 a3 e3 Te4ne"


def test_a_tane_may_look_at_the_other_that_came_first() -> None:
    assert MASTER.decode(placed(MASTER, LOOKING)) == play(MASTER, LOOKING)
    turned = placed(MASTER, LOOKING, tane=[tane("e4", "nw"), tane("i8", "sw")])
    assert MASTER.decode(turned)


def test_two_tane_cannot_each_stand_where_the_other_looks() -> None:
    facing = placed(MASTER, LOOKING, tane=[tane("e4", "ne"), tane("i8", "sw")])
    assert refusal(facing) == "One Tane came after the other, so they cannot each stand where the other looks."


def test_the_stone_that_wins_brought_no_tane() -> None:
    # Awa and Ara share c11 alone, so it came last; d11 was not complete before.
    won = document("a9 b10 c11 e11 g11 i11 d10", "k3 k5 k7 b2 c3 d2 a5", turn=MANAIA)
    assert MASTER.outcome(MASTER.decode(won))
    sentence = "Matau had won before the last stone, for no single stone can have brought this."
    assert refusal({**won, "tane": [tane("d11", "ne"), None]}) == sentence


def test_a_tane_may_stand_beside_a_win_that_another_stone_brought() -> None:
    won = document("a9 b10 c11 e11 d10", "k3 k5 k7 b2 c3", turn=MANAIA)
    assert MASTER.outcome(MASTER.decode({**won, "tane": [tane("d11", "ne"), None]}))


def test_nobody_is_asked_outside_the_masters_game() -> None:
    position = placed(MASTER, FOR_WHITE)
    assert refusal(position, BASIC) == "Nobody is asked for a Tane in variant 'basic'."


def test_who_is_asked_must_have_a_full_tile_coming_by_this_stone() -> None:
    wrong_seat = placed(MASTER, FOR_WHITE, turn=MATAU)
    assert refusal(wrong_seat).startswith("Matau cannot be asked for the Tane after i7")
    wrong_stone = placed(MASTER, FOR_WHITE, step={"stone": "a5"})
    assert refusal(wrong_stone).startswith("Manaia cannot be asked for the Tane after a5")


def test_who_is_asked_must_still_have_the_tane() -> None:
    position = placed(MASTER, f"{FOR_WHITE} - c9 k3 b10 k5 d10 c11", tane=[None, tane("i8", "ne")])
    assert refusal(position).startswith("Manaia cannot be asked for the Tane after c11")


def test_who_is_asked_must_have_an_area_that_is_not_barred() -> None:
    looking_away = placed(MASTER, f"{IN_SIGHT} Ti8ne")
    assert MASTER.decode(looking_away)
    barring = {**looking_away, "tane": [tane("i8", "nw"), None]}
    assert refusal(barring).startswith("Manaia cannot be asked for the Tane after h8")


def test_the_mover_is_asked_before_the_opponents_tane_can_come_by_the_same_stone() -> None:
    position = placed(MASTER, FOR_BOTH, tane=[None, tane("g8", "ne")])
    assert refusal(position) == "Matau is asked before Manaia, whose Tane cannot have come by h8."


def test_nobody_is_asked_after_an_early_win() -> None:
    position = placed(MASTER, "@f6 h10 f10 k3 e9 k5 f8 k7 g11 a3 g9", turn=MATAU, step={"stone": "g9"})
    assert refusal(position) == "'step' cannot be, since Matau has won before any tile is laid."


def test_the_order_of_turns_is_checked_inside_a_turn_too() -> None:
    position = placed(MASTER, FOR_WHITE)
    position["stones"][1].append("k3")
    assert "are no turn of Manaia" in refusal(position)


def test_a_full_board_is_a_position() -> None:
    assert BASIC.outcome(BASIC.decode(drawn_document(LEAFLET, turn=MANAIA)))
