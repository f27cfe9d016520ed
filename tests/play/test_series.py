"""A series: who has won, who sits where, and which game comes next; R3 of Moeraki-Kemu."""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

import kemu
from kemu.core.errors import OptionError
from kemu.core.game import AnyGame, Outcome, Seat, SeriesRules, options
from kemu.core.record import Record
from kemu.games import series
from kemu.play.commands import Offer, Resign
from kemu.play.dealer import Dealer
from kemu.play.local import NO_ID, LocalMatch, start, start_from
from kemu.play.table import Following, Table, new_table, next_match
from kemu.play.terms import Player, Series, new_series
from tests.games.moeraki.positions import MANAIA, MATAU, drawn_document
from tests.games.moeraki.test_tiles import LEAFLET
from tests.toss import Toss


def players(seats: int) -> list[Player]:
    """Players whose ids are the numbers of their first seats."""
    return [Player(str(seat), f"player {seat}") for seat in range(seats)]


def begin(key: str, length: int = 3, **chosen: Any) -> Table:
    """The first match of a series."""
    game = kemu.game(key, **chosen)
    return start(game, players(game.seats), Dealer(1), new_series(length, game.seats))


def following(table: Table, rule: Following | None = None) -> Table:
    """The next match after one that is over."""
    empty, seated = next_match(table, "next", rule or series(table.game.key).following, 0)
    return start(empty.game, seated, Dealer(1), empty.terms.series)


def played(table: Table, texts: str) -> Table:
    """The next match after this one was played to the end."""
    over = start_from(table.game, players(table.game.seats), Record(table.game.key, {}, tuple(texts.split())))
    assert over.outcome is not None
    return following(replace(over, terms=table.terms, players=table.players))


def given_up(table: Table, winner: Seat, texts: str = "") -> Table:
    """The next match after one that the other player gave up."""
    return following(resigned(table, 1 - winner, texts))


def resigned(table: Table, loser: Seat, texts: str = "") -> Table:
    """This match, given up by a seat after some actions."""
    match = LocalMatch(table, Dealer(1))
    for text in texts.split():
        match.act(table.game.parse(text))
    match.submit(loser, Resign(NO_ID))
    return match.table


def first_texts(game: AnyGame) -> list[str]:
    return [game.format(action) for action in game.actions(game.initial())]


def wins_of(table: Table) -> dict[str, int]:
    """How many games each player has won, by id."""
    return {player.id: won for player, won in zip(table.players, table.series.wins, strict=True) if player}


WON_BY_MANAIA = "@f6 a9 k3 c11 k5 b10"


def test_a_series_begins_with_nothing_won() -> None:
    assert new_series(3, 2) == Series(3, 1, (0, 0))
    assert begin("moeraki-kemu").series.winners == ()


@pytest.mark.parametrize(("name", "length"), [("Uira", 3), ("Kiwi", 5), ("Moa", 7), ("Ika Moana", 10)])
def test_a_kemu_is_won_by_the_first_to_win_the_agreed_number_of_games(name: str, length: int) -> None:
    assert series("moeraki-kemu").LENGTHS[name] == length
    table = begin("moeraki-kemu", length)
    for _ in range(length - 1):
        table = given_up(given_up(table, MATAU), MANAIA)
    assert table.series.wins == (length - 1, length - 1)
    assert table.series.winners == ()
    assert resigned(table, MATAU).series.winners == (1,)


def test_players_keep_their_tribe_and_the_winner_places_the_ball_next() -> None:
    table = played(begin("moeraki-kemu"), WON_BY_MANAIA)
    assert wins_of(table) == {"0": 0, "1": 1}
    assert table.turn == MANAIA


def test_the_ball_must_be_moved_from_where_it_lay_in_the_game_before_and_only_from_there() -> None:
    second = played(begin("moeraki-kemu"), WON_BY_MANAIA)
    assert "@f6" not in first_texts(second.game)
    third = played(second, "@e5 k3 a9 k5 c11 k7 b10")
    assert "@e5" not in first_texts(third.game)
    assert "@f6" in first_texts(third.game)


def test_the_other_options_stay() -> None:
    table = given_up(begin("moeraki-kemu", eye=True, swap=True), MANAIA, "@f6")
    assert options(table.game) == {
        "variant": "master",
        "starter": 1,
        "moved_from": "f6",
        "eye": True,
        "swap": True,
        "stay": False,
    }


