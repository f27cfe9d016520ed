"""Laws of pairings: who meets whom, who begins, who has a bye, in any tournament that people join and leave."""

from collections import Counter
from itertools import combinations
from math import ceil, log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from kemu.people.tournaments import commands as c
from kemu.people.tournaments.history import history
from kemu.people.tournaments.leagues import division_sizes, next_divisions
from kemu.people.tournaments.round_robin import circle
from kemu.people.tournaments.standings import standings
from kemu.people.tournaments.tables import points_of_places, table_sizes
from kemu.people.tournaments.values import FULL_POINTS, Tournament

from .club import COMPUTER, Club, terms


def meetings(tournament: Tournament) -> Counter[frozenset[str]]:
    """How often each two people were paired."""
    return Counter(
        frozenset(pair)
        for each in tournament.rounds
        for pairing in each.pairings
        for pair in combinations(pairing.players, 2)
        if not any(player.startswith("bot:") for player in pair)
    )


def check_colours(tournament: Tournament) -> None:
    """Each pairing of two games gives each player each seat once."""
    for pairing in (pairing for each in tournament.rounds for pairing in each.pairings):
        if len(pairing.players) == 2 and tournament.terms.wins == 1:
            assert [game.seats for game in pairing.games] == [pairing.players, pairing.players[::-1]]


def idle(tournament: Tournament, number: int) -> set[str]:
    """The entrants of a round who are in none of its pairings."""
    found = tournament.rounds[number - 1]
    paired = {player for pairing in found.pairings for player in pairing.players}
    return {e.id for e in tournament.entrants if not e.bot and not e.away and e.since <= number} - paired


