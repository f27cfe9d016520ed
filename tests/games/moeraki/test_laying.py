"""Play: the ball, the stones and the turns; R1, R2 and R9."""

import pytest

from kemu.core.errors import IllegalAction
from kemu.games.moeraki.board import HOLLOW, MOERAKI
from kemu.games.moeraki.rules import MoerakiKemu
from tests.games.moeraki.positions import BASIC, BEGINNER, MANAIA, MASTER, MATAU, document, drawn_document, play, texts

NINE = ["@f4", "@e5", "@g5", "@d6", "@f6", "@h6", "@e7", "@g7", "@f8"]


def refused(game: MoerakiKemu, played: str, text: str) -> str:
    """The sentence with which an action is refused."""
    with pytest.raises(IllegalAction) as error:
        game.apply(play(game, played), game.parse(text))
    return str(error.value)


def test_the_starter_puts_the_ball_into_one_of_the_nine_moeraki_hollows() -> None:
    assert texts(MASTER, MASTER.initial()) == NINE
    assert len(MOERAKI) == 9


@pytest.mark.parametrize("starter", [0, 1])
def test_r1_the_seat_option_says_who_places_the_ball_and_the_other_lays_the_first_stone(starter: int) -> None:
    game = MoerakiKemu(starter=starter)
    assert game.turn(game.initial()) == starter
    assert game.turn(play(game, "@f6")) == 1 - starter


def test_players_alternate_one_stone_of_their_own_colour() -> None:
    state = play(MASTER, "@f6 a3 k9 a5")
    assert MASTER.encode(state) == document("k9", "a3 a5", turn=MATAU)
    assert MASTER.turn(state) == MATAU


def test_a_stone_goes_into_any_empty_hollow() -> None:
    legal = texts(MASTER, play(MASTER, "@f6 a3 k9"))
    assert set(legal) == set(HOLLOW) - {"f6", "a3", "k9"}


def test_actions_come_in_the_order_of_the_board() -> None:
    legal = texts(MASTER, play(MASTER, "@f6"))
    assert legal[:6] == ["c1", "e1", "g1", "i1", "b2", "d2"]
    assert legal == [name for name in HOLLOW if name != "f6"]


def test_an_occupied_hollow_is_refused() -> None:
    assert refused(MASTER, "@f6 a3", "a3") == "a3 is not empty."
    assert refused(MASTER, "@f6 a3", "f6") == "f6 is not empty."


def test_the_ball_comes_first() -> None:
    assert refused(MASTER, "", "a3") == "The ball comes first, into one of the nine Moeraki hollows, such as @f6."


def test_the_ball_goes_nowhere_but_into_the_nine() -> None:
    assert refused(MASTER, "", "@h8") == "h8 is none of the nine Moeraki hollows, the only ones for the ball."


def test_the_ball_is_placed_once() -> None:
    assert refused(MASTER, "@f6", "@e5") == "The ball is placed already; lay a stone into an empty hollow."


def test_nobody_places_a_tane_or_keeps_unasked() -> None:
    sentence = "Nobody is asked for a Tane now; lay a stone into an empty hollow."
    assert refused(MASTER, "@f6", "Tf7sw") == sentence
    assert refused(MASTER, "@f6", "-") == sentence


def test_r2_the_ball_must_be_moved_from_its_hollow_and_nothing_else_is_excluded() -> None:
    game = MoerakiKemu(moved_from="g7")
    assert texts(game, game.initial()) == [text for text in NINE if text != "@g7"]
    assert refused(game, "", "@g7") == "The ball must be moved from g7, where it lay in the game before."


ONE_LEFT = """
  o x x x
 o o x x x
x x x o o o
 x o o x o
x o x @ o x
 o x x o x
x o o x o o
 o o o x x
o x x o x o
 o x x o x
  . o o o
"""


