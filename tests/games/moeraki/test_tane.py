"""The Tane of the master's game, rules 1 to 7; R5 and R6."""

from itertools import product

import pytest

from kemu.core.errors import IllegalAction
from kemu.games.moeraki.board import AREA, AREAS, DIRECTIONS, SIGHT
from kemu.games.moeraki.position import State
from kemu.games.moeraki.wins import Tane, sight
from tests.games.moeraki.positions import BASIC, MANAIA, MASTER, MATAU, barred, play, texts, tiles

# Black completes i8 for White, 3:1.
FOR_WHITE = "@f6 h8 a3 j8 a5 i9 i7"
# h8 completes i8 for Black and g8 for White.
FOR_BOTH = "@f6 f8 i7 g7 i9 g9 a3 j8 h8"
# h8 completes i8 for Black and h9 for White, and h9 lies north-west of i8.
IN_SIGHT = "@f6 g9 i7 i9 j8 h10 h8"
# White is asked for the Tane on i8; a black tile lies on g6 and a white one on h7, south-west of it.
DOWN_LEFT = "@f6 g7 h6 h8 g5 - i7 - i9 j8"


def step(state: State, text: str) -> State:
    return MASTER.apply(state, MASTER.parse(text))


def four(area: str) -> list[str]:
    return [f"T{area}{looks}" for looks in ("ne", "nw", "se", "sw")]


def test_1_when_a_full_tile_is_about_to_be_laid_its_owner_may_put_the_tane_there_in_four_directions() -> None:
    state = play(MASTER, FOR_WHITE)
    assert texts(MASTER, state) == [*four("i8"), "-"]
    after = step(state, "Ti8se")
    assert MASTER.encode(after)["tane"] == [None, {"at": "i8", "looks": "se"}]


def test_1_the_directions_are_the_diagonal_steps() -> None:
    assert DIRECTIONS == {"ne": (1, 1), "nw": (-1, 1), "se": (1, -1), "sw": (-1, -1)}


def test_1_half_a_tile_asks_nobody() -> None:
    state = play(MASTER, "@f6 j6 k5 k7")
    assert tiles(MASTER, state) == {"k6": (MANAIA, "1/2")}
    assert state.step is None
    assert MASTER.turn(state) == MATAU


def test_r6_a_semi_beach_with_three_to_none_may_take_the_tane() -> None:
    state = play(MASTER, "@f6 j6 a3 k5 a7 k7")
    assert texts(MASTER, state) == [*four("k6"), "-"]


def test_r5_directions_that_see_nothing_are_legal_too() -> None:
    state = play(MASTER, "@f6 j6 a3 k5 a7 k7")
    after = step(state, "Tk6ne")
    assert barred(MASTER, after) == set()
    assert tiles(MASTER, after) == {}


def test_only_the_masters_game_asks_for_a_tane() -> None:
    state = play(BASIC, FOR_WHITE)
    assert state.step is None
    assert "-" not in texts(BASIC, state)


def test_2_the_line_of_sight_runs_to_the_sideline_without_its_own_area() -> None:
    state = play(MASTER, f"{FOR_WHITE} Ti8sw")
    assert barred(MASTER, state) == {"h7", "g6", "f5", "e4", "d3", "c2"}


def test_2_semi_beaches_are_in_the_line_of_sight() -> None:
    state = play(MASTER, f"{FOR_WHITE} Ti8nw")
    assert barred(MASTER, state) == {"h9", "g10", "f11"}


def test_3_tane_looking_down_left_takes_off_all_tiles_in_sight_own_ones_too() -> None:
    state = play(MASTER, DOWN_LEFT)
    assert tiles(MASTER, state) == {"g6": (MATAU, "1"), "h7": (MANAIA, "1")}
    assert tiles(MASTER, step(state, "Ti8sw")) == {}
    assert tiles(MASTER, step(state, "Ti8ne")) == {"g6": (MATAU, "1"), "h7": (MANAIA, "1")}


def test_3_no_tile_can_be_laid_in_sight_for_the_rest_of_the_game() -> None:
    state = play(MASTER, f"{DOWN_LEFT} Ti8sw e5 a3 f4")
    assert "f5" not in tiles(MASTER, state)
    assert "f5" in tiles(MASTER, play(MASTER, f"{DOWN_LEFT} Ti8ne e5 a3 f4 -"))


