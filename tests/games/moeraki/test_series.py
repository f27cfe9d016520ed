"""The Kemu, a series of Moeraki-Kemu: who places the ball next, and where it may not lie."""

import pytest

from kemu.core.game import Outcome
from kemu.games import series
from kemu.games.moeraki.rules import MoerakiKemu
from tests.games.moeraki.positions import BASIC, play

SERIES = series("moeraki-kemu")


@pytest.mark.parametrize(("winners", "starter"), [((0,), 0), ((1,), 1), ((), 1)])
def test_the_winner_places_the_ball_next_and_after_a_draw_the_other(winners: tuple[int, ...], starter: int) -> None:
    following, seats = SERIES.following(BASIC, play(BASIC, "@f6 a3"), Outcome(winners, "ara"))
    assert following == MoerakiKemu(variant="basic", starter=starter, moved_from="f6")
    assert seats == (0, 1)


def test_a_game_given_up_before_the_ball_is_placed_leaves_it_where_it_lay() -> None:
    game = MoerakiKemu(moved_from="e5")
    following, _ = SERIES.following(game, game.initial(), Outcome((1,), "resignation"))
    assert following == MoerakiKemu(starter=1, moved_from="e5")


def test_with_the_option_stay_the_ball_may_lie_where_it_lay() -> None:
    game = MoerakiKemu(variant="basic", stay=True)
    following, _ = SERIES.following(game, play(game, "@f6 a3"), Outcome((1,), "ara"))
    assert following == MoerakiKemu(variant="basic", starter=1, stay=True)


def test_each_tribe_may_start() -> None:
    assert SERIES.starters(BASIC) == (MoerakiKemu(variant="basic"), MoerakiKemu(variant="basic", starter=1))
