"""Moeraki-Kemu in text: the picture, the sentences and the actions in words."""

from typing import Any

import pytest

from kemu.core.display import Room
from kemu.games.moeraki import text
from kemu.games.moeraki.board import HOLLOWS
from kemu.games.moeraki.manifest import MANIFEST
from kemu.games.moeraki.rules import MoerakiKemu
from tests.games.moeraki.positions import BASIC, BEGINNER, MASTER, play
from tests.games.moeraki.test_tane import DOWN_LEFT, FOR_BOTH, LAST_STONE

CROSSING = f"{DOWN_LEFT} Ti8sw e5 c9 b8 a3 d8 a5 c7 Tc8se k7 f4 k5 j6"


def shown(game: MoerakiKemu, moves: str, log: bool = True) -> Any:
    """The view after some actions, with its log."""
    view: Any = game.view(play(game, moves), 0)
    return {**view, "log": moves.split()} if log else view


PICTURE = """\
    a  b  c  d  e  f  g  h  i  j  k
11        ·     ·     ·     ·        11  ● Matau (black): 19 stones left
10     ·     ·     ·     ·     ·     10    Score 1: 1 full and 0 half tiles
 9  ·     ○     ·     ·     ●     ·  9     Tane T●↘ on c8
 8     ● T●↘ ●     ·     ○ T○↙ ○     8
 7  ·     ●  ×  ·     ○  ×  ○  □  ○  7   ○ Manaia (white): 19 stones left
 6     ·     ·  ×  ◎  ×  ●    (●) △  6     Score 1½: 1 full and 1 half tiles
 5  ○     ·     ●  ■  ●     ·     ○  5     Tane T○↙ on i8
 4     ·     ·  ×  ●  ×  ·     ·     4
 3  ○     ·  ×  ·     ·  ×  ·     ·  3   Manaia lays a stone.
 2     ·  ×  ·     ·     ·  ×  ·     2
 1        ·     ·     ·     ·        1   ◎ ball   (●) last stone
    a  b  c  d  e  f  g  h  i  j  k      ■ □ tile   ▲ △ half a tile
                                         T●↗ Tane of ●   × no tile can lie here"""


def test_the_picture_shows_stones_ball_tiles_tane_with_direction_barred_areas_and_the_last_stone() -> None:
    assert text.draw(MASTER, shown(MASTER, CROSSING)) == PICTURE


def test_without_a_log_no_stone_is_marked() -> None:
    assert text.draw(MASTER, shown(MASTER, CROSSING, log=False)) == PICTURE.replace(" (●) △", "  ●  △")


def test_after_a_tane_or_a_swap_the_last_stone_is_still_the_last_stone() -> None:
    assert "(○)" in text.draw(MASTER, shown(MASTER, f"{DOWN_LEFT} -"))
    swap = MoerakiKemu(swap=True)
    assert "(●)" in text.draw(swap, shown(swap, "@f6 d4 swap")).splitlines()[8]


def test_the_areas_that_may_take_the_tane_and_the_stone_that_asks_are_marked_without_a_log() -> None:
    picture = text.draw(MASTER, shown(MASTER, FOR_BOTH, log=False))
    assert " 8     ·     ·     ○    (●) ?  ○     8" in picture
    assert "Matau may put the Tane on i8, or keep" in picture


def test_before_the_ball_its_places_are_marked_without_the_one_it_must_leave() -> None:
    game = MoerakiKemu(moved_from="f6")
    board = text.draw(game, shown(game, "")).splitlines()[:13]
    assert sum(line[:40].count("◌") for line in board[:11]) == 8
    assert "Matau places the ball." in board[9]


def test_a_win_is_marked_and_named() -> None:
    picture = text.draw(BEGINNER, shown(BEGINNER, "@f6 k3 b10 k5 c9 k7 d10 a3 c11"))
    assert picture.count("[●]") == 4
    assert "Matau wins by Tahuna with c9, b10, d10" in picture
    assert "Score" not in picture
    assert "Tane" not in picture


def test_the_basic_game_shows_scores_but_no_tane() -> None:
    picture = text.draw(BASIC, shown(BASIC, "@f6 j6 k5 k7"))
    assert "Score ½: 0 full and 1 half tiles" in picture
    assert "Tane" not in picture


@pytest.mark.parametrize("game", [BEGINNER, BASIC, MASTER])
@pytest.mark.parametrize("moves", ["", "@f6", CROSSING, FOR_BOTH, f"{LAST_STONE} Tc2ne"])
def test_every_picture_fits_80_columns_and_18_lines(game: MoerakiKemu, moves: str) -> None:
    if game is not MASTER:
        moves = " ".join(text for text in moves.split() if text[0] not in "T-")
    lines = text.draw(game, shown(game, moves)).splitlines()
    assert len(lines) <= 18
    assert max(map(len, lines)) <= 80


