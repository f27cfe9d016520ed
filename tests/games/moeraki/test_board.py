"""The board section: geometry against its definitions, counted afresh."""

from collections import Counter
from itertools import pairwise

from kemu.games.moeraki.board import (
    AREA,
    AREAS,
    BEACHES,
    BESIDE,
    CORNERS,
    DIAGONALS,
    EYE,
    HOLLOW,
    HOLLOWS,
    MOERAKI,
    OUTER_ROWS,
    SEMI_BEACHES,
    SIGHT,
    Point,
    mask,
    numbers,
)

GRID = [(x, y) for x in range(-5, 6) for y in range(-5, 6)]
IS_HOLLOW = {(x, y): (x - y) % 2 == 0 and abs(x) + abs(y) <= 8 for x, y in GRID}


def around(x: int, y: int) -> list[tuple[int, int]]:
    return [side for side in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if IS_HOLLOW.get(side)]


def line(names: str) -> set[int]:
    return {HOLLOW[name] for name in names.split()}


def test_a_point_is_named_by_column_and_row() -> None:
    assert [Point(*place).name for place in ((-5, -5), (0, 0), (5, 5), (0, 1))] == ["a1", "f6", "k11", "f7"]


def test_there_are_57_hollows_where_x_and_y_are_even_or_odd_together() -> None:
    assert len(HOLLOWS) == 57
    assert set(HOLLOWS) == {place for place in GRID if IS_HOLLOW[place]}


def test_there_are_40_beaches_with_four_hollows_around_them() -> None:
    assert len(BEACHES) == 40
    assert {AREAS[beach] for beach in BEACHES} == {(x, y) for x, y in GRID if (x - y) % 2 and len(around(x, y)) == 4}


def test_there_are_12_semi_beaches_at_the_rim() -> None:
    rim = {(side, along) for side in (-5, 5) for along in (-2, 0, 2)}
    assert {AREAS[area] for area in SEMI_BEACHES} == rim | {(x, y) for y, x in rim}
    assert len(SEMI_BEACHES) == 12


def test_the_eight_points_with_two_hollows_beside_them_are_nothing() -> None:
    nothing = {(x, y) for x, y in GRID if abs(x) + abs(y) == 9}
    assert len(nothing) == 8
    assert all(len(around(x, y)) == 2 for x, y in nothing)
    assert not nothing & {*HOLLOWS, *AREAS}


def test_hollows_and_areas_share_one_grid_of_names() -> None:
    assert "f6" in HOLLOW
    assert "f7" in AREA
    assert not set(HOLLOW) & set(AREA)


def test_the_corners_of_an_area_are_the_hollows_beside_it() -> None:
    for area, corners in zip(AREAS, CORNERS, strict=True):
        assert sorted(HOLLOWS[hollow] for hollow in corners) == sorted(around(*area))


def test_the_areas_beside_a_hollow_are_those_that_have_it_as_a_corner() -> None:
    for hollow, areas in enumerate(BESIDE):
        assert set(areas) == {area for area, corners in enumerate(CORNERS) if hollow in corners}


def test_one_stone_lies_beside_four_areas_at_most() -> None:
    assert max(map(len, BESIDE)) == 4
    assert sum(map(len, BESIDE)) == 40 * 4 + 12 * 3


def test_there_are_nine_moeraki_hollows() -> None:
    assert {HOLLOWS[hollow].name for hollow in MOERAKI} == {"f6", "e5", "e7", "g5", "g7", "d6", "h6", "f4", "f8"}


def test_no_semi_beach_lies_at_a_moeraki_hollow() -> None:
    assert not any(hollow in CORNERS[area] for area in SEMI_BEACHES for hollow in MOERAKI)


def test_there_are_18_diagonals_from_sideline_to_sideline() -> None:
    assert [len(diagonal) for diagonal in DIAGONALS] == [3, 5, 7, 9, 9, 9, 7, 5, 3] * 2
    for diagonal in DIAGONALS:
        steps = {
            (HOLLOWS[after].x - HOLLOWS[before].x, HOLLOWS[after].y - HOLLOWS[before].y)
            for before, after in pairwise(diagonal)
        }
        assert steps in ({(1, 1)}, {(-1, 1)})
        step = next(iter(steps))
        assert HOLLOWS[diagonal[0]].step(-step[0], -step[1]) not in HOLLOWS
        assert HOLLOWS[diagonal[-1]].step(*step) not in HOLLOWS


def test_every_hollow_lies_on_two_diagonals() -> None:
    assert set(Counter(hollow for diagonal in DIAGONALS for hollow in diagonal).values()) == {2}


def test_there_are_four_outer_rows_of_four() -> None:
    rows = ("a3 a5 a7 a9", "k3 k5 k7 k9", "c1 e1 g1 i1", "c11 e11 g11 i11")
    assert {frozenset(row) for row in OUTER_ROWS} == {frozenset(line(row)) for row in rows}


def test_r7_the_eye_is_f8_d6_f4_h6() -> None:
    assert set(EYE) == line("f8 d6 f4 h6")


def test_a_line_of_sight_runs_from_the_next_area_to_the_sideline() -> None:
    seen = {looks: [AREAS[area].name for area in areas] for looks, areas in SIGHT[AREA["f7"]].items()}
    assert seen == {
        "ne": ["g8", "h9", "i10"],
        "nw": ["e8", "d9", "c10"],
        "se": ["g6", "h5", "i4", "j3"],
        "sw": ["e6", "d5", "c4", "b3"],
    }


def test_a_line_of_sight_ends_with_a_semi_beach_where_it_meets_one() -> None:
    assert [AREAS[area].name for area in SIGHT[AREA["g8"]]["se"]] == ["h7", "i6", "j5", "k4"]
    assert SIGHT[AREA["k4"]]["se"] == ()


def test_masks_and_numbers_are_inverse_and_a_mask_holds_each_hollow_once() -> None:
    assert numbers(mask((5, 3, 56, 5))) == (3, 5, 56)