@settings(max_examples=40, deadline=None)
@given(players=st.integers(2, 24), seed=st.integers(0, 999), wins=st.sampled_from((1, 3)))
def test_in_a_swiss_nobody_meets_twice_and_byes_go_round(players: int, seed: int, wins: int) -> None:
    rounds = min((players + 1) // 2, ceil(log2(players)) + 2)  # so many always can be paired anew, by Dirac's theorem
    club = Club(terms("swiss", rounds=rounds, wins=wins), players, seed)
    club.ask("host", c.Start)
    club.play()
    found = club.tournament
    assert len(found.rounds) == rounds
    assert max(meetings(found).values()) == 1
    past = history(found)
    assert max(past.byes.values(), default=0) <= 1
    assert all(len(idle(found, each.number)) == players % 2 for each in found.rounds)
    assert max(abs(count) for count in past.balance.values()) <= 2
    check_colours(found)
    assert club.replayed() == found


@settings(max_examples=40, deadline=None)
@given(players=st.integers(3, 14), seed=st.integers(0, 999), data=st.data())
def test_who_leaves_or_comes_late_leaves_nobody_without_an_opponent(
    players: int, seed: int, data: st.DataObject
) -> None:
    club = Club(terms("swiss", rounds=6), players, seed)
    club.ask("host", c.Start)

    def change(number: int) -> None:
        if club.tournament.stage != "running":
            return
        if number < 5 and data.draw(st.booleans()):
            club.enter(f"late{number}")
        if len(club.tournament.present) > 2 and data.draw(st.booleans()):
            club.ask(data.draw(st.sampled_from([e.id for e in club.tournament.present])), c.Withdraw)

    club.play(change)
    found = club.tournament
    assert found.stage == "finished"
    assert all(len(each.byes) <= 1 for each in found.rounds)
    assert club.replayed() == found
    for each in found.rounds:
        paired = [player for pairing in each.pairings for player in pairing.players]
        assert len(paired) == len(set(paired))


def least_repeats(players: list[str], before: Tournament) -> tuple[int, int]:
    """The least number of second meetings, and of second byes with that, over all ways to pair these players."""
    past = history(before)

    def pair(left: list[str]) -> tuple[int, int]:
        if not left:
            return 0, 0
        one, *others = left
        found = []
        for other in others:
            meetings, byes = pair([player for player in others if player != other])
            if "" in (one, other):
                found.append((meetings, byes + past.byes[one or other]))
            else:
                found.append((meetings + past.meetings(one, other), byes))
        return min(found)

    return pair([*players, *([""] if len(players) % 2 else [])])


@settings(max_examples=25, deadline=None)
@given(players=st.integers(2, 7), seed=st.integers(0, 999))
def test_people_meet_again_only_when_they_must_and_then_have_second_byes(players: int, seed: int) -> None:
    club = Club(terms("swiss", rounds=players + 1), players, seed)
    club.ask("host", c.Start)
    club.play()
    for number, each in enumerate(club.tournament.rounds):
        before = structs.replace(club.tournament, rounds=club.tournament.rounds[:number])
        past = history(before)
        met = sum(past.meetings(*pairing.players) for pairing in each.pairings)
        assert (met, sum(past.byes[player] for player in each.byes)) == least_repeats(
            [entrant.id for entrant in before.entrants], before
        )


def test_four_people_meet_again_in_the_fourth_round() -> None:
    club = Club(terms("swiss", rounds=5), 4)
    club.ask("host", c.Start)
    club.play()
    found = meetings(club.tournament)
    assert len(found) == 6
    assert sorted(found.values()) == [1, 1, 2, 2, 2, 2]


@settings(max_examples=30, deadline=None)
@given(players=st.integers(2, 15), seed=st.integers(0, 999))
def test_in_a_round_robin_everybody_meets_everybody_once_in_the_least_rounds(players: int, seed: int) -> None:
    club = Club(terms("round-robin"), players, seed)
    club.ask("host", c.Start)
    club.play()
    found = club.tournament
    assert sorted(meetings(found).values()) == [1] * (players * (players - 1) // 2)
    assert len(found.rounds) == players - 1 + players % 2
    assert max(abs(count) for count in history(found).balance.values()) <= 2
    check_colours(found)
    assert club.replayed() == found


@settings(max_examples=30, deadline=None)
@given(players=st.integers(3, 9), seed=st.integers(0, 999), data=st.data())
def test_a_round_robin_with_changes_still_pairs_all_who_stay(players: int, seed: int, data: st.DataObject) -> None:
    club = Club(terms("round-robin"), players, seed)
    club.ask("host", c.Start)

    def change(number: int) -> None:
        if club.tournament.stage == "running" and number <= 2:
            club.enter(f"late{number}")
            if data.draw(st.booleans()) and len(club.tournament.present) > 2:
                club.ask(data.draw(st.sampled_from([e.id for e in club.tournament.present])), c.Withdraw)

    club.play(change)
    found = meetings(club.tournament)
    staying = [entrant.id for entrant in club.tournament.present]
    assert all(found[frozenset(pair)] == 1 for pair in combinations(staying, 2))
    assert max(found.values()) == 1


@pytest.mark.parametrize("players", [3, 4, 9])
def test_the_circle_method_pairs_each_two_once(players: int) -> None:
    names = [f"p{number}" for number in range(players)]
    rounds = circle(names)
    assert len(rounds) == players - 1 + players % 2
    assert Counter(frozenset(pair) for each in rounds for pair in each) == Counter(
        frozenset(pair) for pair in combinations(names, 2)
    )


@settings(max_examples=25, deadline=None)
@given(players=st.integers(3, 14), seed=st.integers(0, 999), system=st.sampled_from(("swiss", "round-robin")))
def test_a_computer_fills_the_odd_place(players: int, seed: int, system: str) -> None:
    club = Club(terms(system, rounds=3 if system == "swiss" else 0, computer=COMPUTER), players, seed)
    club.ask("host", c.Start)
    club.play()
    found = club.tournament
    assert all(not each.byes for each in found.rounds)
    with_computer = Counter(
        player
        for each in found.rounds
        for pairing in each.pairings
        for player in pairing.players
        if "bot:1" in pairing.players
    )
    assert with_computer.pop("bot:1", 0) == (len(found.rounds) if players % 2 else 0)
    assert set(with_computer.values()) <= {1}


@settings(max_examples=25, deadline=None)
@given(players=st.integers(2, 23), wanted=st.integers(4, 10), seed=st.integers(0, 999))
def test_every_pair_of_a_division_plays_both_colours(players: int, wanted: int, seed: int) -> None:
    club = Club(terms("league", rounds=2, days=30, division=wanted, computer=COMPUTER), players, seed)
    club.ask("host", c.Start)
    club.play()
    for season in club.tournament.rounds:
        assert all(4 <= len(division) <= 10 for division in season.divisions)
        assert sum(map(len, season.divisions)) == max(4, players)
        games = Counter(game.seats for pairing in season.pairings for game in pairing.games)
        pairs = [pair for division in season.divisions for pair in combinations(division, 2)]
        assert games == Counter([*pairs, *(pair[::-1] for pair in pairs)])
    assert club.replayed() == club.tournament


@given(count=st.integers(4, 300), wanted=st.integers(4, 10))
def test_divisions_are_nearly_equal(count: int, wanted: int) -> None:
    sizes = division_sizes(count, wanted)
    assert sum(sizes) == count
    assert max(sizes) - min(sizes) <= 1
    assert min(sizes) >= 4
    assert max(sizes) <= 10


def test_the_best_rise_the_last_fall_and_who_stays_is_entered_again() -> None:
    final = [["a", "b", "c", "d"], ["e", "f", "g", "h"], ["i", "j", "k", "l"]]
    stay = [player for division in final for player in division]
    assert next_divisions(final, stay, dict.fromkeys(stay, 0), 4) == [
        ("a", "b", "c", "e"),
        ("d", "f", "g", "i"),
        ("h", "j", "k", "l"),
    ]
    new = {**dict.fromkeys(stay, 0), "n": 1, "o": 2}
    assert next_divisions(final, [*stay[1:], "n", "o"], new, 4)[-1][-2:] == ("o", "n")


@settings(max_examples=20, deadline=None)
@given(players=st.integers(3, 20), seed=st.integers(0, 99))
def test_tables_and_seats_are_balanced(players: int, seed: int) -> None:
    club = Club(terms("tables", rounds=4), players, seed)
    club.ask("host", c.Start)
    club.play()
    found = club.tournament
    assert len(found.rounds) == 4
    for each in found.rounds:
        sizes = [len(pairing.players) for pairing in each.pairings]
        assert sum(sizes) == players
        assert max(sizes) - min(sizes) <= 1
        assert min(sizes) >= 3
        assert max(sizes) <= 6
    seats = history(found).seats
    for entrant in found.entrants:
        assert max(seats[entrant.id, seat] for seat in range(6)) <= 2
    if players >= 12:
        assert max(meetings(found).values()) <= 3
    assert club.replayed() == found


def test_points_of_places_are_shared() -> None:
    assert points_of_places([1, 2, 3]) == (120, 60, 0)
    assert points_of_places([2, 1, 2, 4]) == (60, 120, 60, 0)
    for size in range(3, 7):
        assert sum(points_of_places([1] * size)) == size * FULL_POINTS // 2
        assert [sum(sizes) for sizes in (table_sizes(count) for count in range(3, 40))] == list(range(3, 40))


@settings(max_examples=20, deadline=None)
@given(players=st.integers(3, 12), seed=st.integers(0, 999))
def test_points_of_a_swiss_are_those_of_its_games_and_byes(players: int, seed: int) -> None:
    club = Club(terms("swiss", rounds=3), players, seed)
    club.ask("host", c.Start)
    club.play()
    rows = standings(club.tournament)
    assert sum(row.points for row in rows) == 3 * 2 * FULL_POINTS * (players // 2 + players % 2)
    assert [row.points for row in rows] == sorted((row.points for row in rows), reverse=True)
    assert rows[0].place == 1