def test_a_win_of_nine_stones_fits_too() -> None:
    nine = ["b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9", "j10"]
    others = ["a5", "a9", "c11", "e1", "g11", "i3", "k3", "k7"]
    state = MASTER.decode({"ball": "d6", "stones": [nine, [*others, "h2"]], "tane": [None, None], "turn": 1})
    lines = text.draw(MASTER, MASTER.view(state, 0)).splitlines()
    assert len(lines) <= 18
    assert max(map(len, lines)) <= 80
    assert "Matau wins by Awa with b2, c3, d4, e5," in lines[9]


def test_in_sentences() -> None:
    assert text.tell(MASTER, shown(MASTER, CROSSING)).splitlines() == [
        "The ball lies in f6.",
        "Matau has stones in f4, e5, g5, h6, j6, c7, b8, d8 and i9; 19 are left.",
        "Manaia has stones in a3, a5, k5, g7, i7, k7, h8, j8 and c9; 19 are left.",
        "Matau has a score of 1: 1 full and 0 half tiles.",
        "Full tiles of Matau: f5.",
        "The Tane of Matau stands on c8 and looks south-east.",
        "Manaia has a score of 1½: 1 full and 1 half tiles.",
        "Full tiles of Manaia: j7.",
        "Half tiles of Manaia: k6.",
        "The Tane of Manaia stands on i8 and looks south-west.",
        "No tile can lie on c2, i2, d3, h3, e4, g4, e6, g6, d7 and h7.",
        "The last stone lies in j6.",
        "Manaia lays a stone.",
    ]


def test_the_start_in_sentences() -> None:
    assert text.tell(BEGINNER, shown(BEGINNER, "")).splitlines() == [
        "The ball is not placed yet.",
        "Matau has no stone on the board; 28 are left.",
        "Manaia has no stone on the board; 28 are left.",
        "Matau places the ball.",
    ]


def test_a_full_board_in_sentences() -> None:
    told = text.tell(MASTER, shown(MASTER, f"{LAST_STONE} Tc2ne")).splitlines()
    assert "Matau has a score of 12½: 10 full and 5 half tiles." in told
    assert told[-1] == "Matau wins by Marae."
    stones = " ".join(text for text in LAST_STONE.split() if text[0] not in "T-")
    assert text.tell(BEGINNER, shown(BEGINNER, stones)).splitlines()[-1] == "The board is full: a draw."


def test_every_sentence_names_what_the_picture_shows() -> None:
    view = shown(MASTER, CROSSING)
    told = text.tell(MASTER, view)
    assert all(tile["at"] in told for tile in view["tiles"])
    assert all(area in told for area in view["barred"])
    assert sum(point.name in told for point in HOLLOWS) >= 19


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("@f6", "the ball into this hollow"),
        ("a3", "a stone into this hollow"),
        ("Ti8nw", "the Tane on i8, looking north-west along h9, g10 and f11"),
        ("Tk6ne", "the Tane on k6, looking north-east along nothing"),
        ("-", "keep the tiles, and the Tane for later"),
        ("swap", "take over the first stone"),
    ],
)
def test_actions_in_words(action: str, words: str) -> None:
    assert text.explain(MASTER, shown(MASTER, FOR_BOTH), MASTER.parse(action)) == words


def test_a_tane_in_words_sees_only_up_to_the_other() -> None:
    view = shown(MASTER, f"{DOWN_LEFT} Ti8nw e5 f4 - d4 a3 e3")
    words = "the Tane on e4, looking north-east along f5, g6 and h7"
    assert text.explain(MASTER, view, MASTER.parse("Te4ne")) == words


def test_the_seats_are_the_tribes() -> None:
    assert [text.seat_name(MASTER, seat) for seat in (0, 1)] == ["Matau", "Manaia"]


def test_every_sign_that_has_a_colour_is_drawn() -> None:
    views = [shown(MASTER, moves) for moves in ("", f"{LAST_STONE} Tc2ne")]
    pictures = [text.draw(MASTER, view) for view in views]
    pictures += ["".join(text.board(MASTER, view, Room(120, 50)).lines) for view in views]
    assert all(any(sign in picture for picture in pictures) for sign in text.INK)


def test_the_rules_in_short_fit_80_columns() -> None:
    assert max(map(len, MANIFEST.how_to_play.splitlines())) <= 80