def test_3_no_tane_can_be_placed_in_sight_either_so_nobody_is_asked() -> None:
    state = play(MASTER, f"{DOWN_LEFT} Ti8sw e5 a3 f4")
    assert state.step is None
    assert state.tane[MATAU] is None
    asked = play(MASTER, f"{DOWN_LEFT} Ti8ne e5 a3 f4")
    assert texts(MASTER, asked) == [*four("f5"), "-"]


def test_4_where_two_lines_of_sight_cross_the_tile_comes_back_at_once() -> None:
    before = play(MASTER, f"{DOWN_LEFT} Ti8sw e5 a3 f4 c9 b8 a5 d8 k3 c7")
    assert tiles(MASTER, before) == {}
    after = step(before, "Tc8se")
    assert tiles(MASTER, after) == {"f5": (MATAU, "1")}
    assert barred(MASTER, after) == {"h7", "g6", "e4", "d3", "c2", "d7", "e6", "g4", "h3", "i2"}


def test_4_the_crossing_can_still_get_its_tile_later() -> None:
    before = play(MASTER, f"{DOWN_LEFT} Ti8sw e5 c9 b8 a3 d8 a5 c7 Tc8se k3")
    assert tiles(MASTER, before) == {}
    assert tiles(MASTER, step(before, "f4")) == {"f5": (MATAU, "1")}


def test_2_a_tane_that_looks_at_the_other_sees_only_up_to_it() -> None:
    before = play(MASTER, f"{DOWN_LEFT} Ti8nw e5 f4 - d4 a3 e3")
    assert tiles(MASTER, before) == {"g6": (MATAU, "1"), "h7": (MANAIA, "1"), "f5": (MATAU, "1")}
    after = step(before, "Te4ne")
    assert barred(MASTER, after) == {"h9", "g10", "f11", "f5", "g6", "h7"}
    assert tiles(MASTER, after) == {}


def test_2_behind_the_other_tane_tiles_are_laid_as_ever() -> None:
    state = play(MASTER, f"{DOWN_LEFT} Ti8nw e5 f4 - d4 a3 e3 Te4ne j10 a5 k9")
    assert tiles(MASTER, state) == {"j9": (MANAIA, "1")}


def test_5_first_the_mover_is_asked_then_the_opponent_in_the_middle_of_the_movers_turn() -> None:
    state = play(MASTER, FOR_BOTH)
    assert MASTER.turn(state) == MATAU
    assert texts(MASTER, state) == [*four("i8"), "-"]
    state = step(state, "-")
    assert MASTER.turn(state) == MANAIA
    assert texts(MASTER, state) == [*four("g8"), "-"]
    state = step(state, "-")
    assert MASTER.turn(state) == MANAIA
    assert "a5" in texts(MASTER, state)


def test_5_all_the_movers_tiles_are_laid_before_the_opponent_is_asked() -> None:
    state = play(MASTER, FOR_BOTH)
    assert tiles(MASTER, state) == {}
    assert tiles(MASTER, step(state, "-")) == {"i8": (MATAU, "1")}
    assert tiles(MASTER, step(step(state, "-"), "-")) == {"i8": (MATAU, "1"), "g8": (MANAIA, "1")}


def test_5_both_tane_may_come_in_one_turn() -> None:
    state = play(MASTER, f"{FOR_BOTH} Ti8nw Tg8nw")
    assert state.tane == (Tane(AREA["i8"], "nw"), Tane(AREA["g8"], "nw"))
    assert MASTER.turn(state) == MANAIA
    assert tiles(MASTER, state) == {}


def test_5_when_only_the_opponents_tiles_come_only_he_is_asked_and_then_it_is_his_turn() -> None:
    state = play(MASTER, FOR_WHITE)
    assert MASTER.turn(state) == MANAIA
    after = step(state, "Ti8sw")
    assert MASTER.turn(after) == MANAIA
    assert after.step is None


def test_5_when_only_the_movers_tiles_come_only_he_is_asked_and_then_the_turn_passes() -> None:
    state = play(MASTER, "@f6 h8 i7 j8 a3 i9")
    assert MASTER.turn(state) == MANAIA
    assert MASTER.turn(step(state, "-")) == MATAU
    assert MASTER.turn(step(state, "Ti8ne")) == MATAU


