"""Several games of MAUW in a row."""

import pytest

from kemu.core.game import Outcome
from kemu.games import series
from kemu.games.mauw.rules import Mauw


@pytest.mark.parametrize(("players", "seating"), [(2, (1, 0)), (4, (1, 2, 3, 0))])
def test_the_next_player_begins(players: int, seating: tuple[int, ...]) -> None:
    game = Mauw(players)
    assert series("mauw").following(game, game.initial(), Outcome((0,), "limit")) == (game, seating)


def test_the_first_seat_always_starts() -> None:
    assert series("mauw").starters(Mauw(3)) == (Mauw(3),)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_after_as_many_games_as_players_all_have_begun_once(players: int) -> None:
    game, sitting = Mauw(players), list(range(players))
    beginners = []
    for _ in range(players):
        beginners.append(sitting[0])
        _, seating = series("mauw").following(game, game.initial(), Outcome((), "limit"))
        sitting = [sitting[seat] for seat in seating]
    assert sorted(beginners) == list(range(players))
    assert sitting == list(range(players))
