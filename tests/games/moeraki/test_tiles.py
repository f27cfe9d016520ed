"""Tiles and Marae: rules 4 and 5 of play, R4."""

from fractions import Fraction
from typing import Any

import pytest

from kemu.core.game import Outcome
from kemu.games.moeraki.board import BESIDE, HOLLOW, mask
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import scores
from kemu.games.moeraki.wins import tiles as all_tiles
from tests.games.moeraki.positions import BASIC, BEGINNER, MANAIA, MATAU, drawn_document, play, tiles


def test_three_to_one_gives_a_tile_of_the_majority() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 h8 i7 j8 a3")) == {}
    assert tiles(BASIC, play(BASIC, "@f6 h8 i7 j8 a3 i9")) == {"i8": (MANAIA, "1")}


def test_the_tile_is_the_majoritys_whoever_laid_the_last_stone() -> None:
    state = play(BASIC, "@f6 h8 a3 j8 a5 i9 i7")
    assert BASIC.turn(state) == MANAIA
    assert tiles(BASIC, state) == {"i8": (MANAIA, "1")}


def test_two_to_two_leaves_the_area_empty_for_good() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 h8 i7 j8 i9")) == {}
    # The stones around its neighbours bring them tiles, but nothing to i8.
    assert set(tiles(BASIC, play(BASIC, "@f6 h8 i7 j8 i9 j10 a3 k9 j6 k7"))) == {"j9", "k8"}


def test_two_to_one_at_the_ball_gives_a_whole_tile() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 f8 e7 g7")) == {"f7": (MANAIA, "1")}


def test_three_to_none_at_the_ball_gives_a_whole_tile_too() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 f8 a3 e7 a5 g7")) == {"f7": (MANAIA, "1")}


def test_a_semi_beach_with_two_to_one_is_half_a_tile() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 j6 k5 k7")) == {"k6": (MANAIA, "1/2")}
    assert tiles(BASIC, play(BASIC, "@f6 j6 k5 a3 k7")) == {"k6": (MATAU, "1/2")}


def test_a_semi_beach_with_three_to_none_is_a_full_tile() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 j6 a3 k5 a7 k7")) == {"k6": (MANAIA, "1")}


def test_an_area_gets_its_tile_only_when_all_its_hollows_are_occupied() -> None:
    assert tiles(BASIC, play(BASIC, "@f6 h8 a3 j8 a5 i9")) == {}


def test_one_stone_can_complete_four_areas() -> None:
    before = play(BASIC, "@f4 g7 h6 g9 h10 i7 f8 i9 j8 a3 a5")
    assert tiles(BASIC, before) == {}
    after = BASIC.apply(before, BASIC.parse("h8"))
    assert len(BESIDE[HOLLOW["h8"]]) == 4
    assert tiles(BASIC, after) == dict.fromkeys(("h7", "g8", "i8", "h9"), (MANAIA, "1"))


def test_there_are_no_tiles_in_the_beginners_game() -> None:
    state = play(BEGINNER, "@f6 h8 i7 j8 a3 i9")
    assert tiles(BEGINNER, state) == {}


def test_a_tahuna_has_no_tile_since_the_stone_that_wins_brings_none() -> None:
    before = play(BASIC, "@f4 a3 e7 a5 f8 k3 g7 j10")
    after = BASIC.apply(before, BASIC.parse("f6"))
    assert BASIC.outcome(after) == Outcome((MATAU,), "tahuna", at=("f6", "e7", "g7", "f8"))
    view: Any = BASIC.view(after, 0)
    assert [view["tiles"], view["scores"]] == [[], ["0", "0"]]


def test_tiles_that_lay_before_an_early_win_stay() -> None:
    lying: Any = BASIC.view(play(BASIC, "@f4 h10 f8 h8 g7 a3 g9 k3 e7 k5 f6"), 0)
    assert lying["tiles"] == [{"at": "g8", "tribe": 0, "worth": "1"}]


def test_r4_the_24_tiles_a_tribe_are_no_limit() -> None:
    ball = 1 << HOLLOW["f6"]
    found = all_tiles(ball, (mask(HOLLOW.values()) & ~ball, 0), (None, None))
    assert len(found) == 52
    assert scores(found) == (Fraction(52), Fraction(0))


LEAFLET = """
  x x o o
 o o o o x
x x x x x o
 x o o x o
x o o x o x
 o @ x x x
x o x o o x
 x o o x o
o x x x x o
 o o o o o
  x x o x
"""

EQUAL = """
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
  x o o o
"""


def test_marae_the_leaflets_count_of_11_to_10_and_a_half() -> None:
    state = BASIC.decode(drawn_document(LEAFLET, turn=MANAIA))
    outcome = BASIC.outcome(state)
    assert outcome == Outcome((MATAU,), "marae", (Fraction(11), Fraction(21, 2)))
    assert outcome is not None
    assert outcome.at == ()


def test_marae_more_points_win_for_manaia_too() -> None:
    mirrored = LEAFLET.translate(str.maketrans("xo", "ox"))
    outcome = BASIC.outcome(BASIC.decode(drawn_document(mirrored, turn=MANAIA)))
    assert outcome == Outcome((MANAIA,), "marae", (Fraction(21, 2), Fraction(11)))


@pytest.mark.parametrize("starter", [MATAU, MANAIA])
def test_equal_points_are_won_by_the_player_who_placed_the_ball(starter: int) -> None:
    game = MoerakiKemu(variant="basic", starter=starter)
    outcome = game.outcome(game.decode(drawn_document(EQUAL, turn=1 - starter)))
    assert outcome == Outcome((starter,), "marae", (Fraction(33, 2), Fraction(33, 2)))


def test_the_tiles_are_added_up_by_hand_once() -> None:
    """Every area of the leaflet's board, counted from the picture without the rules' tables."""
    rows = [line.split() for line in LEAFLET.strip().splitlines()]
    at = {}
    for y, row in zip(range(5, -6, -1), rows, strict=True):
        for place, mark in enumerate(row):
            at[2 * place - len(row) + 1, y] = mark
    points = {"x": Fraction(), "o": Fraction()}
    for x in range(-5, 6):
        for y in range(-5, 6):
            around = [at[side] for side in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if side in at]
            if (x - y) % 2 and len(around) >= 3 and around.count("x") != around.count("o"):
                more = max("xo", key=around.count)
                points[more] += Fraction(1, 2) if len(around) == 3 and around.count(more) == 2 else 1
    assert points == {"x": 11, "o": Fraction(21, 2)}
