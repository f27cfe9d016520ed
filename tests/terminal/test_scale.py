"""The Moeraki scale in text."""

import pytest

import kemu
from kemu.core.game import Outcome
from kemu.games import succession
from kemu.play.series import Series
from kemu.terminal.scale import MARKERS, scale

MOERAKI = succession("moeraki-kemu")

AFTER_FIVE = """\
      Moa  7 ╞
           6 ├
     Kiwi  5 ├
           4 ├
     Uira  3 ├●
           2 ├ ○
           1 ├
           0 ╞"""


def begin(length: int) -> Series:
    return Series.begin(kemu.game("moeraki-kemu"), length, MOERAKI.following)


def test_each_won_game_takes_a_marker_one_field_up() -> None:
    series = begin(7)
    for winner in (0, 1, 0, 1, 0):
        series = series.after(series.game.initial(), Outcome((winner,), "resignation"))
    assert scale(series, MOERAKI.LENGTHS) == AFTER_FIVE


@pytest.mark.parametrize("length", [*MOERAKI.LENGTHS.values(), 4])
def test_both_markers_start_at_the_bottom_and_the_scale_ends_at_its_length(length: int) -> None:
    lines = scale(begin(length), MOERAKI.LENGTHS).splitlines()
    assert len(lines) == length + 1
    assert lines[-1].endswith("0 ╞●○")
    assert lines[0].strip().endswith(f"{length} ╞")


def test_it_is_at_most_20_columns_wide_for_six_players() -> None:
    series = begin(10)
    six = Series(10, series.game, tuple(range(6)), (0,) * 6, series.following)
    lines = scale(six, MOERAKI.LENGTHS).splitlines()
    assert max(map(len, lines)) == 20
    assert lines[-1].endswith(MARKERS)
