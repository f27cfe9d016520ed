"""A series: who has won, who sits where, and which game comes next; R3 of Moeraki-Kemu."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from kemu.core.succession import Succession

import kemu
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Outcome, Seat, options
from kemu.core.record import replay
from kemu.games import succession
from kemu.play.dealer import Dealer
from kemu.play.errors import MatchOver
from kemu.play.match import Match
from kemu.play.series import Series
from tests.games.moeraki.positions import MANAIA, MATAU, drawn_document
from tests.games.moeraki.test_tiles import LEAFLET
from tests.toss import Toss


def begin(key: str, length: int = 3, **chosen: Any) -> Series:
    """A series before its first game."""
    return Series.begin(kemu.game(key, **chosen), length, succession(key).following)


def played(series: Series, texts: str) -> Series:
    """The series after its game was played to the end."""
    *_, state = replay(series.game, texts.split())
    outcome = series.game.outcome(state)
    assert outcome is not None
    return series.after(state, outcome)


def given_up(series: Series, winner: Seat, texts: str = "") -> Series:
    """The series after a game that the other player gave up."""
    *_, state = replay(series.game, texts.split())
    return series.after(state, Outcome((winner,), "resignation"))


def first_texts(game: AnyGame) -> list[str]:
    return [game.format(action) for action in game.actions(game.initial())]


WON_BY_MANAIA = "@f6 a9 k3 c11 k5 b10"


def test_a_series_begins_with_nothing_won_and_everybody_on_his_seat() -> None:
    series = begin("moeraki-kemu")
    assert series.wins == (0, 0)
    assert series.seating == (0, 1)
    assert series.winners == ()


@pytest.mark.parametrize(("name", "length"), [("Uira", 3), ("Kiwi", 5), ("Moa", 7), ("Ika Moana", 10)])
def test_a_kemu_is_won_by_the_first_to_win_the_agreed_number_of_games(name: str, length: int) -> None:
    assert succession("moeraki-kemu").LENGTHS[name] == length
    series = begin("moeraki-kemu", length)
    for _ in range(length - 1):
        series = given_up(given_up(series, MATAU), MANAIA)
    assert series.wins == (length - 1, length - 1)
    assert series.winners == ()
    assert given_up(series, MANAIA).winners == (1,)


def test_players_keep_their_tribe_and_the_winner_places_the_ball_next() -> None:
    series = played(begin("moeraki-kemu"), WON_BY_MANAIA)
    assert series.wins == (0, 1)
    assert series.seating == (0, 1)
    assert series.game.turn(series.game.initial()) == MANAIA


def test_the_ball_must_be_moved_from_where_it_lay_in_the_game_before_and_only_from_there() -> None:
    second = played(begin("moeraki-kemu"), WON_BY_MANAIA)
    assert "@f6" not in first_texts(second.game)
    third = played(second, "@e5 k3 a9 k5 c11 k7 b10")
    assert "@e5" not in first_texts(third.game)
    assert "@f6" in first_texts(third.game)


def test_the_other_options_stay() -> None:
    series = given_up(begin("moeraki-kemu", eye=True, swap=True), MANAIA, "@f6")
    assert options(series.game) == {
        "variant": "master",
        "starter": 1,
        "moved_from": "f6",
        "eye": True,
        "swap": True,
    }


@pytest.mark.parametrize("starter", [MATAU, MANAIA])
def test_r3_after_a_draw_nobody_advances_and_the_other_player_places_the_ball(starter: int) -> None:
    series = begin("moeraki-kemu", variant="beginner", starter=starter)
    state = series.game.decode(drawn_document(LEAFLET, turn=1 - starter))
    outcome = series.game.outcome(state)
    assert outcome is not None
    assert outcome.reason == "draw"
    after = series.after(state, outcome)
    assert after.wins == (0, 0)
    assert after.game.turn(after.game.initial()) == 1 - starter
    assert options(after.game)["moved_from"] == "d6"


def test_a_draw_by_agreement_counts_as_a_draw() -> None:
    series = begin("moeraki-kemu")
    match = Match(series.game, ["a", "b"], Dealer(seed=1))
    match.agree()
    assert match.outcome is not None
    after = series.after(match.state, match.outcome)
    assert after.wins == (0, 0)
    assert options(after.game)["starter"] == MANAIA


def test_a_resignation_wins_for_the_other() -> None:
    series = begin("moeraki-kemu")
    match = Match(series.game, ["a", "b"], Dealer(seed=1))
    match.resign(MATAU)
    assert match.outcome is not None
    assert series.after(match.state, match.outcome).wins == (0, 1)


def test_a_game_given_up_before_the_ball_was_placed_leaves_the_ball_where_it_lay() -> None:
    first = given_up(begin("moeraki-kemu"), MANAIA)
    assert options(first.game)["moved_from"] is None
    second = given_up(given_up(first, MANAIA, "@g7"), MATAU)
    assert options(second.game)["moved_from"] == "g7"


def test_in_mu_torere_the_players_swap_colours_after_every_game() -> None:
    series = begin("mu-torere")
    assert succession("mu-torere").LENGTHS == {}
    second = given_up(series, winner=0)
    assert second.seating == (1, 0)
    assert second.wins == (1, 0)
    third = given_up(second, winner=0)
    assert third.seating == (0, 1)
    assert third.wins == (1, 1)
    assert third.game == series.game


def test_wins_are_counted_by_player_wherever_he_sits() -> None:
    series = begin("mu-torere", length=2)
    series = given_up(series, winner=0)
    series = given_up(series, winner=1)
    assert series.wins == (2, 0)
    assert series.winners == (0,)


def test_a_series_that_is_over_takes_no_more_games() -> None:
    series = given_up(begin("mu-torere", length=1), winner=1)
    assert series.winners == (1,)
    with pytest.raises(MatchOver, match=r"^The series is over\.$"):
        given_up(series, winner=0)


@pytest.mark.parametrize("length", [0, 101, True, "3", 2.0])
def test_a_length_is_a_whole_number_from_1_to_100(length: Any) -> None:
    with pytest.raises(OptionError, match=r"^The length of a series is a whole number from 1 to 100, not "):
        begin("mu-torere", length)


@dataclass(frozen=True)
class Trio(Toss):
    """The same game with three seats."""

    seats: ClassVar[int] = 3


def moving_up(game: AnyGame, state: Any, outcome: Outcome) -> tuple[AnyGame, tuple[Seat, ...]]:
    """All move up a seat, and the first goes to the last."""
    return game, (1, 2, 0)


def test_any_number_of_players_may_play_and_share_a_win() -> None:
    series = Series.begin(Trio(), 2, moving_up)
    series = series.after("end", Outcome((0, 2), "done"))
    assert series.wins == (1, 0, 1)
    assert series.seating == (1, 2, 0)
    series = series.after("end", Outcome((1, 2), "done"))
    assert series.wins == (2, 0, 2)
    assert series.winners == (0, 2)


def test_every_game_has_a_succession_that_seats_everybody_again() -> None:
    for key in kemu.games():
        game = kemu.game(key)
        state = game.initial()
        rules: Succession = succession(key)
        following, came_from = rules.following(game, state, Outcome((0,), "resignation"))
        assert following.key == key
        assert sorted(came_from) == list(range(game.seats))
        assert all(length >= 1 for length in rules.LENGTHS.values())
