"""Tie-breaks by an example that can be counted by hand, and points from matches."""

from fractions import Fraction

import pytest
from msgspec.structs import replace

import kemu
from kemu.core.game import Outcome
from kemu.people.tournaments.results import game_points
from kemu.people.tournaments.standings import standings
from kemu.people.tournaments.values import FULL_POINTS, Entrant, PairedGame, Round, RoundPairing, System, Tournament
from kemu.play.commands import Aborted, Acted, Joined, Started
from kemu.play.table import Table, apply_event, new_table
from kemu.play.terms import Player, Terms

from .club import terms


def played(one: str, other: str, points: int) -> RoundPairing:
    """A series with this many half games for the first player: 2 is a win, 1 a draw."""
    half = FULL_POINTS // 2
    return RoundPairing((one, other), (PairedGame("m", (one, other), "ended", (points * half, (2 - points) * half)),))


def tournament(system: System, *rounds: Round) -> Tournament:
    entrants = tuple(Entrant(name, name) for name in "abcde")
    return Tournament("t-1", "a", 0, terms(system, wins=1), "running", entrants, rounds)


def test_a_swiss_is_ordered_by_points_buchholz_and_sonneborn_berger() -> None:
    found = standings(
        tournament(
            "swiss",
            Round(1, 0, (played("a", "b", 2), played("c", "d", 2)), ("e",)),
            Round(2, 0, (played("e", "a", 1), played("b", "c", 2)), ("d",)),
        )
    )
    rows = {row.entrant: row for row in found}
    half = FULL_POINTS // 2
    assert {name: row.points // half for name, row in rows.items()} == {"e": 5, "d": 4, "a": 3, "b": 2, "c": 2}
    assert {name: row.buchholz // half for name, row in rows.items()} == {"e": 8, "d": 6, "a": 7, "b": 5, "c": 6}
    assert rows["a"].sonneborn == (2 * FULL_POINTS * FULL_POINTS // 2 + 5 * half * half) // (2 * FULL_POINTS)
    assert [row.entrant for row in found] == ["e", "d", "a", "c", "b"]
    assert [row.place for row in found] == [1, 2, 3, 4, 5]
    assert (rows["b"].won, rows["b"].drawn, rows["b"].lost) == (1, 0, 1)


def test_a_round_robin_is_ordered_by_direct_encounter_if_all_who_are_equal_met() -> None:
    games = (played("a", "b", 0), played("c", "d", 0), played("a", "d", 2), played("b", "d", 0))
    found = standings(tournament("round-robin", Round(1, 0, games)))
    assert [row.entrant for row in found][:3] == ["d", "b", "a"]
    direct = {row.entrant: row.direct for row in found}
    assert direct == {"d": 0, "b": FULL_POINTS, "a": 0, "c": 0, "e": 0}


def table(game: str, **options: object) -> Table:
    rules = kemu.game(game, **options)
    found = new_table(Terms("m", game, {}, "host", 0), rules)
    for seat in range(rules.seats):
        found = apply_event(found, Joined(seat, Player(f"p{seat}", "P")), 0)
    return apply_event(found, Started(), 0)


def test_a_match_of_two_is_won_drawn_or_not_played() -> None:
    begun = table("mu-torere")
    assert game_points(replace(begun, outcome=Outcome((1,), "rules"))) == (0, FULL_POINTS)
    assert game_points(replace(begun, outcome=Outcome((), "agreement"))) == (FULL_POINTS // 2, FULL_POINTS // 2)
    assert game_points(apply_event(begun, Aborted(0), 0)) == (0, FULL_POINTS), "the first to act never came"
    action = begun.game.format(begun.game.actions(begun.state)[0])
    acted = apply_event(begun, Acted(0, action), 0)
    assert game_points(apply_event(acted, Aborted(1), 0)) == (FULL_POINTS, 0)


@pytest.mark.parametrize("scores", [(3, 9, 5)])
def test_a_table_brings_points_by_place(scores: tuple[int, ...]) -> None:
    begun = table("mauw", players=3)
    over = replace(begun, outcome=Outcome((1,), "rules", tuple(map(Fraction, scores))))
    assert game_points(over) == (0, FULL_POINTS, FULL_POINTS // 2)
    gave_up = replace(over, gave_up={2: Player("p2", "P")})
    assert game_points(gave_up) == (FULL_POINTS // 2, FULL_POINTS, 0)
