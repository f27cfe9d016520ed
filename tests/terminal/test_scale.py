"""The Moeraki scale in text."""

import pytest

from kemu.games import series
from kemu.terminal.screen import MARKERS, scale

LENGTHS = series("moeraki-kemu").LENGTHS

AFTER_FIVE = """\
      Moa  7 ╞
           6 ├
     Kiwi  5 ├
           4 ├
     Uira  3 ├●
           2 ├ ○
           1 ├
           0 ╞"""


def test_each_won_game_takes_a_marker_one_field_up() -> None:
    assert scale((3, 2), 7, LENGTHS) == AFTER_FIVE


@pytest.mark.parametrize("length", [*LENGTHS.values(), 4])
def test_both_markers_start_at_the_bottom_and_the_scale_ends_at_its_length(length: int) -> None:
    lines = scale((0, 0), length, LENGTHS).splitlines()
    assert len(lines) == length + 1
    assert lines[-1].endswith("0 ╞●○")
    assert lines[0].strip().endswith(f"{length} ╞")


def test_it_is_at_most_20_columns_wide_for_six_players() -> None:
    lines = scale((0,) * 6, 10, LENGTHS).splitlines()
    assert max(map(len, lines)) == 20
    assert lines[-1].endswith(MARKERS)