def test_6_the_opponent_is_not_asked_for_an_area_that_the_movers_tane_bars() -> None:
    state = play(MASTER, IN_SIGHT)
    assert MASTER.turn(state) == MATAU
    barring = step(state, "Ti8nw")
    assert MASTER.turn(barring) == MANAIA
    assert barring.step is None
    assert tiles(MASTER, barring) == {}
    looking_away = step(state, "Ti8ne")
    assert texts(MASTER, looking_away) == [*four("h9"), "-"]


def test_6_he_picks_among_all_his_areas_by_area_and_direction() -> None:
    state = play(MASTER, "@f4 g7 h6 g9 h10 i7 f8 i9 j8 a3 a5 h8")
    assert texts(MASTER, state) == [*four("h7"), *four("g8"), *four("i8"), *four("h9"), "-"]
    after = step(state, "Tg8se")
    assert barred(MASTER, after) == {"h7", "i6", "j5", "k4"}
    assert tiles(MASTER, after) == {"i8": (MANAIA, "1"), "h9": (MANAIA, "1")}


def test_6_who_keeps_the_tiles_has_the_tane_for_later() -> None:
    state = play(MASTER, f"{FOR_WHITE} -")
    assert state.tane == (None, None)
    assert tiles(MASTER, state) == {"i8": (MANAIA, "1")}
    assert texts(MASTER, play(MASTER, f"{FOR_WHITE} - c9 k3 b10 k5 d10 c11")) == [*four("c10"), "-"]


def test_a_tane_is_used_at_most_once_in_a_game() -> None:
    state = play(MASTER, f"{FOR_WHITE} Ti8sw c9 k3 b10 k5 d10 c11")
    assert state.step is None
    assert tiles(MASTER, state) == {"c10": (MANAIA, "1")}


def test_7_a_tane_is_worth_nothing_and_its_area_has_no_tile() -> None:
    state = play(MASTER, f"{FOR_WHITE} Ti8ne")
    assert "i8" not in tiles(MASTER, state)
    assert list(MASTER.view(state, MATAU)["scores"] or ()) == ["0", "0"]


LAST_STONE = (
    "@f4 h2 g7 b8 e7 i11 g3 i9 i3 b10 j10 a3 h10 d8 j2 d4 d10 i1 j8 k5 i5 g5 c5 e11 c7 h6 h4 - a5 g9 j6 b2 c11 k9 - e1 "
    "a7 e3 g11 k7 Tk6sw f8 f6 - i7 c3 k3 b4 a9 c9 f2 - d6 e9 - h8 - g1 e5 d2 j4 - b6 - f10 - c1"
)


def test_the_last_stone_of_all_asks_too_and_marae_is_counted_after_the_answer() -> None:
    state = play(MASTER, LAST_STONE)
    assert MASTER.outcome(state) is None
    assert texts(MASTER, state) == [*four("c2"), "-"]
    kept, placed = MASTER.outcome(step(state, "-")), MASTER.outcome(step(state, "Tc2ne"))
    assert kept is not None
    assert placed is not None
    assert kept.reason == placed.reason == "marae"
    assert kept.scores != placed.scores


@pytest.mark.parametrize("text", ["a9", "@f6", "swap", "Tg8ne", "Tk6ne"])
def test_who_is_asked_must_answer(text: str) -> None:
    with pytest.raises(IllegalAction) as error:
        step(play(MASTER, FOR_WHITE), text)
    assert str(error.value) == "Manaia is asked for the Tane: place it on i8, or keep the tiles with -."
    assert (error.value.reason, error.value.values) == ("tane-asked", {"areas": ["i8"]})


def test_two_lines_of_sight_share_one_area_at_most_and_only_by_crossing() -> None:
    """The belief behind `barred`, for every pair of Tane that can stand at all."""
    warriors = [Tane(area, looks) for area in range(len(AREAS)) for looks in DIRECTIONS]
    crossings = 0
    for first, second in product(warriors, repeat=2):
        ahead, back = SIGHT[first.area][first.looks], SIGHT[second.area][second.looks]
        if first.area == second.area or (second.area in ahead and first.area in back):
            continue
        shared = set(sight(first, second)) & set(sight(second, first))
        assert len(shared) <= 1
        if shared:
            crossings += 1
            (dx, dy), (ex, ey) = DIRECTIONS[first.looks], DIRECTIONS[second.looks]
            assert dx * ex + dy * ey == 0, "they cross at a right angle"
            assert not shared & {first.area, second.area}
    assert crossings > 0