def test_57_hollows_are_28_and_28_stones_and_the_ball() -> None:
    state = BASIC.decode(drawn_document(ONE_LEFT, turn=MATAU))
    assert texts(BASIC, state) == ["c1"]
    full = BASIC.apply(state, BASIC.parse("c1"))
    assert [len(stones) for stones in BASIC.encode(full)["stones"]] == [28, 28]
    assert texts(BASIC, full) == []
    assert BASIC.turn(full) is None
    with pytest.raises(IllegalAction, match=r"^The game is over\.$"):
        BASIC.apply(full, BASIC.parse("c1"))


def test_in_the_beginners_game_a_full_board_is_a_draw() -> None:
    state = BEGINNER.decode(drawn_document(ONE_LEFT, turn=MATAU))
    outcome = BEGINNER.outcome(BEGINNER.apply(state, BEGINNER.parse("c1")))
    assert outcome is not None
    assert (outcome.winners, outcome.reason, outcome.scores, outcome.at) == ((), "draw", None, ())


SWAP = MoerakiKemu(variant="basic", swap=True)


def test_r9_the_starter_may_answer_the_first_stone_with_swap() -> None:
    state = play(SWAP, "@f6 d4")
    assert texts(SWAP, state)[-1] == "swap"
    assert texts(SWAP, state)[:-1] == texts(BASIC, play(BASIC, "@f6 d4"))


def test_r9_after_a_swap_the_stone_is_the_starters_and_the_other_player_is_to_move() -> None:
    state = play(SWAP, "@f6 d4 swap")
    assert SWAP.encode(state) == document("d4", "", turn=MANAIA)
    assert SWAP.turn(state) == MANAIA


@pytest.mark.parametrize("played", ["", "@f6", "@f6 d4 swap", "@f6 d4 swap a3", "@f6 d4 a3", "@f6 d4 a3 a5"])
def test_r9_swap_is_offered_only_as_the_answer_to_the_first_stone(played: str) -> None:
    assert "swap" not in texts(SWAP, play(SWAP, played))


def test_r9_swap_is_off_by_default_and_refused_out_of_time() -> None:
    sentence = "Only the starter may swap, only in answer to the first stone, and only with the option swap."
    assert refused(BASIC, "@f6 d4", "swap") == sentence
    assert refused(SWAP, "@f6", "swap") == sentence


@pytest.mark.parametrize("variant", ["beginner", "basic", "master"])
def test_r9_swap_goes_with_any_variant_and_either_starter(variant: str) -> None:
    game = MoerakiKemu(variant=variant, starter=1, swap=True)
    state = play(game, "@f6 d4 swap")
    assert game.encode(state) == document("", "d4", turn=MATAU)


def test_r9_after_a_swap_the_board_still_fills_with_28_and_28() -> None:
    state = SWAP.decode(drawn_document(ONE_LEFT.replace(".", "x").replace("@ o x", "@ . x"), turn=MANAIA))
    full = SWAP.apply(state, SWAP.parse("i7"))
    assert [len(stones) for stones in SWAP.encode(full)["stones"]] == [28, 28]
    assert SWAP.outcome(full) is not None


@pytest.mark.parametrize(
    ("played", "text", "reason", "values"),
    [
        ("", "a3", "ball-first", {}),
        ("", "@a3", "not-for-the-ball", {"at": "a3"}),
        ("", "@d6", "ball-not-moved", {"at": "d6"}),
        ("@f6", "@f6", "ball-placed", {}),
        ("@f6", "f6", "on-ball", {"at": "f6"}),
        ("@f6 a3", "a3", "on-stone", {"at": "a3"}),
        ("@f6", "swap", "no-swap", {}),
        ("@f6", "-", "not-asked", {}),
    ],
)
def test_a_refusal_has_a_reason_and_its_values(played: str, text: str, reason: str, values: dict[str, str]) -> None:
    game = MoerakiKemu(moved_from="d6")
    with pytest.raises(IllegalAction) as error:
        game.apply(play(game, played), game.parse(text))
    assert (error.value.reason, error.value.values) == (reason, values)
