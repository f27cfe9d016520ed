"""Early wins: Tahuna, Awa A and B, Ara, and with R7 the eye; R8 names the reason."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kemu.core.game import Outcome
from kemu.games.moeraki.board import (
    BEACHES,
    CORNERS,
    DIAGONALS,
    HOLLOWS,
    MOERAKI,
    OUTER_ROWS,
    SEMI_BEACHES,
    mask,
    numbers,
)
from kemu.games.moeraki.position import State
from kemu.games.moeraki.rules import MoerakiKemu
from kemu.games.moeraki.wins import early_win, filled
from tests.games.moeraki.positions import BASIC, BEGINNER, MANAIA, MASTER, MATAU, document, play

EYE = MoerakiKemu(eye=True)


def bits(names: str) -> int:
    return mask(number for number, point in enumerate(HOLLOWS) if point.name in names.split())


def reason(stones: str, ball: str = "f6", eye: bool = False) -> str | None:
    """What these stones of one player win by."""
    line = early_win(bits(ball), bits(stones), eye)
    return line.reason if line else None


@pytest.mark.parametrize("game", [BEGINNER, BASIC, MASTER])
def test_tahuna_the_four_hollows_of_one_beach_hold_four_own_stones(game: MoerakiKemu) -> None:
    before = play(game, "@f6 k3 b10 k5 c9 k7 d10 a3")
    assert game.outcome(before) is None
    outcome = game.outcome(game.apply(before, game.parse("c11")))
    assert outcome == Outcome((MATAU,), "tahuna")
    assert outcome is not None
    assert outcome.at == ("c9", "b10", "d10", "c11")
    assert outcome.scores is None


def test_tahuna_needs_four_stones_of_one_colour() -> None:
    assert BASIC.outcome(play(BASIC, "@f6 c9 b10 d10 k3 c11")) is None


def test_the_ball_is_no_stone_three_own_stones_and_the_ball_are_no_tahuna() -> None:
    assert BASIC.outcome(play(BASIC, "@f6 f8 a3 e7 a5 g7")) is None
    assert reason("f8 e7 g7") is None


def test_a_semi_beach_never_gives_tahuna() -> None:
    for semi_beach in SEMI_BEACHES:
        for ball in MOERAKI:
            assert early_win(1 << ball, mask(CORNERS[semi_beach]), True) is None


def test_each_of_the_40_beaches_gives_tahuna_unless_the_ball_lies_at_it() -> None:
    for ball in MOERAKI:
        for beach in BEACHES:
            line = early_win(1 << ball, mask(CORNERS[beach]), False)
            assert (line is None) == (ball in CORNERS[beach])
            assert line is None or line.reason == "tahuna"


def test_awa_a_on_a_three_diagonal() -> None:
    outcome = BASIC.outcome(play(BASIC, "@f6 a9 k3 c11 k5 b10"))
    assert outcome == Outcome((MANAIA,), "awa")
    assert outcome is not None
    assert outcome.at == ("a9", "b10", "c11")


def test_awa_a_each_whole_diagonal_from_sideline_to_sideline_wins_but_not_with_one_stone_less() -> None:
    for diagonal in DIAGONALS:
        ball = next(hollow for hollow in MOERAKI if hollow not in diagonal)
        line = early_win(1 << ball, mask(diagonal), False)
        assert line is not None
        assert line == (mask(diagonal), "awa")
        for missing in diagonal:
            assert early_win(1 << ball, mask(diagonal) & ~(1 << missing), False) is None


def test_awa_b_from_the_sideline_to_the_ball() -> None:
    outcome = BASIC.outcome(play(BASIC, "@f6 k3 b10 k5 c9 k7 d8 a3 e7"))
    assert outcome == Outcome((MATAU,), "awa")
    assert outcome is not None
    assert outcome.at == ("e7", "d8", "c9", "b10")


def test_awa_b_on_every_side_of_every_ball_and_not_with_a_gap_on_the_way() -> None:
    sides = 0
    for ball in MOERAKI:
        for diagonal in (line for line in DIAGONALS if ball in line):
            at = diagonal.index(ball)
            for side in (diagonal[:at], diagonal[at + 1 :]):
                line = early_win(1 << ball, mask(side), False)
                assert line == (mask(side), "awa")
                sides += 1
                for missing in side:
                    assert early_win(1 << ball, mask(side) & ~(1 << missing), False) is None
    assert sides == 9 * 4


def test_awa_b_ends_at_the_ball_only() -> None:
    assert reason("b10 c9 d8 e7", ball="f6") == "awa"
    assert reason("b10 c9 d8 e7", ball="f4") is None
    assert reason("b10 c9 d8", ball="e7") == "awa"


def test_black_could_have_won_by_awa_b_where_white_wins_by_awa_a() -> None:
    state = play(BASIC, "@f6 a9 b2 b10 c3 k7 d4")
    white = BASIC.outcome(BASIC.apply(state, BASIC.parse("c11")))
    assert white == Outcome((MANAIA,), "awa")
    black = BASIC.apply(BASIC.apply(state, BASIC.parse("k9")), BASIC.parse("e5"))
    assert BASIC.outcome(black) == Outcome((MATAU,), "awa")


def test_ara_the_four_hollows_of_one_outer_row() -> None:
    before = play(BASIC, "@f6 k3 c11 k5 e11 k7 i11 b2")
    assert BASIC.outcome(before) is None
    outcome = BASIC.outcome(BASIC.apply(before, BASIC.parse("g11")))
    assert outcome == Outcome((MATAU,), "ara")
    assert outcome is not None
    assert outcome.at == ("c11", "e11", "g11", "i11")


def test_ara_each_outer_row_wins_but_not_with_one_stone_less() -> None:
    for row in OUTER_ROWS:
        assert early_win(1 << MOERAKI[0], mask(row), False) == (mask(row), "ara")
        for missing in row:
            assert early_win(1 << MOERAKI[0], mask(row) & ~(1 << missing), False) is None


def test_other_rows_and_columns_are_no_path() -> None:
    assert reason("b10 d10 f10 h10 j10") is None
    assert reason("a3 c3 e3 g3 i3 k3") is None


def test_an_early_win_is_checked_before_any_tile_is_laid_and_nobody_is_asked() -> None:
    # g9 completes beach g10 for Matau, 3:1 and so a full tile, and with it the Tahuna of f9.
    before = play(MASTER, "@f6 h10 f10 k3 e9 k5 f8 k7 g11 a3")
    state = MASTER.apply(before, MASTER.parse("g9"))
    assert state.step is None
    assert MASTER.outcome(state) == Outcome((MATAU,), "tahuna")
    assert MASTER.actions(state) == ()


def test_only_the_player_who_just_laid_a_stone_can_win() -> None:
    state = State(bits("f6"), (bits("a9 b10 c11"), bits("k3 k5 k7")), (None, None), MATAU)
    assert BASIC.outcome(state) is None
    assert BASIC.outcome(state._replace(turn=MANAIA)) == Outcome((MATAU,), "awa")


def test_r7_the_eye_wins_with_four_own_stones() -> None:
    moves = "@f6 f8 k3 d6 k5 f4 k7 h6"
    assert MASTER.outcome(play(MASTER, moves)) is None
    outcome = EYE.outcome(play(EYE, moves))
    assert outcome == Outcome((MANAIA,), "eye")
    assert outcome is not None
    assert outcome.at == ("f4", "d6", "h6", "f8")


def test_r7_the_eye_wins_with_the_ball_and_own_stones_on_the_rest() -> None:
    outcome = EYE.outcome(play(EYE, "@f8 d6 k3 f4 k5 h6"))
    assert outcome == Outcome((MANAIA,), "eye")
    assert outcome is not None
    assert outcome.at == ("f4", "d6", "h6")


@pytest.mark.parametrize("stones", ["f8 d6 f4", "f8 d6 h6", "d6 f4 h6"])
def test_r7_the_eye_is_not_won_by_three_without_the_ball_in_it(stones: str) -> None:
    assert reason(stones, ball="f6", eye=True) is None


@pytest.mark.parametrize(
    ("stones", "named"),
    [
        # d10 completes the beach c10 and the diagonal a7-e11.
        ("c11 b10 c9 d10 a7 b8 e11", "tahuna"),
        # c11 completes the diagonal a9-c11 and the top row.
        ("a9 b10 c11 e11 g11 i11", "awa"),
        # c11 completes the beach, the diagonal and the row.
        ("a9 b10 c11 e11 g11 i11 c9 d10", "tahuna"),
        # f8 completes the eye; its diagonal from c11 to k3 lacks three stones.
        ("d6 f4 h6 f8 g7 e9 d10 c11", "eye"),
    ],
)
def test_r8_the_reason_named_is_the_first_of_tahuna_awa_ara_eye(stones: str, named: str) -> None:
    assert reason(stones, eye=True) == named


def test_r8_ara_comes_before_the_eye_and_awa_before_ara() -> None:
    assert reason("c11 e11 g11 i11 f8 d6 f4 h6", eye=True) == "ara"
    assert reason("b10 c9 d8 e7 f8 d6 f4 h6", eye=True) == "awa"


def test_all_lines_of_the_reason_named_are_shown() -> None:
    line = early_win(bits("f6"), bits("c11 b10 d10 c9 e11 f10 e9"), False)
    assert line is not None
    assert line.hollows == bits("c11 b10 d10 c9 e11 f10 e9")


def test_before_the_ball_is_placed_there_is_no_line() -> None:
    assert filled(0, bits("a9 b10 c11"), True) == []
    assert BASIC.outcome(BASIC.decode(document(ball=None, turn=MATAU))) is None


def brute_force(ball: int, stones: set[int], eye: bool) -> str | None:
    """The early wins once more, from the sentences of the rules and from coordinates alone."""
    at = {(HOLLOWS[hollow].x, HOLLOWS[hollow].y) for hollow in stones}
    places = {(point.x, point.y) for point in HOLLOWS}
    gone = (HOLLOWS[ball].x, HOLLOWS[ball].y)

    def run(x: int, y: int, dx: int, dy: int) -> bool:
        """Own stones from here on to the sideline or up to the ball."""
        while (x, y) in places and (x, y) != gone:
            if (x, y) not in at:
                return False
            x, y = x + dx, y + dy
        return True

    if any({(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} <= at for x in range(-5, 6) for y in range(-5, 6)):
        return "tahuna"
    for dx, dy in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        starts = [place for place in at if (place[0] - dx, place[1] - dy) not in places]
        if any(run(x, y, dx, dy) for x, y in starts):
            return "awa"
    if any(sum(place[axis] == side for place in at) == 4 for axis in (0, 1) for side in (-5, 5)):
        return "ara"
    if eye and {(0, 2), (0, -2), (2, 0), (-2, 0)} - {gone} <= at:
        return "eye"
    return None


@given(
    ball=st.sampled_from(MOERAKI),
    stones=st.sets(st.sampled_from(range(len(HOLLOWS))), max_size=28),
    eye=st.booleans(),
)
def test_early_wins_are_what_brute_force_finds(ball: int, stones: set[int], eye: bool) -> None:
    stones -= {ball}
    line = early_win(1 << ball, mask(stones), eye)
    assert (line.reason if line else None) == brute_force(ball, stones, eye)


def test_brute_force_agrees_on_every_line_and_on_every_pair_of_lines() -> None:
    ball = MOERAKI[4]
    whole = [line.hollows for line in filled(1 << ball, mask(range(57)) & ~(1 << ball), True)]
    assert len(whole) == 36 + 16 + 4 + 4 + 1
    for first, second in combinations(whole, 2):
        line = early_win(1 << ball, first | second, True)
        assert line is not None
        assert line.reason == brute_force(ball, set(numbers(first | second)), True)