@pytest.mark.parametrize("starter", [MATAU, MANAIA])
def test_r3_after_a_draw_nobody_advances_and_the_other_player_places_the_ball(starter: int) -> None:
    table = begin("moeraki-kemu", variant="beginner", starter=starter)
    state = table.game.decode(drawn_document(LEAFLET, turn=1 - starter))
    outcome = table.game.outcome(state)
    assert outcome is not None
    assert outcome.reason == "draw"
    after = following(replace(table, state=state, outcome=outcome))
    assert after.series.wins == (0, 0)
    assert after.turn == 1 - starter
    assert options(after.game)["moved_from"] == "d6"


def test_a_draw_by_agreement_counts_as_a_draw() -> None:
    match = LocalMatch(replace(begin("moeraki-kemu"), players=(Player("a", "A"), Player("a", "B"))), Dealer(1))
    match.submit(0, Offer(NO_ID, "draw"))
    after = following(match.table)
    assert after.series.wins == (0, 0)
    assert options(after.game)["starter"] == MANAIA


def test_a_game_given_up_before_the_ball_was_placed_leaves_the_ball_where_it_lay() -> None:
    first = given_up(begin("moeraki-kemu"), MANAIA)
    assert options(first.game)["moved_from"] is None
    second = given_up(given_up(first, MANAIA, "@g7"), MATAU)
    assert options(second.game)["moved_from"] == "g7"


def test_in_mu_torere_the_players_swap_colours_after_every_game() -> None:
    first = begin("mu-torere")
    assert series("mu-torere").LENGTHS == {}
    second = given_up(first, winner=0)
    assert [player.id for player in second.players if player] == ["1", "0"]
    assert wins_of(second) == {"0": 1, "1": 0}
    third = given_up(second, winner=0)
    assert [player.id for player in third.players if player] == ["0", "1"]
    assert wins_of(third) == {"0": 1, "1": 1}
    assert third.game == first.game


def test_wins_belong_to_the_player_wherever_he_sits() -> None:
    table = resigned(given_up(begin("mu-torere", length=2), winner=0), loser=0)
    assert wins_of(table) == {"0": 2, "1": 0}
    assert table.series.winners == (1,)


def test_after_a_decided_series_a_new_one_begins() -> None:
    table = given_up(given_up(begin("mu-torere", length=2), winner=0), winner=1)
    assert table.terms.series == Series(2, 1, (0, 0))
    assert table.terms.previous is None  # `start` makes terms of its own
    empty, _ = next_match(resigned(begin("mu-torere"), 0), "next", series("mu-torere").following, 5)
    assert (empty.terms.id, empty.terms.previous, empty.terms.created) == ("next", "local", 5)


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
    table = start(Trio(), players(3), Dealer(1), new_series(2, 3))
    table = following(replace(table, outcome=Outcome((0, 2), "done")), moving_up)
    assert wins_of(table) == {"0": 1, "1": 0, "2": 1}
    assert [player.id for player in table.players if player] == ["1", "2", "0"]
    table = replace(table, outcome=Outcome((1, 2), "done"))
    assert wins_of(table) == {"0": 2, "1": 0, "2": 2}
    assert table.series.winners == (1, 2)


def test_every_game_has_a_rule_for_a_series_that_seats_everybody_again() -> None:
    for key in kemu.game_keys():
        game = kemu.game(key)
        rules: SeriesRules = series(key)
        next_game, came_from = rules.following(game, game.initial(), Outcome((0,), "resignation"))
        assert next_game.key == key
        assert sorted(came_from) == list(range(game.seats))
        assert all(length >= 1 for length in rules.LENGTHS.values())


def test_pasts_are_equal_if_their_steps_are() -> None:
    def past(*texts: str) -> Any:
        return start_from(kemu.game("mu-torere"), players(2), Record("mu-torere", {}, texts)).last

    assert past("1-0", "8-1") == past("1-0", "8-1")
    assert past("1-0", "8-1") != past("4-0", "5-4")
    assert past("1-0", "8-1") != past("1-0")
    assert past("1-0") != "1-0"
    assert new_table(begin("mu-torere").terms, kemu.game("mu-torere")).last is None
